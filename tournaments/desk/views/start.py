"""Putting the first steps away, and getting them back."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clubs.access.permissions import MANAGE_CLUB, desk_view
from clubs.models import Club
from clubs.profile.services import start_put_away


@desk_view(MANAGE_CLUB)
@require_POST
def start_away(request: HttpRequest, club: Club) -> HttpResponse:
    """Take the first steps off the desk, or put them back there."""
    away = request.POST.get("away") == "1"
    start_put_away(club=club, away=away)
    messages.success(
        request,
        _("The first steps are put away. You get them back in the settings.")
        if away
        else _("The first steps are on the desk again, until they are done."),
    )
    return redirect("desk", club.slug)
