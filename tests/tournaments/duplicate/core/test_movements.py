"""Movements: who meets whom, over which boards, for any number of pairs."""

import json
import subprocess
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.draw.core.json_io import ProblemError
from tournaments.duplicate.core.json_io import answer
from tournaments.duplicate.core.movements import (
    KINDS,
    Kind,
    MovementRound,
    NoMovementError,
    TableRound,
    comparisons,
    faults_of,
    make_movement,
    room_blocks,
)

ROOT = Path(__file__).parents[4]


def movement(kind: str, pairs: int, boards: int, rounds: int | None = None) -> Any:
    problem = {
        "do": "movement",
        "kind": kind,
        "pairs": pairs,
        "boards": boards,
        "rounds": rounds,
    }
    return json.loads(answer(json.dumps(problem)))


def test_one_object_in_and_one_out() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "duplicate"],
        cwd=ROOT,
        input='{"do": "movement", "kind": "mitchell", "pairs": 12, "boards": 24, "rounds": null}',
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    made = json.loads(done.stdout)
    assert made["verified"] is True
    assert made["rounds"][0] == {
        "tables": [
            {
                "table": table,
                "ns": str(table),
                "ew": str(table + 6),
                "boards": list(range(4 * table - 3, 4 * table + 1)),
            }
            for table in range(1, 7)
        ],
        "sit_out": [],
    }


@pytest.mark.full
def test_bad_input_is_one_line_and_exit_2() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "duplicate"],
        cwd=ROOT,
        input='{"do": "movement", "kind": "mitchel", "pairs": 3, "boards": 24}',
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "kind: is none of mitchell, howell, teams_of_four; "
        "pairs: is not a whole number from 4 to 64\n"
    )


def test_six_tables_skip_halfway_and_play_five_rounds() -> None:
    rounds = movement("mitchell", 12, 24)["rounds"]
    of_pair_7 = [
        (table["ns"], table["boards"][0])
        for round_ in rounds
        for table in round_["tables"]
        if table["ew"] == "7"
    ]
    assert of_pair_7 == [("1", 1), ("2", 9), ("3", 17), ("5", 5), ("6", 13)]


def test_all_rounds_of_an_even_number_of_tables_share_boards() -> None:
    made = make_movement("mitchell", 8, 16, 4)
    assert faults_of(made, "mitchell", 8) == []
    met = {(table.ns, table.ew) for round_ in made for table in round_.tables}
    assert len(met) == 16


def test_in_a_howell_everybody_meets_everybody_over_every_board() -> None:
    made = make_movement("howell", 12, 22)
    met = Counter(frozenset((table.ns, table.ew)) for round_ in made for table in round_.tables)
    assert met == Counter(map(frozenset, combinations(range(1, 13), 2)))
    for round_ in made:
        at_tables = [board for table in round_.tables for board in table.boards]
        assert len(at_tables) == len(set(at_tables)) == 12


def test_an_odd_pair_sits_out_in_turn() -> None:
    made = make_movement("howell", 9, 18)
    assert sorted(pair for round_ in made for pair in round_.sit_out) == list(range(1, 10))


def test_a_teams_pairs_play_the_same_boards_both_ways() -> None:
    made = make_movement("teams_of_four", 16, 28)
    assert len(made) == 7
    for round_ in made:
        by_match: dict[frozenset[int], list[TableRound]] = {}
        for table in round_.tables:
            teams = frozenset(((table.ns + 1) // 2, (table.ew + 1) // 2))
            by_match.setdefault(teams, []).append(table)
        for teams, (one, other) in by_match.items():
            assert len(teams) == 2
            assert one.boards == other.boards
            assert (one.ns + 1) // 2 == (other.ew + 1) // 2


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
def test_every_number_of_pairs_has_its_movement(kind: Kind) -> None:
    for pairs in range(4, 65, 2 if kind == "teams_of_four" else 1):
        assert faults_of(make_movement(kind, pairs, 24), kind, pairs) == []


@given(
    st.sampled_from(KINDS), st.integers(4, 40), st.integers(1, 64), st.none() | st.integers(1, 30)
)
def test_what_is_made_keeps_its_promises(
    kind: Kind, pairs: int, boards: int, rounds: int | None
) -> None:
    try:
        made = make_movement(kind, pairs, boards, rounds)
    except NoMovementError:
        assert (kind == "teams_of_four" and pairs % 2) or (rounds or 1) > boards
        return
    assert faults_of(made, kind, pairs) == []
    assert rounds in (None, len(made))
    assert {len(table.boards) for round_ in made for table in round_.tables} == {
        len(made[0].tables[0].boards)
    }


@pytest.mark.parametrize("pairs", [8, 12, 16, 20, 24])
def test_comparisons_in_a_howell_are_balanced(pairs: int) -> None:
    """With 4k pairs, half of whom sit each way, two pairs are compared on just under half of the
    boards; none is far from that."""
    boards = pairs - 1
    compared = comparisons(make_movement("howell", pairs, boards * 2))
    times = [compared[couple] / 2 for couple in combinations(range(1, pairs + 1), 2)]
    assert max(times) - min(times) <= 4
    assert sum(times) / len(times) == pytest.approx(pairs / 2 - 1)


def test_the_verifier_sees_what_is_wrong() -> None:
    table = TableRound(1, 1, 2, (1,))
    twice = [MovementRound((table,), (3, 4)), MovementRound((table,), (3,))]
    assert faults_of(twice, "howell", 4) == [
        "round 2: not everybody is at one place",
        "pair 1 plays board 1 2 times",
        "pair 2 plays board 1 2 times",
        "pairs 1 and 2 meet 2 times",
    ]


@pytest.mark.parametrize(
    ("kind", "pairs", "boards", "rounds", "fault"),
    [
        ("teams_of_four", 9, 24, None, "9 pairs do not make whole teams"),
        ("howell", 12, 5, 6, "5 boards are not enough for 6 rounds"),
    ],
)
def test_what_cannot_be_played_is_said(
    kind: str, pairs: int, boards: int, rounds: int | None, fault: str
) -> None:
    with pytest.raises(ProblemError) as caught:
        movement(kind, pairs, boards, rounds)
    assert caught.value.faults == [fault]


@pytest.mark.parametrize("side", [3, 5, 8])
def test_there_is_no_small_or_even_room_square(side: int) -> None:
    with pytest.raises(ValueError, match=f"side of {side}"):
        room_blocks(side)
