"""The draw of an evening: who sits where, a verifier, and the figures behind it.

Standard library only.
"""

from tournaments.draw.core.amend import (
    SwapCost,
    swap_costs,
    swapped,
    with_latecomer,
    without_leaver,
)
from tournaments.draw.core.check import check_draw
from tournaments.draw.core.engine import draw
from tournaments.draw.core.explain import DrawExplanation, explain_draw
from tournaments.draw.core.models import (
    Couple,
    Draw,
    Leftover,
    Method,
    Movement,
    PastEvening,
    Player,
    RoundDraw,
    Seat,
    TableDraw,
)
from tournaments.draw.core.pair_counts import Repeat, repeats_by_table
from tournaments.draw.core.problem import (
    CODES,
    LEFTOVERS,
    METHODS,
    MOVEMENTS,
    DrawError,
    DrawFault,
)

__all__ = [
    "CODES",
    "LEFTOVERS",
    "METHODS",
    "MOVEMENTS",
    "Couple",
    "Draw",
    "DrawError",
    "DrawExplanation",
    "DrawFault",
    "Leftover",
    "Method",
    "Movement",
    "PastEvening",
    "Player",
    "Repeat",
    "RoundDraw",
    "Seat",
    "SwapCost",
    "TableDraw",
    "check_draw",
    "draw",
    "explain_draw",
    "repeats_by_table",
    "swap_costs",
    "swapped",
    "with_latecomer",
    "without_leaver",
]
