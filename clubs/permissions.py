"""Who may do what at a club: named permissions over roles."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec
from urllib.parse import urlsplit, urlunsplit

import rules
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.middleware import chosen_language
from clubs.models import Club, Role, User

P = ParamSpec("P")
ClubView = Callable[Concatenate[HttpRequest, Club, P], HttpResponse]
SlugView = Callable[..., HttpResponse]


def _has_role(*kinds: Role.Kind) -> rules.Predicate:
    @rules.predicate(f"is {' or '.join(kinds)}")
    def has_role(user: User | AnonymousUser, club: Club) -> bool:
        return role_of(user, club) in kinds

    return has_role


def role_of(user: User | AnonymousUser, club: Club) -> str | None:
    """The role of this person at this club, or None."""
    if not isinstance(user, User):
        return None
    return Role.objects.filter(user=user, club=club).values_list("kind", flat=True).first()


is_organiser = _has_role(Role.Kind.ORGANISER)
is_director = _has_role(Role.Kind.ORGANISER, Role.Kind.DIRECTOR)
is_scorekeeper = _has_role(Role.Kind.ORGANISER, Role.Kind.DIRECTOR, Role.Kind.SCOREKEEPER)

MANAGE_CLUB = "clubs.manage_club"
MANAGE_MEMBERS = "clubs.manage_members"
RUN_EVENING = "tournaments.run_evening"
ENTER_DEALS = "scoring.enter_deals"

rules.add_perm(MANAGE_CLUB, is_organiser)
rules.add_perm(MANAGE_MEMBERS, is_organiser)
rules.add_perm(RUN_EVENING, is_director)
rules.add_perm(ENTER_DEALS, is_scorekeeper)


def may(user: User | AnonymousUser, permission: str, club: Club) -> bool:
    """Whether this person has a permission at this club."""
    return bool(rules.has_perm(permission, user, club))


def desk_view(permission: str) -> Callable[[ClubView[P]], SlugView]:
    """A view of a club's desk: gets the club in place of its slug, for those with `permission`.

    Who is not logged in is sent to the login page, and when something was to be written back to
    the page it came from; who may not is refused (403), and a club that does not exist is not
    found (404).
    """

    def decorate(view: ClubView[P]) -> SlugView:
        @wraps(view)
        def guarded(
            request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponse:
            club = _club(request, slug)
            if not request.user.is_authenticated:
                return _login_first(request)
            if not may(request.user, permission, club):
                raise PermissionDenied
            return view(request, club, *args, **kwargs)

        return guarded

    return decorate


def public_view(view: ClubView[P]) -> SlugView:
    """A page of a club that anybody may read: gets the club in place of its slug."""

    @wraps(view)
    def shown(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        return view(request, _club(request, slug), *args, **kwargs)

    return shown


def actor_of(request: HttpRequest) -> Actor:
    """The logged-in person as the trail knows him. Only inside a `desk_view`."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return Actor.of_user(request.user)


def _login_first(request: HttpRequest) -> HttpResponse:
    if request.method in ("GET", "HEAD"):
        return redirect_to_login(request.get_full_path())
    if "text/html" in request.headers.get("Accept", ""):
        told = _("You are logged out, so nothing was saved. Log in and do it once more.")
        messages.warning(request, told)
    came_from = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(came_from, {request.get_host()}):
        return redirect_to_login(request.get_full_path())
    page = urlsplit(came_from)
    return redirect_to_login(urlunsplit(("", "", page.path, page.query, "")))


def _club(request: HttpRequest, slug: str) -> Club:
    club = get_object_or_404(Club, slug=slug)
    request.club = club  # type: ignore[attr-defined]
    speak_clubs_language(request, club)
    return club


def speak_clubs_language(request: HttpRequest, club: Club) -> None:
    """Use the club's language, unless the reader chose one himself."""
    if chosen_language(request) is None:
        translation.activate(club.language)
