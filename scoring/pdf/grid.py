"""The ruled lines of a score sheet: a line for each deal, empty or filled in, and the totals."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from clubs.words import SIDE_NAMES, number, suit_name
from scoring.pdf.layout import LEFT, RIGHT
from scoring.pdf.paper import INK, RED, RULE, SHADE, SOFT, Colour, Paper
from scoring.pdf.typeface import BOLD, REGULAR, width_of, wrap
from scoring.rules import SIDES
from scoring.sheet_view import Cell, Row, SideTotals

HEAD_HEIGHT = 32.0
TOTAL_HEIGHT = 26.0
SMALLEST_ROW, LARGEST_ROW = 16.0, 26.0

SHARED_WIDTHS = (26.0, 62.0, 62.0, 33.0)
SIDE_WIDTHS = (66.0, 44.0, 56.0)
NAME_ROOM = SHARED_WIDTHS[1] - 6
SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}

SIDE_STARTS = (LEFT + sum(SHARED_WIDTHS), LEFT + sum(SHARED_WIDTHS) + sum(SIDE_WIDTHS))


def draw_grid(paper: Paper, top: float, rows: Sequence[Row], row_height: float) -> float:
    """Draw the headings and a line for each of `rows`; returns where the totals go."""
    bottom = top - HEAD_HEIGHT - len(rows) * row_height
    _draw_head(paper, top)
    for index, row in enumerate(rows):
        y = top - HEAD_HEIGHT - (index + 1) * row_height
        _draw_row(paper, y, row, row_height)
        last_dealer = row.number % 4 == 0
        paper.line(
            LEFT, y, RIGHT, y, thick=1 if last_dealer else 0.5, colour=INK if last_dealer else RULE
        )
    _draw_columns(paper, top, bottom)
    return bottom


def draw_totals(
    paper: Paper, top: float, label: str, totals: Mapping[str, SideTotals] | None
) -> None:
    """The line under the deals; empty, to be written, where there are no totals."""
    bottom = top - TOTAL_HEIGHT
    paper.box(LEFT, bottom, RIGHT - LEFT, TOTAL_HEIGHT, fill=SHADE)
    _draw_columns(paper, top, bottom, shared=False)
    paper.line(LEFT, bottom, RIGHT, bottom, thick=1.6)
    paper.line(LEFT, top, RIGHT, top, thick=1.6)
    paper.text(LEFT + 8, bottom + 8, label, size=13, bold=True)
    for side, start in zip(SIDES, SIDE_STARTS, strict=True):
        if totals:
            total = totals[side.lower()]
            _draw_figures(paper, start, bottom + 8, (total.points, total.roem, total.total), 13)


def _draw_head(paper: Paper, top: float) -> None:
    bottom = top - HEAD_HEIGHT
    paper.box(LEFT, bottom, RIGHT - LEFT, HEAD_HEIGHT, fill=SHADE)
    x = LEFT
    labels = (_("deal"), _("dealer"), _("plays"), _("trump"))
    for label, width in zip(labels, SHARED_WIDTHS, strict=True):
        paper.text(x + width / 2, bottom + 5, label, size=9, align="centre", width=width - 4)
        x += width
    for side, start in zip(SIDES, SIDE_STARTS, strict=True):
        middle = start + sum(SIDE_WIDTHS) / 2
        paper.text(middle, bottom + 18, str(SIDE_NAMES[side]), size=11, bold=True, align="centre")
        x = start
        for label, width in zip((_("points"), _("roem"), _("total")), SIDE_WIDTHS, strict=True):
            paper.text(x + width / 2, bottom + 5, label, size=9, align="centre", width=width - 4)
            x += width
    paper.line(LEFT, top, RIGHT, top, thick=1.6)
    paper.line(LEFT, bottom, RIGHT, bottom, thick=1.6)


def _draw_columns(paper: Paper, top: float, bottom: float, *, shared: bool = True) -> None:
    """The upright lines: thick around a side, thin inside it."""
    edges = [LEFT, *SIDE_STARTS, RIGHT]
    for x in edges:
        paper.line(x, top, x, bottom, thick=1.6)
    inner = [LEFT + sum(SHARED_WIDTHS[:n]) for n in (1, 2, 3)] if shared else []
    inner += [start + sum(SIDE_WIDTHS[:n]) for start in SIDE_STARTS for n in (1, 2)]
    for x in inner:
        paper.line(x, top, x, bottom, colour=RULE)


def _draw_row(paper: Paper, y: float, row: Row, height: float) -> None:
    foot = y + height / 2 - 3.8
    number_x, dealer_x, declarer_x, trump_x = (
        LEFT + sum(SHARED_WIDTHS[:n]) for n in range(len(SHARED_WIDTHS))
    )
    paper.text(number_x + 20, foot, str(row.number), size=11, bold=True, align="right")
    _draw_name(paper, dealer_x + 4, foot, row.dealer, SOFT)
    lift = 3 if row.note and row.ns.running is not None else 0
    _draw_name(paper, declarer_x + 4, foot + lift, row.declarer, INK)
    _draw_trump(paper, trump_x + SHARED_WIDTHS[3] / 2, foot, row.trump)
    for side, start in zip(SIDES, SIDE_STARTS, strict=True):
        _draw_cell(paper, start, foot, row.cell(side))
    if lift:
        paper.text(declarer_x + 4, y + 3, row.note, size=6.5, width=NAME_ROOM, colour=SOFT)
    elif row.note:
        paper.text(SIDE_STARTS[0] + 6, foot, row.note, size=9, width=200, colour=SOFT)


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


def _draw_cell(paper: Paper, start: float, foot: float, cell: Cell) -> None:
    edge = start + SIDE_WIDTHS[0]
    if cell.nat:
        paper.text(edge - 6, foot, cell.mark, size=11, bold=True, align="right")
    elif cell.mark:
        _draw_mark(paper, start + 4, foot, cell)
    _draw_figures(paper, start, foot, (cell.points, cell.roem or None, cell.running), 11)


def _draw_mark(paper: Paper, x: float, foot: float, cell: Cell) -> None:
    """A word before the points, small; a longer one on two lines."""
    room = SIDE_WIDTHS[0] - (33 if cell.points is not None else 8)
    lines = wrap(cell.mark, BOLD, 6, room)[:2]
    for index, words in enumerate(lines):
        lift = 1.5 + (len(lines) - 1) * 3.5 - index * 7
        paper.text(x, foot + lift, words, size=7, bold=True, width=room, smallest=5)


def _draw_figures(
    paper: Paper, start: float, foot: float, figures: Sequence[int | None], size: float
) -> None:
    """Points, roem and total of a side, each to the right of its column; the total is bold."""
    edge = start
    for index, (figure, width) in enumerate(zip(figures, SIDE_WIDTHS, strict=True)):
        edge += width
        if figure is not None:
            paper.text(
                edge - 6,
                foot,
                number(figure),
                size=size,
                bold=index == 2,
                align="right",
                width=width - 8,
            )
