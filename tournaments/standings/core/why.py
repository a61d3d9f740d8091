"""Why somebody has their place in a season, and what one more evening would do to it."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Literal

from tournaments.standings.core.metrics import BY_POINTS
from tournaments.standings.core.results import (
    Absence,
    EveningResult,
    Period,
    PeriodScore,
    Points,
    SeasonCell,
    SeasonRow,
    SeasonTable,
)
from tournaments.standings.core.season import Worth, rank_value, season_row

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


# Why a player has their place: what counts, what does not, and how a tie was broken.

Verdict = Literal[
    "counts", "cannot_be_dropped", "dropped", "period_dropped", "outside_periods", "worth_nothing"
]
"""What became of an evening: it counts; it counts because an absence without notice cannot be
dropped; it is not among the best of its period; its period is not among the best; it is in no
period; it was an absence that is worth nothing."""


@dataclass(frozen=True, slots=True)
class EveningWhy:
    """One evening: the score, what it is worth to the season, and whether it counts. `figure` is
    what the place goes by, where that is such as pits or roem."""

    evening: str
    score: int | None
    value: int | None
    absence: Absence | None
    verdict: Verdict
    period: Period | None
    figure: int | None = None


@dataclass(frozen=True, slots=True)
class TieStep:
    """One tie-break among the players who were still tied.

    `figures` has the name and the figure of each, in order of place; `None` if it is not known.
    """

    tie_break: str
    figures: tuple[tuple[str, Points | None], ...]


@dataclass(frozen=True, slots=True)
class TieWhy:
    """How a tie was broken for one player: the names of everybody in it, in order of place, the
    steps the player took part in, and with whom they share their place in the end."""

    equals: tuple[str, ...]
    steps: tuple[TieStep, ...]
    shares_with: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeasonWhy:
    """A row of the season, its evenings in order of time, the score of each period, and how a tie
    was broken; `tie` is `None` if nobody else has the same value. `short` is how many evenings the
    player is short of the minimum, 0 if they have a place."""

    row: SeasonRow
    evenings: tuple[EveningWhy, ...]
    periods: tuple[PeriodScore, ...]
    short: int
    tie: TieWhy | None


def why_season(table: SeasonTable, player_id: str) -> SeasonWhy:
    """Why this player has their place in the season's standing.

    Raises `KeyError` when the player is not in it.
    """
    row = next((row for row in table.rows if row.player_id == player_id), None)
    if row is None:
        raise KeyError(player_id)
    tied = [other for other in table.rows if _is_tied(other, row)]
    return SeasonWhy(
        row=row,
        evenings=tuple(_evenings(row, table)),
        periods=row.periods,
        short=max(0, table.rule.minimum_evenings - row.evenings) if row.rank is None else 0,
        tie=_tie(row, tied),
    )


def _is_tied(other: SeasonRow, row: SeasonRow) -> bool:
    return other.value == row.value and (other.rank is None) == (row.rank is None)


def _evenings(row: SeasonRow, table: SeasonTable) -> Iterator[EveningWhy]:
    counted = {evening: period for period in row.periods for evening in period.evenings}
    for evening, cell in row.by_evening.items():
        span = _span(evening, table.rule.periods)
        yield EveningWhy(
            evening=evening,
            score=cell.score,
            value=cell.value,
            absence=cell.absence,
            verdict=_verdict(
                cell,
                counted.get(evening),
                is_outside=bool(table.rule.periods) and span is None,
                may_be_dropped=table.rule.absence.may_be_dropped,
            ),
            period=span,
            figure=cell.figure,
        )


def _span(evening: str, periods: Sequence[Period]) -> Period | None:
    day = evening[:10]
    around = (span for span in periods if span[0].isoformat() <= day <= span[1].isoformat())
    return next(around, None)


def _verdict(
    cell: SeasonCell, period: PeriodScore | None, *, is_outside: bool, may_be_dropped: bool
) -> Verdict:
    if cell.value is None:
        return "worth_nothing"
    if is_outside:
        return "outside_periods"
    if cell.dropped:
        return "dropped" if period is None else "period_dropped"
    return "cannot_be_dropped" if cell.absence == "none" and not may_be_dropped else "counts"


def _tie(row: SeasonRow, tied: Sequence[SeasonRow]) -> TieWhy | None:
    if len(tied) == 1:
        return None
    equals = tuple(other.name for other in tied)
    steps = []
    for tie_break, figure in row.tie_breaks.items():
        figures = tuple((other.name, other.tie_breaks[tie_break]) for other in tied)
        steps.append(TieStep(tie_break, figures))
        tied = [other for other in tied if other.tie_breaks[tie_break] == figure]
    return TieWhy(
        equals=equals,
        steps=tuple(steps),
        shares_with=tuple(other.name for other in tied if other.player_id != row.player_id),
    )
