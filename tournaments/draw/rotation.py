"""The rotation: four people stay at a table for three rounds, each with each as partner once."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from tournaments.draw.mixing import Met, mixed_tables
from tournaments.draw.models import Player, RoundDraw, TableDraw, ordered
from tournaments.draw.request import Request
from tournaments.draw.sit_out import SitOutTurns

BLOCK = 3
NORTH_EAST_SOUTH_WEST = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))
"""Which of a table's four sits N, E, S, W in the first, second and third round of a block."""


def rotation(request: Request) -> tuple[RoundDraw, ...]:
    """The rounds asked for, in blocks of three counted from the first one drawn.

    A last block may be cut short. Each block has new tables, with as few people together again as
    a short search finds; who sits out does so for the whole block.
    """
    turns = SitOutTurns(request)
    rounds: list[RoundDraw] = []
    for start in request.numbers[::BLOCK]:
        length = min(BLOCK, request.numbers.stop - start)
        chance = request.chance(start)
        out = turns.take(chance, rounds=length)
        seated = [player for player in request.players if player not in out]
        tables = mixed_tables(seated, _met([*request.played, *rounds]), chance)
        rounds += [
            RoundDraw(tables=_seated(tables, order), sit_out=out)
            for order in NORTH_EAST_SOUTH_WEST[:length]
        ]
    return tuple(rounds)


def _met(rounds: Sequence[RoundDraw]) -> Met:
    return Counter(
        ordered(*couple)
        for played in rounds
        for table in played.tables
        for couple in combinations(table.people(), 2)
    )


def _seated(tables: Sequence[Sequence[Player]], order: Sequence[int]) -> tuple[TableDraw, ...]:
    north, east, south, west = order
    return tuple(
        TableDraw(number, {"N": four[north], "E": four[east], "S": four[south], "W": four[west]})
        for number, four in enumerate(tables, start=1)
    )
