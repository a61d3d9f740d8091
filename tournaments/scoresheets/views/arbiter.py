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

from clubs.access.permissions import READ_DESK, actor_of, desk_view, owned
from clubs.models import Club
from clubs.text.errors import DomainError, VersionConflict
from scoring.deals.director_forms import DirectorDealForm
from scoring.deals.services import deal_write
from scoring.display.sheet_view import line_in_words
from scoring.models import DealEntry
from scoring.replay.cards import DealReplay
from scoring.replay.forms import CardsForm, RulingForm
from scoring.replay.view import ReplayView, RulingChoice, choices, instead_of, picker
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
    return _show(request, page)


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
        return _show(request, page, form, status=422)
    if wants_change(request):
        return _show(request, page, form)
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
        return _show(request, _page(request, desk, page.deal.number), status=409)
    except DomainError as error:
        form.add_error(None, error.message)
        return _show(request, page, form, status=422)
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


def _show(
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
        "picker": picker(cards.read.cards, instead),
        "replay": replay,
        "view": ReplayView(replay, deal.view.short_names(deal.number)) if replay else None,
        "query": cards.query(),
        "as_it_is": page.url_with(cards.query()),
        "form": form or RulingForm(deal=deal, choices=page.keys),
        "choices": page.choices,
        "standing": deal.entry_in_words(deal.deal.current) if deal.deal.current else (),
        "announces": page.desk.evening.roem_by != Evening.RoemBy.ALWAYS,
        "facts": list(reneging_lines(page.desk.evening)),
    }
