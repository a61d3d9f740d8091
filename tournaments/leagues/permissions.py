"""Who may do what in leagues, and the guards of their pages.

A league has leaders of its own. Whoever organises a club can make one, and leads it from then on.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import translation

from clubs.access.permissions import (
    Caller,
    Target,
    action,
    caller_of,
    chosen_language,
    is_organiser,
    opens_for,
    predicate,
)
from clubs.models import User
from tournaments.models import League

P = ParamSpec("P")
LeagueView = Callable[Concatenate[HttpRequest, League, P], HttpResponse]


@predicate("leads the league")
def leads(caller: Caller, target: Target | League) -> bool:
    """Whether the caller is one of the leaders of this league, not with a token for one club."""
    if not isinstance(target, League) or not isinstance(caller.user, User):
        return False
    return caller.only_club is None and target.leaders.filter(user=caller.user).exists()


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


def league_view(view: LeagueView[P]) -> Callable[..., HttpResponse]:
    """A public page of a league: it gets the league in place of its slug."""

    @wraps(view)
    def shown(request: HttpRequest, league: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        return view(request, _league(request, league), *args, **kwargs)

    return opens_for(None, shown)


def _league(request: HttpRequest, slug: str) -> League:
    league = get_object_or_404(League, slug=slug)
    if chosen_language(request) is None:
        translation.activate(league.language)
    return league
