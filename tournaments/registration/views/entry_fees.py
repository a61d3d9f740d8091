"""The pages of the entry fee: what everybody pays in, who has paid, and the pot."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from clubs.access.permissions import actor_of, desk_view
from clubs.files.exports import ListFile, list_response
from clubs.models import Club, Member
from clubs.text.errors import DomainError
from clubs.text.numbers import euros, money
from tournaments.evenings.desk_pages import (
    find_evening,
    posted_member,
    refusals_shown,
    show_evening,
    to_evening,
)
from tournaments.evenings.permissions import HAND_OUT
from tournaments.models import Evening
from tournaments.registration.entry_fees import (
    EntryFeesForm,
    OtherFeeForm,
    asks_entry_fee,
    entry_fee_list,
    entry_fee_pay,
    entry_fees_set,
    entry_fees_tick,
)
from tournaments.registration.forms import ticked


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
    return list_response(request, lambda: entry_fee_file(evening)) or _show(request, evening)


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
    return _show(request, evening, template="registration/entry_fee_pot.html")


@desk_view(HAND_OUT)
@require_POST
def entry_fee_amounts(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Set what a member and a guest pay in."""
    evening = find_evening(club, evening_slug)
    form = EntryFeesForm(request.POST)
    if not form.is_valid():
        return _show(request, evening, amounts=form)
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
        return _show(request, evening, other=form)
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


def _show(
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
