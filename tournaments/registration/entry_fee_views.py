"""The stake: what everybody puts in, who has paid, and the pot."""

from decimal import Decimal

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from clubs.access.permissions import actor_of, desk_view
from clubs.files.exports import ListFile, list_response
from clubs.models import Club, Member
from clubs.text.errors import DomainError
from clubs.text.numbers import money
from tournaments.evenings.desk_pages import (
    asked_member,
    find_evening,
    refusals_shown,
    show_evening,
    to_evening,
)
from tournaments.evenings.permissions import HAND_OUT
from tournaments.models import Evening
from tournaments.registration.entry_fees import (
    OtherStakeForm,
    StakesForm,
    asks_stake,
    stake_list,
    stake_pay,
    stakes_set,
    stakes_tick,
)
from tournaments.registration.forms import ticked


@desk_view(HAND_OUT)
@require_http_methods(["GET", "POST"])
def evening_stake(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Who has paid and what is in the pot. What somebody else ticked meanwhile is left alone: only
    the difference with what this page showed is saved."""
    evening = find_evening(club, evening_slug)
    if request.method == "POST":
        with refusals_shown(request):
            stake_ticks_save(request, evening)
        return to_evening("evening_stake", evening)
    return list_response(request, lambda: stake_file(evening)) or _show(request, evening)


@desk_view(HAND_OUT)
@require_POST
def stake_tick(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """One tick, saved at once: answers with the pot."""
    evening = find_evening(club, evening_slug)
    member = asked_member(request, club)
    has_paid = str(member.pk) in request.POST.getlist("paid")
    paid, taken_back = ([member], []) if has_paid else ([], [member])
    try:
        stakes_tick(
            evening_id=evening.pk, paid=paid, taken_back=taken_back, actor=actor_of(request)
        )
    except DomainError as error:
        return HttpResponse(error.message, status=409, content_type="text/plain")
    return _show(request, evening, template="registration/stake_pot.html")


@desk_view(HAND_OUT)
@require_POST
def stake_amounts(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """What a member and a guest put in."""
    evening = find_evening(club, evening_slug)
    form = StakesForm(request.POST)
    if not form.is_valid():
        return _show(request, evening, amounts=form)
    with refusals_shown(request):
        stakes_set(evening_id=evening.pk, stakes=form.stakes(), actor=actor_of(request))
        messages.success(request, _("The stake is saved."))
    return to_evening("evening_stake", evening)


@desk_view(HAND_OUT)
@require_POST
def stake_other(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Somebody puts in another sum than is asked."""
    evening = find_evening(club, evening_slug)
    form = OtherStakeForm(request.POST, evening=evening)
    if not form.is_valid():
        return _show(request, evening, other=form)
    member, cents = form.cleaned_data["who"], form.cleaned_data["paid"]
    with refusals_shown(request):
        stake_pay(evening_id=evening.pk, member=member, cents=cents, actor=actor_of(request))
        words = {"name": member.name, "sum": money(cents)}
        messages.success(request, _("Noted: %(name)s puts in %(sum)s.") % words)
    return to_evening("evening_stake", evening)


def stake_file(evening: Evening) -> ListFile:
    """The list to take away, in euros."""
    stakes = stake_list(evening)
    return ListFile(
        name=_("Stake %(club)s %(date)s") % {"club": evening.club.name, "date": evening.slug},
        columns={
            "player": _("Name"),
            "kind": _("Member or guest"),
            "due": _("Asked"),
            "paid": _("Paid"),
        },
        rows=[
            (
                row.member.name,
                row.member.get_kind_display(),
                _euros(row.due if row.here else None),
                _euros(row.paid),
            )
            for row in stakes.rows
        ],
    )


def _euros(cents: int | None) -> Decimal | None:
    return None if cents is None else Decimal(cents).scaleb(-2)


def stake_ticks_save(request: HttpRequest, evening: Evening) -> None:
    """Save what was ticked in a list of who has paid and what was unticked. Raises DomainError as
    `stakes_tick` does."""
    paid = ticked(request.POST.getlist("paid"))
    shown = ticked(request.POST.getlist("paid_shown"))
    people = Member.objects.of(evening.club)
    come, gone = people.filter(pk__in=paid - shown), people.filter(pk__in=shown - paid)
    if come or gone:
        stakes_tick(evening_id=evening.pk, paid=come, taken_back=gone, actor=actor_of(request))


def _show(
    request: HttpRequest,
    evening: Evening,
    *,
    template: str = "registration/stake.html",
    amounts: StakesForm | None = None,
    other: OtherStakeForm | None = None,
) -> HttpResponse:
    now = {"stake_member": evening.stake_member, "stake_guest": evening.stake_guest}
    return show_evening(
        request,
        template,
        evening,
        stakes=stake_list(evening),
        asked=asks_stake(evening),
        amounts=amounts or StakesForm(initial=now),
        other=other or OtherStakeForm(evening=evening),
        form=amounts or other,
        status=422 if amounts or other else 200,
    )
