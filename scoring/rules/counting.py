"""What the cards gave each side, and whether that is enough."""

from collections.abc import Mapping

from scoring.rules.deal import Deal
from scoring.rules.regulation import Regulation
from scoring.rules.seats import SIDES, Side, other_side


def taken_points(deal: Deal, total: int) -> Mapping[Side, int]:
    """The card points of both sides, by the pit or else as counted; empty where there is neither.

    `total` is the deal's card points.
    """
    if deal.pit is not None:
        return {side: total if side == deal.pit else 0 for side in SIDES}
    return counted_points(deal, total)


def counted_points(deal: Deal, total: int) -> Mapping[Side, int]:
    """The card points of both sides, of which one may have counted; empty if neither did."""
    if not deal.points:
        return {}
    return {
        side: deal.points[side] if side in deal.points else total - deal.points[other_side(side)]
        for side in SIDES
    }


def roem_sums(deal: Deal) -> dict[Side, int]:
    """The roem of each side added up."""
    return {side: sum(deal.roem.get(side, ())) for side in SIDES}


def strength(deal: Deal, side: Side, points: Mapping[Side, int], regulation: Regulation) -> int:
    """What a side brings when nat is decided: its card points, and its roem where that counts."""
    return points[side] + (sum(deal.roem.get(side, ())) if regulation.nat_counts_roem else 0)


def is_enough(deal: Deal, points: Mapping[Side, int], regulation: Regulation) -> bool:
    """Whether the declarers have strictly more than the defenders: what they need not to be nat."""
    defenders = other_side(deal.declarers)
    mine = strength(deal, deal.declarers, points, regulation)
    return mine > strength(deal, defenders, points, regulation)
