"""Put back at the table what was once written of a deal."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from clubs.errors import DomainError
from scoring.forms import RestoreForm
from scoring.history import restored_reason
from scoring.services import deal_restore
from tournaments.views.table.access import TableAccess, see_other, table_view
from tournaments.views.table.pages import table_refused


@require_POST
@table_view
def table_restore(
    request: HttpRequest, access: TableAccess, round_number: int, number: int
) -> HttpResponse:
    """Put a revision of a deal back; its reason says which."""
    table = access.table(round_number)
    form, deal = RestoreForm(request.POST), access.sheet_view(table).deal(number)
    if deal is None or access.side or not form.is_valid():
        raise Http404
    try:
        deal_restore(
            sheet_id=table.sheet_id,
            number=number,
            actor=access.actor,
            device=access.device.ref,
            reason=restored_reason(deal, form.asked["revision"]),
            **form.asked,
        )
    except DomainError as error:
        return table_refused(request, access, table, error)
    return see_other(access.url("table_round", round_number))
