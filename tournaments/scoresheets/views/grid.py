"""A whole paper sheet typed at the desk as a grid: the page, and what its script saves."""

from typing import Any, Unpack, cast

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from clubs.access.permissions import actor_of, desk_view, owned
from clubs.models import Club
from clubs.text.errors import DomainError, VersionConflict
from clubs.text.numbers import whole_number
from scoring.deals.director_forms import REASONS_HERE, LineForm
from scoring.deals.entries import line_of, same_deal
from scoring.deals.services import deal_preview, deal_write
from scoring.display.sheet_view import SheetView
from scoring.display.words import DealRefused
from scoring.models import Deal, DealEntry, Scoresheet
from scoring.paper_check.services import PaperCheck, paper_check_accept, paper_totals_write
from tournaments.evenings.pages import show_evening
from tournaments.evenings.permissions import WRITE_DEAL
from tournaments.evenings.workflow import open_claims
from tournaments.scoresheets.data import (
    GridKeys,
    GridLine,
    grid_keys,
    grid_line,
    line_payload,
    next_table,
    page_payload,
    strips_of,
)
from tournaments.scoresheets.forms import PaperCheckForm
from tournaments.scoresheets.views.desk import STARTED, DeskTable, TablePlace, find_table


@desk_view(WRITE_DEAL)
@require_http_methods(["GET", "HEAD", "POST"])
def table_grid(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int, number: int
) -> HttpResponse:
    """The grid. Without scripts all lines are sent at once, and either all or none are written."""
    desk = find_table(club, evening_slug, round_number, number)
    if request.method != "POST" or not desk.takes_lines:
        return show_grid(request, desk)
    lines = [grid_line(form_of(desk.view, deal.number, request)) for deal in desk.view.deals]
    written = _write_all(request, desk, lines)
    if written is None:
        is_late = any(line.standing for line in lines)
        return show_grid(request, desk, lines=lines, status=409 if is_late else 422)
    message = ngettext("%(n)s deal is written.", "%(n)s deals are written.", written)
    messages.success(request, message % {"n": written})
    return redirect(desk.url_of("table_grid"))


@desk_view(WRITE_DEAL)
@require_POST
def table_grid_line(
    request: HttpRequest, club: Club, deal_number: int, **place: Unpack[TablePlace]
) -> JsonResponse:
    """Write one line; answers in JSON with the line as written, or with what is wrong."""
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
        return _conflict(form, conflict, _sheet_payload(request, _read_anew(desk)))
    except DomainError as error:
        return JsonResponse({"status": error.code, "message": error.message}, status=409)
    view = _read_anew(desk)
    line = line_payload(grid_line(form_of(view, deal_number)))
    return JsonResponse({"status": "written", "line": line, **_sheet_payload(request, view)})


@desk_view(WRITE_DEAL)
@require_POST
def table_grid_control(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int, number: int
) -> HttpResponse:
    """Save what the paper adds up to, or accept that it differs from the deals."""
    desk = find_table(club, evening_slug, round_number, number)
    form = PaperCheckForm(request.POST, view=desk.view)
    if form.is_valid() and _control_save(request, desk, form):
        if request.accepts("text/html"):
            return redirect(f"{desk.url_of('table_grid')}#control")
        return JsonResponse({"status": "kept", **_sheet_payload(request, _read_anew(desk))})
    if request.accepts("text/html"):
        return show_grid(request, desk, control_form=form, status=422)
    return _refused(form)


def form_of(view: SheetView, number: int, request: HttpRequest | None = None) -> LineForm:
    """The form of a line, filled in with what was sent; Http404 when there is no such line."""
    sent = None if request is None else request.POST
    try:
        return LineForm(sent, view=view, number=number)
    except LookupError as error:
        raise Http404 from error


def line_write(request: HttpRequest, desk: DeskTable, form: LineForm) -> DealEntry:
    """Write the deal of a valid line. If somebody wrote the same in the meantime, return that
    entry; otherwise raises what `deal_write` raises."""
    written = form.written()
    try:
        return deal_write(
            sheet_id=desk.table.sheet_id,
            number=form.number,
            seen_version=form.cleaned_data["seen_version"],
            uuid=form.cleaned_data["uuid"],
            written=written,
            actor=actor_of(request),
            reason=form.reason() or _reason_sent_before(form),
        )
    except VersionConflict as conflict:
        entry = cast(Deal, conflict.params["current"]).current
        result = deal_preview(sheet=desk.view.sheet, number=form.number, written=written)
        line = line_of(entry)
        if entry is None or line is None or not same_deal(line, (written, result.as_json())):
            raise
        return entry


def standing(view: SheetView, conflict: VersionConflict) -> SheetView:
    """The same sheet with the deal as it stands now."""
    deal = cast(Deal, conflict.params["current"])
    now = SheetView(view.sheet)
    now.deals = [deal if other.pk == deal.pk else other for other in view.deals]
    return now


def show_grid(
    request: HttpRequest,
    desk: DeskTable,
    *,
    lines: list[GridLine] | None = None,
    control_form: PaperCheckForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page; without `lines` with those on the sheet."""
    view, table = desk.view, desk.table
    if lines is None:
        lines = [grid_line(form_of(view, deal.number)) for deal in view.deals]
    keys, strips = grid_keys(view), strips_of(desk.evening, table.sheet)
    return show_evening(
        request,
        "scoresheets/grid.html",
        desk.evening,
        status=status,
        desk=desk,
        view=view,
        sheet=table.sheet,
        table=table,
        round=table.round,
        takes_lines=desk.takes_lines,
        blank=not any(deal.current for deal in view.deals),
        started=table.round.state in STARTED,
        closed=table.sheet.state == Scoresheet.State.CLOSED,
        lines=lines,
        claimed=_claimed(desk),
        faulty=[line for line in lines if line.faults],
        keys=keys,
        plays=_plays(keys, lines),
        reasons=REASONS_HERE,
        about=page_payload(view, keys, lines),
        strips=strips,
        control=PaperCheck(view),
        control_form=control_form or PaperCheckForm(view=view),
        next_table=next_table(table),
    )


def _reason_sent_before(form: LineForm) -> str:
    """The reason of a correction that is sent again because its answer got lost. The deal is at
    a newer version by then, so the form does not ask for a reason."""
    if form.cleaned_data["seen_version"] == form.deal.version:
        return ""
    sent = form.deal.entries.filter(pk=form.cleaned_data["uuid"])
    return sent.values_list("reason", flat=True).first() or ""


def _claimed(desk: DeskTable) -> set[int]:
    """The deals of this sheet with an open claim."""
    claims = open_claims(desk.evening).filter(deal__sheet=desk.table.sheet)
    return set(claims.values_list("deal__number", flat=True))


def _write_all(request: HttpRequest, desk: DeskTable, lines: list[GridLine]) -> int | None:
    """Write every line that was touched and return how many; or write none and return None if
    any has faults, which then stand on the forms."""
    touched = [line for line in lines if line.form.is_touched]
    with transaction.atomic():
        # Every line is tried, not only up to the first fault, so that all faults show at once.
        done = [_write_line(request, desk, line) for line in touched]
        if not all(done):
            transaction.set_rollback(True)
            return None
    return len(done)


def _write_line(request: HttpRequest, desk: DeskTable, line: GridLine) -> bool:
    """Write a line inside a transaction; if it is refused, its form says why."""
    form = line.form
    if not form.is_valid():
        return False
    try:
        with transaction.atomic():
            line_write(request, desk, form)
    except DealRefused as refused:
        form.add_refusal(refused)
        return False
    except VersionConflict as conflict:
        _see_again(request, line, conflict)
        return False
    except DomainError as error:
        form.add_error(None, error.message)
        return False
    return True


def _see_again(request: HttpRequest, line: GridLine, conflict: VersionConflict) -> None:
    """Show what is written beside what was typed, and send its version along from now on."""
    now = standing(line.form.view, conflict)
    deal = cast(Deal, conflict.params["current"])
    sent = request.POST.copy()
    sent[line.form.add_prefix("seen_version")] = str(deal.version)
    # The deal exists now, so writing over it is a correction, which needs a reason.
    sent[line.form.add_prefix("why")] = "mistyped"
    line.standing = line.form.entry_in_words(deal.current) if deal.current else ()
    line.form = LineForm(sent, view=now, number=line.number)
    line.form.add_error(None, conflict.message)


def _plays(keys: GridKeys, lines: list[GridLine]) -> list[tuple[str, str]]:
    """The keys of the declarer boxes: some lines may ask for a person, others for a side."""
    return list(dict.fromkeys(key for line in lines for key in keys.in_plays(line.form)))


def _control_save(request: HttpRequest, desk: DeskTable, form: PaperCheckForm) -> bool:
    actor, sheet_id = actor_of(request), desk.table.sheet_id
    try:
        if "accept" in request.POST:
            seen = whole_number(request.POST["accept"], otherwise=-1)
            paper_check_accept(sheet_id=sheet_id, seen_version=seen, actor=actor)
        else:
            paper_totals_write(sheet_id=sheet_id, on_paper=form.on_paper(), actor=actor)
    except DomainError as error:
        form.add_error(None, error.message)
        return False
    return True


def _refused(form: LineForm | PaperCheckForm) -> JsonResponse:
    errors = {name: [str(text) for text in texts] for name, texts in form.errors.items()}
    return JsonResponse({"status": "refused", "errors": errors}, status=422)


def _conflict(form: LineForm, conflict: VersionConflict, sheet: dict[str, Any]) -> JsonResponse:
    now = form_of(standing(form.view, conflict), form.number)
    current = now.entry_in_words(now.deal.current) if now.deal.current else ()
    payload = {
        "status": "conflict",
        "message": conflict.message,
        "line": line_payload(grid_line(now)),
        "current": current,
    }
    return JsonResponse(payload | sheet, status=409)


def _read_anew(desk: DeskTable) -> SheetView:
    sheets = owned(desk.evening.club, Scoresheet).select_related("regulation", "club")
    return SheetView(sheets.get(pk=desk.table.sheet_id))


def _sheet_payload(request: HttpRequest, view: SheetView) -> dict[str, Any]:
    """The sheet as it is now: its totals and its control, as parts of the page."""
    control = {"control": PaperCheck(view), "sheet": view.sheet}
    return {
        "full": view.sheet.is_full,
        "lines": view.sheet.deals_planned,
        "totals": render_to_string("components/totals.html", {"sides": view.sides}),
        "control": render_to_string("tournaments/scoresheets/grid_control.html", control, request),
    }
