"""A player's line of the season, before it has a place."""

from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal

from tournaments.ranking.counting import Candidate, count_periods
from tournaments.ranking.facts import SeasonFacts
from tournaments.ranking.results import EveningResult
from tournaments.ranking.table import SeasonCell, SeasonRow

_CENT = Decimal("0.01")


def season_row(results: Sequence[EveningResult], facts: SeasonFacts) -> SeasonRow:
    """The line of the player whose results these are, in order of time; rank and gap are open."""
    candidates = facts.candidates(results)
    periods = count_periods(facts.by_period(candidates), facts.rule)
    best = [period for period in periods if period.counts]
    counting = frozenset(evening for period in best for evening in period.evenings)
    counted = sum(period.points for period in best)
    weight = sum(period.weight for period in best)
    average = _average(counted, weight)
    played = [result for result in results if result.score is not None]
    return SeasonRow(
        rank=None,
        player_id=results[-1].player_id,
        name=results[-1].name,
        total=sum(result.score or 0 for result in played),
        counted=counted,
        counting=weight,
        evenings=len(played),
        average=average,
        value=counted if facts.rule.aggregate == "sum" else average,
        gap=None,
        pits=sum(result.pits for result in results),
        roem=sum(result.roem for result in results),
        nats=sum(result.nats for result in results),
        best_round=max(
            (one.best_round for one in results if one.best_round is not None), default=None
        ),
        by_evening={
            result.evening: _cell(result, candidates, counts=result.evening in counting)
            for result in results
        },
        periods=periods,
        tie_breaks={},
    )


def _cell(
    result: EveningResult, candidates: Mapping[str, Candidate], *, counts: bool
) -> SeasonCell:
    candidate = candidates.get(result.evening)
    return SeasonCell(
        score=result.score,
        value=None if candidate is None else candidate.value,
        dropped=candidate is not None and not counts,
        absence=result.absence if result.score is None else None,
    )


def _average(points: int, weight: int) -> Decimal:
    """Two decimals, half up (away from nought)."""
    return (Decimal(points) / (weight or 1)).quantize(_CENT, rounding=ROUND_HALF_UP)
