"""The hall screen: it turns its own pages and never needs a mouse."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.text.numbers import whole_number
from scoring.display.words import pit_word
from tournaments.evenings.public_pages import evening_view
from tournaments.models import Evening, Round
from tournaments.releases.queries import by_pair, public_standings, visible_rounds
from tournaments.releases.services import stale_release
from tournaments.results.views.evening import round_numbers, standing_lines
from tournaments.results.views.live import SCREEN_POLL, live_context, live_part
from tournaments.results.views.seating import NameLine, round_seating

LINES = 12
SECONDS = 10
SCREEN, SHOWN = "tournaments/results/screen.html", "tournaments/results/screen_shown.html"
FULL_HALL, FULL_LINES = 36, 16
"""With more players than this the standings show totals only, in two columns."""
LARGE_HALL = 96
"""With more names than this people would wait too long for theirs, so they are set smaller."""

T = TypeVar("T")
RUNNING, DRAWN = Round.State.RUNNING, Round.State.DRAWN


@dataclass(frozen=True, slots=True)
class NamesPage:
    """A page of names, by the initials of the first and the last."""

    first: str
    last: str
    current: bool


@require_safe
def evening_screen(request: HttpRequest, slug: str, evening_slug: str) -> HttpResponse:
    """One page of what the hall wants to see now: `?page=N`, from the first again after the last.

    The page polls itself with `?live=1` and gets a new version only when something has changed.
    """
    view = _shown if "live" in request.GET else _whole
    return view(request, slug, evening_slug)


@evening_view
def _whole(request: HttpRequest, evening: Evening) -> HttpResponse:
    return _screen(request, evening, SCREEN)


@live_part
def _shown(request: HttpRequest, evening: Evening) -> HttpResponse:
    return _screen(request, evening, SHOWN)


def _screen(request: HttpRequest, evening: Evening, template: str) -> HttpResponse:
    rounds = visible_rounds(evening)
    waiting = _waiting(evening, rounds)
    context = _draw(request, evening, waiting) if waiting else _standings(request, evening)
    page = context["page"]
    shared = {
        "club": evening.club,
        "evening": evening,
        "following": page.next_page_number() if page.has_next() else 1,
        "seconds": SECONDS,
        "playing": [round_.number for round_ in rounds if round_.state == RUNNING],
        "hidden": evening.is_frozen,
    }
    shared |= live_context(evening, SCREEN_POLL)
    return render(request, template, shared | context)


def _waiting(evening: Evening, rounds: Sequence[Round]) -> Round | None:
    """The drawn round that people look up their table for; None while a round is being played."""
    if any(round_.state == RUNNING for round_ in rounds):
        return None
    waiting = next((round_ for round_ in rounds if round_.state == DRAWN), None)
    if waiting is not None:
        waiting.evening = evening
    return waiting


def _draw(request: HttpRequest, evening: Evening, round_: Round) -> dict[str, Any]:
    names = round_seating(evening.club, round_).names
    columns, lines = (3, 14) if len(names) > LARGE_HALL else (2, LINES)
    page = _page(request, names, columns * lines)
    return {
        "round": round_,
        "page": page,
        "columns": range(columns),
        "lines": _in_columns(list(page), columns),
        "parts": _parts(page),
    }


def _in_columns(names: Sequence[T], columns: int) -> list[list[T | None]]:
    """The items as rows of a table that is read column by column."""
    rows = -(-len(names) // columns)
    padded = [*names, *[None] * (rows * columns - len(names))]
    return [padded[row::rows] for row in range(rows)]


def _parts(shown: Page[NameLine]) -> list[NamesPage]:
    """The initials of the names on each page; empty if there is only one page."""
    pages = [shown.paginator.page(number) for number in shown.paginator.page_range]
    if len(pages) == 1:
        return []
    return [
        NamesPage(page[0].letter, page[-1].letter, current=page.number == shown.number)
        for page in pages
    ]


def _standings(request: HttpRequest, evening: Evening) -> dict[str, Any]:
    rows = by_pair(public_standings(evening))
    columns, lines = (2, FULL_LINES) if len(rows) > FULL_HALL else (1, LINES)
    page = _page(request, standing_lines(rows), columns * lines)
    return {
        "page": page,
        "columns": range(columns),
        "lines": _in_columns(list(page), columns) if columns > 1 else [],
        "round_labels": [_("Round %(n)s") % {"n": number} for number in round_numbers(rows)],
        "pit_word": pit_word(evening.club),
        "stale": evening.state == Evening.State.CLOSED and bool(stale_release(evening)),
    }


def _page(request: HttpRequest, items: Sequence[T], size: int) -> Page[T]:
    """The requested page, or the first if there are fewer by now."""
    paginator = Paginator(items, size)
    number = whole_number(request.GET.get("page", "1"))
    return paginator.page(number if 1 <= number <= paginator.num_pages else 1)
