"""What the sides say at their table: a deal is right or not, and so is the finished sheet."""

import uuid as uuids
from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from clubs.access.permissions import owned
from clubs.http.pages import see_other
from clubs.text.errors import DomainError
from clubs.text.numbers import whole_number
from scoring.deals.forms import AgreeForm, DealForm, DisputeForm
from scoring.display.sheet_view import has_entry
from scoring.display.words import DealRefused
from scoring.disputes.services import (
    AT_THE_TABLE,
    BlankDealView,
    claim_decide,
    deal_words,
    deals_confirm,
)
from scoring.disputes.submissions import deal_submit, sheet_answer
from scoring.models import DealClaim
from scoring.rules import SIDES
from tournaments.models import Evening, Table, TableDevice
from tournaments.scoresheets.page import confirmers, phones_of, signatory_name
from tournaments.scoresheets.views.access import TableAccess, table_render, table_view
from tournaments.scoresheets.views.table import form_context, may_write, page_context, table_refused
from tournaments.table_links.devices import device_hold, wants_json
from tournaments.table_links.services import token_of_side, token_secret

MOST_AT_ONCE = 99
"""Limit on the deals that are confirmed with one press: no sheet has more."""


@require_http_methods(["GET", "POST"])
@table_view
def table_chair(request: HttpRequest, access: TableAccess, round_number: int) -> HttpResponse:
    """Ask which side holds this phone, and remember it for the round.

    Where each side has its own link, a phone goes over to the link of the other side, but only once
    it has been asked: else its code says whose it is.
    """
    table = access.table(round_number)
    if access.evening.writing == Evening.Writing.ONE or table.sheet.three_handed:
        raise Http404
    if request.method == "GET":
        context = page_context(access, table, access.sheet_view(table))
        context["is_by_code"] = bool(access.side and access.chair)
        return table_render(request, access, "chair", context)
    side = request.POST.get("side", "")
    is_others = bool(access.side) and side != access.side
    if side not in SIDES or (is_others and access.chair):
        raise Http404
    if isinstance(access.device, TableDevice):
        device_hold(device=access.device, side=side)
    token = token_of_side(access.token, side) if is_others else access.token
    secret = token_secret(token) if token else access.secret
    return see_other(reverse("table_round", args=[secret, round_number]))


@require_POST
@table_view
def table_confirm(request: HttpRequest, access: TableAccess, round_number: int) -> HttpResponse:
    """A side confirms deals as they stand, all at once; a phone only speaks for the side that holds
    it, or for one that it is handed to."""
    table = access.table(round_number)
    side = _side(access, table) or request.POST.get("side", "")
    phones = phones_of(access, table)
    if side not in confirmers(access, table.sheet, phones):
        raise Http404
    try:
        deals_confirm(
            sheet_id=table.sheet_id,
            entries=_entries(request.POST.getlist("entry")),
            side=side,
            actor=access.actor,
            device=access.device.ref,
            wrote=[] if access.side else [ref for ref, who in phones.items() if who == side],
        )
    except DomainError as error:
        return table_refused(request, access, table, error)
    return _done(request, access, table, "confirmed")


@require_POST
@table_view
def table_claim(
    request: HttpRequest, access: TableAccess, round_number: int, claim: uuids.UUID
) -> HttpResponse:
    """The table decides itself between two values of a deal; `taken` means the second one. A deal
    that came late or from a phone that was cut off is left to the director."""
    table = access.table(round_number)
    claims = owned(access.club, DealClaim).filter(deal__sheet=table.sheet_id, why__in=AT_THE_TABLE)
    seen = request.POST.get("seen_version", "")
    try:
        claim_decide(
            claim_id=get_object_or_404(claims, pk=claim).pk,
            taken=request.POST.get("taken") == "1",
            actor=access.actor,
            side=_side(access, table),
            device=access.device.ref,
            seen_version=whole_number(seen, otherwise=-1) if seen else None,
        )
    except DomainError as error:
        return table_refused(request, access, table, error)
    return _done(request, access, table, "decided")


@require_http_methods(["GET", "POST"])
@table_view
def table_object(
    request: HttpRequest, access: TableAccess, round_number: int, number: int, side: str
) -> HttpResponse:
    """A side disagrees with a deal and writes its own count, which is kept as a claim."""
    table = access.table(round_number)
    view = access.sheet_view(table)
    deal, phones = view.deal(number), phones_of(access, table)
    may = confirmers(access, view.sheet, phones)
    if side not in may or deal is None or not has_entry(deal) or not may_write(table):
        raise Http404
    data = request.POST if request.method == "POST" and "back" not in request.POST else None
    # A blank form: the side writes its own count, not a correction of the other one.
    form = DealForm(data, view=BlankDealView(view, number), number=number)
    if form.is_bound and form.is_valid():
        answer = _objected(request, access, table, form, side)
        if answer is not None:
            return answer
    context = page_context(access, table, view) | form_context(access, table, form)
    context |= {
        "who": signatory_name(view, side),
        "standing": deal_words(deal.current, view, number) if deal.current else None,
        "action": access.url("table_object", round_number, number, side),
        "can_undo": False,
        "last": None,
    }
    return table_render(request, access, "object", context, status=422 if form.is_bound else 200)


@require_POST
@table_view
def table_answer(request: HttpRequest, access: TableAccess, round_number: int) -> HttpResponse:
    """A side, or one of three people, agrees with the finished sheet."""
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
    """A side, or one of three people, says what is wrong; the director sees it at once."""
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


def _objected(
    request: HttpRequest, access: TableAccess, table: Table, form: DealForm, side: str
) -> HttpResponse | None:
    """Submit a side's own count; None if it is refused, with the reason on the form."""
    try:
        deal_submit(
            sheet_id=table.sheet_id,
            number=form.number,
            seen_version=form.cleaned_data["seen_version"],
            uuid=form.cleaned_data["uuid"],
            written=form.written(),
            actor=access.actor,
            side=side,
            device=access.device.ref,
            why=DealClaim.Why.OBJECTED,
        )
    except DealRefused as refused:
        form.add_refusal(refused)
        return None
    except DomainError as error:
        return table_refused(request, access, table, error, form)
    return see_other(access.url("table_round", table.round.number))


def _side(access: TableAccess, table: Table) -> str:
    """The side whose phone this is; empty for a shared one and at a table of three."""
    return "" if table.sheet.three_handed else access.side


def _entries(given: Sequence[str]) -> dict[int, uuids.UUID]:
    """The deals that were shown, as `number:entry`."""
    try:
        pairs = [text.split(":") for text in given]
        entries = {whole_number(number): uuids.UUID(entry) for number, entry in pairs}
    except ValueError as error:
        raise Http404 from error
    if not entries or len(entries) > MOST_AT_ONCE:
        raise Http404
    return entries


def _done(request: HttpRequest, access: TableAccess, table: Table, status: str) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({"status": status})
    return see_other(access.url("table_round", table.round.number))


def _signatories(access: TableAccess, table: Table) -> Sequence[str]:
    """The signatories this phone may answer for: that of a side only for that side."""
    return confirmers(access, table.sheet, phones_of(access, table))


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
