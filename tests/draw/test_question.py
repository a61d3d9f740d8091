"""Questions that `manage.py draw` refuses, and answers that it does not give."""

import json
from dataclasses import replace

import pytest

from tournaments.draw import DrawError, draw
from tournaments.draw.question import WrongDrawError, answer, read_question, verify

ASKED = {"players": [*"abcdefgh"], "rounds": 1, "method": "lottery"}


def refusal(**asked: object) -> str:
    with pytest.raises(DrawError) as raised:
        answer(json.dumps(asked))
    return str(raised.value)


def test_half_a_surrogate_is_no_name() -> None:
    people = ["\ud800", *"bcd"]
    assert refusal(**{**ASKED, "players": people}) == "players: is not a list of names"
    history = [{"sat_out": ["\udfff"]}]
    assert refusal(**ASKED, history=history) == "history.0.sat_out: is not a list of names"
    assert refusal(**ASKED, apart=[people[:2]]) == "apart: is not a list of couples"


def test_a_draw_that_breaks_the_rules_is_no_answer() -> None:
    asked = read_question(json.dumps(ASKED))
    drawn = draw(players=asked.players, rounds=1, method="lottery")
    verify(drawn, asked)
    with pytest.raises(WrongDrawError, match=r"^the verifier refuses the draw: round 1: i is pl"):
        verify(drawn, replace(asked, players=(*asked.players, "i")))
