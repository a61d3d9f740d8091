"""The stakes: who has paid, and what is in the pot."""

from collections.abc import Sequence
from dataclasses import dataclass

from clubs.models import Member
from tournaments.models import Evening, Registration


@dataclass(frozen=True, slots=True)
class StakeRow:
    """A person on the list: the stake they owe and what they have paid, in cents."""

    member: Member
    here: bool
    due: int | None
    paid: int | None

    @property
    def is_other(self) -> bool:
        """Whether they paid a different sum from what they owe."""
        return self.paid is not None and self.paid != self.due


@dataclass(frozen=True, slots=True)
class StakeList:
    """Everybody who is here or has paid, by surname, with the totals."""

    rows: Sequence[StakeRow]

    @property
    def pot(self) -> int:
        """The sum paid so far."""
        return sum(row.paid or 0 for row in self.rows)

    @property
    def paid(self) -> int:
        """How many of those who owe a stake have paid, or were let off."""
        return sum(row.paid is not None for row in self.owing)

    @property
    def owing(self) -> list[StakeRow]:
        """Everybody present who owes a stake."""
        return [row for row in self.rows if row.here and row.due]

    @property
    def to_come(self) -> int:
        """The sum that people who are here still have to pay."""
        return sum(row.due or 0 for row in self.owing if row.paid is None)


def asks_stake(evening: Evening) -> bool:
    """Whether anybody owes a stake."""
    return bool(evening.stake_member or evening.stake_guest)


def stake_due(evening: Evening, member: Member) -> int | None:
    """The stake this person owes, in cents; None if there is none."""
    is_guest = member.kind == Member.Kind.GUEST
    return evening.stake_guest if is_guest else evening.stake_member


def stake_list(evening: Evening) -> StakeList:
    """The stakes of an evening, in one query."""
    registrations = evening.registrations.select_related("member").order_by(
        "member__sort_name", "member__pk"
    )
    return StakeList(
        [_row(evening, entry) for entry in registrations if entry.present or entry.paid is not None]
    )


def _row(evening: Evening, entry: Registration) -> StakeRow:
    return StakeRow(entry.member, entry.present, stake_due(evening, entry.member), entry.paid)
