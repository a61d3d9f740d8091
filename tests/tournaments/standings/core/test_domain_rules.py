"""Every way of making a season's standing that clubs were found to have, worked out by hand."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Literal

import pytest

from tests.tournaments.standings.core.season import by_name, day, dropped, places, played, week
from tournaments.standings.core.places import rank_evening
from tournaments.standings.core.results import (
    Absence,
    AbsenceRule,
    CountingRule,
    Encounter,
    EveningEntry,
    EveningResult,
    RoundScore,
    settle_waiting,
)
from tournaments.standings.core.rule_json import parse_season_rule
from tournaments.standings.core.season import rank_season
from tournaments.standings.core.why import why_season

JAN = played("Jan", *[4800] * 7)
PIET = played("Piet", 5300, 3900, 5200, 5100, 3800, 5000, 4900)


class TestWhatCounts:
    def test_best_five_of_seven_is_not_won_by_the_highest_plain_sum(self) -> None:
        # Jan: 7 x 4800 = 33600, of which five: 24000. Piet: 5300 + 5200 + 5100 + 5000 + 4900 =
        # 25500, and with 3900 and 3800 it is 33200.
        table = rank_season([*JAN, *PIET], CountingRule(best_per_period=5))
        assert places(table) == [(1, "Piet", 25500), (2, "Jan", 24000)]
        assert {name: row.total for name, row in by_name(table).items()} == {
            "Piet": 33200,
            "Jan": 33600,
        }
        assert dropped(by_name(table)["Piet"]) == [week(2), week(5)]
        assert places(rank_season([*JAN, *PIET])) == [(1, "Jan", 33600), (2, "Piet", 33200)]

    def test_best_seven_of_fourteen(self) -> None:
        # Aad: 4001, 4002 … 4014. The best seven are 4008 … 4014, 4011 on average: 28077. All
        # together 14 x 4007.5 = 56105. Bep: thirteen times 4010; seven of them are 28070.
        results = [*played("Aad", *range(4001, 4015)), *played("Bep", *[4010] * 13)]
        table = rank_season(results, CountingRule(best_per_period=7))
        assert places(table) == [(1, "Aad", 28077), (2, "Bep", 28070)]
        aad, bep = table.rows
        assert (aad.total, bep.total) == (56105, 52130)
        assert dropped(aad) == [week(number) for number in range(1, 8)]
        assert dropped(bep) == [week(number) for number in range(8, 14)]

    def test_mean_of_the_best_six_of_eight(self) -> None:
        # Aad: 5100 + 5000 + 4900 + 4800 + 4700 + 4600 = 29100, 4850 on average. Cor has one point
        # more: 29101 / 6 = 4850.1666…. Bep's two evenings are 4950 on average, and too few.
        results = [
            *played("Aad", 4500, 4600, 4700, 4800, 4900, 5000, 3000, 5100),
            *played("Bep", 5000, 4900),
            *played("Cor", 5101, 5000, 4900, 4800, 4700, 4600, 4599, 4598),
        ]
        rule = CountingRule(best_per_period=6, aggregate="mean_per_evening", minimum_evenings=6)
        assert places(rank_season(results, rule)) == [
            (1, "Cor", Decimal("4850.17")),
            (2, "Aad", Decimal("4850.00")),
            (None, "Bep", Decimal("4950.00")),
        ]
        anybody = replace(rule, minimum_evenings=0)
        assert rank_season(results, anybody).rows[0].name == "Bep"

    def test_best_four_of_six_weeks_in_each_of_seven_periods_and_then_the_best_five(self) -> None:
        # Aad scores 4000 + 100p and 0, 10, 20, 30, 40, 50 more in period p = 1 … 7. Of a period
        # 16000 + 400p + (20 + 30 + 40 + 50) counts; periods 3 to 7 come to 5 x 16140 + 400 x 25 =
        # 90700. All together 42 x 4000 + 600 x 28 + 7 x 150 = 185850.
        # Bep comes in the first three weeks of each period for 4900: five times 14700 = 73500.
        # Cor comes in periods 1 to 5 alone, each week for 4600: five times 18400 = 92000.
        weeks = [(period, at) for period in range(1, 8) for at in range(6)]
        results = [
            *played("Aad", *(4000 + 100 * period + 10 * at for period, at in weeks)),
            *played("Bep", *(4900 if at < 3 else None for _period, at in weeks)),
            *played("Cor", *[4600] * 30),
        ]
        rule = CountingRule(
            periods=tuple((day(6 * at + 1), day(6 * at + 6)) for at in range(7)),
            best_per_period=4,
            best_periods=5,
        )
        table = rank_season(results, rule)
        assert places(table) == [(1, "Cor", 92000), (2, "Aad", 90700), (3, "Bep", 73500)]
        assert [(row.total, row.evenings, row.counting) for row in table.rows] == [
            (138000, 30, 20),
            (185850, 42, 20),
            (102900, 21, 15),
        ]
        first = why_season(table, "Aad").evenings[:6]
        assert [one.verdict for one in first] == ["dropped"] * 2 + ["period_dropped"] * 4

    def test_the_plain_sum_as_a_gap_to_the_leader(self) -> None:
        # Aad 4700 + 4800 + 4900 = 14400, Bep 5000 + 4250 + 5000 = 14250, Cor 9900.
        results = [
            *played("Aad", 4700, 4800, 4900),
            *played("Bep", 5000, 4250, 5000),
            *played("Cor", 4900, 5000),
        ]
        table = rank_season(results)
        assert [(row.name, row.value, row.gap) for row in table.rows] == [
            ("Aad", 14400, 0),
            ("Bep", 14250, 150),
            ("Cor", 9900, 4500),
        ]

    def test_mean_per_boompje_with_two_decimals(self) -> None:
        # Aad 4571 in three and 3100 in two: 7671 / 5 = 1534.2. Bep 4602 / 3 = 1534. Cor 12273 / 8 =
        # 1534.125, half up. Dik has only his evening's 1533 on paper: one boompje.
        results = [
            EveningResult("Aad", "Aad", day(1), 4571, boompjes=3),
            EveningResult("Aad", "Aad", day(2), 3100, boompjes=2),
            EveningResult("Bep", "Bep", day(1), 4602, boompjes=3),
            EveningResult("Cor", "Cor", day(1), 6137, boompjes=4),
            EveningResult("Cor", "Cor", day(2), 6136, boompjes=4),
            EveningResult("Dik", "Dik", day(1), 1533),
        ]
        assert places(rank_season(results, CountingRule(aggregate="mean_per_round"))) == [
            (1, "Aad", Decimal("1534.20")),
            (2, "Cor", Decimal("1534.13")),
            (3, "Bep", Decimal("1534.00")),
            (4, "Dik", Decimal("1533.00")),
        ]

    def test_a_mean_over_periods_is_over_all_evenings_and_not_a_mean_of_means(self) -> None:
        # Period one: 5000. Period two: 4000, 4000, 4000. 17000 / 4 = 4250, not 4500.
        rule = CountingRule(
            periods=((day(1), day(1)), (day(2), day(4))), aggregate="mean_per_evening"
        )
        (row,) = rank_season(played("Aad", 5000, 4000, 4000, 4000), rule).rows
        assert row.value == Decimal("4250.00")

    def test_a_minimum_number_of_evenings(self) -> None:
        # Five are needed. Aad has four, though with the most points; an absence is no evening.
        results = [
            *played("Aad", 6000, 6000, 6000, 6000, "notice"),
            *played("Bep", *[4000] * 5),
            *played("Cor", *[3900] * 6),
        ]
        table = rank_season(results, CountingRule(minimum_evenings=5))
        assert places(table) == [(1, "Cor", 23400), (2, "Bep", 20000), (None, "Aad", 24000)]
        assert [row.gap for row in table.rows] == [0, 3400, None]

    def test_the_prize_night_is_excluded(self) -> None:
        # Without week 3: Aad 4800 + 4700 = 9500, Bep 4900 + 4800 = 9700.
        results = [*played("Aad", 4800, 4700, 9000), *played("Bep", 4900, 4800, 1000)]
        table = rank_season(results, CountingRule(excluded=(week(3),)))
        assert places(table) == [(1, "Bep", 9700), (2, "Aad", 9500)]
        assert [row.total for row in table.rows] == [9700, 9500]
        assert table.evenings == (week(1), week(2))


class TestAbsences:
    """Aad is away in week 3; Bep and Cor score 4700 and 4300 then."""

    def results(self, how: Absence) -> list[EveningResult]:
        return [
            *played("Aad", 5000, 4000, how),
            *played("Bep", 4600, 4600, 4700),
            *played("Cor", 4500, 4500, 4300),
        ]

    @pytest.mark.parametrize(
        ("worth", "counted", "kept"),
        [
            (None, 9000, [5000, 4000]),
            (4100, 13100, [5000, 4000, 4100]),
            ("lowest", 13300, [5000, 4000, 4300]),
        ],
    )
    def test_with_notice_it_is_nothing_a_fixed_score_or_the_lowest_of_the_evening(
        self, worth: int | Literal["lowest"] | None, counted: int, kept: list[int]
    ) -> None:
        rule = CountingRule(absence=AbsenceRule(with_notice=worth))
        row = by_name(rank_season(self.results("notice"), rule))["Aad"]
        values = [cell.value for cell in row.by_evening.values() if cell.value is not None]
        assert (row.counted, row.total, row.evenings, values) == (counted, 9000, 2, kept)

    def test_with_notice_it_may_be_dropped(self) -> None:
        # Best two of 5000, 4000 and 3500: 9000.
        rule = CountingRule(best_per_period=2, absence=AbsenceRule(with_notice=3500))
        row = by_name(rank_season(self.results("notice"), rule))["Aad"]
        assert (row.counted, dropped(row)) == (9000, [week(3)])

    def test_without_notice_it_is_nought_and_may_not_be_dropped(self) -> None:
        # Best two of three: the nought takes one of the two places, so 5000 counts and 4000 is
        # dropped. Bep 4600 + 4700 = 9300, Cor 4500 + 4500 = 9000.
        table = rank_season(self.results("none"), CountingRule(best_per_period=2))
        assert places(table) == [(1, "Bep", 9300), (2, "Cor", 9000), (3, "Aad", 5000)]
        assert dropped(by_name(table)["Aad"]) == [week(2)]
        assert why_season(table, "Aad").evenings[2].verdict == "cannot_be_dropped"

    def test_without_notice_in_a_mean_it_is_an_evening_too(self) -> None:
        # (5000 + 4000 + 0) / 3 = 3000.
        rule = CountingRule(aggregate="mean_per_evening")
        row = by_name(rank_season(self.results("none"), rule))["Aad"]
        assert (row.value, row.counting, row.evenings) == (Decimal("3000.00"), 3, 2)

    def test_who_was_on_no_list_is_not_absent(self) -> None:
        # Without a row for week 3 nothing counts and nothing is given: 5000 + 4000.
        results = [one for one in self.results("none") if one.score is not None]
        rule = CountingRule(absence=AbsenceRule(with_notice=4100))
        assert by_name(rank_season(results, rule))["Aad"].counted == 9000

    def test_sitting_out_and_a_missed_round_have_their_scores(self) -> None:
        # 1500 played, 1600 for sitting out, 1450 for a missed round: 4550. Bep played 4540.
        aad = [
            RoundScore(1, 1500),
            RoundScore(2, 1600, played=False),
            RoundScore(3, 1450, played=False),
        ]
        bep = [RoundScore(1, 1520), RoundScore(2, 1510), RoundScore(3, 1510)]
        rows = rank_evening([EveningEntry("1", "Aad", aad), EveningEntry("2", "Bep", bep)])
        assert [(row.rank, row.name, row.total) for row in rows] == [
            (1, "Aad", 4550),
            (2, "Bep", 4540),
        ]


class TestTies:
    """Aad and Bep have 10335 both: 5200 + 5135 and 5300 + 5035. Cor has 10334."""

    def results(self) -> list[EveningResult]:
        def one(
            name: str, at: int, score: int, best: int, *, pits: int, nats: int
        ) -> EveningResult:
            return EveningResult(
                name, name, day(at), score, boompjes=3, pits=pits, nats=nats, best_round=best
            )

        return [
            one("Aad", 1, 5200, 1850, pits=1, nats=3),
            one("Aad", 2, 5135, 1800, pits=0, nats=2),
            replace(
                one("Bep", 1, 5300, 1900, pits=1, nats=4), encounters=(Encounter("Aad", 820, 980),)
            ),
            one("Bep", 2, 5035, 1750, pits=1, nats=4),
            one("Cor", 1, 5334, 2000, pits=9, nats=0),
            one("Cor", 2, 5000, 2000, pits=9, nats=0),
        ]

    def places(self, *tie_breaks: str) -> list[tuple[int | None, str]]:
        table = rank_season(self.results(), CountingRule(tie_breaks=tie_breaks))
        return [(row.rank, row.name) for row in table.rows]

    def test_it_stays_shared(self) -> None:
        assert self.places() == [(1, "Aad"), (1, "Bep"), (3, "Cor")]

    @pytest.mark.parametrize(
        ("tie_break", "first", "second"),
        [
            ("pits", "Bep", "Aad"),  # 1 + 1 against 1 + 0
            ("best_round", "Bep", "Aad"),  # 1900 against 1850
            ("fewest_nats", "Aad", "Bep"),  # 3 + 2 against 4 + 4
            ("best_evening", "Bep", "Aad"),  # 5300 against 5200
        ],
    )
    def test_the_same_tie_is_broken(self, tie_break: str, first: str, second: str) -> None:
        assert self.places(tie_break) == [(1, first), (2, second), (3, "Cor")]

    def test_head_to_head_goes_by_what_they_scored_against_each_other(self) -> None:
        # Bep scored 820 when Aad scored 980 against him.
        assert self.places("head_to_head") == [(1, "Aad"), (2, "Bep"), (3, "Cor")]

    def test_the_chain_goes_on_where_the_first_does_not_decide(self) -> None:
        # As many evenings and as many boompjes each; then the nats.
        assert self.places("evenings", "mean_per_round", "fewest_nats") == [
            (1, "Aad"),
            (2, "Bep"),
            (3, "Cor"),
        ]

    def test_the_lot_decides_what_nothing_else_does_and_is_recorded(self) -> None:
        table = rank_season(self.results(), CountingRule(tie_breaks=("evenings", "lot")))
        assert [row.rank for row in table.rows] == [1, 2, 3]
        assert [list(row.tie_breaks) for row in table.rows] == [["evenings", "lot"]] * 2 + [[]]
        first, second = (row.tie_breaks["lot"] or 0 for row in table.rows[:2])
        assert first > second


def test_several_standings_over_the_same_evenings() -> None:
    # Best five of seven, the plain sum and the most pits, as one club prints them side by side.
    # Jan makes a pit in weeks 1 and 2, Piet none, Kees (7 x 100) one each week.
    jan = [replace(one, pits=1) if at < 2 else one for at, one in enumerate(JAN)]
    kees = [replace(one, pits=1) for one in played("Kees", *[100] * 7)]
    results = [*jan, *PIET, *kees]
    best = CountingRule(best_per_period=5)
    assert places(rank_season(results, best)) == [
        (1, "Piet", 25500),
        (2, "Jan", 24000),
        (3, "Kees", 500),
    ]
    assert places(rank_season(results, replace(best, rank_by="total"))) == [
        (1, "Jan", 33600),
        (2, "Piet", 33200),
        (3, "Kees", 700),
    ]
    assert places(rank_season(results, CountingRule(rank_by="pits"))) == [
        (1, "Kees", 7),
        (2, "Jan", 2),
        (3, "Piet", 0),
    ]


def two(name: str, **figures: tuple[int, int]) -> list[EveningResult]:
    """Two evenings of somebody: 5,000 points and then 4,000, with these figures."""
    both = played(name, 5000, 4000)
    changes: list[dict[str, Any]] = [
        {key: pair[at] for key, pair in figures.items()} for at in (0, 1)
    ]
    return [replace(one, **change) for one, change in zip(both, changes, strict=True)]


def test_a_standing_by_pits_obeys_the_best_evenings() -> None:
    # Best 1 of 2: the evening of 4,000 is dropped, and with it its 3 pits.
    results = two("Jan", pits=(1, 3)) + two("Piet", pits=(2, 0))
    rule = CountingRule(best_per_period=1, rank_by="pits")
    assert places(rank_season(results, rule)) == [(1, "Piet", 2), (2, "Jan", 1)]
    jan = rank_season(results, rule).rows[1]
    assert (jan.pits, jan.value, jan.gap) == (4, 1, 1)


def test_a_standing_by_roem_can_be_a_mean() -> None:
    results = two("Jan", roem=(500, 300)) + two("Piet", roem=(390, 400))
    rule = CountingRule(aggregate="mean_per_evening", rank_by="roem")
    assert places(rank_season(results, rule)) == [
        (1, "Jan", Decimal(400)),
        (2, "Piet", Decimal(395)),
    ]
    per_round = replace(rule, aggregate="mean_per_round")
    three = [replace(one, boompjes=3) for one in results]
    assert rank_season(three, per_round).rows[0].value == Decimal("133.33")


def test_a_standing_by_pits_obeys_the_periods() -> None:
    (early, late), week = two("Jan", pits=(3, 1)), timedelta(weeks=1)
    rule = CountingRule(periods=((late.date, late.date + week),), rank_by="pits")
    assert places(rank_season([early, late], rule)) == [(1, "Jan", 1)]


def test_absence_in_a_standing_by_roem() -> None:
    # Signing off is no evening in the mean; staying away without notice is one without roem.
    first, second = two("Jan", roem=(500, 0))
    rule = CountingRule(aggregate="mean_per_evening", rank_by="roem", absence=AbsenceRule(3000))
    notice = replace(second, score=None, absence="notice")
    assert rank_season([first, notice], rule).rows[0].value == Decimal(500)
    none = replace(second, score=None, absence="none")
    assert rank_season([first, none], rule).rows[0].value == Decimal(250)


def test_an_absence_without_notice_may_be_dropped_where_the_club_says_so() -> None:
    away = EveningResult("Jan", "Jan", date(2026, 12, 1), None, absence="none")
    results = [*played("Jan", 5000, 4000), away]
    kept = CountingRule(best_per_period=2)
    assert rank_season(results, kept).rows[0].counted == 5000
    dropped = replace(kept, absence=AbsenceRule(may_be_dropped=True))
    table = rank_season(results, dropped)
    assert table.rows[0].counted == 9000
    verdicts = [one.verdict for one in why_season(table, "Jan").evenings]
    assert verdicts == ["counts", "counts", "dropped"]
    assert parse_season_rule(dropped.as_json()) == dropped


def test_a_correction_for_the_season() -> None:
    results = [replace(one, correction=-100) for one in played("Jan", 5000, 4000)]
    (row,) = rank_season(results, CountingRule(best_per_period=1)).rows
    assert (row.total, row.counted, row.value, row.correction) == (8900, 4900, 4900, -100)
    (row,) = rank_season(results, CountingRule(aggregate="mean_per_evening")).rows
    assert row.value == Decimal(4450)


def evening_of(*rounds: int) -> dict[int, RoundScore]:
    return {at: RoundScore(at, score) for at, score in enumerate(rounds, start=1)}


def out(number: int, waits: Literal["fill", "leave", "nothing"]) -> dict[int, RoundScore]:
    return {number: RoundScore(number, 0, played=False, waits=waits)}


def totals(scores: dict[int, dict[int, RoundScore]]) -> dict[int, int]:
    settle_waiting(scores)
    return {who: sum(one.score for one in own.values()) for who, own in scores.items()}


OTHERS = {1: evening_of(1800, 1800, 1800), 2: evening_of(1000, 1000, 1100)}
"""People who end on 5,400 and on 3,100."""


class TestTheLowestOfTheEvening:
    def test_who_sits_out_ends_on_the_lowest_total(self) -> None:
        whole_evening = {3: {**out(1, "fill"), **out(2, "fill"), **out(3, "fill")}}
        assert totals(OTHERS | whole_evening) == {1: 5400, 2: 3100, 3: 3100}
        one_round = {3: {**evening_of(700, 900), **out(3, "fill")}}
        scores = OTHERS | one_round
        assert totals(scores)[3] == 3100
        assert scores[3][3].score == 1500

    def test_sitting_out_takes_nothing_from_what_somebody_played(self) -> None:
        assert totals(OTHERS | {3: {**evening_of(1900, 1900), **out(3, "fill")}})[3] == 3800

    def test_who_leaves_halfway_ends_on_the_lowest_total_of_who_played_on(self) -> None:
        gone = {3: {**evening_of(1400), **out(2, "leave"), **out(3, "leave")}}
        assert totals(OTHERS | gone) == {1: 5400, 2: 3100, 3: 3100}
        ahead = {3: {**evening_of(1900, 1900), **out(3, "leave")}}
        assert totals(OTHERS | ahead)[3] == 3100

    def test_where_everybody_sits_out_once_it_is_the_lowest_of_them_all(self) -> None:
        scores = {who: {**evening_of(*[1000 + who] * 4), **out(5, "fill")} for who in range(5)}
        assert totals(scores) == {who: 4 * (1000 + who) for who in range(5)}

    def test_sitting_out_can_count_for_nothing(self) -> None:
        scores = {3: {**evening_of(1400), **out(2, "nothing")}, 4: out(1, "nothing")}
        assert totals(scores) == {3: 1400}
        assert list(scores[3]) == [1]
