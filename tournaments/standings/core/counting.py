"""Which evenings of one player count: the best k of each period, the best K of the periods."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from tournaments.standings.core.rule import Aggregate, Period, SeasonRule
from tournaments.standings.core.table import PeriodScore


class Candidate(NamedTuple):
    """An evening that can count for a player; `droppable` is false for absence without notice."""

    evening: str
    value: int
    boompjes: int
    droppable: bool = True


def count_periods(
    candidates: Mapping[Period | None, Sequence[Candidate]], rule: SeasonRule
) -> tuple[PeriodScore, ...]:
    """What each period comes to, in the order given, the best `best_periods` of them counting.

    Periods, and the candidates in each, are in order of time. A period is worth what the aggregate
    makes of the evenings that count in it, and is kept or dropped as a whole; of equal ones the
    later is dropped. One without candidates is left out.
    """
    scores = [_period_score(span, found, rule) for span, found in candidates.items() if found]
    best = sorted(
        scores,
        key=lambda score: _worth(score.points, score.weight, rule.aggregate),
        reverse=True,
    )
    kept = {score.span for score in best[: rule.best_periods]}
    return tuple(score if score.span in kept else replace(score, counts=False) for score in scores)


def _period_score(
    span: Period | None, candidates: Sequence[Candidate], rule: SeasonRule
) -> PeriodScore:
    counted = _best(candidates, rule)
    return PeriodScore(
        span=span,
        evenings=tuple(sorted(candidate.evening for candidate in counted)),
        points=sum(candidate.value for candidate in counted),
        weight=sum(_weight(candidate, rule.aggregate) for candidate in counted),
        counts=True,
    )


def _best(candidates: Sequence[Candidate], rule: SeasonRule) -> Sequence[Candidate]:
    """The best k; those that may not be dropped come first and take places of them."""
    if rule.best_per_period is None or len(candidates) <= rule.best_per_period:
        return candidates
    fixed = [candidate for candidate in candidates if not candidate.droppable]
    free = [candidate for candidate in candidates if candidate.droppable]
    free.sort(
        key=lambda candidate: _worth(
            candidate.value, _weight(candidate, rule.aggregate), rule.aggregate
        ),
        reverse=True,
    )
    return fixed + free[: max(0, rule.best_per_period - len(fixed))]


def _weight(candidate: Candidate, aggregate: Aggregate) -> int:
    return candidate.boompjes if aggregate == "mean_per_round" else 1


def _worth(points: int, weight: int, aggregate: Aggregate) -> float:
    # Division rounds correctly: equal means are equal floats, and unequal ones of points and
    # boompjes lie far further apart than a float's precision.
    return points if aggregate == "sum" else points / weight
