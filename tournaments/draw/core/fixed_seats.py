"""Players who cannot change tables: one table all evening, and no two at the same one."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from tournaments.draw.core.models import Couple, Player, RoundDraw, ordered

TableHolders = Mapping[Player, Player]
"""By player, the holder of their table: themselves, or the first of a fixed couple."""


def table_holders(stays: Collection[Player], fixed: Sequence[Couple]) -> dict[Player, Player]:
    """The table holder of each player who stays; a fixed couple that stays shares one table."""
    holders = {player: player for player in sorted(stays)}
    for couple in fixed:
        if holders.keys() >= {*couple}:
            holders |= dict.fromkeys(couple, min(couple))
    return holders


def holders_apart(holders: TableHolders) -> set[Couple]:
    """The couples that cannot share a table because each has their own fixed one."""
    return {
        ordered(player, other)
        for player, other in combinations(holders, 2)
        if holders[player] != holders[other]
    }


def renumbered_for_fixed_seats(
    rounds: Sequence[RoundDraw], holders: TableHolders, played: Sequence[RoundDraw]
) -> tuple[RoundDraw, ...]:
    """The rounds with tables renumbered so that players with a fixed seat stay at one number.

    That is the table where they first sat in the rounds played, if it exists and is free;
    otherwise the table where they first sit now.
    """
    number_of = _numbers_since(played, holders, len(rounds[0].tables))
    numbers = {table.number: table.number for table in rounds[0].tables}
    return tuple(_renumbered(drawn, holders, number_of, numbers) for drawn in rounds)


def pairs_in_fixed_seats(
    line: Sequence[Couple], stays: Collection[Player], played: Sequence[RoundDraw]
) -> tuple[Couple, ...]:
    """The pairs with those that stay in even places, each exchanged with one other pair.

    Their place is that of the table where they first sat in the rounds played, or the nearest.
    """
    holders = {player: min(pair) for pair in line if {*pair} & {*stays} for player in pair}
    number_of = _numbers_since(played, holders, len(line) // 2)
    places = list(line)
    staying = [pair for pair in line if pair[0] in holders]
    for pair in sorted(staying, key=lambda pair: min(pair) not in number_of):
        here = places.index(pair)
        if min(pair) not in number_of:
            number_of[min(pair)] = _nearest(here, len(line) // 2, number_of)
        there = 2 * number_of[min(pair)] - 1
        places[here], places[there] = places[there], places[here]
    return tuple(places)


def _nearest(place: int, tables: int, number_of: Mapping[Player, int]) -> int:
    """The free table whose staying pair is nearest to this place in the line, from 0."""
    free = [table for table in range(tables, 0, -1) if table not in number_of.values()]
    return min(free, key=lambda table: abs(2 * table - 1 - place))


def _numbers_since(
    played: Iterable[RoundDraw], holders: TableHolders, tables: int
) -> dict[Player, int]:
    """The table each holder has kept since the rounds played, if it still exists."""
    first: dict[Player, int] = {}
    for drawn in played:
        for table in drawn.tables:
            for player in table.people() & holders.keys():
                first.setdefault(holders[player], table.number)
    number_of: dict[Player, int] = {}
    for player, number in sorted(first.items()):
        if number <= tables and number not in number_of.values():
            number_of[player] = number
    return number_of


def _renumbered(
    drawn: RoundDraw, holders: TableHolders, number_of: dict[Player, int], numbers: dict[int, int]
) -> RoundDraw:
    """One round renumbered; updates `number_of` and `numbers`, the new number of each table."""
    for table in drawn.tables:
        for holder in sorted({holders[player] for player in table.people() & holders.keys()}):
            if holder not in number_of:
                free = sorted({*numbers} - {*number_of.values()})
                here = numbers[table.number]
                number_of[holder] = here if here in free else free[0]
            _exchange(numbers, table.number, number_of[holder])
    tables = [replace(table, number=numbers[table.number]) for table in drawn.tables]
    return replace(drawn, tables=tuple(sorted(tables, key=lambda table: table.number)))


def _exchange(numbers: dict[int, int], table: int, number: int) -> None:
    """Give a table this number, and its previous holder the table's old one."""
    holder = next(other for other, held in numbers.items() if held == number)
    numbers[table], numbers[holder] = number, numbers[table]
