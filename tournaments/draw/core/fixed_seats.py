"""Those who cannot change tables: kept from each other, and each at one table all evening."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from tournaments.draw.core.models import Couple, Player, RoundDraw, ordered

Keepers = Mapping[Player, Player]
"""Whose table each of them keeps: his own, or of a fixed couple that of the first of the two."""


def table_keepers(stays: Collection[Player], fixed: Sequence[Couple]) -> dict[Player, Player]:
    """Those who stay; two of them who are a fixed couple keep one table together."""
    keepers = {player: player for player in sorted(stays)}
    for couple in fixed:
        if keepers.keys() >= {*couple}:
            keepers |= dict.fromkeys(couple, min(couple))
    return keepers


def kept_apart(keepers: Keepers) -> set[Couple]:
    """The couples that cannot share a table because each of the two keeps another."""
    return {
        ordered(one, other)
        for one, other in combinations(keepers, 2)
        if keepers[one] != keepers[other]
    }


def at_kept_tables(
    rounds: Sequence[RoundDraw], keepers: Keepers, played: Sequence[RoundDraw]
) -> tuple[RoundDraw, ...]:
    """The rounds with other numbers for the tables, such that who stays is always at one number.

    That is where he first sat in the rounds played, if there is such a table and it is nobody
    else's, else where he first sits now. Everybody else walks as much or as little as he did.
    """
    kept = _kept_in(played, keepers, len(rounds[0].tables))
    numbers = {table.number: table.number for table in rounds[0].tables}
    return tuple(_renumbered(drawn, keepers, kept, numbers) for drawn in rounds)


def pairs_to_stay(
    line: Sequence[Couple], stays: Collection[Player], played: Sequence[RoundDraw]
) -> tuple[Couple, ...]:
    """The pairs with those who stay in even places, each changing places with one other pair.

    In the place of the table where they first sat in the rounds played; else the nearest.
    """
    keepers = {who: min(pair) for pair in line if {*pair} & {*stays} for who in pair}
    kept = _kept_in(played, keepers, len(line) // 2)
    places = list(line)
    staying = [pair for pair in line if pair[0] in keepers]
    for pair in sorted(staying, key=lambda pair: min(pair) not in kept):
        here = places.index(pair)
        if min(pair) not in kept:
            kept[min(pair)] = _nearest(here, len(line) // 2, kept)
        there = 2 * kept[min(pair)] - 1
        places[here], places[there] = places[there], places[here]
    return tuple(places)


def _nearest(place: int, tables: int, kept: Mapping[Player, int]) -> int:
    """The table nobody keeps whose staying pair is nearest to this place in the line, from 0."""
    free = [table for table in range(tables, 0, -1) if table not in kept.values()]
    return min(free, key=lambda table: abs(2 * table - 1 - place))


def _kept_in(played: Iterable[RoundDraw], keepers: Keepers, tables: int) -> dict[Player, int]:
    """The table each keeps since the rounds played, of those that are there."""
    first: dict[Player, int] = {}
    for drawn in played:
        for table in drawn.tables:
            for player in table.people() & keepers.keys():
                first.setdefault(keepers[player], table.number)
    kept: dict[Player, int] = {}
    for player, number in sorted(first.items()):
        if number <= tables and number not in kept.values():
            kept[player] = number
    return kept


def _renumbered(
    drawn: RoundDraw, keepers: Keepers, kept: dict[Player, int], numbers: dict[int, int]
) -> RoundDraw:
    """One round; `kept` and `numbers`, what each number has become, are changed along."""
    for table in drawn.tables:
        for keeper in sorted({keepers[who] for who in table.people() & keepers.keys()}):
            if keeper not in kept:
                free = sorted({*numbers} - {*kept.values()})
                here = numbers[table.number]
                kept[keeper] = here if here in free else free[0]
            _exchange(numbers, table.number, kept[keeper])
    tables = [replace(table, number=numbers[table.number]) for table in drawn.tables]
    return replace(drawn, tables=tuple(sorted(tables, key=lambda table: table.number)))


def _exchange(numbers: dict[int, int], table: int, number: int) -> None:
    """Give a table this number, and the one that had it the number that the table had."""
    holder = next(other for other, held in numbers.items() if held == number)
    numbers[table], numbers[holder] = number, numbers[table]
