"""The pages at the door: people are ticked, sign off, or walk in as a guest; and the entry fee:
what everybody pays in, who has paid, and the pot."""

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from clubs.access.permissions import actor_of, desk_view
from clubs.files.exports import ListFile, list_response
from clubs.members.views.members import namesakes_said
from clubs.models import Club, Member
from clubs.text.errors import DomainError
from clubs.text.numbers import euros, money
from tournaments.evenings.pages import (
    find_evening,
    posted_member,
    refusals_shown,
    show_evening,
    to_evening,
)
from tournaments.evenings.permissions import HAND_OUT, SET_PRESENCE
from tournaments.evenings.texts import cannot_divide, forecast, forecast_as_drawn
from tournaments.evenings.workflow import block_warning, draw_step, evening_progress, next_step
from tournaments.models import Evening
from tournaments.registration.check_in import (
    check_in_list,
    drawn_without,
    gone_while_playing,
    guest_add,
    likely_here,
    member_called,
    presence_set,
    presence_update,
    substitutes_playing,
)
from tournaments.registration.entry_fees import (
    EntryFeesForm,
    OtherFeeForm,
    asks_entry_fee,
    entry_fee_list,
    entry_fee_pay,
    entry_fees_set,
    entry_fees_tick,
)
from tournaments.registration.forms import GuestForm, SignOffForm, ticked


@desk_view(SET_PRESENCE)
@require_http_methods(["GET", "POST"])
def check_in_page(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """The list with the ticks. Only the difference with what the page showed is saved, so that
    ticks by somebody else in the meantime stay."""
    evening = find_evening(club, evening_slug)
    if request.method == "POST":
        here, shown = ticked(request.POST.getlist("here")), ticked(request.POST.getlist("shown"))
        with refusals_shown(request):
            _update(request, evening, here - shown, shown - here)
            paid_ticks_save(request, evening)
        if request.POST.get("next") == "draw":
            return redirect(draw_step(evening_progress(evening)).url)
        return to_evening("evening_present", evening)
    return _show(request, evening)


@desk_view(SET_PRESENCE)
@require_POST
def check_in_tick(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """One tick, saved at once: answers with the counters."""
    evening = find_evening(club, evening_slug)
    member = posted_member(request, club)
    try:
        presence_set(
            evening_id=evening.pk,
            member=member,
            present=str(member.pk) in request.POST.getlist("here"),
            actor=actor_of(request),
        )
    except DomainError as error:
        return HttpResponse(error.message, status=409, content_type="text/plain")
    return _show(request, evening, template="registration/check_in_count.html")


@desk_view(SET_PRESENCE)
@require_POST
def check_in_guest(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Add a guest, or tick the person whom the club knows by that name."""
    evening = find_evening(club, evening_slug)
    form = GuestForm(request.POST)
    if not form.is_valid():
        return _show(request, evening, guest_form=form)
    name, actor = form.cleaned_data["guest"], actor_of(request)
    with refusals_shown(request):
        known = member_called(evening, name)
        if known is None:
            guest = guest_add(evening_id=evening.pk, name=name, actor=actor).member
            messages.success(request, _("%(name)s plays as a guest.") % {"name": guest.desk_name})
            namesakes_said(request, guest)
        else:
            presence_set(evening_id=evening.pk, member=known, present=True, actor=actor)
            words = _(
                "%(name)s is on the list already: ticked. Is this somebody else? Then type"
                " something after the name, such as “sr.” or a town."
            )
            messages.info(request, words % {"name": known.desk_name})
    return to_evening("evening_present", evening)


@desk_view(SET_PRESENCE)
@require_POST
def check_in_sign_off(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Record that somebody does not come, with or without notice."""
    evening = find_evening(club, evening_slug)
    form = SignOffForm(request.POST, evening=evening)
    if not form.is_valid():
        return _show(request, evening, sign_off_form=form)
    member = form.cleaned_data["who"]
    with refusals_shown(request):
        presence_set(
            evening_id=evening.pk,
            member=member,
            present=False,
            absence=form.cleaned_data["absence"],
            actor=actor_of(request),
        )
        messages.success(request, _("Noted: %(name)s does not come.") % {"name": member.desk_name})
    return to_evening("evening_present", evening)


@desk_view(SET_PRESENCE)
@require_POST
def check_in_as_before(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Tick everybody who was here last time, or on a first evening every member, as a start."""
    evening = find_evening(club, evening_slug)
    people, of_last_time = likely_here(evening)
    with refusals_shown(request):
        presence_update(evening_id=evening.pk, arrived=people, left=(), actor=actor_of(request))
        words = (
            ngettext(
                "%(n)s person of last time is ticked. Untick who is not here.",
                "%(n)s people of last time are ticked. Untick who is not here.",
                len(people),
            )
            if of_last_time
            else ngettext(
                "%(n)s member is ticked. Untick who is not here.",
                "%(n)s members are ticked. Untick who is not here.",
                len(people),
            )
        )
        messages.success(request, words % {"n": len(people)})
    return to_evening("evening_present", evening)


def _update(
    request: HttpRequest, evening: Evening, arrived: Iterable[int], left: Iterable[int]
) -> None:
    people = Member.objects.of(evening.club)
    come, gone = list(people.filter(pk__in=arrived)), list(people.filter(pk__in=left))
    if come or gone:
        presence_update(evening_id=evening.pk, arrived=come, left=gone, actor=actor_of(request))


def _show(
    request: HttpRequest,
    evening: Evening,
    *,
    template: str = "registration/check_in.html",
    guest_form: GuestForm | None = None,
    sign_off_form: SignOffForm | None = None,
) -> HttpResponse:
    progress = evening_progress(evening)
    refused = guest_form or sign_off_form
    newcomers, leavers = drawn_without(evening)
    drawn = progress.running or progress.unplayed
    fits = not (newcomers or leavers)
    as_drawn = forecast_as_drawn(evening, drawn.number, drawn.tables) if drawn and fits else ""
    context: dict[str, Any] = {
        "forecast": as_drawn or forecast(evening, progress.present),
        "block_warning": block_warning(progress),
        "cannot_divide": cannot_divide(evening, progress.present),
        "newcomers": newcomers,
        "leavers": leavers,
        "gone": gone_while_playing(evening) if progress.running else [],
        "standing_in": (standing_in := substitutes_playing(evening) if progress.running else []),
        "places": progress.present + len(standing_in),
        "next_step": next_step(progress),
        "open": evening.is_open,
    }
    if template == "registration/check_in.html":
        people = check_in_list(evening, request.GET.get("q", "") if evening.is_open else "")
        sign_off = sign_off_form or SignOffForm(evening=evening)
        if people.is_searched:
            sign_off.offer([row.member for row in people.rows])
        context |= {
            "people": people,
            "rows": people.rows,
            "asks_entry_fee": asks_entry_fee(evening),
            "guest_form": guest_form or GuestForm(),
            "sign_off_form": sign_off,
            "form": refused,
            "likely": likely_here(evening) if not progress.present else None,
        }
    return show_evening(
        request,
        template,
        evening,
        progress=progress,
        status=422 if refused else 200,
        **context,
    )


@desk_view(HAND_OUT)
@require_http_methods(["GET", "POST"])
def entry_fees_page(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Who has paid, and the pot. Only the difference with what the page showed is saved, so that
    ticks by somebody else in the meantime stay."""
    evening = find_evening(club, evening_slug)
    if request.method == "POST":
        with refusals_shown(request):
            paid_ticks_save(request, evening)
        return to_evening("evening_stake", evening)
    return list_response(request, lambda: entry_fee_file(evening)) or _show_fees(request, evening)


@desk_view(HAND_OUT)
@require_POST
def entry_fee_tick(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """One tick, saved at once: answers with the pot."""
    evening = find_evening(club, evening_slug)
    member = posted_member(request, club)
    has_paid = str(member.pk) in request.POST.getlist("paid")
    paid, taken_back = ([member], []) if has_paid else ([], [member])
    try:
        entry_fees_tick(
            evening_id=evening.pk, paid=paid, taken_back=taken_back, actor=actor_of(request)
        )
    except DomainError as error:
        return HttpResponse(error.message, status=409, content_type="text/plain")
    return _show_fees(request, evening, template="registration/entry_fee_pot.html")


@desk_view(HAND_OUT)
@require_POST
def entry_fee_amounts(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Set what a member and a guest pay in."""
    evening = find_evening(club, evening_slug)
    form = EntryFeesForm(request.POST)
    if not form.is_valid():
        return _show_fees(request, evening, amounts=form)
    with refusals_shown(request):
        entry_fees_set(evening_id=evening.pk, fees=form.fees(), actor=actor_of(request))
        messages.success(request, _("The entry fee is saved."))
    return to_evening("evening_stake", evening)


@desk_view(HAND_OUT)
@require_POST
def entry_fee_other(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Record that somebody pays another sum than the fee."""
    evening = find_evening(club, evening_slug)
    form = OtherFeeForm(request.POST, evening=evening)
    if not form.is_valid():
        return _show_fees(request, evening, other=form)
    member, cents = form.cleaned_data["who"], form.cleaned_data["paid"]
    with refusals_shown(request):
        entry_fee_pay(evening_id=evening.pk, member=member, cents=cents, actor=actor_of(request))
        words = {"name": member.desk_name, "sum": money(cents)}
        messages.success(request, _("Noted: %(name)s pays %(sum)s.") % words)
    return to_evening("evening_stake", evening)


def entry_fee_file(evening: Evening) -> ListFile:
    """The list as a file to download, in euros."""
    fees = entry_fee_list(evening)
    return ListFile(
        name=_("Entry fee %(club)s %(date)s") % {"club": evening.club.name, "date": evening.slug},
        columns={
            "player": _("Name"),
            "kind": _("Member or guest"),
            "due": _("Asked"),
            "paid": _("Paid"),
            "package": _("With a package"),
        },
        rows=[
            (
                row.member.desk_name,
                row.member.get_kind_display(),
                euros(row.due if row.here else None),
                euros(row.paid),
                _("yes") if row.by_package else "",
            )
            for row in fees.rows
        ],
    )


def paid_ticks_save(request: HttpRequest, evening: Evening) -> None:
    """Save what was ticked and unticked in the list of who has paid. Raises DomainError as
    `entry_fees_tick` does."""
    paid = ticked(request.POST.getlist("paid"))
    shown = ticked(request.POST.getlist("paid_shown"))
    people = Member.objects.of(evening.club)
    come, gone = people.filter(pk__in=paid - shown), people.filter(pk__in=shown - paid)
    if come or gone:
        entry_fees_tick(evening_id=evening.pk, paid=come, taken_back=gone, actor=actor_of(request))


def _show_fees(
    request: HttpRequest,
    evening: Evening,
    *,
    template: str = "registration/entry_fees.html",
    amounts: EntryFeesForm | None = None,
    other: OtherFeeForm | None = None,
) -> HttpResponse:
    now = {"stake_member": evening.stake_member, "stake_guest": evening.stake_guest}
    return show_evening(
        request,
        template,
        evening,
        fees=entry_fee_list(evening),
        asks_entry_fee=asks_entry_fee(evening),
        amounts=amounts or EntryFeesForm(initial=now),
        other=other or OtherFeeForm(evening=evening),
        form=amounts or other,
        status=422 if amounts or other else 200,
    )
