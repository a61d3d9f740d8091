"""The desk: what needs doing now, and all evenings of the club."""

import datetime as dt
from collections.abc import Sequence

from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.access.permissions import (
    KEEP_COPIES,
    MANAGE_CLUB,
    READ_DESK,
    READ_MEMBERS,
    desk_view,
    may,
)
from clubs.http.tables import sort_and_page
from clubs.members.birthdays import Birthday, birthdays
from clubs.models import Club
from clubs.profile.practice import practice_club
from tournaments.desk.reminders import copy_reminder
from tournaments.desk.start import club_start
from tournaments.evenings.deleting import deleted_evenings
from tournaments.evenings.desk_pages import EveningListTable, find_evening
from tournaments.evenings.permissions import SEE_EVENING
from tournaments.evenings.workflow import evening_progress, next_step, open_claims, step_url
from tournaments.models import Evening, EveningQuerySet
from tournaments.releases.queries import PublicRow, by_pair, live_rows
from tournaments.releases.services import stale_release
from tournaments.standings.queries import (
    StandingRow,
    evening_standings,
    hindmost_table,
    open_disputes,
    sitting_out_names,
)

PLANNED, RUNNING = Evening.State.PLANNED, Evening.State.RUNNING
NEXT_FEW = 3
HERE = Q(registrations__present=True)
PLAYED_BEFORE = Q(is_history=True, past_results__score__isnull=False)


@desk_view(READ_DESK)
@require_safe
def desk(request: HttpRequest, club: Club) -> HttpResponse:
    """What needs doing now: the current evening with its next step, else the next one."""
    today = timezone.localdate()
    evening = _evening_on(club) or _next_evening(club)
    progress = evening_progress(evening) if evening else None
    running = progress.running if progress else None
    last = _last_evening(club)
    return render(
        request,
        "tournaments/desk/home.html",
        {
            "club": club,
            "section": "desk",
            "start": None if running or not may(request, MANAGE_CLUB, club) else club_start(club),
            "practice": practice_club(club),
            "evening": evening,
            "tonight": evening is not None and (evening.state == RUNNING or evening.date == today),
            "overdue": evening is not None and evening.state == PLANNED and evening.date < today,
            "progress": progress,
            "next_step": next_step(progress) if progress else None,
            "waiting": running is not None and not running.is_full,
            "hindmost": hindmost_table(evening, running.number) if evening and running else None,
            "out": sitting_out_names(evening, running.number) if evening and running else [],
            "stale_release": stale_release(evening) if evening else None,
            "disputes": list(open_disputes(evening)) if evening else [],
            "claims": list(open_claims(evening)) if evening else [],
            "copies": copy_reminder(club) if may(request, KEEP_COPIES, club) else None,
            "last": last,
            "last_stale": stale_release(last) if last else None,
            "last_claims": list(open_claims(last)) if last else [],
            "last_top": _standings(last)[:3] if last else [],
            "birthdays": _birthdays(club, today) if may(request, READ_MEMBERS, club) else None,
        },
    )


@desk_view(READ_DESK)
@require_safe
def evening_list(request: HttpRequest, club: Club) -> HttpResponse:
    """The evenings of the club up to the next few, newest first; with `later` those after them."""
    evenings = (
        Evening.objects.of(club)
        .select_related("club", "season")
        .annotate(
            players=Count("registrations", filter=HERE, distinct=True)
            + Count("past_results__member", filter=PLAYED_BEFORE, distinct=True)
        )
    )
    soon = _last_of_the_next(club)
    asks_later = "later" in request.GET
    listed = evenings.filter(date__gt=soon) if asks_later else evenings.filter(date__lte=soon)
    table = EveningListTable(listed, order_by="date" if asks_later else "-date")
    sort_and_page(table, request, per_page=30)
    context = {
        "club": club,
        "section": "evenings",
        "table": table,
        "asks_later": asks_later,
        "later": Evening.objects.of(club).filter(date__gt=soon).count(),
        "deleted": deleted_evenings(club).count(),
    }
    return render(request, "tournaments/desk/evenings.html", context)


@desk_view(READ_DESK)
@require_safe
def evening_desk(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Redirect to the step where this evening is; people who only enter deals go to the board."""
    evening = find_evening(club, evening_slug)
    step, round_number = evening_progress(evening).step
    if not may(request, SEE_EVENING, evening):
        return redirect(step_url(evening, "round", round_number))
    if evening.state == Evening.State.CANCELLED:
        return redirect("evening_restore", club.slug, evening.slug)
    if evening.is_history:
        return redirect("evening_page", club.slug, evening.slug)
    return redirect(step_url(evening, step, round_number))


def _last_of_the_next(club: Club) -> dt.date:
    """The day up to which evenings are listed: a planned season has many after it."""
    today = timezone.localdate()
    planned = Evening.objects.of(club).filter(date__gte=today, state=PLANNED).order_by("date")
    return max(planned.values_list("date", flat=True)[:NEXT_FEW], default=today)


def _birthdays(club: Club, today: dt.date) -> dict[str, list[Birthday]] | None:
    """Today's and those of the coming days; None when there are none."""
    coming = birthdays(club, today)
    if not coming:
        return None
    return {
        "today": [birthday for birthday in coming if birthday.day == today],
        "soon": [birthday for birthday in coming if birthday.day != today],
    }


def _evening_on(club: Club) -> Evening | None:
    return _of(club).filter(state=RUNNING).order_by("date", "sequence").first()


def _next_evening(club: Club) -> Evening | None:
    """The first planned evening from today on, else an earlier one that was never played."""
    planned = _of(club).filter(state=PLANNED)
    today = timezone.localdate()
    coming = planned.filter(date__gte=today).order_by("date", "sequence").first()
    return coming or planned.order_by("-date", "-sequence").first()


def _last_evening(club: Club) -> Evening | None:
    return _of(club).filter(state=Evening.State.CLOSED).first()


def _standings(evening: Evening) -> Sequence[StandingRow | PublicRow]:
    if evening.method == Evening.Method.PAIRS:
        return by_pair(live_rows(evening))
    return evening_standings(evening)


def _of(club: Club) -> EveningQuerySet:
    return Evening.objects.of(club).select_related("club", "regulation", "season")
