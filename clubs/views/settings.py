"""The club itself: its name and words, and the address that phones open."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubs.forms import AddressForm, ClubForm
from clubs.links import absolute_url, base_url, qr_svg
from clubs.models import Club
from clubs.permissions import MANAGE_CLUB, actor_of, desk_view, speak_clubs_language
from clubs.services import address_choose, club_change
from clubs.views.common import form_saved, show, typed

SECTION = "settings"


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "HEAD", "POST"])
def club_settings(request: HttpRequest, club: Club) -> HttpResponse:
    form = ClubForm(typed(request), instance=Club.objects.get(pk=club.pk))
    if form_saved(
        form, lambda: club_change(club=club, actor=actor_of(request), **form.cleaned_data)
    ):
        speak_clubs_language(request, club)
        messages.success(request, _("The settings are saved."))
        return redirect("club_settings", club.slug)
    return show(request, "settings.html", club, SECTION, form=form)


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "HEAD", "POST"])
def club_address(request: HttpRequest, club: Club) -> HttpResponse:
    """The address in every link and QR code, with a code to try it out."""
    form = AddressForm(typed(request), club=club)
    if form_saved(
        form, lambda: address_choose(club=club, address=form.address, actor=actor_of(request))
    ):
        messages.success(request, _("The address is saved. Try it out with a phone."))
        return redirect("club_address", club.slug)
    link = absolute_url(club, club.get_absolute_url())
    return show(
        request,
        "address.html",
        club,
        SECTION,
        form=form,
        link=link,
        base=base_url(club),
        code=qr_svg(link),
    )
