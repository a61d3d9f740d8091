"""The public page of an evening: standings or seating, as a page, a live part and files."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.files.exports import ListFile, list_response
from scoring.display.words import pit_word
from tournaments.entries.queries import entering_of
from tournaments.evenings.pages import asked_number, evening_view
from tournaments.evenings.texts import tie_decided_line
from tournaments.models import Evening, Release, Round
from tournaments.releases.folders import FolderMove, folder_moves
from tournaments.releases.lines import line_moves, live_lines, release_lines
from tournaments.releases.queries import (
    Move,
    PublicRow,
    by_pair,
    correction_lines,
    has_broken_ties,
    live_rows,
    release_moves,
    release_rows,
    visible_rounds,
)
from tournaments.releases.services import release_is_current
from tournaments.results.link_previews import draw_preview, evening_preview
from tournaments.results.standing import (
    SeatingFacts,
    any_points,
    interim_view,
    photo_of,
    playing_line,
    podium,
    rank_moves,
    round_numbers,
    seating_facts,
    sitting_out_line,
    standing_lines,
    standings_file,
    tie_lines,
)
from tournaments.results.views.live import live_context, live_part, visitors_page
from tournaments.results.views.seating import named, names_file, round_seating, tables_file
from tournaments.standings.competitors import PLAYER
from tournaments.standings.texts import (
    unsplit_words,
)

RUNNING, DRAWN = Round.State.RUNNING, Round.State.DRAWN
STANDINGS, NAMES, TABLES = "standings", "names", "tables"


@dataclass(frozen=True, slots=True)
class Tab:
    """One of the evening's three views; `name` is what the address calls it."""

    name: str
    label: str
    current: bool


@require_safe
@visitors_page
@evening_view
def evening_page(request: HttpRequest, evening: Evening) -> HttpResponse:
    """The page of an evening. `?show=` chooses standings, names or tables, `?round=` the round
    whose draw is shown, `?q=` looks up a name, `?release=` shows an earlier publication, and
    `?format=` downloads what is shown."""
    context = _context(request, evening) | {
        "photo": photo_of(evening),
        "entering": entering_of(evening),
    }
    file = list_response(request, cast("Callable[[], ListFile]", context["file"]))
    return file or render(request, "tournaments/results/evening.html", context)


@require_safe
@live_part
def evening_live(request: HttpRequest, evening: Evening) -> HttpResponse:
    """The part of the page that changes while people play, with the same parameters; 304 when
    nothing has changed."""
    return render(request, "tournaments/results/evening_live.html", _context(request, evening))


def current_round(rounds: Sequence[Round]) -> Round | None:
    """The round people look up their table for: the last that is being played, else the first
    that is drawn, else the last that was played."""
    running = [round_ for round_ in rounds if round_.state == RUNNING]
    waiting = [round_ for round_ in rounds if round_.state == DRAWN]
    return next(iter(running[-1:] or waiting[:1] or rounds[-1:]), None)


def _context(request: HttpRequest, evening: Evening) -> dict[str, object]:
    rounds = visible_rounds(evening)
    releases = list(evening.releases.all())
    release = _requested_release(request, evening, releases)
    latest = releases[0] if releases else None
    show = STANDINGS if not rounds else _requested_tab(request, rounds)
    context: dict[str, object] = {
        "club": evening.club,
        "evening": evening,
        "show": show,
        "tabs": _tabs(show) if rounds else [],
        "release": release,
        "releases": releases,
        "latest": latest,
        "stale": _is_stale(evening, release, latest),
        "query": request.GET.urlencode(),
        "wanted": request.GET.get("q", "").strip(),
    }
    if evening.is_open and "release" not in request.GET:
        context |= live_context(evening)
    if show == STANDINGS:
        return context | _standings(request, evening, rounds, releases)
    return context | _seating(request, evening, rounds, show)


def _is_stale(evening: Evening, release: Release | None, latest: Release | None) -> bool:
    """Whether the last result is shown and something was corrected since."""
    # The revision is usually the same, which needs no query.
    if release is None or release != latest or release.evening_revision == evening.revision:
        return False
    return not release_is_current(release)


def _requested_release(
    request: HttpRequest, evening: Evening, releases: Sequence[Release]
) -> Release | None:
    """The release to show: the requested one, else the latest of a closed evening."""
    number = asked_number(request, "release")
    if number is None:
        closed = evening.state == Evening.State.CLOSED
        return releases[0] if closed and releases else None
    for release in releases:
        if release.number == number:
            return release
    raise Http404


def _requested_tab(request: HttpRequest, rounds: Sequence[Round]) -> str:
    show = request.GET.get("show", "")
    if show in (STANDINGS, NAMES, TABLES):
        return show
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
    request: HttpRequest, evening: Evening, rounds: Sequence[Round], releases: Sequence[Release]
) -> dict[str, object]:
    release = _requested_release(request, evening, releases)
    if release is not None:
        people = release_rows(release)
        rows = release_lines(release, people)
    else:
        people = live_rows(evening) if evening.shows_scores else []
        rows = live_lines(evening, people) if evening.shows_scores else []
    of = next((row.kind for row in rows), PLAYER)
    others = by_pair(people) if of != PLAYER else []
    facts = seating_facts(evening, others or rows) if rows else SeatingFacts({}, ())
    by_themselves = of != PLAYER and request.GET.get("by") == PLAYER
    return {
        "file": partial(standings_file, evening, others)
        if by_themselves
        else partial(standings_file, evening, rows, of),
        "preview": evening_preview(
            evening, rows, final=release is not None or evening.state == Evening.State.CLOSED
        ),
        "of": of,
        **_table_of("", evening, rows, rounds),
        **_table_of("others_", evening, others, rounds),
        "podium": podium(rows, "players/{}/".format) if release else [],
        "tie_line": tie_decided_line(evening) if has_broken_ties(rows) else "",
        "tie_steps": tie_lines(evening.club, rows),
        "out_line": sitting_out_line(evening, others or rows, facts.sat_out),
        "anything_written": any_points(rows),
        "moves": _moves(release, releases) if release else [],
        "corrections": correction_lines(evening, people),
        "unsplit": unsplit_words(facts.unsplit, pit_word(evening.club)),
        "pit_word": pit_word(evening.club),
        "playing": playing_line(evening, rows, rounds),
        "hidden": evening.is_frozen and release is None,
    }


def _table_of(
    name: str, evening: Evening, rows: Sequence[PublicRow], rounds: Sequence[Round]
) -> dict[str, object]:
    """What `components/standings.html` draws these lines with."""
    labels = [_("Round %(n)s") % {"n": number} for number in round_numbers(rows)]
    return {
        f"{name}rows": standing_lines(rows, "players/{}/".format, rank_moves(rows, rounds)),
        f"{name}interim": interim_view(evening, rows),
        f"{name}round_labels": labels,
    }


def _moves(release: Release, releases: Sequence[Release]) -> list[Move | FolderMove]:
    before = next((one for one in releases if one.number == release.number - 1), None)
    pairs = folder_moves(release, before.folders if before else None, release.folders)
    return [*pairs, *line_moves(release, before), *release_moves(release)]


def _seating(
    request: HttpRequest, evening: Evening, rounds: Sequence[Round], show: str
) -> dict[str, object]:
    round_ = _requested_round(request, rounds)
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
        "sheets_open": evening.shows_sheets and round_.state != DRAWN,
    }


def _requested_round(request: HttpRequest, rounds: Sequence[Round]) -> Round:
    number = asked_number(request, "round")
    for round_ in rounds:
        if round_.number == number:
            return round_
    current = current_round(rounds)
    if number is not None or current is None:
        raise Http404
    return current
