"""Put back at the desk what was once written of a deal."""

from functools import partial
from typing import Unpack

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clubs.access import may
from clubs.models import Club
from clubs.permissions import actor_of, desk_view
from scoring.forms import RestoreForm
from scoring.history import restored_reason
from scoring.services import deal_restore
from tournaments.permissions import CORRECT_DEAL, WRITE_DEAL
from tournaments.views.desk.common import refusals_told
from tournaments.views.desk.corrections import moves_first
from tournaments.views.desk.sheet import TablePlace, find_table, say_outdated


@desk_view(WRITE_DEAL)
@require_POST
def deal_restore_page(
    request: HttpRequest, club: Club, deal_number: int, **place: Unpack[TablePlace]
) -> HttpResponse:
    """Put a revision of a deal back; its reason says which. Where the result is out, first who
    moves by it."""
    desk = find_table(club, **place)
    form, deal = RestoreForm(request.POST), desk.view.deal(deal_number)
    if deal is None or not form.is_valid():
        raise Http404
    page = f"{desk.url}?deal={deal_number}"
    act = partial(
        deal_restore,
        sheet_id=desk.table.sheet_id,
        number=deal_number,
        actor=actor_of(request),
        reason=restored_reason(deal, form.asked["revision"]),
        closed_too=may(request, CORRECT_DEAL, desk.table),
        **form.asked,
    )
    with refusals_told(request):
        if first := moves_first(request, desk.evening, act, back_url=page):
            return first
        act()
        messages.success(request, _("Deal %(n)s is as it was before.") % {"n": deal_number})
        say_outdated(request, desk.evening)
    return redirect(page)
