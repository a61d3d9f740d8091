"""The director's board, and the pages that start, close and reopen a round."""

import hashlib
from functools import lru_cache
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_http_methods, require_POST, require_safe

from clubs.access.permissions import READ_DESK, actor_of, desk_view, may, owned
from clubs.http.pages import ConfirmedAction, Poll
from clubs.models import Club
from clubs.text.numbers import whole_number
from scoring.models import Scoresheet
from tournaments.evenings.pages import (
    ReasonForm,
    confirm,
    evening_url,
    find_evening,
    find_round,
    refusals_shown,
    show_evening,
    to_evening,
)
from tournaments.evenings.permissions import CLOSE_ROUND, FREEZE, SETTLE, START_ROUND
from tournaments.evenings.services import evening_freeze
from tournaments.evenings.workflow import (
    EveningProgress,
    evening_progress,
    evening_steps,
    next_step,
    start_step,
    step_url,
)
from tournaments.models import Evening, Round
from tournaments.releases.services import stale_release
from tournaments.rounds.board import Board, BoardTable, Order, board, round_warnings
from tournaments.rounds.services import round_close, round_reopen, round_start
from tournaments.standings.queries import sitting_out_names

BOARD_POLL = Poll(350, 2_000)


@desk_view(READ_DESK)
@require_safe
def evening_board(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """How far each table is."""
    evening = find_evening(club, evening_slug)
    return render(request, "tournaments/rounds/board.html", _context(request, evening))


@desk_view(READ_DESK)
@require_safe
def board_live(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """The part of the board that changes; 304 while the evening does not."""
    return _live(request, find_evening(club, evening_slug))


@desk_view(START_ROUND)
@require_http_methods(["GET", "POST"])
def round_start_page(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int
) -> HttpResponse:
    """Start a drawn round; does nothing if it is running already."""
    round_ = find_round(club, evening_slug, round_number)
    tables = round_.tables.count()

    def act() -> str | None:
        if round_.state == Round.State.RUNNING:
            return None
        round_start(round_id=round_.pk, actor=actor_of(request))
        return _("Round %(n)s is on.") % {"n": round_number}

    confirmation = ConfirmedAction(
        title=_("Start round %(n)s?") % {"n": round_number},
        text=ngettext(
            "%(tables)s table starts to play. People who come in later play from the next draw on.",
            "%(tables)s tables start to play. People who come in later play from the next draw on.",
            tables,
        )
        % {"tables": tables},
        yes=_("Start round %(n)s") % {"n": round_number},
        back_url=evening_url("evening_draw", round_.evening),
        act=act,
        next_url=_board_url(round_),
        safe=True,
    )
    return confirm(request, round_.evening, confirmation)


@desk_view(CLOSE_ROUND)
@require_http_methods(["GET", "POST"])
def round_close_page(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int
) -> HttpResponse:
    """Close a round; if tables are not finished, name them and ask for a reason."""
    round_ = find_round(club, evening_slug, round_number)
    unfinished = _unfinished(round_)
    form = ReasonForm(request.POST if request.method == "POST" else None) if unfinished else None

    def act() -> str | None:
        if round_.state == Round.State.CLOSED:
            return None
        reason = form.given if form else ""
        round_close(round_id=round_.pk, unfinished_reason=reason, actor=actor_of(request))
        return _("Round %(n)s is closed.") % {"n": round_number}

    def page(**context: Any) -> HttpResponse:
        return show_evening(
            request,
            "rounds/round_close.html",
            round_.evening,
            warnings=round_warnings(round_),
            **context,
        )

    confirmation = ConfirmedAction(
        title=_("Close round %(n)s?") % {"n": round_number},
        text=_closing_words(unfinished),
        yes=_("Close round %(n)s anyway") % {"n": round_number}
        if unfinished
        else _("Close round %(n)s") % {"n": round_number},
        back_url=_board_url(round_),
        act=act,
        next_url=_board_url(round_),
        safe=not unfinished,
        form=form,
    )
    return confirmation.respond(request, page)


@desk_view(CLOSE_ROUND)
@require_http_methods(["GET", "POST"])
def round_reopen_page(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int
) -> HttpResponse:
    """Open a closed round again."""
    round_ = find_round(club, evening_slug, round_number)

    def act() -> str | None:
        if round_.state == Round.State.RUNNING:
            return None
        round_reopen(round_id=round_.pk, actor=actor_of(request))
        return _("Round %(n)s is open again.") % {"n": round_number}

    confirmation = ConfirmedAction(
        title=_("Open round %(n)s again?") % {"n": round_number},
        text=_(
            "The tables of this round can write again. To correct a single deal this is not "
            "needed: open the table and correct it."
        ),
        yes=_("Open round %(n)s again") % {"n": round_number},
        back_url=_board_url(round_),
        act=act,
        next_url=_board_url(round_),
    )
    return confirm(request, round_.evening, confirmation)


@desk_view(FREEZE)
@require_POST
def freeze_page(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Hide the standings from the hall, or show them again."""
    evening = find_evening(club, evening_slug)
    frozen = request.POST.get("frozen") == "1"
    with refusals_shown(request):
        evening_freeze(evening_id=evening.pk, frozen=frozen, actor=actor_of(request))
        messages.success(
            request,
            _("The hall no longer sees the standings.")
            if frozen
            else _("The hall sees the standings again."),
        )
    return to_evening("evening_board", evening)


def _etag(request: HttpRequest, evening: Evening, round_: str, order: str) -> str:
    # The user is part of it, because the buttons on the board depend on who asks.
    seen = (evening.uuid, evening.revision, round_, order, get_language(), request.user.pk)
    return f'"{hashlib.sha256(repr(seen).encode()).hexdigest()[:24]}"'


def _etag_asked(request: HttpRequest, evening: Evening) -> str:
    """As on the page that asks, so that what it shows already is not sent once more."""
    return _etag(request, evening, request.GET.get("round", ""), request.GET.get("order", ""))


@cache_control(private=True, no_cache=True)
@condition(etag_func=_etag_asked)
def _live(request: HttpRequest, evening: Evening) -> HttpResponse:
    return render(request, "tournaments/rounds/board_live.html", _context(request, evening))


def _context(request: HttpRequest, evening: Evening) -> dict[str, object]:
    progress = evening_progress(evening)
    number = _round_number(request, progress)
    shown = next((each for each in progress.rounds if each.number == number), None)
    order: Order = "trouble" if request.GET.get("order") == "trouble" else "number"
    decides = may(request, SETTLE, evening)
    tables = board(evening, number, order, decides_claims=decides) if shown else Board()
    club = evening.club
    return {
        "club": club,
        "section": "evenings",
        "evening": evening,
        "progress": progress,
        "steps": evening_steps(progress),
        "next_step": next_step(progress),
        "early_start": _early_start(progress),
        "round": shown,
        "order": order,
        "board": tables,
        "tiles": [
            _tile(table, club.slug, evening.slug, number, get_language()) for table in tables.tables
        ],
        "to_type": tables.to_type if shown and shown.state == Round.State.RUNNING else None,
        "out": sitting_out_names(evening, number) if shown else [],
        "stale_release": stale_release(evening),
    } | BOARD_POLL.context(_etag(request, evening, str(number), order))


@lru_cache(500)
def _tile(
    table: BoardTable, club_slug: str, evening_slug: str, round_number: int, _language: str | None
) -> SafeString:
    """A tile as it is drawn: of a board that asks twice a second most have stayed as they were."""
    context = {
        "table": table,
        "club_slug": club_slug,
        "evening_slug": evening_slug,
        "round_number": round_number,
    }
    return SafeString(render_to_string("tournaments/rounds/board_tile.html", context))


def _round_number(request: HttpRequest, progress: EveningProgress) -> int:
    """The round asked for, else the one being played, the last one closed, or the first."""
    wanted = whole_number(request.GET.get("round", ""))
    numbers = [round_.number for round_ in progress.rounds]
    if wanted in numbers:
        return wanted
    if progress.running:
        return progress.running.number
    closed = [r.number for r in progress.rounds if r.state == Round.State.CLOSED]
    return (closed[-1:] or numbers[:1] or [0])[0]


def _early_start(progress: EveningProgress) -> object:
    """In a rotation the next round may start while tables of this one still play."""
    waiting = progress.first(Round.State.DRAWN)
    rotation = progress.evening.method == Evening.Method.ROTATION
    if not (rotation and waiting and progress.running):
        return None
    return start_step(progress.evening, waiting)


def _board_url(round_: Round) -> str:
    return step_url(round_.evening, "round", round_.number)


def _unfinished(round_: Round) -> list[int]:
    sheets = owned(round_.club, Scoresheet).filter(table__round=round_).select_related("table")
    return [sheet.table.number for sheet in sheets.order_by("table__number") if not sheet.is_full]


def _closing_words(unfinished: list[int]) -> str:
    if not unfinished:
        return _("Every table is ready. After this only a director can correct a deal.")
    return ngettext(
        "Table %(tables)s is not ready yet. Its deals so far will count; give the reason to stop"
        " here.",
        "Tables %(tables)s are not ready yet. Their deals so far will count; give the reason to"
        " stop here.",
        len(unfinished),
    ) % {"tables": ", ".join(map(str, unfinished))}
