"""The director's page of the phones at the tables: cut one off, or let it in again."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access.permissions import actor_of, desk_view
from clubs.models import Club
from tournaments.evenings.desk_pages import find_evening, refusals_shown, show_evening, to_evening
from tournaments.evenings.permissions import CONTROL_PHONES
from tournaments.table_links.devices import device_cut_off, device_let_in, phones_at_tables


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
