"""The grid of a score sheet: a line for each deal, empty or filled in, and the totals."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from django.utils.translation import gettext as _

from clubs.text.numbers import number, suit_name
from scoring.display.sheet_view import SheetCell, SheetRow, SheetView
from scoring.display.words import side_words
from scoring.pdf.head import LEFT, RIGHT
from scoring.pdf.paper import (
    BOLD,
    INK,
    RED,
    REGULAR,
    RULE,
    SHADE,
    SOFT,
    Colour,
    Paper,
    width_of,
    wrap,
)
from scoring.rules import SIDES

HEAD_HEIGHT = 32.0
TOTAL_HEIGHT = 26.0
SMALLEST_ROW, LARGEST_ROW = 16.0, 26.0

SHARED_WIDTHS = (26.0, 62.0, 62.0, 33.0)
SIDE_WIDTHS = (66.0, 44.0, 56.0)
SIDE_WIDTHS_OF_THREE = (62.0, 36.0)
PERSON_WIDTH = 45.3
NAME_ROOM = SHARED_WIDTHS[1] - 6
SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}

Figures = Sequence[int | None]


@dataclass(frozen=True, slots=True)
class Block:
    """Columns under one heading, from `start`: what each is called and how wide it is. The last
    `totals` of them are for running totals, which are bold."""

    label: str
    start: float
    columns: tuple[tuple[str, float], ...]
    totals: int

    @property
    def widths(self) -> list[float]:
        return [width for _label, width in self.columns]

    @property
    def edges(self) -> list[float]:
        """Where each column ends, from left to right."""
        return list(accumulate(self.widths, initial=self.start))[1:]


def blocks_of(view: SheetView) -> list[Block]:
    """The columns after the shared ones: points, roem and total of each side; at a table of three
    points and roem of the declarer and of the others, and a total for each person."""
    start, sides = LEFT + sum(SHARED_WIDTHS), side_words(view.sheet)
    blocks: list[Block] = []
    for side in SIDES:
        widths = SIDE_WIDTHS_OF_THREE if view.people else SIDE_WIDTHS
        columns = tuple(zip((_("points"), _("roem"), _("total")), widths, strict=False))
        blocks.append(Block(str(sides[side]), start, columns, totals=len(columns) - 2))
        start = blocks[-1].edges[-1]
    if view.people:
        columns = tuple((name, PERSON_WIDTH) for name in view.people)
        blocks.append(Block(_("total"), start, columns, totals=len(columns)))
    return blocks


def draw_grid(
    paper: Paper, top: float, rows: Sequence[SheetRow], row_height: float, blocks: Sequence[Block]
) -> float:
    """Draw the headings and a line for each of `rows`; returns where the totals go."""
    bottom = top - HEAD_HEIGHT - len(rows) * row_height
    dealers = 4 if len(blocks) == len(SIDES) else 3
    _draw_head(paper, top, blocks)
    for index, row in enumerate(rows):
        y = top - HEAD_HEIGHT - (index + 1) * row_height
        _draw_row(paper, y, row, row_height, blocks)
        last_dealer = row.number % dealers == 0
        paper.line(
            LEFT, y, RIGHT, y, thick=1 if last_dealer else 0.5, colour=INK if last_dealer else RULE
        )
    _draw_columns(paper, top, bottom, blocks)
    return bottom


def draw_totals(
    paper: Paper, top: float, label: str, totals: Sequence[Figures], blocks: Sequence[Block]
) -> None:
    """The line under the deals, with the totals of each block; empty, to be written, where there
    are none."""
    bottom = top - TOTAL_HEIGHT
    paper.box(LEFT, bottom, RIGHT - LEFT, TOTAL_HEIGHT, fill=SHADE)
    _draw_columns(paper, top, bottom, blocks, shared=False)
    paper.line(LEFT, bottom, RIGHT, bottom, thick=1.6)
    paper.line(LEFT, top, RIGHT, top, thick=1.6)
    paper.text(LEFT + 8, bottom + 8, label, size=13, bold=True)
    for block, figures in zip(blocks, totals, strict=False):
        _draw_figures(paper, block, bottom + 8, figures, 13)


def _draw_head(paper: Paper, top: float, blocks: Sequence[Block]) -> None:
    bottom = top - HEAD_HEIGHT
    paper.box(LEFT, bottom, RIGHT - LEFT, HEAD_HEIGHT, fill=SHADE)
    x = LEFT
    labels = (_("deal"), _("dealer"), _("plays"), _("trump"))
    for label, width in zip(labels, SHARED_WIDTHS, strict=True):
        paper.text(x + width / 2, bottom + 5, label, size=9, align="centre", width=width - 4)
        x += width
    for block in blocks:
        middle = block.start + sum(block.widths) / 2
        paper.text(middle, bottom + 18, block.label, size=11, bold=True, align="centre")
        for (label, width), edge in zip(block.columns, block.edges, strict=True):
            x = edge - width / 2
            paper.text(x, bottom + 5, label, size=9, align="centre", width=width - 4)
    paper.line(LEFT, top, RIGHT, top, thick=1.6)
    paper.line(LEFT, bottom, RIGHT, bottom, thick=1.6)


def _draw_columns(
    paper: Paper, top: float, bottom: float, blocks: Sequence[Block], *, shared: bool = True
) -> None:
    """The upright lines: thick around a block, thin inside it."""
    edges = [LEFT, *(block.start for block in blocks), RIGHT]
    for x in edges:
        paper.line(x, top, x, bottom, thick=1.6)
    for x in (LEFT + sum(SHARED_WIDTHS[:n]) for n in (1, 2, 3) if shared):
        paper.line(x, top, x, bottom, colour=RULE)
    under_heading = top - (HEAD_HEIGHT / 2 if shared else 0)
    for x in (edge for block in blocks for edge in block.edges[:-1]):
        paper.line(x, under_heading, x, bottom, colour=RULE)


def _draw_row(
    paper: Paper, y: float, row: SheetRow, height: float, blocks: Sequence[Block]
) -> None:
    foot = y + height / 2 - 3.8
    number_x, dealer_x, declarer_x, trump_x = (
        LEFT + sum(SHARED_WIDTHS[:n]) for n in range(len(SHARED_WIDTHS))
    )
    paper.text(number_x + 20, foot, str(row.number), size=11, bold=True, align="right")
    _draw_name(paper, dealer_x + 4, foot, row.dealer, SOFT)
    counts = row.ns.running is not None or any(total is not None for total in row.people)
    lift = 3 if row.note and counts else 0
    _draw_name(paper, declarer_x + 4, foot + lift, row.declarer, INK)
    _draw_trump(paper, trump_x + SHARED_WIDTHS[3] / 2, foot, row.trump)
    for side, block in zip(SIDES, blocks, strict=False):
        _draw_cell(paper, block, foot, row.cell(side))
    for block in blocks[len(SIDES) :]:
        _draw_figures(paper, block, foot, row.people, 11)
    if lift:
        paper.text(declarer_x + 4, y + 3, row.note, size=6.5, width=NAME_ROOM, colour=SOFT)
    elif row.note:
        paper.text(blocks[0].start + 6, foot, row.note, size=9, width=200, colour=SOFT)


def _draw_name(paper: Paper, x: float, foot: float, name: str, colour: Colour) -> None:
    """A name on one line, or small on two."""
    if width_of(name, REGULAR, 8) <= NAME_ROOM:
        paper.text(x, foot, name, size=9, width=NAME_ROOM, smallest=8, colour=colour)
        return
    first, *rest = wrap(name, REGULAR, 6.6, NAME_ROOM)
    for words, lift in ((first, 4.4), (" ".join(rest), -2.4)):
        paper.text(x, foot + lift, words, size=6.6, width=NAME_ROOM, smallest=6, colour=colour)


def _draw_trump(paper: Paper, x: float, y: float, trump: str) -> None:
    if trump in SUITS:
        colour = RED if trump in "DH" else INK
        paper.text(x, y - 1, SUITS[trump], size=15, align="centre", colour=colour)
    elif trump:
        paper.text(x, y + 1, suit_name(trump), size=8, align="centre", width=32, smallest=5)


def _draw_cell(paper: Paper, block: Block, foot: float, cell: SheetCell) -> None:
    if cell.nat:
        paper.text(block.edges[0] - 6, foot, cell.mark, size=11, bold=True, align="right")
    elif cell.mark:
        _draw_mark(paper, block, foot, cell)
    _draw_figures(paper, block, foot, (cell.points, cell.roem or None, cell.running), 11)


def _draw_mark(paper: Paper, block: Block, foot: float, cell: SheetCell) -> None:
    """A word before the points, small; a longer one on two lines."""
    x = block.start + 4
    room = block.widths[0] - (33 if cell.points is not None else 8)
    lines = wrap(cell.mark, BOLD, 6, room)[:2]
    for index, words in enumerate(lines):
        lift = 1.5 + (len(lines) - 1) * 3.5 - index * 7
        paper.text(x, foot + lift, words, size=7, bold=True, width=room, smallest=5)


def _draw_figures(paper: Paper, block: Block, foot: float, figures: Figures, size: float) -> None:
    """The figures of a block, each to the right of its column; totals are bold."""
    first_total = len(block.columns) - block.totals
    columns = zip(figures, block.widths, block.edges, strict=False)
    for index, (figure, width, edge) in enumerate(columns):
        if figure is not None:
            paper.text(
                edge - 6,
                foot,
                number(figure),
                size=size,
                bold=index >= first_total,
                align="right",
                width=width - 8,
            )
