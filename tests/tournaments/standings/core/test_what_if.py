"""What one more evening would do, with every figure worked out by hand."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.tournaments.standings.core.season import day, played, week
from tests.tournaments.standings.core.test_properties import results, rules
from tournaments.standings.core.results import CountingRule, EveningResult, SeasonTable
from tournaments.standings.core.season import rank_season
from tournaments.standings.core.why import NextEvening, Outcome, WhatIf


def asked(rule: CountingRule, results: list[EveningResult], *, number: int = 9) -> WhatIf:
    """What the evening of week `number` would do for Aad."""
    table = rank_season(results, rule)
    return WhatIf(results, table, "Aad", NextEvening(week(number), day(number)))


def test_the_lowest_score_that_counts_goes_first() -> None:
    # The best three of 50, 20, 40 and 30 are 120; one more has to be above 30 to change that.
    what_if = asked(CountingRule(best_per_period=3), played("Aad", 50, 20, 40, 30))
    assert (what_if.drops, what_if.helps_from, what_if.harms) == ((week(4),), 31, False)
    assert what_if.outcome(30) == Outcome(30, 120, 120, rank=1)
    assert what_if.outcome(45) == Outcome(45, 135, 135, rank=1)


def test_below_the_best_k_every_point_counts_and_nothing_drops() -> None:
    what_if = asked(CountingRule(best_per_period=5), played("Aad", 50, 20))
    assert (what_if.drops, what_if.helps_from, what_if.harms) == ((), 1, False)
    assert what_if.outcome(10) == Outcome(10, 80, 80, rank=1)


def test_the_place_is_that_among_the_others_as_they_stand() -> None:
    # Aad has 70, Bep 100, Cor 90; 20 makes it 90 and shares the second place, 30 the first.
    results = [*played("Aad", 70), *played("Bep", 100), *played("Cor", 90)]
    what_if = asked(CountingRule(), results)
    assert [what_if.outcome(points).rank for points in (0, 19, 20, 29, 30)] == [3, 3, 2, 2, 1]
    assert [what_if.needed_for(rank) for rank in (1, 2, 3)] == [30, 20, 0]


def test_a_place_that_one_evening_cannot_give() -> None:
    # With his second evening Aad has none of the three that a place asks for.
    results = [*played("Aad", 70), *played("Bep", 100, 100, 100)]
    assert asked(CountingRule(minimum_evenings=3), results).needed_for(1) is None


def test_under_a_mean_a_low_score_harms() -> None:
    # 50 and 40 are 45.00 on average; 45 leaves that as it is, 46 makes it 45.33.
    what_if = asked(CountingRule(aggregate="mean_per_evening"), played("Aad", 50, 40))
    assert (what_if.helps_from, what_if.harms) == (46, True)
    assert what_if.outcome(46).value == Decimal("45.33")


def test_under_a_mean_of_the_best_a_low_score_is_dropped() -> None:
    rule = CountingRule(aggregate="mean_per_evening", best_per_period=2)
    what_if = asked(rule, played("Aad", 50, 40, 10))
    assert (what_if.drops, what_if.helps_from, what_if.harms) == ((week(2),), 41, False)


def test_an_absence_without_notice_is_never_what_drops() -> None:
    # Best two of nought (without notice), 50 and 30: the nought stays, so a score must beat 50.
    what_if = asked(CountingRule(best_per_period=2), played("Aad", "none", 50, 30))
    assert (what_if.drops, what_if.helps_from) == ((week(2),), 51)


def test_an_evening_in_a_new_period_drops_a_whole_period() -> None:
    # The best one of two periods: 50 + 40 of the first counts, and 60 of the second does not.
    # In the second 31 more makes 91.
    rule = CountingRule(
        periods=((day(1), day(2)), (day(3), day(9))), best_per_period=2, best_periods=1
    )
    what_if = asked(rule, played("Aad", 50, 40, 60))
    assert (what_if.drops, what_if.helps_from) == ((week(1), week(2)), 31)


@pytest.mark.parametrize(
    "rule", [CountingRule(excluded=(week(9),)), CountingRule(periods=((day(1), day(8)),))]
)
def test_an_evening_that_does_not_count_changes_nothing(rule: CountingRule) -> None:
    what_if = asked(rule, played("Aad", 50))
    assert (what_if.counts, what_if.drops, what_if.helps_from, what_if.harms) == (
        False,
        (),
        None,
        False,
    )
    assert what_if.outcome(99) == Outcome(99, 50, 50, rank=1)


def test_one_evening_more_can_give_a_place() -> None:
    results = [*played("Aad", 50, 50), *played("Bep", 10, 10, 10)]
    what_if = asked(CountingRule(minimum_evenings=3), results)
    assert what_if.now.rank is None
    assert what_if.outcome(0) == Outcome(0, 100, 100, rank=1)
    short = asked(CountingRule(minimum_evenings=4), results)
    assert short.outcome(0).rank is None


def test_a_mean_per_round_weighs_the_rounds_to_come() -> None:
    # 3000 in two rounds is 1500.00; three more rounds must bring more than 4500.
    own = EveningResult("Aad", "Aad", day(1), 3000, boompjes=2)
    table = rank_season([own], CountingRule(aggregate="mean_per_round"))
    what_if = WhatIf([own], table, "Aad", NextEvening(week(9), day(9), boompjes=3))
    assert (what_if.outcome(4500).value, what_if.harms) == (Decimal("1500.00"), True)
    # 7501 / 5 is 1500.20, so the first point more already shows.
    assert what_if.helps_from == 4501


def test_a_standing_by_the_best_evening_asks_for_a_better_one() -> None:
    what_if = asked(CountingRule(rank_by="best_evening"), played("Aad", 50, 40))
    assert (what_if.helps_from, what_if.outcome(60).value) == (51, 60)


def test_a_standing_by_pits_has_no_answer() -> None:
    with pytest.raises(ValueError, match="places go by pits"):
        asked(CountingRule(rank_by="pits"), played("Aad", 50))


def test_who_is_not_there_or_played_already_is_refused() -> None:
    with pytest.raises(KeyError):
        asked(CountingRule(), played("Bep", 50))
    with pytest.raises(ValueError, match="has a result for"):
        asked(CountingRule(), played("Aad", 50), number=1)


NINTH = EveningResult("A", "A", day(9), 0, boompjes=2)


@given(results(), rules, st.integers(0, 12))
def test_an_outcome_is_what_the_season_would_be(
    found: list[EveningResult], rule: CountingRule, points: int
) -> None:
    table, what_if = _ninth(found, rule)
    found = [*found, replace(NINTH, score=points)]
    expected = next(row for row in rank_season(found, table.rule).rows if row.player_id == "A")
    outcome = what_if.outcome(points)
    assert (outcome.value, outcome.counted, outcome.rank) == (
        expected.value,
        expected.counted,
        expected.rank,
    )


@given(results(), rules)
def test_it_helps_from_the_fewest_points_that_do(
    found: list[EveningResult], rule: CountingRule
) -> None:
    # Under such a mean more points can cost a place among the best periods: it need not get better.
    if rule.aggregate != "sum":
        rule = replace(rule, aggregate="mean_per_evening", best_periods=None)
    _, what_if = _ninth(found, rule)
    values = [what_if.outcome(points).value for points in range(100)]
    first = next((at for at, value in enumerate(values) if value > what_if.now.value), None)
    assert what_if.helps_from == first
    assert what_if.harms == (values[0] < what_if.now.value)
    assert values == sorted(values)


def _ninth(found: list[EveningResult], rule: CountingRule) -> tuple[SeasonTable, WhatIf]:
    """The season as it is, where the last period takes in a ninth week, and A in that week."""
    periods = (*rule.periods[:-1], (rule.periods[-1][0], day(9))) if rule.periods else ()
    assume(any(one.player_id == "A" and one.evening not in rule.excluded for one in found))
    table = rank_season(found, replace(rule, periods=periods, tie_breaks=()))
    return table, WhatIf(found, table, "A", NextEvening(week(9), day(9), boompjes=2))
