"""Who has which place: ties are broken, players who are still tied share; and side standings."""

from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby
from typing import Generic, Protocol, TypeVar

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
