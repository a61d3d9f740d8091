"""The board: every table of a round, refreshed in place."""

import hashlib

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

from clubs.models import Club
from clubs.numbers import whole_number
from clubs.permissions import READ_DESK, desk_view
from tournaments.board import BoardTable, Order, board
from tournaments.models import Evening, Round
from tournaments.queries import open_disputes, sitting_out_names
from tournaments.services import release_outdated
from tournaments.steps import Progress, evening_progress, evening_steps, next_step, start_step
from tournaments.undecided import open_claims
from tournaments.views.desk.common import find_evening


@desk_view(READ_DESK)
@require_safe
def evening_board(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """How far each table is."""
    evening = find_evening(club, evening_slug)
    return render(request, "tournaments/desk/board.html", _context(request, evening))


@desk_view(READ_DESK)
@require_safe
def board_live(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """The part of the board that changes; 304 as long as the evening has not."""
    return _live(request, find_evening(club, evening_slug))


def _etag(request: HttpRequest, evening: Evening) -> str:
    seen = (
        evening.uuid,
        evening.revision,
        request.GET.urlencode(),
        get_language(),
        request.user.pk,
    )
    return f'"{hashlib.sha256(repr(seen).encode()).hexdigest()[:24]}"'


@cache_control(private=True, no_cache=True)
@condition(etag_func=_etag)
def _live(request: HttpRequest, evening: Evening) -> HttpResponse:
    return render(request, "tournaments/desk/board_live.html", _context(request, evening))


def _context(request: HttpRequest, evening: Evening) -> dict[str, object]:
    progress = evening_progress(evening)
    number = _round_number(request, progress)
    round_ = evening.rounds.filter(number=number).first()
    shown = next((one for one in progress.rounds if one.number == number), None)
    order: Order = "trouble" if request.GET.get("order") == "trouble" else "number"
    claims = list(open_claims(evening))
    tables = board(round_, order, claims) if round_ else []
    return {
        "club": evening.club,
        "section": "evenings",
        "evening": evening,
        "progress": progress,
        "steps": evening_steps(progress),
        "next_step": next_step(progress),
        "early_start": _early_start(progress),
        "round": shown,
        "order": order,
        "tables": tables,
        "to_type": _to_type(round_, tables),
        "out": sitting_out_names(evening, number) if round_ else [],
        "disputes": list(open_disputes(evening)),
        "claims": claims,
        "outdated": release_outdated(evening),
        "etag": _etag(request, evening),
    }


def _round_number(request: HttpRequest, progress: Progress) -> int:
    """The round asked for, else the one being played, else the last that was, else the first."""
    wanted = whole_number(request.GET.get("round", ""))
    numbers = [round_.number for round_ in progress.rounds]
    if wanted in numbers:
        return wanted
    if progress.running:
        return progress.running.number
    closed = [r.number for r in progress.rounds if r.state == Round.State.CLOSED]
    return (closed[-1:] or numbers[:1] or [0])[0]


def _to_type(round_: Round | None, tables: list[BoardTable]) -> int | None:
    """The first table of which something is still to be typed, once the round has started."""
    if round_ is None or round_.state != Round.State.RUNNING:
        return None
    return min((table.number for table in tables if not table.full), default=None)


def _early_start(progress: Progress) -> object:
    """In a rotation the next round may start while tables of this one still play."""
    waiting = progress.first(Round.State.DRAWN)
    rotation = progress.evening.method == Evening.Method.ROTATION
    if not (rotation and waiting and progress.running):
        return None
    return start_step(progress.evening, waiting)
