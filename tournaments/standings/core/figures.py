"""The figures people are compared by, by name, and how a mean is rounded."""

from collections.abc import Collection
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal

Points = int | Decimal

MetricKey = Literal[
    "total",
    "counted",
    "average",
    "mean_per_evening",
    "mean_per_round",
    "pits",
    "roem",
    "nats",
    "fewest_nats",
    "best_round",
    "last_round",
    "best_evening",
    "evenings",
    "gap",
]
TieBreak = MetricKey | Literal["head_to_head", "lot"]

_CENT = Decimal("0.01")


def mean(points: int, weight: int) -> Decimal:
    """Two decimals, half up (away from nought); 0 where there is nothing to divide by."""
    return (Decimal(points) / (weight or 1)).quantize(_CENT, rounding=ROUND_HALF_UP)


def whole_mean(figures: Collection[int]) -> int:
    """The mean as a whole number, half up (away from nought); 0 of none.

    >>> whole_mean([80, 81]), whole_mean([82, 83])
    (81, 83)
    """
    exact = Decimal(sum(figures)) / (len(figures) or 1)
    return int(exact.quantize(Decimal(1), rounding=ROUND_HALF_UP))
