"""A finished sheet: each side says that it is right, or that it isn't."""

from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods, require_POST

from clubs.errors import DomainError
from scoring.forms import AgreeForm, DisputeForm
from scoring.services import sheet_answer
from tournaments.models import Table
from tournaments.table_page import signatory_name
from tournaments.views.table.access import TableAccess, see_other, table_render, table_view
from tournaments.views.table.pages import page_context, table_refused


@require_POST
@table_view
def table_answer(request: HttpRequest, access: TableAccess, round_number: int) -> HttpResponse:
    """One side agrees, or one of three people."""
    table, form = access.table(round_number), AgreeForm(request.POST)
    if not form.is_valid() or form.cleaned_data["side"] not in _signatories(access, table):
        raise Http404
    data = form.cleaned_data
    return _answer(
        request, access, table, side=data["side"], seen_version=data["seen_version"], note=None
    )


@require_http_methods(["GET", "POST"])
@table_view
def table_dispute(
    request: HttpRequest, access: TableAccess, round_number: int, side: str
) -> HttpResponse:
    """One side, or one of three people, says what is wrong; the director sees it at once."""
    table = access.table(round_number)
    if side not in _signatories(access, table):
        raise Http404
    initial = {"seen_version": table.sheet.version}
    form = DisputeForm(request.POST or None, initial=initial)
    if form.is_valid():
        data = form.cleaned_data
        return _answer(
            request,
            access,
            table,
            side=side,
            seen_version=data["seen_version"],
            note=data["note"],
        )
    view = access.sheet_view(table)
    context = page_context(access, table, view) | {"form": form, "who": signatory_name(view, side)}
    status = 422 if form.is_bound else 200
    return table_render(request, access, "dispute", context, status=status)


def _signatories(access: TableAccess, table: Table) -> Sequence[str]:
    """Who may answer with this phone: a side's own phone only for itself."""
    sheet = table.sheet
    return [access.side] if access.side and not sheet.three_handed else sheet.signatories


def _answer(
    request: HttpRequest,
    access: TableAccess,
    table: Table,
    *,
    side: str,
    seen_version: int,
    note: str | None,
) -> HttpResponse:
    try:
        sheet_answer(
            sheet_id=table.sheet_id,
            side=side,
            seen_version=seen_version,
            agrees=note is None,
            actor=access.actor,
            note=note or "",
        )
    except DomainError as error:
        return table_refused(request, access, table, error)
    return see_other(access.url("table_round", table.round.number))
