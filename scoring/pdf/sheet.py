"""Score sheets as PDF, in the form clubs know: empty, or filled in."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import TypeVar

from django.utils.translation import gettext as _

from scoring.display.sheet_view import SheetCell, SheetRow, SheetView, SideTotals
from scoring.models import Scoresheet
from scoring.pdf.foot import (
    LEADING,
    draw_foot,
    draw_lines,
    foot_height,
    foot_lines,
    lines_of,
    remarks,
)
from scoring.pdf.grid import (
    HEAD_HEIGHT,
    LARGEST_ROW,
    SMALLEST_ROW,
    TOTAL_HEIGHT,
    Figures,
    blocks_of,
    draw_grid,
    draw_totals,
)
from scoring.pdf.head import BOTTOM, LEFT, TOP, Heading, draw_heading
from scoring.pdf.paper import Paper
from scoring.rules import SEATS, SIDES, Seat

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PaperSheet:
    """One score sheet to print; `filled` prints what was written on it."""

    view: SheetView
    heading: Heading
    filled: bool = False


def sheets_pdf(
    sheets: Iterable[PaperSheet], *, title: str, author: str, halved: bool = False
) -> bytes:
    """A PDF of A4 pages, each sheet starting on a page of its own, or `halved` on half a page.

    A sheet with more deals than fit continues overleaf under the same headings, and no line is
    ever split. Remarks on a filled sheet follow its deals, on the same page if they fit.
    """
    paper = Paper(title, author=author, halved=halved)
    for sheet in sheets:
        _SheetLayout(sheet).draw(paper)
    return paper.finish()


class _SheetLayout:
    """How one sheet is spread over pages."""

    def __init__(self, sheet: PaperSheet) -> None:
        self.view, self.heading, self.filled = sheet.view, sheet.heading, sheet.filled
        rows = _filled_rows(self.view) if self.filled else _blank_rows(self.view)
        self.blocks = blocks_of(self.view)
        self.foot = foot_lines(self.view, filled=self.filled)
        self.remarks = lines_of(remarks(self.view)) if self.filled else []
        self.chunks = _even_chunks(rows, int(self._room(0) // SMALLEST_ROW))
        self.overleaf: list[Sequence[str]] = []
        if self._room(len(self.remarks)) < len(self.chunks[-1]) * SMALLEST_ROW:
            self.overleaf = _chunks(self.remarks, self._remarks_per_page())
            self.remarks = []

    def draw(self, paper: Paper) -> None:
        pages = len(self.chunks) + len(self.overleaf)
        for number, rows in enumerate(self.chunks, start=1):
            top = self._draw_heading(paper, number, pages)
            self._draw_rows(paper, top, rows)
            paper.next_page()
        for number, lines in enumerate(self.overleaf, start=len(self.chunks) + 1):
            top = self._draw_heading(paper, number, pages)
            paper.text(LEFT, top - 20, _("What happened at this table"), size=12, bold=True)
            draw_lines(paper, top - 28, lines)
            paper.next_page()

    def _draw_heading(self, paper: Paper, number: int, pages: int) -> float:
        part = _("page %(n)s of %(total)s") % {"n": number, "total": pages} if pages > 1 else ""
        return draw_heading(paper, self.heading, self.view.sheet, self._names(), part) - 6

    def _draw_rows(self, paper: Paper, top: float, rows: Sequence[SheetRow]) -> None:
        last = rows is self.chunks[-1]
        lines = [*self.foot, *(self.remarks if last else [])]
        room = self._room(len(lines) - len(self.foot))
        bottom = draw_grid(paper, top, rows, min(LARGEST_ROW, room / len(rows)), self.blocks)
        label = _("Total") if last else _("So far")
        totals = self._totals(rows) if self.filled else []
        draw_totals(paper, bottom, label, totals, self.blocks)
        draw_foot(paper, bottom - TOTAL_HEIGHT, self.view, lines, filled=self.filled)

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
        fixed = self.heading.height + 6 + HEAD_HEIGHT + TOTAL_HEIGHT
        return TOP - BOTTOM - fixed - foot_height(len(self.foot) + remarks)

    def _remarks_per_page(self) -> int:
        return int((TOP - BOTTOM - self.heading.height - 40) // LEADING)

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
