"""Tables of leagues: the worked day of four teams, ties, penalties."""

import itertools
import math
from decimal import Decimal
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.leagues.core.table import (
    TIES,
    Match,
    Penalty,
    Row,
    TableRule,
    WinPoints,
    explain,
    league_table,
    match_points,
    victory_points,
)

DAY = [
    Match(("A", "B"), ((1386, 1326), (1230, 1502)), 1, 1, 1),
    Match(("C", "D"), ((1404, 1288), (1351, 1311)), 1, 1, 1),
]
"""The first round of a day of four teams: totals 2616, 2828, 2755 and 2599."""


def won(winner: str, loser: str, margin: int, loser_has: int = 1000) -> Match:
    return Match((winner, loser), ((loser_has + margin, loser_has),))


def places(rows: list[Row]) -> list[tuple[int, str]]:
    return [(row.place, row.team) for row in rows]


@pytest.mark.parametrize(
    ("system", "points"),
    [
        ("win_draw", ["0", "2", "2", "0"]),
        ("tables_and_total", ["1", "2", "3", "0"]),
        ("rank_of_group", ["1", "3", "2", "0"]),
        ("victory_points", ["2.22", "17.78", "16.35", "3.65"]),
    ],
)
def test_the_worked_day(system: str, points: list[str]) -> None:
    rows = league_table(list("ABCD"), DAY, TableRule(match=system))  # type: ignore[arg-type]
    by_team = {row.team: row.points for row in rows}
    assert [by_team[team] for team in "ABCD"] == [Decimal(text) for text in points]


def test_a_row_has_all_its_figures() -> None:
    best = league_table(list("ABCD"), DAY)[0]
    assert best == Row("B", 1, 1, 1, 0, 0, Decimal(2), 2828, 2616, ["difference"])
    assert best.difference == 212


def test_halves_where_a_table_or_the_total_is_equal() -> None:
    level = [Match(("A", "B"), ((1300, 1300), (1400, 1200)))]
    assert match_points(level, TableRule(match="tables_and_total")) == [
        (Decimal("2.5"), Decimal("0.5"))
    ]


def test_equal_totals_share_the_places_of_a_group() -> None:
    round_ = [
        Match(("A", "B"), ((1400, 1300),), 1, 1, 1),
        Match(("C", "D"), ((1400, 1200),), 1, 1, 1),
        Match(("E", "F"), ((1000, 2000),), 1, 2, 1),
    ]
    assert match_points(round_, TableRule(match="rank_of_group")) == [
        (Decimal("2.5"), Decimal(1)),
        (Decimal("2.5"), Decimal(0)),
        (Decimal(0), Decimal(1)),
    ]


@given(margin=st.integers(0, 6000), deals=st.integers(1, 99))
def test_victory_points_are_the_formula(margin: int, deals: int) -> None:
    golden = (math.sqrt(5) - 1) / 2
    exact = 10 + 10 * (1 - golden ** (3 * margin / (60 * math.sqrt(deals)))) / (1 - golden**3)
    assert abs(float(victory_points(margin, deals)) - min(exact, 20)) <= 0.005001


SCORES = st.integers(0, 3000)
NAMES = "ABCDEF"


@st.composite
def season(draw: st.DrawFn) -> list[Match]:
    couples = st.lists(st.sampled_from(NAMES), min_size=2, max_size=2, unique=True)
    return [
        Match(
            (one, two),
            tuple(draw(st.lists(st.tuples(SCORES, SCORES), min_size=1, max_size=3))),
            1,
            number,
            number,
        )
        for number, (one, two) in enumerate(draw(st.lists(couples, max_size=12)))
    ]


@given(
    matches=season(),
    system=st.sampled_from(["win_draw", "tables_and_total", "rank_of_group", "victory_points"]),
    ties=st.lists(st.sampled_from(TIES), unique=True),
)
def test_a_table_adds_up(matches: list[Match], system: str, ties: list[str]) -> None:
    rule = TableRule(match=system, ties=tuple(ties))  # type: ignore[arg-type]
    rows = league_table(list(NAMES), matches, rule)
    assert sorted(row.team for row in rows) == list(NAMES)
    assert sum(row.difference for row in rows) == 0
    assert sum(row.played for row in rows) == 2 * len(matches)
    assert [row.points for row in rows] == sorted((row.points for row in rows), reverse=True)
    at_stake = {
        "win_draw": 2 * len(matches),
        "tables_and_total": sum(len(match.tables) + 1 for match in matches),
        "rank_of_group": len(matches),
        "victory_points": 20 * len(matches),
    }[system]
    assert sum(row.points for row in rows) == at_stake
    assert rows[0].place == 1
    for place, (above, row) in enumerate(itertools.pairwise(rows), 2):
        assert row.place in (above.place, place)
        assert row.place == place or row.points == above.points
    if "lot" in ties:
        assert [row.place for row in rows] == list(range(1, len(rows) + 1))


@given(matches=season(), order=st.randoms())
def test_neither_the_order_of_teams_nor_that_of_matches_counts(
    matches: list[Match], order: Random
) -> None:
    teams, shuffled = list(NAMES), list(matches)
    order.shuffle(teams)
    order.shuffle(shuffled)
    assert league_table(teams, shuffled) == league_table(list(NAMES), matches)


def test_equal_to_the_last_tie_break_shares_the_place() -> None:
    level = [Match(("A", "B"), ((1300, 1300),)), won("C", "D", 10)]
    rule = TableRule(ties=("difference",))
    rows = league_table(list("ABCD"), level, rule)
    assert places(rows) == [(1, "C"), (2, "A"), (2, "B"), (4, "D")]
    assert explain(rows, rule)[1] == (
        "2. A: 1 match point from 1 match, as many as B, shares the place with B."
    )


def test_match_points_against_each_other() -> None:
    matches = [won("A", "B", 10), won("A", "C", 10), won("B", "C", 10)]
    matches += [won("B", "D", 500), won("C", "D", 900), won("C", "E", 900)]
    against = league_table(list("ABCDE"), matches, TableRule(ties=("head_to_head",)))
    assert places(against) == [(1, "A"), (2, "B"), (3, "C"), (4, "D"), (4, "E")]
    by_difference = league_table(list("ABCDE"), matches, TableRule(ties=("difference",)))
    assert places(by_difference) == [(1, "C"), (2, "B"), (3, "A"), (4, "E"), (5, "D")]


TWENTE = TableRule(ties=("head_to_head_balance", "quotient", "lot"))


def test_two_teams_are_divided_by_the_balance_between_them() -> None:
    """NBB district Twente: of two, the balance of their matches."""
    matches = [won("A", "B", 30), won("B", "A", 50), won("A", "C", 10), won("B", "C", 900)]
    rows = league_table(list("ABC"), matches, TWENTE)
    assert places(rows) == [(1, "B"), (2, "A"), (3, "C")]
    assert rows[0].decided_by == ["head_to_head_balance"]


def test_of_three_who_won_all_their_matches_goes_first() -> None:
    """NBB district Twente: of three or more first who won all, else the balance of all."""
    matches = [won("A", "B", 1), won("A", "C", 1), won("B", "C", 900)]
    matches += [won("B", "D", 1), won("C", "D", 1), won("C", "E", 1)]
    rows = league_table(list("ABCDE"), matches, TWENTE)
    assert places(rows)[:3] == [(1, "A"), (2, "B"), (3, "C")]
    assert [row.points for row in rows[:3]] == [Decimal(4)] * 3


def test_of_three_in_a_circle_the_balance_decides() -> None:
    matches = [won("A", "B", 10), won("B", "C", 100), won("C", "A", 30)]
    rows = league_table(list("ABC"), matches, TWENTE)
    # A: 10 - 30, B: 100 - 10, C: 30 - 100.
    assert places(rows) == [(1, "B"), (2, "A"), (3, "C")]


def test_the_quotient_decides_where_the_balance_is_equal() -> None:
    matches = [won("A", "C", 100, 1000), won("B", "C", 100, 500)]
    rows = league_table(list("ABC"), matches, TWENTE)
    # 1100 / 1000 and 600 / 500.
    assert places(rows) == [(1, "B"), (2, "A"), (3, "C")]
    assert rows[0].decided_by == ["quotient"]


def test_a_penalty_is_taken_and_told() -> None:
    penalties = [Penalty("B", Decimal("1.5"), "came late")]
    rows = league_table(list("AB"), DAY[:1], None, penalties)
    assert [(row.team, row.points) for row in rows] == [("B", Decimal("0.5")), ("A", Decimal(0))]
    assert explain(rows, TableRule(), penalties)[0] == (
        "1. B: 0.5 match points from 1 match, after a penalty of 1.5 (came late)."
    )


def test_a_win_may_be_worth_something_else() -> None:
    points = WinPoints(Decimal(3), Decimal("1.5"), Decimal("0.5"))
    assert match_points(DAY[:1], TableRule(points=points)) == [(Decimal("0.5"), Decimal(3))]
