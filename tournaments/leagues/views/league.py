"""The pages with which a league is run: its seasons with their rule, divisions and teams."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access.permissions import actor_of, desk_view
from clubs.audit.trail import trail_page
from clubs.http.network import absolute_url, server_url
from clubs.http.pages import ConfirmedAction, form_saved, typed
from clubs.models import Club, User
from clubs.text.errors import VersionConflict
from tournaments.leagues.core.table import Match, league_table
from tournaments.leagues.forms import (
    DivisionForm,
    LeaderForm,
    LeagueForm,
    LeagueNameForm,
    LeagueRuleForm,
    LeagueSettingsForm,
    LeagueTeamForm,
    TeamsForm,
)
from tournaments.leagues.lineup_queries import line_ups_to_judge, matches_objected_to
from tournaments.leagues.lineups import (
    captain_links_of,
    captain_path,
    listed_for_others,
    teams_to_link_again,
)
from tournaments.leagues.permissions import (
    MAKE_LEAGUE,
    find_division,
    find_leader,
    find_league_season,
    find_league_team,
    leader_view,
)
from tournaments.leagues.queries import (
    hosted_days,
    latest_teams_of,
    league_events,
    leagues_of_club,
    overdue_days,
    season_tables,
    shown_days,
    table_rule,
)
from tournaments.leagues.season_end import days_without_host
from tournaments.leagues.services import (
    division_add,
    division_remove,
    division_rename,
    leader_add,
    leader_remove,
    league_change,
    league_create,
    league_rule_change,
    league_season_create,
)
from tournaments.leagues.teams import (
    team_change,
    team_lines,
    team_remove,
    teams_add,
)
from tournaments.leagues.texts import match_points, rule_words
from tournaments.models import (
    League,
    LeagueSeason,
    LeagueTeam,
    MatchDay,
)

read_or_write = require_http_methods(["GET", "HEAD", "POST"])

EXAMPLE = (
    Match(("A", "B"), ((1386, 1326), (1230, 1502)), 1, 1, 1),
    Match(("C", "D"), ((1404, 1288), (1351, 1311)), 1, 1, 1),
)
"""Two matches of one round, to show what a rule makes of them."""


def shown(
    request: HttpRequest,
    template: str,
    league: League,
    *,
    form: BaseForm | None = None,
    status: int | None = None,
    **context: Any,
) -> HttpResponse:
    """A page for the leaders; 422 when its form has errors."""
    faulty = form is not None and form.is_bound and bool(form.errors)
    return render(
        request,
        f"tournaments/leagues/{template}",
        {"league": league, "form": form, **context},
        status=status or (422 if faulty else 200),
    )


def asked(request: HttpRequest, league: League, confirmation: ConfirmedAction) -> HttpResponse:
    """Ask on a page for the leaders, and act on a yes."""
    return confirmation.respond(request, partial(shown, request, "confirm.html", league))


def saved(form: BaseForm, save: Callable[[], object]) -> bool:
    """Like `form_saved`; that somebody else was first is an error of the form as well."""
    try:
        return form_saved(form, save)
    except VersionConflict as error:
        form.add_error(None, error.message)
        return False


@desk_view(MAKE_LEAGUE)
@read_or_write
def club_leagues(request: HttpRequest, club: Club) -> HttpResponse:
    """The leagues that the reader leads or in which the club plays; and a new one."""
    form = LeagueForm(typed(request))
    made: list[League] = []

    def make() -> None:
        if isinstance(request.user, User):
            given, actor = form.cleaned_data, actor_of(request)
            made.append(league_create(**given, leader=request.user, actor=actor))

    if form_saved(form, make):
        messages.success(request, _("The league has been made. Now make its first season."))
        return redirect("league_desk", made[0].slug)
    context = {
        "club": club,
        "section": "settings",
        "form": form,
        "led": League.objects.filter(leaders__user=request.user.pk),
        "played_in": leagues_of_club(club),
        "hosted": hosted_days(club),
        "teams": _teams_with_links(club),
    }
    status = 422 if form.errors else 200
    return render(request, "tournaments/leagues/club_leagues.html", context, status=status)


def _teams_with_links(club: Club) -> list[tuple[LeagueTeam, str]]:
    """The teams of a club in the latest season of each league, each with the address of its
    captain. Two queries."""
    playing = latest_teams_of(club)
    links = captain_links_of(playing)
    paths = {team: captain_path(link) for team, link in links.items()}
    return [
        (team, absolute_url(club, paths[team.pk]) if paths.get(team.pk) else "") for team in playing
    ]


@leader_view
@read_or_write
def league_desk(request: HttpRequest, league: League) -> HttpResponse:
    """The seasons of the league, and a form for a new one."""
    form = LeagueNameForm(typed(request))
    if saved(
        form,
        lambda: league_season_create(league=league, actor=actor_of(request), **form.cleaned_data),
    ):
        season = league.seasons.first()
        messages.success(request, _("The season has been made. Look at its rule, then add teams."))
        return redirect("league_season_desk", league.slug, season.slug if season else "")
    return shown(request, "desk.html", league, form=form, seasons=league.seasons.all())


@leader_view
@read_or_write
def league_settings(request: HttpRequest, league: League) -> HttpResponse:
    """The name, the language, and who leads the league."""
    stands = {name: getattr(league, name) for name in ("name", "language", "version")}
    form = LeagueSettingsForm(typed(request), initial=stands)
    change = partial(league_change, league=league, actor=actor_of(request))
    if saved(form, lambda: change(**form.cleaned_data)):
        messages.success(request, _("The settings are saved."))
        return redirect("league_settings", league.slug)
    leaders = league.leaders.select_related("user")
    league.refresh_from_db()
    return shown(
        request, "settings.html", league, form=form, leaders=leaders, leader_form=LeaderForm()
    )


@leader_view
@read_or_write
def league_leader_add(request: HttpRequest, league: League) -> HttpResponse:
    """Somebody else leads the league too."""
    form = LeaderForm(typed(request))
    if saved(form, lambda: leader_add(league=league, actor=actor_of(request), **form.cleaned_data)):
        messages.success(request, _("%s leads the league now too.") % form.cleaned_data["email"])
        return redirect("league_settings", league.slug)
    title = _("Somebody who leads the league too")
    back = reverse("league_settings", args=[league.slug])
    return shown(request, "form_page.html", league, form=form, title=title, back_url=back)


@leader_view
@read_or_write
def league_leader_remove(request: HttpRequest, league: League, leader: int) -> HttpResponse:
    """Ask, then let somebody lead the league no longer."""
    row = find_leader(league, leader)
    back = reverse("league_settings", args=[league.slug])

    def act() -> HttpResponse | str:
        leader_remove(leader=row, actor=actor_of(request))
        if row.user_id == request.user.pk:
            messages.success(request, _("You no longer lead this league."))
            return redirect(league)
        return _("%s leads the league no longer.") % row.user.email

    return asked(
        request,
        league,
        ConfirmedAction(
            title=_("Take the task of %s away?") % row.user.email,
            text=_("They can no longer change anything in this league. You can ask them back."),
            yes=_("Yes, take it away"),
            back_url=back,
            act=act,
            next_url=back,
        ),
    )


@leader_view
@require_safe
def league_trail(request: HttpRequest, league: League) -> HttpResponse:
    """What happened in the league, newest first."""
    page = trail_page(league_events(league), request.GET.get("page"))
    return shown(request, "trail.html", league, trail=page)


# A season: its overview, its rule, its divisions.


@leader_view
@read_or_write
def league_season_desk(request: HttpRequest, league: League, league_season: str) -> HttpResponse:
    """The divisions of a season with how far each is, what is late, and a new division."""
    season = find_league_season(league, league_season)
    form = LeagueNameForm(typed(request))
    if saved(
        form, lambda: division_add(season=season, actor=actor_of(request), **form.cleaned_data)
    ):
        messages.success(request, _("The division has been added."))
        return redirect("league_season_desk", league.slug, season.slug)
    return shown(
        request,
        "season_desk.html",
        league,
        form=form,
        season=season,
        tables=season_tables(season),
        overdue=overdue_days(season),
        hostless=days_without_host(season),
        objected=matches_objected_to(season),
        to_judge=line_ups_to_judge(season),
        to_link_again=teams_to_link_again(season),
        words=rule_words(season),
    )


@leader_view
@read_or_write
def league_rule(request: HttpRequest, league: League, league_season: str) -> HttpResponse:
    """How the season is played and counted; “show” says it in words before anything is saved."""
    season = find_league_season(league, league_season)
    form = LeagueRuleForm(typed(request), instance=season)
    previews = "preview" in request.POST
    if not previews and saved(
        form,
        lambda: league_rule_change(
            season=season,
            rule=form.rule(),
            version=form.cleaned_data["version"],
            actor=actor_of(request),
        ),
    ):
        messages.success(request, _("The rule of the season is saved."))
        return redirect("league_season_desk", league.slug, season.slug)
    meant = find_league_season(league, league_season)
    if form.is_bound and form.is_valid():
        for name, value in form.rule().items():
            setattr(meant, name, value)
    return shown(
        request,
        "rule.html",
        league,
        form=form,
        season=find_league_season(league, league_season),
        words=rule_words(meant),
        example=_example(meant),
        previews=previews and form.is_valid(),
    )


def _example(season: LeagueSeason) -> list[tuple[int, str, str, int]]:
    """What the rule makes of the example: place, team, match points and points."""
    rule = table_rule(season)
    rows = league_table(["A", "B", "C", "D"], EXAMPLE, rule)
    return [(row.place, row.team, match_points(row.points, rule), row.scored) for row in rows]


@leader_view
@read_or_write
def division_desk(request: HttpRequest, league: League, division: int) -> HttpResponse:
    """The teams of a division, its match days, and what can be done with it; teams are added in
    one go."""
    found = find_division(league, division)
    form = TeamsForm(typed(request))
    added: list[LeagueTeam] = []

    def add() -> None:
        lines = team_lines(form.cleaned_data["teams"])
        added.extend(teams_add(division=found, lines=lines, actor=actor_of(request)))

    if saved(form, add):
        said = ngettext("%(n)s team has been added.", "%(n)s teams have been added.", len(added))
        messages.success(request, said % {"n": len(added)})
        return redirect("division_desk", league.slug, found.pk)
    return shown(
        request,
        "division_desk.html",
        league,
        form=form,
        division=found,
        season=found.season,
        teams=found.teams.prefetch_related("players"),
        days=shown_days(MatchDay.objects.filter(division=found)),
    )


@leader_view
@read_or_write
def division_edit(request: HttpRequest, league: League, division: int) -> HttpResponse:
    """Another name for a division."""
    found = find_division(league, division)
    stands = {"name": found.name, "version": found.version}
    form = DivisionForm(typed(request), initial=stands)
    rename = partial(division_rename, division=found, actor=actor_of(request))
    if saved(form, lambda: rename(**form.cleaned_data)):
        messages.success(request, _("The division has another name now."))
        return redirect("division_desk", league.slug, found.pk)
    back = reverse("division_desk", args=[league.slug, found.pk])
    title = _("Another name for %s") % found.name
    return shown(request, "form_page.html", league, form=form, title=title, back_url=back)


@leader_view
@read_or_write
def division_take_away(request: HttpRequest, league: League, division: int) -> HttpResponse:
    """Ask, then remove a division that has no fixtures."""
    found = find_division(league, division)
    season_url = reverse("league_season_desk", args=[league.slug, found.season.slug])
    teams = found.teams.count()

    def act() -> str:
        division_remove(division=found, actor=actor_of(request))
        return _("The division has been removed.")

    said = ngettext(
        "Its %(n)s team goes too, with its players.",
        "Its %(n)s teams go too, with their players.",
        teams,
    )
    return asked(
        request,
        league,
        ConfirmedAction(
            title=_("Remove %s?") % found.name,
            text=said % {"n": teams} if teams else _("It has no teams."),
            yes=_("Yes, remove it"),
            back_url=reverse("division_desk", args=[league.slug, found.pk]),
            act=act,
            next_url=season_url,
        ),
    )


# A team.


@leader_view
@read_or_write
def league_team_edit(request: HttpRequest, league: League, team: int) -> HttpResponse:
    """A team's name, club and players; and whether it still plays."""
    found = find_league_team(league, team)
    form = LeagueTeamForm(typed(request), initial=LeagueTeamForm.of(found))

    def change() -> None:
        given = form.cleaned_data
        team_change(
            team=found,
            name=given["name"],
            club=given["club"],
            players=form.names("players"),
            reserves=form.names("reserves"),
            version=given["version"],
            actor=actor_of(request),
        )

    if saved(form, change):
        messages.success(request, _("The team is saved."))
        for name, other in listed_for_others(found):
            said = _("%(name)s is on the list of %(other)s too, of another club.")
            messages.warning(request, said % {"name": name, "other": other})
        return redirect("division_desk", league.slug, found.division_id)
    stands = find_league_team(league, team)
    link = captain_links_of([stands]).get(stands.pk)
    path = captain_path(link) if link else ""
    address = server_url() + path if path else ""
    return shown(
        request,
        "team_edit.html",
        league,
        form=form,
        team=stands,
        address=address,
        penalties=stands.penalties.all(),
        elsewhere=listed_for_others(stands),
    )


@leader_view
@read_or_write
def league_team_remove(request: HttpRequest, league: League, team: int) -> HttpResponse:
    """Ask, then remove a team of a division without fixtures."""
    found = find_league_team(league, team)
    division_url = reverse("division_desk", args=[league.slug, found.division_id])

    def act() -> str:
        team_remove(team=found, actor=actor_of(request))
        return _("%s has been removed.") % found.name

    return asked(
        request,
        league,
        ConfirmedAction(
            title=_("Remove %s?") % found.name,
            text=_("The team and its players go from the list of this season."),
            yes=_("Yes, remove it"),
            back_url=reverse("league_team_edit", args=[league.slug, found.pk]),
            act=act,
            next_url=division_url,
        ),
    )
