"""The pages that show a table its sheet, and who deals first there."""

import json
import uuid as uuids
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.utils.http import quote_etag, urlencode
from django.utils.translation import get_language
from django.views.decorators.http import condition, require_GET, require_http_methods, require_POST
from django.views.i18n import set_language

from clubs.access.permissions import Caller, owned
from clubs.http.pages import Poll, see_other
from clubs.text.errors import DomainError
from clubs.text.numbers import whole_number
from scoring.deals.forms import DealForm, ReasonMixin, RestoreForm
from scoring.deals.phone import preview_of
from scoring.deals.services import deal_restore
from scoring.display.history import restored_reason
from scoring.display.sheet_view import SheetView, line_in_words
from scoring.display.words import pit_word
from scoring.disputes.services import is_theirs
from scoring.sheets.services import sheet_first_dealer
from scoring.sheets.side_totals import side_totals_clear
from tournaments.evenings.permissions import WRITE_DEAL
from tournaments.models import Table
from tournaments.scoresheets.data import table_data
from tournaments.scoresheets.forms import (
    PlayOffForm,
    TotalsForm,
    hand_in,
    total_names,
    totals_initial,
)
from tournaments.scoresheets.page import (
    SHOWN,
    Writing,
    answers_of,
    asks_chair,
    draws_dealer,
    next_round_of,
    person_totals,
    phones_of,
    plays_off,
    seats_of,
    sides_context,
    state_tag,
)
from tournaments.scoresheets.views.access import TableAccess, link_view, table_render, table_view
from tournaments.table_links.devices import device_pair, phone_key, phone_kind, wants_json

TABLE_POLL = Poll(4_000, 8_000)


@require_GET
@table_view
def table_page(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """The table's sheet of the round that is on, or a notice before the draw is final."""
    table = access.table_now
    if table is None:
        return table_render(request, access, "no_draw", TABLE_POLL.context(_tag(access, None)))
    return sheet_page(request, access, table)


@require_GET
@table_view
def table_round(request: HttpRequest, access: TableAccess, round_number: int) -> HttpResponse:
    """The table's sheet of one round."""
    return sheet_page(request, access, access.table(round_number))


@require_GET
@table_view
def table_state(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """News for a page that stays open: its totals and its sheet, never its form.

    Takes the `round` on the page and whether it has a `form`; 304 if nothing changed.
    """
    number = request.GET.get("round", "")
    table = access.table(whole_number(number)) if number.isdecimal() else None
    return _state(request, access, table)


@require_POST
@link_view
def table_language(request: HttpRequest, _access: TableAccess) -> HttpResponse:
    """Set the language, as on every other page."""
    return set_language(request)


@require_http_methods(["GET", "POST"])
@table_view
def table_dealer(request: HttpRequest, access: TableAccess, round_number: int) -> HttpResponse:
    """Set who drew the highest card, or change it while nothing is written."""
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


@require_POST
@table_view
def table_restore(
    request: HttpRequest, access: TableAccess, round_number: int, number: int
) -> HttpResponse:
    """Restore an earlier revision of a deal."""
    table = access.table(round_number)
    # What is kept says nothing from the chair of this phone.
    form, deal = RestoreForm(request.POST), SheetView(table.sheet).deal(number)
    if deal is None or access.side or not form.is_valid():
        raise Http404
    try:
        deal_restore(
            sheet_id=table.sheet_id,
            number=number,
            actor=access.actor,
            device=access.device.ref,
            reason=restored_reason(deal, form.arguments["revision"]),
            **form.arguments,
        )
    except DomainError as error:
        return table_refused(request, access, table, error)
    return see_other(access.url("table_round", round_number))


@require_http_methods(["GET", "POST"])
@table_view
def table_hand_in(request: HttpRequest, access: TableAccess, round_number: int) -> HttpResponse:
    """The totals under the paper in place of deals: handed in, changed, or taken off again."""
    table = access.table(round_number)
    view = access.sheet_view(table)
    if not takes_totals(access, table, view):
        raise Http404
    form = TotalsForm(
        request.POST if request.method == "POST" else None,
        names=total_names(view),
        pit=pit_word(access.club),
        corrects=False,
        initial=totals_initial(view),
    )
    if "clear" in request.POST:
        try:
            side_totals_clear(sheet_id=table.sheet_id, actor=access.actor)
        except DomainError as error:
            return table_refused(request, access, table, error)
        return see_other(access.url("table_round", round_number))
    seen = whole_number(request.POST.get("seen_version", ""), otherwise=-1)
    seen_version = None if seen < 0 else seen
    if form.is_bound and hand_in(form, table.sheet, actor=access.actor, seen_version=seen_version):
        return see_other(access.url("table_round", round_number))
    if form.is_bound and form.has_error(NON_FIELD_ERRORS, "totals_moved_on"):
        # The form says what the other phone wrote: whoever sends it again has seen that.
        table.sheet.refresh_from_db(fields=["version"])
        seen_version = None
    shown = table.sheet.version if seen_version is None else seen_version
    context = page_context(access, table, view) | {"form": form, "seen_version": shown}
    return table_render(request, access, "totals", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
@table_view
def table_play_off(request: HttpRequest, access: TableAccess, round_number: int) -> HttpResponse:
    """The four deals more after a match that ended equal."""
    table = access.table(round_number)
    view = access.sheet_view(table)
    if not _takes_play_off(access, table):
        raise Http404
    form = PlayOffForm(request.POST if request.method == "POST" else None, view=view)
    if form.is_bound and form.save(table.sheet, actor=access.actor):
        return see_other(access.url("table_round", round_number))
    context = page_context(access, table, view) | {"form": form}
    return table_render(request, access, "play_off", context, status=422 if form.is_bound else 200)


def sheet_page(
    request: HttpRequest,
    access: TableAccess,
    table: Table,
    form: DealForm | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    """The page of one sheet; `form` is one that was refused, else that of the next deal.

    A full sheet has a form too, hidden: the phone opens a line in it, offline as well.
    """
    view = access.sheet_view(table)
    context = page_context(access, table, view) | outbox_context(access, table, view)
    if asks_chair(access, view, is_on=may_write(table)):
        return table_render(request, access, "chair", context)
    if view.is_other_game and not view.handed_in and takes_totals(access, table, view):
        return see_other(access.url("table_hand_in", table.round.number))
    if form is None and takes_deals(table) and not view.is_other_game:
        form = DealForm(view=view, number=view.next_number or view.deals[-1].number)
    if form is not None:
        context |= form_context(access, table, form)
    return table_render(request, access, "page", context, status=status)


def table_refused(
    request: HttpRequest,
    access: TableAccess,
    table: Table,
    error: DomainError,
    form: DealForm | None = None,
) -> HttpResponse:
    """Answer 409: why a request was refused, with a preview of what `form` would have written."""
    if wants_json(request):
        return JsonResponse({"status": error.code, "message": error.message}, status=409)
    context = {
        "error": error,
        "preview": preview_of(form) if form else None,
        "round_url": access.url("table_round", table.round.number),
    }
    return table_render(request, access, "refused", context, status=409)


def page_context(access: TableAccess, table: Table, view: SheetView) -> dict[str, Any]:
    """The context around the form on every page of a sheet."""
    number = view.next_number
    is_full = table.sheet.is_full
    last = view.last_written
    return {
        "table": table,
        "round": table.round,
        "view": view,
        "deal_number": number,
        "folder_number": _folder_number(view, number),
        "dealer_name": view.dealer_name(number) if number else "",
        "forehand_name": view.forehand_name(number) if number else "",
        "asks_dealer": asks_dealer(table),
        "may_say_dealer": _may_say_dealer(access, table, view),
        "seats": seats_of(view, number or table.sheet.deals_planned),
        "tabs": _tabs(access, table),
        "poll_url": poll_url(access, table),
        **TABLE_POLL.context(_tag(access, table)),
        "may_write": may_write(table),
        "takes_totals": takes_totals(access, table, view),
        "plays_off": is_full and plays_off(access.evening, table.sheet),
        "takes_play_off": is_full and _takes_play_off(access, table),
        "writes_next": number is not None and takes_deals(table),
        "last": last,
        "last_score": line_in_words(last.current, view.sheet) if last and last.current else "",
        "last_is_theirs": last is not None and is_theirs(view, last.current),
        "can_undo": may_write(table) and view.can_undo,
        "undo_uuid": uuids.uuid4(),
        "people": person_totals(view) if is_full else [],
        "answers": answers_of(view) if is_full else [],
        "next_round": next_round_of(access.evening, table) if is_full else None,
        "is_last_round": table.round.number >= access.evening.rounds_planned,
    } | sides_context(access, table, view)


def form_context(access: TableAccess, table: Table, form: DealForm) -> dict[str, Any]:
    """The context of the form of one deal."""
    reason_form = ReasonMixin()
    if form.three_handed:
        reason_form.leave_out_sides()
    return {
        "form": form,
        "reason_form": reason_form,
        "deal_number": form.number,
        "declarer_name": form.forced_seat and form.view.short_names(form.number)[form.forced_seat],
        "poll_url": poll_url(access, table, has_form=True),
        "action": access.url("table_deal", table.round.number, form.number),
        "preview": preview_of(form) if form.is_bound else None,
    }


def outbox_context(access: TableAccess, table: Table, view: SheetView) -> dict[str, Any]:
    """The data that the page's script needs to write offline."""
    number = table.round.number
    url = access.url("table_round", number)
    data = table_data(view, round_number=number, url=url, is_open=takes_deals(table))
    return {"table_data": json.dumps(data, separators=(",", ":"))}


def poll_url(access: TableAccess, table: Table, *, has_form: bool = False) -> str:
    """Where the page of a sheet asks for news; a page with a form is never reloaded under it."""
    query = {"round": table.round.number, "form": "1" if has_form else ""}
    return f"{access.url('table_state')}?{urlencode(query)}"


def _folder_number(view: SheetView, number: int | None) -> int | None:
    """The folder to play now, where everybody plays the same cards. A query where they do."""
    deal = view.deal(number) if number else None
    return deal.folder.number if deal and deal.folder else None


def may_write(table: Table) -> bool:
    """Whether this table takes deals now."""
    return bool(WRITE_DEAL.when.test(Caller(), table))


def asks_dealer(table: Table) -> bool:
    """Whether the table must first say who deals."""
    return may_write(table) and not table.sheet.first_dealer


def takes_deals(table: Table) -> bool:
    """Whether a deal can be written now."""
    return may_write(table) and not asks_dealer(table)


def takes_totals(access: TableAccess, table: Table, view: SheetView) -> bool:
    """Whether this phone can hand in totals in place of deals: it writes for the whole table, or
    another game is played, of which every phone may; and no deal stands on the sheet. Of folders
    each is compared, so there are no totals."""
    if access.evening.plays_folders:
        return False
    for_all = not access.side and access.evening.writing in (Writing.ONE, Writing.ROUND)
    writes = for_all or view.is_other_game
    return writes and view.last_written is None and may_write(table)


def _takes_play_off(access: TableAccess, table: Table) -> bool:
    """Whether this phone can write the four deals more; with a phone a side the desk does."""
    return not access.side and may_write(table) and plays_off(access.evening, table.sheet)


def _may_say_dealer(access: TableAccess, table: Table, view: SheetView) -> bool:
    """Whether the first dealer is drawn at the table and can still be changed."""
    blank = view.last_written is None and not view.handed_in
    return blank and draws_dealer(access.evening, table)


def _tag(access: TableAccess, table: Table | None) -> str:
    # The page is translated and reads from a chair, so its tag has both, and who else has a phone.
    chairs = access.chair
    if table is not None and access.evening.writing in (Writing.DEAL, Writing.ROUND):
        chairs += "".join(sorted(set(phones_of(access, table).values())))
    return quote_etag(f"{state_tag(access.evening, table)}-{chairs}-{get_language()}")


@condition(etag_func=lambda _request, access, table: _tag(access, table))
def _state(request: HttpRequest, access: TableAccess, table: Table | None) -> HttpResponse:
    has_form = bool(request.GET.get("form"))
    # A form became due: only reloading the whole page brings it.
    if table is None or (takes_deals(table) and not has_form):
        return HttpResponse(headers={"HX-Refresh": "true"})
    view = access.sheet_view(table)
    context = page_context(access, table, view) | outbox_context(access, table, view)
    context["poll_url"] = poll_url(access, table, has_form=has_form)
    return table_render(request, access, "state", context)


def _tabs(access: TableAccess, table: Table) -> list[dict[str, object]]:
    numbers = (
        owned(access.club, Table)
        .filter(round__evening=access.evening, round__state__in=SHOWN, number=access.number)
        .values_list("round__number", flat=True)
    )
    return [
        {
            "number": number,
            "url": access.url("table_round", number),
            "is_current": number == table.round.number,
        }
        for number in numbers.order_by("round__number")
    ]


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
