"""A phone that goes on at a table where it was before, among other people now."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from tournaments.services import device_pair
from tournaments.views.table.access import TableAccess, link_view, see_other
from tournaments.views.table.phones import phone_key, phone_kind


@require_POST
@link_view
def table_pair(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Let this phone write in the round that is on at this table."""
    key = phone_key(request)
    if key:
        device_pair(
            token=access.token,
            key=key,
            round_number=access.round_on,
            name=phone_kind(request),
        )
    return see_other(access.url("table_page"))
