"""What the pages behind a table's link are about, and the guard before them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from clubs.access.permissions import Caller, may, opens_for, owned, speak_clubs_language
from clubs.audit.services import Actor
from clubs.http.middleware import network_of
from clubs.models import Club
from clubs.text.numbers import whole_number
from scoring.display.sheet_view import SheetView
from scoring.disputes.services import SideView
from scoring.models import DealClaim
from scoring.rules import SIDES
from tournaments.evenings.permissions import USE_LINK, link_opens, link_writes
from tournaments.models import Evening, Round, Table, TableDevice, TableToken
from tournaments.scoresheets.page import next_round_of, table_in_round
from tournaments.standings.scores import STARTED
from tournaments.table_links.devices import (
    UNKNOWN,
    UnknownPhone,
    device_find,
    device_go_on,
    device_pair,
    phone_key,
    phone_kind,
    phone_remember,
    wants_json,
)
from tournaments.table_links.services import link_has_ended, link_writes_count, token_find
from tournaments.table_links.views import (
    NO_COOKIE,
    cut_off,
    link_over,
    nothing_here,
    paper_only,
    scan_again,
    too_often,
    unknown_link,
)


def table_of(evening: Evening, number: int) -> Table | None:
    """The table with this number whose sheet is being written now, or was written last.

    Tables of a rotation may be in different rounds, so it is the first running round that is not
    yet full at this table; else the last one that has started; else the first one drawn.
    """
    tables = list(
        Table.objects.filter(round__evening=evening, number=number)
        .exclude(round__state=Round.State.DRAFT)
        .select_related("round", "sheet")
        .order_by("round__number")
    )
    for table in tables:
        table_place(table, evening)
    running = [table for table in tables if table.round.state == Round.State.RUNNING]
    for table in running:
        if not table.sheet.is_full:
            return table
    started = [table for table in tables if table.round.state in STARTED]
    return next(iter(started[-1:] or tables[:1]), None)


def table_place(table: Table, evening: Evening) -> None:
    """Attach the evening, club and usually the regulation to a table that was read with its round
    and sheet, to save queries."""
    sheet = table.sheet
    table.round.evening, sheet.club = evening, evening.club
    if evening.regulation is not None and sheet.regulation_id == evening.regulation_id:
        sheet.regulation = evening.regulation


P = ParamSpec("P")
TableView = Callable[Concatenate[HttpRequest, "TableAccess", P], HttpResponse]
SecretView = Callable[..., HttpResponse]


@dataclass(frozen=True, slots=True)
class TableAccess:
    """One table on one evening, reached over its link, and the phone that asks.

    `device.ref` tells apart what the phones of a table write; it is empty for a phone that does
    not identify itself.
    """

    secret: str
    token: TableToken
    device: TableDevice | UnknownPhone = UNKNOWN

    @property
    def evening(self) -> Evening:
        return self.token.evening

    @property
    def club(self) -> Club:
        return self.token.evening.club

    @property
    def number(self) -> int:
        return self.token.table_number

    @property
    def side(self) -> str:
        """Whose link it is where each side has its own; empty for the whole table."""
        return self.token.side

    @property
    def chair(self) -> str:
        """The side whose people hold this phone, where both have a say: by the code that was
        scanned, or as they said; empty where nobody has said."""
        if self.evening.writing == Evening.Writing.ONE:
            return ""
        known = isinstance(self.device, TableDevice)
        return self.device.side if known else self.token.side

    @property
    def caller(self) -> Caller:
        """The caller for permissions: whoever holds this link."""
        return Caller(link=self.token)

    @property
    def is_valid(self) -> bool:
        """Whether the link opens its table now."""
        return bool(link_opens.test(self.caller, self.evening))

    @property
    def late_why(self) -> DealClaim.Why | None:
        """Why a deal from this phone may only be kept as a claim; None if it may be written."""
        return DealClaim.Why.CUT_OFF if self._is_withdrawn or self._is_cut_off else None

    @property
    def is_late(self) -> bool:
        """Whether this link or this phone may no longer write."""
        return not self.is_valid or self._is_withdrawn or self._is_cut_off

    @property
    def _is_withdrawn(self) -> bool:
        """Whether the link was withdrawn, or the evening has gone over to paper."""
        return not link_writes.test(self.caller, self.evening)

    @property
    def _is_cut_off(self) -> bool:
        return isinstance(self.device, TableDevice) and self.device.cut_off_at is not None

    @property
    def round_on(self) -> int:
        """The round whose people sit at this table now, or come to it next; 0 before the draw."""
        table = table_of(self.evening, self.number)
        if table is None or table.round.state != Round.State.CLOSED:
            return table.round.number if table else 0
        drawn = self.evening.rounds.filter(
            state=Round.State.DRAWN, number__gt=table.round.number, tables__number=self.number
        )
        return drawn.values_list("number", flat=True).first() or table.round.number

    def with_phone(self, request: HttpRequest, round_number: int) -> "TableAccess":
        """This access with the phone that asks, as it is known in a round.

        A device row is created on the second request; otherwise a phone that rejects cookies would
        create one each time.
        """
        key = phone_key(request)
        if not key:
            return replace(self, device=UnknownPhone.of(request))
        token, name = self.token, phone_kind(request)
        device = device_find(token=token, key=key, round_number=round_number)
        if device is None and self.is_valid:
            came_for = max(round_number, self.round_on)
            device = device_pair(token=token, key=key, round_number=came_for, name=name)
        elif device is not None and self.is_valid:
            device = device_go_on(
                device=device, token=token, key=key, round_number=round_number, name=name
            )
        return replace(self, device=device or UnknownPhone.of(request))

    @property
    def table_now(self) -> Table | None:
        """This table in the round that is on, or in the next one for a phone that was paired with
        it; None before the draw is final."""
        table = table_of(self.evening, self.number)
        came_for = self.device.round_number
        if table is not None and came_for > table.round.number:
            return self._table_in(came_for) or table
        return table

    @property
    def actor(self) -> Actor:
        """The table as the audit trail names it: by the link used, not by who held the phone."""
        ref = f"table:{self.evening.uuid}:{self.number}:{self.token.generation}"
        return Actor(ref=ref, label=_("Table %(number)s") % {"number": self.number})

    def url(self, name: str, *args: object) -> str:
        return reverse(name, args=[self.secret, *args])

    def table(self, round_number: int) -> Table:
        """This table in a round whose draw is final; 404 if there is none."""
        table = self._table_in(round_number)
        if table is None:
            raise Http404
        return table

    def _table_in(self, round_number: int) -> Table | None:
        table = table_in_round.first(
            evening=self.token.evening_id, number=self.number, round_number=round_number
        )
        if table is not None:
            table_place(table, self.evening)
        return table

    def sheet_view(self, table: Table) -> SheetView:
        """The sheet of this table in a round, its lines linked to their forms. A side's own phone
        does not see what the other side wrote of deals that it still has to write. It reads from
        the chair of who holds the phone."""
        number = table.round.number
        if not table.sheet.three_handed:
            table.sheet.chair = self.chair or self.side or SIDES[0]  # type: ignore[assignment]

        def url_of(deal: int) -> str:
            return self.url("table_deal", number, deal)

        if not self.side or table.sheet.three_handed:
            return SheetView(table.sheet, url_of)
        view = SideView(table.sheet, url_of, side=self.side)
        table.sheet = view.sheet
        return view


def table_view(view: TableView[P]) -> SecretView:
    """A page behind a table's link: gets the TableAccess in place of the secret.

    An unknown link is answered with 404; one that was withdrawn or whose evening is over with 410;
    and with 403 an evening on paper, a phone that was cut off, or one that was here in an earlier
    round with other people. No answer is cached or leaks the secret in a Referer header.
    """
    return _guarded(view, _Admission())


def deal_view(view: TableView[P]) -> SecretView:
    """As `table_view`, but a phone's outbox is also let in where it may no longer write: over a
    withdrawn link, from a phone that was cut off, after the evening closed or went over to paper.

    The view must keep such a deal as a claim and never write it: `late_why` says why, and a closed
    sheet takes nothing anyway.
    """
    return _guarded(view, _Admission(takes_late=True))


def link_view(view: TableView[P]) -> SecretView:
    """As `table_view`, for any phone with the link, even one that may no longer write."""
    return _guarded(view, _Admission(any_phone=True))


def table_render(
    request: HttpRequest,
    access: TableAccess,
    template: str,
    context: Mapping[str, Any] | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    """A page of this table."""
    page = f"tournaments/scoresheets/table/{template}.html"
    return render(request, page, {**_shared(access), **(context or {})}, status=status)


@dataclass(frozen=True, slots=True)
class _Admission:
    """Whom a view lets in beyond phones that may write."""

    takes_late: bool = False
    any_phone: bool = False


def _guarded(view: TableView[P], admission: _Admission) -> SecretView:
    # The secret in the address authenticates, not a cookie that a browser would send along by
    # itself, so there is nothing a forged request could ride on; and a deal that waited in a
    # phone while the server was restarted is still accepted.
    @csrf_exempt
    @wraps(view)
    def guarded(
        request: HttpRequest, secret: str, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        token = token_find(secret)
        if token is None:
            response = unknown_link(request)
        else:
            response = _let_in(
                request, TableAccess(secret, token), admission, view, *args, **kwargs
            )
            phone_remember(request, response)
        response.headers["Cache-Control"] = "no-store"
        response.headers["Referrer-Policy"] = "same-origin"
        return response

    return opens_for(USE_LINK, guarded)


def _let_in(
    request: HttpRequest,
    access: TableAccess,
    admission: _Admission,
    view: TableView[P],
    *args: P.args,
    **kwargs: P.kwargs,
) -> HttpResponse:
    speak_clubs_language(request, access.club)
    late = admission.takes_late and request.method == "POST" and wants_json(request)
    refused = _too_often(request, access) or _link_refused(request, access, late=late)
    if refused is None and not admission.any_phone:
        round_number = _round_asked(request, access, kwargs)
        access = access.with_phone(request, round_number)
        if not (late and access.is_late):
            refused = _phone_refused(request, access, round_number)
    if refused is not None:
        return refused
    try:
        return view(request, access, *args, **kwargs)
    except Http404:
        return nothing_here(request, _shared(access))


def _too_often(request: HttpRequest, access: TableAccess) -> HttpResponse | None:
    if request.method != "POST":
        return None
    client = network_of(request.META.get("REMOTE_ADDR", ""))
    wait = link_writes_count(token=access.token, client=client)
    return too_often(request, _shared(access), wait) if wait else None


def _link_refused(request: HttpRequest, access: TableAccess, *, late: bool) -> HttpResponse | None:
    cancelled = access.evening.state == Evening.State.CANCELLED
    ended = cancelled or access.club.suspended_at is not None or link_has_ended(access.token)
    if ended or (not access.is_valid and not late):
        return link_over(request, access.evening, _shared(access))
    if not may(access.caller, USE_LINK, access.evening) and not late:
        return paper_only(request, _shared(access))
    return None


def _phone_refused(
    request: HttpRequest, access: TableAccess, round_number: int
) -> HttpResponse | None:
    device = access.device
    if isinstance(device, UnknownPhone):
        return None
    if device.cut_off_at is not None:
        return cut_off(request, _shared(access))
    if device.round_number < round_number and _has_started(access, round_number):
        left = _at_table(access, device.round_number)
        next_round = next_round_of(access.evening, left) if left else None
        return scan_again(request, _shared(access) | {"next_round": next_round})
    return None


def _round_asked(request: HttpRequest, access: TableAccess, kwargs: Mapping[str, object]) -> int:
    """The round in the address, else the one that is on at this table."""
    number = kwargs.get("round_number") or whole_number(request.GET.get("round", ""))
    if isinstance(number, int) and 0 < number <= access.evening.rounds_planned:
        return number
    return access.round_on


def _has_started(access: TableAccess, round_number: int) -> bool:
    waiting = [Round.State.DRAFT, Round.State.DRAWN]
    rounds = access.evening.rounds.filter(number=round_number)
    return rounds.exclude(state__in=waiting).exists()


def _at_table(access: TableAccess, round_number: int) -> Table | None:
    tables = owned(access.club, Table).filter(
        round__evening=access.evening, round__number=round_number
    )
    return tables.filter(number=access.number).select_related("round").first()


def _shared(access: TableAccess) -> dict[str, Any]:
    return {"access": access, "club": access.club, "evening": access.evening, **NO_COOKIE}
