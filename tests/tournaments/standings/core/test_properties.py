"""What holds for any season, with the best choice found by trying them all."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.standings.core.season import day
from tournaments.standings.core.metrics import METRICS, RANK_BY, SEASON_TIE_BREAKS
from tournaments.standings.core.results import (
    AGGREGATES,
    Absence,
    AbsenceRule,
    Aggregate,
    CountingRule,
    EveningResult,
)
from tournaments.standings.core.season import places_before, rank_season
from tournaments.standings.core.why import why_season

WEEKS = 8
PERIODS = ((day(1), day(2)), (day(3), day(5)), (day(7), day(8)))

absences: list[Absence | None] = ["notice", "none", None]


@st.composite
def results(draw: st.DrawFn) -> list[EveningResult]:
    """Up to six players with a score, an absence or nothing in each of eight weeks."""
    found = []
    for player in "ABCDEF"[: draw(st.integers(1, 6))]:
        for week in draw(st.sets(st.integers(1, WEEKS), min_size=1)):
            score = draw(st.none() | st.integers(0, 6))
            absence = draw(st.sampled_from(absences)) if score is None else None
            pits, boompjes = draw(st.integers(0, 2)), draw(st.integers(1, 3))
            found.append(
                EveningResult(
                    player, player, day(week), score, pits=pits, boompjes=boompjes, absence=absence
                )
            )
    return found


rules = st.builds(
    CountingRule,
    periods=st.sampled_from([(), PERIODS]),
    best_per_period=st.none() | st.integers(1, 3),
    best_periods=st.none() | st.integers(1, 3),
    aggregate=st.sampled_from(AGGREGATES),
    minimum_evenings=st.integers(0, 3),
    excluded=st.sampled_from([(), (day(4).isoformat(),)]),
    absence=st.builds(
        AbsenceRule,
        with_notice=st.none() | st.just("lowest") | st.integers(0, 6),
        without_notice=st.just(0),
    ),
    tie_breaks=st.permutations(SEASON_TIE_BREAKS).map(lambda chain: tuple(chain[:2])),
)


@given(results(), rules)
def test_every_row_adds_up(found: list[EveningResult], rule: CountingRule) -> None:
    for row in rank_season(found, rule).rows:
        cells = row.by_evening.values()
        values = [cell.value for cell in cells if cell.value is not None and not cell.dropped]
        assert row.counted == sum(values)
        assert row.total == sum(cell.score or 0 for cell in cells)
        assert row.evenings == sum(cell.score is not None for cell in cells)
        if rule.aggregate != "mean_per_round":
            assert row.counting == len(values)
        if row.counting:
            assert abs(row.average * row.counting - row.counted) <= Decimal("0.005") * row.counting
        assert row.value == (row.counted if rule.aggregate == "sum" else row.average)
        assert not set(rule.excluded) & set(row.by_evening)


@given(results(), rules)
def test_places_go_by_value_and_the_minimum(found: list[EveningResult], rule: CountingRule) -> None:
    rows = rank_season(found, rule).rows
    ranked = [row for row in rows if row.rank is not None]
    assert rows[: len(ranked)] == tuple(ranked)
    assert all((row.rank is None) == (row.evenings < rule.minimum_evenings) for row in rows)
    assert [row.value for row in ranked] == sorted((row.value for row in ranked), reverse=True)
    for row in ranked:
        better = sum(other.value > row.value for other in ranked)
        assert row.rank is not None
        assert better < row.rank <= better + sum(other.value == row.value for other in ranked)
        assert row.gap == ranked[0].value - row.value


@given(results(), rules, st.randoms(use_true_random=False))
def test_the_order_of_the_results_plays_no_part(
    found: list[EveningResult], rule: CountingRule, chance: Random
) -> None:
    table = rank_season(found, rule)
    chance.shuffle(found)
    assert rank_season(found, rule) == table


@given(
    scores=st.lists(st.integers(0, 9), min_size=1, max_size=WEEKS),
    best_per_period=st.integers(1, 4),
    best_periods=st.integers(1, 3),
)
def test_no_other_choice_comes_to_more(
    scores: list[int], best_per_period: int, best_periods: int
) -> None:
    found = [
        EveningResult("a", "Aad", day(week), score) for week, score in enumerate(scores, start=1)
    ]
    rule = CountingRule(PERIODS, best_per_period, best_periods)
    (row,) = rank_season(found, rule).rows
    tried = [
        sum(_most(found, start, end, best_per_period) for start, end in chosen)
        for chosen in combinations(PERIODS, best_periods)
    ]
    assert row.counted == max(tried)


def _most(found: list[EveningResult], start: date, end: date, best: int) -> int:
    inside = [one.score or 0 for one in found if start <= one.date <= end]
    return max(sum(chosen) for chosen in combinations(inside, min(best, len(inside))))


@given(
    scores=st.lists(st.integers(0, 9), min_size=1, max_size=WEEKS),
    best=st.integers(1, 4),
    aggregate=st.sampled_from(AGGREGATES),
)
def test_what_is_dropped_is_never_better_nor_equal_and_earlier(
    scores: list[int], best: int, aggregate: Aggregate
) -> None:
    found = [
        EveningResult("a", "Aad", day(week), score) for week, score in enumerate(scores, start=1)
    ]
    (row,) = rank_season(found, CountingRule(best_per_period=best, aggregate=aggregate)).rows
    kept = [(key, cell.score) for key, cell in row.by_evening.items() if not cell.dropped]
    gone = [(key, cell.score) for key, cell in row.by_evening.items() if cell.dropped]
    assert len(kept) == min(best, len(scores))
    for key, score in kept:
        for other, less in gone:
            assert score is not None
            assert less is not None
            assert less < score or (less == score and key < other)


@given(results(), rules)
def test_what_is_told_of_the_evenings_adds_up_to_what_counts(
    found: list[EveningResult], rule: CountingRule
) -> None:
    table = rank_season(found, rule)
    for row in table.rows:
        why = why_season(table, row.player_id)
        counts = [one for one in why.evenings if one.verdict in ("counts", "cannot_be_dropped")]
        assert sum(one.value or 0 for one in counts) == row.counted
        assert all(one.value is None for one in why.evenings if one.verdict == "worth_nothing")
        level = [one for one in table.rows if one.value == row.value and one.rank == row.rank]
        shares = () if why.tie is None else why.tie.shares_with
        if row.rank is not None:
            assert set(shares) == {one.name for one in level} - {row.name}


@given(results(), st.sampled_from(RANK_BY))
def test_a_standing_by_any_figure_goes_by_that_figure(found: list[EveningResult], key: str) -> None:
    rows = rank_season(found, CountingRule(rank_by=key)).rows
    metric = METRICS[key]
    figures = [metric.of_row(row) or 0 for row in rows]
    assert [row.value for row in rows] == figures
    assert figures == sorted(figures, reverse=not metric.lowest_is_best)
    for row in rows:
        better = [one for one in rows if metric.order(one.value) < metric.order(row.value)]
        assert (row.rank, row.gap) == (1 + len(better), abs(figures[0] - row.value))


@pytest.mark.full
def test_a_large_club_is_ranked_row_by_row() -> None:
    # 400 players, 30 evenings; player p scores p each time: p 399 leads with 30 x 399 = 11970.
    found = [
        EveningResult(str(player), f"Speler {player}", day(week), player)
        for player in range(400)
        for week in range(1, 31)
    ]
    rows = rank_season(found, CountingRule(tie_breaks=SEASON_TIE_BREAKS)).rows
    assert [row.rank for row in rows] == list(range(1, 401))
    assert (rows[0].value, rows[-1].gap) == (11970, 11970)


@given(results(), rules, st.none() | st.sampled_from(RANK_BY))
def test_places_before_the_last_evening_are_those_without_it(
    found: list[EveningResult], rule: CountingRule, rank_by: str | None
) -> None:
    ties = tuple(key for key in rule.tie_breaks if key not in ("head_to_head", "lot"))
    rule = replace(rule, rank_by=rank_by, tie_breaks=ties)
    table = rank_season(found, rule)
    if table.evenings:
        *earlier, last = table.evenings
        others = [result for result in found if result.evening != last]
        without = rank_season(others, rule, evenings=earlier)
        expected = {row.player_id: row.rank for row in without.rows if row.rank}
        assert places_before(table, found, ties) == expected
