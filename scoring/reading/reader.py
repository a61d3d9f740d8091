"""From a page laid straight to the deals that stand on it: what is in each box, the line of each
deal, and of all ways to take a line of each those that come to the totals at the foot."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp
from operator import add
from typing import Any, Final

import numpy as np

from scoring.reading.digits import SCALE, SIGNS, Ink, Picture, pen_of, read_boxes
from scoring.reading.layout import Box, Layout, Row
from scoring.reading.lines import (
    DASH,
    MOST_CHOICES,
    SPOILED,
    Boxes,
    Chances,
    Deal,
    Sums,
    Weights,
    decide,
    is_spoiled,
    read_deal,
    weights_of,
)
from scoring.reading.picture import Found
from scoring.rules import SIDES, RuleSet, Side

INSET: Final = 0.15
"""Millimetres inside the middle of its line that a box for a digit begins."""
WITHIN: Final = 0.5
"""The same of the part from which the pen is told, in which no line may be."""
TICK_INSET: Final = 0.45
TICKED: Final = 0.75
"""Square millimetres of ink at which it is a toss-up whether a box is ticked."""
MOST_PRINTED: Final = 1.05
"""Square millimetres of ink that what is printed in a box to tick may seem to have."""
BLOTTED: Final = 15.0
"""Square millimetres of ink in a box to tick that was filled to take the tick back."""

MOST_SUMS: Final = 1500
"""How many sums are followed at once, the likeliest."""
MISADDED: Final = 0.08
"""How often a total is not the sum of what stands above it."""
ANY_TOTAL: Final = 3e-4
"""How likely one certain wrong total is then."""
BOTH_OTHERWISE: Final = 1e-6
"""How likely certain totals are that are all none of the deals' sums, as where people score by
another rule."""
LOST: Final = 3e-4
"""How likely totals are beside their likeliest reading when a deal is none of its choices."""
ABOUT_AS_LIKELY: Final = 0.1
"""A total that looks like the sum this much beside its likeliest reading is the sum."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen on a page before the rules have their say: of each box for a digit the
    probability of each sign, of each box to tick how much ink there is more than is printed, in
    square millimetres."""

    figures: Mapping[Box, Any]
    ticks: Mapping[Box, float]


@dataclass(slots=True)
class SheetRead:
    """All deals, the totals as they were written, and whether those agree with the deals; of a
    spare sheet, the table and the round that are written on it."""

    deals: list[Deal]
    totals: dict[str, int | None]
    agree: bool | None
    named: dict[str, int | None] = field(default_factory=dict)


def read_page(found: Found, layout: Layout, regulation: RuleSet) -> SheetRead:
    """What stands on a page of a sheet with this layout, under these rules."""
    return read_seen(see_page(found, layout), layout, regulation)


def see_page(found: Found, layout: Layout) -> Seen:
    """What stands in each box of a page."""
    figures = list(_figure_boxes(layout))
    parts = [found.part(box, INSET) for box in figures]
    pen = pen_of(np.concatenate([found.part(box, WITHIN).ravel() for box in figures]))
    chances = read_boxes(parts, pen)
    return Seen(dict(zip(figures, chances, strict=True)), _ticks(found, layout, pen))


def read_seen(seen: Seen, layout: Layout, regulation: RuleSet) -> SheetRead:
    """The deals that boxes which look so are likely to be."""
    deals = [
        read_deal(_boxes_of(row, seen.figures, seen.ticks), regulation, three=layout.form.three)
        for row in layout.rows
    ]
    totals = {who: _chances(boxes, seen.figures) for who, boxes in layout.totals.items()}
    is_whole = len(layout.rows) == layout.form.deals
    read = read_sheet(deals, totals, is_whole=is_whole)
    for what, boxes in layout.named.items():
        read.named[what] = _number_written(_chances(boxes, seen.figures))
    return read


def _figure_boxes(layout: Layout) -> Iterable[Box]:
    for row in layout.rows:
        for boxes in (*row.points.values(), *row.roem.values()):
            yield from boxes
    for boxes in (*layout.totals.values(), *layout.named.values()):
        yield from boxes


def _chances(boxes: Sequence[Box], numbers: Mapping[Box, Any]) -> Chances:
    return np.stack([numbers[box] for box in boxes])


def _boxes_of(row: Row, numbers: Mapping[Box, Any], ticks: Mapping[Box, float]) -> Boxes:
    points: dict[Side, Chances] = {side: _chances(row.points[side], numbers) for side in SIDES}
    roem: dict[Side, Chances] = {side: _chances(row.roem[side], numbers) for side in SIDES}
    ticked = [*row.declarer.values(), *row.trump.values(), row.nat, row.pit, row.other]
    return Boxes(
        points,
        roem,
        {who: _share(ticks[box]) for who, box in row.declarer.items()},
        {suit: _share(ticks[box]) for suit, box in row.trump.items()},
        _share(ticks[row.nat]),
        _share(ticks[row.pit]),
        _share(ticks[row.other]),
        blotted=any(ticks[box] > BLOTTED for box in ticked),
    )


def _ticks(found: Found, layout: Layout, pen: Ink) -> dict[Box, float]:
    """How much was written in each box to tick, in square millimetres: more than in the emptiest
    boxes of the same column, in which only what is printed can be seen."""
    amounts: dict[Box, float] = {}
    for column in _columns(layout):
        inked = [_ink(found.part(box, TICK_INSET), pen) for box in column]
        printed = float(np.percentile(inked, 15))
        printed = printed if printed < MOST_PRINTED else 0.0
        amounts.update(
            {box: max(0.0, ink - printed) for box, ink in zip(column, inked, strict=True)}
        )
    return amounts


def _columns(layout: Layout) -> Iterable[list[Box]]:
    rows = layout.rows
    for who in rows[0].declarer:
        yield [row.declarer[who] for row in rows]
    for suit in rows[0].trump:
        yield [row.trump[suit] for row in rows]
    for mark in ("nat", "pit", "other"):
        yield [getattr(row, mark) for row in rows]


def _ink(darkness: Picture, pen: Ink) -> float:
    ink = np.clip((darkness - pen.pale) / (pen.dark - pen.pale), 0, 1)
    return float(ink[ink > 0.25].sum()) / (SCALE * SCALE)


def _share(amount: float) -> float:
    return 1 / (1 + exp(-7.0 * (amount - TICKED)))


# The deals of a sheet together.


def read_sheet(
    deals: Sequence[Deal],
    totals: Mapping[str, Chances],
    *,
    is_whole: bool = True,
) -> SheetRead:
    """The deals together, of which the totals choose those that add up; unless these are the deals
    of one page and the totals those of all. Scores are in the order of `totals`."""
    written = {who: _number_written(chances) for who, chances in totals.items()}
    sums = None
    if is_whole and all(deal.choices for deal in deals):
        weights = [_total_weights(chances) for chances in totals.values()]
        _choose_by_totals(deals, weights)
        sums = tuple(map(sum, zip(*(deal.choices[0].score for deal in deals), strict=True)))
        written |= {
            who: total
            for who, shares, total in zip(totals, weights, sums, strict=True)
            if shares is not None and _share_of(shares, total) > ABOUT_AS_LIKELY
        }
    for deal in deals:
        del deal.choices[MOST_CHOICES:]
    agree = None
    if sums is not None and None not in written.values():
        agree = tuple(written.values()) == sums
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
    before = _sums_before(steps, len(totals))
    after = {at: _agreeing(totals, at) for at in before[-1]}
    weighed: list[list[float]] = []
    for choices, sums in zip(reversed(steps), reversed(before[:-1]), strict=True):
        weighed.append([chance * _led_on(sums, score, after) for chance, score in choices])
        after = {at: _leading(at, choices, after) for at in sums}
    agreed = after[(0,) * len(totals)]
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


def _sums_before(
    steps: Sequence[Sequence[tuple[float, Sums]]], count: int
) -> list[dict[Sums, float]]:
    """What the deals before each may come to and how likely that is, and at last all of them;
    `count` are the totals."""
    before: list[dict[Sums, float]] = [{(0,) * count: 1.0}]
    for choices in steps:
        longer: dict[Sums, float] = {}
        least = 1e-9 * max(before[-1].values())
        for had, share in before[-1].items():
            for chance, score in choices:
                if share * chance > least:
                    at = _together(had, score)
                    longer[at] = longer.get(at, 0.0) + share * chance
        if len(longer) > MOST_SUMS:
            likeliest = sorted(longer.items(), key=lambda item: -item[1])
            longer = dict(likeliest[:MOST_SUMS])
        before.append(longer)
    return before


def _led_on(sums: Mapping[Sums, float], score: Sums, after: Mapping[Sums, float]) -> float:
    return sum(share * after.get(_together(had, score), 0.0) for had, share in sums.items())


def _leading(at: Sums, choices: Sequence[tuple[float, Sums]], after: Mapping[Sums, float]) -> float:
    return sum(chance * after.get(_together(at, score), 0.0) for chance, score in choices)


def _together(had: Sums, score: Sums) -> Sums:
    return tuple(map(add, had, score))
