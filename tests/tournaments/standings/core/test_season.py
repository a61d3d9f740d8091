"""The season's standing; every figure is worked out by hand beside it."""

from datetime import date
from decimal import Decimal

import pytest

from tests.tournaments.standings.core.season import by_name, day, dropped, places, played, week
from tournaments.standings.core.results import (
    AbsenceRule,
    CountingRule,
    EveningResult,
    PeriodScore,
    SeasonCell,
)
from tournaments.standings.core.season import rank_season


class TestPlainSum:
    def test_by_default_everything_counts_and_the_gap_is_to_the_leader(self) -> None:
        table = rank_season(
            [*played("Bep", 5000, 4000), *played("Aad", 4500), *played("Cor", 9500)]
        )
        assert places(table) == [(1, "Cor", 9500), (2, "Bep", 9000), (3, "Aad", 4500)]
        assert [row.gap for row in table.rows] == [0, 500, 5000]
        assert table.evenings == (week(1), week(2))

    def test_a_row_tells_all(self) -> None:
        results = [
            EveningResult("7", "Bep", day(1), 5000, boompjes=3, pits=2, roem=640, nats=1),
            EveningResult("7", "Bep", day(2), 4001, boompjes=3, pits=1, roem=400, best_round=1702),
        ]
        (row,) = rank_season(results).rows
        assert (row.total, row.counted, row.evenings, row.counting) == (9001, 9001, 2, 2)
        assert row.average == Decimal("4500.50")
        assert (row.pits, row.roem, row.nats, row.best_round) == (3, 1040, 1, 1702)
        assert row.by_evening == {
            week(1): SeasonCell(score=5000, value=5000, dropped=False, absence=None),
            week(2): SeasonCell(score=4001, value=4001, dropped=False, absence=None),
        }
        assert row.periods == (PeriodScore(None, (week(1), week(2)), 9001, 2, counts=True),)

    def test_an_evening_nobody_has_a_result_in_has_a_column_when_named(self) -> None:
        table = rank_season(played("Bep", 5000), evenings=[week(1), week(3)])
        assert table.evenings == (week(1), week(3))

    def test_no_results_give_no_rows(self) -> None:
        assert rank_season([]).rows == ()

    def test_two_results_for_one_evening_are_refused(self) -> None:
        with pytest.raises(ValueError, match="Bep has two results for 2026-09-05"):
            rank_season(played("Bep", 1) + played("Bep", 2))

    def test_an_evening_without_boompjes_is_refused(self) -> None:
        with pytest.raises(ValueError, match="at least one boompje, not 0"):
            EveningResult("7", "Bep", day(1), 5000, boompjes=0)

    def test_two_evenings_on_one_day_are_two(self) -> None:
        results = [
            EveningResult("7", "Bep", day(1), 5000),
            EveningResult("7", "Bep", day(1), 4000, evening=f"{week(1)}-2"),
        ]
        table = rank_season(results)
        assert table.evenings == (week(1), f"{week(1)}-2")
        assert table.rows[0].total == 9000
        second_only = CountingRule(excluded=(f"{week(1)}-2",))
        assert rank_season(results, second_only).rows[0].total == 5000


class TestBestOf:
    def test_best_five_of_seven_is_not_the_highest_plain_sum(self) -> None:
        # Aad: sum 7 x 5000 = 35000; the best five 25000.
        # Bep: 6000 + 5500 + 5400 + 5300 + 5200 = 27400 count, 3000 and 2000 are dropped; 32400.
        results = [
            *played("Aad", *[5000] * 7),
            *played("Bep", 6000, 2000, 5500, 5400, 3000, 5300, 5200),
        ]
        table = rank_season(results, CountingRule(best_per_period=5))
        assert places(table) == [(1, "Bep", 27400), (2, "Aad", 25000)]
        aad, bep = by_name(table)["Aad"], by_name(table)["Bep"]
        assert (aad.total, bep.total) == (35000, 32400)
        assert dropped(bep) == [week(2), week(5)]
        assert aad.average == Decimal("5000.00")
        assert bep.average == Decimal("5480.00")  # 27400 / 5

    def test_of_equal_evenings_the_later_is_dropped(self) -> None:
        (row,) = rank_season(played("Aad", 10, 5, 10, 5, 10), CountingRule(best_per_period=3)).rows
        assert dropped(row) == [week(2), week(4)]
        (row,) = rank_season(played("Aad", 5, 10, 5, 5), CountingRule(best_per_period=2)).rows
        assert dropped(row) == [week(3), week(4)]

    def test_fewer_evenings_than_the_best_so_many_all_count(self) -> None:
        (row,) = rank_season(played("Aad", 5, 6), CountingRule(best_per_period=5)).rows
        assert (row.counted, dropped(row)) == (11, [])


class TestPeriods:
    def test_best_four_of_six_in_seven_periods_and_then_the_best_five(self) -> None:
        # Period p (1-7) has scores 100p + 1 ... 100p + 6; its best four are the last four:
        # 400p + 3 + 4 + 5 + 6 = 400p + 18. Periods 3-7 count: 400 x 25 + 5 x 18 = 10090.
        # Plain sum: 600p + 21 over p = 1 ... 7: 600 x 28 + 147 = 16947.
        scores = [100 * period + at for period in range(1, 8) for at in range(1, 7)]
        periods = tuple((day(6 * at + 1), day(6 * at + 6)) for at in range(7))
        rule = CountingRule(periods=periods, best_per_period=4, best_periods=5)
        (row,) = rank_season(played("Aad", *scores), rule).rows
        assert (row.counted, row.total, row.counting, row.evenings) == (10090, 16947, 20, 42)
        assert [(one.points, one.counts) for one in row.periods] == [
            (418, False),
            (818, False),
            (1218, True),
            (1618, True),
            (2018, True),
            (2418, True),
            (2818, True),
        ]
        assert dropped(row)[:13] == [week(number) for number in range(1, 14)]
        assert row.average == Decimal("504.50")  # 10090 / 20

    def test_both_ends_belong_to_the_period_and_what_is_outside_does_not_count(self) -> None:
        # Weeks 2 and 4 are the ends: 20 + 30 + 40 = 90 counts, 10 and 50 only in the sum of 150.
        rule = CountingRule(periods=((day(2), day(4)),))
        (row,) = rank_season(played("Aad", 10, 20, 30, 40, 50), rule).rows
        assert (row.total, row.counted, row.evenings) == (150, 90, 5)
        assert dropped(row) == [week(1), week(5)]

    def test_of_equal_periods_the_later_is_dropped_whatever_the_order_in_the_rule(self) -> None:
        periods = ((day(3), day(4)), (day(1), day(2)))
        (row,) = rank_season(
            played("Aad", 10, 20, 15, 15), CountingRule(periods=periods, best_periods=1)
        ).rows
        assert (row.counted, dropped(row)) == (30, [week(3), week(4)])

    def test_a_mean_is_over_all_evenings_that_count_in_the_best_periods(self) -> None:
        # Means of the periods: (6 + 3) / 2 = 4.5; 8; 2. The best two: (6 + 3 + 8) / 3 = 5.67,
        # where a mean of means would be 6.25 and the best two by sum the same two.
        periods = ((day(1), day(2)), (day(3), day(3)), (day(4), day(4)))
        rule = CountingRule(periods=periods, best_periods=2, aggregate="mean_per_evening")
        (row,) = rank_season(played("Aad", 6, 3, 8, 2), rule).rows
        assert (row.value, row.counted, row.counting) == (Decimal("5.67"), 17, 3)

    def test_under_a_mean_the_best_period_is_the_one_with_the_best_mean(self) -> None:
        # Two evenings of 5 make 10, one of 8 makes 8; the mean of the second is better.
        periods = ((day(1), day(2)), (day(3), day(3)))
        rule = CountingRule(periods=periods, best_periods=1, aggregate="mean_per_evening")
        (row,) = rank_season(played("Aad", 5, 5, 8), rule).rows
        assert (row.value, dropped(row)) == (Decimal("8.00"), [week(1), week(2)])


class TestMeans:
    def test_per_boompje_with_two_decimals_half_up(self) -> None:
        # Aad: 8 boompjes, 12001 points: 1500.125 becomes 1500.13.
        # Bep: 5 boompjes (one an evening known only as a whole), 7500 points: 1500.00.
        results = [
            EveningResult("a", "Aad", day(1), 6001, boompjes=4),
            EveningResult("a", "Aad", day(2), 6000, boompjes=4),
            EveningResult("b", "Bep", day(1), 6000, boompjes=4),
            EveningResult("b", "Bep", day(2), 1500),
        ]
        table = rank_season(results, CountingRule(aggregate="mean_per_round"))
        assert places(table) == [(1, "Aad", Decimal("1500.13")), (2, "Bep", Decimal("1500.00"))]
        assert [row.gap for row in table.rows] == [Decimal("0.00"), Decimal("0.13")]
        assert [row.counting for row in table.rows] == [8, 5]

    def test_best_under_a_mean_per_boompje_goes_by_the_mean(self) -> None:
        # 4500 over three boompjes is 1500 each; one boompje of 1700 is the better evening.
        results = [
            EveningResult("a", "Aad", day(1), 4500, boompjes=3),
            EveningResult("a", "Aad", day(2), 1700, boompjes=1),
        ]
        rule = CountingRule(aggregate="mean_per_round", best_per_period=1)
        (row,) = rank_season(results, rule).rows
        assert (row.value, dropped(row)) == (Decimal("1700.00"), [week(1)])

    def test_mean_of_the_best_six_of_eight(self) -> None:
        # 8 + 7 + 6 + 5 + 4 + 3 = 33, a sixth of it 5.5; who came once has 6.
        rule = CountingRule(aggregate="mean_per_evening", best_per_period=6)
        table = rank_season([*played("Aad", 1, 2, 3, 4, 5, 6, 7, 8), *played("Bep", 6)], rule)
        assert places(table) == [(1, "Bep", Decimal("6.00")), (2, "Aad", Decimal("5.50"))]

    def test_equal_when_rounded_is_equal(self) -> None:
        # 4502 / 3 = 1500.666... and 150067 / 100 = 1500.67: both print as 1500.67.
        results = [
            EveningResult("a", "Aad", day(1), 4502, boompjes=3),
            EveningResult("b", "Bep", day(1), 150067, boompjes=100),
            EveningResult("c", "Cor", day(1), 1501),
        ]
        table = rank_season(results, CountingRule(aggregate="mean_per_round"))
        assert places(table) == [
            (1, "Cor", Decimal("1501.00")),
            (2, "Aad", Decimal("1500.67")),
            (2, "Bep", Decimal("1500.67")),
        ]

    def test_where_nothing_counts_the_average_is_nought(self) -> None:
        rule = CountingRule(periods=((day(5), day(6)),), aggregate="mean_per_evening")
        (row,) = rank_season(played("Aad", 10), rule).rows
        assert (row.average, row.counted, row.total) == (Decimal("0.00"), 0, 10)


class TestAbsence:
    def test_without_notice_counts_nought_and_may_not_be_dropped(self) -> None:
        # Best three of five for both. Bep's nought takes a place: 0 + 40 + 30, 20 and 10 dropped.
        table = rank_season(
            [*played("Aad", 10, 20, 30, 40), *played("Bep", 10, 20, "none", 30, 40)],
            CountingRule(best_per_period=3),
        )
        assert places(table) == [(1, "Aad", 90), (2, "Bep", 70)]
        bep = by_name(table)["Bep"]
        assert dropped(bep) == [week(1), week(2)]
        assert bep.by_evening[week(3)] == SeasonCell(None, 0, dropped=False, absence="none")
        assert (bep.total, bep.evenings) == (100, 4)
        assert bep.average == Decimal("23.33")  # 70 / 3, the nought is one of the three

    def test_more_absences_without_notice_than_places_all_count(self) -> None:
        rule = CountingRule(
            best_per_period=2, absence=AbsenceRule(without_notice=-5), aggregate="mean_per_evening"
        )
        (row,) = rank_season(played("Aad", "none", 90, "none", "none", 80), rule).rows
        assert (row.counted, row.counting, dropped(row)) == (-15, 3, [week(2), week(5)])

    def test_with_notice_is_nothing_by_default(self) -> None:
        (row,) = rank_season(played("Aad", 10, "notice"), CountingRule()).rows
        assert (row.counted, row.counting, row.evenings) == (10, 1, 1)
        assert row.by_evening[week(2)] == SeasonCell(None, None, dropped=False, absence="notice")

    def test_with_notice_for_a_fixed_score_that_may_be_dropped(self) -> None:
        # Best two: 5000 for the absence and 6000; 4000 dropped. Played in all: 10000.
        rule = CountingRule(best_per_period=2, absence=AbsenceRule(with_notice=5000))
        (row,) = rank_season(played("Aad", 4000, "notice", 6000), rule).rows
        assert (row.counted, row.total, row.evenings, dropped(row)) == (11000, 10000, 2, [week(1)])
        (row,) = rank_season(played("Aad", 5500, "notice", 6000), rule).rows
        assert (row.counted, dropped(row)) == (11500, [week(2)])

    def test_with_notice_for_the_lowest_score_of_that_evening(self) -> None:
        # The second evening's lowest is 4200; nobody played the third, so it has none.
        rule = CountingRule(absence=AbsenceRule(with_notice="lowest"))
        table = rank_season(
            [
                *played("Aad", 5000, "notice", "notice"),
                *played("Bep", 4900, 4200),
                *played("Cor", 4800, 4300),
            ],
            rule,
        )
        assert places(table) == [(1, "Aad", 9200), (2, "Bep", 9100), (2, "Cor", 9100)]
        assert by_name(table)["Aad"].by_evening[week(3)].value is None

    def test_an_absence_weighs_the_boompjes_of_its_evening(self) -> None:
        # (4500 + 0) / (3 + 3) = 750.
        results = [
            EveningResult("a", "Aad", day(1), 4500, boompjes=3),
            EveningResult("a", "Aad", day(2), None, absence="none"),
            EveningResult("b", "Bep", day(2), 4500, boompjes=3),
        ]
        table = rank_season(results, CountingRule(aggregate="mean_per_round"))
        assert by_name(table)["Aad"].average == Decimal("750.00")

    def test_people_without_a_row_are_not_absent(self) -> None:
        rule = CountingRule(absence=AbsenceRule(with_notice=5000))
        table = rank_season([*played("Aad", 10, 20), *played("Bep", 10)], rule)
        assert by_name(table)["Bep"].counted == 10
        assert week(2) not in by_name(table)["Bep"].by_evening

    def test_who_has_a_score_was_there(self) -> None:
        result = EveningResult("a", "Aad", day(1), 10, absence="none")
        (row,) = rank_season([result]).rows
        assert row.by_evening[week(1)] == SeasonCell(10, 10, dropped=False, absence=None)

    def test_a_row_that_says_nothing_yet_is_worth_nothing(self) -> None:
        (row,) = rank_season([EveningResult("a", "Aad", day(1), None)]).rows
        assert (row.counted, row.counting, row.evenings) == (0, 0, 0)


class TestExcludedAndMinimum:
    def test_excluded_evenings_play_no_part(self) -> None:
        results = [*played("Aad", 10, 999), *played("Bep", 20, 5), *played("Gast", None, 500)]
        table = rank_season(results, CountingRule(excluded=(week(2),)), evenings=[week(1), week(2)])
        assert places(table) == [(1, "Bep", 20), (2, "Aad", 10)]
        assert table.evenings == (week(1),)
        assert list(by_name(table)["Aad"].by_evening) == [week(1)]

    def test_short_of_the_minimum_stands_below_without_a_place(self) -> None:
        # Dik's absence is no evening attended; the two short ones go by their points.
        results = [
            *played("Aad", 10, 10),
            *played("Bep", 500),
            *played("Cor", 5, 6),
            *played("Dik", 600, "none"),
        ]
        table = rank_season(results, CountingRule(minimum_evenings=2))
        assert places(table) == [
            (1, "Aad", 20),
            (2, "Cor", 11),
            (None, "Dik", 600),
            (None, "Bep", 500),
        ]
        assert [row.gap for row in table.rows] == [0, 9, None, None]

    def test_the_minimum_is_of_evenings_attended_not_of_those_that_count(self) -> None:
        rule = CountingRule(minimum_evenings=3, best_per_period=1, periods=((day(1), day(2)),))
        (row,) = rank_season(played("Aad", 1, 2, 3), rule).rows
        assert (row.rank, row.evenings, row.counted) == (1, 3, 2)


def test_what_a_name_is_now_goes_for_the_season() -> None:
    old = EveningResult("7", "Bep Jansen", date(2026, 9, 5), 10)
    new = EveningResult("7", "Bep de Wit", date(2026, 9, 12), 10)
    assert [row.name for row in rank_season([new, old]).rows] == ["Bep de Wit"]
