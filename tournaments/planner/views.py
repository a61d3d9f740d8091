"""Desk pages of the season planner and of the kinds of evening."""

import datetime as dt
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access.permissions import actor_of, desk_view, of_club
from clubs.audit.services import Actor
from clubs.http.pages import ConfirmedAction, form_saved
from clubs.models import Club
from clubs.text.errors import DomainError
from clubs.text.numbers import whole_number
from scoring.regulations.services import regulation_chosen
from tournaments.desk.forms import initial_from
from tournaments.entries.texts import counted, start_words
from tournaments.evenings.kinds import (
    PLAN,
    EveningStart,
    kind_add,
    kind_remove,
    kind_rename,
    last_start,
    start_of,
    start_of_kind,
)
from tournaments.evenings.pages import (
    confirm,
    evening_url,
    find_evening,
    refusals_shown,
    show_evening,
    to_evening,
)
from tournaments.evenings.permissions import CHANGE_EVENING, PLAN_EVENING
from tournaments.evenings.services import EveningRules
from tournaments.models import Evening, EveningKind, PrizesAndFees, Registration, Round, Season
from tournaments.planner.forms import (
    GroupsForm,
    KindForm,
    KindNameForm,
    NextSessionForm,
    PlannedDaysForm,
    PlannerForm,
)
from tournaments.planner.groups import groups_choose, groups_join, groups_make, lettered
from tournaments.planner.services import (
    PlannedEvening,
    days_taken,
    evenings_follow,
    evenings_plan,
    planned_after,
    seasons_of,
    series_take_back,
    session_ranks,
    session_size,
    session_start,
    untouched,
)
from tournaments.seasons.services import season_by_name, season_on


@desk_view(PLAN_EVENING)
@require_http_methods(["GET", "POST"])
def planner(request: HttpRequest, club: Club) -> HttpResponse:
    """The days of a series of evenings as a list, and the evenings made of what is ticked."""
    start = last_start(club)
    asked = request.GET or None
    form = PlannerForm(asked, initial=_initial(club, start), club=club, is_first=start is None)
    days: PlannedDaysForm | None = None
    if form.is_bound and form.is_valid():
        days = _days(request, club, form, start)
        if days.is_bound and days.is_valid() and (series := _make(request, club, form, days)):
            return redirect("series_page", club.slug, series)
    context = {"club": club, "section": "evenings", "form": form, "days": days, "start": start}
    context["kinds"] = club.kinds.all()
    status = 422 if request.method == "POST" else 200
    return render(request, "tournaments/planner/planner.html", context, status=status)


def _initial(club: Club, start: EveningStart | None) -> dict[str, Any]:
    """The weekday of the last evening, and what is left of the season, or else until June."""
    today = timezone.localdate()
    season = season_on(club, today) or club.seasons.filter(starts__gt=today).last()
    like = start.like if start else None
    first = max(today, season.starts) if season and season.starts else today
    return {
        "weekday": like.date.weekday() if like else today.weekday(),
        "starts_at": like.starts_at if like else dt.time(20),
        "first": first,
        "last": season.ends if season and season.ends else _last_of_may(first),
        "kind": start.kind if start else None,
    }


def _last_of_may(first: dt.date) -> dt.date:
    """When a season ends that begins on this day, at most clubs; a few weeks are no season."""
    return dt.date(first.year if first.month < 4 else first.year + 1, 5, 31)


def _days(
    request: HttpRequest, club: Club, form: PlannerForm, start: EveningStart | None
) -> PlannedDaysForm:
    return PlannedDaysForm(
        request.POST if request.method == "POST" else None,
        seasons=seasons_of(club, form.days, start.season if start else None),
        taken=days_taken(club, form.days),
        asked=form.cleaned_data,
        kinds=list(club.kinds.all()),
    )


def _make(
    request: HttpRequest, club: Club, form: PlannerForm, days: PlannedDaysForm
) -> UUID | None:
    """Make what is ticked. Returns the series, or None with the error in the form."""
    chosen, actor = list(days.chosen), actor_of(request)
    try:
        with transaction.atomic():
            starts = _starts(club, form, {kind for _day, _time, kind in chosen}, actor)
            season = _new_season(club, form, days, actor)
            evenings = [
                PlannedEvening(
                    date=day,
                    starts_at=starts_at,
                    season=days.seasons[day] or season,
                    start=starts[kind],
                )
                for day, starts_at, kind in chosen
            ]
            return evenings_plan(club=club, evenings=evenings, actor=actor)
    except DomainError as error:
        days.add_error(None, error.message)
        return None


def _new_season(
    club: Club, form: PlannerForm, days: PlannedDaysForm, actor: Actor
) -> Season | None:
    """The season that was named for the ticked days that are in none, if any."""
    name = days.cleaned_data.get("new_season", "").strip()
    without = [day for day, _time, _kind in days.chosen if days.seasons[day] is None]
    if not name or not without:
        return None
    first, last = without[0], without[-1]
    if not any(days.seasons.values()):
        first, last = form.cleaned_data["first"], form.cleaned_data["last"]
    return season_by_name(club=club, name=name, starts=first, ends=last, actor=actor)


def _starts(
    club: Club, form: PlannerForm, kinds: set[int | None], actor: Actor
) -> dict[int | None, EveningStart]:
    """What the evenings of each kind begin with; None are those of no particular kind."""
    starts: dict[int | None, EveningStart] = {
        kind.pk: start_of_kind(kind) for kind in club.kinds.all() if kind.pk in kinds
    }
    if None in kinds:
        starts[None] = last_start(club, plain=True) or _usual(club, form, actor)
    return starts


def _usual(club: Club, form: PlannerForm, actor: Actor) -> EveningStart:
    """What the first evening of a club begins with, by the rules that are chosen."""
    chosen = form.cleaned_data.get("regulation")
    if chosen is None:
        raise DomainError("no_regulation", _("Choose a kind for each evening."))
    blank = Evening()
    return EveningStart(
        plan={name: getattr(blank, name) for name in PLAN},
        regulation=regulation_chosen(club=club, chosen=chosen, actor=actor),
        rules=EveningRules(),
        prizes=PrizesAndFees(),
    )


@desk_view(PLAN_EVENING)
@require_http_methods(["GET", "POST"])
def series_page(request: HttpRequest, club: Club, uuid: UUID) -> HttpResponse:
    """The evenings that were made in one go; those of which nothing is known can be taken back."""
    evenings = Evening.objects.of(club).filter(series=uuid)
    if not evenings.exists():
        raise Http404
    if request.method == "POST":
        count = series_take_back(club=club, series=uuid, actor=actor_of(request))
        taken = ngettext("%(n)s evening was taken back.", "%(n)s evenings were taken back.", count)
        messages.success(request, taken % {"n": count})
        return redirect("evening_list", club.slug)
    listed = list(evenings.select_related("season", "kind").order_by("date", "sequence"))
    seasons = {evening.season for evening in listed}
    context = {
        "club": club,
        "section": "evenings",
        "evenings": listed,
        "season": seasons.pop() if len(seasons) == 1 else None,
        "count": untouched(evenings).count(),
    }
    return render(request, "tournaments/planner/series.html", context)


@desk_view(CHANGE_EVENING)
@require_http_methods(["GET", "POST"])
def later_evenings(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Have the later evenings of the same kind begin as this one."""
    evening = find_evening(club, evening_slug)

    def act() -> str:
        count = evenings_follow(evening=evening, actor=actor_of(request))
        words = ngettext(
            "%(n)s later evening is played like this one.",
            "%(n)s later evenings are played like this one.",
            count,
        )
        return words % {"n": count}

    later = list(planned_after(evening))
    title = ngettext(
        "Play %(n)s later evening like this one?",
        "Play %(n)s later evenings like this one?",
        len(later),
    )
    text = _(
        "The planned evenings of the same kind after this one get its rules, rounds, draw, prizes,"
        " entry fee and how people enter. Each keeps its day, its time, its season and its name."
        " Evenings for which somebody is ticked or entered already stay as they are."
    )
    confirmation = ConfirmedAction(
        title=title % {"n": len(later)},
        text=text if later else _("No evening is planned after this one."),
        yes=_("Yes, do this"),
        back_url=evening_url("evening_edit", evening),
        act=act,
        next_url=evening_url("evening_edit", evening),
        safe=True,
    )
    return confirm(request, evening, confirmation)


@desk_view(PLAN_EVENING)
@require_safe
def kind_list(request: HttpRequest, club: Club) -> HttpResponse:
    """The kinds of evening, and what the next evening of each begins with."""
    kinds = club.kinds.select_related("regulation")
    starts = [
        (kind, start, start_words(start.entries))
        for kind, start in ((kind, start_of_kind(kind)) for kind in kinds)
    ]
    context = {"club": club, "section": "evenings", "starts": starts}
    return render(request, "tournaments/planner/kinds.html", context)


@desk_view(PLAN_EVENING)
@require_http_methods(["GET", "POST"])
def kind_new(request: HttpRequest, club: Club) -> HttpResponse:
    """Make a kind of evening, with the answers of an evening filled in."""
    start = _like(request, club)
    if request.method == "POST":
        form = KindForm(request.POST, club=club)
        if form.is_valid() and _add(form, club, start, actor_of(request)):
            messages.success(request, _("The kind of evening has been made."))
            return redirect("kind_list", club.slug)
    else:
        initial = initial_from(start, timezone.localdate()) if start else {}
        form = KindForm(initial=initial, club=club)
    context = {"club": club, "section": "evenings", "form": form, "start": start}
    status = 422 if form.errors else 200
    return render(request, "tournaments/planner/kind_new.html", context, status=status)


def _like(request: HttpRequest, club: Club) -> EveningStart | None:
    """The evening that is asked for, else the last one."""
    like = request.GET.get("like")
    if not like:
        return last_start(club)
    played = Evening.objects.of(club).filter(is_history=False)
    evenings = played.select_related("regulation", "season", "kind")
    return start_of(get_object_or_404(evenings.by_slug(like)))


def _add(form: KindForm, club: Club, start: EveningStart | None, actor: Actor) -> bool:
    answers = form.cleaned_data
    try:
        with transaction.atomic():
            chosen = answers["regulation"]
            made = EveningStart(
                plan={name: answers[name] for name in PLAN},
                regulation=regulation_chosen(club=club, chosen=chosen, actor=actor),
                rules=start.rules if start else EveningRules(),
                prizes=start.prizes if start else PrizesAndFees(),
                entries=start.entries if start else None,
            )
            kind_add(club=club, name=answers["title"], start=made, actor=actor)
    except DomainError as error:
        form.add_error("title", error.message)
        return False
    return True


@desk_view(PLAN_EVENING)
@require_http_methods(["GET", "POST"])
def next_session(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Start the next session of a tournament, or its final, from a closed evening."""
    evening = find_evening(club, evening_slug)
    if evening.is_history:
        raise Http404
    form = NextSessionForm(
        request.POST if request.method == "POST" else None,
        initial={"date": evening.date + dt.timedelta(days=1), "carry": "yes"},
        of_people=session_ranks(evening) == Evening.Ranks.PLAYER,
    )
    made: list[Evening] = []

    def start() -> None:
        session = form.session()
        made.append(session_start(evening=evening, session=session, actor=actor_of(request)))

    if form_saved(form, start):
        count = made[0].registrations.count()
        words = ngettext(
            "The session is there, with %(n)s person on the list.",
            "The session is there, with %(n)s people on the list. Untick who does not come.",
            count,
        )
        messages.success(request, words % {"n": count})
        return to_evening("evening_present", made[0])
    return show_evening(
        request,
        "planner/next_session.html",
        evening,
        form=form,
        in_standing=_in_standing(evening) if evening.state == Evening.State.CLOSED else "",
        status=422 if form.errors else 200,
    )


def _in_standing(evening: Evening) -> str:
    return counted(session_ranks(evening), session_size(evening))


@desk_view(PLAN_EVENING)
@require_http_methods(["GET", "POST"])
def kind_edit(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Give a kind of evening another name."""
    kind = of_club(club, EveningKind, pk=pk)
    data = request.POST if request.method == "POST" else None
    form = KindNameForm(data, initial={"title": kind.name})
    if form.is_bound and form.is_valid():
        try:
            kind_rename(kind=kind, name=form.cleaned_data["title"], actor=actor_of(request))
        except DomainError as error:
            form.add_error("title", error.message)
        else:
            messages.success(request, _("The kind of evening has been changed."))
            return redirect("kind_list", club.slug)
    context = {"club": club, "section": "evenings", "form": form, "kind": kind}
    status = 422 if form.errors else 200
    return render(request, "tournaments/planner/kind_edit.html", context, status=status)


@desk_view(PLAN_EVENING)
@require_http_methods(["GET", "POST"])
def kind_delete(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Remove a kind of evening; its evenings stay."""
    kind = of_club(club, EveningKind, pk=pk)

    def act() -> str:
        kind_remove(kind=kind, actor=actor_of(request))
        return _("%s has been taken away.") % kind.name

    back_url = reverse("kind_list", args=[club.slug])
    confirmation = ConfirmedAction(
        title=_("Take away the kind “%s”?") % kind.name,
        text=_("Its evenings stay as they are. New evenings can no longer be of this kind."),
        yes=_("Take it away"),
        back_url=back_url,
        act=act,
        next_url=back_url,
    )

    def page(**context: Any) -> HttpResponse:
        status = context.pop("status", 200)
        shared = {"club": club, "section": "evenings", **context}
        return render(request, "tournaments/evenings/confirm.html", shared, status=status)

    return confirmation.respond(request, page)


@desk_view(PLAN_EVENING)
@require_http_methods(["GET", "POST"])
def evening_groups(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Split an evening into groups that play at once in one hall, and say who plays in which."""
    evening = find_evening(club, evening_slug)
    if evening.is_history:
        raise Http404
    if evening.together is not None:
        return _groups_chosen(request, evening)
    form = GroupsForm(request.POST if request.method == "POST" else None)

    def make() -> None:
        groups_make(
            evening_id=evening.pk,
            count=form.cleaned_data["count"],
            by_strength=form.cleaned_data["how"] == "strength",
            actor=actor_of(request),
        )

    if form_saved(form, make):
        messages.success(request, _("The groups are there. Look below who plays in which."))
        return to_evening("evening_groups", evening)
    here = evening.registrations.filter(present=True).count()
    return _groups_page(request, evening, form=form, here=here, may=evening.state == "planned")


def _groups_chosen(request: HttpRequest, evening: Evening) -> HttpResponse:
    groups = evening.groups
    letters = {group.pk: letter for group, letter in lettered(groups)}
    if request.method == "POST":
        # Each is named with the group they were shown in, so a page from before moves nobody who
        # was put elsewhere since.
        named = [(name.split("_"), str(to)) for name, to in request.POST.items()]
        wanted = {
            (whole_number(parts[1]), parts[2]): to
            for parts, to in named
            if parts[0] == "group" and len(parts) == 3
        }
        with refusals_shown(request):
            moved = groups_choose(evening_id=evening.pk, wanted=wanted, actor=actor_of(request))
            messages.success(request, _("Saved; changed: %(n)s.") % {"n": moved})
        return to_evening("evening_groups", evening)
    listed = Registration.objects.filter(evening__in=letters, present=True)
    rows = [
        (entry, letters[entry.evening_id])
        for entry in listed.select_related("member", "team").order_by("member__sort_name", "pk")
    ]
    has_teams = any(entry.team for entry, _letter in rows)
    counts = [
        (group, letters[group.pk], sum(letter == letters[group.pk] for _entry, letter in rows))
        for group in groups
    ]
    drawn = Round.objects.filter(evening__in=letters).exists()
    return _groups_page(
        request,
        evening,
        rows=rows,
        has_teams=has_teams,
        counts=counts,
        letters=letters.values(),
        drawn=drawn,
    )


def _groups_page(request: HttpRequest, evening: Evening, **context: Any) -> HttpResponse:
    form = context.get("form")
    status = 422 if form is not None and form.errors else 200
    return show_evening(request, "planner/groups.html", evening, status=status, **context)


@desk_view(PLAN_EVENING)
@require_http_methods(["GET", "POST"])
def evening_groups_join(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Make one evening of the groups again."""
    evening = find_evening(club, evening_slug)
    if evening.together is None:
        raise Http404

    def act() -> HttpResponse:
        whole = groups_join(evening_id=evening.pk, actor=actor_of(request))
        messages.success(request, _("It is one evening again, with everybody on its list."))
        return to_evening("evening_present", whole)

    back_url = evening_url("evening_groups", evening)
    confirmation = ConfirmedAction(
        title=_("Make one evening of the groups?"),
        text=_("Everybody is then on the list of group A again, and the other groups are gone."),
        yes=_("Yes, one evening"),
        back_url=back_url,
        act=act,
        next_url=back_url,
        safe=True,
    )
    return confirm(request, evening, confirmation)
