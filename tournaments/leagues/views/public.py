"""The public pages of leagues: tables with every place explained, fixtures, results, teams."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.models import Club
from tournaments.leagues.files import league_ical, table_pdf
from tournaments.leagues.permissions import league_view
from tournaments.leagues.queries import (
    DivisionTable,
    ShownDay,
    byes_of,
    division_table,
    player_names,
    season_tables,
    shown_days,
)
from tournaments.leagues.texts import (
    OUTCOMES,
    match_points,
    outlook_words,
    place_words,
    rule_words,
)
from tournaments.leagues.views.league import find_league_season, find_league_team
from tournaments.models import Division, League, LeagueSeason, MatchDay

Lines = list[dict[str, object]]


@require_safe
def league_list(request: HttpRequest) -> HttpResponse:
    """All leagues of this server."""
    return render(request, "tournaments/leagues/list.html", {"leagues": League.objects.all()})


@league_view
@require_safe
def league_page(request: HttpRequest, league: League) -> HttpResponse:
    """The tables of the latest season, and the way to earlier ones."""
    seasons = list(league.seasons.all())
    season = seasons[0] if seasons else None
    return _season_page(request, league, season, seasons)


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
            "why": place_words(table, line),
        }
        for before, line in zip([None, *table.lines], table.lines, strict=False)
    ]


@league_view
@require_safe
def league_division(
    request: HttpRequest, league: League, league_season: str, position: int
) -> HttpResponse:
    """The table of a division, why each team has its place, and all match days."""
    found = _division(league, league_season, position)
    tables = season_tables(found.season)
    table = next(table for table in tables if table.division.pk == found.pk)
    days = shown_days(MatchDay.objects.filter(division=found))
    context = {
        "league": league,
        "season": found.season,
        "division": found,
        "table": table,
        "lines": table_lines(table),
        "outlooks": outlook_words(table, len(tables)),
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
    name = f"{league.slug}-{found.season.slug}-{found.position}.pdf"
    return HttpResponse(
        table_pdf(division_table(found)),
        content_type="application/pdf",
        headers={"Content-Disposition": f'inline; filename="{name}"'},
    )


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
    return _calendar(request, league, days, name=league.name, file=league.slug)


@league_view
@require_safe
def league_team_calendar(request: HttpRequest, league: League, team: int) -> HttpResponse:
    """The match days of one team."""
    found = find_league_team(league, team)
    days = MatchDay.objects.filter(division=found.division_id)
    shown = [day for day in shown_days(days) if found in day.teams]
    name = _("%(team)s in %(league)s") % {"team": found.name, "league": league.name}
    return _calendar(request, league, shown, name=name, file=f"{league.slug}-{found.pk}")


def _calendar(
    request: HttpRequest, league: League, days: list[ShownDay], *, name: str, file: str
) -> HttpResponse:
    base = request.build_absolute_uri("/").rstrip("/")
    return HttpResponse(
        league_ical(league, days, base=base, name=name),
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": f'inline; filename="{file}.ics"'},
    )
