"""The front door: which clubs are here."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.access import may
from clubs.models import Club, User
from clubs.permissions import READ_DESK

SEARCH_FROM = 8
"""With fewer clubs than this there is nothing to search."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """All clubs, or those whose name holds `?q=`; on top the ones that the reader works for."""
    clubs = list(Club.objects.all())
    wanted = request.GET.get("q", "").strip()
    found = [club for club in clubs if wanted.casefold() in club.name.casefold()]
    return render(
        request,
        "clubs/home.html",
        {
            "clubs": found,
            "own_clubs": _own_clubs(request),
            "wanted": wanted,
            "searchable": len(clubs) >= SEARCH_FROM,
            "none_yet": not clubs,
        },
    )


def _own_clubs(request: HttpRequest) -> list[Club]:
    """The clubs whose desk the reader may open."""
    if not isinstance(request.user, User):
        return []
    return [
        club
        for club in Club.objects.filter(roles__user=request.user)
        if may(request, READ_DESK, club)
    ]
