"""Ways to a table besides its code: its PIN, a phone that stays; and the service worker."""

from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
    require_safe,
)

from clubs.access.permissions import public_view
from clubs.http.middleware import network_of
from clubs.limits.work import refused_by_content
from clubs.models import Club
from clubs.text.errors import DomainError
from tournaments.scoresheets.views.access import TableAccess, link_view, see_other
from tournaments.table_links.devices import device_pair, phone_key, phone_kind
from tournaments.table_links.pins import pin_evenings, pin_try
from tournaments.table_links.services import token_secret

TOO_MANY = 429
NUMERIC = {"inputmode": "numeric", "autocomplete": "off"}


class PinField(forms.CharField):
    """Five digits; spaces between them do not matter."""

    def to_python(self, value: Any) -> str:
        return "".join((super().to_python(value) or "").split())


class PinForm(forms.Form):
    """Which table, and its PIN."""

    number = forms.IntegerField(
        label=_("Number of your table"),
        min_value=1,
        max_value=999,
        widget=forms.TextInput(attrs={**NUMERIC, "size": 4, "maxlength": 3}),
    )
    pin = PinField(
        label=_("PIN of your table"),
        help_text=_("Five digits. They stand on the card and on the score sheet of your table."),
        widget=forms.TextInput(attrs={**NUMERIC, "size": 7, "maxlength": 9}),
        validators=[RegexValidator(r"^[0-9]{5}\Z", _("A PIN has five digits, such as 40721."))],
    )


@require_safe
def pin(request: HttpRequest) -> HttpResponse:
    """The short address on cards and sheets: redirects to the club that plays now, or asks which
    one."""
    on = Club.objects.filter(pk__in=pin_evenings().values("club")).order_by("name")
    # Who practises must not hold up who plays; alone on a laptop they come in by a PIN as well.
    playing = on.listed() or on
    addresses = [(club.name, reverse("club_pin", args=[club.slug])) for club in playing]
    if len(addresses) == 1:
        return see_other(addresses[0][1])
    return render(request, "tournaments/scoresheets/table/pin_clubs.html", {"addresses": addresses})


# A forged request could only lead to a table whose PIN the forger knows; and a phone that keeps no
# cookies can come in all the same.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@public_view
def club_pin(request: HttpRequest, club: Club) -> HttpResponse:
    """Number and PIN; the right ones lead to the table, as its code would."""
    form, status = PinForm(request.POST if request.method == "POST" else None), 200
    if form.is_valid():
        try:
            token = pin_try(
                club=club,
                table_number=form.cleaned_data["number"],
                pin=form.cleaned_data["pin"],
                client=network_of(request.META.get("REMOTE_ADDR", "")),
            )
        except DomainError as error:
            form.add_error(None, error.message)
            status = TOO_MANY if error.code == "pin_blocked" else 422
            refused_by_content(request)
        else:
            return see_other(reverse("table_page", args=[token_secret(token)]))
    elif form.is_bound:
        status = 422
    context = {"club": club, "pin_form": form, "is_on": pin_evenings().of(club).exists()}
    response = render(request, "tournaments/scoresheets/table/pin.html", context, status=status)
    response.headers["Cache-Control"] = "no-store"
    return response


@require_POST
@link_view
def table_pair(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Pair this phone with the round that is on, though it was here with other people before."""
    key = phone_key(request)
    if key:
        device_pair(
            token=access.token,
            key=key,
            round_number=access.round_on,
            name=phone_kind(request),
        )
    return see_other(access.url("table_page"))


@require_GET
def table_worker(_request: HttpRequest) -> HttpResponse:
    """The service worker of all table pages, which opens them offline. A worker only controls
    addresses below its own, so it is served from `/t/`.

    Browsers fetch it at each visit; the name of the script in it changes with its content.
    """
    script = f'importScripts("{static("tournaments/scoresheets/worker.js")}");\n'
    headers = {"Cache-Control": "no-cache", "Service-Worker-Allowed": "/t/"}
    return HttpResponse(script, content_type="text/javascript", headers=headers)
