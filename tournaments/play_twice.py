"""Rounds in which people are left over, or play twice so that nobody is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clubs.models import Member
from tournaments.draw.core.models import TABLE_SIZE
from tournaments.models import Evening
from tournaments.to_come import RoundToCome, rounds_to_come


@dataclass(frozen=True, slots=True)
class LeftOver:
    """A round to come with who is left over in it; once a table was made for them, its number
    and who play `twice` to fill it. `tables` is where everybody sits who plays once, by id."""

    round_number: int
    people: Sequence[Member]
    table: int | None
    twice: Sequence[Member]
    tables: Mapping[int, int]

    @property
    def needed(self) -> int:
        """How many people it takes to make a table for them."""
        return TABLE_SIZE - len(self.people)


def left_over(evening: Evening) -> list[LeftOver]:
    """The rounds to come in which somebody is left over, or plays twice. Two queries."""
    found = [
        (number, one)
        for number, one in rounds_to_come(evening).items()
        if one.drawn.sit_out or one.extra
    ]
    ids = {who for _number, one in found for who in (*one.drawn.sit_out, *one.people)}
    people = Member.objects.filter(pk__in=[int(who) for who in ids]).by_surname()
    return [_left_over(number, one, list(people)) for number, one in found]


def _left_over(number: int, one: RoundToCome, people: Sequence[Member]) -> LeftOver:
    made = {table for table, _seat in one.extra}
    at = {int(who): table.number for table in one.drawn.tables for who in table.people()}
    apart = {int(who) for who in one.drawn.sit_out} | {
        who for who, table in at.items() if table in made
    }
    twice = {int(who) for who in one.extra.values()}
    return LeftOver(
        round_number=number,
        people=[member for member in people if member.pk in apart],
        table=min(made, default=None),
        twice=[member for member in people if member.pk in twice],
        tables={who: table for who, table in at.items() if who not in twice | apart},
    )
