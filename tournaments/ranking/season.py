"""The standing of a season."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import attrgetter

from tournaments.ranking.facts import SeasonFacts
from tournaments.ranking.order import shared_places
from tournaments.ranking.results import EveningResult
from tournaments.ranking.rows import season_row
from tournaments.ranking.rule import SeasonRule
from tournaments.ranking.table import Points, SeasonRow, SeasonTable
from tournaments.ranking.ties import Contender, in_order


def rank_season(
    results: Iterable[EveningResult],
    rule: SeasonRule | None = None,
    *,
    evenings: Iterable[str] = (),
) -> SeasonTable:
    """The standing that the rule makes of the results; without a rule all is added up.

    `evenings` names evenings that are to have a column though nobody has a result in them.
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
    contenders = _contenders(kept, SeasonFacts(kept, rule), season=columns[-1] if columns else "")
    return SeasonTable(rule, tuple(columns), tuple(_placed(contenders, rule)))


def _contenders(
    results: Iterable[EveningResult], facts: SeasonFacts, *, season: str
) -> list[Contender]:
    by_player: dict[str, list[EveningResult]] = defaultdict(list)
    for result in results:
        own = by_player[result.player_id]
        if own and own[-1].evening == result.evening:
            raise ValueError(f"{result.name} has two results for {result.evening}")
        own.append(result)
    return [
        Contender(season_row(own, facts), _against(own), lot=f"{season} {player_id}")
        for player_id, own in by_player.items()
    ]


def _against(results: Iterable[EveningResult]) -> Counter[str]:
    ahead: Counter[str] = Counter()
    for result in results:
        for met in result.encounters:
            ahead[met.opponent_id] += met.scored - met.conceded
    return ahead


def _placed(contenders: Sequence[Contender], rule: SeasonRule) -> Iterable[SeasonRow]:
    """The rows in order with rank and gap; those short of the minimum last and without."""
    enough = [one for one in contenders if one.row.evenings >= rule.minimum_evenings]
    short = [one for one in contenders if one.row.evenings < rule.minimum_evenings]
    leader = max((one.row.value for one in enough), default=0)
    for place, group in shared_places(in_order(enough, rule.tie_breaks)):
        for contender in group:
            yield _row(contender, rank=place, gap=leader - contender.row.value)
    for group in in_order(short, rule.tie_breaks):
        for contender in group:
            yield _row(contender, rank=None, gap=None)


def _row(contender: Contender, *, rank: int | None, gap: Points | None) -> SeasonRow:
    return replace(contender.row, rank=rank, gap=gap, tie_breaks=contender.measured)
