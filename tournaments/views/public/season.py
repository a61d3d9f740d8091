"""A season's standing: who leads, what counts, what is dropped."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from clubs.models import Club
from clubs.permissions import public_view
from scoring.words import pit_word
from tournaments.models import Evening, Season
from tournaments.ranking import Points, SeasonCell, SeasonRow, SeasonTable
from tournaments.rule_words import what_counts, what_else_counts
from tournaments.season_standings import season_standings
from tournaments.views.public.common import Shown, evening_date, evening_url, shown_people


@dataclass(frozen=True, slots=True)
class Column:
    """An evening of the season."""

    slug: str
    date: object
    url: str


@dataclass(frozen=True, slots=True)
class Cell:
    """What somebody has of an evening. `points` is None where he has nothing of it; `absent` says
    that the points are for an evening he did not play."""

    points: int | None
    dropped: bool
    absent: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A player in the standing; the numbers are those of `tournaments.ranking.SeasonRow`."""

    rank: int | None
    name: str
    url: str
    counted: int
    total: int
    average: Decimal
    gap: Points | None
    evenings: int
    pits: int
    cells: Sequence[Cell]


@require_safe
@public_view
def season_page(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """The standing of a season over its closed evenings, with every evening's score."""
    season = get_object_or_404(club.seasons, slug=season_slug)
    table = season_standings(season)
    people = shown_people(club, (row.player_id for row in table.rows))
    context = {
        "club": club,
        "season": season,
        "by_average": table.rule.aggregate != "sum",
        "columns": list(columns(club, table)),
        "lines": [_line(row, people[row.player_id], table) for row in table.rows],
        "what_counts": what_counts(table.rule, evenings_of(season, table)),
        "what_else": list(what_else_counts(table.rule, pit_word(club))),
        "pit_word": pit_word(club),
    }
    return render(request, "tournaments/public/season.html", context)


def evenings_of(season: Season, table: SeasonTable) -> int:
    """How many evenings the season has, those still to come included."""
    planned = season.evenings.exclude(state=Evening.State.CANCELLED)
    return sum(evening.slug not in table.rule.excluded for evening in planned)


def columns(club: Club, table: SeasonTable) -> Iterable[Column]:
    """The evenings that play a part, in order."""
    for slug in table.evenings:
        yield Column(slug=slug, date=evening_date(slug), url=evening_url(club, slug))


def cell(found: SeasonCell | None) -> Cell:
    """An evening of a player as the page shows it."""
    if found is None:
        return Cell(points=None, dropped=False, absent=False)
    points = found.value if found.score is None else found.score
    return Cell(points=points, dropped=found.dropped, absent=found.score is None)


def _line(row: SeasonRow, who: Shown, table: SeasonTable) -> Line:
    return Line(
        rank=row.rank,
        name=who.name,
        url=who.url,
        counted=row.counted,
        total=row.total,
        average=row.average,
        gap=row.gap,
        evenings=row.evenings,
        pits=row.pits,
        cells=[cell(row.by_evening.get(slug)) for slug in table.evenings],
    )
