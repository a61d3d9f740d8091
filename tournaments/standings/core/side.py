"""Side standings: the same people by another figure, such as the most pits."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from tournaments.standings.core.entries import EveningEntry
from tournaments.standings.core.figures import MetricKey, Points
from tournaments.standings.core.metrics import METRICS, Metric
from tournaments.standings.core.order import Named, name_order, shared_places
from tournaments.standings.core.table import SeasonRow


@dataclass(frozen=True, slots=True)
class SidePlace:
    """A line of a side standing; equal figures share a place."""

    rank: int
    player_id: str
    name: str
    figure: Points


def evening_side(entries: Iterable[EveningEntry], key: MetricKey) -> tuple[SidePlace, ...]:
    """Everybody by this metric of the evening, best first, by name within a place.

    Left out is who has no such figure, and who has nothing of what is best had much of: nobody is
    first with no pits.
    """
    metric = METRICS[key]
    return _places(metric, ((entry, metric.of_entry(entry)) for entry in entries))


def season_side(rows: Iterable[SeasonRow], key: MetricKey) -> tuple[SidePlace, ...]:
    """Everybody by this metric of the season, as `evening_side`."""
    metric = METRICS[key]
    return _places(metric, ((row, metric.of_row(row)) for row in rows))


def _places(metric: Metric, people: Iterable[tuple[Named, Points | None]]) -> tuple[SidePlace, ...]:
    known = [
        (figure, person)
        for person, figure in people
        if figure is not None and (figure > 0 or metric.lowest_is_best)
    ]
    known.sort(key=lambda one: (metric.order(one[0]), name_order(one[1])))
    equals = (list(group) for _, group in groupby(known, key=lambda one: one[0]))
    return tuple(
        SidePlace(place, person.player_id, person.name, figure)
        for place, group in shared_places(equals)
        for figure, person in group
    )
