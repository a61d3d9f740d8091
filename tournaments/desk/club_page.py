"""A club's public page: what is on, who won last time, who leads the season."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db.models import Count, F, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.access.permissions import public_view
from clubs.models import Club
from clubs.text.numbers import number
from tournaments.evenings.public_pages import player_url, shown_people
from tournaments.models import Evening, Season
from tournaments.prizes.cup_views import public_cups
from tournaments.releases.queries import by_pair, public_standings
from tournaments.releases.services import stale_release
from tournaments.results.link_previews import LINES, TopLine, card_response, club_preview
from tournaments.results.views import StandingLine, standing_lines
from tournaments.seasons.standings import season_leaders
from tournaments.standings.core import Points

TOP = 5
EARLIER = 6
PLAYED = Q(evenings__state=Evening.State.CLOSED)
PLANNED, RUNNING = Evening.State.PLANNED, Evening.State.RUNNING


@dataclass(frozen=True, slots=True)
class Leader:
    """One of the season's leaders; `total` is the value that decides the place."""

    rank: int
    name: str
    url: str
    total: Points


@require_safe
@public_view
def club_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Tonight or the next evening, the top five of the last one and of the season, and links."""
    return render(request, "tournaments/desk/club.html", club_context(club))


def club_context(club: Club) -> dict[str, Any]:
    """The context of a club's page."""
    now = _evenings_now(club)
    closed = list(Evening.objects.of(club).filter(state=Evening.State.CLOSED)[:EARLIER])
    counted = club.seasons.annotate(played=Count("evenings", filter=PLAYED))
    # Annotating with a count drops the model's own order.
    seasons = list(counted.order_by(F("starts").desc(nulls_last=True), "-pk"))
    played = (season for season in seasons if season.played)
    season = next(played, next(iter(seasons), None))
    last_top = _last_top(club, closed)
    season_top = _season_top(club, season) if season else []
    return {
        "club": club,
        "preview": club_preview(
            club, next(iter(now), None), _top_lines(last_top), _top_lines(season_top)
        ),
        "today": timezone.localdate(),
        "now": now[:1],
        "later": now[1:],
        "last": closed[0] if closed else None,
        "last_top": last_top,
        "stale": bool(stale_release(closed[0])) if closed else False,
        "earlier": closed[1:],
        "season": season,
        "season_top": season_top,
        "seasons": seasons,
        "cups": public_cups(club),
    }


def _top_lines(top: Iterable[StandingLine | Leader]) -> list[TopLine]:
    """The first places as a link preview shows them."""
    return [TopLine(line.rank, line.name, number(line.total)) for line in top if line.rank <= LINES]


def _evenings_now(club: Club) -> list[Evening]:
    """At most four evenings: those being played, then those to come."""
    wanted = Q(state=RUNNING) | Q(state=PLANNED, date__gte=timezone.localdate())
    evenings = Evening.objects.of(club).filter(wanted).order_by("date", "sequence")[:4]
    return sorted(evenings, key=lambda evening: evening.state != RUNNING)


def _last_top(club: Club, closed: Sequence[Evening]) -> list[StandingLine]:
    if not closed:
        return []
    rows = [row for row in by_pair(public_standings(closed[0])) if row.rank <= TOP]
    return standing_lines(rows, partial(player_url, club))


def _season_top(club: Club, season: Season) -> list[Leader]:
    leaders = season_leaders(season, TOP)
    people = shown_people(club, (leader.player_id for leader in leaders))
    return [
        Leader(
            leader.rank,
            people[leader.player_id].name,
            people[leader.player_id].url,
            leader.value,
        )
        for leader in leaders
    ]


@require_safe
@public_view
def club_card(request: HttpRequest, club: Club) -> HttpResponse:
    """The picture for links to a club."""
    return card_response(club, club_context(club)["preview"])
