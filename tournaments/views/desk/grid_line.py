"""What the grid sends by itself: a line that is left, and what the paper adds up to."""

from typing import Any, Unpack

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.views.decorators.http import require_POST

from clubs.errors import DomainError, VersionConflict
from clubs.models import Club
from clubs.numbers import whole_number
from clubs.permissions import actor_of, desk_view
from clubs.scoping import owned
from scoring.control import Control
from scoring.errors import DealRefused
from scoring.forms import ControlForm, LineForm
from scoring.models import Scoresheet
from scoring.services import control_accept, control_write
from scoring.sheet_view import SheetView
from tournaments.grid import grid_line, line_told
from tournaments.permissions import WRITE_DEAL
from tournaments.views.desk.grid import form_of, line_write, show_grid, standing
from tournaments.views.desk.sheet import DeskTable, TablePlace, find_table


@desk_view(WRITE_DEAL)
@require_POST
def table_grid_line(
    request: HttpRequest, club: Club, deal_number: int, **place: Unpack[TablePlace]
) -> JsonResponse:
    """Write one line; the answer says in JSON what stands, or in words what is wrong."""
    desk = find_table(club, **place)
    form = form_of(desk.view, deal_number, request)
    if not form.is_valid():
        return _refused(form)
    try:
        line_write(request, desk, form)
    except DealRefused as refused:
        form.add_refusal(refused)
        return _refused(form)
    except VersionConflict as conflict:
        return _conflict(form, conflict, _sheet_told(request, _read_anew(desk)))
    except DomainError as error:
        return JsonResponse({"status": error.code, "message": error.message}, status=409)
    view = _read_anew(desk)
    line = line_told(grid_line(form_of(view, deal_number)))
    return JsonResponse({"status": "written", "line": line, **_sheet_told(request, view)})


@desk_view(WRITE_DEAL)
@require_POST
def table_grid_control(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int, number: int
) -> HttpResponse:
    """Keep what the paper adds up to, or accept that it is something else than the deals."""
    desk = find_table(club, evening_slug, round_number, number)
    form = ControlForm(request.POST, view=desk.view)
    if form.is_valid() and _keep(request, desk, form):
        if request.accepts("text/html"):
            return redirect(f"{desk.url_of('table_grid')}#control")
        return JsonResponse({"status": "kept", **_sheet_told(request, _read_anew(desk))})
    if request.accepts("text/html"):
        return show_grid(request, desk, control_form=form, status=422)
    return _refused(form)


def _keep(request: HttpRequest, desk: DeskTable, form: ControlForm) -> bool:
    actor, sheet_id = actor_of(request), desk.table.sheet_id
    try:
        if "accept" in request.POST:
            seen = whole_number(request.POST["accept"], otherwise=-1)
            control_accept(sheet_id=sheet_id, seen_version=seen, actor=actor)
        else:
            control_write(sheet_id=sheet_id, on_paper=form.on_paper(), actor=actor)
    except DomainError as error:
        form.add_error(None, error.message)
        return False
    return True


def _refused(form: LineForm | ControlForm) -> JsonResponse:
    errors = {name: [str(text) for text in texts] for name, texts in form.errors.items()}
    return JsonResponse({"status": "refused", "errors": errors}, status=422)


def _conflict(form: LineForm, conflict: VersionConflict, sheet: dict[str, Any]) -> JsonResponse:
    now = form_of(standing(form.view, conflict), form.number)
    current = now.entry_in_words(now.deal.current) if now.deal.current else ()
    told = {"message": conflict.message, "current": current}
    line = line_told(grid_line(now))
    return JsonResponse({"status": "conflict", "line": line, **told, **sheet}, status=409)


def _read_anew(desk: DeskTable) -> SheetView:
    sheets = owned(desk.evening.club, Scoresheet).select_related("regulation", "club")
    return SheetView(sheets.get(pk=desk.table.sheet_id))


def _sheet_told(request: HttpRequest, view: SheetView) -> dict[str, Any]:
    """The sheet as it is now: what stands under it, and the control, as pieces of the page."""
    control = {"control": Control(view), "sheet": view.sheet}
    return {
        "full": view.sheet.is_full,
        "lines": view.sheet.deals_planned,
        "totals": render_to_string("components/totals.html", {"sides": view.sides}),
        "control": render_to_string("tournaments/desk/grid_control.html", control, request),
    }
