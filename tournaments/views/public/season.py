"""A season's standing: who leads, what counts, what is dropped."""

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from clubs.exports import list_response
from clubs.models import Club
from clubs.names import sort_key
from clubs.permissions import public_view
from clubs.scoping import owned
from scoring.words import pit_word
from tournaments.models import Evening, Release
from tournaments.standings.core import SeasonCell, SeasonRow, SeasonTable
from tournaments.views.public.common import Shown, asked_number, evening_date, evening_url
from tournaments.views.public.season_card import standing_preview
from tournaments.views.public.season_figures import Figures, figures_of
from tournaments.views.public.season_files import season_file
from tournaments.views.public.season_parts import SeasonStanding, asked_standing

LINE_BYTES, CELL_BYTES, PAGE_BYTES = 500, 55, 110_000


@dataclass(frozen=True, slots=True)
class Column:
    """An evening of the season."""

    slug: str
    date: dt.date
    url: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A player's points of one evening, None if there are none. `absent` says that the points are
    for an evening they did not play, and `notice` that they signed off."""

    points: int | None
    dropped: bool
    absent: bool
    notice: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A player in the standing. `why` is the address of the page that explains their place, empty
    if the player has no public page; `plain_sum` is None if every score counts."""

    rank: int | None
    name: str
    url: str
    why: str
    figures: Sequence[str]
    plain_sum: int | None
    cells: Sequence[Cell]


@require_safe
@public_view
def season_page(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """One of the standings of a season over its closed evenings, with every evening's score.

    A long one comes in pages; `?q=` shows the players whose name matches.
    """
    asked = asked_standing(request, club, season_slug)
    if file := list_response(request, lambda: season_file(asked)):
        return file
    figures = figures_of(asked.standing.rule, pit_word(club))
    wanted = request.GET.get("q", "").strip()
    page = _page(asked.table, wanted, asked_number(request, "page") or 1)
    context = {
        "club": club,
        "season": asked.season,
        "preview": standing_preview(asked),
        "asked": asked,
        "headings": figures.headings,
        "columns": list(columns(club, asked.table)),
        "page": page,
        "wanted": wanted,
        "lines": [_line(asked, row, figures) for row in page],
        "corrected": _corrected(asked),
        "outdated": [column_of(club, evening) for evening in asked.outdated()],
    }
    return render(request, "tournaments/public/season.html", context)


def columns(club: Club, table: SeasonTable) -> Iterable[Column]:
    """The evenings that are part of the standing, in order."""
    for slug in table.evenings:
        yield Column(slug=slug, date=evening_date(slug), url=evening_url(club, slug))


def column_of(club: Club, evening: Evening) -> Column:
    """An evening with the address of its page."""
    return Column(evening.slug, evening.date, evening_url(club, evening.slug))


def cell(result: SeasonCell | None) -> Cell:
    """A player's evening as the page shows it."""
    if result is None:
        return Cell(points=None, dropped=False, absent=False)
    points = result.value if result.score is None else result.score
    return Cell(
        points=points,
        dropped=result.dropped,
        absent=result.score is None,
        notice=result.absence == "notice",
    )


def _page(table: SeasonTable, wanted: str, number: int) -> Page[SeasonRow]:
    """As many lines as a phone loads quickly; a number past the end gives the last page."""
    words = [sort_key(word) for word in wanted.split()]
    rows = [row for row in table.rows if all(word in sort_key(row.name) for word in words)]
    fitting = PAGE_BYTES // (LINE_BYTES + CELL_BYTES * len(table.evenings))
    return Paginator(rows, fitting).get_page(number)


def _line(asked: SeasonStanding, row: SeasonRow, figures: Figures) -> Line:
    person: Shown = asked.people[row.player_id]
    place = [asked.club.slug, asked.season.slug, row.player_id]
    return Line(
        rank=row.rank,
        name=person.name,
        url=person.url,
        why=reverse("season_why", args=place) + asked.query if person.url else "",
        figures=figures.of(row),
        plain_sum=row.total if row.total != row.counted else None,
        cells=[cell(row.by_evening.get(slug)) for slug in asked.table.evenings],
    )


def _corrected(asked: SeasonStanding) -> Iterator[Column]:
    """The evenings in this standing that were corrected after they were published, in order."""
    republished = set(
        owned(asked.club, Release)
        .filter(evening__season=asked.season, number__gt=1)
        .values_list("evening", flat=True)
    )
    for evening in asked.evenings:
        if evening.pk in republished and evening.slug in asked.table.evenings:
            yield column_of(asked.club, evening)
