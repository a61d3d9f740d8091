"""The season booklet: a cover, what is where, the standings, every evening, every player."""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Club, ClubLogo
from scoring.pdf.paper import SOFT, Paper
from tournaments.pdf.booklet_evenings import (
    CupWon,
    EveningResult,
    cup_leaves,
    evening_leaves,
    winner_leaves,
)
from tournaments.pdf.booklet_players import player_leaves
from tournaments.pdf.leaf import Leaf, Told, leaves_pdf
from tournaments.pdf.page import MARGIN, ListHeading, draw_list_heading, list_room
from tournaments.pdf.ruled import in_chunks
from tournaments.pdf.season import PaperStanding, season_leaves

What = TypeVar("What")

CONTENTS_ROW = 19.0
SUITS = "♣ ♦ ♥ ♠"


@dataclass(frozen=True, slots=True)
class SeasonBook:
    """Everything that goes into the booklet of a season: its standings, the main one first, its
    closed evenings in order, and the cups that were won in it."""

    club: Club
    name: str
    starts: dt.date | None
    ends: dt.date | None
    logo: ClubLogo | None
    standings: Sequence[PaperStanding]
    evenings: Sequence[EveningResult]
    cups: Sequence[CupWon] = ()


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line of the contents: on which page it is; `under` another, not in itself."""

    title: str
    page: int
    under: bool


def booklet_pdf(book: SeasonBook, *, told: Told | None = None) -> bytes:
    """The booklet as a PDF of A4 pages, numbered, with what is where on its second page."""
    inside = _inside(book)
    pages = len(in_chunks(_entries(inside, first=1), _contents_on_a_page()))
    entries = _entries(inside, first=2 + pages)
    leaves = [_cover(book), *_contents(book, entries), *inside]
    title = f"{book.club.name}, {book.name}"
    return leaves_pdf(leaves, title=title, author=book.club.name, told=told)


def _inside(book: SeasonBook) -> list[Leaf]:
    """All that comes after the contents, in order; the first page of each part says which."""
    heading = ListHeading(book.club, book.name, "", book.logo)

    def part(title: str, make: Callable[[ListHeading, What], list[Leaf]], what: What) -> list[Leaf]:
        first, *others = make(replace(heading, title=title), what)
        return [replace(first, part=title), *others]

    standings = [leaf for one in book.standings for leaf in part(one.name, season_leaves, one)]
    return [
        *standings,
        *part(_("The winners"), winner_leaves, book.evenings),
        *(part(_("Challenge cups"), cup_leaves, book.cups) if book.cups else ()),
        *part(_("Every evening"), evening_leaves, book.evenings),
        *part(_("Every player"), player_leaves, book.standings[0]),
    ]


def _entries(leaves: Sequence[Leaf], *, first: int) -> list[_Entry]:
    """A line for each part, with its marks under it; the first of these pages has this number."""
    found = []
    for page, leaf in enumerate(leaves, start=first):
        found += [_Entry(leaf.part, page, under=False)] if leaf.part else []
        found += [_Entry(mark, page, under=True) for mark in leaf.marks]
    return found


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
