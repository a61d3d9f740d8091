"""Deals written in two ways: the director sees both values and decides."""

import uuid as uuids
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access.permissions import actor_of, desk_view, owned
from clubs.models import Club
from clubs.text.numbers import side_name, whole_number
from scoring.display.history import Revision, device_words, revisions, when_words
from scoring.display.sheet_view import SheetView, has_entry
from scoring.disputes.services import claim_decide
from scoring.disputes.two_sides import Dispute, deal_words, disputes
from scoring.models import DealClaim
from scoring.rules import SIDES, Seat, Side
from tournaments.evenings.desk_pages import (
    ReasonForm,
    evening_url,
    find_evening,
    refusals_shown,
    show_evening,
)
from tournaments.evenings.permissions import SETTLE
from tournaments.evenings.workflow import open_claims
from tournaments.models import Evening, Table
from tournaments.scoresheets.views.desk import moves_first, say_outdated, wants_change


@dataclass(frozen=True, slots=True)
class OpenDecision:
    """An open claim: its table and `sides`, both values, and who wrote each of them when. On a
    closed evening `form` asks for a reason."""

    table: Table
    sides: Sequence[tuple[str, str]]
    dispute: Dispute
    standing: Revision | None
    claimed_on: str
    claimed_at: str
    form: ReasonForm | None


@desk_view(SETTLE)
@require_safe
def evening_claims(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Every deal of the evening that was written in two ways and is still undecided."""
    return _show(request, find_evening(club, evening_slug))


@desk_view(SETTLE)
@require_POST
def claim_decide_page(
    request: HttpRequest, club: Club, evening_slug: str, claim: uuids.UUID
) -> HttpResponse:
    """Write the claimed value, or leave what is on the sheet. On a closed evening writing it needs
    a reason and first shows who moves. If another director was first, say what they decided."""
    evening = find_evening(club, evening_slug)
    open_claim = _find_claim(evening, claim)
    page = evening_url("evening_claims", evening)
    if open_claim.taken is not None:
        stands = _stands(open_claim, _now())
        messages.info(request, _("This has been decided already. %(what)s") % {"what": stands})
        return redirect(page)
    taken = request.POST.get("taken") == "1"
    needed = taken and evening.state == Evening.State.CLOSED
    form = ReasonForm(request.POST, required=needed, prefix=str(claim))
    if wants_change(request) or not form.is_valid():
        return _show(request, evening, form)
    act = partial(
        claim_decide,
        claim_id=open_claim.pk,
        taken=taken,
        actor=actor_of(request),
        reason=form.given,
        seen_version=whole_number(request.POST.get("seen_version", ""), otherwise=-1),
        closed_too=True,
    )
    with refusals_shown(request):
        if taken and (first := moves_first(request, evening, act, back_url=page)):
            return first
        act()
        messages.success(request, _stands(open_claim, _now() if taken else _still()))
        say_outdated(request, evening)
    return redirect(page)


def _show(request: HttpRequest, evening: Evening, form: ReasonForm | None = None) -> HttpResponse:
    decisions = list(_decisions(evening, form))
    status = 422 if form else 200
    return show_evening(
        request, "scoresheets/claims.html", evening, decisions=decisions, form=form, status=status
    )


def _decisions(evening: Evening, bound: ReasonForm | None) -> Iterator[OpenDecision]:
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


def _decision(
    table: Table, view: SheetView, dispute: Dispute, form: ReasonForm | None
) -> OpenDecision:
    deal, claim = view.deal(dispute.number), dispute.claim
    history = revisions(deal, view) if deal and dispute.standing else []
    return OpenDecision(
        table=table,
        sides=_sides(view, dispute.number),
        dispute=dispute,
        standing=history[0] if history else None,
        claimed_on=device_words(claim.device),
        claimed_at=when_words(claim.made_at, claim.received_at),
        form=form,
    )


def _sides(view: SheetView, number: int) -> list[tuple[str, str]]:
    """Who plays a deal: each side with its two names, or three people without sides."""
    names = view.names(number)
    if view.sheet.three_handed:
        return [("", " – ".join(names[seat] for seat in view.sheet.people))]
    return [(side_name(side), _couple(names, side)) for side in SIDES]


def _couple(names: Mapping[Seat, str], side: Side) -> str:
    return " – ".join(names[seat] for seat in side if names[seat])  # type: ignore[index]


def _find_claim(evening: Evening, claim: uuids.UUID) -> DealClaim:
    claims = owned(evening.club, DealClaim).filter(deal__sheet__table__round__evening=evening)
    whole = claims.select_related("deal__sheet__table", "deal__sheet__regulation")
    open_claim = get_object_or_404(whole, pk=claim)
    open_claim.deal.sheet.club = evening.club
    return open_claim


def _stands(claim: DealClaim, words: str) -> str:
    """`words`, filled in with the score that is on the sheet for the claimed deal."""
    sheet, number = claim.deal.sheet, claim.deal.number
    view = SheetView(sheet)
    deal = view.deal(number)
    score = _("empty")
    if deal and deal.current and has_entry(deal):
        score = deal_words(deal.current, view, number).score
    return words % {"table": sheet.table.number, "n": number, "score": score}


def _now() -> str:
    return _("Table %(table)s, deal %(n)s: now %(score)s.")


def _still() -> str:
    return _("Table %(table)s, deal %(n)s: stays %(score)s.")
