"""Why somebody stands where he does: what counts, what does not, and what a tie was decided by."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tournaments.standings.core.figures import Points, TieBreak
from tournaments.standings.core.results import Absence
from tournaments.standings.core.rule import Period
from tournaments.standings.core.table import PeriodScore, SeasonCell, SeasonRow, SeasonTable

Verdict = Literal[
    "counts", "cannot_be_dropped", "dropped", "period_dropped", "outside_periods", "worth_nothing"
]
"""What became of an evening: it counts; it counts because an absence without notice cannot be
dropped; it is not among the best of its period; it is, and the period is not among the best; it
is in no period; it was an absence that is worth nothing."""


@dataclass(frozen=True, slots=True)
class EveningWhy:
    """One evening: what he scored, what that is worth to the season, and whether it counts."""

    evening: str
    score: int | None
    value: int | None
    absence: Absence | None
    verdict: Verdict
    period: Period | None


@dataclass(frozen=True, slots=True)
class TieStep:
    """One tie-break among those who were still equal: their figures, in order of place.

    `figures` has the name of each of them and his figure; `None` is not known.
    """

    tie_break: TieBreak
    figures: tuple[tuple[str, Points | None], ...]


@dataclass(frozen=True, slots=True)
class TieWhy:
    """What was done about a tie: everybody in it by name, in order of place, the steps that he
    took part in, and with whom he shares his place in the end."""

    equals: tuple[str, ...]
    steps: tuple[TieStep, ...]
    shares_with: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeasonWhy:
    """A line of the season, its evenings in order of time, what each period came to, and how a tie
    was decided; `tie` is `None` where nobody is equal. `short` is by how many evenings he misses
    the minimum, 0 where he has a place."""

    row: SeasonRow
    evenings: tuple[EveningWhy, ...]
    periods: tuple[PeriodScore, ...]
    short: int
    tie: TieWhy | None


def why_season(table: SeasonTable, player_id: str) -> SeasonWhy:
    """Why this player stands where he does in the season's standing.

    Raises `KeyError` when he is not in it.
    """
    row = next((one for one in table.rows if one.player_id == player_id), None)
    if row is None:
        raise KeyError(player_id)
    level = [one for one in table.rows if _is_level(one, row)]
    return SeasonWhy(
        row=row,
        evenings=tuple(_evenings(row, table)),
        periods=row.periods,
        short=max(0, table.rule.minimum_evenings - row.evenings) if row.rank is None else 0,
        tie=_tie(row, level),
    )


def _is_level(one: SeasonRow, row: SeasonRow) -> bool:
    return one.value == row.value and (one.rank is None) == (row.rank is None)


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
    found = (one for one in periods if one[0].isoformat() <= day <= one[1].isoformat())
    return next(found, None)


def _verdict(cell: SeasonCell, period: PeriodScore | None, is_outside: bool) -> Verdict:
    if cell.value is None:
        return "worth_nothing"
    if is_outside:
        return "outside_periods"
    if cell.dropped:
        return "dropped" if period is None else "period_dropped"
    return "cannot_be_dropped" if cell.absence == "none" else "counts"


def _tie(row: SeasonRow, level: Sequence[SeasonRow]) -> TieWhy | None:
    if len(level) == 1:
        return None
    left, steps = level, []
    for tie_break, figure in row.tie_breaks.items():
        figures = tuple((one.name, one.tie_breaks[tie_break]) for one in left)
        steps.append(TieStep(tie_break, figures))
        left = [one for one in left if one.tie_breaks[tie_break] == figure]
    return TieWhy(
        equals=tuple(one.name for one in level),
        steps=tuple(steps),
        shares_with=tuple(one.name for one in left if one.player_id != row.player_id),
    )
