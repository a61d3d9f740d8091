"""What a deal can be and hardly ever is: it is only asked about.

The figures are those that fewer than one legal deal in 2,000 passes, both where people play
sensibly and where they play any card that is allowed; `python -m tests.rules.rare` works them out.
"""

from collections.abc import Mapping
from typing import Final

from scoring.rules.deal import Deal
from scoring.rules.faults import Fault
from scoring.rules.seats import SEATS, SIDES, Side, partner

MUCH_ROEM: Final = 200
MUCH_ROEM_OF_A_SIDE: Final = 170
"""From this much the roem of both sides together, and of one side, is rare."""

OFTEN_ROEM: Final = 7
OFTEN_ROEM_OF_A_SIDE: Final = 6
"""From this many announcements; a stuk may be written apart from its run."""

FEW_POINTS: Final = ((140, 93), (120, 61), (100, 43), (70, 24), (40, 9))
"""Roem of a side, and the card points up to which so much is rare."""

_LEAST_MUCH: Final = 20 * OFTEN_ROEM_OF_A_SIDE
_LEAST_FOR_FEW: Final = FEW_POINTS[-1][0]
_MOST_OF_FEW: Final = FEW_POINTS[0][1]


def unlikely(
    deal: Deal, points: Mapping[Side, int | None], roem: Mapping[Side, int]
) -> list[Fault]:
    """What to ask about a deal that can be: `no_points`, `much_roem`, `often_roem`,
    `roem_with_few_points`, `nil_with_points`, `dummy_seat`.

    `points` are the card points each side took (none where nobody counted), `roem` what counted.
    """
    doubts = []
    if deal.pit is None and deal.nil is None and 0 in points.values():
        doubts.append(Fault("no_points", "pit"))
    if roem["NS"] + roem["EW"] >= _LEAST_MUCH:
        doubts += _much_roem(deal, roem)
    if roem["NS"] >= _LEAST_FOR_FEW or roem["EW"] >= _LEAST_FOR_FEW:
        doubts += _few_points(points, roem)
    if deal.nil is not None:
        doubts += _nil_with_points(deal, points[deal.declarers])
    if len(deal.seats) == 3 and _dummy_is_elsewhere(deal):
        doubts.append(Fault("dummy_seat", "seats"))
    return doubts


def _much_roem(deal: Deal, roem: Mapping[Side, int]) -> list[Fault]:
    together, most = roem["NS"] + roem["EW"], max(roem["NS"], roem["EW"])
    doubts = []
    if together >= MUCH_ROEM or most >= MUCH_ROEM_OF_A_SIDE:
        doubts.append(Fault("much_roem", "roem", {"points": together}))
    counts = [len(deal.roem.get(side, ())) for side in SIDES if roem[side]]
    if sum(counts) >= OFTEN_ROEM or max(counts) >= OFTEN_ROEM_OF_A_SIDE:
        doubts.append(Fault("often_roem", "roem", {"count": sum(counts)}))
    return doubts


def _few_points(points: Mapping[Side, int | None], roem: Mapping[Side, int]) -> list[Fault]:
    doubts = []
    for side, made in roem.items():
        taken = points.get(side)
        if taken is not None and taken <= _MOST_OF_FEW and taken <= _few_for(made):
            params = {"roem": made, "points": taken}
            doubts.append(Fault("roem_with_few_points", f"roem.{side}", params))
    return doubts


def _few_for(roem: int) -> int:
    return next((few for much, few in FEW_POINTS if roem >= much), -1)


def _nil_with_points(deal: Deal, points: int | None) -> list[Fault]:
    if points is None or (deal.nil == "made") == (points == 0):
        return []
    return [Fault("nil_with_points", "nil", {"why": deal.nil, "points": points})]


def _dummy_is_elsewhere(deal: Deal) -> bool:
    declarer = next((seat for seat in SEATS if seat == deal.declarer), None)
    return declarer is not None and partner(declarer) in deal.seats
