"""Rankings of people over many events."""

from datetime import date
from decimal import Decimal
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tournaments.leagues.core.ranking import (
    EventResult,
    MeanRule,
    Ranked,
    rank_by_best,
    rank_by_mean,
)

ON = date(2026, 11, 22)


def result(
    player: str, total: int, *, day: date = ON, rounds: int = 3, of: int = 40
) -> EventResult:
    return EventResult(f"{day} {total}", day, of, rounds, player, total)


def test_the_mean_per_round_of_who_played_enough() -> None:
    many = [EventResult(f"x{number}", ON, 40, 3, "p1", 4650) for number in range(12)]
    ranked, short = rank_by_mean([*many, result("p2", 20_000, rounds=12)], MeanRule(), ON)
    assert ranked == [Ranked(1, "p1", Decimal("1550.00"), 36, 12)]
    assert short == [("p2", 12)]


def test_small_short_early_and_later_events_do_not_count() -> None:
    rule = MeanRule(months=24, minimum_rounds=3, players=32, rounds=3)
    counting = [result("p", 4500), result("p", 4800, day=date(2024, 11, 23))]
    others = [
        result("p", 1, of=31),
        result("p", 2, rounds=2),
        result("p", 3, day=date(2024, 11, 22)),
        result("p", 4, day=date(2026, 11, 23)),
    ]
    ranked, _short = rank_by_mean([*counting, *others], rule, ON)
    assert ranked == [Ranked(1, "p", Decimal("1550.00"), 6, 2)]


def test_equal_values_share_a_place_in_order_of_name() -> None:
    rule = MeanRule(minimum_rounds=3)
    results = [result("b", 4500), result("A", 4500), result("c", 4501), result("d", 3000)]
    ranked, _short = rank_by_mean(results, rule, ON)
    assert [(line.place, line.player, str(line.value)) for line in ranked] == [
        (1, "c", "1500.33"),
        (2, "A", "1500.00"),
        (2, "b", "1500.00"),
        (4, "d", "1000.00"),
    ]


def test_months_end_with_the_month() -> None:
    rule = MeanRule(months=1, minimum_rounds=3)
    results = [result("in", 3000, day=date(2027, 3, 1)), result("out", 3000, day=date(2027, 2, 28))]
    ranked, short = rank_by_mean(results, rule, date(2027, 3, 31))
    assert [line.player for line in ranked] == ["in"]
    assert short == [("out", 0)]


def best(results: list[tuple[str, str, Decimal]]) -> list[tuple[int, str, str]]:
    weights = [Decimal(weight) for weight in (100, 75, 50, 25)]
    ranked = rank_by_best(results, full=5, half=5, seasons=weights)
    return [(line.place, line.player, str(line.value)) for line in ranked]


def test_four_seasons_weigh_less_the_older_they_are() -> None:
    seasons = {"2025": "100", "2024": "80", "2023": "40", "2022": "20", "2021": "5000"}
    assert best([(season, "p", Decimal(points)) for season, points in seasons.items()]) == [
        (1, "p", "185.00")
    ]


def test_five_best_in_full_and_five_by_half() -> None:
    points = ["10", "10", "10", "10", "10", "1", "1", "1", "1", "1", "0.5"]
    assert best([("2025", "p", Decimal(text)) for text in points]) == [(1, "p", "52.50")]


def test_an_old_season_is_old_for_everybody() -> None:
    results = [("2025", "new", Decimal(10)), ("2024", "old", Decimal(10))]
    assert best(results) == [(1, "new", "10.00"), (2, "old", "7.50")]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["2023", "2024", "2025"]),
            st.sampled_from("abc"),
            st.decimals(0, 1000, places=2),
        )
    ),
    st.randoms(),
)
def test_the_order_of_results_does_not_count(
    results: list[tuple[str, str, Decimal]], order: Random
) -> None:
    shuffled = list(results)
    order.shuffle(shuffled)
    assert best(shuffled) == best(results)
