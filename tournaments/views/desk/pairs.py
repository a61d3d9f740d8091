"""The fixed pairs of an evening: made, taken apart, taken over from last time."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from clubs.errors import DomainError
from clubs.models import Club, Member
from clubs.numbers import whole_number
from clubs.permissions import actor_of, desk_view
from tournaments.forms.people import TwoPeopleForm
from tournaments.models import Evening, Round
from tournaments.pairs import known_couples, pairing
from tournaments.permissions import SET_PRESENCE
from tournaments.services.pairs import pair_break, pair_make, pairs_as_before
from tournaments.steps import evening_progress, next_step
from tournaments.views.desk.common import (
    evening_url,
    find_evening,
    refusals_told,
    show_evening,
    to_evening,
)


@desk_view(SET_PRESENCE)
@require_http_methods(["GET", "POST"])
def evening_pairs(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Who plays with whom; `?one=` names somebody who is to get a partner."""
    evening = find_evening(club, evening_slug)
    if request.method != "POST":
        return _show(request, evening)
    form = TwoPeopleForm(request.POST, people=pairing(evening).alone)
    if form.is_valid() and _made(request, evening, form):
        return redirect(f"{evening_url('evening_pairs', evening)}?made")
    return _show(request, evening, form)


@desk_view(SET_PRESENCE)
@require_POST
def pair_break_page(
    request: HttpRequest, club: Club, evening_slug: str, number: int
) -> HttpResponse:
    """Take one pair apart; pressing twice is no fault."""
    evening = find_evening(club, evening_slug)
    with refusals_told(request):
        if pair_break(evening_id=evening.pk, number=number, actor=actor_of(request)):
            messages.success(request, _("Pair %(n)s is taken apart.") % {"n": number})
    return to_evening("evening_pairs", evening)


@desk_view(SET_PRESENCE)
@require_POST
def pairs_as_before_page(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Make the pairs that are known already."""
    evening = find_evening(club, evening_slug)
    with refusals_told(request):
        made = pairs_as_before(evening_id=evening.pk, actor=actor_of(request))
        told = ngettext("%(n)s pair was made.", "%(n)s pairs were made.", made) % {"n": made}
        messages.success(request, told)
    return to_evening("evening_pairs", evening)


def _made(request: HttpRequest, evening: Evening, form: TwoPeopleForm) -> bool:
    one, two = form.cleaned_data["one"], form.cleaned_data["two"]
    try:
        number = pair_make(evening_id=evening.pk, one=one, two=two, actor=actor_of(request))
    except DomainError as error:
        form.add_error(None, error.message)
        return False
    words = {"n": number, "one": one.name, "two": two.name}
    messages.success(request, _("Pair %(n)s: %(one)s and %(two)s.") % words)
    return True


def _show(
    request: HttpRequest, evening: Evening, form: TwoPeopleForm | None = None
) -> HttpResponse:
    progress, paired = evening_progress(evening), pairing(evening)
    drawn = progress.first(Round.State.DRAFT, Round.State.DRAWN)
    return show_evening(
        request,
        "pairs.html",
        evening,
        progress=progress,
        paired=paired,
        known=known_couples(evening, paired.alone),
        form=form or _blank(request, paired.alone),
        next_step=next_step(progress),
        may_change=evening.is_open and drawn is None,
        drawn=drawn,
        status=422 if form else 200,
    )


def _blank(request: HttpRequest, alone: Sequence[Member]) -> TwoPeopleForm:
    """An empty form, with the person that the address names filled in, ready to type in."""
    wanted = whole_number(request.GET.get("one", ""))
    form = TwoPeopleForm(people=alone)
    chosen = next((label for label, one in form.labels.items() if one.pk == wanted), None)
    if chosen:
        form.initial = {"one": chosen}
        form.fields["two"].widget.attrs["autofocus"] = True
    elif "made" in request.GET:
        form.fields["one"].widget.attrs["autofocus"] = True
    return form
