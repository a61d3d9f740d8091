"""The lottery: each round is a fresh draw by chance, as lots from a bag."""

from collections.abc import Sequence

from tournaments.draw.models import Player, RoundDraw, TableDraw
from tournaments.draw.request import Request
from tournaments.draw.sit_out import TABLE_SIZE, SitOutTurns


def lottery(request: Request) -> tuple[RoundDraw, ...]:
    """The rounds asked for, each drawn by chance without looking at the others."""
    turns = SitOutTurns(request)
    return tuple(_round(request, turns, number) for number in request.numbers)


def _round(request: Request, turns: SitOutTurns, number: int) -> RoundDraw:
    chance = request.chance(number)
    out = turns.take(chance)
    seated = [player for player in request.players if player not in out]
    chance.shuffle(seated)
    return RoundDraw(tables=_tables(seated), sit_out=out)


def _tables(seated: Sequence[Player]) -> tuple[TableDraw, ...]:
    fours = range(0, len(seated), TABLE_SIZE)
    return tuple(
        TableDraw(number, dict(zip(("N", "E", "S", "W"), seated[start:], strict=False)))
        for number, start in enumerate(fours, start=1)
    )
