"""What one more evening would do: which score it drops, from how many points it helps."""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from tournaments.standings.core.facts import SeasonFacts
from tournaments.standings.core.figures import MetricKey, Points
from tournaments.standings.core.metrics import METRICS
from tournaments.standings.core.results import EveningResult
from tournaments.standings.core.rows import season_row
from tournaments.standings.core.table import SeasonRow, SeasonTable

BY_POINTS: tuple[MetricKey | None, ...] = (
    None,
    "total",
    "counted",
    "average",
    "mean_per_evening",
    "mean_per_round",
    "best_evening",
)
"""What a place can go by where the points of an evening make a difference."""
MOST_POINTS = 99_999


@dataclass(frozen=True, slots=True)
class NextEvening:
    """The evening that is asked about: its key, its day and how many boompjes it will have."""

    evening: str
    date: date
    boompjes: int = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a score would make of a season: the points that places go by, what counts, and the
    place among the others as they stand, `None` where it would still be too few evenings."""

    points: int
    value: Points
    counted: int
    rank: int | None


class WhatIf:
    """A player's season with one evening more, the others' as they are."""

    def __init__(
        self,
        results: Iterable[EveningResult],
        table: SeasonTable,
        player_id: str,
        to_come: NextEvening,
    ) -> None:
        """`table` is what its rule makes of the `results`.

        Raises `KeyError` when the player is not in it, `ValueError` when its places do not go by
        what evenings score or when the player has a result of that evening.
        """
        if table.rule.rank_by not in BY_POINTS:
            raise ValueError(f"places go by {table.rule.rank_by}")
        rows = {row.player_id: row for row in table.rows}
        self.now = rows.pop(player_id)
        self._others = [row.value for row in rows.values() if row.rank is not None]
        self._rule = table.rule
        self._to_come = to_come
        kept = [one for one in results if one.evening not in table.rule.excluded]
        self._own = [one for one in kept if one.player_id == player_id]
        if any(one.evening == to_come.evening for one in self._own):
            raise ValueError(f"{self.now.name} has a result for {to_come.evening}")
        self._facts = SeasonFacts([*kept, self._result(None)], table.rule)

    @cached_property
    def counts(self) -> bool:
        """Whether the evening can count: it is not excluded and lies in a period, if there are."""
        in_a_period = not self._rule.periods or any(
            first <= self._to_come.date <= last for first, last in self._rule.periods
        )
        return in_a_period and self._to_come.evening not in self._rule.excluded

    @cached_property
    def drops(self) -> tuple[str, ...]:
        """The evenings that count now and no longer would with a very high score."""
        best = self._row(MOST_POINTS)
        return tuple(
            evening
            for evening, cell in self.now.by_evening.items()
            if cell.value is not None and not cell.dropped and best.by_evening[evening].dropped
        )

    @cached_property
    def helps_from(self) -> int | None:
        """The fewest points that make him better than now; `None` where no score does.

        Under a mean over the best periods, or one of evenings with unlike numbers of rounds, more
        points can make it worse again; then these are the fewest of some score that helps.
        """
        scores = range(MOST_POINTS + 1)
        found = bisect_left(scores, True, key=lambda points: self._value(points) > self.now.value)
        return None if found > MOST_POINTS else found

    @cached_property
    def harms(self) -> bool:
        """Whether a low score would make him worse than staying away without a result."""
        return self._value(0) < self.now.value

    def outcome(self, points: int) -> Outcome:
        """What this score would come to."""
        row = self._row(points)
        value = self._value(points)
        ahead = sum(other > value for other in self._others)
        enough = row.evenings >= self._rule.minimum_evenings
        return Outcome(points, value, row.counted, rank=1 + ahead if enough else None)

    def needed_for(self, rank: int) -> int | None:
        """The fewest points that give this place or a better one; `None` where no score does."""
        scores = range(MOST_POINTS + 1)
        found = bisect_left(scores, True, key=lambda points: self._reaches(points, rank))
        return None if found > MOST_POINTS else found

    def _reaches(self, points: int, rank: int) -> bool:
        reached = self.outcome(points).rank
        return reached is not None and reached <= rank

    def _value(self, points: int) -> Points:
        row = self._row(points)
        by = self._rule.rank_by
        return row.value if by is None else METRICS[by].of_row(row) or 0

    def _row(self, points: int) -> SeasonRow:
        if not self.counts:
            return self.now
        own = sorted([*self._own, self._result(points)], key=lambda one: one.evening)
        return season_row(own, self._facts)

    def _result(self, points: int | None) -> EveningResult:
        return EveningResult(
            player_id=self.now.player_id,
            name=self.now.name,
            date=self._to_come.date,
            evening=self._to_come.evening,
            score=points,
            boompjes=self._to_come.boompjes,
        )
