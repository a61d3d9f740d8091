"""One evening for everybody: its standings, where everybody sits, each table's sheet."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.exports import ListFile, list_response
from scoring.words import pit_word
from tournaments.evening_words import tie_decided_line
from tournaments.models import Evening, Release, Round
from tournaments.previews import draw_preview, evening_preview
from tournaments.published import (
    by_pair,
    has_broken_ties,
    live_rows,
    release_moves,
    release_rows,
    visible_rounds,
)
from tournaments.services import release_is_current
from tournaments.tie_words import tie_lines
from tournaments.views.public.common import asked_number, evening_view
from tournaments.views.public.evening_files import names_file, standings_file, tables_file
from tournaments.views.public.live import live_context, live_part
from tournaments.views.public.seating import named, round_seating
from tournaments.views.public.standing import round_numbers, standing_lines

STANDINGS, NAMES, TABLES = "standings", "names", "tables"
RUNNING, DRAWN = Round.State.RUNNING, Round.State.DRAWN


@dataclass(frozen=True, slots=True)
class Tab:
    """One of the evening's three views; `name` is what the address calls it."""

    name: str
    label: str
    current: bool


@require_safe
@evening_view
def evening_page(request: HttpRequest, evening: Evening) -> HttpResponse:
    """Tonight or that evening. `?show=` chooses standings, names or tables, `?round=` whose draw,
    `?q=` looks up a name, `?release=` an earlier publication of the standings, `?format=` takes
    what is shown along as a file."""
    context = _context(request, evening)
    file = list_response(request, cast("Callable[[], ListFile]", context["file"]))
    return file or render(request, "tournaments/public/evening.html", context)


@require_safe
@live_part
def evening_live(request: HttpRequest, evening: Evening) -> HttpResponse:
    """The part of the page that changes while people play; 304 when nothing has changed.

    Takes what `evening_page` takes. Unchanged, it costs one small query.
    """
    return render(request, "tournaments/public/evening_live.html", _context(request, evening))


def current_round(rounds: Sequence[Round]) -> Round | None:
    """The round people want to find their table for: the last one that is being played, else the
    first one that is drawn and waits, else the last one that was played."""
    running = [round_ for round_ in rounds if round_.state == RUNNING]
    waiting = [round_ for round_ in rounds if round_.state == DRAWN]
    return next(iter(running[-1:] or waiting[:1] or rounds[-1:]), None)


def _context(request: HttpRequest, evening: Evening) -> dict[str, object]:
    rounds = visible_rounds(evening)
    releases = list(evening.releases.all())
    release = _asked_release(request, evening, releases)
    latest = releases[0] if releases else None
    show = STANDINGS if not rounds else _asked_tab(request, rounds)
    context: dict[str, object] = {
        "club": evening.club,
        "evening": evening,
        "show": show,
        "tabs": _tabs(show) if rounds else [],
        "release": release,
        "releases": releases,
        "latest": latest,
        "outdated": _is_outdated(evening, release, latest),
        "query": request.GET.urlencode(),
        "wanted": request.GET.get("q", "").strip(),
    }
    if evening.is_open and "release" not in request.GET:
        context |= live_context(evening)
    if show == STANDINGS:
        return context | _standings(evening, rounds, release)
    return context | _seating(request, evening, rounds, show)


def _is_outdated(evening: Evening, release: Release | None, latest: Release | None) -> bool:
    """Whether the last result is shown and something was corrected since. Mostly the evening is as
    it was then, which takes no query to see."""
    if release is None or release != latest or release.evening_revision == evening.revision:
        return False
    return not release_is_current(release)


def _asked_release(
    request: HttpRequest, evening: Evening, releases: Sequence[Release]
) -> Release | None:
    """The release to show: the one asked for, of a closed evening the latest, else none."""
    asked = asked_number(request, "release")
    if asked is None:
        closed = evening.state == Evening.State.CLOSED
        return releases[0] if closed and releases else None
    for release in releases:
        if release.number == asked:
            return release
    raise Http404


def _asked_tab(request: HttpRequest, rounds: Sequence[Round]) -> str:
    asked = request.GET.get("show", "")
    if asked in (STANDINGS, NAMES, TABLES):
        return asked
    if "q" in request.GET or "round" in request.GET:
        return NAMES
    started = any(round_.state != DRAWN for round_ in rounds)
    return STANDINGS if started or "release" in request.GET else NAMES


def _tabs(show: str) -> list[Tab]:
    labels = {
        STANDINGS: _("Standings"),
        NAMES: _("Where do I sit?"),
        TABLES: _("Tables"),
    }
    return [Tab(name, label, name == show) for name, label in labels.items()]


def _standings(
    evening: Evening, rounds: Sequence[Round], release: Release | None
) -> dict[str, object]:
    if release is not None:
        rows = release_rows(release)
    else:
        rows = live_rows(evening) if evening.shows_scores else []
    rows = by_pair(rows)
    return {
        "file": partial(standings_file, evening, rows),
        "preview": evening_preview(
            evening, rows, final=release is not None or evening.state == Evening.State.CLOSED
        ),
        "rows": standing_lines(rows, "players/{}/".format),
        "round_labels": [_("Round %(n)s") % {"n": number} for number in round_numbers(rows)],
        "tie_line": tie_decided_line(evening) if has_broken_ties(rows) else "",
        "tie_steps": tie_lines(evening.club, rows),
        "anything_written": any(row.total for row in rows),
        "moves": release_moves(release) if release else [],
        "pit_word": pit_word(evening.club),
        "playing": [round_.number for round_ in rounds if round_.state == RUNNING],
        "hidden": evening.is_frozen and release is None,
    }


def _seating(
    request: HttpRequest, evening: Evening, rounds: Sequence[Round], show: str
) -> dict[str, object]:
    round_ = _asked_round(request, rounds)
    round_.evening = evening
    seating = round_seating(evening.club, round_)
    names = named(seating.names, request.GET.get("q", ""))
    if show == NAMES:
        file = partial(names_file, evening, round_, names)
    else:
        file = partial(tables_file, evening, round_, seating.tables)
    return {
        "file": file,
        "preview": draw_preview(evening, round_.number),
        "round": round_,
        "rounds": rounds,
        "names": names if show == NAMES else [],
        "tables": seating.tables,
        "out": seating.out,
        "sheets_open": evening.shows_scores and round_.state != DRAWN,
    }


def _asked_round(request: HttpRequest, rounds: Sequence[Round]) -> Round:
    asked = asked_number(request, "round")
    for round_ in rounds:
        if round_.number == asked:
            return round_
    current = current_round(rounds)
    if asked is not None or current is None:
        raise Http404
    return current
