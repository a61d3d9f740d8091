"""Where everything is on a score sheet that can be read from a photograph, in millimetres from the
top left of the page. The page is drawn with these numbers, and read with them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Any, Final, NamedTuple

from scoring.rules import SIDES, THREE

PAGE: Final = (210.0, 297.0)
LEFT: Final = 8.0
RIGHT: Final = 202.0
GRID_TOP: Final = 64.0
ROWS_TOP: Final = 74.0
ROWS_BOTTOM: Final = 226.0
LEAST_ROW: Final = 8.4
MOST_ROW: Final = 10.2

NUMBER: Final = 7.5
SLOT: Final = 6.0
TICK: Final = 5.2
DIGIT: Final = (6.6, 9.0)
"""How wide a box for one digit is, and how high at most; it is 8 mm high at least."""
GAP: Final = 1.0
TOTALS: Final = 12.5
"""How high the line of totals is."""

MARKER: Final = 11.0
MARKER_EDGE: Final = 7.0
MARKERS: Final = (
    (".#..", "#.#.", "##..", "##.#"),
    ("####", "....", ".##.", ".#.#"),
    ("##..", "##..", "##.#", "..#."),
    (".##.", ".##.", "#.##", "#..#"),
)
"""What is dark inside the black edge of the markers at the top left, top right, bottom right and
bottom left: the first four of the ArUco dictionary of 4 by 4 bits."""

CODE: Final = (165.0, 267.5, 22.0)
"""Where the QR code is that names the sheet, without its quiet zone, and how wide."""
CODE_MODULES: Final = 25

Box = tuple[float, float, float, float]
"""From the left, from the top, how wide, how high."""


class Form(NamedTuple):
    """What the places of boxes depend on: how many deals, whether there are three people, whether
    no-trump is played; whether it is a spare sheet, on which people write of which table it is; and
    whether it is the compact one, of which two go on a page."""

    deals: int
    three: bool = False
    no_trump: bool = False
    spare: bool = False
    compact: bool = False


class Size(NamedTuple):
    """How large things are: the column of numbers, a box to tick with its room, a box for a digit,
    the rows."""

    number: float
    slot: float
    tick: float
    digit: tuple[float, float]
    bottom: float
    least_row: float
    most_row: float


FULL: Final = Size(NUMBER, SLOT, TICK, DIGIT, ROWS_BOTTOM, LEAST_ROW, MOST_ROW)
COMPACT: Final = Size(10.5, 7.2, 6.4, (8.5, 11.0), 250.0, 10.6, 12.4)
"""Of the compact sheet, in millimetres of a page of A4: it is printed, and read, as one of A5. It
has no dealers and nowhere to add up, so that boxes are hardly smaller than those of the other."""
NARROW: Final = COMPACT._replace(number=10.0, slot=6.7, tick=5.9)
"""Of the compact sheet for three people who may play no-trump: two boxes more to tick."""


@dataclass(frozen=True, slots=True)
class Row:
    """The boxes of one deal. `line` is the whole of it; `running` are the cells in which people add
    up and that nobody reads."""

    deal: int
    line: Box
    dealer: Box
    declarer: Mapping[str, Box]
    trump: Mapping[str, Box]
    points: Mapping[str, tuple[Box, ...]]
    roem: Mapping[str, tuple[Box, ...]]
    nat: Box
    pit: Box
    other: Box
    running: tuple[Box, ...]

    def as_json(self) -> dict[str, Any]:
        figures = {
            f"{what}_{side.lower()}": [_rounded(box) for box in boxes[side]]
            for side in SIDES
            for what, boxes in (("points", self.points), ("roem", self.roem))
        }
        return {
            "deal": self.deal,
            "declarer": {who: _rounded(box) for who, box in self.declarer.items()},
            "trump": {suit: _rounded(box) for suit, box in self.trump.items()},
            **figures,
            **{mark: _rounded(getattr(self, mark)) for mark in ("nat", "pit", "other")},
        }


@dataclass(frozen=True, slots=True)
class Layout:
    """One page of a sheet; of a longer sheet there are several, and totals count on the last."""

    form: Form
    page: int
    rows: tuple[Row, ...]
    totals: Mapping[str, tuple[Box, ...]]
    totals_line: Box
    named: Mapping[str, tuple[Box, ...]]
    """On a spare sheet, the boxes for the number of the table and that of the round."""

    @property
    def marker_boxes(self) -> list[Box]:
        """The markers, clockwise from the top left."""
        (width, height), edge = PAGE, MARKER_EDGE
        right, bottom = width - edge - MARKER, height - edge - MARKER
        corners = [(edge, edge), (right, edge), (right, bottom), (edge, bottom)]
        return [(x, y, MARKER, MARKER) for x, y in corners]


def size_of(form: Form) -> Size:
    """The measures of this sheet."""
    if not form.compact:
        return FULL
    return NARROW if form.three and form.no_trump else COMPACT


@lru_cache(maxsize=64)
def layouts_of(form: Form) -> tuple[Layout, ...]:
    """The pages of a sheet, with about as many deals on each. Kept: a club has a few forms."""
    size = size_of(form)
    pages = max(1, ceil(form.deals / int((size.bottom - ROWS_TOP) / size.least_row)))
    most = ceil(form.deals / pages)
    starts = range(0, form.deals, most)
    return tuple(
        _page(form, number, range(start + 1, min(start + most, form.deals) + 1))
        for number, start in enumerate(starts, start=1)
    )


def layout_json(form: Form) -> dict[str, Any]:
    """What `manage.py sheet_layout` prints. Of a sheet of several pages each deal, and the totals,
    say on which page they are."""
    pages = layouts_of(form)
    paged = len(pages) > 1
    deals = [
        row.as_json() | ({"page": page.page} if paged else {})
        for page in pages
        for row in page.rows
    ]
    totals = {
        who.lower(): [_rounded(box) for box in boxes] for who, boxes in pages[-1].totals.items()
    }
    return {
        "page": {"width": PAGE[0], "height": PAGE[1]},
        "deals": deals,
        "totals": totals | ({"page": pages[-1].page} if paged else {}),
    }


def _page(form: Form, number: int, deals: range) -> Layout:
    size = size_of(form)
    height = min(size.most_row, (size.bottom - ROWS_TOP) / len(deals))
    rows = tuple(
        _row(form, deal, ROWS_TOP + index * height, height) for index, deal in enumerate(deals)
    )
    bottom = ROWS_TOP + len(deals) * height
    line = (LEFT, bottom, RIGHT - LEFT, TOTALS)
    named = dict(_named(form)) if form.spare else {}
    return Layout(form, number, rows, dict(_totals(form, rows[0], bottom)), line, named)


def _named(form: Form) -> Iterator[tuple[str, tuple[Box, ...]]]:
    """Two boxes for the number of the table and two for that of the round, at the top right."""
    size = size_of(form)
    table, round_ = (115.0, 166.0) if form.compact else (124.0, 164.0)
    for name, left in (("table", table), ("round", round_)):
        yield name, _digits(size, left, 18.0, size.digit[1], 2)


def _row(form: Form, deal: int, top: float, height: float) -> Row:
    size = size_of(form)
    x = LEFT + size.number
    people = 0.0 if form.compact else 11.5 if form.three else 14.5
    dealer = (x, top, people, height)
    x += people + GAP / 2
    declarer = dict(_ticks(size, THREE if form.three else SIDES, x, top, height))
    x += len(declarer) * size.slot + GAP
    suits = ("C", "D", "H", "S", *(["NT"] if form.no_trump else []))
    trump = dict(_ticks(size, suits, x, top, height))
    x += len(trump) * size.slot + GAP
    marks = RIGHT - 3 * size.slot - (1.8 if form.compact else 2.0)
    boxes = 6 * size.digit[0] + GAP
    room = 0.0 if form.compact else marks - x - 2 * boxes - 4 * GAP
    points: dict[str, tuple[Box, ...]] = {}
    roem: dict[str, tuple[Box, ...]] = {}
    running: list[Box] = []
    for side in SIDES:
        points[side] = _digits(size, x, top, height)
        roem[side] = _digits(size, x + 3 * size.digit[0] + GAP, top, height)
        x += boxes + GAP
        if room and not form.three:
            running.append((x, top, room / 2, height))
            x += room / 2 + GAP
    if room and form.three:
        running = [(x + n * room / 3, top, room / 3, height) for n in range(3)]
    nat, pit = (mark for _name, mark in _ticks(size, ("nat", "pit"), marks, top, height))
    last = marks + 2 * size.slot + (1.2 if form.compact else 1.0)
    ((_name, other),) = _ticks(size, ("other",), last, top, height)
    line = (LEFT, top, RIGHT - LEFT, height)
    return Row(deal, line, dealer, declarer, trump, points, roem, nat, pit, other, tuple(running))


def _ticks(
    size: Size, names: tuple[str, ...], left: float, top: float, height: float
) -> Iterator[tuple[str, Box]]:
    tick = size.tick
    for place, name in enumerate(names):
        x = left + place * size.slot + (size.slot - tick) / 2
        yield name, (x, top + (height - tick) / 2, tick, tick)


def _digits(size: Size, left: float, top: float, height: float, count: int = 3) -> tuple[Box, ...]:
    wide = size.digit[0]
    high = min(size.digit[1], height - 0.4)
    y = top + (height - high) / 2
    return tuple((left + place * wide, y, wide, high) for place in range(count))


def _totals(form: Form, row: Row, top: float) -> Iterator[tuple[str, tuple[Box, ...]]]:
    """Four boxes for each side, ending under its roem; or for each of three people."""
    size = size_of(form)
    if not form.three:
        for side in SIDES:
            left = row.roem[side][-1][0] - 3 * size.digit[0]
            yield side, _digits(size, left, top, TOTALS, 4)
        return
    boxes = 4 * size.digit[0]
    # The compact sheet has no column of dealers, so that there is room for names further left.
    start, apart = (59.0, 20.0) if form.compact else (row.points[SIDES[0]][0][0] + 8.0, 11.0)
    for place, seat in enumerate(THREE):
        yield seat, _digits(size, start + place * (boxes + apart), top, TOTALS, 4)


def _rounded(box: Box) -> list[float]:
    return [round(value, 2) for value in box]
