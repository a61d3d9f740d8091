"""Why a player has their place: what counts, what does not, and how a tie was broken."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tournaments.standings.core.results import Absence, Points
from tournaments.standings.core.table import (
    Period,
    PeriodScore,
    SeasonCell,
    SeasonRow,
    SeasonTable,
)

Verdict = Literal[
    "counts", "cannot_be_dropped", "dropped", "period_dropped", "outside_periods", "worth_nothing"
]
"""What became of an evening: it counts; it counts because an absence without notice cannot be
dropped; it is not among the best of its period; its period is not among the best; it is in no
period; it was an absence that is worth nothing."""


@dataclass(frozen=True, slots=True)
class EveningWhy:
    """One evening: the score, what it is worth to the season, and whether it counts."""

    evening: str
    score: int | None
    value: int | None
    absence: Absence | None
    verdict: Verdict
    period: Period | None


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
            verdict=_verdict(cell, counted.get(evening), bool(table.rule.periods) and span is None),
            period=span,
        )


def _span(evening: str, periods: Sequence[Period]) -> Period | None:
    day = evening[:10]
    around = (span for span in periods if span[0].isoformat() <= day <= span[1].isoformat())
    return next(around, None)


def _verdict(cell: SeasonCell, period: PeriodScore | None, is_outside: bool) -> Verdict:
    if cell.value is None:
        return "worth_nothing"
    if is_outside:
        return "outside_periods"
    if cell.dropped:
        return "dropped" if period is None else "period_dropped"
    return "cannot_be_dropped" if cell.absence == "none" else "counts"


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
