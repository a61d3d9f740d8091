"""Who sits where: the draw of an evening, its verifier, and what there is to say about it.

Imports the standard library only.
"""

from tournaments.draw.check import check_draw
from tournaments.draw.engine import draw
from tournaments.draw.errors import CODES, DrawError, DrawFault
from tournaments.draw.explain import DrawExplanation, explain_draw
from tournaments.draw.faults import LEFTOVERS, METHODS
from tournaments.draw.models import (
    Couple,
    Draw,
    Leftover,
    Method,
    PastEvening,
    Player,
    RoundDraw,
    Seat,
    TableDraw,
)

__all__ = [
    "CODES",
    "LEFTOVERS",
    "METHODS",
    "Couple",
    "Draw",
    "DrawError",
    "DrawExplanation",
    "DrawFault",
    "Leftover",
    "Method",
    "PastEvening",
    "Player",
    "RoundDraw",
    "Seat",
    "TableDraw",
    "check_draw",
    "draw",
    "explain_draw",
]
