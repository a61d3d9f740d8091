"""What a director does to a whole sheet: swap, move, substitute, totals only, settle."""

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from clubs.access.permissions import actor_of, desk_view, of_club, owned
from clubs.audit.services import Actor
from clubs.http.pages import ConfirmedAction
from clubs.models import Club, Member
from clubs.text.errors import DomainError
from clubs.text.numbers import whole_number
from scoring.display.words import pit_word
from scoring.disputes.submissions import dispute_settle
from scoring.models import Confirmation
from scoring.sheets.services import sheet_first_dealer, sheet_move, sheet_swap_sides
from scoring.sheets.side_totals import match_play_off_clear, side_totals_clear
from tournaments.evenings.pages import (
    ReasonForm,
    confirm,
    refusals_shown,
    show_evening,
    to_evening,
)
from tournaments.evenings.permissions import (
    CHANGE_SHEET,
    HAND_IN_TOTALS,
    PUT_RIGHT,
    SETTLE,
    WRITE_DEAL,
)
from tournaments.registration.check_in import guests_ensure, member_called
from tournaments.rounds.services import table_substitute
from tournaments.scoresheets.data import next_blank_table
from tournaments.scoresheets.forms import (
    MoveSheetForm,
    PlayOffForm,
    SubstituteForm,
    TotalsForm,
    hand_in,
    total_names,
    totals_initial,
)
from tournaments.scoresheets.page import draws_dealer, plays_off
from tournaments.scoresheets.views.desk import DeskTable, find_table, was_published


@desk_view(PUT_RIGHT)
@require_http_methods(["GET", "POST"])
def table_swap(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int, number: int
) -> HttpResponse:
    """Swap wij and zij of a whole sheet."""
    desk = find_table(club, evening_slug, round_number, number)
    form = ReasonForm(_data(request))

    def act() -> str:
        sheet_swap_sides(sheet_id=desk.table.sheet_id, reason=form.given, actor=actor_of(request))
        return _("We and they have changed places on the whole sheet.")

    confirmation = ConfirmedAction(
        title=_("Swap we and they of table %(n)s?") % {"n": number},
        text=_(
            "Everything written under we moves to they and the other way round, in every "
            "deal. The players stay where they sit."
        ),
        yes=_("Swap the whole sheet"),
        back_url=desk.url,
        act=act,
        next_url=desk.url,
        form=form,
    )
    return confirm(request, desk.evening, confirmation)


@desk_view(PUT_RIGHT)
@require_http_methods(["GET", "POST"])
def table_move(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int, number: int
) -> HttpResponse:
    """Move what is written to the table it belongs to; the two sheets change contents."""
    desk = find_table(club, evening_slug, round_number, number)
    form = MoveSheetForm(_data(request), table=desk.table)

    def act() -> str:
        other = form.cleaned_data["to"]
        sheet_move(
            from_id=desk.table.sheet_id,
            to_id=other.sheet_id,
            reason=form.given,
            actor=actor_of(request),
        )
        words = _("The sheets of table %(n)s and table %(other)s have changed places.")
        return words % {"n": number, "other": other.number}

    confirmation = ConfirmedAction(
        title=_("To which table does this sheet belong?"),
        text=_(
            "The deals of table %(n)s and of the table you choose change places. The players stay "
            "where they sit."
        )
        % {"n": number},
        yes=_("Move the sheet"),
        back_url=desk.url,
        act=act,
        next_url=desk.url,
        form=form,
    )
    return confirm(request, desk.evening, confirmation)


@desk_view(CHANGE_SHEET)
@require_http_methods(["GET", "POST"])
def substitute(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int, number: int
) -> HttpResponse:
    """A substitute takes over a seat during the round."""
    desk = find_table(club, evening_slug, round_number, number)
    now = desk.view.next_number or 1
    form = SubstituteForm(
        _data(request), table=desk.table, names=desk.view.names(now), initial={"from_deal": now}
    )
    if request.method == "POST" and form.is_valid() and _take_over(form, desk, actor_of(request)):
        messages.success(request, _("The substitute has taken over."))
        return redirect(desk.url)
    return show_evening(
        request,
        "scoresheets/substitute.html",
        desk.evening,
        desk=desk,
        form=form,
        status=_status(request),
    )


@desk_view(HAND_IN_TOTALS)
@require_http_methods(["GET", "POST"])
def table_totals(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int, number: int
) -> HttpResponse:
    """Enter totals only, for a table that hands in no deals."""
    desk = find_table(club, evening_slug, round_number, number)
    form = TotalsForm(
        _data(request),
        names=total_names(desk.view),
        pit=pit_word(club),
        corrects=was_published(desk.evening),
        initial=totals_initial(desk.view),
    )
    actor = actor_of(request)
    if request.method == "POST" and hand_in(form, desk.table.sheet, actor=actor):
        messages.success(request, _("The totals of table %(n)s are written.") % {"n": number})
        return _on_from_totals(request, desk)
    return show_evening(
        request,
        "scoresheets/totals.html",
        desk.evening,
        desk=desk,
        form=form,
        next_table=next_blank_table(desk.table),
        status=_status(request),
    )


@desk_view(HAND_IN_TOTALS)
@require_http_methods(["GET", "POST"])
def table_totals_clear(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int, number: int
) -> HttpResponse:
    """Remove handed-in totals; on a published evening this needs a reason."""
    desk = find_table(club, evening_slug, round_number, number)
    form = ReasonForm(_data(request)) if was_published(desk.evening) else None

    def act() -> str:
        side_totals_clear(
            sheet_id=desk.table.sheet_id,
            actor=actor_of(request),
            reason=form.given if form else "",
        )
        return _("The totals are gone. The deals can be written.")

    confirmation = ConfirmedAction(
        title=_("Take the totals of table %(n)s off?") % {"n": number},
        text=_("After this the sheet is blank and the deals can be written one by one."),
        yes=_("Take them off"),
        back_url=desk.url,
        act=act,
        next_url=desk.url,
        form=form,
    )
    return confirm(request, desk.evening, confirmation)


@desk_view(WRITE_DEAL)
@require_http_methods(["GET", "POST"])
def match_play_off(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int, number: int
) -> HttpResponse:
    """The four deals more after a match at a table that ended equal."""
    desk = find_table(club, evening_slug, round_number, number)
    if not plays_off(desk.evening, desk.table.sheet):
        raise Http404
    corrects = was_published(desk.evening)
    form = PlayOffForm(_data(request), view=desk.view, corrects=corrects)
    if form.is_bound and form.save(desk.table.sheet, actor=actor_of(request)):
        messages.success(request, _("The four deals of table %(n)s are written.") % {"n": number})
        return redirect(desk.url)
    return show_evening(
        request,
        "scoresheets/play_off.html",
        desk.evening,
        desk=desk,
        form=form,
        status=_status(request),
    )


@desk_view(HAND_IN_TOTALS)
@require_http_methods(["GET", "POST"])
def match_play_off_take_off(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int, number: int
) -> HttpResponse:
    """Take the four deals more off again, with a reason."""
    desk = find_table(club, evening_slug, round_number, number)
    form = ReasonForm(_data(request))

    def act() -> str:
        match_play_off_clear(
            sheet_id=desk.table.sheet_id, actor=actor_of(request), reason=form.given
        )
        return _("The four deals are gone. The match is equal again.")

    confirmation = ConfirmedAction(
        title=_("Take the four extra deals of table %(n)s off?") % {"n": number},
        text=_("The sheet itself stays as it is. After this the match is undecided."),
        yes=_("Take them off"),
        back_url=desk.url,
        act=act,
        next_url=desk.url,
        form=form,
    )
    return confirm(request, desk.evening, confirmation)


@desk_view(SETTLE)
@require_POST
def table_settle(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int, number: int
) -> HttpResponse:
    """A dispute has been dealt with."""
    desk = find_table(club, evening_slug, round_number, number)
    wanted = whole_number(request.POST.get("dispute", ""))
    dispute = of_club(
        club,
        Confirmation,
        sheet=desk.table.sheet,
        agrees=False,
        pk=wanted,
    )
    if dispute.settled_at is None:
        dispute_settle(confirmation_id=dispute.pk, actor=actor_of(request))
    messages.success(request, _("Settled."))
    return redirect(desk.url)


@desk_view(WRITE_DEAL)
@require_POST
def table_first_dealer(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int, number: int
) -> HttpResponse:
    """Who drew the highest card and deals first."""
    desk = find_table(club, evening_slug, round_number, number)
    seat = request.POST.get("seat", "")
    if not draws_dealer(desk.evening, desk.table) or seat not in desk.table.sheet.people:
        raise Http404
    with refusals_shown(request):
        sheet_first_dealer(
            sheet_id=desk.table.sheet_id,
            seat=seat,
            seen_version=whole_number(request.POST.get("seen_version", ""), otherwise=-1),
            actor=actor_of(request),
        )
    return redirect(desk.url)


def _on_from_totals(request: HttpRequest, desk: DeskTable) -> HttpResponse:
    """Go on to the totals of the next table if asked for, else to this table's sheet."""
    following = next_blank_table(desk.table) if "next" in request.POST else None
    if following is None:
        return redirect(desk.url)
    return to_evening("table_totals", desk.evening, desk.table.round.number, following.number)


def _take_over(form: SubstituteForm, desk: DeskTable, actor: Actor) -> bool:
    answers = form.cleaned_data
    try:
        with transaction.atomic():
            table_substitute(
                table_id=desk.table.pk,
                seat=answers["seat"],
                member=answers["who"] or _guest(answers["guest"], desk, actor),
                from_deal=answers["from_deal"],
                for_himself=answers["for_himself"] == "1",
                stays=answers.get("stays", False),
                actor=actor,
            )
    except DomainError as error:
        form.add_error(None, error.message)
        return False
    return True


def _guest(name: str, desk: DeskTable, actor: Actor) -> Member:
    """The person with this name, else a new guest, so that a form sent twice adds one guest."""
    known = member_called(desk.evening, name)
    if known is not None:
        return known
    ids = guests_ensure(club=desk.evening.club, people=[name], actor=actor)
    return owned(desk.evening.club, Member).get(pk=ids[name])


def _data(request: HttpRequest) -> QueryDict | None:
    return request.POST if request.method == "POST" else None


def _status(request: HttpRequest) -> int:
    """The status of a page with its form: after a POST the form was refused."""
    return 422 if request.method == "POST" else 200
