"""A list in columns: headings, and a line for each row that is never split."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final, TypeVar

from reportlab.lib.pagesizes import A4

from scoring.pdf.paper import INK, RULE, SHADE, SOFT, Align, Paper
from tournaments.pdf.page import FOOT_HEIGHT, HEADING_HEIGHT, MARGIN

T = TypeVar("T")

HEAD_ROW = 24.0
SHORT_SIDE: Final[float] = A4[0]
LONG_SIDE: Final[float] = A4[1]
BETWEEN = 6.0


@dataclass(frozen=True, slots=True)
class Column:
    """What stands above it and how wide it is, in points."""

    label: str
    width: float
    align: Align = "right"
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """Words in a column; `struck` are in brackets too, so that it shows on any printer. A `box` is
    to be ticked."""

    words: str
    struck: bool = False
    box: bool = False


Line = Sequence[Cell]


def width_between(*, wide: bool) -> float:
    """How wide a list may be on a page that lies on its side or stands upright."""
    return (LONG_SIDE if wide else SHORT_SIDE) - 2 * MARGIN


def room_below(*, wide: bool) -> float:
    """The height for rows between the headings of the columns and the foot of such a page."""
    height = SHORT_SIDE if wide else LONG_SIDE
    return height - 2 * 28 - HEADING_HEIGHT - FOOT_HEIGHT - HEAD_ROW


def in_chunks(rows: Sequence[T], most: int) -> list[Sequence[T]]:
    """The rows over as few pages as they need, about as many on each; one without rows for none."""
    size = ceil(len(rows) / max(1, ceil(len(rows) / most))) or 1
    return [rows[start : start + size] for start in range(0, len(rows), size)] or [[]]


def draw_ruled(
    paper: Paper, top: float, columns: Sequence[Column], lines: Sequence[Line], height: float
) -> None:
    """Draw the headings from `top` down, and under them the lines, each `height` high."""
    right = MARGIN + sum(column.width for column in columns)
    _draw_head(paper, top, columns, right)
    size = min(12.0, height * 0.56)
    for index, line in enumerate(lines):
        y = top - HEAD_ROW - (index + 1) * height
        x = MARGIN
        for column, cell in zip(columns, line, strict=True):
            _draw_cell(paper, (x, y + height / 2), column, cell, size)
            x += column.width
        paper.line(MARGIN, y, right, y, colour=RULE)


def _draw_head(paper: Paper, top: float, columns: Sequence[Column], right: float) -> None:
    paper.box(MARGIN, top - HEAD_ROW, right - MARGIN, HEAD_ROW, fill=SHADE)
    x = MARGIN
    for column in columns:
        at, room = _place(x, column), column.width - BETWEEN
        paper.text(
            at,
            top - HEAD_ROW + 8,
            column.label,
            size=9,
            align=column.align,
            width=room,
            smallest=5.5,
        )
        x += column.width


def _draw_cell(
    paper: Paper, place: tuple[float, float], column: Column, cell: Cell, size: float
) -> None:
    """Draw it in the column that begins at `place`, around that height."""
    x, middle = place
    if cell.box:
        side = size * 1.05
        paper.box(x + (column.width - side) / 2, middle - side / 2, side, side, thick=0.9)
        return
    at, room = _place(x, column), column.width - BETWEEN
    words = f"({cell.words})" if cell.struck else cell.words
    drawn = paper.text(
        at,
        middle - size * 0.36,
        words,
        size=size,
        bold=column.bold,
        align=column.align,
        width=room,
        smallest=5,
        colour=SOFT if cell.struck else INK,
    )
    if cell.struck:
        start = at - drawn if column.align == "right" else at
        paper.line(start, middle, start + drawn, middle, thick=0.8, colour=SOFT)


def _place(x: float, column: Column) -> float:
    """Where the words of a column begin, end or have their middle."""
    inside = {"left": BETWEEN / 2, "right": column.width - BETWEEN / 2, "centre": column.width / 2}
    return x + inside[column.align]
