"""What the cards gave each side."""

from scoring.rules.deal import Deal
from scoring.rules.regulation import Regulation

Pair = tuple[int, int]
"""What NS has, then what EW has."""


def taken_points(deal: Deal, total: int) -> Pair | None:
    """The card points of both sides, as counted or else by the pit; None where there is neither.

    `total` is the deal's card points.
    """
    if deal.points or deal.pit is None:
        return counted_points(deal, total)
    return (total, 0) if deal.pit == "NS" else (0, total)


def counted_points(deal: Deal, total: int) -> Pair | None:
    """The card points of both sides, of which one may have counted; None if neither did."""
    points = deal.points
    if "NS" in points:
        return points["NS"], points["EW"] if "EW" in points else total - points["NS"]
    return (total - points["EW"], points["EW"]) if "EW" in points else None


def roem_sums(deal: Deal) -> Pair:
    """The roem of each side added up."""
    roem = deal.roem
    return sum(roem["NS"]) if "NS" in roem else 0, sum(roem["EW"]) if "EW" in roem else 0


def strengths(points: Pair, roem: Pair, regulation: Regulation) -> Pair:
    """What each side brings when nat is decided: card points, and its roem where that counts."""
    if not regulation.nat_counts_roem:
        return points
    return points[0] + roem[0], points[1] + roem[1]
