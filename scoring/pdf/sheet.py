"""Score sheets as PDF, in the form clubs know, empty or filled in; and their grid: a line for each
deal, and the totals."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import ceil
from typing import TypeVar

from django.utils.translation import gettext as _

from clubs.text.numbers import number, suit_name
from scoring.display.sheet_view import SheetCell, SheetRow, SheetView, SideTotals
from scoring.display.words import side_words
from scoring.models import Scoresheet
from scoring.pdf.foot import (
    draw_foot,
    draw_lines,
    foot_height,
    foot_lines,
    lines_of,
    remarks,
)
from scoring.pdf.head import ON_A4, ON_A5, Form, Heading, draw_heading
from scoring.pdf.paper import (
    BOLD,
    FELT,
    INK,
    RED,
    REGULAR,
    RULE,
    SHADE,
    SMALLEST,
    SOFT,
    WOOD,
    Colour,
    Paper,
    width_of,
    wrap,
)
from scoring.rules import SEATS, SIDES, THREE, Seat

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


def blocks_of(view: SheetView, form: Form) -> list[Block]:
    """The columns after the shared ones: points, roem and total of each side; at a table of three
    points and roem of the declarer and of the others, and a total for each person."""
    start, sides = form.grid, side_words(view.sheet)
    blocks: list[Block] = []
    for side in SIDES:
        widths = form.three_widths if view.people else form.side_widths
        columns = tuple(zip((_("points"), _("roem"), _("total")), widths, strict=False))
        blocks.append(Block(str(sides[side]), start, columns, totals=len(columns) - 2))
        start = blocks[-1].edges[-1]
    if view.people:
        width = (form.right - start) / len(view.people)
        columns = tuple((name, width) for name in view.people)
        blocks.append(Block(_("total"), start, columns, totals=len(columns)))
    return blocks


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid of these columns, to be drawn on a page."""

    paper: Paper
    form: Form
    blocks: Sequence[Block]
    asks_bid: bool = False

    def draw(self, top: float, rows: Sequence[SheetRow], row_height: float) -> float:
        """Draw the headings and a line for each of `rows`; returns where the totals go."""
        paper, form = self.paper, self.form
        bottom = top - form.head_height - len(rows) * row_height
        dealers = 4 if len(self.blocks) == len(SIDES) else 3
        self._draw_head(top)
        for index, row in enumerate(rows):
            y = top - form.head_height - (index + 1) * row_height
            self._draw_row(y, row, row_height)
            last = row.number % dealers == 0
            colour, thick = (INK, 1) if last else (RULE, 0.5)
            paper.line(form.left, y, form.right, y, thick=thick, colour=colour)
        self._draw_columns(top, bottom)
        return bottom

    def draw_totals(self, top: float, label: str, totals: Sequence[Figures]) -> None:
        """The line under the deals, with the totals of each block; empty, to be written, where
        there are none."""
        paper, form = self.paper, self.form
        bottom = top - form.total_height
        paper.box(form.left, bottom, form.width, form.total_height, fill=SHADE)
        self._draw_columns(top, bottom, shared=False)
        paper.line(form.left, bottom, form.right, bottom, thick=1.6)
        paper.line(form.left, top, form.right, top, thick=1.6)
        foot = bottom + form.total_height / 2 - form.total * 0.36
        paper.text(form.left + 6, foot, label, size=form.total, bold=True)
        for block, figures in zip(self.blocks, totals, strict=False):
            self._draw_figures(block, foot, figures, form.total)

    def _draw_head(self, top: float) -> None:
        paper, form = self.paper, self.form
        bottom = top - form.head_height
        paper.box(form.left, bottom, form.width, form.head_height, fill=SHADE)
        x, foot = form.left, bottom + form.head_height * 0.15
        plays = _("plays, bid") if self.asks_bid else _("plays")
        labels = (_("deal"), _("dealer"), plays, _("trump"))
        size = form.small
        for label, width in zip(labels, form.shared_widths, strict=True):
            paper.text(x + width / 2, foot, label, size=size, align="centre", width=width - 2)
            x += width
        colours = (FELT, WOOD) if len(self.blocks) == len(SIDES) else (INK, INK, INK)
        for block, colour in zip(self.blocks, colours, strict=True):
            middle = block.start + sum(block.widths) / 2
            high, large = bottom + form.head_height * 0.57, form.text + 1
            paper.text(
                middle, high, block.label, size=large, bold=True, align="centre", colour=colour
            )
            for (label, width), edge in zip(block.columns, block.edges, strict=True):
                x = edge - width / 2
                paper.text(x, foot, label, size=size, align="centre", width=width - 2)
        paper.line(form.left, top, form.right, top, thick=1.6)
        paper.line(form.left, bottom, form.right, bottom, thick=1.6)

    def _draw_columns(self, top: float, bottom: float, *, shared: bool = True) -> None:
        """The upright lines: thick around a block, thin inside it."""
        paper, form = self.paper, self.form
        for x in [form.left, *(block.start for block in self.blocks), form.right]:
            paper.line(x, top, x, bottom, thick=1.6)
        for n in (1, 2, 3) if shared else ():
            x = form.left + sum(form.shared_widths[:n])
            paper.line(x, top, x, bottom, colour=RULE)
        under_heading = top - (form.head_height / 2 if shared else 0)
        for x in (edge for block in self.blocks for edge in block.edges[:-1]):
            paper.line(x, under_heading, x, bottom, colour=RULE)

    def _draw_row(self, y: float, row: SheetRow, height: float) -> None:
        paper, form = self.paper, self.form
        size = form.figure
        foot = y + height / 2 - size * 0.36
        dealer_x, declarer_x, trump_x = (
            form.left + sum(form.shared_widths[:n]) for n in range(1, len(form.shared_widths))
        )
        paper.text(dealer_x - 5, foot, str(row.number), size=size, bold=True, align="right")
        counts = row.ns.running is not None or any(total is not None for total in row.people)
        beneath = row.note if counts else ""
        middle = y + height / 2
        self._draw_name(dealer_x, middle, form.shared_widths[1], row.dealer, colour=SOFT)
        self._draw_name(declarer_x, middle, form.shared_widths[2], row.declarer, beneath=beneath)
        self._draw_trump(trump_x, form.shared_widths[3], foot, row.trump)
        for side, block in zip(SIDES, self.blocks, strict=False):
            self._draw_cell(block, foot, row.cell(side))
        for block in self.blocks[len(SIDES) :]:
            self._draw_figures(block, foot, row.people, size)
        if row.note and not counts:
            x = form.grid + 6
            paper.text(x, foot, row.note, size=form.small, width=form.width / 3, colour=SOFT)

    def _draw_name(
        self,
        x: float,
        middle: float,
        width: float,
        name: str,
        *,
        colour: Colour = INK,
        beneath: str = "",
    ) -> None:
        """A name on one line, or on two; or on one with a word `beneath` it."""
        room, size = width - 6, self.form.small
        lines = [name, beneath] if beneath else [name]
        if not beneath and width_of(name, REGULAR, SMALLEST) > room:
            first, *rest = wrap(name, REGULAR, SMALLEST, room)
            lines = [first, " ".join(rest)] if rest else [first]
        if len(lines) > 1:
            size = SMALLEST
        for index, words in enumerate(lines):
            lift = (len(lines) - 1) * 4.2 - index * 8.4
            foot = middle - size * 0.34 + lift
            self.paper.text(x + 3, foot, words, size=size, width=room, colour=colour)

    def _draw_trump(self, x: float, width: float, foot: float, trump: str) -> None:
        middle = x + width / 2
        if trump in SUITS:
            colour = RED if trump in "DH" else INK
            size = self.form.figure + 4
            self.paper.text(
                middle, foot - 1, SUITS[trump], size=size, align="centre", colour=colour
            )
        elif trump:
            words = suit_name(trump)
            self.paper.text(middle, foot, words, size=SMALLEST, align="centre", width=width - 2)

    def _draw_cell(self, block: Block, foot: float, cell: SheetCell) -> None:
        size = self.form.figure
        if cell.nat:
            x = block.edges[0] - 6
            self.paper.text(x, foot, cell.mark, size=size, bold=True, align="right")
        elif cell.mark:
            self._draw_mark(block, foot, cell)
        self._draw_figures(block, foot, (cell.points, cell.roem or None, cell.running), size)

    def _draw_mark(self, block: Block, foot: float, cell: SheetCell) -> None:
        """A word before the points, on two lines where it has to be; where it has no room even so
        its first word, since what happened stands in full under the sheet."""
        taken = 0.0 if cell.points is None else width_of(str(cell.points), REGULAR, 11) + 4
        room = block.widths[0] - taken - 6
        lines = wrap(cell.mark, BOLD, SMALLEST, room)
        if any(width_of(words, BOLD, SMALLEST) * 0.8 > room for words in lines):
            lines = lines[:1]
        for index, words in enumerate(lines[:2]):
            lift = (min(len(lines), 2) - 1) * 4.2 - index * 8.4
            x = block.start + 3
            self.paper.text(x, foot + 1 + lift, words, size=SMALLEST, bold=True, width=room)

    def _draw_figures(self, block: Block, foot: float, figures: Figures, size: float) -> None:
        """The figures of a block, each to the right of its column; totals are bold."""
        first_total = len(block.columns) - block.totals
        columns = zip(figures, block.widths, block.edges, strict=False)
        for index, (figure, width, edge) in enumerate(columns):
            if figure is not None:
                self.paper.text(
                    edge - 5,
                    foot,
                    number(figure),
                    size=size,
                    bold=index >= first_total,
                    align="right",
                    width=width - 6,
                )


T = TypeVar("T")

GAP = 4.0
"""Between the heading and the deals."""


@dataclass(frozen=True, slots=True)
class PaperSheet:
    """One score sheet to print; `filled` prints what was written on it, `plays_off` leaves room for
    four more deals after a match that ends equal."""

    view: SheetView
    heading: Heading
    filled: bool = False
    plays_off: bool = False


def sheets_pdf(
    sheets: Iterable[PaperSheet], *, title: str, author: str, halved: bool = False
) -> bytes:
    """A PDF of A4 pages, each sheet starting on a page of its own, or `halved` of A5, two on a
    page.

    A sheet with more deals than fit continues overleaf under the same headings, and no line is
    ever split. Remarks on a filled sheet follow its deals, on the same page if they fit.
    """
    paper, form = Paper(title, author=author, halved=halved), ON_A5 if halved else ON_A4
    for sheet in sheets:
        _SheetLayout(sheet, form).draw(paper)
    return paper.finish()


class _SheetLayout:
    """How one sheet is spread over pages."""

    def __init__(self, sheet: PaperSheet, form: Form) -> None:
        self.view, self.heading, self.filled = sheet.view, sheet.heading, sheet.filled
        self.form, self.plays_off = form, sheet.plays_off
        rows = _filled_rows(self.view) if self.filled else _blank_rows(self.view)
        self.blocks = blocks_of(self.view, form)
        self.foot = foot_lines(self.view, form, filled=self.filled, plays_off=self.plays_off)
        self.remarks = lines_of(remarks(self.view), form) if self.filled else []
        self.chunks = _even_chunks(rows, int(self._room(0) // form.smallest_row))
        self.overleaf: list[Sequence[str]] = []
        if self._room(len(self.remarks)) < len(self.chunks[-1]) * form.smallest_row:
            self.overleaf = _chunks(self.remarks, self._remarks_per_page())
            self.remarks = []

    def draw(self, paper: Paper) -> None:
        pages, form = len(self.chunks) + len(self.overleaf), self.form
        for page, rows in enumerate(self.chunks, start=1):
            top = self._draw_heading(paper, page, pages)
            self._draw_rows(paper, top, rows)
            paper.next_page()
        for page, lines in enumerate(self.overleaf, start=len(self.chunks) + 1):
            top = self._draw_heading(paper, page, pages)
            words = _("What happened at this table")
            paper.text(form.left, top - 20, words, size=form.text + 2, bold=True)
            draw_lines(paper, form, top - 28, lines)
            paper.next_page()

    def _draw_heading(self, paper: Paper, number: int, pages: int) -> float:
        part = _("page %(n)s of %(total)s") % {"n": number, "total": pages} if pages > 1 else ""
        heading, sheet = self.heading, self.view.sheet
        names = self._names()
        return draw_heading(paper, self.form, heading, sheet, names=names, part=part) - GAP

    def _draw_rows(self, paper: Paper, top: float, rows: Sequence[SheetRow]) -> None:
        form, last = self.form, rows is self.chunks[-1]
        lines = [*self.foot, *(self.remarks if last else [])]
        room = self._room(len(lines) - len(self.foot))
        grid = Grid(paper, form, self.blocks, asks_bid=self.view.sheet.regulation.rules.asks_bid)
        bottom = grid.draw(top, rows, min(form.largest_row, room / len(rows)))
        label = _("Total") if last else _("So far")
        totals = self._totals(rows) if self.filled else []
        grid.draw_totals(bottom, label, totals)
        draw_foot(
            paper,
            form,
            bottom - form.total_height,
            self.view,
            lines,
            filled=self.filled,
            plays_off=self.plays_off,
        )

    def _totals(self, rows: Sequence[SheetRow]) -> list[Figures]:
        """The totals for each block of the grid: of the sheet, or up to the end of a page that is
        not the last."""
        is_last = rows is self.chunks[-1]
        seen = [row for row in self.view.rows if row.number <= rows[-1].number]
        if self.view.people:
            running = [row.people for row in seen if row.people[0] is not None]
            everybody = self.view.seat_scores.values()
            return [(), (), list(everybody) if is_last else (running or [()])[-1]]
        if is_last:
            totals = [self.view.totals[side.lower()] for side in SIDES]
        else:
            totals = [_sum([row.cell(side) for row in seen]) for side in SIDES]
        return [(total.points, total.roem, total.total) for total in totals]

    def _room(self, remarks: int) -> float:
        """The height left for deals above this many lines of remarks."""
        form = self.form
        fixed = self.heading.height(form) + GAP + form.head_height + form.total_height
        return form.top - form.bottom - fixed - foot_height(form, len(self.foot) + remarks)

    def _remarks_per_page(self) -> int:
        form = self.form
        return int((form.top - form.bottom - self.heading.height(form) - 40) // form.leading)

    def _names(self) -> dict[Seat, str]:
        """The first players on a filled sheet, the latest ones on an empty sheet."""
        return self.view.names(1 if self.filled else self.view.sheet.deals_planned)


def _blank_rows(view: SheetView) -> list[SheetRow]:
    return [
        SheetRow(number=number, dealer=view.dealer_name(number))
        for number in range(1, view.sheet.deals_planned + 1)
    ]


def _filled_rows(view: SheetView) -> list[SheetRow]:
    """What is written, with the dealer on every line."""
    return [replace(row, dealer=view.dealer_name(row.number)) for row in view.rows]


def _even_chunks(rows: Sequence[SheetRow], most: int) -> list[Sequence[SheetRow]]:
    """The rows over as few pages as possible, about the same number on each."""
    pages = ceil(len(rows) / most)
    return _chunks(rows, ceil(len(rows) / pages))


def _chunks(items: Sequence[T], size: int) -> list[Sequence[T]]:
    return [items[start : start + size] for start in range(0, len(items), size)]


def _sum(cells: Sequence[SheetCell]) -> SideTotals:
    return SideTotals(
        points=sum(cell.points or 0 for cell in cells),
        roem=sum(cell.roem or 0 for cell in cells),
        total=next((cell.running for cell in reversed(cells) if cell.running is not None), 0),
    )


class SpareView(SheetView):
    """An empty sheet without a table, to keep ready for latecomers or to replace a spoiled one."""

    def __init__(self, sheet: Scoresheet) -> None:
        super().__init__(sheet)
        self.deals, self.holders, self.handed_in = [], [], {}

    def names(self, number: int) -> dict[Seat, str]:
        """Room to write the names in; three people have a number, by which they are ticked."""
        numbers = zip(THREE, "123", strict=True) if self.sheet.three_handed else ()
        return dict.fromkeys(SEATS, "") | dict(numbers)
