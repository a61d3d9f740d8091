"""Who holds a table's link may write at that table: the secret in the address is all it takes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from clubs.audit import Actor
from clubs.models import Club
from clubs.permissions import speak_clubs_language
from scoring.sheet_view import SheetView
from tournaments.models import Evening, Round, Table, TableToken
from tournaments.services import token_find

P = ParamSpec("P")
OVER = (Evening.State.CLOSED, Evening.State.CANCELLED)


@dataclass(frozen=True, slots=True)
class TableAccess:
    """One table on one evening, for whoever holds its link."""

    secret: str
    token: TableToken

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
    def actor(self) -> Actor:
        """The table as the trail knows it: which link was used, not who held the phone."""
        ref = f"table:{self.evening.uuid}:{self.number}:{self.token.generation}"
        return Actor(ref=ref, label=_("Table %(number)s") % {"number": self.number})

    def url(self, name: str, *args: object) -> str:
        return reverse(name, args=[self.secret, *args])

    def table(self, round_number: int) -> Table:
        """This table in a round that the hall may see; 404 when there is none."""
        tables = Table.objects.exclude(round__state=Round.State.DRAFT)
        found = (
            tables.filter(
                round__evening=self.evening, round__number=round_number, number=self.number
            )
            .select_related("round", "sheet__regulation", "sheet__club")
            .first()
        )
        if found is None:
            raise Http404
        return found

    def sheet_view(self, table: Table) -> SheetView:
        """The sheet of this table in a round, its lines leading to where they are corrected."""
        number = table.round.number
        return SheetView(table.sheet, lambda deal: self.url("table_deal", number, deal))


TableView = Callable[Concatenate[HttpRequest, TableAccess, P], HttpResponse]
SecretView = Callable[..., HttpResponse]


def table_view(view: TableView[P]) -> SecretView:
    """A page behind a table's link: gets the TableAccess in place of the secret.

    A link that never was is answered with 404; one that was withdrawn, or whose evening is over,
    with 410; an evening on which phones stay in the pocket with 403. Nothing of it is kept by a
    browser or told to another site.
    """

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
            response = render(request, "tournaments/table/unknown.html", NO_COOKIE, status=404)
        else:
            response = _shown(request, TableAccess(secret, token), view, *args, **kwargs)
        response.headers["Cache-Control"] = "no-store"
        response.headers["Referrer-Policy"] = "same-origin"
        return response

    return guarded


NO_COOKIE = {"csrf_token": ""}
"""Keeps base.html from setting a CSRF cookie that no table page needs."""


def table_render(
    request: HttpRequest,
    access: TableAccess,
    template: str,
    context: Mapping[str, Any] | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    """A page of this table; sets no cookie."""
    shared = {"access": access, "club": access.club, "evening": access.evening, **NO_COOKIE}
    page = f"tournaments/table/{template}.html"
    return render(request, page, {**shared, **(context or {})}, status=status)


def see_other(url: str) -> HttpResponse:
    """After a write: the page that shows it, so that reloading writes nothing again."""
    response = HttpResponseRedirect(url)
    response.status_code = 303
    return response


def _shown(
    request: HttpRequest,
    access: TableAccess,
    view: TableView[P],
    *args: P.args,
    **kwargs: P.kwargs,
) -> HttpResponse:
    speak_clubs_language(request, access.club)
    if access.token.revoked_at is not None or access.evening.state in OVER:
        return table_render(request, access, "over", status=410)
    if not access.evening.phones:
        return table_render(request, access, "paper_only", status=403)
    try:
        return view(request, access, *args, **kwargs)
    except Http404:
        return table_render(request, access, "nothing_here", status=404)
