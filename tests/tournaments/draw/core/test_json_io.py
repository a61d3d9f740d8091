"""Questions that `manage.py draw` refuses, and answers that it does not give."""

import json
from dataclasses import replace

import pytest

from tournaments.draw.core.engine import draw
from tournaments.draw.core.json_io import WrongDrawError, answer, read_problem, verify
from tournaments.draw.core.problem import DrawError

ASKED = {"players": [*"abcdefgh"], "rounds": 1, "method": "lottery"}
PAIRS = {**ASKED, "method": "pairs", "fixed": [["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"]]}


def refusal(**problem: object) -> str:
    with pytest.raises(DrawError) as raised:
        answer(json.dumps(problem))
    return str(raised.value)


def test_half_a_surrogate_is_no_name() -> None:
    people = ["\ud800", *"bcd"]
    assert refusal(**{**ASKED, "players": people}) == "players: is not a list of names"
    history = [{"sat_out": ["\udfff"]}]
    assert refusal(**ASKED, history=history) == "history.0.sat_out: is not a list of names"
    assert refusal(**ASKED, apart=[people[:2]]) == "apart: is not a list of couples"


def test_pairs_of_whom_two_must_not_meet() -> None:
    # Pairs 1 and 2 are at table 1 in the first round; pairs 1 and 3 both move and never meet.
    assert refusal(**PAIRS, apart=[["c", "a"]]) == "the couples leave no way to seat everybody"
    solved = json.loads(answer(json.dumps({**PAIRS, "rounds": 4, "apart": [["a", "e"]]})))
    assert len(solved["rounds"]) == 4


def test_pairs_who_would_meet_after_the_last_round() -> None:
    solved = json.loads(answer(json.dumps({**PAIRS, "apart": [["a", "g"]]})))
    assert [table["N"] for table in solved["rounds"][0]["tables"]] == ["c", "g"]
    meeting = {**PAIRS, "rounds": 2, "apart": [["a", "g"]]}
    assert refusal(**meeting) == "the couples leave no way to seat everybody"


def test_a_draw_that_breaks_the_rules_is_no_answer() -> None:
    problem = read_problem(json.dumps(ASKED))
    drawn = draw(players=problem.players, rounds=1, method="lottery")
    verify(drawn, problem)
    with pytest.raises(WrongDrawError, match=r"^the verifier refuses the draw: round 1: i is pl"):
        verify(drawn, replace(problem, players=(*problem.players, "i")))


@pytest.mark.parametrize(
    ("problem", "fault"),
    [
        ({"players": 2001}, "at most 2000 players can be drawn, and there are 2001"),
        ({"rounds": 1001}, "at most 1000 rounds can be drawn, not 1001"),
    ],
)
def test_more_than_can_be_drawn(problem: dict[str, int], fault: str) -> None:
    people = [f"p{number}" for number in range(problem.get("players", 8))]
    with pytest.raises(DrawError, match=f"^{fault}$"):
        draw(players=people, rounds=problem.get("rounds", 3), method="lottery")


def test_couples_of_whom_somebody_is_absent_contradict_nobody() -> None:
    drawn = draw(
        players=["a", "b", "c", "d"],
        rounds=1,
        method="lottery",
        fixed=[("a", "b"), ("a", "zz")],
        apart=[("b", "zz")],
    )
    assert ("a", "b") in drawn.rounds[0].tables[0].partners()
