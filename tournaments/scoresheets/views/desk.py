"""A table's sheet at the desk: write, correct and restore a deal, after the result too."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypedDict, Unpack

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from clubs.access.permissions import actor_of, desk_view, may, owned
from clubs.models import Club
from clubs.text.errors import DomainError, VersionConflict
from clubs.text.numbers import whole_number
from scoring.deals.director_forms import DirectorDealForm
from scoring.deals.forms import RestoreForm
from scoring.deals.phone import preview_fragment
from scoring.deals.services import deal_restore, deal_write
from scoring.display.history import restored_reason, revisions
from scoring.display.sheet_view import SheetView
from scoring.display.words import DealRefused
from scoring.models import Confirmation, Scoresheet
from tournaments.evenings.pages import evening_url, find_round, refusals_shown, show_evening
from tournaments.evenings.permissions import CORRECT_DEAL, WRITE_DEAL
from tournaments.evenings.texts import evening_rule_lines
from tournaments.evenings.workflow import open_claims
from tournaments.models import Evening, Round, Table
from tournaments.releases.services import correction_preview, stale_release
from tournaments.rounds.board import extra_words
from tournaments.scoresheets.page import plays_off, seats_of, signatory_name

ANSWER, SEEN, CHANGE = "moves", "seen", "change"


def moves_first(
    request: HttpRequest,
    evening: Evening,
    correct: Callable[[], object],
    *,
    back_url: str = "",
) -> HttpResponse | None:
    """The page that shows who would move by `correct`; None if the evening is not closed or that
    page was answered. It posts the same form again; without `back_url` it offers to change it.

    Raises what `correct` raises.
    """
    if evening.state != Evening.State.CLOSED or request.POST.get(ANSWER) == SEEN:
        return None
    outdated = stale_release(evening)
    moves = correction_preview(evening=evening, correct=correct)
    return show_evening(
        request,
        "scoresheets/correction.html",
        evening,
        moves=moves,
        movers=sum(move.is_up_or_down for move in moves),
        outdated=outdated,
        release=evening.releases.first(),
        sent=_sent(request),
        action=request.get_full_path(),
        back_url=back_url,
    )


def was_published(evening: Evening) -> bool:
    """Whether a result of this evening was ever published, so that a correction needs a reason."""
    return evening.releases.exists()


def wants_change(request: HttpRequest) -> bool:
    """Whether the director saw who moves and wants to change the correction first."""
    return request.POST.get(ANSWER) == CHANGE


def _sent(request: HttpRequest) -> list[tuple[str, object]]:
    """The posted fields, to be posted again."""
    own = {"csrfmiddlewaretoken", ANSWER}
    return [
        (name, value)
        for name, values in request.POST.lists()
        if name not in own
        for value in values
    ]


STARTED = (Round.State.RUNNING, Round.State.CLOSED)


class TablePlace(TypedDict):
    """The parts of an address that name a table."""

    evening_slug: str
    round_number: int
    number: int


@dataclass(frozen=True, slots=True)
class DeskTable:
    """A table of an evening with its sheet as the desk shows it, and where its page is."""

    evening: Evening
    table: Table
    view: SheetView

    @property
    def url(self) -> str:
        return self.url_of("table_sheet")

    @property
    def takes_lines(self) -> bool:
        """Whether deals of this sheet can be typed here."""
        is_open = self.table.sheet.state == Scoresheet.State.OPEN
        in_totals = self.view.handed_in or self.view.is_other_game
        return self.table.round.state in STARTED and is_open and not in_totals

    def url_of(self, name: str, *more: int) -> str:
        """The address of a page about this table, or about a deal of it."""
        return evening_url(name, self.evening, self.table.round.number, self.table.number, *more)


def find_table(club: Club, evening_slug: str, round_number: int, number: int) -> DeskTable:
    """The table, with its sheet; Http404 when there is none."""
    round_ = find_round(club, evening_slug, round_number)
    table = round_.tables.select_related("sheet__regulation").filter(number=number).first()
    if table is None:
        raise Http404
    table.round, table.sheet.club = round_, club
    url = evening_url("table_sheet", round_.evening, round_number, number)
    view = SheetView(table.sheet, url_of=lambda deal: f"{url}?deal={deal}")
    return DeskTable(round_.evening, table, view)


@desk_view(WRITE_DEAL)
@require_http_methods(["GET", "POST"])
def table_sheet(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int, number: int
) -> HttpResponse:
    """The sheet with the line that is written or corrected."""
    desk = find_table(club, evening_slug, round_number, number)
    form = _deal_form(request, desk)
    if request.method == "GET" or wants_change(request):
        return _show(request, desk, form, status=200)
    if form is None or not form.is_valid():
        return _show(request, desk, form, status=422)
    return _write(request, desk, form)


@desk_view(WRITE_DEAL)
@require_POST
def table_preview(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int, number: int
) -> HttpResponse:
    """What the deal would come to, in words; writes nothing."""
    form = _deal_form(request, find_table(club, evening_slug, round_number, number))
    if form is None:
        raise Http404
    return preview_fragment(request, form)


def _deal_form(request: HttpRequest, desk: DeskTable) -> DirectorDealForm | None:
    """The form of the deal asked for, else of the next line; None when there is none to write."""
    wanted = request.GET.get("deal")
    number = desk.view.next_number if wanted is None else whole_number(wanted)
    is_closed_to_deals = desk.view.handed_in or desk.view.is_other_game
    if number is None or is_closed_to_deals or desk.table.round.state not in STARTED:
        return None
    data = request.POST if request.method == "POST" else None
    try:
        return DirectorDealForm(data, view=desk.view, number=number)
    except LookupError as error:
        raise Http404 from error


def _write(request: HttpRequest, desk: DeskTable, form: DirectorDealForm) -> HttpResponse:
    """Write the deal, first showing who moves by it; or show the form again with what is wrong."""
    act = partial(
        deal_write,
        sheet_id=desk.table.sheet_id,
        number=form.number,
        seen_version=form.cleaned_data["seen_version"],
        uuid=form.cleaned_data["uuid"],
        written=form.written(),
        actor=actor_of(request),
        reason=form.reason(),
        closed_too=may(request, CORRECT_DEAL, desk.table),
    )
    try:
        if first := moves_first(request, desk.evening, act):
            return first
        act()
    except DealRefused as refused:
        form.add_refusal(refused)
    except DomainError as error:
        form.add_error(None, error.message)
        if isinstance(error, VersionConflict):
            return _show(request, desk, form, status=409)
    else:
        tell_written(request, desk, form.number)
        return redirect(desk.url)
    return _show(request, desk, form, status=422)


def tell_written(request: HttpRequest, desk: DeskTable, number: int) -> None:
    """Say that a deal is written, and to publish again if the result was already out."""
    messages.success(request, _("Deal %(n)s is written.") % {"n": number})
    say_outdated(request, desk.evening)


def say_outdated(request: HttpRequest, evening: Evening) -> None:
    """Warn that a published result was corrected and has to be published again."""
    if evening.state == Evening.State.CLOSED and stale_release(evening):
        messages.warning(
            request, _("The result was published before this correction: publish it again.")
        )


def _show(
    request: HttpRequest, desk: DeskTable, form: DirectorDealForm | None, *, status: int
) -> HttpResponse:
    sheet, table = desk.table.sheet, desk.table
    numbers = list(table.round.tables.order_by("number").values_list("number", flat=True))
    place = numbers.index(table.number)
    disputes = owned(desk.evening.club, Confirmation).filter(
        sheet=sheet, agrees=False, settled_at=None
    )
    return show_evening(
        request,
        "scoresheets/sheet.html",
        desk.evening,
        status=status,
        desk=desk,
        view=desk.view,
        sheet=sheet,
        table=table,
        round=table.round,
        form=form,
        action=f"{desk.url}?deal={form.number}" if form else "",
        preview_url=f"{desk.url_of('table_preview')}?deal={form.number}" if form else "",
        correcting=form is not None and form.deal.current is not None,
        history=revisions(form.deal, desk.view) if form is not None else [],
        restore_url=desk.url_of("deal_restore", form.number) if form is not None else "",
        previous_table=numbers[place - 1] if place else None,
        next_table=numbers[place + 1] if place + 1 < len(numbers) else None,
        claims=list(open_claims(desk.evening).filter(deal__sheet=sheet)),
        disputes=[
            (dispute, signatory_name(desk.view, dispute.side))
            for dispute in disputes.order_by("at")
        ],
        closed=sheet.state == Scoresheet.State.CLOSED,
        started=table.round.state in STARTED,
        plays_off=plays_off(desk.evening, sheet),
        asks_dealer=not sheet.first_dealer
        and sheet.state == Scoresheet.State.OPEN
        and not desk.view.is_other_game,
        seats=seats_of(desk.view, 1),
        extra=extra_words(sheet.seats.select_related("member")),
        rule_lines=evening_rule_lines(desk.evening),
        blank=not any(deal.current for deal in desk.view.deals),
    )


@desk_view(WRITE_DEAL)
@require_POST
def deal_restore_page(
    request: HttpRequest, club: Club, deal_number: int, **place: Unpack[TablePlace]
) -> HttpResponse:
    """Restore an earlier revision of a deal, first showing who moves by it if the result is out."""
    desk = find_table(club, **place)
    form, deal = RestoreForm(request.POST), desk.view.deal(deal_number)
    if deal is None or not form.is_valid():
        raise Http404
    page = f"{desk.url}?deal={deal_number}"
    act = partial(
        deal_restore,
        sheet_id=desk.table.sheet_id,
        number=deal_number,
        actor=actor_of(request),
        reason=restored_reason(deal, form.arguments["revision"]),
        closed_too=may(request, CORRECT_DEAL, desk.table),
        **form.arguments,
    )
    with refusals_shown(request):
        if first := moves_first(request, desk.evening, act, back_url=page):
            return first
        act()
        messages.success(request, _("Deal %(n)s is as it was before.") % {"n": deal_number})
        say_outdated(request, desk.evening)
    return redirect(page)
