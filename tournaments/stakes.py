"""Who has put in his stake, and what there is in the pot."""

from collections.abc import Sequence
from dataclasses import dataclass

from clubs.models import Member
from tournaments.models import Evening, Registration


@dataclass(frozen=True, slots=True)
class StakeRow:
    """Somebody on the list: what is asked of him and what he has put in, in cents."""

    member: Member
    here: bool
    due: int | None
    paid: int | None

    @property
    def is_other(self) -> bool:
        """Whether he put in another sum than is asked."""
        return self.paid is not None and self.paid != self.due


@dataclass(frozen=True, slots=True)
class StakeList:
    """Everybody who is here or has paid, by surname, and what that comes to."""

    rows: Sequence[StakeRow]

    @property
    def pot(self) -> int:
        """What has been put in."""
        return sum(row.paid or 0 for row in self.rows)

    @property
    def paid(self) -> int:
        """How many of those who owe a stake have put something in, or came free."""
        return sum(row.paid is not None for row in self.owing)

    @property
    def owing(self) -> list[StakeRow]:
        """Who is here and is asked for a stake."""
        return [row for row in self.rows if row.here and row.due]

    @property
    def to_come(self) -> int:
        """What those who are here still have to put in."""
        return sum(row.due or 0 for row in self.owing if row.paid is None)


def asks_stake(evening: Evening) -> bool:
    """Whether anybody has to put something in."""
    return bool(evening.stake_member or evening.stake_guest)


def stake_due(evening: Evening, member: Member) -> int | None:
    """What this person has to put in, in cents."""
    is_guest = member.kind == Member.Kind.GUEST
    return evening.stake_guest if is_guest else evening.stake_member


def stake_list(evening: Evening) -> StakeList:
    """The stakes of an evening, in one query."""
    registrations = evening.registrations.select_related("member").order_by(
        "member__sort_name", "member__pk"
    )
    return StakeList(
        [_row(evening, one) for one in registrations if one.present or one.paid is not None]
    )


def _row(evening: Evening, one: Registration) -> StakeRow:
    return StakeRow(one.member, one.present, stake_due(evening, one.member), one.paid)
