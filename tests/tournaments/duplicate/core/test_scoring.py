"""What results on boards are worth: the worked figures of the game, and properties; and the same
cards at many clubs, all tables compared together and clubs with each other."""

import json
import time
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.draw.core.json_io import ProblemError
from tournaments.duplicate.core.json_io import answer
from tournaments.duplicate.core.scoring import (
    Board,
    BoardResult,
    ClubTables,
    decimal_text,
    night_ranking,
    score_boards,
)

WORKED = [(102, 60), (0, 162), (262, 0)]


def result(ns: str, ew: str, points: tuple[int, int] | None = None, **more: Any) -> dict[str, Any]:
    line: dict[str, Any] = {"ns": ns, "ew": ew, **more}
    return line if points is None else line | {"points": {"NS": points[0], "EW": points[1]}}


def score(*results: dict[str, Any], compare: str = "matchpoints", **more: Any) -> Any:
    boards = [{"board": 1, "results": list(results)}]
    return json.loads(
        answer(json.dumps({"do": "score", "compare": compare, "boards": boards, **more}))
    )


def worked(compare: str = "matchpoints", **more: Any) -> Any:
    rows = [result(str(2 * at + 1), str(2 * at + 2), both) for at, both in enumerate(WORKED)]
    return score(*rows, compare=compare, **more)


def faults(problem: Any) -> list[str]:
    with pytest.raises(ProblemError) as caught:
        answer(json.dumps(problem))
    return caught.value.faults


def test_each_line_is_compared_by_its_own_score() -> None:
    assert worked() == {
        "boards": [
            {
                "board": 1,
                "ns": {"1": "2", "3": "0", "5": "4"},
                "ew": {"2": "2", "4": "4", "6": "0"},
            }
        ],
        "pairs": [
            {"pair": pair, "line": line, "points": points, "top": 4, "percentage": percentage}
            for pair, line, points, percentage in [
                ("5", "NS", "4", "100.00"),
                ("1", "NS", "2", "50.00"),
                ("3", "NS", "0", "0.00"),
                ("4", "EW", "4", "100.00"),
                ("2", "EW", "2", "50.00"),
                ("6", "EW", "0", "0.00"),
            ]
        ],
    }


def test_net_is_the_difference_of_the_sides() -> None:
    rows = [(152, 10), (112, 50), (112, 50), (76, 86)]
    answered = score(*(result(f"n{at}", f"e{at}", both) for at, both in enumerate(rows)), net=True)
    (board,) = answered["boards"]
    assert board["ns"] == {"n0": "6", "n1": "3", "n2": "3", "n3": "0"}
    assert board["ew"] == {"e0": "0", "e1": "3", "e2": "3", "e3": "6"}


def test_the_mean_of_a_line_is_what_differences_are_to() -> None:
    answered = worked("mean_difference")
    assert answered["boards"][0]["ns"] == {"1": "-19.33", "3": "-121.33", "5": "140.67"}
    assert answered["pairs"][0] == {
        "pair": "5",
        "line": "NS",
        "points": "140.67",
        "top": None,
        "percentage": None,
    }


def test_a_teams_swing_counts_once() -> None:
    answered = score(result("A", "B", (112, 50)), result("B", "A", (92, 70)), compare="cross")
    assert answered["boards"][0]["ns"] == {"A": "40", "B": "-40"}
    assert [(row["pair"], row["points"]) for row in answered["pairs"]] == [
        ("A", "40"),
        ("B", "-40"),
    ]


def test_a_director_gives_part_of_the_top_and_the_rest_is_stretched() -> None:
    answered = score(
        result("1", "2", adjusted={"1": 60, "2": 40}),
        result("3", "4", (102, 60)),
        result("5", "6", (82, 80)),
    )
    assert answered["boards"][0]["ns"] == {"3": "3.5", "5": "0.5", "1": "2.4"}
    assert answered["boards"][0]["ew"] == {"6": "3.5", "4": "0.5", "2": "1.6"}


def test_a_board_that_was_not_played_is_an_average() -> None:
    answered = score(result("1", "2"), result("3", "4", (102, 60)), result("5", "6", (82, 80)))
    assert answered["boards"][0]["ns"]["1"] == "2"
    assert {row["pair"]: row["percentage"] for row in answered["pairs"]}["2"] == "50.00"


def test_every_fault_is_named_at_once() -> None:
    boards = [
        {"board": 1, "results": [result("1", "1"), result("1", "2", (1, 161), extra=1)]},
        {"board": 1, "results": []},
        {"board": 0, "results": [result("3", "4", adjusted={"5": 60, "3": 101})]},
    ]
    assert faults({"do": "score", "compare": "matchpoints", "boards": boards, "net": 1}) == [
        "net: is neither true nor false",
        "boards.0.results.0.ew: 1 against itself",
        "boards.0.results.1.extra: is not a key here",
        "boards.2.board: is not a whole number from 1 to 999",
        "boards.2.results.0.adjusted.5: does not sit at this table",
        "boards.2.results.0.adjusted.3: is not a whole number from 0 to 100",
        "boards: board 1 is there 3 times",
        "boards.0.results: 1 plays this board 2 times",
        "boards.1.results: is empty",
    ]


def test_without_a_top_there_is_only_the_average() -> None:
    boards = [{"board": 1, "results": [result("1", "2", adjusted={"1": 60, "2": 50})]}]
    assert faults({"do": "score", "compare": "mean_difference", "boards": boards}) == [
        "boards.0.results.0.adjusted.1: only matchpoints know another percentage than 50"
    ]


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """A board with some results that were not played."""
    tables = draw(st.integers(1, 12))
    points = st.none() | st.tuples(st.integers(0, 262), st.integers(0, 262))
    return Board(1, tuple(BoardResult(f"n{at}", f"e{at}", draw(points)) for at in range(tables)))


@given(boards(), st.booleans())
def test_a_lines_matchpoints_add_up(board: Board, net: bool) -> None:
    (worth,), _pairs = score_boards([board], "matchpoints", net=net)
    count = len(board.results)
    assert sum(worth.ns.values()) == sum(worth.ew.values()) == count * (count - 1)


@given(boards())
def test_matchpoints_are_those_of_a_plain_program(board: Board) -> None:
    (worth,), _pairs = score_boards([board], "matchpoints")
    played = [one for one in board.results if one.points]
    for one in played:
        own = one.points[0] if one.points else 0
        beaten = [other.points[0] for other in played if other is not one and other.points]
        plain = sum(2 if own > theirs else own == theirs for theirs in beaten)
        expected = Fraction((plain + 1) * len(board.results), len(played)) - 1
        assert worth.ns[one.ns] == expected


@given(boards())
def test_differences_and_swings_of_a_line_add_up_to_nothing(board: Board) -> None:
    for compare in ("mean_difference", "cross"):
        (worth,), _pairs = score_boards([board], compare)
        assert sum(worth.ns.values()) == sum(worth.ew.values()) == 0


def test_points_are_written_without_needless_noughts() -> None:
    values = [Fraction(2), Fraction(7, 2), Fraction(-58, 3), Fraction(-1, 1000), Fraction(10)]
    assert [decimal_text(value) for value in values] == ["2", "3.5", "-19.33", "0", "10"]


def club(key: str, *points: tuple[int, int], folders: int = 1) -> ClubTables:
    """A table for each of these results, which are the same on each folder."""
    tables = [BoardResult(str(at), str(10 + at), both) for at, both in enumerate(points, start=1)]
    return ClubTables(key, dict.fromkeys(range(1, folders + 1), tables))


def test_pairs_of_one_number_at_two_clubs_are_two_pairs() -> None:
    found = night_ranking([club("a", (100, 62)), club("b", (90, 72))], "matchpoints")
    assert [(row.place, row.club, row.pair, row.worth.percentage) for row in found.pairs] == [
        (1, "a", "1", Decimal(100)),
        (1, "b", "11", Decimal(100)),
        (3, "a", "11", Decimal(0)),
        (3, "b", "1", Decimal(0)),
    ]


def test_a_club_stands_by_its_best_three_pairs() -> None:
    made = [
        club("a", (162, 0), (140, 22), (10, 152), (20, 142)),
        club("b", (80, 82), (81, 81), (82, 80), (79, 83)),
    ]
    found = night_ranking(made, "matchpoints")
    values = {row.club: row.value for row in found.clubs}
    for key, value in values.items():
        own = sorted((row.value for row in found.pairs if row.club == key), reverse=True)
        assert value == sum(own[:3], Fraction(0)) / 3
    assert [(row.place, row.club, row.pairs) for row in found.clubs] == [(1, "a", 8), (2, "b", 8)]


def test_what_all_pairs_of_a_club_have_together_says_nothing() -> None:
    made = [club("a", (162, 0), (162, 0)), club("b", (0, 162), (0, 162))]
    found = night_ranking(made, "matchpoints", net=True)
    for key in ("a", "b"):
        own = [row.value for row in found.pairs if row.club == key]
        assert sum(own) / len(own) == 50


@pytest.mark.parametrize("compare", ["matchpoints", "mean_difference", "cross"])
def test_one_club_alone_has_what_it_has_at_home(compare: str) -> None:
    chance = Random(1)
    points = [(chance.randint(0, 162), chance.randint(0, 162)) for _ in range(6)]
    alone = club("a", *points, folders=3)
    found = night_ranking([alone], compare)  # type: ignore[arg-type]
    boards = [Board(number, tuple(results)) for number, results in alone.boards.items()]
    _worth, pairs = score_boards(boards, compare)  # type: ignore[arg-type]
    assert {row.pair: row.worth.points for row in found.pairs} == {
        row.pair: row.points for row in pairs
    }


@pytest.mark.full
def test_five_hundred_tables_of_24_folders_take_under_two_seconds() -> None:
    chance = Random(22)

    def points() -> tuple[int, int]:
        ns = chance.randint(0, 162)
        return ns + chance.choice([0, 0, 20, 50]), 162 - ns

    made = [
        ClubTables(
            f"club {at}",
            {
                folder: [BoardResult(str(n), str(20 + n), points()) for n in range(1, 11)]
                for folder in range(1, 25)
            },
        )
        for at in range(50)
    ]
    start = time.process_time()
    found = night_ranking(made, "matchpoints")
    assert time.process_time() - start < 2
    assert (len(found.pairs), len(found.clubs)) == (1_000, 50)
