"""Who has which place: ties are broken, players who are still tied share; the standing of an
evening, at its end and while it is played, and side standings."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256
from itertools import groupby
from math import ceil, floor, lcm
from typing import Generic, Literal, NamedTuple, Protocol, TypeVar

from tournaments.standings.core.metrics import METRICS, Metric
from tournaments.standings.core.results import (
    Encounter,
    EveningEntry,
    Points,
    Running,
    SeasonRow,
    mean,
    points_ahead,
)


class Named(Protocol):
    """Anybody with a name and an id."""

    @property
    def name(self) -> str: ...

    @property
    def player_id(self) -> str: ...


Person = TypeVar("Person", bound=Named)
Group = TypeVar("Group", bound=Sized)


def name_order(person: Named) -> tuple[str, str, str]:
    """A sort key: names by casefolded code points; the id decides between equal names."""
    return (person.name.casefold(), person.name, person.player_id)


def shared_places(groups: Iterable[Group]) -> Iterator[tuple[int, Group]]:
    """Each group with the place it shares: 1, 2, 4 for groups of one, two and one."""
    place = 1
    for group in groups:
        yield place, group
        place += len(group)


@dataclass(slots=True)
class Contender(Generic[Person]):
    """Somebody who is to get a place, with what is needed only if there is a tie.

    `score` decides the place, highest first. `figure` gives the figure of a metric by its key,
    `encounters` are the rounds against others, and `lot` is the text their lot is drawn from.
    `compared` collects the figures that were looked at.
    """

    person: Person
    score: tuple[Points, ...]
    figure: Callable[[str], Points | None]
    encounters: Sequence[Encounter]
    lot: str
    compared: dict[str, Points | None] = field(default_factory=dict)


def in_order(
    competitors: Sequence[Contender[Person]], tie_breaks: Sequence[str]
) -> Iterator[Sequence[Contender[Person]]]:
    """Groups that share a place, best first, by name within a group."""
    ordered = sorted(competitors, key=lambda competitor: competitor.score, reverse=True)
    for _, group in groupby(ordered, key=lambda competitor: competitor.score):
        tied = list(group)
        if len(tied) == 1:
            yield tied
        else:
            yield from _break_tie(tied, tie_breaks)


def _break_tie(
    tied: Sequence[Contender[Person]], tie_breaks: Sequence[str]
) -> Iterator[Sequence[Contender[Person]]]:
    if len(tied) == 1 or not tie_breaks:
        yield sorted(tied, key=lambda competitor: name_order(competitor.person))
        return
    key, *rest = tie_breaks
    for competitor in tied:
        competitor.compared[key] = _figure(key, competitor, tied)

    def rank(competitor: Contender[Person]) -> tuple[bool, Points]:
        return _order(key, competitor.compared[key])

    for _, group in groupby(sorted(tied, key=rank), key=rank):
        yield from _break_tie(list(group), rest)


def _figure(
    key: str, competitor: Contender[Person], tied: Sequence[Contender[Person]]
) -> Points | None:
    if key == "head_to_head":
        ahead = points_ahead(competitor.encounters)
        return sum(ahead.get(other.person.player_id, 0) for other in tied)
    if key == "lot":
        return int.from_bytes(sha256(competitor.lot.encode()).digest()[:4])
    return competitor.figure(key)


def _order(key: str, figure: Points | None) -> tuple[bool, Points]:
    if key in METRICS:
        return METRICS[key].order(figure)
    return figure is None, -(figure or 0)


@dataclass(frozen=True, slots=True)
class SidePlace:
    """A line of a side standing; equal figures share a place."""

    rank: int
    player_id: str
    name: str
    figure: Points


def evening_side(entries: Iterable[EveningEntry], key: str) -> tuple[SidePlace, ...]:
    """A side standing: everybody by this metric of the evening, by name within a place.

    Players without such a figure are left out, and so are those with nothing of what is best had
    much of: nobody comes first with no pits.
    """
    metric = METRICS[key]
    return _side(metric, ((entry, metric.of_entry(entry)) for entry in entries))


def season_side(rows: Iterable[SeasonRow], key: str) -> tuple[SidePlace, ...]:
    """A side standing by this metric of the season, made like `evening_side`."""
    metric = METRICS[key]
    return _side(metric, ((row, metric.of_row(row)) for row in rows))


def _side(metric: Metric, people: Iterable[tuple[Named, Points | None]]) -> tuple[SidePlace, ...]:
    known = [
        (figure, person)
        for person, figure in people
        if figure is not None and (figure > 0 or metric.lowest_is_best)
    ]
    known.sort(key=lambda pair: (metric.order(pair[0]), name_order(pair[1])))
    groups = (list(group) for _, group in groupby(known, key=lambda pair: pair[0]))
    return tuple(
        SidePlace(place, person.player_id, person.name, figure)
        for place, group in shared_places(groups)
        for figure, person in group
    )


class EveningRow(NamedTuple):
    """A line of the standing. `rounds` gives the points by round number.

    `tie_breaks` has the figures that were compared because of a tie, in order, including the lot if
    it was drawn. `correction` is part of the total.
    """

    rank: int
    player_id: str
    name: str
    total: int
    rounds: Mapping[int, int]
    pits: int
    tie_breaks: Mapping[str, Points | None] = {}
    correction: int = 0


def rank_evening(
    entries: Iterable[EveningEntry],
    *,
    tie_breaks: Sequence[str] = (),
    play_off: Mapping[str, int] | None = None,
    lot: str = "",
) -> tuple[EveningRow, ...]:
    """The standing, highest total first; players who are tied share a place and stand by name.

    Ties are broken by the `tie_breaks`, in their order; `lot` makes this evening's lots differ from
    those of other evenings. `play_off` has the scores of extra deals played for the first place, by
    player. They count only if everybody who shares the highest total has one.
    """
    everybody = list(entries)
    extra = _play_off_scores(everybody, play_off or {})
    competitors = [_competitor(entry, entry.total, extra, lot) for entry in everybody]
    return tuple(
        _row(place, competitor)
        for place, group in shared_places(in_order(competitors, tie_breaks))
        for competitor in group
    )


def _play_off_scores(
    entries: Sequence[EveningEntry], play_off: Mapping[str, int]
) -> dict[str, int]:
    """The extra points of those who share the highest total; none if one of them has none."""
    if not play_off:
        return {}
    highest = max((entry.total for entry in entries), default=0)
    leaders = [entry.player_id for entry in entries if entry.total == highest]
    if not play_off.keys() >= set(leaders):
        return {}
    return {player_id: play_off[player_id] for player_id in leaders}


def _competitor(
    entry: EveningEntry, points: Points, extra: Mapping[str, int], lot: str
) -> Contender[EveningEntry]:
    def figure(key: str) -> Points | None:
        return METRICS[key].of_entry(entry)

    return Contender(
        person=entry,
        score=(points, extra.get(entry.player_id, 0)),
        figure=figure,
        encounters=entry.encounters,
        lot=f"{lot} {entry.lot or entry.player_id}",
    )


def _row(place: int, competitor: Contender[EveningEntry]) -> EveningRow:
    entry = competitor.person
    return EveningRow(
        rank=place,
        player_id=entry.player_id,
        name=entry.name,
        total=entry.total,
        rounds=_by_round(entry),
        pits=entry.all_pits,
        tie_breaks=competitor.compared,
        correction=entry.correction,
    )


def _by_round(entry: EveningEntry) -> dict[int, int]:
    rounds: dict[int, int] = {}
    for score in entry.rounds:
        rounds[score.round] = rounds.get(score.round, 0) + score.score
    return dict(sorted(rounds.items()))


# While an evening is played. Tables are not equally fast, so that a total of everything that is
# written would put the fastest table first.

InterimBy = Literal["rounds", "average"]


class InterimRow(NamedTuple):
    """A line of the standing while rounds are being played.

    `total` is what the place goes by: the points of the rounds that are over for everybody, or by
    the average all points so far; `deals` is the number of deals it is counted over, and `average`
    the points for each, None by rounds. `rank` is None while there is nothing to compare yet.
    `pits` has those of rounds that are being played as well.
    """

    rank: int | None
    player_id: str
    name: str
    total: int
    deals: int
    average: Decimal | None
    rounds: Mapping[int, int]
    pits: int
    tie_breaks: Mapping[str, Points | None] = {}
    correction: int = 0


def rank_interim(
    entries: Iterable[EveningEntry],
    running: Mapping[str, Running],
    *,
    over: int,
    deals: int,
    by: InterimBy = "rounds",
    tie_breaks: Sequence[str] = (),
    play_off: Mapping[str, int] | None = None,
    lot: str = "",
) -> tuple[InterimRow, ...]:
    """The standing in which no place is only speed; at the end it is that of `rank_evening`.

    `entries` have the rounds that are `over` for everybody, so many of so many `deals`; `running`
    what each player has in rounds that are being played. By rounds the latter play no part, and
    nobody has a place before a round is over. By the average they do: a round that is over has the
    same number of deals for everybody, also for people who missed it. Tie-breaks look at rounds
    that are over only. Players without a place come last, by name.
    """
    everybody = list(entries)
    lines = {
        entry.player_id: _so_far(entry, running.get(entry.player_id), over * deals, by)
        for entry in everybody
    }
    extra = _play_off_scores(everybody, play_off or {})
    # Averages in whole numbers, which compare faster than fractions.
    scale = lcm(*{line.deals for line in lines.values() if line.deals})
    competitors = [
        _competitor(entry, line.total * (scale // line.deals), extra, lot)
        for entry in everybody
        if (line := lines[entry.player_id]).deals
    ]
    placed = [
        lines[competitor.person.player_id]._replace(rank=place, tie_breaks=competitor.compared)
        for place, group in shared_places(in_order(competitors, tie_breaks))
        for competitor in group
    ]
    waiting = sorted((row for row in lines.values() if not row.deals), key=name_order)
    return (*placed, *waiting)


def _so_far(entry: EveningEntry, running: Running | None, over: int, by: InterimBy) -> InterimRow:
    """The line without its place. `over` is the number of deals of the rounds that are over."""
    counts = running if by == "average" else None
    points, deals = (counts.points, counts.deals) if counts else (0, 0)
    total, deals = entry.total + points, over + deals
    return InterimRow(
        rank=None,
        player_id=entry.player_id,
        name=entry.name,
        total=total,
        deals=deals,
        average=mean(total, deals) if deals and by == "average" else None,
        rounds=_by_round(entry),
        pits=entry.all_pits + (running.pits if running else 0),
        correction=entry.correction,
    )


class Placed(Protocol):
    """A line of a standing, at the end of an evening or while it is played."""

    @property
    def rank(self) -> int | None: ...

    @property
    def total(self) -> int: ...

    @property
    def deals(self) -> int: ...


class Gap(NamedTuple):
    """So many points until this place; for the first so many `ahead` of the next."""

    points: int
    place: int
    ahead: bool = False


def next_place(own: Placed, rows: Iterable[Placed], *, ties_share: bool) -> Gap | None:
    """How many points there are to the next place up, or how far the first is ahead; None without
    a place, or with nobody to compare with. Where equal totals do not share a place, it takes a
    point more than is between them."""
    if own.rank is None or not own.deals:
        return None
    ranked = [row for row in rows if row.rank is not None and row.deals]
    above = [row for row in ranked if row.rank is not None and row.rank < own.rank]
    if above:
        nearest = max(above, key=_place_of)
        exact = _points_between(nearest, own)
        points = ceil(exact)
        if points == exact and not ties_share:
            points += 1
        return Gap(points, _place_of(nearest))
    below = [row for row in ranked if row.rank is not None and row.rank > own.rank]
    if not below:
        return None
    nearest = min(below, key=_place_of)
    return Gap(floor(-_points_between(nearest, own)), _place_of(nearest), ahead=True)


def _place_of(row: Placed) -> int:
    return row.rank or 0


def _points_between(other: Placed, own: Placed) -> Fraction:
    """How many points more the other would have over as many deals."""
    return Fraction(other.total, other.deals) * own.deals - own.total
