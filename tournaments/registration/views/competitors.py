"""The pages of the club's fixed pairs and teams, and of whom people play for on an evening."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from clubs.access.permissions import MANAGE_CLUB, actor_of, desk_view, may
from clubs.models import Club, Member
from clubs.text.errors import DomainError, VersionConflict
from clubs.text.numbers import whole_number
from tournaments.evenings.pages import (
    find_evening,
    refusals_shown,
    show_evening,
    to_evening,
)
from tournaments.evenings.permissions import KEEP_COUPLES, SET_PRESENCE
from tournaments.evenings.workflow import evening_progress, next_step
from tournaments.models import Competitor
from tournaments.registration.competitors import (
    competitor_create,
    competitor_person_add,
    competitor_person_back,
    competitor_person_end,
    competitor_remove,
    competitor_rename,
    has_played,
    pair_plays_for,
    teams_choose,
    teams_known,
)
from tournaments.registration.forms import (
    CompetitorForm,
    CompetitorNameForm,
    JoinForm,
    LeaveForm,
)

Context = dict[str, Any]


@desk_view(KEEP_COUPLES)
@require_http_methods(["GET", "POST"])
def competitor_list(request: HttpRequest, club: Club) -> HttpResponse:
    """The pairs and teams of the club, and a form to make one."""
    people = list(Member.objects.of(club).active().by_surname())
    if request.method != "POST":
        return _list(request, club, CompetitorForm(people=people))
    form = CompetitorForm(request.POST, people=people)
    if form.is_valid():
        answers = form.cleaned_data
        two = [answers[field] for field in ("one", "two") if answers[field]]
        made = _tried(
            form,
            lambda: competitor_create(
                club=club,
                kind=answers["kind"],
                name=answers["name"],
                people=two,
                since=timezone.localdate(),
                actor=actor_of(request),
            ),
        )
        if made:
            messages.success(request, _("“%(name)s” is made.") % {"name": made.name})
            return redirect("competitor_edit", club.slug, made.pk)
    return _list(request, club, form)


@desk_view(KEEP_COUPLES)
@require_http_methods(["GET", "POST"])
def competitor_edit(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """A pair or team: its name, and its people over time."""
    competitor = _of_club(club, pk)
    if request.method != "POST":
        return _show(request, competitor)
    form = CompetitorNameForm(request.POST)
    if form.is_valid():
        done = _tried(
            form,
            lambda: competitor_rename(
                competitor=competitor,
                name=form.cleaned_data["name"],
                seen_version=_seen(request),
                actor=actor_of(request),
            ),
        )
        if done:
            messages.success(request, _("It is now called “%(name)s”.") % {"name": done.name})
            return redirect("competitor_edit", club.slug, pk)
    return _show(request, competitor, naming=form)


@desk_view(KEEP_COUPLES)
@require_POST
def competitor_join(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Let somebody join a pair or team."""
    competitor = _of_club(club, pk)
    form = JoinForm(request.POST, people=_others(competitor))
    if form.is_valid():
        answers = form.cleaned_data
        done = _tried(
            form,
            lambda: competitor_person_add(
                competitor=competitor,
                member=answers["person"],
                since=answers["since"],
                reserve=answers["reserve"],
                seen_version=_seen(request),
                actor=actor_of(request),
            ),
        )
        if done:
            words = {"name": answers["person"].desk_name, "competitor": competitor.name}
            messages.success(request, _("%(name)s is in %(competitor)s now.") % words)
            return redirect("competitor_edit", club.slug, pk)
    return _show(request, competitor, joining=form)


@desk_view(KEEP_COUPLES)
@require_POST
def competitor_leave(request: HttpRequest, club: Club, pk: int, person: int) -> HttpResponse:
    """Let somebody leave a pair or team; the page offers to undo it."""
    competitor = _of_club(club, pk)
    form = LeaveForm(request.POST)
    if form.is_valid():
        with refusals_shown(request):
            left = competitor_person_end(
                competitor=competitor,
                person_id=person,
                until=form.cleaned_data["until"],
                seen_version=_seen(request),
                actor=actor_of(request),
            )
            if left:
                day = date_format(left.until, "j F Y") if left.until else ""
                words = {"name": left.member.desk_name, "day": day}
                messages.success(request, _("%(name)s is in it up to %(day)s.") % words)
    else:
        messages.error(request, _("Fill in the last day as a date."))
    return redirect("competitor_edit", club.slug, pk)


@desk_view(KEEP_COUPLES)
@require_POST
def competitor_return(request: HttpRequest, club: Club, pk: int, person: int) -> HttpResponse:
    """Undo that somebody left."""
    with refusals_shown(request):
        back = competitor_person_back(
            competitor=_of_club(club, pk), person_id=person, actor=actor_of(request)
        )
        if back:
            messages.success(
                request, _("%(name)s has not left after all.") % {"name": back.member.desk_name}
            )
    return redirect("competitor_edit", club.slug, pk)


@desk_view(KEEP_COUPLES)
@require_http_methods(["GET", "POST"])
def competitor_remove_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """The question whether a pair or team that played nothing is to go, and removing it."""
    competitor = _of_club(club, pk)
    if request.method != "POST":
        context = {"club": club, "competitor": competitor, "has_played": has_played(competitor)}
        return render(request, "tournaments/registration/competitor_remove.html", context)
    with refusals_shown(request):
        if competitor_remove(competitor=competitor, actor=actor_of(request)):
            messages.success(request, _("“%(name)s” is removed.") % {"name": competitor.name})
    return redirect("competitor_list", club.slug)


def _list(request: HttpRequest, club: Club, form: CompetitorForm) -> HttpResponse:
    organises = may(request, MANAGE_CLUB, club)
    competitors = club.competitors.prefetch_related("people__member").annotate(
        played=Count("evening_pairs", distinct=True)
        + Count("registrations__evening", distinct=True)
        + Count("results__evening", distinct=True)
    )
    context = {
        "club": club,
        "section": "settings" if organises else "evenings",
        "lists": [
            (_("Pairs"), [one for one in competitors if one.kind == Competitor.Kind.PAIR]),
            (_("Teams"), [one for one in competitors if one.kind == Competitor.Kind.TEAM]),
        ],
        "form": form,
    }
    status = 422 if form.errors else 200
    return render(request, "tournaments/registration/competitors.html", context, status=status)


def _show(
    request: HttpRequest,
    competitor: Competitor,
    *,
    naming: CompetitorNameForm | None = None,
    joining: JoinForm | None = None,
) -> HttpResponse:
    today = timezone.localdate()
    people = competitor.people.select_related("member").order_by("until", "since", "pk")
    context = {
        "club": competitor.club,
        "competitor": competitor,
        "people": people,
        "today": today,
        "has_played": has_played(competitor),
        "naming": naming or CompetitorNameForm(initial={"name": competitor.name}),
        "joining": joining or JoinForm(people=_others(competitor), initial={"since": today}),
    }
    status = 422 if naming or joining else 200
    return render(request, "tournaments/registration/competitor.html", context, status=status)


def _of_club(club: Club, pk: int) -> Competitor:
    return get_object_or_404(club.competitors.select_related("club"), pk=pk)


def _others(competitor: Competitor) -> Sequence[Member]:
    """Everybody of the club who is not in it now."""
    here = competitor.people.filter(until=None).values("member")
    return list(Member.objects.of(competitor.club).active().exclude(pk__in=here).by_surname())


def _seen(request: HttpRequest) -> int:
    return whole_number(request.POST.get("seen", ""))


def _tried(form: Any, act: Callable[[], Any]) -> Any:
    """What `act` gives; None where it is refused, and the form says why."""
    try:
        return act()
    except (DomainError, VersionConflict) as error:
        form.add_error(None, error.message)
        return None


# On an evening.


@desk_view(SET_PRESENCE)
@require_POST
def pair_plays_for_page(
    request: HttpRequest, club: Club, evening_slug: str, number: int
) -> HttpResponse:
    """Say which pair of the club a pair plays for this evening; nothing chosen: for themselves."""
    evening = find_evening(club, evening_slug)
    chosen = club.competitors.filter(pk=whole_number(request.POST.get("competitor", "")))
    with refusals_shown(request):
        played = pair_plays_for(
            evening_id=evening.pk,
            number=number,
            competitor=chosen.first(),
            actor=actor_of(request),
        )
        if played:
            words = {"n": number, "name": played.competitor.name}
            messages.success(request, _("Pair %(n)s plays for “%(name)s” this evening.") % words)
    return to_evening("evening_pairs", evening)


@desk_view(SET_PRESENCE)
@require_http_methods(["GET", "POST"])
def evening_teams(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Which team everybody on the list plays for this evening."""
    evening = find_evening(club, evening_slug)
    teams = list(club.competitors.filter(kind=Competitor.Kind.TEAM))
    listed = evening.registrations.filter(Q(present=True) | Q(team__isnull=False))
    listed = listed.select_related("member", "team").order_by("member__sort_name", "pk")
    if request.method == "POST":
        with refusals_shown(request):
            if "known" in request.POST:
                wanted = teams_known(evening)
            else:
                by_id = {str(team.pk): team for team in teams}
                wanted = {
                    entry.member_id: by_id.get(request.POST.get(f"team_{entry.member_id}", ""))
                    for entry in listed
                }
            changed = teams_choose(evening_id=evening.pk, wanted=wanted, actor=actor_of(request))
            words = {"n": changed}
            messages.success(request, _("Saved; changed: %(n)s.") % words)
        return to_evening("evening_teams", evening)
    progress = evening_progress(evening)
    return show_evening(
        request,
        "registration/teams.html",
        evening,
        progress=progress,
        listed=listed,
        teams=teams,
        next_step=next_step(progress),
        known=sum(entry.member_id in teams_known(evening) for entry in listed),
    )
