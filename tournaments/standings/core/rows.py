"""A player's line of the season, before it has a place."""

from collections.abc import Iterable, Mapping, Sequence

from tournaments.standings.core.counting import Candidate, count_periods
from tournaments.standings.core.facts import SeasonFacts
from tournaments.standings.core.figures import mean
from tournaments.standings.core.results import EveningResult
from tournaments.standings.core.table import SeasonCell, SeasonRow


def season_row(results: Sequence[EveningResult], facts: SeasonFacts) -> SeasonRow:
    """The line of the player whose results these are, in order of time; rank and gap are open."""
    candidates = facts.candidates(results)
    periods = count_periods(facts.by_period(candidates), facts.rule)
    best = [period for period in periods if period.counts]
    counting = frozenset(evening for period in best for evening in period.evenings)
    counted = sum(period.points for period in best)
    weight = sum(period.weight for period in best)
    average = mean(counted, weight)
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
        pits=sum([result.pits for result in results]),
        roem=sum([result.roem for result in results]),
        nats=sum([result.nats for result in results]),
        best_round=_highest([result.best_round for result in results]),
        last_round=_highest([result.last_round for result in results]),
        best_evening=_highest([result.score for result in played]),
        boompjes=sum([result.boompjes for result in played]),
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
        result.score,
        None if candidate is None else candidate.value,
        candidate is not None and not counts,
        result.absence if result.score is None else None,
    )


def _highest(figures: Iterable[int | None]) -> int | None:
    return max([figure for figure in figures if figure is not None], default=None)
