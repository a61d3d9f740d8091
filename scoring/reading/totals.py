"""The deals of a sheet together: of all ways to take a line of each, those that come to the totals
at its foot."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from scoring.reading.digits import SIGNS
from scoring.reading.lines import (
    DASH,
    MOST_CHOICES,
    SPOILED,
    Chances,
    Deal,
    SheetRead,
    Weights,
    decide,
    is_spoiled,
    weights_of,
)
from scoring.rules import SIDES

Sums = tuple[int, int]
MOST_SUMS: Final = 1500
"""How many sums are followed at once, the likeliest."""
MISADDED: Final = 0.08
"""How often a total is not the sum of what stands above it."""
ANY_TOTAL: Final = 3e-4
"""How likely one certain wrong total is then."""
BOTH_OTHERWISE: Final = 1e-6
"""How likely two certain totals are that are both none of the deals' sums, as where people score
by another rule."""
LOST: Final = 3e-4
"""How likely totals are beside their likeliest reading when a deal is none of its choices."""
ABOUT_AS_LIKELY: Final = 0.1
"""A total that looks like the sum this much beside its likeliest reading is the sum."""


def read_sheet(
    deals: Sequence[Deal],
    totals: Mapping[str, Chances],
    *,
    three: bool = False,
    is_whole: bool = True,
) -> SheetRead:
    """The deals together, of which the totals choose those that add up; unless these are the deals
    of one page and the totals those of all."""
    written = {who: _number_written(chances) for who, chances in totals.items()}
    sums = None
    if is_whole and not three and all(deal.choices for deal in deals):
        weights = [_total_weights(totals[side]) for side in SIDES]
        _choose_by_totals(deals, weights)
        first = [deal.choices[0].score for deal in deals]
        sums = (sum(ns for ns, _ew in first), sum(ew for _ns, ew in first))
        written |= {
            side: total
            for side, shares, total in zip(SIDES, weights, sums, strict=True)
            if shares is not None and _share_of(shares, total) > ABOUT_AS_LIKELY
        }
    for deal in deals:
        del deal.choices[MOST_CHOICES:]
    agree = None
    if sums is not None and all(written[side] is not None for side in SIDES):
        agree = all(written[side] == total for side, total in zip(SIDES, sums, strict=True))
    return SheetRead(list(deals), written, agree)


def _number_written(chances: Chances) -> int | None:
    """The number in these boxes by themselves; None where there is none."""
    signs = [int(np.argmax(box)) for box in chances]
    digits = [SIGNS[sign] for sign in signs if sign < DASH]
    if not digits or SPOILED in signs:
        return None
    return int("".join(digits))


def _total_weights(chances: Chances) -> Weights | None:
    """How likely each total is beside the likeliest; None where none can be read."""
    signs = chances.argmax(axis=1)
    if not (signs < DASH).any() or any(is_spoiled(box) for box in chances):
        return None
    weights = weights_of(chances)
    return np.asarray(np.exp(weights - weights.max()))


def _share_of(weights: Weights, total: int) -> float:
    return float(weights[total]) if 0 <= total < len(weights) else 0.0


def _agreeing(totals: Sequence[Weights | None], sums: Sums) -> float:
    """How likely what was read as the totals is if these are the sums."""
    agreeing = 1.0
    for weights, total in zip(totals, sums, strict=True):
        if weights is not None:
            agreeing *= (1 - MISADDED) * _share_of(weights, total) + MISADDED * ANY_TOTAL
    return agreeing + BOTH_OTHERWISE


def _choose_by_totals(deals: Sequence[Deal], totals: Sequence[Weights | None]) -> None:
    """Weigh the lines of each deal by whether they come to the totals with those of the others."""
    if all(weights is None for weights in totals):
        return
    steps = [[(choice.chance, choice.score) for choice in deal.choices] for deal in deals]
    before = _sums_before(steps)
    after = {at: _agreeing(totals, at) for at in before[-1]}
    weighed: list[list[float]] = []
    for choices, sums in zip(reversed(steps), reversed(before[:-1]), strict=True):
        weighed.append([chance * _led_on(sums, score, after) for chance, score in choices])
        after = {at: _leading(at, choices, after) for at in sums}
    agreed = after[0, 0]
    # Where any deal is none of its choices, the totals say nothing of the others.
    none_lost = float(np.prod([1 - deal.lost for deal in deals]))
    one_lost = LOST * (1 - none_lost)
    everything = agreed + one_lost
    for deal, shares in zip(deals, reversed(weighed), strict=True):
        here = min(LOST * deal.lost, one_lost)
        elsewhere = (one_lost - here) / max(1 - deal.lost, 1e-9)
        for choice, share in zip(deal.choices, shares, strict=True):
            choice.chance = (share + choice.chance * elsewhere) / everything
        deal.lost = here / everything
        deal.choices.sort(key=lambda choice: -choice.chance)
        if deal.choices[0].line is not None:
            decide(deal)


def _sums_before(steps: Sequence[Sequence[tuple[float, Sums]]]) -> list[dict[Sums, float]]:
    """What the deals before each may come to and how likely that is, and at last all of them."""
    before: list[dict[Sums, float]] = [{(0, 0): 1.0}]
    for choices in steps:
        longer: dict[Sums, float] = {}
        least = 1e-9 * max(before[-1].values())
        for (own, theirs), share in before[-1].items():
            for chance, (ns, ew) in choices:
                if share * chance > least:
                    at = (own + ns, theirs + ew)
                    longer[at] = longer.get(at, 0.0) + share * chance
        if len(longer) > MOST_SUMS:
            likeliest = sorted(longer.items(), key=lambda item: -item[1])
            longer = dict(likeliest[:MOST_SUMS])
        before.append(longer)
    return before


def _led_on(sums: Mapping[Sums, float], score: Sums, after: Mapping[Sums, float]) -> float:
    ns, ew = score
    return sum(
        share * after.get((own + ns, theirs + ew), 0.0) for (own, theirs), share in sums.items()
    )


def _leading(at: Sums, choices: Sequence[tuple[float, Sums]], after: Mapping[Sums, float]) -> float:
    return sum(chance * after.get((at[0] + ns, at[1] + ew), 0.0) for chance, (ns, ew) in choices)
