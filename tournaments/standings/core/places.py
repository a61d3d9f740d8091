"""Who has which place: ties are broken, players who are still tied share; the standing of an
evening, and side standings."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby
from typing import Generic, NamedTuple, Protocol, TypeVar

from tournaments.standings.core.metrics import METRICS, Metric
from tournaments.standings.core.results import Encounter, EveningEntry, Points, points_ahead
from tournaments.standings.core.table import SeasonRow


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
class Competitor(Generic[Person]):
    """Somebody who is to get a place, with what is needed only if there is a tie.

    `score` decides the place, highest first. `figure` gives the figure of a metric by its key,
    `encounters` are the rounds against others, and `lot` is the text their lot is drawn from.
    `compared` collects the figures that were looked at.
    """

    person: Person
    score: tuple[Points, ...]
    figure: Callable[[str], Points | None]
    encounters: Iterable[Encounter]
    lot: str
    compared: dict[str, Points | None] = field(default_factory=dict)


def in_order(
    competitors: Sequence[Competitor[Person]], tie_breaks: Sequence[str]
) -> Iterator[Sequence[Competitor[Person]]]:
    """Groups that share a place, best first, by name within a group."""
    ordered = sorted(competitors, key=lambda competitor: competitor.score, reverse=True)
    for _, group in groupby(ordered, key=lambda competitor: competitor.score):
        tied = list(group)
        if len(tied) == 1:
            yield tied
        else:
            yield from _break_tie(tied, tie_breaks)


def _break_tie(
    tied: Sequence[Competitor[Person]], tie_breaks: Sequence[str]
) -> Iterator[Sequence[Competitor[Person]]]:
    if len(tied) == 1 or not tie_breaks:
        yield sorted(tied, key=lambda competitor: name_order(competitor.person))
        return
    key, *rest = tie_breaks
    for competitor in tied:
        competitor.compared[key] = _figure(key, competitor, tied)

    def rank(competitor: Competitor[Person]) -> tuple[bool, Points]:
        return _order(key, competitor.compared[key])

    for _, group in groupby(sorted(tied, key=rank), key=rank):
        yield from _break_tie(list(group), rest)


def _figure(
    key: str, competitor: Competitor[Person], tied: Sequence[Competitor[Person]]
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
    it was drawn.
    """

    rank: int
    player_id: str
    name: str
    total: int
    rounds: Mapping[int, int]
    pits: int
    tie_breaks: Mapping[str, Points | None] = {}


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
    competitors = [_competitor(entry, extra, lot) for entry in everybody]
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
    entry: EveningEntry, extra: Mapping[str, int], lot: str
) -> Competitor[EveningEntry]:
    def figure(key: str) -> Points | None:
        return METRICS[key].of_entry(entry)

    return Competitor(
        person=entry,
        score=(entry.total, extra.get(entry.player_id, 0)),
        figure=figure,
        encounters=entry.encounters,
        lot=f"{lot} {entry.lot or entry.player_id}",
    )


def _row(place: int, competitor: Competitor[EveningEntry]) -> EveningRow:
    entry = competitor.person
    rounds: dict[int, int] = {}
    for score in entry.rounds:
        rounds[score.round] = rounds.get(score.round, 0) + score.score
    return EveningRow(
        rank=place,
        player_id=entry.player_id,
        name=entry.name,
        total=entry.total,
        rounds=dict(sorted(rounds.items())),
        pits=entry.all_pits,
        tie_breaks=competitor.compared,
    )
