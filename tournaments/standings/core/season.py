"""The standing of a season: what counts for each player, and who has which place."""

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from tournaments.standings.core.metrics import METRICS
from tournaments.standings.core.places import Contender, in_order, shared_places
from tournaments.standings.core.results import (
    Aggregate,
    CountingRule,
    EveningResult,
    Period,
    PeriodScore,
    Points,
    SeasonCell,
    SeasonRow,
    SeasonTable,
    mean,
)


def rank_season(
    results: Iterable[EveningResult],
    rule: CountingRule | None = None,
    *,
    evenings: Iterable[str] = (),
    lots: Mapping[str, str] | None = None,
) -> SeasonTable:
    """The standing that the rule makes of the results; without a rule every score is added up.

    `evenings` names evenings that get a column even if nobody has a result in them. `lots` gives
    the text a player's lot is drawn from, if that is not their id.

    Excluded evenings play no part at all: players with results in no other evening are not in the
    standing. An evening outside the rule's periods is part of `total` and shows as dropped.
    Absences change `counted` and never `total`. Among the best of a period, absences without notice
    take places that cannot be given up; a player with more of these than there are places has them
    all counted. Under a sum the best evenings and periods are those with the most points, under a
    mean those with the highest mean. A mean over periods is over all evenings that count, not a
    mean of means.

    Raises `ValueError` when a player has two results for one evening.
    """
    rule = rule or CountingRule()
    excluded = frozenset(rule.excluded)
    included = [result for result in results if result.evening not in excluded]
    included.sort(key=attrgetter("evening"))
    columns = sorted({*evenings, *(result.evening for result in included)} - excluded)
    competitors = _competitors(
        included, Worth(included, rule), season=columns[-1] if columns else "", lots=lots or {}
    )
    return SeasonTable(rule, tuple(columns), tuple(_placed(competitors, rule)))


def rank_value(row: SeasonRow, rule: CountingRule) -> Points:
    """What decides this row's place under the rule; 0 if that is not known of the player."""
    if rule.rank_by is None:
        return row.value
    metric = METRICS[rule.rank_by]
    by_what_counts = metric.of_what_counts and not rule.is_plain
    return (row.by if by_what_counts else metric.of_row(row)) or 0


def _competitors(
    results: Iterable[EveningResult], worth: "Worth", *, season: str, lots: Mapping[str, str]
) -> list[Contender[SeasonRow]]:
    by_player: dict[str, list[EveningResult]] = defaultdict(list)
    for result in results:
        own = by_player[result.player_id]
        if own and own[-1].evening == result.evening:
            raise ValueError(f"{result.name} has two results for {result.evening}")
        own.append(result)
    return [
        _competitor(own, worth, f"{season} {lots.get(player_id, player_id)}")
        for player_id, own in by_player.items()
    ]


def _competitor(results: Sequence[EveningResult], worth: "Worth", lot: str) -> Contender[SeasonRow]:
    row = season_row(results, worth)
    rule = worth.rule

    def figure(key: str) -> Points | None:
        return METRICS[key].of_row(row)

    lowest_is_best = rule.rank_by is not None and METRICS[rule.rank_by].lowest_is_best
    value = rank_value(row, rule)
    return Contender(
        person=row,
        score=(-value if lowest_is_best else value,),
        figure=figure,
        encounters=tuple(met for result in results for met in result.encounters),
        lot=lot,
    )


def _placed(competitors: Sequence[Contender[SeasonRow]], rule: CountingRule) -> Iterable[SeasonRow]:
    """The rows in order with rank and gap; those short of the minimum come last, without either."""
    enough: list[Contender[SeasonRow]] = []
    short: list[Contender[SeasonRow]] = []
    for competitor in competitors:
        attended = competitor.person.evenings >= rule.minimum_evenings
        (enough if attended else short).append(competitor)
    groups = list(in_order(enough, rule.tie_breaks))
    leader = rank_value(groups[0][0].person, rule) if groups else 0
    for place, group in shared_places(groups):
        for competitor in group:
            value = rank_value(competitor.person, rule)
            gap = leader - value if leader > value else value - leader
            yield _row(competitor, rank=place, value=value, gap=gap)
    for group in in_order(short, rule.tie_breaks):
        for competitor in group:
            yield _row(competitor, rank=None, value=rank_value(competitor.person, rule), gap=None)


def _row(
    competitor: Contender[SeasonRow], *, rank: int | None, value: Points, gap: Points | None
) -> SeasonRow:
    row = competitor.person
    return row._replace(rank=rank, value=value, gap=gap, tie_breaks=competitor.compared)


def places_before(
    table: SeasonTable, results: Sequence[EveningResult], tie_breaks: Sequence[str]
) -> dict[str, int]:
    """Everybody's place before the last evening of this table, of which these are the results.

    A tenth of the work of `rank_season`: what evenings were worth is in the table, and the rest of
    somebody's figures is worked out only for who are tied. Who met whom and lots play no part.
    """
    *earlier, last = table.evenings
    rule = table.rule
    if rule.rank_by is not None or rule.aggregate == "mean_per_round":
        rule = replace(rule, tie_breaks=tuple(tie_breaks))
        before = rank_season((r for r in results if r.evening != last), rule, evenings=earlier)
        return {row.player_id: row.rank for row in before.rows if row.rank}
    without = _Without(last, results, Worth(results, rule))
    enough = [
        without.competitor(row)
        for row in table.rows
        if row.by_evening.keys() - {last} and without.evenings(row) >= rule.minimum_evenings
    ]
    places = shared_places(in_order(enough, tie_breaks))
    return {one.person.player_id: place for place, group in places for one in group}


class _Without:
    """Players as they stood without one evening."""

    def __init__(self, last: str, results: Sequence[EveningResult], worth: "Worth") -> None:
        self._last, self._results, self._worth = last, results, worth

    def evenings(self, row: SeasonRow) -> int:
        """How many they attended."""
        cell = row.by_evening.get(self._last)
        return row.evenings - (cell is not None and cell.score is not None)

    def competitor(self, row: SeasonRow) -> Contender[SeasonRow]:
        def figure(key: str) -> Points | None:
            return METRICS[key].of_row(season_row(self._own[row.player_id], self._worth))

        return Contender(row, (self._value(row),), figure, (), "")

    def _value(self, row: SeasonRow) -> Points:
        cell, rule = row.by_evening.get(self._last), self._worth.rule
        if cell is None or cell.value is None:
            return row.value
        if rule.best_per_period is None and rule.best_periods is None:
            counts = not cell.dropped
            counted, weight = row.counted - cell.value * counts, row.counting - counts
        else:
            counted, weight = self._counted(row)
        return counted if rule.aggregate == "sum" else mean(counted, weight)

    def _counted(self, row: SeasonRow) -> tuple[int, int]:
        """The points and the number of the evenings that count, as `_count_periods` has them."""
        rule, span_of = self._worth.rule, self._worth.span_of
        periods: dict[Period | None, tuple[list[int], list[int]]] = {}
        for evening, cell in row.by_evening.items():
            if cell.value is not None and evening != self._last and evening in span_of:
                fixed, free = periods.setdefault(span_of[evening], ([], []))
                stays = cell.absence == "none" and not rule.absence.may_be_dropped
                (fixed if stays else free).append(cell.value)
        scores: list[tuple[int, int]] = []
        for fixed, free in periods.values():
            if rule.best_per_period is not None and len(fixed) + len(free) > rule.best_per_period:
                free.sort(reverse=True)
                del free[max(0, rule.best_per_period - len(fixed)) :]
            scores.append((sum(fixed) + sum(free), len(fixed) + len(free)))
        scores.sort(key=lambda score: _sort_value(score[0], score[1], rule.aggregate), reverse=True)
        best = scores[: rule.best_periods]
        points = sum([points for points, _ in best]) + row.correction
        return points, sum([weight for _, weight in best])

    @cached_property
    def _own(self) -> Mapping[str, Sequence[EveningResult]]:
        """Everybody's other results that the rule does not exclude, in order of time."""
        own: dict[str, list[EveningResult]] = defaultdict(list)
        out = {self._last, *self._worth.rule.excluded}
        for result in sorted(self._results, key=attrgetter("evening")):
            if result.evening not in out:
                own[result.player_id].append(result)
        return own


class Candidate(NamedTuple):
    """An evening that can count for a player; an absence without notice is not `droppable`."""

    evening: str
    value: int
    boompjes: int
    droppable: bool = True


class Worth:
    """The rule applied to a season's evenings: what each result is worth, and in which period;
    `span_of` has the period of each evening that is in one."""

    def __init__(self, results: Sequence[EveningResult], rule: CountingRule) -> None:
        self.rule = rule
        self._spans: Sequence[Period | None] = sorted(rule.periods) or [None]
        days = {result.evening: result.date for result in results}
        self.span_of = {
            evening: span
            for span in self._spans
            for evening, day in days.items()
            if span is None or span[0] <= day <= span[1]
        }
        self._results = results

    @cached_property
    def _lowest(self) -> dict[str, int]:
        """The lowest score of each evening."""
        lowest: dict[str, int] = {}
        for result in self._results:
            if result.score is not None:
                lowest[result.evening] = min(result.score, lowest.get(result.evening, result.score))
        return lowest

    @cached_property
    def _boompjes(self) -> dict[str, int]:
        """The most boompjes that anybody played on each evening."""
        most: dict[str, int] = {}
        for result in self._results:
            if result.score is not None:
                most[result.evening] = max(result.boompjes, most.get(result.evening, 1))
        return most

    def candidates(self, results: Iterable[EveningResult]) -> dict[str, Candidate]:
        """The evenings that can count for one player, by evening.

        An absence that is worth something weighs as many boompjes as were played that evening.
        """
        candidates: dict[str, Candidate] = {}
        for result in results:
            evening, score = result.evening, result.score
            if score is not None:
                candidates[evening] = Candidate(evening, score, result.boompjes)
            elif (absent := self._of_absence(result)) is not None:
                candidates[evening] = absent
        return candidates

    def _of_absence(self, result: EveningResult) -> Candidate | None:
        boompjes = self._boompjes.get(result.evening, 1)
        if result.absence == "none":
            absence = self.rule.absence
            return Candidate(
                result.evening, absence.without_notice, boompjes, absence.may_be_dropped
            )
        noticed = self._with_notice(result.evening) if result.absence == "notice" else None
        return None if noticed is None else Candidate(result.evening, noticed, boompjes)

    def _with_notice(self, evening: str) -> int | None:
        value = self.rule.absence.with_notice
        return self._lowest.get(evening) if value == "lowest" else value

    def by_period(
        self, candidates: Mapping[str, Candidate]
    ) -> dict[Period | None, list[Candidate]]:
        """A player's candidates period by period, in order of time.

        Without periods the season is one period, named `None`. Evenings outside all periods are
        left out.
        """
        periods: dict[Period | None, list[Candidate]] = {span: [] for span in self._spans}
        span_of = self.span_of
        for evening, candidate in candidates.items():
            if evening in span_of:
                periods[span_of[evening]].append(candidate)
        return periods


def season_row(results: Sequence[EveningResult], worth: Worth) -> SeasonRow:
    """The row of the player whose results these are, in order of time; still without a place."""
    candidates = worth.candidates(results)
    periods = _count_periods(worth.by_period(candidates), worth.rule)
    best = [period for period in periods if period.counts]
    counting = frozenset(chain.from_iterable(period.evenings for period in best))
    correction = next((result.correction for result in results if result.correction), 0)
    counted = sum(period.points for period in best) + correction
    weight = sum(period.weight for period in best)
    average = mean(counted, weight)
    played = [result for result in results if result.score is not None]
    return SeasonRow(
        rank=None,
        player_id=results[-1].player_id,
        name=results[-1].name,
        total=sum(result.score or 0 for result in played) + correction,
        counted=counted,
        counting=weight,
        evenings=len(played),
        average=average,
        value=counted if worth.rule.aggregate == "sum" else average,
        gap=None,
        pits=sum([result.pits for result in results]),
        roem=_roem(played),
        nats=sum([result.nats for result in results]),
        best_round=_highest([result.best_round for result in results]),
        last_round=_highest([result.last_round for result in results]),
        best_evening=_highest([result.score for result in played]),
        boompjes=sum([result.boompjes for result in played]),
        by_evening=_cells(results, candidates, worth.rule, counting),
        periods=periods,
        tie_breaks={},
        by=_by(results, counting, worth.rule),
        correction=correction,
    )


def _by(
    results: Iterable[EveningResult], evenings: Container[str], rule: CountingRule
) -> Points | None:
    """What the place goes by if that adds up over the evenings that count: its sum or its mean.

    Signing off is worth no pits and no roem, and no evening in a mean; staying away without notice
    is one. `None` if it is known of no evening, or if the place does not go by such a figure.
    """
    if rule.rank_by is None or rule.is_plain or not METRICS[rule.rank_by].of_what_counts:
        return None
    counting = [result for result in results if result.evening in evenings]
    known: list[tuple[int, int]] = []
    for result in counting:
        boompjes = result.boompjes if rule.aggregate == "mean_per_round" else 1
        if result.score is None and result.absence == "none":
            known.append((0, boompjes))
        elif result.score is not None:
            figure = METRICS[rule.rank_by].of_result(result)
            if figure is not None:
                known.append((figure, boompjes))
    if not known:
        return None if counting else 0
    total = sum(figure for figure, _boompjes in known)
    if rule.aggregate == "sum":
        return total
    return mean(total, sum(boompjes for _figure, boompjes in known))


def _cells(
    results: Iterable[EveningResult],
    candidates: Mapping[str, Candidate],
    rule: CountingRule,
    counting: Container[str],
) -> dict[str, SeasonCell]:
    """A player's evenings: a large season has 12,000 of them, so each is made in one go."""
    of_result = None if rule.rank_by is None else METRICS[rule.rank_by].of_result
    cells = {}
    for result in results:
        evening, score = result.evening, result.score
        candidate = candidates.get(evening)
        cells[evening] = SeasonCell(
            score,
            None if candidate is None else candidate.value,
            candidate is not None and evening not in counting,
            result.absence if score is None else None,
            None if of_result is None or score is None else of_result(result),
        )
    return cells


def _roem(played: Sequence[EveningResult]) -> int | None:
    """The roem of the evenings of which it is known; `None` where it is of none."""
    known = [result.roem for result in played if result.roem is not None]
    return sum(known) if known or not played else None


def _highest(figures: Iterable[int | None]) -> int | None:
    return max([figure for figure in figures if figure is not None], default=None)


def _count_periods(
    candidates: Mapping[Period | None, Sequence[Candidate]], rule: CountingRule
) -> tuple[PeriodScore, ...]:
    """The score of each period, in the order given, the best `best_periods` of them counting.

    Periods, and the candidates in each, are in order of time. A period counts or is dropped as a
    whole; of equal ones the later is dropped. A period without candidates is left out.
    """
    scores = [
        _period_score(span, in_period, rule) for span, in_period in candidates.items() if in_period
    ]
    best = sorted(
        scores,
        key=lambda score: _sort_value(score.points, score.weight, rule.aggregate),
        reverse=True,
    )
    counting = {score.span for score in best[: rule.best_periods]}
    return tuple(
        score if score.span in counting else score._replace(counts=False) for score in scores
    )


def _period_score(
    span: Period | None, candidates: Sequence[Candidate], rule: CountingRule
) -> PeriodScore:
    counted = _best(candidates, rule)
    return PeriodScore(
        span=span,
        evenings=tuple(sorted(candidate.evening for candidate in counted)),
        points=sum([candidate.value for candidate in counted]),
        weight=_weight(counted, rule.aggregate),
        counts=True,
    )


def _best(candidates: Sequence[Candidate], rule: CountingRule) -> Sequence[Candidate]:
    """The best k; those that cannot be dropped take their places first."""
    if rule.best_per_period is None or len(candidates) <= rule.best_per_period:
        return candidates
    fixed = [candidate for candidate in candidates if not candidate.droppable]
    free = [candidate for candidate in candidates if candidate.droppable]
    free.sort(key=_SORT_KEYS[rule.aggregate], reverse=True)
    return fixed + free[: max(0, rule.best_per_period - len(fixed))]


def _weight(candidates: Sequence[Candidate], aggregate: Aggregate) -> int:
    if aggregate != "mean_per_round":
        return len(candidates)
    return sum([candidate.boompjes for candidate in candidates])


def _sort_value(points: int, weight: int, aggregate: Aggregate) -> float:
    # Division rounds correctly: equal means are equal floats, and unequal means of points and
    # boompjes differ by far more than a float's precision.
    return points if aggregate == "sum" else points / weight


_SORT_KEYS: Mapping[Aggregate, Callable[[Candidate], float]] = {
    "sum": attrgetter("value"),
    "mean_per_evening": attrgetter("value"),
    "mean_per_round": lambda candidate: candidate.value / candidate.boompjes,
}
"""What the best evenings have most of."""
