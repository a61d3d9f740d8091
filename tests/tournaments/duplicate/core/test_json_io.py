"""`manage.py duplicate` with what is no number: a fault that names the place, and no crash."""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from tournaments.draw.core.json_io import ProblemError
from tournaments.duplicate.core.json_io import answer

SCORE = {
    "do": "score",
    "compare": "matchpoints",
    "net": False,
    "boards": [
        {
            "board": 1,
            "results": [
                {"ns": "1", "ew": "2", "points": {"NS": 102, "EW": 60}, "adjusted": {"1": 60}}
            ],
        }
    ],
}
MOVEMENT = {"do": "movement", "kind": "mitchell", "pairs": 12, "boards": 24, "rounds": 4}


def places(part: Any, path: str = "") -> Iterator[tuple[Any, Any, str]]:
    """Each key of a problem, with the part that it is in and the path to it."""
    for key in [*part] if isinstance(part, dict) else range(len(part)):
        yield part, key, f"{path}{key}"
        if isinstance(part[key], dict | list):
            yield from places(part[key], f"{path}{key}.")


def faulty(problem: dict[str, Any], number: str) -> Iterator[tuple[str, str]]:
    """The problem with this in each of its places in turn."""
    whole = deepcopy(problem)
    for part, key, path in [*places(whole)]:
        was, part[key] = part[key], "<here>"
        yield path, json.dumps(whole).replace('"<here>"', number)
        part[key] = was


@pytest.mark.parametrize("number", ["1e999", "-1e999", "1e-999", "1.5", "NaN", "1" + "0" * 400])
@pytest.mark.parametrize("problem", [SCORE, MOVEMENT], ids=["score", "movement"])
def test_every_place_is_named(problem: dict[str, Any], number: str) -> None:
    assert answer(json.dumps(problem))
    for path, text in faulty(problem, number):
        with pytest.raises(ProblemError) as caught:
            answer(text)
        if number != "NaN":
            assert any(fault.startswith(f"{path}:") for fault in caught.value.faults), path
