"""Disputed deals: written in two ways, so that the director sees both values and decides; or laid
out card by card by the arbiter, with its faults and what they cost."""

import uuid as uuids
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Unpack

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import replace_url

from clubs.access.permissions import READ_DESK, actor_of, desk_view, owned
from clubs.models import Club
from clubs.text.errors import DomainError, VersionConflict
from clubs.text.numbers import side_name, whole_number
from scoring.deals.director_forms import DirectorDealForm
from scoring.deals.services import deal_write
from scoring.display.history import Revision, device_words, revisions, when_words
from scoring.display.sheet_view import SheetView, has_entry, line_in_words
from scoring.disputes.services import Dispute, claim_decide, deal_words, disputes
from scoring.models import DealClaim, DealEntry
from scoring.replay.cards import DealReplay, ReplayView, RulingChoice, choices, instead_of, picker
from scoring.replay.forms import CardsForm, RulingForm
from scoring.rules import SIDES, Seat, Side
from tournaments.evenings.pages import (
    ReasonForm,
    evening_url,
    find_evening,
    refusals_shown,
    show_evening,
)
from tournaments.evenings.permissions import CORRECT_DEAL, SETTLE
from tournaments.evenings.texts import reneging_lines
from tournaments.evenings.workflow import open_claims
from tournaments.models import Evening, Table
from tournaments.scoresheets.views.desk import (
    STARTED,
    DeskTable,
    TablePlace,
    find_table,
    moves_first,
    say_outdated,
    tell_written,
    wants_change,
)


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


@dataclass(frozen=True)
class ReplayPage:
    """A deal of a table's sheet and the cards that lie on the director's table."""

    desk: DeskTable
    deal: DirectorDealForm
    cards: CardsForm

    @cached_property
    def replay(self) -> DealReplay | None:
        """The cards that lie there; None where trump or the leader is not known yet."""
        return self.cards.replay()

    @cached_property
    def view(self) -> ReplayView | None:
        """The same in words; with the cards of the folder once the evening is over."""
        deal, is_over = self.deal.deal, self.desk.evening.state == Evening.State.CLOSED
        holders = deal.folder.hands if is_over and deal.folder else ""
        names = self.deal.view.short_names(self.deal.number)
        return ReplayView(self.replay, names, holders) if self.replay else None

    @cached_property
    def choices(self) -> list[RulingChoice]:
        """What can be decided; nothing while a word among the cards is wrong."""
        return choices(self.replay, self.deal) if self.replay and not self.cards.errors else []

    @property
    def keys(self) -> list[str]:
        """The rulings that can be written."""
        return [choice.ruling.key for choice in self.choices if choice.line]

    def url(self, name: str = "table_cards") -> str:
        return self.desk.url_of(name, self.deal.number)

    def url_with(self, query: dict[str, str]) -> str:
        """The address that shows these cards again."""
        return f"{self.url()}?{urlencode(query)}"


@desk_view(CORRECT_DEAL)
@require_http_methods(["GET", "POST"])
def table_cards(
    request: HttpRequest, club: Club, deal_number: int, **place: Unpack[TablePlace]
) -> HttpResponse:
    """Lay the deal down, and write what is decided about it."""
    page = _page(request, find_table(club, **place), deal_number)
    if request.method == "POST":
        return _decide(request, page)
    after = page.cards.after(request.GET)
    if after is not None:
        return redirect(page.url_with(after))
    return _show_cards(request, page)


@desk_view(CORRECT_DEAL)
@require_safe
def table_cards_found(
    request: HttpRequest, club: Club, deal_number: int, **place: Unpack[TablePlace]
) -> HttpResponse:
    """What the cards come to, as the piece of the page that follows every card."""
    page = _page(request, find_table(club, **place), deal_number)
    found = render(request, "scoring/replay/_replay.html", {**_context(page), "fragment": True})
    return replace_url(found, page.url_with(page.cards.query()))


@desk_view(READ_DESK)
@require_safe
def table_cards_record(
    request: HttpRequest,
    club: Club,
    deal_number: int,
    revision: int,
    **place: Unpack[TablePlace],
) -> HttpResponse:
    """The cards recorded with one revision of a deal."""
    desk = find_table(club, **place)
    entries = owned(club, DealEntry).filter(record__isnull=False).select_related("user")
    entry = get_object_or_404(
        entries, deal__sheet=desk.table.sheet, deal__number=deal_number, revision=revision
    )
    replay = DealReplay.of_record(entry.record or {}, desk.view.sheet.regulation.rules)
    return show_evening(
        request,
        "scoresheets/cards_record.html",
        desk.evening,
        desk=desk,
        number=deal_number,
        entry=entry,
        line=line_in_words(entry, desk.view.sheet),
        replay=replay,
        view=ReplayView(replay, desk.view.short_names(deal_number)),
    )


def _page(request: HttpRequest, desk: DeskTable, number: int) -> ReplayPage:
    """The cards that the request brings, else those known of the deal; Http404 where there is no
    such deal to be written, or three people play it."""
    sheet_is_fit = not desk.view.handed_in and not desk.table.sheet.three_handed
    if not sheet_is_fit or desk.table.round.state not in STARTED:
        raise Http404
    try:
        deal = DirectorDealForm(view=desk.view, number=number)
    except LookupError as error:
        raise Http404 from error
    sent = request.POST if request.method == "POST" else request.GET
    return ReplayPage(desk, deal, CardsForm(sent if "cards" in sent else None, deal=deal))


def _decide(request: HttpRequest, page: ReplayPage) -> HttpResponse:
    """Write the ruling with the cards; or show again, with what is wrong or what changed."""
    form = RulingForm(request.POST, deal=page.deal, choices=page.keys)
    if not form.is_valid():
        return _show_cards(request, page, form, status=422)
    if wants_change(request):
        return _show_cards(request, page, form)
    try:
        act = partial(_write, request, page, form)
        if first := moves_first(request, page.desk.evening, act):
            return first
        act()
    except VersionConflict as conflict:
        table = page.desk.table
        desk = find_table(
            page.desk.evening.club, page.desk.evening.slug, table.round.number, table.number
        )
        messages.error(request, conflict.message)
        return _show_cards(request, _page(request, desk, page.deal.number), status=409)
    except DomainError as error:
        form.add_error(None, error.message)
        return _show_cards(request, page, form, status=422)
    tell_written(request, page.desk, page.deal.number)
    return redirect(page.desk.url)


def _write(request: HttpRequest, page: ReplayPage, form: RulingForm) -> None:
    replay, key = page.replay, form.cleaned_data["ruling"]
    line = next(choice.line for choice in page.choices if choice.ruling.key == key)
    deal_write(
        sheet_id=page.desk.table.sheet_id,
        number=page.deal.number,
        seen_version=form.cleaned_data["seen_version"],
        uuid=form.cleaned_data["uuid"],
        written=line or {},
        actor=actor_of(request),
        reason=form.cleaned_data.get("reason", ""),
        closed_too=True,
        record=replay.record() if replay else None,
    )


def _show_cards(
    request: HttpRequest, page: ReplayPage, form: RulingForm | None = None, *, status: int = 200
) -> HttpResponse:
    context = _context(page, form)
    return show_evening(
        request, "scoresheets/cards.html", page.desk.evening, status=status, **context
    )


def _context(page: ReplayPage, form: RulingForm | None = None) -> dict[str, Any]:
    replay, cards, deal = page.replay, page.cards, page.deal
    instead = instead_of(cards.read.cards, cards.cleaned_data.get("place"))
    return {
        "desk": page.desk,
        "number": deal.number,
        "url": page.url(),
        "found_url": page.url("table_cards_found"),
        "cards": cards,
        "instead": instead,
        "picker": picker(cards.read.cards, instead, page.view.hand if page.view else None),
        "replay": replay,
        "view": page.view,
        "query": cards.query(),
        "as_it_is": page.url_with(cards.query()),
        "form": form or RulingForm(deal=deal, choices=page.keys),
        "choices": page.choices,
        "standing": deal.entry_in_words(deal.deal.current) if deal.deal.current else (),
        "announces": page.desk.evening.roem_by != Evening.RoemBy.ALWAYS,
        "facts": list(reneging_lines(page.desk.evening)),
    }
