"""What one more evening would do: which score it drops, and from how many points it helps."""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from tournaments.standings.core.metrics import BY_POINTS
from tournaments.standings.core.results import EveningResult, Points
from tournaments.standings.core.season import Worth, rank_value, season_row
from tournaments.standings.core.table import SeasonRow, SeasonTable

MOST_POINTS = 99_999


@dataclass(frozen=True, slots=True)
class NextEvening:
    """The evening in question: its key, its day and how many boompjes it will have."""

    evening: str
    date: date
    boompjes: int = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """The season after such a score: the value that decides the place, the sum of what counts, and
    the place if nobody else plays, `None` if it would still be too few evenings."""

    points: int
    value: Points
    counted: int
    rank: int | None


class WhatIf:
    """A player's season with one more evening, while the others' seasons stay as they are."""

    def __init__(
        self,
        results: Iterable[EveningResult],
        table: SeasonTable,
        player_id: str,
        to_come: NextEvening,
    ) -> None:
        """`table` is the standing that its rule makes of the `results`.

        Raises `KeyError` when the player is not in it, `ValueError` when the points of an evening
        do not affect its places or when the player already has a result for that evening.
        """
        if table.rule.rank_by not in BY_POINTS:
            raise ValueError(f"places go by {table.rule.rank_by}")
        rows = {row.player_id: row for row in table.rows}
        self.now = rows.pop(player_id)
        self._others = [row.value for row in rows.values() if row.rank is not None]
        self._rule = table.rule
        self._to_come = to_come
        included = [result for result in results if result.evening not in table.rule.excluded]
        self._own = [result for result in included if result.player_id == player_id]
        if any(result.evening == to_come.evening for result in self._own):
            raise ValueError(f"{self.now.name} has a result for {to_come.evening}")
        self._worth = Worth([*included, self._result(None)], table.rule)

    @cached_property
    def counts(self) -> bool:
        """Whether the evening can count: it is not excluded, and in a period if there are any."""
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
        """The fewest points that improve on the present value; `None` if no score does.

        Under a mean over the best periods, or over evenings with different numbers of rounds, more
        points can make it worse again; then a higher score that helps is not always the lowest.
        """
        scores = range(MOST_POINTS + 1)
        fewest = bisect_left(scores, True, key=lambda points: self._value(points) > self.now.value)
        return None if fewest > MOST_POINTS else fewest

    @cached_property
    def harms(self) -> bool:
        """Whether a low score would be worse than not playing at all."""
        return self._value(0) < self.now.value

    def outcome(self, points: int) -> Outcome:
        """The season after this score."""
        row = self._row(points)
        value = self._value(points)
        ahead = sum(other > value for other in self._others)
        enough = row.evenings >= self._rule.minimum_evenings
        return Outcome(points, value, row.counted, rank=1 + ahead if enough else None)

    def needed_for(self, rank: int) -> int | None:
        """The fewest points that give this place or a better one; `None` if no score does."""
        scores = range(MOST_POINTS + 1)
        fewest = bisect_left(scores, True, key=lambda points: self._reaches(points, rank))
        return None if fewest > MOST_POINTS else fewest

    def _reaches(self, points: int, rank: int) -> bool:
        reached = self.outcome(points).rank
        return reached is not None and reached <= rank

    def _value(self, points: int) -> Points:
        return rank_value(self._row(points), self._rule)

    def _row(self, points: int) -> SeasonRow:
        if not self.counts:
            return self.now
        own = sorted([*self._own, self._result(points)], key=lambda result: result.evening)
        return season_row(own, self._worth)

    def _result(self, points: int | None) -> EveningResult:
        return EveningResult(
            player_id=self.now.player_id,
            name=self.now.name,
            date=self._to_come.date,
            evening=self._to_come.evening,
            score=points,
            boompjes=self._to_come.boompjes,
        )
