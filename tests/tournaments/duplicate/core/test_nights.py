"""The same cards at many clubs: all tables compared together, and clubs with each other."""

import time
from decimal import Decimal
from fractions import Fraction
from random import Random

import pytest

from tournaments.duplicate.core.nights import ClubTables, night_ranking
from tournaments.duplicate.core.scoring import Board, BoardResult, score_boards


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
