"""The desk: what needs doing now, a new club's first steps, and all evenings of the club; and the
page that other websites show in a frame."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from csp.constants import NONE, SELF
from django.contrib import messages
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access.permissions import (
    KEEP_COPIES,
    MANAGE_CLUB,
    READ_DESK,
    READ_MEMBERS,
    desk_view,
    may,
    public_view,
)
from clubs.http.network import absolute_url
from clubs.http.pages import sort_and_page
from clubs.models import Club
from clubs.profile.services import practice_club, start_put_away
from tournaments.desk.start import Birthday, birthdays, club_start, copy_reminder
from tournaments.desk.views.public import Leader, evenings_now, season_of, season_top
from tournaments.evenings.kinds import deleted_evenings
from tournaments.evenings.pages import EveningListTable, find_evening, match_days_of
from tournaments.evenings.permissions import SEE_EVENING
from tournaments.evenings.workflow import evening_progress, next_step, open_claims, step_url
from tournaments.models import Evening, EveningQuerySet, Season
from tournaments.releases.lines import live_lines, public_lines
from tournaments.releases.queries import PublicRow, running_rounds, written_so_far
from tournaments.releases.services import stale_release
from tournaments.results.standing import places_by
from tournaments.standings.queries import (
    StandingRow,
    evening_standings,
    hindmost_table,
    open_disputes,
    sitting_out_names,
)
from tournaments.standings.texts import interim_words

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
            "match_days": match_days_of(club, since=today, most=NEXT_FEW),
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
    if evening.method == Evening.Method.PAIRS or evening.ranks != Evening.Ranks.PLAYER:
        return live_lines(evening)
    return evening_standings(evening)


def _of(club: Club) -> EveningQuerySet:
    return Evening.objects.of(club).select_related("club", "regulation", "season")


@desk_view(MANAGE_CLUB)
@require_POST
def start_away(request: HttpRequest, club: Club) -> HttpResponse:
    """Take the first steps off the desk, or put them back there."""
    away = request.POST.get("away") == "1"
    start_put_away(club=club, away=away)
    messages.success(
        request,
        _("The first steps are put away. You get them back in the settings.")
        if away
        else _("The first steps are on the desk again, until they are done."),
    )
    return redirect("desk", club.slug)


MOST: Final = 400
"""Places of a season; an evening is shown whole."""
NEXT, EVENING, SEASON = "next", "evening", "season"
PARTS: Final = {"": (NEXT, EVENING, SEASON), NEXT: (NEXT,), EVENING: (EVENING,), SEASON: (SEASON,)}
POLLED: Final = 60
KEPT: Final = 300


@require_safe
@public_view
def club_frame(request: HttpRequest, club: Club) -> HttpResponse:
    """The page; `?show=` chooses one of `next`, `evening` and `season`. Only the websites that the
    club names, and our own, can show it in a frame."""
    parts = PARTS.get(request.GET.get("show", ""))
    if parts is None:
        raise Http404
    with translation.override(club.language):
        context = _context(club, parts)
        response = render(request, "tournaments/desk/frame.html", context)
    _allow_frames(response, club)
    seconds = POLLED if context["is_live"] else KEPT
    patch_cache_control(response, public=True, max_age=seconds)
    return response


def _allow_frames(response: HttpResponse, club: Club) -> None:
    """Say which websites may; `X-Frame-Options` cannot name any, and browsers prefer the policy."""
    policy = {
        "frame-ancestors": [SELF, *club.frame_sites],
        "script-src": [NONE],
        "connect-src": [NONE],
        "form-action": [NONE],
        "worker-src": [NONE],
        "manifest-src": [NONE],
    }
    response._csp_replace = policy  # type: ignore[attr-defined] # noqa: SLF001
    if club.frame_sites:
        response.xframe_options_exempt = True
    else:
        response.headers["X-Frame-Options"] = "SAMEORIGIN"


def _context(club: Club, parts: tuple[str, ...]) -> Mapping[str, Any]:
    now = evenings_now(club)
    coming = now[0] if now else None
    season = season_of(club) if SEASON in parts else None
    evening = _evening(club, coming) if EVENING in parts else None
    return {
        "club": club,
        "home": absolute_url(club, club.get_absolute_url()),
        "today": timezone.localdate(),
        "shows_next": NEXT in parts,
        "coming": coming,
        "evening": evening,
        **_standing(evening),
        "season": season,
        "season_rows": _season_rows(club, season) if season else [],
        "is_live": evening is not None and evening.state == Evening.State.RUNNING,
        "poll": POLLED,
    }


def _evening(club: Club, coming: Evening | None) -> Evening | None:
    """The evening that is being played and shows its scores, else the last one."""
    if coming is not None and coming.state == Evening.State.RUNNING and coming.shows_scores:
        return coming
    return Evening.objects.of(club).filter(state=Evening.State.CLOSED).first()


def _standing(evening: Evening | None) -> Mapping[str, object]:
    """The lines of an evening, and what their places go by while it is played."""
    if evening is None:
        return {"evening_rows": []}
    rows = public_lines(evening)
    playing, over = running_rounds(rows), {number for row in rows for number in row.rounds}
    words = interim_words(playing, sorted(over), places_by(evening, rows)) if playing else ""
    return {"evening_rows": _evening_rows(rows), "interim_words": words}


def _evening_rows(rows: list[PublicRow]) -> list[Leader]:
    playing = running_rounds(rows)
    points = written_so_far if playing and not any(row.rank for row in rows) else _total
    return [Leader(row.rank, row.name, "", points(row), None, []) for row in rows]


def _total(row: PublicRow) -> int:
    return row.total


def _season_rows(club: Club, season: Season) -> list[Leader]:
    """Without links: a page of ours that they lead to is not shown in a frame. And without lines,
    for which it is narrow."""
    return [replace(leader, url="", scores=[]) for leader in season_top(club, season, MOST)]
