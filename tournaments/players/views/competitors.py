"""The public page of a fixed pair or a team: who it is, and what it did."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from clubs.access.permissions import public_view
from clubs.models import Club
from tournaments.evenings.public_pages import evening_url, member_url, public_name
from tournaments.models import Competitor, Evening, Season
from tournaments.players.views.player import requested_season
from tournaments.seasons.standings import season_choices, season_results, standings_of
from tournaments.standings.competitors import competitor_key
from tournaments.standings.core import CountingRule, Ranks, SeasonRow


@dataclass(frozen=True, slots=True)
class CompetitorPerson:
    """Somebody of a pair or team by their public name, and when they were in it."""

    name: str
    url: str
    since: dt.date
    until: dt.date | None
    reserve: bool


@dataclass(frozen=True, slots=True)
class CompetitorEvening:
    """An evening with its points, None if they were absent, and whether these are dropped."""

    date: dt.date
    url: str
    points: int | None
    dropped: bool


@require_safe
@public_view
def competitor_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """A pair or team in its `?season=`, by default the newest it played in."""
    competitors = club.competitors.prefetch_related("people__member")
    competitor = get_object_or_404(competitors, pk=pk)
    seasons = list(_seasons(competitor))
    season = requested_season(request, seasons)
    number, row = _standing(competitor, season)
    context = {
        "club": club,
        "competitor": competitor,
        "name": public_name(competitor),
        "people": [
            CompetitorPerson(
                person.member.shown_name,
                member_url(club, person.member),
                person.since,
                person.until,
                person.reserve,
            )
            for person in competitor.people.all()
        ],
        "season": season,
        "seasons": seasons,
        "row": row,
        "query": f"?standing={number}" if number > 1 else f"?by={competitor.kind}",
        "evenings": _evenings(club, row),
    }
    return render(request, "tournaments/players/competitor.html", context)


def _seasons(competitor: Competitor) -> Sequence[Season]:
    """The seasons in which it has a result or an absence, newest first."""
    closed = competitor.club.evenings.filter(state=Evening.State.CLOSED)
    own = (
        closed.filter(evening_pairs__competitor=competitor)
        | closed.filter(registrations__team=competitor)
        | closed.filter(competitor_results__competitor=competitor)
    )
    return list(competitor.club.seasons.filter(pk__in=own.values("season")))


def _standing(competitor: Competitor, season: Season | None) -> tuple[int, SeasonRow | None]:
    """The first standing of the season that ranks its kind, and its line there; where none does,
    that of all evenings."""
    if season is None:
        return 1, None
    kind: Ranks = "pair" if competitor.kind == Competitor.Kind.PAIR else "team"
    choices = [choice for choice in season_choices(season) if choice.rule.ranks == kind]
    rule = choices[0].rule if choices else CountingRule(ranks=kind)
    evenings = list(season.evenings.filter(state=Evening.State.CLOSED).order_by("date", "sequence"))
    table = standings_of(evenings, rule, season_results(evenings, season, rule))
    key = competitor_key(competitor.pk)
    row = next((row for row in table.rows if row.player_id == key), None)
    return (choices[0].number if choices else 1), row


def _evenings(club: Club, row: SeasonRow | None) -> list[CompetitorEvening]:
    """Its evenings of the season, newest first."""
    return [
        CompetitorEvening(
            dt.date.fromisoformat(slug[:10]), evening_url(club, slug), cell.score, cell.dropped
        )
        for slug, cell in sorted(row.by_evening.items() if row else (), reverse=True)
    ]
