"""The club's logo: chosen at the desk, shown to everybody."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.forms import LogoForm
from clubs.models import Club, ClubLogo
from clubs.permissions import MANAGE_CLUB, actor_of, desk_view, public_view
from clubs.pictures import MAX_BYTES
from clubs.scoping import of_club
from clubs.services import logo_choose, logo_remove
from clubs.views.common import form_saved, show, typed

SECTION = "settings"


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "HEAD", "POST"])
def logo_settings(request: HttpRequest, club: Club) -> HttpResponse:
    """The logo that the club has, and another one in its place."""
    form = LogoForm(typed(request), request.FILES or None)
    if form_saved(form, lambda: _choose(request, club, form)):
        messages.success(request, _("The logo is saved."))
        return redirect("club_logo", club.slug)
    return show(request, "logo.html", club, SECTION, form=form)


@desk_view(MANAGE_CLUB)
@require_POST
def logo_take_away(request: HttpRequest, club: Club) -> HttpResponse:
    """Take the logo away; twice is no fault."""
    logo_remove(club=club, actor=actor_of(request))
    messages.success(request, _("The logo is taken away."))
    return redirect("club_logo", club.slug)


@require_safe
@public_view
def logo_png(request: HttpRequest, club: Club) -> HttpResponse:
    """The logo, kept by browsers for good under the address that names its version."""
    logo = of_club(club, ClubLogo)
    is_named = request.GET.get("v") == str(club.logo_version)
    keep = "max-age=31536000, immutable" if is_named else "max-age=300"
    return HttpResponse(
        bytes(logo.png), content_type="image/png", headers={"Cache-Control": f"public, {keep}"}
    )


def _choose(request: HttpRequest, club: Club, form: LogoForm) -> None:
    content = form.cleaned_data["picture"].read(MAX_BYTES + 1)
    logo_choose(club=club, content=content, actor=actor_of(request))
