"""The public page of an evening: standings or seating, as a page, a live part and files."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from itertools import groupby
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple, cast

from django.core.cache import caches
from django.db import connection
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.files.exports import ListFile, list_response
from clubs.models import Club
from clubs.text.numbers import number
from scoring.display.words import pit_word
from tournaments.entries.queries import entering_of
from tournaments.evenings.public_pages import asked_number, evening_view, shown_competitors
from tournaments.evenings.texts import sit_out_worth, tie_decided_line
from tournaments.models import Evening, Placement, Release, Round
from tournaments.releases.queries import (
    PublicRow,
    by_pair,
    correction_lines,
    has_broken_ties,
    live_rows,
    release_moves,
    release_rows,
    running_rounds,
    visible_rounds,
)
from tournaments.releases.services import release_is_current
from tournaments.results.link_previews import draw_preview, evening_preview
from tournaments.results.photos import photo_of
from tournaments.results.views.live import live_context, live_part, visitors_page
from tournaments.results.views.seating import named, names_file, round_seating, tables_file
from tournaments.standings.competitors import evening_by
from tournaments.standings.core import Running, together
from tournaments.standings.queries import interim_by, unsplit_tables
from tournaments.standings.texts import (
    interim_heading,
    interim_words,
    metric_words,
    playing_words,
    unsplit_words,
)

RUNNING, DRAWN = Round.State.RUNNING, Round.State.DRAWN
STANDINGS, NAMES, TABLES = "standings", "names", "tables"
MOST_TIES = 10
MOST_MOVES = 100
"""In more lines than this arrows would make the page slow on a phone."""
LOT = "lot"
PODIUM = 3
FACTS_SECONDS = 60 * 60
MOST_ON_STEP = 3


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
        return context | _standings(evening, rounds, release)
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
    evening: Evening, rounds: Sequence[Round], release: Release | None
) -> dict[str, object]:
    if release is not None:
        rows = release_rows(release)
    else:
        rows = live_rows(evening) if evening.shows_scores else []
    corrections = correction_lines(evening, rows)
    rows = by_pair(rows, evening)
    facts = _facts(evening, rows) if rows else SeatingFacts({}, ())
    return {
        "file": partial(standings_file, evening, rows),
        "preview": evening_preview(
            evening, rows, final=release is not None or evening.state == Evening.State.CLOSED
        ),
        "rows": standing_lines(rows, "players/{}/".format, _moves(rows, rounds)),
        "interim": interim_view(evening, rows),
        "podium": podium(rows, "players/{}/".format) if release else [],
        "round_labels": [_("Round %(n)s") % {"n": number} for number in round_numbers(rows)],
        "tie_line": tie_decided_line(evening) if has_broken_ties(rows) else "",
        "tie_steps": tie_lines(evening.club, rows),
        "out_line": sitting_out_line(evening, rows, facts.sat_out),
        "anything_written": any_points(rows),
        "moves": release_moves(release) if release else [],
        "corrections": corrections,
        "unsplit": unsplit_words(facts.unsplit, pit_word(evening.club)),
        "pit_word": pit_word(evening.club),
        "playing": playing_line(evening, rows, rounds),
        "hidden": evening.is_frozen and release is None,
        "competitors": _competitors(evening, rows) if evening.shows_scores else [],
    }


@dataclass(frozen=True, slots=True)
class CompetitorLine:
    """A team in the standing of an evening, or a pair of which the people are not known."""

    rank: int
    name: str
    url: str
    total: int


def _competitors(evening: Evening, rows: Sequence[PublicRow]) -> list[CompetitorLine]:
    """The teams by the rounds that are over, where an evening ranks those; or the pairs, where
    these have no line among the people."""
    is_shown = rows and evening.ranks == Evening.Ranks.PAIR
    if evening.ranks == Evening.Ranks.PLAYER or is_shown:
        return []
    is_open = evening.state == Evening.State.RUNNING
    closed = evening.rounds.filter(state=Round.State.CLOSED).values_list("number", flat=True)
    ranked = evening_by(evening, evening.ranks, over=set(closed) if is_open else None)
    shown = shown_competitors(evening.club, [row.player_id for row in ranked])
    return [
        CompetitorLine(row.rank, shown[row.player_id].name, shown[row.player_id].url, row.total)
        for row in ranked
        if row.player_id in shown
    ]


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
        "sheets_open": evening.shows_scores and round_.state != DRAWN,
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


class StandingLine(NamedTuple):
    """A line as `components/standings.html` draws it; `rounds` has a score or None for each
    column of a round. `move` is how many places they went up in the last round. The rest is there
    while rounds are being played: `running` is what they have in those, `deals` how many deals the
    average is over."""

    id: int
    rank: int | None
    name: str
    total: int
    url: str
    rounds: Sequence[int | None]
    pits: int
    move: int | None = None
    running: Running | None = None
    average: Decimal | None = None
    deals: int = 0


@dataclass(frozen=True, slots=True)
class InterimView:
    """How a standing is drawn while rounds are being played: whether places go by the average,
    whether a round is over, the heading of what is written in those that are not, and how many
    deals the evening has."""

    by_average: bool
    is_any_over: bool
    heading: str
    deals: int


def interim_view(evening: Evening, rows: Sequence[PublicRow]) -> InterimView | None:
    """None unless a round is being played that stands apart."""
    playing = running_rounds(rows)
    if not playing:
        return None
    return InterimView(
        by_average=interim_by(evening) == "average",
        is_any_over=any(row.rounds for row in rows),
        heading=interim_heading(playing),
        deals=evening.rounds_planned * evening.deals_per_round,
    )


def any_points(rows: Iterable[PublicRow]) -> bool:
    """Whether anything is written that the standing shows."""
    return any(row.total or any(run.points for run in row.running.values()) for row in rows)


def playing_line(evening: Evening, rows: Sequence[PublicRow], rounds: Sequence[Round]) -> str:
    """What is being played, and what the places go by until it is over; empty if nothing is."""
    if apart := running_rounds(rows):
        return interim_words(apart, round_numbers(rows), interim_by(evening))
    playing = [round_.number for round_ in rounds if round_.state == RUNNING]
    if not playing:
        return ""
    follows = _("The standings keep up by themselves.")
    return f"{playing_words(playing)} {follows}"


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the podium and who stand on it: name, address of their page, and points."""

    place: int
    people: Sequence[tuple[str, str]]
    total: int


def podium(rows: Sequence[PublicRow], url_of: Callable[[int], str]) -> list[Step]:
    """The first three places; none where so many share one that they would not fit on its step."""
    steps = [
        Step(
            place,
            [(row.name, url_of(row.member_id) if row.has_page else "") for row in group],
            group[0].total,
        )
        for place, group in (
            (place, list(tied)) for place, tied in groupby(rows, attrgetter("rank"))
        )
        if place is not None and place <= PODIUM
    ]
    fits = all(len(step.people) <= MOST_ON_STEP for step in steps)
    return steps if fits and len(rows) > PODIUM else []


def _moves(rows: Sequence[PublicRow], rounds: Sequence[Round]) -> dict[int, int]:
    """How many places each line went up in the last round; none while a round is being played."""
    numbers = round_numbers(rows)
    if len(numbers) < 2 or len(rows) > MOST_MOVES or any(r.state == RUNNING for r in rounds):
        return {}
    last = numbers[-1]
    before = {
        row.member_id: row.total - row.rounds.get(last, 0)
        for row in rows
        if any(number in row.rounds for number in numbers[:-1])
    }
    places: dict[int, int] = {}
    for at, total in enumerate(sorted(before.values(), reverse=True), start=1):
        places.setdefault(total, at)
    return {
        row.member_id: places[before[row.member_id]] - row.rank
        for row in rows
        if row.member_id in before and row.rank is not None
    }


def round_numbers(rows: Sequence[PublicRow]) -> list[int]:
    """The rounds in which anybody has a score, in order."""
    return sorted({number for row in rows for number in row.rounds})


def standing_lines(
    rows: Sequence[PublicRow],
    url_of: Callable[[int], str] | None = None,
    moves: Mapping[int, int] = MappingProxyType({}),
) -> list[StandingLine]:
    """The lines; people with a public page are linked to `url_of` their id. `moves` has how many
    places each went up."""
    numbers = round_numbers(rows)
    return [
        StandingLine(
            id=row.member_id,
            rank=row.rank,
            name=row.name,
            total=row.total,
            url=url_of(row.member_id) if url_of and row.has_page else "",
            rounds=[row.rounds.get(number) for number in numbers],
            pits=row.pits,
            move=moves.get(row.member_id),
            running=together(row.running.values()),
            average=row.average,
            deals=row.deals,
        )
        for row in rows
    ]


def sitting_out_line(
    evening: Evening, rows: Sequence[PublicRow], sat_out: Mapping[int, Sequence[int]]
) -> str:
    """Who of these sat out which rounds, and what that gives; empty if nobody did. Of a pair the
    page of the rounds tells."""
    is_free = evening.sit_out_as == Evening.SitOutAs.NOTHING
    people = [
        _("%(name)s (round %(rounds)s)") % {"name": row.name, "rounds": ", ".join(map(str, out))}
        for row in (rows if sat_out else ())
        if row.pair is None
        and (out := [at for at in sat_out.get(row.member_id, ()) if is_free or at in row.rounds])
    ]
    if not people:
        return ""
    if evening.sit_out_as != Evening.SitOutAs.FIXED:
        return _("%(out)s: %(people)s. What that gives: %(worth)s.") % {
            "out": capfirst(evening.club.get_sit_out_word_display()),
            "people": ", ".join(people),
            "worth": sit_out_worth(evening),
        }
    return _("%(out)s: %(people)s. That gives %(points)s points a round.") % {
        "out": capfirst(evening.club.get_sit_out_word_display()),
        "people": ", ".join(people),
        "points": number(evening.sit_out_score),
    }


class SeatingFacts(NamedTuple):
    """What is said below the standings of an evening: the rounds that people sat out, by member,
    and the tables of which only totals are known."""

    sat_out: Mapping[int, Sequence[int]]
    unsplit: Sequence[tuple[int, int]]


def _facts(evening: Evening, rows: Sequence[PublicRow]) -> SeatingFacts:
    """At most two queries, when something has changed: kept by the revision of the evening, and not
    inside a transaction, where what was read may still be rolled back."""
    is_fixed = evening.sit_out_as == Evening.SitOutAs.FIXED
    given = not is_fixed or any(evening.sit_out_score in row.rounds.values() for row in rows)
    key = f"below-{evening.uuid}-{evening.revision}-{given}"
    facts: SeatingFacts | None = caches["small"].get(key)
    if facts is None:
        facts = SeatingFacts(_sat_out(evening) if given else {}, unsplit_tables(evening))
        if not connection.in_atomic_block:
            caches["small"].set(key, facts, FACTS_SECONDS)
    return facts


def _sat_out(evening: Evening) -> dict[int, list[int]]:
    """A substitute plays, whatever the draw said."""
    placed = list(
        Placement.objects.filter(Q(table=None) | Q(substitute=True), round__evening=evening)
        .exclude(round__state=Round.State.DRAFT)
        .values_list("member_id", "round__number", "table_id")
        .order_by("round__number")
    )
    playing = {(member, at) for member, at, table in placed if table}
    rounds: dict[int, list[int]] = {}
    for member, at, _table in placed:
        if (member, at) not in playing:
            rounds.setdefault(member, []).append(at)
    return rounds


def tie_lines(club: Club, rows: Sequence[PublicRow]) -> list[str]:
    """A sentence for each tie-break that decided between equal totals, for the first ties only."""
    groups = (list(group) for _total, group in groupby(rows, key=attrgetter("total", "deals")))
    ties = [group for group in groups if len(group) > 1][:MOST_TIES]
    return [sentence for tied in ties for sentence in _steps(club, tied)]


def _steps(club: Club, tied: Sequence[PublicRow], tried: int = 0) -> Iterator[str]:
    """`tied` are players whom the first `tried` tie-breaks left equal."""
    chain = [*tied[0].tie_breaks]
    if len(tied) == 1 or tried == len(chain):
        return
    key = chain[tried]
    parts = [list(part) for _, part in groupby(tied, key=lambda row: row.tie_breaks.get(key))]
    if len(parts) > 1:
        yield _("Tied on %(points)s points; decided by %(what)s: %(figures)s.") % {
            "points": number(tied[0].total),
            "what": metric_words(key, pit_word(club)),
            "figures": ", ".join(_figure(row, key) for row in tied),
        }
    for part in parts:
        yield from _steps(club, part, tried + 1)


def _figure(row: PublicRow, key: str) -> str:
    figure = row.tie_breaks.get(key)
    if key == LOT or figure is None:
        return row.name
    return f"{row.name} {number(figure)}"


def standings_file(evening: Evening, rows: Sequence[PublicRow]) -> ListFile:
    """The standings as a file: `rank, player, total, round_1 … round_n, pits`; while rounds are
    being played also what is written in those (`running`), from how many `deals`."""
    numbers = round_numbers(rows)
    playing = running_rounds(rows)
    return ListFile(
        name=f"{evening.club.name} {evening.slug}",
        columns={
            "rank": _("Place"),
            "player": _("Name"),
            "total": _("Total"),
            **{f"round_{number}": _("Round %(n)s") % {"n": number} for number in numbers},
            "pits": pit_word(evening.club).capitalize(),
            **({"running": interim_heading(playing), "deals": _("Deals")} if playing else {}),
        },
        rows=[
            [
                *(row.rank, row.name, row.total, *(row.rounds.get(n) for n in numbers), row.pits),
                *(_running_cells(row) if playing else ()),
            ]
            for row in rows
        ],
    )


def _running_cells(row: PublicRow) -> tuple[int | None, int | None]:
    running = together(row.running.values())
    return (running.points, running.deals) if running else (None, None)
