"""From a page laid straight to the deals that stand on it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Any, Final

import numpy as np

from scoring.reading.digits import SCALE, Ink, Picture, pen_of, read_boxes
from scoring.reading.layout import Box, Layout, Row
from scoring.reading.lines import Boxes, Chances, SheetRead, read_deal
from scoring.reading.picture import Found
from scoring.reading.totals import read_sheet
from scoring.rules import SIDES, RuleSet, Side

INSET: Final = 0.15
"""Millimetres inside the middle of its line that a box for a digit begins."""
TICK_INSET: Final = 0.45
TICKED: Final = 0.75
"""Square millimetres of ink at which it is a toss-up whether a box is ticked."""
MOST_PRINTED: Final = 1.05
"""Square millimetres of ink that what is printed in a box to tick may seem to have."""
BLOTTED: Final = 15.0
"""Square millimetres of ink in a box to tick that was filled to take the tick back."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen on a page before the rules have their say: of each box for a digit the
    probability of each sign, of each box to tick how much ink there is more than is printed, in
    square millimetres."""

    figures: Mapping[Box, Any]
    ticks: Mapping[Box, float]


def read_page(found: Found, layout: Layout, regulation: RuleSet) -> SheetRead:
    """What stands on a page of a sheet with this layout, under these rules."""
    return read_seen(see_page(found, layout), layout, regulation)


def see_page(found: Found, layout: Layout) -> Seen:
    """What stands in each box of a page."""
    figures = list(_figure_boxes(layout))
    parts = [found.part(box, INSET) for box in figures]
    pen = pen_of(np.concatenate([part.ravel() for part in parts]))
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
    return read_sheet(deals, totals, three=layout.form.three, is_whole=is_whole)


def _figure_boxes(layout: Layout) -> Iterable[Box]:
    for row in layout.rows:
        for boxes in (*row.points.values(), *row.roem.values()):
            yield from boxes
    for boxes in layout.totals.values():
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
