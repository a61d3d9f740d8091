"""The page on which a club asks its organisers for a second factor."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubs.access.permissions import MANAGE_CLUB, actor_of, desk_view
from clubs.http.pages import show
from clubs.models import Club, Role, User
from clubs.sign_in.clubs import second_factor_ask
from clubs.text.errors import DomainError


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "HEAD", "POST"])
def club_second_factor(request: HttpRequest, club: Club) -> HttpResponse:
    """Who of the organisers has a second factor, and whether it is asked for; a POST changes it."""
    if request.method == "POST":
        asks = request.POST.get("asks") == "yes"
        try:
            second_factor_ask(club=club, asks=asks, actor=actor_of(request))
        except DomainError as error:
            messages.error(request, error.message)
        else:
            messages.success(request, _("It is saved."))
        return redirect("club_second_factor", club.slug)
    organisers = User.objects.filter(roles__club=club, roles__kind=Role.Kind.ORGANISER)
    organisers = organisers.select_related("code_secret").prefetch_related("passkeys")
    people = [
        (user, hasattr(user, "code_secret") or bool(user.passkeys.all()))
        for user in organisers.order_by("name", "email")
    ]
    return show(
        request,
        "sign_in/club.html",
        club,
        "settings",
        people=people,
        is_ready=any(ready for user, ready in people if user == request.user),
    )
