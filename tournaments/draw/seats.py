"""From groups of people to tables with numbers and seats."""

from collections.abc import Mapping, Sequence

from tournaments.draw.grouping import Group
from tournaments.draw.models import Player, RoundDraw, TableDraw
from tournaments.draw.turns import Cast


def as_drawn(
    cast: Cast, mates: Mapping[Player, Player], partners: tuple[int, int, int, int] = (0, 2, 1, 3)
) -> RoundDraw:
    """A round of the groups of a cast, in their order, the tables of three last.

    `partners` says which of a group's four, in order, sit N, S, E and W; fixed couples go before.
    """
    fours = [seated(four, mates, partners) for four in cast.fours]
    return RoundDraw(tables=numbered(fours, cast.threes), sit_out=cast.out)


def seated(
    group: Sequence[Player], mates: Mapping[Player, Player], partners: tuple[int, int, int, int]
) -> Group:
    """The four in the order N, S, E, W: fixed couples are partners, the others as asked."""
    for player in group:
        if player in mates and mates[player] in group:
            couple = [player, mates[player]]
            return [*couple, *(other for other in group if other not in couple)]
    return [group[place] for place in partners]


def numbered(fours: Sequence[Group], threes: Sequence[Group]) -> tuple[TableDraw, ...]:
    """Tables numbered from 1: fours in the order N, S, E, W, then threes in the order N, E, S."""
    tables = [dict(zip(("N", "S", "E", "W"), four, strict=True)) for four in fours]
    tables += [dict(zip(("N", "E", "S"), three, strict=True)) for three in threes]
    return tuple(
        TableDraw(number, {seat: table[seat] for seat in ("N", "E", "S", "W") if seat in table})
        for number, table in enumerate(tables, start=1)
    )
