"""What in a draw goes against what was agreed, after somebody changed it by hand."""

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext as _

from tournaments.draw.core import Player, RoundDraw
from tournaments.draw.core.constraints import first_tables
from tournaments.services import DrawWaiting

Names = Mapping[Player, str]


def draw_warnings(waiting: DrawWaiting, names: Names) -> list[str]:
    """A sentence for each couple that is together or not against what was agreed, and for each
    who keeps his table and changes; a round at a time."""
    at_home = first_tables(waiting.stays, [*waiting.played, *waiting.drawn])
    return [
        sentence
        for number, one in waiting.rounds.items()
        for sentence in (
            *_apart(waiting, names, number, one.drawn),
            *_fixed(waiting, names, number, one.drawn),
            *_moved(at_home, names, number, one.drawn),
        )
    ]


def _apart(waiting: DrawWaiting, names: Names, number: int, drawn: RoundDraw) -> Iterator[str]:
    for one, other in waiting.apart:
        for table in drawn.tables:
            if {one, other} <= table.people():
                yield _(
                    "Round %(n)s: %(one)s and %(other)s are together at table %(table)s, and that "
                    "was not to be."
                ) % {"n": number, "one": names[one], "other": names[other], "table": table.number}


def _fixed(waiting: DrawWaiting, names: Names, number: int, drawn: RoundDraw) -> Iterator[str]:
    playing = {who for table in drawn.tables for who in table.people()}
    together = {frozenset(couple) for table in drawn.tables for couple in table.partners()}
    of_three = [table.people() for table in drawn.tables if len(table.seats) == 3]
    for one, other in waiting.fixed:
        couple = frozenset((one, other))
        if couple <= playing and couple not in together and not any(map(couple.issubset, of_three)):
            yield _(
                "Round %(n)s: %(one)s and %(other)s are a fixed couple and are not partners."
            ) % {"n": number, "one": names[one], "other": names[other]}


def _moved(
    at_home: Mapping[Player, int], names: Names, number: int, drawn: RoundDraw
) -> Iterator[str]:
    for table in drawn.tables:
        for who in sorted(table.people() & at_home.keys()):
            if at_home[who] != table.number:
                yield _(
                    "Round %(n)s: %(name)s keeps his table, and moves from table %(home)s to "
                    "table %(table)s."
                ) % {
                    "n": number,
                    "name": names[who],
                    "home": at_home[who],
                    "table": table.number,
                }
