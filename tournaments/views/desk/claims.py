"""Deals that were written in two ways: the director sees both values and decides."""

import uuid as uuids
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.models import Club
from clubs.numbers import whole_number
from clubs.permissions import RUN_EVENING, actor_of, desk_view
from scoring.history import Revision, device_words, revisions, when_words
from scoring.models import DealClaim
from scoring.services import claim_decide as decide
from scoring.sheet_view import SheetView
from scoring.two_sides import Dispute, disputes
from tournaments.forms.reason import ReasonForm
from tournaments.models import Evening, Table
from tournaments.undecided import open_claims
from tournaments.views.desk.common import evening_url, find_evening, refusals_told, show_evening
from tournaments.views.desk.corrections import moves_first, wants_change
from tournaments.views.desk.sheet import say_outdated


@dataclass(frozen=True, slots=True)
class Decision:
    """A claim that waits: where, both values, and who wrote each of them when. After the evening
    was closed `form` asks why."""

    table: Table
    dispute: Dispute
    standing: Revision | None
    claimed_on: str
    claimed_at: str
    form: ReasonForm | None


@desk_view(RUN_EVENING)
@require_safe
def evening_claims(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Every deal of the evening that was written in two ways and not decided yet."""
    return _show(request, find_evening(club, evening_slug))


@desk_view(RUN_EVENING)
@require_POST
def claim_decide(
    request: HttpRequest, club: Club, evening_slug: str, claim: uuids.UUID
) -> HttpResponse:
    """Write the value that came beside the sheet, or leave what stands. After the result is out
    that needs a reason, and first says who moves."""
    evening = find_evening(club, evening_slug)
    found = get_object_or_404(DealClaim, pk=claim, deal__sheet__table__round__evening=evening)
    taken = request.POST.get("taken") == "1"
    needed = taken and evening.state == Evening.State.CLOSED
    form = ReasonForm(request.POST, required=needed, prefix=str(claim))
    if wants_change(request) or not form.is_valid():
        return _show(request, evening, form)
    act = partial(
        decide,
        claim_id=found.pk,
        taken=taken,
        actor=actor_of(request),
        reason=form.given,
        seen_version=whole_number(request.POST.get("seen_version", ""), otherwise=-1),
        closed_too=True,
    )
    page = evening_url("evening_claims", evening)
    with refusals_told(request):
        if taken and (first := moves_first(request, evening, act, back_url=page)):
            return first
        act()
        messages.success(request, _decided(found, taken))
        say_outdated(request, evening)
    return redirect(page)


def _show(request: HttpRequest, evening: Evening, form: ReasonForm | None = None) -> HttpResponse:
    decisions = list(_decisions(evening, form))
    status = 422 if form else 200
    return show_evening(
        request, "claims.html", evening, decisions=decisions, form=form, status=status
    )


def _decisions(evening: Evening, bound: ReasonForm | None) -> Iterator[Decision]:
    tables = dict.fromkeys(claim.deal.sheet.table for claim in open_claims(evening))
    for table in tables:
        view = SheetView(table.sheet)
        table.sheet.club = evening.club
        for dispute in disputes(view):
            yield _decision(table, view, dispute, _form(evening, dispute, bound))


def _form(evening: Evening, dispute: Dispute, bound: ReasonForm | None) -> ReasonForm | None:
    if evening.state != Evening.State.CLOSED:
        return None
    prefix = str(dispute.claim.pk)
    if bound and bound.prefix == prefix:
        return bound
    form = ReasonForm(prefix=prefix)
    form.fields["reason"].help_text = _("Only asked if you write the value that came beside it.")
    return form


def _decision(table: Table, view: SheetView, dispute: Dispute, form: ReasonForm | None) -> Decision:
    deal, claim = view.deal(dispute.number), dispute.claim
    history = revisions(deal, view) if deal and dispute.standing else []
    return Decision(
        table=table,
        dispute=dispute,
        standing=history[0] if history else None,
        claimed_on=device_words(claim.device),
        claimed_at=when_words(claim.made_at, claim.received_at),
        form=form,
    )


def _decided(claim: DealClaim, taken: bool) -> str:
    words = {"n": claim.deal.number}
    if taken:
        return _("Deal %(n)s is written the other way.") % words
    return _("Deal %(n)s stays as it is.") % words
