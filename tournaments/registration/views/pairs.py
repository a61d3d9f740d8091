"""The pages of an evening's fixed pairs, and of the club's couple rules."""

from collections.abc import Mapping, Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from clubs.access.permissions import MANAGE_CLUB, actor_of, desk_view, may
from clubs.http.pages import form_saved, typed
from clubs.models import Club, Member
from clubs.text.errors import DomainError
from clubs.text.numbers import whole_number
from tournaments.evenings.pages import (
    evening_url,
    find_evening,
    refusals_shown,
    show_evening,
    to_evening,
)
from tournaments.evenings.permissions import KEEP_COUPLES, SET_PRESENCE
from tournaments.evenings.workflow import EveningProgress, evening_progress, next_step
from tournaments.models import CoupleRule, Evening, Round
from tournaments.registration.forms import CoupleRuleForm, PairNumbersForm, TwoPeopleForm
from tournaments.registration.pairs import (
    couple_rule_add,
    couple_rule_remove,
    known_couples,
    pair_break,
    pair_make,
    pairs_as_before,
    pairs_number,
    pairs_number_by_lot,
    pairs_of,
)


@desk_view(SET_PRESENCE)
@require_http_methods(["GET", "POST"])
def evening_pairs(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """The pairs of an evening; `?one=` fills in somebody who needs a partner."""
    evening = find_evening(club, evening_slug)
    if request.method != "POST":
        return _show(request, evening)
    form = TwoPeopleForm(request.POST, people=pairs_of(evening).alone)
    if form.is_valid() and _made(request, evening, form):
        return redirect(f"{evening_url('evening_pairs', evening)}?made")
    return _show(request, evening, form)


@desk_view(SET_PRESENCE)
@require_POST
def pair_break_page(
    request: HttpRequest, club: Club, evening_slug: str, number: int
) -> HttpResponse:
    """Split a pair; does nothing if it is gone already."""
    evening = find_evening(club, evening_slug)
    with refusals_shown(request):
        if pair_break(evening_id=evening.pk, number=number, actor=actor_of(request)):
            messages.success(request, _("Pair %(n)s is taken apart.") % {"n": number})
    return to_evening("evening_pairs", evening)


@desk_view(SET_PRESENCE)
@require_POST
def pairs_as_before_page(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Make the pairs of last time and of people who always play together."""
    evening = find_evening(club, evening_slug)
    with refusals_shown(request):
        made = pairs_as_before(evening_id=evening.pk, actor=actor_of(request))
        message = ngettext("%(n)s pair was made.", "%(n)s pairs were made.", made)
        messages.success(request, message % {"n": made})
    return to_evening("evening_pairs", evening)


@desk_view(SET_PRESENCE)
@require_http_methods(["GET", "POST"])
def pair_numbers_page(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """The numbers of the pairs: typed as they were drawn at the door, or drawn by lot here."""
    evening = find_evening(club, evening_slug)
    pairs = pairs_of(evening).pairs
    by_lot = request.POST.get("action") == "lot"
    form = PairNumbersForm(None if by_lot else typed(request), pairs=pairs)

    def number() -> None:
        actor = actor_of(request)
        try:
            if by_lot:
                pairs_number_by_lot(evening_id=evening.pk, actor=actor)
            else:
                pairs_number(evening_id=evening.pk, numbers=form.numbers(), actor=actor)
        except DomainError as error:
            faults = error.params.get("faults")
            if not isinstance(faults, Mapping):
                raise
            form.refuse(faults)
            return
        messages.success(
            request,
            _("A lot has numbered the pairs.")
            if by_lot
            else _("The pairs have these numbers now."),
        )

    if by_lot:
        with refusals_shown(request):
            number()
        return to_evening("pair_numbers", evening)
    if form_saved(form, number) and not form.errors:
        return to_evening("evening_pairs", evening)
    progress = evening_progress(evening)
    return show_evening(
        request,
        "registration/pair_numbers.html",
        evening,
        progress=progress,
        form=form,
        pairs=pairs,
        may_change=_may_change(evening, progress),
        status=422 if form.errors else 200,
    )


@desk_view(KEEP_COUPLES)
@require_http_methods(["GET", "POST"])
def couple_rules_page(request: HttpRequest, club: Club) -> HttpResponse:
    """The couple rules of the club, and a form to add one."""
    people = list(Member.objects.of(club).active().by_surname())
    if request.method != "POST":
        return _show_couples(request, club, CoupleRuleForm(people=people))
    form = CoupleRuleForm(request.POST, people=people)
    if form.is_valid() and _add(request, club, form):
        return redirect("couple_rules", club.slug)
    return _show_couples(request, club, form)


@desk_view(KEEP_COUPLES)
@require_POST
def couple_rule_remove_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Remove a couple rule; does nothing if it is gone already."""
    gone = couple_rule_remove(club=club, rule_id=pk, actor=actor_of(request))
    if gone:
        words = {"one": gone.one.desk_name, "two": gone.two.desk_name}
        messages.success(request, _("The rule about %(one)s and %(two)s is removed.") % words)
    return redirect("couple_rules", club.slug)


def _made(request: HttpRequest, evening: Evening, form: TwoPeopleForm) -> bool:
    one, two = form.cleaned_data["one"], form.cleaned_data["two"]
    try:
        number = pair_make(evening_id=evening.pk, one=one, two=two, actor=actor_of(request))
    except DomainError as error:
        form.add_error(None, error.message)
        return False
    words = {"n": number, "one": one.desk_name, "two": two.desk_name}
    messages.success(request, _("Pair %(n)s: %(one)s and %(two)s.") % words)
    return True


def _show(
    request: HttpRequest, evening: Evening, form: TwoPeopleForm | None = None
) -> HttpResponse:
    progress, paired = evening_progress(evening), pairs_of(evening)
    drawn = progress.first(Round.State.DRAFT, Round.State.DRAWN)
    return show_evening(
        request,
        "registration/pairs.html",
        evening,
        progress=progress,
        paired=paired,
        known=known_couples(evening, paired.alone),
        form=form or _blank(request, paired.alone),
        next_step=next_step(progress),
        may_change=_may_change(evening, progress),
        drawn=drawn,
        status=422 if form else 200,
    )


def _may_change(evening: Evening, progress: EveningProgress) -> bool:
    return evening.is_open and progress.first(Round.State.DRAFT, Round.State.DRAWN) is None


def _blank(request: HttpRequest, alone: Sequence[Member]) -> TwoPeopleForm:
    """An empty form with the person in the address filled in, and the focus where to type."""
    wanted = whole_number(request.GET.get("one", ""))
    form = TwoPeopleForm(people=alone)
    chosen = next((label for label, member in form.labels.items() if member.pk == wanted), None)
    if chosen:
        form.initial = {"one": chosen}
        form.fields["two"].widget.attrs["autofocus"] = True
    elif "made" in request.GET:
        form.fields["one"].widget.attrs["autofocus"] = True
    return form


def _add(request: HttpRequest, club: Club, form: CoupleRuleForm) -> bool:
    one, two = form.cleaned_data["one"], form.cleaned_data["two"]
    kind = CoupleRule.Kind(form.cleaned_data["kind"])
    try:
        couple_rule_add(club=club, one=one, two=two, kind=kind, actor=actor_of(request))
    except DomainError as error:
        form.add_error(None, error.message)
        return False
    words = {"one": one.desk_name, "two": two.desk_name, "agreed": kind.label}
    messages.success(
        request, _("%(one)s and %(two)s: %(agreed)s. This applies from the next draw on.") % words
    )
    return True


def _show_couples(request: HttpRequest, club: Club, form: CoupleRuleForm) -> HttpResponse:
    rules = CoupleRule.objects.filter(club=club).select_related("one", "two")
    organises = may(request, MANAGE_CLUB, club)
    context = {
        "club": club,
        "section": "settings" if organises else "evenings",
        "rules": rules.order_by("-kind", "one__sort_name", "two__sort_name", "pk"),
        "form": form,
    }
    status = 422 if form.errors else 200
    return render(request, "tournaments/registration/couples.html", context, status=status)
