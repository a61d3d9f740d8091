"""Who holds a table's link may write at that table: the secret in the address is all it takes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt

from clubs.access import may, opens_for
from clubs.numbers import whole_number
from clubs.permissions import speak_clubs_language
from clubs.scoping import owned
from tournaments.models import Evening, Round, Table
from tournaments.permissions import USE_LINK
from tournaments.services import token_find
from tournaments.table_page import next_round_of
from tournaments.views.table import turned_away
from tournaments.views.table.holder import TableAccess
from tournaments.views.table.phones import (
    UnknownPhone,
    phone_remember,
)
from tournaments.views.table.turned_away import NO_COOKIE

__all__ = [
    "TableAccess",
    "deal_view",
    "link_view",
    "see_other",
    "table_render",
    "table_view",
]

P = ParamSpec("P")
TableView = Callable[Concatenate[HttpRequest, TableAccess, P], HttpResponse]
SecretView = Callable[..., HttpResponse]


def table_view(view: TableView[P]) -> SecretView:
    """A page behind a table's link: gets the TableAccess in place of the secret.

    A link that never was is answered with 404; one that was withdrawn, or whose evening is over,
    with 410; an evening on which phones stay in the pocket with 403, and so is a phone that was
    cut off, or that was here in an earlier round with other people. Nothing of it is kept by a
    browser or told to another site.
    """
    return _guarded(view, _Door())


def deal_view(view: TableView[P]) -> SecretView:
    """As `table_view`, but what waited on a phone, so what its own program posts, comes in as well
    where it may no longer write: over a link that was withdrawn, from a phone that was cut off,
    after the evening was closed, or since everybody writes on paper.

    The view must keep such a deal beside what is written and never write it: `late_why` says why,
    and a sheet that is closed takes nothing anyway.
    """
    return _guarded(view, _Door(takes_late=True))


def link_view(view: TableView[P]) -> SecretView:
    """As `table_view`, for any phone that has the link, also when its right to write ended."""
    return _guarded(view, _Door(any_phone=True))


@dataclass(frozen=True, slots=True)
class _Door:
    """Who is let in to a view."""

    takes_late: bool = False
    any_phone: bool = False


def _guarded(view: TableView[P], door: _Door) -> SecretView:
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
            response = turned_away.unknown_link(request)
        else:
            response = _let_in(request, TableAccess(secret, token), door, view, *args, **kwargs)
            phone_remember(request, response)
        response.headers["Cache-Control"] = "no-store"
        response.headers["Referrer-Policy"] = "same-origin"
        return response

    return opens_for(USE_LINK, guarded)


def table_render(
    request: HttpRequest,
    access: TableAccess,
    template: str,
    context: Mapping[str, Any] | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    """A page of this table."""
    page = f"tournaments/table/{template}.html"
    return render(request, page, {**_shared(access), **(context or {})}, status=status)


def see_other(url: str) -> HttpResponse:
    """After a write: the page that shows it, so that reloading writes nothing again."""
    response = HttpResponseRedirect(url)
    response.status_code = 303
    return response


def _let_in(
    request: HttpRequest,
    access: TableAccess,
    door: _Door,
    view: TableView[P],
    *args: P.args,
    **kwargs: P.kwargs,
) -> HttpResponse:
    speak_clubs_language(request, access.club)
    late = door.takes_late and request.method == "POST" and turned_away.wants_json(request)
    refused = _link_refused(request, access, late=late)
    if refused is None and not door.any_phone:
        round_number = _round_asked(request, access, kwargs)
        access = access.with_phone(request, round_number)
        if not (late and access.is_late):
            refused = _phone_refused(request, access, round_number)
    if refused is not None:
        return refused
    try:
        return view(request, access, *args, **kwargs)
    except Http404:
        return turned_away.nothing_here(request, _shared(access))


def _link_refused(request: HttpRequest, access: TableAccess, *, late: bool) -> HttpResponse | None:
    cancelled = access.evening.state == Evening.State.CANCELLED
    if cancelled or (not access.is_valid and not late):
        return turned_away.link_over(request, access.evening, _shared(access))
    if not may(access.caller, USE_LINK, access.evening) and not late:
        return turned_away.paper_only(request, _shared(access))
    return None


def _phone_refused(
    request: HttpRequest, access: TableAccess, round_number: int
) -> HttpResponse | None:
    device = access.device
    if isinstance(device, UnknownPhone):
        return None
    if device.cut_off_at is not None:
        return turned_away.cut_off(request, _shared(access))
    if device.round_number < round_number and _has_started(access, round_number):
        left = _at_table(access, device.round_number)
        next_round = next_round_of(access.evening, left) if left else None
        return turned_away.scan_again(request, _shared(access) | {"next_round": next_round})
    return None


def _round_asked(request: HttpRequest, access: TableAccess, kwargs: Mapping[str, object]) -> int:
    """The round that the address is about, else the one that is on at this table."""
    asked = kwargs.get("round_number") or whole_number(request.GET.get("round", ""))
    if isinstance(asked, int) and 0 < asked <= access.evening.rounds_planned:
        return asked
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
