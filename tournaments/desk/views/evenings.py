"""Desk pages for planning an evening: make it, change it, call it off, restore it, delete it."""

import datetime as dt
from functools import partial
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from clubs.access.permissions import actor_of, desk_view, of_club
from clubs.audit.services import Actor
from clubs.http.pages import ConfirmedAction
from clubs.models import Club
from clubs.text.errors import DomainError
from clubs.text.numbers import whole_number
from scoring.models import Regulation
from scoring.regulations.services import regulation_chosen
from tournaments.closing.services import evening_cancel, evening_restore
from tournaments.desk.forms import EveningDetailsForm, EveningForm, initial_from, plan_of
from tournaments.evenings.kinds import (
    EveningStart,
    deleted_evenings,
    evening_delete,
    evenings_put_back,
    folders_dealt,
    last_start,
    start_of,
    start_of_kind,
)
from tournaments.evenings.pages import (
    confirm,
    evening_url,
    find_evening,
    show_evening,
    to_evening,
)
from tournaments.evenings.permissions import (
    CANCEL,
    CHANGE_EVENING,
    DELETE_EVENING,
    DRAW,
    PLAN_EVENING,
    RESTORE,
)
from tournaments.evenings.services import (
    EveningDetails,
    EveningPlan,
    evening_change,
    evening_create,
    evening_details_change,
    evening_sit_out,
)
from tournaments.evenings.texts import sitting_out_forecast
from tournaments.models import Evening, EveningKind, Season
from tournaments.releases.services import release_is_current
from tournaments.seasons.services import is_on, season_by_name
from tournaments.table_links.services import link_sides

WEEK = dt.timedelta(weeks=1)


@desk_view(PLAN_EVENING)
@require_http_methods(["GET", "POST"])
def evening_new(request: HttpRequest, club: Club) -> HttpResponse:
    """Make an evening, with the answers of the last one filled in."""
    start = _start(request, club)
    if request.method == "POST":
        form = EveningForm(request.POST, club=club)
        if form.is_valid() and (made := _create(form, club, actor_of(request), start=start)):
            return to_evening("evening_present", made)
    else:
        form = EveningForm(initial=_initial(club, start), club=club)
    context = {
        "club": club,
        "section": "evenings",
        "form": form,
        "start": start,
        "kinds": club.kinds.all(),
        "newer_rules": _newer_rules(start),
    }
    status = 422 if form.errors else 200
    return render(request, "tournaments/desk/evening_new.html", context, status=status)


@desk_view(CHANGE_EVENING)
@require_http_methods(["GET", "POST"])
def evening_edit(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Change the plan of an evening; once it has a draw, only what the draw does not depend on."""
    evening = find_evening(club, evening_slug)
    if evening.state in (Evening.State.RUNNING, Evening.State.CLOSED) or evening.rounds.exists():
        return _edit_details(request, evening)
    if request.method == "POST":
        form = EveningForm(request.POST, club=club, own=evening)
        if form.is_valid() and (changed := _change(form, evening, actor_of(request))):
            messages.success(request, _("The evening has been changed."))
            if changed.season and not is_on(changed.season, changed.date):
                messages.warning(request, _outside(changed.season))
            return to_evening("evening_present", changed)
    else:
        form = EveningForm(initial=plan_of(evening), club=club, own=evening)
    status = 422 if form.errors else 200
    return show_evening(request, "desk/evening_edit.html", evening, form=form, status=status)


def _outside(season: Season) -> str:
    words = _("The evening is outside the days of %(season)s, and counts in it all the same.")
    return words % {"season": season.name}


@desk_view(CANCEL)
@require_http_methods(["GET", "POST"])
def cancel(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Call the evening off."""
    evening = find_evening(club, evening_slug)

    def act() -> str | None:
        if evening.state == Evening.State.CANCELLED:
            return None
        evening_cancel(evening_id=evening.pk, actor=actor_of(request))
        return _("The evening has been called off. The club page says so.")

    confirmation = ConfirmedAction(
        title=_("Call off the evening of %s?") % date_format(evening.date, "l j F"),
        text=_(
            "Its draw will be deleted. You can restore the evening later; people stay checked in."
        ),
        yes=_("Call it off"),
        back_url=evening_url("evening_present", evening),
        act=act,
        next_url=reverse("evening_list", args=[club.slug]),
    )
    return confirm(request, evening, confirmation)


@desk_view(RESTORE)
@require_http_methods(["GET", "POST"])
def restore(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Plan an evening that was called off again."""
    evening = find_evening(club, evening_slug)

    def act() -> str | None:
        if evening.state == Evening.State.PLANNED:
            return None
        evening_restore(evening_id=evening.pk, actor=actor_of(request))
        return _("The evening goes on after all.")

    confirmation = ConfirmedAction(
        title=_("Put the evening of %s back?") % date_format(evening.date, "l j F"),
        text=_("It was called off. This plans it again."),
        yes=_("Put it back"),
        back_url=reverse("evening_list", args=[club.slug]),
        act=act,
        next_url=evening_url("evening_present", evening),
        safe=True,
    )
    page = partial(show_evening, request, "desk/evening_restore.html", evening)
    return confirmation.respond(request, page)


@desk_view(DELETE_EVENING)
@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Delete an evening on which nothing was played."""
    evening = find_evening(club, evening_slug)
    day = date_format(evening.date, "l j F")

    def act() -> str:
        evening_delete(evening_id=evening.pk, actor=actor_of(request))
        return _("The evening of %s has been deleted.") % day

    present = evening.registrations.filter(present=True).count()
    ticked = ngettext(
        "%(n)s person is ticked as here; that goes as well.",
        "%(n)s people are ticked as here; that goes as well.",
        present,
    ) % {"n": present}
    entered = evening.entries.count()
    listed = ngettext(
        "%(n)s entry goes for good as well.", "%(n)s entries go for good as well.", entered
    ) % {"n": entered}
    cards = folders_dealt(evening)
    dealt = ngettext(
        "The cards of %(n)s folder go for good as well: what was printed is no longer valid then.",
        "The cards of %(n)s folders go for good as well: what was printed is no longer valid then.",
        cards,
    ) % {"n": cards}
    text = _(
        "It disappears from the list, the calendar and the season. For thirty days you can put it"
        " back, without the list of who is here and the draw."
    )
    confirmation = ConfirmedAction(
        title=_("Delete the evening of %s?") % day,
        text=" ".join(
            [
                text,
                *([ticked] if present else []),
                *([listed] if entered else []),
                *([dealt] if cards else []),
            ]
        ),
        yes=_("Delete it"),
        back_url=evening_url("evening_desk", evening),
        act=act,
        next_url=reverse("evening_list", args=[club.slug]),
    )
    return confirm(request, evening, confirmation)


@desk_view(PLAN_EVENING)
@require_http_methods(["GET", "POST"])
def deleted(request: HttpRequest, club: Club) -> HttpResponse:
    """The evenings that were deleted of late; those that are ticked are put back."""
    if request.method == "POST":
        ids = [whole_number(pk) for pk in request.POST.getlist("evening")]
        evenings = evenings_put_back(club=club, ids=ids, actor=actor_of(request))
        words = ngettext("%(n)s evening is back.", "%(n)s evenings are back.", len(evenings))
        messages.success(request, words % {"n": len(evenings)})
        return redirect("evening_list", club.slug)
    evenings_gone = deleted_evenings(club).select_related("season", "kind")
    context = {"club": club, "section": "evenings", "evenings": evenings_gone}
    return render(request, "tournaments/desk/evenings_deleted.html", context)


@desk_view(DRAW)
@require_http_methods(["GET", "POST"])
def sit_out(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Let people sit out on an evening with tables of three, for example when five are here."""
    evening = find_evening(club, evening_slug)

    def act() -> None:
        evening_sit_out(evening_id=evening.pk, actor=actor_of(request))

    present = evening.registrations.filter(present=True).count()
    words = {"n": present, "forecast": sitting_out_forecast(club, present)}
    confirmation = ConfirmedAction(
        title=_("With %(n)s people: %(forecast)s?") % words,
        text=_(
            "Five people do not fit at tables of four and three. After this nobody plays at a "
            "table of three this evening; leftover players sit out. You can undo that under "
            "“Change the evening” as long as nothing is drawn."
        ),
        yes=_("Yes, do this"),
        back_url=evening_url("evening_present", evening),
        act=act,
        next_url=evening_url("evening_draw", evening),
        safe=True,
    )
    return confirm(request, evening, confirmation)


def _edit_details(request: HttpRequest, evening: Evening) -> HttpResponse:
    if request.method == "POST":
        form = EveningDetailsForm(request.POST, club=evening.club)
        if form.is_valid() and (changed := _change_details(form, evening, actor_of(request))):
            _announce_change(request, evening)
            if _has_other_links(evening, changed):
                messages.warning(request, _("The tables have new links now: hand those out."))
            return to_evening("evening_desk", evening)
    else:
        form = EveningDetailsForm(initial=plan_of(evening), club=evening.club)
    status = 422 if form.errors else 200
    return show_evening(request, "desk/evening_details.html", evening, form=form, status=status)


def _has_other_links(before: Evening, after: Evening) -> bool:
    """Whether the sides now have links of their own, or no longer have."""
    differ = link_sides(before) != link_sides(after)
    return differ and after.tokens.filter(revoked_at=None).exists()


def _announce_change(request: HttpRequest, evening: Evening) -> None:
    messages.success(request, _("The evening has been changed."))
    release = evening.releases.select_related("evening").first()
    if evening.state != Evening.State.CLOSED or release is None:
        return
    if release_is_current(release):
        messages.info(request, _("The result that was published stays as it is."))
    else:
        messages.warning(
            request,
            _("The result that was published stays as it is until you publish it again."),
        )


def _start(request: HttpRequest, club: Club) -> EveningStart | None:
    """What the new evening begins with: the requested evening or kind, else the last evening."""
    if like := request.GET.get("like"):
        played = Evening.objects.of(club).filter(is_history=False)
        evenings = played.select_related("regulation", "season", "kind")
        return start_of(get_object_or_404(evenings.by_slug(like)))
    if kind := request.GET.get("kind"):
        return start_of_kind(of_club(club, EveningKind, pk=whole_number(kind)))
    return last_start(club)


def _newer_rules(start: EveningStart | None) -> Regulation | None:
    """The newest version of that evening's rules, if it used an older one."""
    if start is None or start.like is None:
        return None
    return start.regulation if start.regulation != start.like.regulation else None


def _initial(club: Club, start: EveningStart | None) -> dict[str, object]:
    """The earlier answers, a week after the club's last evening but not in the past."""
    today = timezone.localdate()
    if start is None:
        return {"date": today}
    last = Evening.objects.of(club).exclude(state=Evening.State.CANCELLED).first()
    return initial_from(start, max(last.date + WEEK, today) if last else today)


def _create(
    form: EveningForm, club: Club, actor: Actor, *, start: EveningStart | None
) -> Evening | None:
    """A new evening with the rules and prizes of what it begins with."""
    try:
        with transaction.atomic():
            return evening_create(
                club=club,
                plan=_plan(form, club, actor),
                actor=actor,
                rules=start.rules if start else None,
                prizes=start.prizes if start else None,
                entries=start.entries if start else None,
            )
    except DomainError as error:
        form.add_error(None, error.message)
        return None


def _change(form: EveningForm, evening: Evening, actor: Actor) -> Evening | None:
    try:
        with transaction.atomic():
            plan = _plan(form, evening.club, actor)
            return evening_change(evening_id=evening.pk, plan=plan, actor=actor)
    except DomainError as error:
        form.add_error(None, error.message)
        return None


def _change_details(form: EveningDetailsForm, evening: Evening, actor: Actor) -> Evening | None:
    try:
        with transaction.atomic():
            details = EveningDetails(**_answers(form, evening.club, actor))
            return evening_details_change(evening_id=evening.pk, details=details, actor=actor)
    except DomainError as error:
        form.add_error(None, error.message)
        return None


def _plan(form: EveningForm, club: Club, actor: Actor) -> EveningPlan:
    answers = _answers(form, club, actor)
    del answers["second"]
    chosen = answers.pop("regulation")
    regulation = regulation_chosen(club=club, chosen=chosen, actor=actor)
    return EveningPlan(regulation=regulation, **answers)


def _answers(form: EveningDetailsForm, club: Club, actor: Actor) -> dict[str, Any]:
    """The form's answers, with the new season made if one was named."""
    answers = dict(form.cleaned_data)
    new_season = answers.pop("new_season")
    if new_season.strip():
        answers["season"] = season_by_name(club=club, name=new_season, actor=actor)
    return answers
