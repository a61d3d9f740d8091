"""What printed lists share: division into pages, heading, foot, and ruled columns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Final, TypeVar

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.models import Club, ClubLogo
from scoring.pdf.paper import (
    A4,
    CREAM,
    FELT,
    GOLD,
    INK,
    RED,
    REGULAR,
    RULE,
    SHADE,
    SMALLEST,
    SOFT,
    WOOD,
    Align,
    Paper,
    wrap,
)
from tournaments.models import Evening, League

Item = TypeVar("Item")

MARGIN = 40.0
HEADING_HEIGHT = 78.0
FOOT_HEIGHT = 32.0
HEAD_ROW = 24.0
BETWEEN = 6.0
SHORT_SIDE: Final[float] = A4[0]
LONG_SIDE: Final[float] = A4[1]


def list_room(paper: Paper, foot: float = FOOT_HEIGHT) -> float:
    """The height between heading and foot, in points."""
    return paper.height - 2 * 28 - HEADING_HEIGHT - foot


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
    """The heading of every page of a list: the club or the league, the occasion and what the list
    is."""

    club: Club | League
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


def draw_suits(paper: Paper, x: float, y: float, *, size: float) -> None:
    """Draw the four suits around `x`, the red ones in red."""
    for place, suit in enumerate("♣♦♥♠"):
        at = x + (place - 1.5) * size * 1.15
        paper.text(at, y, suit, size=size, align="centre", colour=RED if suit in "♦♥" else INK)


def draw_list_heading(paper: Paper, heading: ListHeading, subtitle: str, corner: str = "") -> float:
    """Draw the heading with a subtitle, and in the corner which part of the list is on this page.

    Returns the height at which the list may start.
    """
    top, left, right = paper.height - 28, MARGIN, paper.width - MARGIN
    draw_suits(paper, right - 34, top - 12, size=14)
    if heading.logo:
        left += paper.logo(left, top + 2, heading.logo, width=110, height=56) + 14
    x = left + paper.text(left, top - 12, heading.club.name, size=12, bold=True, width=260) + 12
    paper.text(x, top - 12, heading.occasion, size=11, width=right - 76 - x, colour=SOFT)
    y, size = top - 50, 30
    title = paper.text(left, y, heading.title, size=size, heading=True, width=350, colour=FELT)
    x = left + title + 16
    room = right - x - paper.text(right, y, corner, size=size, heading=True, align="right")
    paper.text(x, y, subtitle, size=18, width=room)
    paper.line(MARGIN, top - 62, right, top - 62, thick=2, colour=FELT)
    return top - HEADING_HEIGHT


@dataclass(frozen=True, slots=True)
class ListFoot:
    """What stands under a list on each page: `words`, and in small print `small`."""

    words: Sequence[str] = ()
    small: Sequence[str] = ()

    @property
    def height(self) -> float:
        """How much of the page it takes with the page number, in points."""
        more = max(0, len(self.words) - 1) * WORDS_LEADING + len(self.small) * SMALL_LEADING
        return FOOT_HEIGHT + more


WORDS_SIZE, WORDS_LEADING, SMALL_LEADING = 10.0, 13.0, 10.0


def list_foot(paper: Paper, words: Sequence[str] = (), small: str = "") -> ListFoot:
    """The foot with these sentences, each on as many lines as it takes."""
    width = paper.width - 2 * MARGIN
    lines = [line for sentence in words for line in wrap(sentence, REGULAR, WORDS_SIZE, width)]
    return ListFoot(lines, wrap(small, REGULAR, SMALLEST, width))


NO_WORDS = ListFoot()


def draw_list_foot(paper: Paper, page: int, pages: int, foot: ListFoot = NO_WORDS) -> None:
    """Draw when this was printed and the page number, with `foot` above it."""
    now = date_format(timezone.localtime(), "j F Y H:i")
    paper.text(MARGIN, 28, _("Printed %(when)s") % {"when": now}, size=8, colour=SOFT)
    part = _("page %(n)s of %(total)s") % {"n": page, "total": pages}
    paper.text(paper.width - MARGIN, 28, part, size=8, align="right", colour=SOFT)
    y = 28.0 + len(foot.small) * SMALL_LEADING + len(foot.words) * WORDS_LEADING
    for words in foot.words:
        paper.text(MARGIN, y, words, size=WORDS_SIZE)
        y -= WORDS_LEADING
    y = 28.0 + len(foot.small) * SMALL_LEADING
    for words in foot.small:
        paper.text(MARGIN, y, words, size=SMALLEST, colour=SOFT)
        y -= SMALL_LEADING


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page to draw later, so that each page can show how many there are. `wide` is landscape."""

    draw: Callable[[Paper], None]
    wide: bool = False
    numbered: bool = True


def leaves_pdf(leaves: Sequence[Leaf], *, title: str, author: str) -> bytes:
    """These pages as a PDF of A4, numbered at the foot."""
    paper = Paper(title, author=author, wide=leaves[0].wide)
    for number, leaf in enumerate(leaves, start=1):
        paper.turn(wide=leaf.wide)
        leaf.draw(paper)
        if leaf.numbered:
            draw_list_foot(paper, number, len(leaves))
        paper.next_page()
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
    draw_columns_head(paper, (MARGIN, top), columns)
    for index, line in enumerate(lines):
        y = top - HEAD_ROW - (index + 1) * height
        draw_row(paper, (MARGIN, y), columns, line, height=height)


def draw_columns_head(
    paper: Paper,
    corner: tuple[float, float],
    columns: Sequence[ListColumn],
    *,
    height: float = HEAD_ROW,
) -> None:
    """Draw the headings of the columns from their upper left corner."""
    left, top = corner
    right = left + sum(column.width for column in columns)
    paper.box(left, top - height, right - left, height, fill=SHADE)
    x = left
    for column in columns:
        at, room = _place(x, column), column.width - BETWEEN
        y, size = top - height * 0.64, max(SMALLEST, height * 0.375)
        paper.text(at, y, column.label, size=size, align=column.align, width=room)
        x += column.width


def draw_row(
    paper: Paper,
    corner: tuple[float, float],
    columns: Sequence[ListColumn],
    line: ListRow,
    *,
    height: float,
) -> None:
    """Draw a row from its lower left corner, with a line under it."""
    left, y = corner
    size = max(SMALLEST, min(12.0, height * 0.56))
    x = left
    for column, cell in zip(columns, line, strict=True):
        _draw_cell(paper, (x, y + height / 2), column, cell, size)
        x += column.width
    paper.line(left, y, x, y, colour=RULE)


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
        colour=SOFT if cell.struck else INK,
    )
    if cell.struck:
        start = at - drawn if column.align == "right" else at
        paper.line(start, middle, start + drawn, middle, thick=0.8, colour=SOFT)


def _place(x: float, column: ListColumn) -> float:
    """Where the words of a column are aligned: their left edge, right edge or middle."""
    inside = {"left": BETWEEN / 2, "right": column.width - BETWEEN / 2, "centre": column.width / 2}
    return x + inside[column.align]


# A booklet: pieces of a known height, one under the other.

Draw = Callable[[Paper, float], None]
"""Draws a piece from this height down."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Something that is not split. `mark` is its line in the contents, `part` if it begins one.

    The next `holds` points stay on its page. At the top of a page `again` comes before it.
    """

    height: float
    draw: Draw
    part: str = ""
    mark: str = ""
    holds: float = 0
    again: "Piece | None" = None


def in_flow(pieces: Sequence[Piece], room: float) -> list[list[Piece]]:
    """The pieces over pages with so much room, one part straight after another."""
    pages: list[list[Piece]] = [[]]
    for piece in pieces:
        taken = sum(present.height for present in pages[-1])
        if pages[-1] and taken + piece.height + piece.holds > room:
            pages.append([piece.again] if piece.again else [])
        pages[-1].append(piece)
    return pages


def draw_felt(paper: Paper) -> None:
    """A page of felt with a wooden edge."""
    for inset, fill in ((16.0, WOOD), (21.0, FELT), (30.0, GOLD), (31.2, FELT)):
        width, height = paper.width - 2 * inset, paper.height - 2 * inset
        paper.box(inset, inset, width, height, fill=fill)


def draw_four_cards(paper: Paper, middle: float, foot: float) -> None:
    """Four cards side by side, one of each suit."""
    for place, suit in enumerate("♣♦♥♠"):
        x = middle + (place - 1.5) * 66
        y = foot - 40 + (8 if place in (1, 2) else 0)
        paper.box(x - 29, y, 58, 82, fill=CREAM, thick=0.6, edge=WOOD, round_=6)
        colour = RED if suit in "♦♥" else INK
        paper.text(x, y + 26, suit, size=42, align="centre", colour=colour)
