"""What printed lists share: division into pages, heading, foot, and ruled columns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Final, TypeVar

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from reportlab.lib.pagesizes import A4

from clubs.models import Club, ClubLogo
from scoring.pdf.paper import INK, RULE, SHADE, SOFT, Align, Paper
from tournaments.models import Evening

Item = TypeVar("Item")

MARGIN = 40.0
HEADING_HEIGHT = 78.0
FOOT_HEIGHT = 32.0
HEAD_ROW = 24.0
BETWEEN = 6.0
SHORT_SIDE: Final[float] = A4[0]
LONG_SIDE: Final[float] = A4[1]

OnPage = Callable[[int, int], None]
"""Called after each page with how many are drawn, and of how many."""


def list_room(paper: Paper) -> float:
    """The height between heading and foot, in points."""
    return paper.height - 2 * 28 - HEADING_HEIGHT - FOOT_HEIGHT


def in_pages(items: Sequence[Item], most: int, *, beside: int = 1) -> list[Sequence[Item]]:
    """Divide the items evenly over as few pages as possible, with at most `most` on each.

    With `beside` items in a row, only the last page may have a row that is not full.
    """
    rows = ceil(len(items) / beside)
    pages = max(1, ceil(rows / (most // beside)))
    ends = [ceil(rows * page / pages) * beside for page in range(pages + 1)]
    return [items[start:end] for start, end in pairwise(ends)]


@dataclass(frozen=True, slots=True)
class ListHeading:
    """The heading of every page of a list: the club, the occasion and what the list is."""

    club: Club
    occasion: str
    title: str
    logo: ClubLogo | None = None


def evening_heading(evening: Evening, title: str) -> ListHeading:
    """The heading of a list of this evening, whose club is loaded. A query if it has a logo."""
    date = date_format(evening.date, "l j F Y")
    occasion = " · ".join(filter(None, [evening.name, date]))
    return ListHeading(evening.club, occasion, title, club_logo(evening.club))


def club_logo(club: Club) -> ClubLogo | None:
    """The club's logo, if it has one. At most one query."""
    return ClubLogo.objects.filter(club=club).first() if club.logo_version else None


def draw_list_heading(paper: Paper, heading: ListHeading, subtitle: str, corner: str = "") -> float:
    """Draw the heading with a subtitle, and in the corner which part of the list is on this page.

    Returns the height at which the list may start.
    """
    top, left, right = paper.height - 28, MARGIN, paper.width - MARGIN
    if heading.logo:
        left += paper.logo(left, top + 2, heading.logo, width=110, height=56) + 14
    x = left + paper.text(left, top - 12, heading.club.name, size=12, bold=True, width=300) + 12
    paper.text(x, top - 12, heading.occasion, size=11, width=right - x, colour=SOFT)
    x = left + paper.text(left, top - 50, heading.title, size=30, bold=True, width=350) + 16
    room = right - x - paper.text(right, top - 50, corner, size=30, bold=True, align="right")
    paper.text(x, top - 50, subtitle, size=18, width=room)
    paper.line(MARGIN, top - 62, right, top - 62, thick=1.6)
    return top - HEADING_HEIGHT


def draw_list_foot(paper: Paper, page: int, pages: int, words: str = "") -> None:
    """Draw when this was printed and the page number, with `words` on a line above."""
    now = date_format(timezone.localtime(), "j F Y H:i")
    width = paper.width - 2 * MARGIN
    paper.text(MARGIN, 28, _("Printed %(when)s") % {"when": now}, size=8, colour=SOFT)
    part = _("page %(n)s of %(total)s") % {"n": page, "total": pages}
    paper.text(paper.width - MARGIN, 28, part, size=8, align="right", colour=SOFT)
    if words:
        paper.text(MARGIN, 41, words, size=10, width=width, smallest=5)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page to draw later, so that each page can show how many there are.

    `wide` is landscape. `part` and `marks` are the part and the smaller sections that begin on it.
    A cover is not `numbered`, but counts.
    """

    draw: Callable[[Paper], None]
    wide: bool = False
    part: str = ""
    marks: Sequence[str] = ()
    numbered: bool = True


def leaves_pdf(
    leaves: Sequence[Leaf], *, title: str, author: str, on_page: OnPage | None = None
) -> bytes:
    """These pages as a PDF, numbered at the foot, with the parts as bookmarks."""
    paper = Paper(title, author=author, wide=leaves[0].wide)
    for number, leaf in enumerate(leaves, start=1):
        paper.turn(wide=leaf.wide)
        if leaf.part:
            paper.chapter(leaf.part)
        leaf.draw(paper)
        if leaf.numbered:
            draw_list_foot(paper, number, len(leaves))
        paper.next_page()
        if on_page:
            on_page(number, len(leaves))
    return paper.finish()


@dataclass(frozen=True, slots=True)
class ListColumn:
    """A column of a list: its heading and its width in points."""

    label: str
    width: float
    align: Align = "right"
    bold: bool = False


@dataclass(frozen=True, slots=True)
class ListCell:
    """Words in a column. `struck` words are also put in brackets, so that it shows on any printer;
    a `box` is to be ticked."""

    words: str
    struck: bool = False
    box: bool = False


ListRow = Sequence[ListCell]


def width_between(*, wide: bool) -> float:
    """The width of a list on a landscape (`wide`) or portrait page."""
    return (LONG_SIDE if wide else SHORT_SIDE) - 2 * MARGIN


def room_below(*, wide: bool) -> float:
    """The height for rows between the column headings and the foot of such a page."""
    height = SHORT_SIDE if wide else LONG_SIDE
    return height - 2 * 28 - HEADING_HEIGHT - FOOT_HEIGHT - HEAD_ROW


def in_chunks(rows: Sequence[Item], most: int) -> list[Sequence[Item]]:
    """Divide the rows evenly over as few pages as possible; one empty page if there are none."""
    size = ceil(len(rows) / max(1, ceil(len(rows) / most))) or 1
    return [rows[start : start + size] for start in range(0, len(rows), size)] or [[]]


def draw_ruled(
    paper: Paper, top: float, columns: Sequence[ListColumn], lines: Sequence[ListRow], height: float
) -> None:
    """Draw the headings from `top` down, and below them the rows, each `height` high."""
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


def _draw_head(paper: Paper, top: float, columns: Sequence[ListColumn], right: float) -> None:
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
    paper: Paper, place: tuple[float, float], column: ListColumn, cell: ListCell, size: float
) -> None:
    """Draw the cell in the column that begins at `place`, vertically centred there."""
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


def _place(x: float, column: ListColumn) -> float:
    """Where the words of a column are aligned: their left edge, right edge or middle."""
    inside = {"left": BETWEEN / 2, "right": column.width - BETWEEN / 2, "centre": column.width / 2}
    return x + inside[column.align]
