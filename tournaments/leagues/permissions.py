"""Who may do what in leagues, the guards of their pages, and finding what is of a league, or of a
club or team in it: pages and the API find it here, so that both refuse what is another's.

A league has leaders of its own. Whoever organises a club can make one, and leads it from then on.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import translation

from clubs.access.permissions import (
    Action,
    Caller,
    Target,
    action,
    caller_of,
    chosen_language,
    is_organiser,
    opens_for,
    predicate,
)
from clubs.databases.replica import read_for
from clubs.models import Club, User
from tournaments.leagues.queries import evening_of
from tournaments.models import (
    CaptainLink,
    Division,
    EventSource,
    League,
    LeagueLeader,
    LeagueMatch,
    LeaguePenalty,
    LeaguePerson,
    LeagueRanking,
    LeagueSeason,
    LeagueTeam,
    LineUp,
    MatchDay,
    NightRelease,
    PersonLink,
    RankingList,
    SharedNight,
)

P = ParamSpec("P")
LeagueView = Callable[Concatenate[HttpRequest, League, P], HttpResponse]


@predicate("leads the league")
def leads(caller: Caller, target: Target | League) -> bool:
    """Whether the caller is one of the leaders of this league, not with a token for one club."""
    if not isinstance(target, League) or not isinstance(caller.user, User):
        return False
    return caller.only_club is None and target.leaders.filter(user=caller.user).exists()


@predicate("holds the captain's link")
def is_captain(caller: Caller, target: Target | LeagueTeam) -> bool:
    """Whether the caller has a valid link of this team's captain."""
    link = caller.link
    if not isinstance(link, CaptainLink) or not isinstance(target, LeagueTeam):
        return False
    return link.team_id == target.pk and link.revoked_at is None


@predicate("holds the link of their number")
def is_asked_for_number(caller: Caller, target: Target | PersonLink) -> bool:
    """Whether the caller has this link, which a club made for one member."""
    return isinstance(caller.link, PersonLink) and caller.link == target


MAKE_LEAGUE = action(
    "leagues.make", "make a league between clubs, and lead it", is_organiser, scope="members"
)
RUN_LEAGUE = action(
    "leagues.run",
    "run a league that one leads: its seasons, teams, fixtures and results",
    leads,
    scope="leagues",
)
GIVE_EVENTS = action(
    "leagues.give_events",
    "give leagues on other servers the published evenings, as a file or by a link",
    is_organiser,
    scope="members",
)
ACT_AS_CAPTAIN = action(
    "leagues.captain",
    "say who plays for a team, and whether a result is right",
    is_captain,
    scope="",
)
CONFIRM_NUMBER = action(
    "leagues.confirm_number",
    "be known to a league by a number, or no longer",
    is_asked_for_number,
    scope="",
)


def leader_view(view: LeagueView[P]) -> Callable[..., HttpResponse]:
    """A page for the leaders of a league: it gets the league in place of its slug.

    Without a login it redirects to the login page, without the role it answers 403.
    """

    @wraps(view)
    def guarded(
        request: HttpRequest, league: str, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        found = _league(request, league)
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not RUN_LEAGUE.role.test(caller_of(request), found):
            raise PermissionDenied
        response = view(request, found, *args, **kwargs)
        response.headers.setdefault("Cache-Control", "private, no-cache")
        return response

    return opens_for(RUN_LEAGUE, guarded)


def league_view(view: LeagueView[P], needed: Action | None = None) -> Callable[..., HttpResponse]:
    """A public page of a league, or one that a secret in its address opens: it gets the league in
    place of its slug."""

    @wraps(view)
    def shown(request: HttpRequest, league: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        def read() -> HttpResponse:
            return view(request, _league(request, league), *args, **kwargs)

        return read_for(request, read) if needed is None else read()

    return opens_for(needed, shown)


def _league(request: HttpRequest, slug: str) -> League:
    league = get_object_or_404(League, slug=slug)
    if chosen_language(request) is None:
        translation.activate(league.language)
    return league


# What is of a league, by its address; Http404 for another league's.


def find_league_season(league: League, slug: str) -> LeagueSeason:
    """The season of this league with this slug."""
    return get_object_or_404(
        LeagueSeason.objects.select_related("league"), league=league, slug=slug
    )


def find_division(league: League, pk: int) -> Division:
    """The division of this league with this id."""
    divisions = Division.objects.select_related("season__league")
    return get_object_or_404(divisions, season__league=league, pk=pk)


def find_league_team(league: League, pk: int) -> LeagueTeam:
    """The team of this league with this id."""
    teams = LeagueTeam.objects.select_related("division__season__league")
    return get_object_or_404(teams, division__season__league=league, pk=pk)


def find_match_day(league: League, pk: int) -> MatchDay:
    """The match day of this league with this id."""
    days = MatchDay.objects.select_related("division__season__league", "host")
    return get_object_or_404(days, division__season__league=league, pk=pk)


MATCHES = LeagueMatch.objects.select_related(
    "home__division", "away__division", "day__division__season__league", "day__host"
)
"""Matches with all that a line-up or a result of one asks of its teams, day and season."""


def find_match(league: League, pk: int) -> LeagueMatch:
    """The match of this league with this id."""
    return get_object_or_404(MATCHES.all(), day__division__season__league=league, pk=pk)


def find_line_up(league: League, pk: int) -> LineUp:
    """The line-up of this league with this id."""
    line_ups = LineUp.objects.select_related(
        "match__home", "match__away", "match__day__division__season__league"
    )
    return get_object_or_404(line_ups, match__day__division__season__league=league, pk=pk)


def find_penalty(league: League, pk: int) -> LeaguePenalty:
    """The penalty of a team of this league with this id."""
    penalties = LeaguePenalty.objects.select_related("team__division__season__league")
    return get_object_or_404(penalties, team__division__season__league=league, pk=pk)


def find_ranking(league: League, slug: str) -> LeagueRanking:
    """The ranking of this league with this slug."""
    rankings = LeagueRanking.objects.select_related("league")
    return get_object_or_404(rankings, league=league, slug=slug)


def find_ranking_to_run(league: League, pk: int) -> LeagueRanking:
    """The ranking of this league with this id, which stays when its name becomes another."""
    rankings = LeagueRanking.objects.select_related("league")
    return get_object_or_404(rankings, league=league, pk=pk)


def find_list(ranking: LeagueRanking, number: int) -> RankingList:
    """The official list of this ranking with this number."""
    return get_object_or_404(ranking.lists, number=number)


def find_night(league: League, pk: int) -> SharedNight:
    """The night of several clubs of this league with this id."""
    night = get_object_or_404(SharedNight, league=league, pk=pk)
    night.league = league
    return night


def find_night_release(night: SharedNight, number: int) -> NightRelease:
    """The release of this night with this number."""
    made = get_object_or_404(night.releases, number=number)
    made.night = night
    return made


def find_person(league: League, number: int) -> LeaguePerson:
    """Whom this league knows by this number."""
    return get_object_or_404(LeaguePerson, league=league, number=number)


def find_source(league: League, pk: int) -> EventSource:
    """The club from which this league gets events, by this id."""
    return get_object_or_404(EventSource.objects.select_related("league"), league=league, pk=pk)


def find_leader(league: League, pk: int) -> LeagueLeader:
    """The leader of this league with this id."""
    return get_object_or_404(LeagueLeader.objects.select_related("user"), league=league, pk=pk)


# What is a team's or a club's.


def find_match_of(team: LeagueTeam, pk: int) -> LeagueMatch:
    """The match of this team with this id."""
    return get_object_or_404(MATCHES.filter(Q(home=team) | Q(away=team)), pk=pk)


def find_team_of(club: Club, pk: int) -> LeagueTeam:
    """The team of this club with this id, in whichever league."""
    teams = LeagueTeam.objects.select_related("division__season__league")
    return get_object_or_404(teams, club_uuid=club.uuid, pk=pk)


def find_hosted_day(club: Club, pk: int) -> MatchDay:
    """The match day with this id that a team of the club hosts, and no other club plays as an
    evening of its own."""
    days = MatchDay.objects.select_related("division__season__league", "host")
    found = get_object_or_404(days, host__club_uuid=club.uuid, pk=pk)
    evening = evening_of(found)
    if evening is not None and evening.club_id != club.pk:
        raise Http404
    return found


def find_hosted_match(club: Club, pk: int, team: int) -> tuple[LeagueMatch, LeagueTeam]:
    """The match with this id of a day that the club hosts, and its team with that id."""
    match = get_object_or_404(MATCHES.all(), pk=pk)
    find_hosted_day(club, match.day_id)
    for playing in (match.home, match.away):
        if playing.pk == team:
            return match, playing
    raise Http404
