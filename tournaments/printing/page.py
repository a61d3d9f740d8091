"""What the lists for the wall share: the division into pages, their heading and foot."""

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


def list_room(paper: Paper) -> float:
    """The height between heading and foot, in points."""
    return paper.height - 2 * 28 - HEADING_HEIGHT - FOOT_HEIGHT


def in_pages(items: Sequence[Item], most: int, *, beside: int = 1) -> list[Sequence[Item]]:
    """The items over as few pages as it takes with at most so many on each, about equally many.

    So many of them stand beside each other: only the last page may have a row that is not full.
    """
    rows = ceil(len(items) / beside)
    pages = max(1, ceil(rows / (most // beside)))
    ends = [ceil(rows * page / pages) * beside for page in range(pages + 1)]
    return [items[start:end] for start, end in pairwise(ends)]


@dataclass(frozen=True, slots=True)
class ListHeading:
    """What stands at the top of every page of a list: whose it is, of when, what it is."""

    club: Club
    occasion: str
    title: str
    logo: ClubLogo | None = None


def evening_heading(evening: Evening, title: str) -> ListHeading:
    """The heading of a list of this evening, which has its club at hand. A query for a logo."""
    date = date_format(evening.date, "l j F Y")
    occasion = " · ".join(filter(None, [evening.name, date]))
    return ListHeading(evening.club, occasion, title, club_logo(evening.club))


def club_logo(club: Club) -> ClubLogo | None:
    """The club's logo, where it has one. At most one query."""
    return ClubLogo.objects.filter(club=club).first() if club.logo_version else None


def draw_list_heading(paper: Paper, heading: ListHeading, subtitle: str, corner: str = "") -> float:
    """Draw the heading with what else there is to say of this list, and in the corner which part
    of it is on this page; returns where the list may start."""
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
    """Draw when this was printed and which page it is, with `words` on a line above."""
    now = date_format(timezone.localtime(), "j F Y H:i")
    width = paper.width - 2 * MARGIN
    paper.text(MARGIN, 28, _("Printed %(when)s") % {"when": now}, size=8, colour=SOFT)
    part = _("page %(n)s of %(total)s") % {"n": page, "total": pages}
    paper.text(paper.width - MARGIN, 28, part, size=8, align="right", colour=SOFT)
    if words:
        paper.text(MARGIN, 41, words, size=10, width=width, smallest=5)


# Pages that are made before they are drawn, so that each can say how many there are.

Told = Callable[[int, int], None]
"""Hears after each page how many are drawn, and of how many."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page to come: what draws it, whether it lies on its side, which part begins on it and
    which smaller things of that part do. A cover is not `numbered`, but counts."""

    draw: Callable[[Paper], None]
    wide: bool = False
    part: str = ""
    marks: Sequence[str] = ()
    numbered: bool = True


def leaves_pdf(
    leaves: Sequence[Leaf], *, title: str, author: str, told: Told | None = None
) -> bytes:
    """These pages as a PDF, numbered at the foot; a reader on a screen can jump to each part."""
    paper = Paper(title, author=author, wide=leaves[0].wide)
    for number, leaf in enumerate(leaves, start=1):
        paper.turn(wide=leaf.wide)
        if leaf.part:
            paper.chapter(leaf.part)
        leaf.draw(paper)
        if leaf.numbered:
            draw_list_foot(paper, number, len(leaves))
        paper.next_page()
        if told:
            told(number, len(leaves))
    return paper.finish()


# A list in columns: headings, and a line for each row that is never split.

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
