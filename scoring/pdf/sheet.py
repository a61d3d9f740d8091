"""Score sheets as PDF, in the form clubs know: empty, or filled in."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import TypeVar

from django.utils.translation import gettext as _

from scoring.display.sheet_view import SheetCell, SheetRow, SheetView, SideTotals
from scoring.models import Scoresheet
from scoring.pdf.foot import (
    draw_foot,
    draw_lines,
    foot_height,
    foot_lines,
    lines_of,
    remarks,
)
from scoring.pdf.grid import Figures, Grid, blocks_of
from scoring.pdf.head import ON_A4, ON_A5, Form, Heading, draw_heading
from scoring.pdf.paper import Paper
from scoring.rules import SEATS, SIDES, Seat

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
        for number, rows in enumerate(self.chunks, start=1):
            top = self._draw_heading(paper, number, pages)
            self._draw_rows(paper, top, rows)
            paper.next_page()
        for number, lines in enumerate(self.overleaf, start=len(self.chunks) + 1):
            top = self._draw_heading(paper, number, pages)
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
        """Room to write the names in."""
        return dict.fromkeys(SEATS, "")
