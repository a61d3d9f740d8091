"""Who deals first, where that is drawn at the table."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from clubs.errors import DomainError
from clubs.numbers import whole_number
from scoring.services import sheet_first_dealer
from tournaments.table_page import draws_dealer
from tournaments.views.table.access import TableAccess, see_other, table_render, table_view
from tournaments.views.table.pages import page_context, table_refused


@require_http_methods(["GET", "POST"])
@table_view
def table_dealer(request: HttpRequest, access: TableAccess, round_number: int) -> HttpResponse:
    """Say who drew the highest card, or say it otherwise while nothing is written."""
    table = access.table(round_number)
    if not draws_dealer(access.evening, table):
        raise Http404
    if request.method == "GET":
        context = page_context(access, table, access.sheet_view(table))
        return table_render(request, access, "dealer", context)
    seat = request.POST.get("seat", "")
    if seat not in table.sheet.people:
        raise Http404
    try:
        sheet_first_dealer(
            sheet_id=table.sheet_id,
            seat=seat,
            seen_version=whole_number(request.POST.get("seen_version", ""), otherwise=-1),
            actor=access.actor,
        )
    except DomainError as error:
        return table_refused(request, access, table, error)
    return see_other(access.url("table_round", round_number))
