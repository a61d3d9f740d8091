"""Warnings about a draw that breaks an agreement after a change by hand."""

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext as _

from tournaments.draw.core import Player, RoundDraw
from tournaments.draw.core.constraints import first_tables
from tournaments.services import DrawWaiting

Names = Mapping[Player, str]


def draw_warnings(waiting: DrawWaiting, names: Names) -> list[str]:
    """A sentence for each couple wrongly together or apart and each fixed seat left, by round."""
    first_table = first_tables(waiting.stays, [*waiting.played, *waiting.drawn])
    return [
        sentence
        for number, round_ in waiting.rounds.items()
        for sentence in (
            *_apart(waiting, names, number, round_.drawn),
            *_fixed(waiting, names, number, round_.drawn),
            *_moved(first_table, names, number, round_.drawn),
        )
    ]


def _apart(waiting: DrawWaiting, names: Names, number: int, drawn: RoundDraw) -> Iterator[str]:
    for player, other in waiting.apart:
        for table in drawn.tables:
            if {player, other} <= table.people():
                yield _(
                    "Round %(n)s: %(one)s and %(other)s are together at table %(table)s, and that "
                    "was not to be."
                ) % {
                    "n": number,
                    "one": names[player],
                    "other": names[other],
                    "table": table.number,
                }


def _fixed(waiting: DrawWaiting, names: Names, number: int, drawn: RoundDraw) -> Iterator[str]:
    playing = {player for table in drawn.tables for player in table.people()}
    together = {frozenset(couple) for table in drawn.tables for couple in table.partners()}
    of_three = [table.people() for table in drawn.tables if len(table.seats) == 3]
    for player, other in waiting.fixed:
        couple = frozenset((player, other))
        if couple <= playing and couple not in together and not any(map(couple.issubset, of_three)):
            yield _(
                "Round %(n)s: %(one)s and %(other)s are a fixed couple and are not partners."
            ) % {"n": number, "one": names[player], "other": names[other]}


def _moved(
    first_table: Mapping[Player, int], names: Names, number: int, drawn: RoundDraw
) -> Iterator[str]:
    for table in drawn.tables:
        for player in sorted(table.people() & first_table.keys()):
            if first_table[player] != table.number:
                yield _(
                    "Round %(n)s: %(name)s keeps his table, and moves from table %(home)s to "
                    "table %(table)s."
                ) % {
                    "n": number,
                    "name": names[player],
                    "home": first_table[player],
                    "table": table.number,
                }
