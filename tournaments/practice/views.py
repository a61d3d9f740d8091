"""The page of the practice evening at the club's desk, and the button that plays a bit of it."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from clubs.access.permissions import MANAGE_CLUB, actor_of, desk_view
from clubs.models import Club
from clubs.profile.services import practice_club, practice_remove
from clubs.text.errors import DomainError
from tournaments.evenings.pages import evening_url, find_evening
from tournaments.evenings.permissions import CLOSE_ROUND
from tournaments.practice.services import practice_make, practice_play


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: HttpRequest, club: Club) -> HttpResponse:
    """What a practice evening is; a POST makes one, or leads to the one that is there."""
    if request.method == "POST":
        evening = practice_make(club=club, actor=actor_of(request))
        return redirect("desk", evening.club.slug)
    return render(
        request,
        "tournaments/practice/practice.html",
        {"club": club, "section": "settings", "practice": practice_club(club)},
    )


@desk_view(MANAGE_CLUB)
@require_POST
def practice_clear(request: HttpRequest, club: Club) -> HttpResponse:
    """Remove the practice evening; a repeat changes nothing."""
    practice_remove(club=club)
    messages.success(request, _("The practice evening is cleared away. Nothing of it is left."))
    return redirect("desk", club.slug)


@desk_view(CLOSE_ROUND)
@require_POST
def practice_on(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Play a bit of a practice evening, for the board that asks so every other second. It is shown
    anew when more than deals changed, and without playing when there is nothing more to play."""
    if club.practice_of_id is None:
        raise Http404
    evening = find_evening(club, evening_slug)
    board = evening_url("evening_board", evening)
    try:
        played = practice_play(evening=evening, actor=actor_of(request))
    except DomainError as error:
        messages.error(request, error.message)
        played = "nothing"
    response = HttpResponse(status=204)
    if played != "deals":
        response.headers["HX-Redirect"] = f"{board}?play=1" if played == "step" else board
    return response
