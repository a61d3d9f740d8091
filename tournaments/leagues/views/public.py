"""The public pages of leagues: tables with every place explained, fixtures, results, teams; and a
league's feed."""

from collections.abc import Callable, Iterator
from functools import partial, wraps
from itertools import groupby
from uuid import UUID, uuid5

from django.db import connection
from django.db.models import Max, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.http.network import server_url
from clubs.models import AuditEvent, Club
from clubs.text.numbers import number
from tournaments.following.queries import Entry
from tournaments.following.views import Feed, feed_answer
from tournaments.leagues.files import league_ical, season_pdf, table_pdf
from tournaments.leagues.lineup_queries import player_names
from tournaments.leagues.permissions import (
    find_league_season,
    find_league_team,
    find_match_day,
    league_view,
)
from tournaments.leagues.queries import (
    DivisionTable,
    ShownDay,
    byes_of,
    division_table,
    evening_of,
    season_tables,
    shown_days,
)
from tournaments.leagues.rankings import latest_lists
from tournaments.leagues.results import live_matches
from tournaments.leagues.services import about
from tournaments.leagues.texts import (
    OUTCOMES,
    match_points,
    outlook_words,
    place_words,
    rule_words,
)
from tournaments.models import Division, Evening, League, LeagueMatch, LeagueSeason, MatchDay
from tournaments.printing.views import pdf_answer
from tournaments.results.views.live import (
    LONGEST_SLUG,
    PHONE_POLL,
    evening_etag,
    kept_for_visitors,
    shared_part,
    theme_of,
    visitors_tag,
)

Lines = list[dict[str, object]]
FEED_DAYS, FEED_MOVES = 20, 10


@require_safe
def league_list(request: HttpRequest) -> HttpResponse:
    """All leagues of this server."""
    return render(request, "tournaments/leagues/list.html", {"leagues": League.objects.all()})


# Whatever happens in a league stands in its trail; a page of one shows no more.
LEAGUE_QUERY = (
    "SELECT chain_head, language FROM tournaments_league WHERE slug = %s AND chain_head <> ''"
)


def _league_tag(slug: str, theme: str, chosen: str | None) -> str | None:
    """Changes whenever a visitor could see something else of a league; None where there is none."""
    with connection.cursor() as cursor:
        cursor.execute(LEAGUE_QUERY, [slug[:LONGEST_SLUG]])
        row = cursor.fetchone()
    if row is None:
        return None
    head, language = row
    return visitors_tag(("league", head[:12]), theme, chosen or language)


def kept_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator for a page of a league that shows nothing but what is in it: no names of people,
    which their clubs change."""

    @wraps(view)
    def page(request: HttpRequest, league: str, **names: object) -> HttpResponse:
        tag_of = partial(_league_tag, league, theme_of(request))
        return kept_for_visitors(request, tag_of, partial(view, request, league, **names))

    return page


@kept_page
@league_view
@require_safe
def league_page(request: HttpRequest, league: League) -> HttpResponse:
    """The tables of the latest season, and the way to earlier ones."""
    seasons = list(league.seasons.all())
    season = seasons[0] if seasons else None
    return _season_page(request, league, season, seasons)


@kept_page
@league_view
@require_safe
def league_season_page(request: HttpRequest, league: League, league_season: str) -> HttpResponse:
    """The tables of a season."""
    season = find_league_season(league, league_season)
    return _season_page(request, league, season, list(league.seasons.all()))


def _season_page(
    request: HttpRequest, league: League, season: LeagueSeason | None, seasons: list[LeagueSeason]
) -> HttpResponse:
    tables = season_tables(season) if season else []
    context = {
        "league": league,
        "season": season,
        "seasons": [other for other in seasons if other != season],
        "tables": [(table, table_lines(table)) for table in tables],
        "words": rule_words(season) if season else [],
    }
    return render(request, "tournaments/leagues/season.html", context)


def table_lines(table: DivisionTable) -> Lines:
    """The lines of a table as they are read."""
    return [
        {
            "row": line.row,
            "team": line.team,
            "zone": line.zone,
            "below_a_line": before is not None and before.zone != line.zone,
            "points": match_points(line.row.points, table.rule),
            "form": [OUTCOMES[outcome] for outcome in line.form],
            # Worked out only where a page says it.
            "why": partial(place_words, table, line),
        }
        for before, line in zip([None, *table.lines], table.lines, strict=False)
    ]


@kept_page
@league_view
@require_safe
def league_division(
    request: HttpRequest, league: League, league_season: str, position: int
) -> HttpResponse:
    """The table of a division, why each team has its place, and all match days."""
    found = _division(league, league_season, position)
    table = division_table(found)
    days = shown_days(MatchDay.objects.filter(division=found))
    context = {
        "league": league,
        "season": found.season,
        "division": found,
        "table": table,
        "lines": table_lines(table),
        "outlooks": outlook_words(table),
        "days": days,
        "byes": byes_of(found, days),
    }
    return render(request, "tournaments/leagues/division.html", context)


def _division(league: League, season: str, position: int) -> Division:
    found = find_league_season(league, season)
    divisions = Division.objects.select_related("season__league")
    return get_object_or_404(divisions, season=found, position=position)


@league_view
@require_safe
def league_table_pdf(
    request: HttpRequest, league: League, league_season: str, position: int
) -> HttpResponse:
    """The table of a division on paper."""
    found = _division(league, league_season, position)
    return pdf_answer(table_pdf(division_table(found)), league, found.season.name, found.name)


@league_view
@require_safe
def league_season_pdf(request: HttpRequest, league: League, league_season: str) -> HttpResponse:
    """A whole season on paper: all tables, match days and results."""
    season = find_league_season(league, league_season)
    tables = season_tables(season)
    if not tables:
        raise Http404
    days = shown_days(MatchDay.objects.filter(division__season=season))
    return pdf_answer(season_pdf(tables, days), league, season.name)


@league_view
@require_safe
def league_day(request: HttpRequest, league: League, day: int) -> HttpResponse:
    """A match day as it stands: by team and by table, while it is played."""
    found = find_match_day(league, day)
    return render(request, "tournaments/leagues/live.html", _day_context(league, found))


@league_view
@require_safe
def league_day_live(request: HttpRequest, league: League, day: int) -> HttpResponse:
    """The part of that page which changes; 304 when nothing did."""
    found = find_match_day(league, day)
    tag = _day_tag(league, evening_of(found))

    def make() -> HttpResponse:
        template = "tournaments/leagues/live_part.html"
        return render(request, template, _day_context(league, found))

    return shared_part(request, tag, make)


# What a hall polls is never refused.
league_day_live.is_polled = True  # type: ignore[attr-defined]


def _day_tag(league: League, evening: Evening | None) -> str:
    """Changes whenever the public could see something else of a match day, in this language."""
    own = evening_etag(evening) if evening else get_language()
    return f'"{league.chain_head[:12]}-{str(own).strip(chr(34))}"'


def _day_context(league: League, day: MatchDay) -> dict[str, object]:
    evening = evening_of(day)
    matches = live_matches(day, evening)
    context: dict[str, object] = {
        "league": league,
        "season": day.division.season,
        "day": day,
        "evening": evening,
        "rounds": [
            (number, list(of_round))
            for number, of_round in groupby(matches, key=lambda live: live.match.round)
        ],
    }
    if any(not live.match.binding for live in matches):
        context |= PHONE_POLL.context(_day_tag(league, evening))
    return context


@league_view
@require_safe
def league_team_page(request: HttpRequest, league: League, team: int) -> HttpResponse:
    """A team: its place, its players as their club shows them, its matches."""
    found = find_league_team(league, team)
    table = division_table(found.division)
    line = next((line for line in table_lines(table) if line["team"] == found), None)
    club = Club.objects.listed().filter(uuid=found.club_uuid).first() if found.club_uuid else None
    days = MatchDay.objects.filter(division=found.division_id)
    context = {
        "league": league,
        "season": found.division.season,
        "team": found,
        "line": line,
        "players": player_names(list(found.players.all())),
        "days": [shown for shown in shown_days(days, team=found) if shown.matches],
        "team_club": club,
    }
    return render(request, "tournaments/leagues/team.html", context)


@league_view
@require_safe
def league_calendar(request: HttpRequest, league: League) -> HttpResponse:
    """The match days of the latest season, for calendar programs that subscribe to it."""
    season = league.seasons.first()
    days = shown_days(MatchDay.objects.filter(division__season=season))
    return _calendar(league, days, name=league.name, file=league.slug)


@league_view
@require_safe
def league_feed(request: HttpRequest, league: League) -> HttpResponse:
    """Results, match days that moved and official lists of rankings, as Atom."""
    page, own = league.get_absolute_url(), reverse("league_feed", args=[league.slug])
    feed = Feed(server_url(), league.name, page, own, author=league.name, language=league.language)
    return feed_answer(request, feed, league_entries(league))


@league_view
@require_safe
def league_team_calendar(request: HttpRequest, league: League, team: int) -> HttpResponse:
    """The match days of one team."""
    found = find_league_team(league, team)
    days = MatchDay.objects.filter(division=found.division_id)
    shown = [day for day in shown_days(days) if found in day.teams]
    name = _("%(team)s in %(league)s") % {"team": found.name, "league": league.name}
    return _calendar(league, shown, name=name, file=f"{league.slug}-{found.pk}")


def _calendar(league: League, days: list[ShownDay], *, name: str, file: str) -> HttpResponse:
    return HttpResponse(
        league_ical(league, days, base=server_url(), name=name),
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": f'inline; filename="{file}.ics"'},
    )


def league_entries(league: League) -> list[Entry]:
    """Of the latest season, and its rankings. Seven queries at most."""
    entries = [*_results(league), *_moves(league), *_lists(league)]
    return sorted(entries, key=lambda entry: entry.updated, reverse=True)


def _days(league: League) -> QuerySet[MatchDay]:
    return MatchDay.objects.filter(division__season__in=league.seasons.all()[:1])


def _results(league: League) -> Iterator[Entry]:
    days = _days(league)
    written = days.annotate(written=Max("matches__written_at")).exclude(written=None)
    newest = dict(written.order_by("-written").values_list("pk", "written")[:FEED_DAYS])
    for shown in shown_days(MatchDay.objects.filter(pk__in=newest)):
        yield Entry(
            key=_key(league, shown.day, "results"),
            title=_("%(division)s, match day %(n)s: results") % _words(shown.day),
            text="; ".join(_result(match) for match in shown.matches if match.is_over),
            path=reverse("league_day", args=[league.slug, shown.day.pk]),
            updated=newest[shown.day.pk],
        )


def _result(match: LeagueMatch) -> str:
    if match.walkover is not None:
        return f"{match}: " + _("%(name)s did not appear") % {"name": match.walkover.name}
    home, away = match.totals
    return f"{match}: {number(home)} – {number(away)}"


def _moves(league: League) -> Iterator[Entry]:
    """The last time that each day was moved."""
    dated = _days(league).exclude(date=None).select_related("division")
    days = {about(day): day for day in dated}
    events = AuditEvent.objects.filter(
        chain=league.chain_name, action="match_day_moved", object_ref__in=days
    )
    moved = events.values_list("object_ref").annotate(at=Max("at")).order_by("-at", "object_ref")
    for ref, at in moved[:FEED_MOVES]:
        day = days[ref]
        words = {**_words(day), "day": day.date and date_format(day.date, "j F Y")}
        yield Entry(
            key=_key(league, day, "moved"),
            title=_("%(division)s, match day %(n)s: now on %(day)s") % words,
            text=day.place,
            path=reverse("league_day", args=[league.slug, day.pk]),
            updated=at,
        )


def _lists(league: League) -> Iterator[Entry]:
    for made in latest_lists(league).defer("rows", "rule"):
        day = date_format(made.on, "j F Y")
        yield Entry(
            key=uuid5(league.uuid, f"list {made.ranking_id} {made.number}"),
            title=f"{made.ranking.name}: "
            + _("List %(n)s: %(day)s") % {"n": made.number, "day": day},
            text="",
            path=reverse("league_ranking_list", args=[league.slug, made.ranking.slug, made.number]),
            updated=made.published_at,
        )


def _key(league: League, day: MatchDay, what: str) -> UUID:
    return uuid5(league.uuid, f"{what} of day {day.pk}")


def _words(day: MatchDay) -> dict[str, object]:
    return {"division": day.division.name, "n": day.number}
