"""What is done at a club itself, and who is let in to which page."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec
from urllib.parse import urlsplit, urlunsplit

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from clubs.access.language import chosen_language
from clubs.access.roles import (
    Action,
    action,
    caller_of,
    is_director,
    is_organiser,
    is_scorekeeper,
    opens_for,
)
from clubs.audit.services import Actor
from clubs.models import Club, User

P = ParamSpec("P")
ClubView = Callable[Concatenate[HttpRequest, Club, P], HttpResponse]
SlugView = Callable[..., HttpResponse]


READ_DESK = action("clubs.read_desk", "open the desk", is_scorekeeper, scope="read")
READ_MEMBERS = action(
    "clubs.read_members", "read the members with their details", is_organiser, scope="read"
)
MANAGE_MEMBERS = action(
    "clubs.manage_members",
    "add, change, merge, import and erase members",
    is_organiser,
    scope="members",
)
MANAGE_CLUB = action(
    "clubs.manage_club", "settings, team, logo, seasons, regulations", is_organiser, scope="members"
)
READ_TRAIL = action("clubs.read_trail", "read the club's trail", is_organiser, scope="read")
SEE_TRAIL = action(
    "clubs.see_trail",
    "see what happened to a deal or a table, to somebody or by them",
    is_director,
    scope="read",
)


def desk_view(asked: Action) -> Callable[[ClubView[P]], SlugView]:
    """A view of a club's desk: gets the club in place of its slug, for those whose
    task `asked` is; whether it can be done now, the view sees.

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
            if not asked.who.test(caller_of(request), club):
                raise PermissionDenied
            response = view(request, club, *args, **kwargs)
            response.headers.setdefault("Cache-Control", "private, no-cache")
            return response

        return opens_for(asked, guarded)

    return decorate


def public_view(view: ClubView[P]) -> SlugView:
    """A page of a club that anybody may read: gets the club in place of its slug."""

    @wraps(view)
    def shown(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        return view(request, _club(request, slug), *args, **kwargs)

    return opens_for(None, shown)


def actor_of(request: HttpRequest) -> Actor:
    """The logged-in person as the trail knows them. Only inside a `desk_view`."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return Actor.of_user(request.user)


def _login_first(request: HttpRequest) -> HttpResponse:
    if request.method in ("GET", "HEAD"):
        return redirect_to_login(request.get_full_path())
    if "text/html" in request.headers.get("Accept", ""):
        message = _("You are logged out, so nothing was saved. Log in and do it once more.")
        messages.warning(request, message)
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
