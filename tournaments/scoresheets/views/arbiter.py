"""The arbiter's page: a disputed deal laid out card by card, its faults and what they cost."""

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Unpack

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import replace_url

from clubs.access.permissions import READ_DESK, actor_of, desk_view
from clubs.access.scoping import owned
from clubs.models import Club
from clubs.text.errors import DomainError, VersionConflict
from scoring.deals.director_form import DirectorDealForm
from scoring.deals.services import deal_write
from scoring.display.sheet_view import line_in_words
from scoring.models import DealEntry
from scoring.replay.cards import LaidDeal
from scoring.replay.forms import CardsForm, RulingForm
from scoring.replay.view import Choice, LaidView, choices, instead_of, picker
from tournaments.evenings.desk_pages import show_evening
from tournaments.evenings.permissions import CORRECT_DEAL
from tournaments.evenings.texts import reneging_lines
from tournaments.models import Evening
from tournaments.scoresheets.views.desk import (
    STARTED,
    DeskTable,
    TablePlace,
    find_table,
    moves_first,
    tell_written,
    wants_change,
)


@dataclass(frozen=True)
class LaidTable:
    """A deal of a table's sheet and the cards that the director laid out for it."""

    desk: DeskTable
    deal: DirectorDealForm
    cards: CardsForm

    @cached_property
    def laid(self) -> LaidDeal | None:
        """The cards laid out so far; None before trump and the leader are known."""
        return self.cards.laid()

    @cached_property
    def choices(self) -> list[Choice]:
        """The possible rulings; none while the cards cannot be read."""
        return choices(self.laid, self.deal) if self.laid and not self.cards.errors else []

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
    """Lay the deal out and write a ruling on it."""
    laid_table = _laid_table(request, find_table(club, **place), deal_number)
    if request.method == "POST":
        return _decide(request, laid_table)
    after = laid_table.cards.after(request.GET)
    if after is not None:
        return redirect(laid_table.url_with(after))
    return _show(request, laid_table)


@desk_view(CORRECT_DEAL)
@require_safe
def table_cards_found(
    request: HttpRequest, club: Club, deal_number: int, **place: Unpack[TablePlace]
) -> HttpResponse:
    """The result of the cards, as the part of the page that is updated after each card."""
    laid_table = _laid_table(request, find_table(club, **place), deal_number)
    fragment = render(
        request, "scoring/replay/_laid.html", {**_context(laid_table), "fragment": True}
    )
    return replace_url(fragment, laid_table.url_with(laid_table.cards.query()))


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
    laid = LaidDeal.of_record(entry.record or {}, desk.view.sheet.regulation.rules)
    return show_evening(
        request,
        "scoresheets/cards_record.html",
        desk.evening,
        desk=desk,
        number=deal_number,
        entry=entry,
        line=line_in_words(entry, desk.view.sheet),
        laid=laid,
        view=LaidView(laid, desk.view.short_names(deal_number)),
    )


def _laid_table(request: HttpRequest, desk: DeskTable, number: int) -> LaidTable:
    """The cards in the request, else those recorded with the deal. Http404 if there is no such
    deal to write or three people play it."""
    sheet_is_fit = not desk.view.handed_in and not desk.table.sheet.three_handed
    if not sheet_is_fit or desk.table.round.state not in STARTED:
        raise Http404
    try:
        deal = DirectorDealForm(view=desk.view, number=number)
    except LookupError as error:
        raise Http404 from error
    sent = request.POST if request.method == "POST" else request.GET
    return LaidTable(desk, deal, CardsForm(sent if "cards" in sent else None, deal=deal))


def _decide(request: HttpRequest, laid_table: LaidTable) -> HttpResponse:
    """Write the ruling with its cards, or show the page again with what is wrong or changed."""
    form = RulingForm(request.POST, deal=laid_table.deal, choices=laid_table.keys)
    if not form.is_valid():
        return _show(request, laid_table, form, status=422)
    if wants_change(request):
        return _show(request, laid_table, form)
    try:
        act = partial(_write, request, laid_table, form)
        if first := moves_first(request, laid_table.desk.evening, act):
            return first
        act()
    except VersionConflict as conflict:
        table = laid_table.desk.table
        desk = find_table(
            laid_table.desk.evening.club,
            laid_table.desk.evening.slug,
            table.round.number,
            table.number,
        )
        messages.error(request, conflict.message)
        return _show(request, _laid_table(request, desk, laid_table.deal.number), status=409)
    except DomainError as error:
        form.add_error(None, error.message)
        return _show(request, laid_table, form, status=422)
    tell_written(request, laid_table.desk, laid_table.deal.number)
    return redirect(laid_table.desk.url)


def _write(request: HttpRequest, laid_table: LaidTable, form: RulingForm) -> None:
    laid, key = laid_table.laid, form.cleaned_data["ruling"]
    line = next(choice.line for choice in laid_table.choices if choice.ruling.key == key)
    deal_write(
        sheet_id=laid_table.desk.table.sheet_id,
        number=laid_table.deal.number,
        seen_version=form.cleaned_data["seen_version"],
        uuid=form.cleaned_data["uuid"],
        written=line or {},
        actor=actor_of(request),
        reason=form.cleaned_data.get("reason", ""),
        closed_too=True,
        record=laid.record() if laid else None,
    )


def _show(
    request: HttpRequest,
    laid_table: LaidTable,
    form: RulingForm | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    context = _context(laid_table, form)
    return show_evening(
        request, "scoresheets/cards.html", laid_table.desk.evening, status=status, **context
    )


def _context(laid_table: LaidTable, form: RulingForm | None = None) -> dict[str, Any]:
    laid, cards, deal = laid_table.laid, laid_table.cards, laid_table.deal
    instead = instead_of(cards.read.cards, cards.cleaned_data.get("place"))
    return {
        "desk": laid_table.desk,
        "number": deal.number,
        "url": laid_table.url(),
        "found_url": laid_table.url("table_cards_found"),
        "cards": cards,
        "instead": instead,
        "picker": picker(cards.read.cards, instead),
        "laid": laid,
        "view": LaidView(laid, deal.view.short_names(deal.number)) if laid else None,
        "query": cards.query(),
        "as_it_is": laid_table.url_with(cards.query()),
        "form": form or RulingForm(deal=deal, choices=laid_table.keys),
        "choices": laid_table.choices,
        "standing": deal.entry_in_words(deal.deal.current) if deal.deal.current else (),
        "announces": laid_table.desk.evening.roem_by != Evening.RoemBy.ALWAYS,
        "facts": list(reneging_lines(laid_table.desk.evening)),
    }
