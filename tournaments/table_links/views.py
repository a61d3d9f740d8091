"""The director's page of the phones at the tables: cut one off, or let it in again; the pages for a
phone or link that may not write; and those that lead to a table by its PIN."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.core.validators import RegexValidator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access.permissions import actor_of, desk_view, public_view
from clubs.http.middleware import network_of
from clubs.http.pages import see_other
from clubs.limits.work import refused_by_content
from clubs.models import Club
from clubs.text.errors import DomainError
from tournaments.evenings.pages import find_evening, refusals_shown, show_evening, to_evening
from tournaments.evenings.permissions import CONTROL_PHONES
from tournaments.models import Evening
from tournaments.table_links.devices import (
    device_cut_off,
    device_let_in,
    phones_at_tables,
    wants_json,
)
from tournaments.table_links.services import pin_evenings, pin_try, token_secret


@require_safe
@desk_view(CONTROL_PHONES)
def evening_phones(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """The phones of each table: when they were seen last, and what they wrote."""
    evening = find_evening(club, evening_slug)
    tables = phones_at_tables(evening)
    without = [table.number for table in tables if not table.here]
    return show_evening(request, "table_links/phones.html", evening, tables=tables, without=without)


@require_POST
@desk_view(CONTROL_PHONES)
def phone_set(
    request: HttpRequest, club: Club, evening_slug: str, number: int, phone: int, *, let_in: bool
) -> HttpResponse:
    """Stop a phone from writing at its table, or let it write again."""
    evening = find_evening(club, evening_slug)
    if not evening.devices.filter(table_number=number, number=phone).exists():
        raise Http404
    act = device_let_in if let_in else device_cut_off
    message = (
        _("Phone %(phone)s of table %(n)s can write again.")
        if let_in
        else _(
            "Phone %(phone)s of table %(n)s can no longer write. Deals still waiting on it "
            "are not lost: they come to you to decide."
        )
    )
    with refusals_shown(request):
        act(evening_id=evening.pk, table_number=number, number=phone, actor=actor_of(request))
        messages.success(request, message % {"phone": phone, "n": number})
    return to_evening("evening_phones", evening)


NO_COOKIE = {"csrf_token": ""}
"""Keeps base.html from setting a CSRF cookie that no table page needs."""


def unknown_link(request: HttpRequest) -> HttpResponse:
    """The link does not exist."""
    words = _("We do not know this code")
    return _answer(request, "unknown", {}, status=404, code="gone", message=words)


def link_over(request: HttpRequest, evening: Evening, context: Mapping[str, Any]) -> HttpResponse:
    """The link was withdrawn, its evening is over, or its club is closed for now."""
    return _answer(request, "over", context, status=410, code="over", message=_over(evening))


def too_often(request: HttpRequest, context: Mapping[str, Any], wait: int) -> HttpResponse:
    """Over this link, or from this address, more is written than tables ever write; a phone's
    outbox tries again by itself."""
    words = _("Too much is being written here. Try again in a minute.")
    response = _answer(request, "too_often", context, status=429, code="too_often", message=words)
    response.headers["Retry-After"] = str(wait)
    return response


def paper_only(request: HttpRequest, context: Mapping[str, Any]) -> HttpResponse:
    """On this evening deals are written on paper."""
    words = _("Tonight you write on paper")
    return _answer(request, "paper_only", context, status=403, code="paper_only", message=words)


def nothing_here(request: HttpRequest, context: Mapping[str, Any]) -> HttpResponse:
    """This table has no such round or deal."""
    words = _("There is nothing here")
    return _answer(request, "nothing_here", context, status=404, code="gone", message=words)


def cut_off(request: HttpRequest, context: Mapping[str, Any]) -> HttpResponse:
    """The director cut this phone off."""
    words = _("This phone can no longer write at this table.")
    return _answer(request, "cut_off", context, status=403, code="cut_off", message=words)


def scan_again(request: HttpRequest, context: Mapping[str, Any]) -> HttpResponse:
    """Other people sit at this table now: this phone has to scan the code of its next table."""
    words = _("Scan the code at your next table.")
    return _answer(request, "scan_again", context, status=403, code="scan_again", message=words)


def _answer(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any],
    *,
    status: int,
    code: str,
    message: str,
) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({"status": code, "message": message}, status=status)
    page = f"tournaments/scoresheets/table/{template}.html"
    return render(request, page, {**NO_COOKIE, **context, "message": message}, status=status)


def _over(evening: Evening) -> str:
    if evening.club.suspended_at is not None:
        return _("This club is closed for now")
    match evening.state:
        case Evening.State.CLOSED:
            return _("The evening is over")
        case Evening.State.CANCELLED:
            return _("The evening was called off")
    return _("This code is no longer valid")


TOO_MANY = 429
NUMERIC = {"inputmode": "numeric", "autocomplete": "off"}


class PinField(forms.CharField):
    """Five digits; spaces between them do not matter."""

    def to_python(self, value: Any) -> str:
        return "".join((super().to_python(value) or "").split())


class PinForm(forms.Form):
    """Which table, and its PIN."""

    number = forms.IntegerField(
        label=gettext_lazy("Number of your table"),
        min_value=1,
        max_value=999,
        widget=forms.TextInput(attrs={**NUMERIC, "size": 4, "maxlength": 3}),
    )
    pin = PinField(
        label=gettext_lazy("PIN of your table"),
        help_text=gettext_lazy(
            "Five digits. They stand on the card and on the score sheet of your table."
        ),
        widget=forms.TextInput(attrs={**NUMERIC, "size": 7, "maxlength": 9}),
        validators=[
            RegexValidator(r"^[0-9]{5}\Z", gettext_lazy("A PIN has five digits, such as 40721."))
        ],
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
