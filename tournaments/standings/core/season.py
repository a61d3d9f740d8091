"""The standing of a season."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from tournaments.standings.core.facts import SeasonFacts
from tournaments.standings.core.figures import MetricKey, Points
from tournaments.standings.core.metrics import METRICS
from tournaments.standings.core.order import shared_places
from tournaments.standings.core.results import EveningResult
from tournaments.standings.core.rows import season_row
from tournaments.standings.core.rule import SeasonRule
from tournaments.standings.core.table import SeasonRow, SeasonTable
from tournaments.standings.core.ties import Contender, in_order


def rank_season(
    results: Iterable[EveningResult],
    rule: SeasonRule | None = None,
    *,
    evenings: Iterable[str] = (),
    lots: Mapping[str, str] | None = None,
) -> SeasonTable:
    """The standing that the rule makes of the results; without a rule all is added up.

    `evenings` names evenings that are to have a column though nobody has a result in them.
    `lots` is from what somebody's lot is drawn, where that is not his id.
    Excluded evenings play no part at all: who has results in no other is not in the standing. An
    evening outside the rule's periods is in `total` and shows as dropped. Absences change
    `counted` and never `total`. Among the best of a period, absences without notice take places
    that cannot be given up; whoever has more of these than there are places has them all counted.
    Which evenings and periods are best goes by points under a sum, by the mean under a mean, and
    a mean over periods is over all evenings that count, not a mean of means.

    Raises `ValueError` when a player has two results for one evening.
    """
    rule = rule or SeasonRule()
    excluded = frozenset(rule.excluded)
    kept = [result for result in results if result.evening not in excluded]
    kept.sort(key=attrgetter("evening"))
    columns = sorted({*evenings, *(result.evening for result in kept)} - excluded)
    contenders = _contenders(
        kept, SeasonFacts(kept, rule), season=columns[-1] if columns else "", lots=lots or {}
    )
    return SeasonTable(rule, tuple(columns), tuple(_placed(contenders, rule)))


def _contenders(
    results: Iterable[EveningResult], facts: SeasonFacts, *, season: str, lots: Mapping[str, str]
) -> list[Contender[SeasonRow]]:
    by_player: dict[str, list[EveningResult]] = defaultdict(list)
    for result in results:
        own = by_player[result.player_id]
        if own and own[-1].evening == result.evening:
            raise ValueError(f"{result.name} has two results for {result.evening}")
        own.append(result)
    return [
        _contender(own, facts, f"{season} {lots.get(player, player)}")
        for player, own in by_player.items()
    ]


def _contender(
    results: Sequence[EveningResult], facts: SeasonFacts, lot: str
) -> Contender[SeasonRow]:
    row = season_row(results, facts)

    def figure(key: MetricKey) -> Points | None:
        return METRICS[key].of_row(row)

    lowest = facts.rule.rank_by is not None and METRICS[facts.rule.rank_by].lowest_is_best
    value = _value(row, facts.rule)
    return Contender(
        line=row,
        standing=(-value if lowest else value,),
        figure=figure,
        encounters=[met for result in results for met in result.encounters],
        lot=lot,
    )


def _placed(contenders: Sequence[Contender[SeasonRow]], rule: SeasonRule) -> Iterable[SeasonRow]:
    """The rows in order with rank and gap; those short of the minimum last and without."""
    enough = [one for one in contenders if one.line.evenings >= rule.minimum_evenings]
    short = [one for one in contenders if one.line.evenings < rule.minimum_evenings]
    groups = list(in_order(enough, rule.tie_breaks))
    leader = _value(groups[0][0].line, rule) if groups else 0
    for place, group in shared_places(groups):
        for contender in group:
            value = _value(contender.line, rule)
            gap = leader - value if leader > value else value - leader
            yield _row(contender, rank=place, value=value, gap=gap)
    for group in in_order(short, rule.tie_breaks):
        for contender in group:
            yield _row(contender, rank=None, value=_value(contender.line, rule), gap=None)


def _value(row: SeasonRow, rule: SeasonRule) -> Points:
    return row.value if rule.rank_by is None else METRICS[rule.rank_by].of_row(row) or 0


def _row(
    contender: Contender[SeasonRow], *, rank: int | None, value: Points, gap: Points | None
) -> SeasonRow:
    return replace(contender.line, rank=rank, value=value, gap=gap, tie_breaks=contender.measured)
