"""A season booklet as a PDF of A5 pages, to read in order, or two on a page of A4 so that the pile
can be folded: cover, contents, standings, winners, cups, evenings, players."""

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil

from django.utils.formats import date_format
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Club, ClubLogo
from clubs.text.names import sort_key
from clubs.text.numbers import NO_VALUE, number
from scoring.pdf.paper import (
    A5,
    FELT,
    GOLD,
    INK,
    ON_FELT,
    REGULAR,
    RULE,
    SOFT,
    WHITE,
    WOOD,
    Paper,
    wrap,
)
from tournaments.printing.page import (
    ListCell,
    ListColumn,
    Piece,
    draw_columns_head,
    draw_felt,
    draw_four_cards,
    draw_row,
    draw_suits,
    in_chunks,
    in_flow,
)
from tournaments.printing.season_pdf import (
    PaperStanding,
    count_sentences,
    points_words,
    sum_columns,
)
from tournaments.releases.queries import PublicRow
from tournaments.standings.core.results import SeasonRow

WIDTH, HEIGHT = A5
EDGE, FOOT = 34.0, 44.0
TOP = HEIGHT - 52
ROOM = TOP - FOOT
INSIDE = WIDTH - 2 * EDGE
COLUMNS, GUTTER = 2, 16.0
PART, TITLE = 50.0, 28.0
ROW, HEAD, LINE = 15.5, 20.0, 13.5
BESIDE, PLAYER_ROW, PLAYER_HEAD = 5, 12.0, 33.0
CONTENTS_ROW = 15.5
CONTENTS_ROOM = int((ROOM - PART) // CONTENTS_ROW)
FOLDED = 4
"""A folded sheet of paper has so many pages."""


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


@dataclass(frozen=True, slots=True)
class SeasonBook:
    """The contents of a season's booklet: its standings, the main one first, its closed evenings in
    order, and the cups that were won in it. `link` leads to the season's page."""

    club: Club
    name: str
    starts: dt.date | None
    ends: dt.date | None
    logo: ClubLogo | None
    standings: Sequence[PaperStanding]
    evenings: Sequence[BookletEvening]
    cups: Sequence[CupWon] = ()
    link: str = ""


def _part(title: str, holds: float) -> Piece:
    """The title of a part, which stays with the next `holds` points."""

    def draw(paper: Paper, top: float) -> None:
        paper.text(EDGE, top - 31, title, size=20, heading=True, colour=FELT, width=INSIDE)
        paper.line(EDGE, top - 39, EDGE + INSIDE, top - 39, thick=1.6, colour=FELT)

    return Piece(PART, draw, part=title, holds=holds)


def _sentences(words: Sequence[str]) -> Iterator[Piece]:
    lines = [line for sentence in words for line in wrap(sentence, REGULAR, 9, INSIDE)]

    def draw(paper: Paper, top: float) -> None:
        for index, line in enumerate(lines, start=1):
            paper.text(EDGE, top - 2 - index * 12, line, size=9, colour=SOFT)

    if lines:
        yield Piece(len(lines) * 12 + 14, draw)


def _table(columns: Sequence[ListColumn], lines: Sequence[Sequence[ListCell]]) -> Iterator[Piece]:
    """The headings and then a piece for each row; on a new page the headings come again."""

    def draw_head(paper: Paper, top: float) -> None:
        draw_columns_head(paper, (EDGE, top), columns, height=HEAD)

    head = Piece(HEAD, draw_head, holds=ROW)
    yield head
    for line in lines:

        def draw(paper: Paper, top: float, line: Sequence[ListCell] = line) -> None:
            draw_row(paper, (EDGE, top - ROW), columns, line, height=ROW)

        yield Piece(ROW, draw, again=head)


def _standing(standing: PaperStanding) -> Iterator[Piece]:
    """Everybody in order of place with the sums; what somebody had on each evening stands at the
    players."""
    drawn = sum_columns(standing, INSIDE)
    rows = [[cell(row) for _column, cell in drawn] for row in standing.table.rows]
    yield _part(standing.name, HEAD + 3 * ROW)
    yield from _table([column for column, _cell in drawn], rows)
    yield from _sentences(count_sentences(standing, signs=False))


def _winners(evenings: Sequence[BookletEvening]) -> Iterator[Piece]:
    """A row for each evening: the number of players, the winners and their points."""
    columns = [
        ListColumn(_("evening"), 130, "left"),
        ListColumn(_("players"), 44),
        ListColumn(_("winner"), INSIDE - 130 - 44 - 48, "left", bold=True),
        ListColumn(_("points"), 48, bold=True),
    ]
    lines = [
        [
            ListCell(evening.title),
            ListCell(str(len(evening.rows))),
            ListCell(", ".join(row.name for row in evening.rows if row.rank == 1)),
            ListCell(number(evening.rows[0].total) if evening.rows else ""),
        ]
        for evening in evenings
    ]
    yield _part(_("The winners"), HEAD + 3 * ROW)
    yield from _table(columns, lines)


def _cups(won: Sequence[CupWon]) -> Iterator[Piece]:
    """A row for each cup that was won."""
    columns = [
        ListColumn(_("cup"), 120, "left"),
        ListColumn(_("winner"), INSIDE - 120 - 100, "left", bold=True),
        ListColumn(_("won on"), 100, "left"),
    ]
    lines = [
        [ListCell(win.cup), ListCell(win.name), ListCell(date_format(win.date, "j F Y"))]
        for win in won
    ]
    if lines:
        yield _part(_("Challenge cups"), HEAD + min(3, len(lines)) * ROW)
        yield from _table(columns, lines)


def _evenings(evenings: Sequence[BookletEvening]) -> Iterator[Piece]:
    """Everybody's place and points, evening after evening.

    An evening that fits on a page is not split; a longer one repeats its title on the next page.
    """
    most = COLUMNS * int((ROOM - PART - TITLE) // LINE)
    pieces = []
    for evening in evenings:
        for index, rows in enumerate(in_chunks(evening.rows, most)):
            title = _("%(evening)s, continued") % {"evening": evening.title}
            height = TITLE + ceil(len(rows) / COLUMNS) * LINE + 6
            draw = partial(_draw_evening, title if index else evening.title, rows)
            pieces.append(Piece(height, draw, mark="" if index else evening.title))
    if pieces:
        yield _part(_("Every evening"), pieces[0].height)
        yield from pieces


def _draw_evening(title: str, rows: Sequence[PublicRow], paper: Paper, top: float) -> None:
    """Draw the title, and the rows down the first column and then down the second."""
    words = title[:1].upper() + title[1:]
    paper.text(EDGE, top - 19, words, size=11, bold=True, width=INSIDE, colour=WOOD)
    down = ceil(len(rows) / COLUMNS) or 1
    width = (INSIDE - GUTTER) / COLUMNS
    for index, row in enumerate(rows):
        column, line = divmod(index, down)
        x, y = EDGE + column * (width + GUTTER), top - TITLE - (line + 1) * LINE
        paper.text(x + 16, y + 3.5, number(row.rank), size=8, align="right", colour=SOFT)
        drawn = paper.text(x + width, y + 3.5, number(row.total), size=9, bold=True, align="right")
        paper.text(x + 21, y + 3.5, row.name, size=9, width=width - 25 - drawn)
        paper.line(x, y, x + width, y, colour=RULE, thick=0.3)


def _players(standing: PaperStanding) -> Iterator[Piece]:
    """Everybody by surname, with place, sums and every evening; no player is split over pages."""
    names = standing.names
    rows = sorted(
        standing.table.rows, key=lambda row: (sort_key(names[row.player_id]), row.player_id)
    )
    pieces = [
        Piece(
            PLAYER_HEAD + ceil(len(row.by_evening) / BESIDE) * PLAYER_ROW + 5,
            partial(_draw_player, standing, row),
        )
        for row in rows
    ]
    if pieces:
        yield _part(_("Every player"), pieces[0].height)
        yield from pieces


def _draw_player(standing: PaperStanding, row: SeasonRow, paper: Paper, top: float) -> None:
    name = standing.names[row.player_id]
    paper.text(EDGE, top - 14, name, size=11, bold=True, width=INSIDE)
    paper.text(EDGE, top - 25, _sums(standing, row), size=8.5, width=INSIDE, colour=SOFT)
    paper.line(EDGE, top - 29, EDGE + INSIDE, top - 29, colour=RULE)
    own = [(label, slug) for slug, label in standing.evenings if slug in row.by_evening]
    width = INSIDE / BESIDE
    for index, (label, slug) in enumerate(own):
        down, across = divmod(index, BESIDE)
        x, y = EDGE + across * width, top - PLAYER_HEAD - 7 - down * PLAYER_ROW
        cell = row.by_evening[slug]
        paper.text(x, y, label, size=8, width=29, colour=SOFT)
        points = f"({points_words(cell)})" if cell.dropped else points_words(cell)
        colour, right = SOFT if cell.dropped else INK, x + width - 8
        drawn = paper.text(
            right, y, points, size=8.5, align="right", width=width - 39, colour=colour
        )
        if cell.dropped:
            paper.line(right - drawn, y + 2.8, right, y + 2.8, thick=0.7, colour=SOFT)


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


# The booklet as a whole.

DrawPage = Callable[[Paper], None]
OnPage = Callable[[int, int], None]
"""Called after each page with how many are drawn, and of how many."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line of the table of contents; `under` is a sub-entry."""

    title: str
    page: int
    under: bool


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A page of the booklet, and the parts that begin on it."""

    draw: DrawPage
    parts: Sequence[str] = ()
    numbered: bool = True


def booklet_pdf(book: SeasonBook, *, folded: bool = False, on_page: OnPage | None = None) -> bytes:
    """The booklet as numbered pages of A5 with a table of contents after the cover: a multiple of
    four, so that there are no empty ones.

    `folded` puts two on each page of A4, in such an order that the pile, printed on both sides
    (flipped on the short edge), is folded to the booklet.
    """
    leaves = _leaves(book)
    title = f"{book.club.name}, {book.name}"
    paper = Paper(title, author=book.club.name, small=True, halved=folded, cut=False)
    order = folding_order(len(leaves)) if folded else range(1, len(leaves) + 1)
    for done, page in enumerate(order, start=1):
        leaf = leaves[page - 1]
        for part in leaf.parts if not folded else ():
            paper.chapter(part)
        leaf.draw(paper)
        if leaf.numbered:
            _draw_number(paper, book, page)
        paper.next_page()
        if on_page:
            on_page(done, len(leaves))
    return paper.finish()


def folding_order(pages: int) -> list[int]:
    """The numbers of the pages in the order in which they are printed, two on each side.

    >>> folding_order(8)
    [8, 1, 2, 7, 6, 3, 4, 5]
    """
    order: list[int] = []
    for front in range(1, pages // 2, 2):
        back = pages + 1 - front
        order += [back, front, front + 1, back - 1]
    return order


def _leaves(book: SeasonBook) -> list[_Leaf]:
    pieces = [
        *(piece for standing in book.standings for piece in _standing(standing)),
        *_winners(book.evenings),
        *_cups(book.cups),
        *_evenings(book.evenings),
        *_players(book.standings[0]),
    ]
    pages = in_flow(pieces, ROOM)
    contents = len(in_chunks(_entries(pages, first=1), CONTENTS_ROOM))
    entries = _entries(pages, first=2 + contents)
    inside = [
        _Leaf(partial(_draw_page, page), [piece.part for piece in page if piece.part])
        for page in pages
    ]
    notes = -(2 + contents + len(inside)) % FOLDED
    return [
        _Leaf(partial(_draw_cover, book), numbered=False),
        *(_Leaf(partial(_draw_contents, chunk)) for chunk in in_chunks(entries, CONTENTS_ROOM)),
        *inside,
        *[_Leaf(_draw_notes)] * notes,
        _Leaf(partial(_draw_back, book), numbered=False),
    ]


def _entries(pages: Sequence[Sequence[Piece]], *, first: int) -> list[_Entry]:
    """An entry for each part, with its marks under it; page numbers start at `first`."""
    return [
        _Entry(piece.part or piece.mark, number_, under=not piece.part)
        for number_, page in enumerate(pages, start=first)
        for piece in page
        if piece.part or piece.mark
    ]


def _draw_page(page: Sequence[Piece], paper: Paper) -> None:
    top = TOP
    for piece in page:
        piece.draw(paper, top)
        top -= piece.height


def _draw_number(paper: Paper, book: SeasonBook, page: int) -> None:
    """The club and the season at the head, and at the outer edge of the foot the page's number."""
    words = f"{book.club.name} · {book.name}"
    paper.text(EDGE, HEIGHT - 34, words, size=8, width=INSIDE - 60, colour=SOFT)
    draw_suits(paper, EDGE + INSIDE - 20, HEIGHT - 34, size=8)
    x, align = (EDGE + INSIDE, "right") if page % 2 else (EDGE, "left")
    paper.text(x, 24, str(page), size=10, bold=True, align=align, colour=FELT)  # type: ignore[arg-type]


def _draw_contents(entries: Sequence[_Entry], paper: Paper) -> None:
    _part(_("Contents"), 0).draw(paper, TOP)
    right = EDGE + INSIDE
    for index, entry in enumerate(entries, start=1):
        y = TOP - PART - index * CONTENTS_ROW
        x, bold = EDGE + (12 if entry.under else 0), not entry.under
        size = 9.0 if entry.under else 10.5
        end = x + paper.text(x, y, entry.title, size=size, bold=bold, width=right - x - 40)
        start = right - paper.text(right, y, str(entry.page), size=size, bold=bold, align="right")
        paper.line(end + 5, y + 2, start - 5, y + 2, colour=SOFT, dashes=(1, 3))


def _draw_notes(paper: Paper) -> None:
    """Lines to write on, where the booklet would have an empty page."""
    _part(_("Notes"), 0).draw(paper, TOP)
    for index in range(1, int((ROOM - PART) // 22)):
        y = TOP - PART - index * 22
        paper.line(EDGE, y, EDGE + INSIDE, y, colour=RULE)


def _draw_cover(book: SeasonBook, paper: Paper) -> None:
    draw_felt(paper)
    middle, top = WIDTH / 2, HEIGHT - 84
    if book.logo:
        width, height = 220.0, 130.0
        scale = min(width / book.logo.width, height / book.logo.height)
        drawn, tall = book.logo.width * scale, book.logo.height * scale
        paper.box(
            middle - drawn / 2 - 12, top - tall - 12, drawn + 24, tall + 24, fill=WHITE, round_=8
        )
        paper.logo(middle - drawn / 2, top, book.logo, width=width, height=height)
    else:
        draw_four_cards(paper, middle, top - 60)
    lines = [
        (232, book.club.name, 27.0, True, ON_FELT),
        (276, _("Season booklet"), 16.0, False, ON_FELT),
        (322, book.name, 30.0, True, GOLD),
        (352, _span(book), 11.0, False, ON_FELT),
        (370, _size(book), 11.0, False, ON_FELT),
    ]
    for down, words, size, heading, colour in lines:
        paper.text(
            middle,
            top - down,
            words,
            size=size,
            heading=heading,
            align="centre",
            width=INSIDE - 16,
            colour=colour,
        )


def _draw_back(book: SeasonBook, paper: Paper) -> None:
    """The last page: where the season stands on the internet, and when this was made."""
    draw_felt(paper)
    middle = WIDTH / 2
    if book.link:
        paper.box(middle - 64, 268, 128, 128, fill=WHITE, round_=8)
        paper.qr(middle - 58, 274, 116, book.link)
        words = _("Every result of our club, always up to date")
        paper.text(middle, 244, words, size=11, align="centre", width=INSIDE - 16, colour=ON_FELT)
    paper.text(
        middle,
        430,
        book.club.name,
        size=18,
        heading=True,
        align="centre",
        width=INSIDE - 16,
        colour=ON_FELT,
    )
    made = _("Printed %(when)s") % {"when": date_format(localdate(), "j F Y")}
    paper.text(middle, 56, made, size=9, align="centre", colour=ON_FELT)


def _span(book: SeasonBook) -> str:
    days = [date_format(day, "j F Y") for day in (book.starts, book.ends) if day]
    return " – ".join(days)


def _size(book: SeasonBook) -> str:
    evenings, people = len(book.evenings), len(book.standings[0].table.rows)
    played = ngettext("%(n)s evening", "%(n)s evenings", evenings) % {"n": evenings}
    players = ngettext("%(n)s player", "%(n)s players", people) % {"n": people}
    return f"{played} · {players}"
