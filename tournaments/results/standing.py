"""The standing of an evening as its pages and files show it: its lines, podium, arrows and ties."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple

from django.core.cache import caches
from django.db import connection
from django.db.models import Q
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from clubs.files.exports import ListFile
from clubs.models import Club
from clubs.text.numbers import number
from scoring.display.words import pit_word
from tournaments.evenings.texts import sit_out_worth
from tournaments.models import Evening, EveningPhoto, Placement, Round
from tournaments.releases.queries import (
    PublicRow,
    running_rounds,
)
from tournaments.standings.core.places import InterimBy
from tournaments.standings.core.results import Running, together
from tournaments.standings.queries import interim_by, unsplit_tables
from tournaments.standings.texts import (
    interim_heading,
    interim_words,
    metric_words,
    playing_words,
)

RUNNING = Round.State.RUNNING
MOST_TIES = 10
MOST_MOVES = 100
"""In more lines than this arrows would make the page slow on a phone."""
LOT = "lot"
PODIUM = 3
FACTS_SECONDS = 60 * 60
MOST_ON_STEP = 3


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
        by_average=places_by(evening, rows) == "average",
        is_any_over=any(row.rounds for row in rows),
        heading=interim_heading(playing),
        deals=evening.rounds_planned * evening.deals_per_round,
    )


def places_by(evening: Evening, rows: Sequence[PublicRow]) -> InterimBy:
    """What places go by while the evening is played: those of teams always by the rounds that are
    over, since they may be of different sizes."""
    if any(row.is_competitor for row in rows):
        return "rounds"
    return interim_by(evening)


def any_points(rows: Iterable[PublicRow]) -> bool:
    """Whether anything is written that the standing shows."""
    return any(row.total or any(run.points for run in row.running.values()) for row in rows)


def playing_line(evening: Evening, rows: Sequence[PublicRow], rounds: Sequence[Round]) -> str:
    """What is being played, and what the places go by until it is over; empty if nothing is."""
    if apart := running_rounds(rows):
        return interim_words(apart, round_numbers(rows), places_by(evening, rows))
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
            [(row.name, _address(row, url_of)) for row in group],
            group[0].total,
        )
        for place, group in (
            (place, list(tied)) for place, tied in groupby(rows, attrgetter("rank"))
        )
        if place is not None and place <= PODIUM
    ]
    fits = all(len(step.people) <= MOST_ON_STEP for step in steps)
    return steps if fits and len(rows) > PODIUM else []


def _address(row: PublicRow, url_of: Callable[[int], str] | None) -> str:
    if row.page:
        return row.page
    return url_of(row.member_id) if url_of and row.has_page else ""


def rank_moves(rows: Sequence[PublicRow], rounds: Sequence[Round]) -> dict[int, int]:
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
            url=_address(row, url_of),
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


def seating_facts(evening: Evening, rows: Sequence[PublicRow]) -> SeatingFacts:
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


def standings_file(evening: Evening, rows: Sequence[PublicRow], of: str = "player") -> ListFile:
    """The standings as a file: `rank, player, total, round_1 … round_n, pits`, of pairs or teams
    with that in place of player; while rounds are being played also what is written in those
    (`running`), from how many `deals`."""
    numbers = round_numbers(rows)
    playing = running_rounds(rows)
    return ListFile(
        name=f"{evening.club.name} {evening.slug}",
        columns={
            "rank": _("Place"),
            of: _("Name"),
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


@dataclass(frozen=True, slots=True)
class ShownPhoto:
    """The photo of an evening's winners, with the public names of who is in it."""

    pk: int
    width: int
    height: int
    names: Sequence[str]


def photo_of(evening: Evening) -> ShownPhoto | None:
    """The photo that everybody sees; only a closed evening has one."""
    if evening.state != Evening.State.CLOSED:
        return None
    photo = EveningPhoto.objects.filter(evening=evening).defer("jpeg").first()
    if photo is None:
        return None
    people = photo.people.select_related("member").order_by("member__sort_name")
    names = [person.member.shown_name for person in people]
    return ShownPhoto(photo.pk, photo.width, photo.height, names)


def photo_content(evening: Evening) -> bytes | None:
    """The photo itself, a JPEG."""
    if evening.state != Evening.State.CLOSED:
        return None
    photo = EveningPhoto.objects.filter(evening=evening).first()
    return None if photo is None else bytes(photo.jpeg)
