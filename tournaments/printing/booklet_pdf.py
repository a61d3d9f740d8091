"""A season booklet as a PDF: cover, contents, standings, winners, cups, evenings, players."""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from math import ceil
from typing import TypeVar

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Club, ClubLogo
from clubs.text.names import sort_key
from clubs.text.numbers import NO_VALUE, number
from scoring.pdf.paper import INK, RULE, SOFT, Paper
from tournaments.printing.page import (
    FOOT_HEIGHT,
    HEADING_HEIGHT,
    LONG_SIDE,
    MARGIN,
    Leaf,
    ListCell,
    ListColumn,
    ListHeading,
    ListRow,
    OnPage,
    draw_list_heading,
    draw_ruled,
    in_chunks,
    leaves_pdf,
    list_room,
    room_below,
    width_between,
)
from tournaments.printing.season_pdf import PaperStanding, points_words, season_leaves
from tournaments.releases.queries import PublicRow
from tournaments.standings.core import SeasonRow

What = TypeVar("What")

COLUMNS = 2
GUTTER = 24.0
ROW, TITLE = 16.0, 36.0
ROOM = LONG_SIDE - 2 * 28 - HEADING_HEIGHT - FOOT_HEIGHT
WINNER_ROW = 22.0
BESIDE = 6
CELL, PLAYER_ROW, PLAYER_TITLE = 86.0, 15.5, 38.0
CONTENTS_ROW = 19.0
SUITS = "♣ ♦ ♥ ♠"


@dataclass(frozen=True, slots=True)
class BookletEvening:
    """An evening with its standing."""

    date: dt.date
    name: str
    rows: Sequence[PublicRow]

    @property
    def title(self) -> str:
        """Its day, and its name if it has one."""
        return " · ".join(filter(None, [date_format(self.date, "l j F Y"), self.name]))


@dataclass(frozen=True, slots=True)
class CupWon:
    """A challenge cup that somebody won, and when."""

    cup: str
    name: str
    date: dt.date


@dataclass(slots=True)
class _Block:
    """Consecutive lines of one evening, and whether they are its first."""

    evening: BookletEvening
    rows: Sequence[PublicRow]
    begins: bool

    @property
    def height(self) -> float:
        return TITLE + ceil(len(self.rows) / COLUMNS) * ROW


@dataclass(slots=True)
class _Sheet:
    """A page being filled with blocks."""

    blocks: list[_Block] = field(default_factory=list)

    def has_room_for(self, block: _Block) -> bool:
        return sum(present.height for present in self.blocks) + block.height <= ROOM


def winner_leaves(heading: ListHeading, evenings: Sequence[BookletEvening]) -> list[Leaf]:
    """A row for each evening: the number of players, the winners and their points."""
    columns = [
        ListColumn(_("evening"), 190, "left"),
        ListColumn(_("players"), 56),
        ListColumn(_("winner"), width_between(wide=False) - 316, "left", bold=True),
        ListColumn(_("points"), 70, bold=True),
    ]
    lines: list[ListRow] = [
        [
            ListCell(evening.title),
            ListCell(str(len(evening.rows))),
            ListCell(_winners(evening)),
            ListCell(_best(evening)),
        ]
        for evening in evenings
    ]
    chunks = in_chunks(lines, int(room_below(wide=False) // WINNER_ROW))
    return [Leaf(partial(_draw_winners, heading, columns, chunk)) for chunk in chunks]


def cup_leaves(heading: ListHeading, won: Sequence[CupWon]) -> list[Leaf]:
    """A row for each cup that was won."""
    columns = [
        ListColumn(_("cup"), 190, "left"),
        ListColumn(_("winner"), width_between(wide=False) - 340, "left", bold=True),
        ListColumn(_("won on"), 150, "left"),
    ]
    lines: list[ListRow] = [
        [ListCell(win.cup), ListCell(win.name), ListCell(date_format(win.date, "j F Y"))]
        for win in won
    ]
    chunks = in_chunks(lines, int(room_below(wide=False) // WINNER_ROW))
    return [Leaf(partial(_draw_winners, heading, columns, chunk)) for chunk in chunks]


def evening_leaves(heading: ListHeading, evenings: Sequence[BookletEvening]) -> list[Leaf]:
    """Everybody's place and points, evening after evening.

    An evening that fits on a page is not split; a longer one repeats its title on the next page.
    """
    sheets = [_Sheet()]
    for block in (block for evening in evenings for block in _blocks(evening)):
        if not sheets[-1].has_room_for(block):
            sheets.append(_Sheet())
        sheets[-1].blocks.append(block)
    return [
        Leaf(
            partial(_draw_evenings, heading, sheet.blocks),
            marks=[block.evening.title for block in sheet.blocks if block.begins],
        )
        for sheet in sheets
    ]


def _blocks(evening: BookletEvening) -> list[_Block]:
    most = COLUMNS * int((ROOM - TITLE) // ROW)
    chunks = in_chunks(evening.rows, most)
    return [_Block(evening, chunk, begins=chunk is chunks[0]) for chunk in chunks]


def _draw_winners(
    heading: ListHeading, columns: Sequence[ListColumn], lines: Sequence[ListRow], paper: Paper
) -> None:
    draw_ruled(paper, draw_list_heading(paper, heading, ""), columns, lines, WINNER_ROW)


def _draw_evenings(heading: ListHeading, blocks: Sequence[_Block], paper: Paper) -> None:
    top = draw_list_heading(paper, heading, "")
    for block in blocks:
        title = block.evening.title
        shown = title if block.begins else _("%(evening)s, continued") % {"evening": title}
        paper.text(MARGIN, top - 16, shown[:1].upper() + shown[1:], size=13, bold=True, width=515)
        _draw_rows(paper, top - 20, block.rows)
        top -= block.height


def _draw_rows(paper: Paper, top: float, rows: Sequence[PublicRow]) -> None:
    """Draw the rows down the first column and then down the second."""
    down = ceil(len(rows) / COLUMNS) or 1
    width = (paper.width - 2 * MARGIN - GUTTER) / COLUMNS
    for index, row in enumerate(rows):
        column, line = divmod(index, down)
        x, y = MARGIN + column * (width + GUTTER), top - (line + 1) * ROW
        paper.text(x + 20, y + 4, number(row.rank), size=9, align="right", width=20, colour=SOFT)
        paper.text(x + 26, y + 4, row.name, size=11, width=width - 84)
        paper.text(x + width, y + 4, number(row.total), size=11, bold=True, align="right")
        paper.line(x, y, x + width, y, colour=RULE, thick=0.3)


def _winners(evening: BookletEvening) -> str:
    return ", ".join(row.name for row in evening.rows if row.rank == 1)


def _best(evening: BookletEvening) -> str:
    return number(evening.rows[0].total) if evening.rows else ""


def player_leaves(heading: ListHeading, standing: PaperStanding) -> list[Leaf]:
    """Everybody by surname, with place, sums and every evening; no player is split over pages."""
    names = standing.names
    rows = sorted(
        standing.table.rows, key=lambda row: (sort_key(names[row.player_id]), row.player_id)
    )
    pages: list[list[SeasonRow]] = [[]]
    for row in rows:
        if sum(map(_height, pages[-1])) + _height(row) > ROOM:
            pages.append([])
        pages[-1].append(row)
    return [Leaf(partial(_draw, heading, standing, page)) for page in pages]


def _height(row: SeasonRow) -> float:
    return PLAYER_TITLE + ceil(len(row.by_evening) / BESIDE) * PLAYER_ROW


def _draw(
    heading: ListHeading, standing: PaperStanding, rows: Sequence[SeasonRow], paper: Paper
) -> None:
    names = [standing.names[row.player_id] for row in rows]
    letters = [letter for letter, _same in groupby(sort_key(name)[:1].upper() for name in names)]
    corner = " – ".join(dict.fromkeys((letters[0], letters[-1]))) if letters else ""
    top = draw_list_heading(paper, heading, "", corner)
    for row in rows:
        _draw_player(paper, top, standing, row)
        top -= _height(row)


def _draw_player(paper: Paper, top: float, standing: PaperStanding, row: SeasonRow) -> None:
    right = paper.width - MARGIN
    words = _sums(standing, row)
    start = right - paper.text(right, top - 14, words, size=9.5, align="right", colour=SOFT)
    name = standing.names[row.player_id]
    paper.text(MARGIN, top - 14, name, size=12, bold=True, width=start - MARGIN - 10)
    paper.line(MARGIN, top - 19, right, top - 19, colour=RULE)
    own = [(label, slug) for slug, label in standing.evenings if slug in row.by_evening]
    for index, (label, slug) in enumerate(own):
        down, across = divmod(index, BESIDE)
        x, y = MARGIN + across * CELL, top - 33 - down * PLAYER_ROW
        cell = row.by_evening[slug]
        paper.text(x, y, label, size=9, width=36, colour=SOFT)
        points = f"({points_words(cell)})" if cell.dropped else points_words(cell)
        colour = SOFT if cell.dropped else INK
        drawn = paper.text(x + 76, y, points, size=10.5, align="right", width=42, colour=colour)
        if cell.dropped:
            paper.line(x + 76 - drawn, y + 3.5, x + 76, y + 3.5, thick=0.7, colour=SOFT)


def _sums(standing: PaperStanding, row: SeasonRow) -> str:
    words = {
        "place": NO_VALUE if row.rank is None else number(row.rank),
        "value": number(row.value, standing.decimals),
        "figure": standing.figure,
        "total": number(row.total),
        "evenings": row.evenings,
        "pits": row.pits,
        "pit": standing.pit_word,
    }
    return (
        _(
            "place %(place)s · %(figure)s %(value)s · plain sum %(total)s · evenings %(evenings)s "
            "· %(pit)s %(pits)s"
        )
        % words
    )


@dataclass(frozen=True, slots=True)
class SeasonBook:
    """The contents of a season's booklet: its standings, the main one first, its closed evenings in
    order, and the cups that were won in it."""

    club: Club
    name: str
    starts: dt.date | None
    ends: dt.date | None
    logo: ClubLogo | None
    standings: Sequence[PaperStanding]
    evenings: Sequence[BookletEvening]
    cups: Sequence[CupWon] = ()


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line of the table of contents; `under` is a sub-entry."""

    title: str
    page: int
    under: bool


def booklet_pdf(book: SeasonBook, *, on_page: OnPage | None = None) -> bytes:
    """The booklet as a PDF of numbered A4 pages, with a table of contents after the cover."""
    inside = _inside(book)
    pages = len(in_chunks(_entries(inside, first=1), _contents_on_a_page()))
    entries = _entries(inside, first=2 + pages)
    leaves = [_cover(book), *_contents(book, entries), *inside]
    title = f"{book.club.name}, {book.name}"
    return leaves_pdf(leaves, title=title, author=book.club.name, on_page=on_page)


def _inside(book: SeasonBook) -> list[Leaf]:
    """Everything after the contents; the first page of each part carries its title."""
    heading = ListHeading(book.club, book.name, "", book.logo)

    def part(title: str, make: Callable[[ListHeading, What], list[Leaf]], what: What) -> list[Leaf]:
        first, *others = make(replace(heading, title=title), what)
        return [replace(first, part=title), *others]

    standings = [
        leaf for standing in book.standings for leaf in part(standing.name, season_leaves, standing)
    ]
    return [
        *standings,
        *part(_("The winners"), winner_leaves, book.evenings),
        *(part(_("Challenge cups"), cup_leaves, book.cups) if book.cups else ()),
        *part(_("Every evening"), evening_leaves, book.evenings),
        *part(_("Every player"), player_leaves, book.standings[0]),
    ]


def _entries(leaves: Sequence[Leaf], *, first: int) -> list[_Entry]:
    """An entry for each part, with its marks under it; page numbers start at `first`."""
    entries = []
    for page, leaf in enumerate(leaves, start=first):
        entries += [_Entry(leaf.part, page, under=False)] if leaf.part else []
        entries += [_Entry(mark, page, under=True) for mark in leaf.marks]
    return entries


def _contents_on_a_page() -> int:
    return int(list_room(Paper("", author="")) // CONTENTS_ROW)


def _contents(book: SeasonBook, entries: Sequence[_Entry]) -> list[Leaf]:
    heading = ListHeading(book.club, book.name, _("Contents"), book.logo)
    chunks = in_chunks(entries, _contents_on_a_page())
    return [Leaf(partial(_draw_contents, heading, chunk)) for chunk in chunks]


def _draw_contents(heading: ListHeading, entries: Sequence[_Entry], paper: Paper) -> None:
    top, right = draw_list_heading(paper, heading, ""), paper.width - MARGIN
    for index, entry in enumerate(entries, start=1):
        y = top - index * CONTENTS_ROW
        x, bold = MARGIN + (16 if entry.under else 0), not entry.under
        size = 11.0 if entry.under else 13.0
        end = x + paper.text(x, y, entry.title, size=size, bold=bold, width=right - x - 60)
        start = right - paper.text(right, y, str(entry.page), size=size, bold=bold, align="right")
        paper.line(end + 6, y + 2, start - 6, y + 2, colour=SOFT, dashes=(1, 3))


def _cover(book: SeasonBook) -> Leaf:
    return Leaf(partial(_draw_cover, book), numbered=False)


def _draw_cover(book: SeasonBook, paper: Paper) -> None:
    middle, top = paper.width / 2, paper.height - 120
    if book.logo:
        width, height = 320.0, 200.0
        drawn = book.logo.width * min(width / book.logo.width, height / book.logo.height)
        paper.logo(middle - drawn / 2, top, book.logo, width=width, height=height)
    else:
        paper.text(middle, top - 110, SUITS, size=64, align="centre")
    lines = [
        (top - 270, book.club.name, 34.0, True),
        (top - 330, _("Season booklet"), 22.0, False),
        (top - 378, book.name, 30.0, True),
        (top - 410, _span(book), 14.0, False),
        (top - 436, _size(book), 14.0, False),
    ]
    for y, words, size, bold in lines:
        room = paper.width - 2 * MARGIN
        paper.text(middle, y, words, size=size, bold=bold, align="centre", width=room)
    paper.line(MARGIN, top - 296, paper.width - MARGIN, top - 296, thick=1.6)


def _span(book: SeasonBook) -> str:
    days = [date_format(day, "j F Y") for day in (book.starts, book.ends) if day]
    return " – ".join(days)


def _size(book: SeasonBook) -> str:
    evenings, people = len(book.evenings), len(book.standings[0].table.rows)
    played = ngettext("%(n)s evening", "%(n)s evenings", evenings) % {"n": evenings}
    players = ngettext("%(n)s player", "%(n)s players", people) % {"n": people}
    return f"{played} · {players}"
