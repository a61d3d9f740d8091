"""Draw problems and answers as JSON."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Never, cast

from tournaments.draw.core.check import check_draw
from tournaments.draw.core.engine import draw
from tournaments.draw.core.explain import explain_draw, explanation_text
from tournaments.draw.core.models import (
    Couple,
    Draw,
    Leftover,
    Method,
    Movement,
    PastEvening,
)
from tournaments.draw.core.problem import DrawError, DrawFault

NEEDED = ("players", "rounds", "method")
KEYS = (*NEEDED, "leftover", "fixed", "apart", "seed", "history", "movement", "teams")
HALF = re.compile("[\ud800-\udfff]")
PAST_KEYS = ("attended", "partners", "opponents", "sat_out", "three_handed")


class WrongDrawError(Exception):
    """The draw breaks its own rules; the input is not to blame."""


@dataclass(frozen=True)
class JsonProblem:
    """A problem with valid types; its contents may still be invalid."""

    players: tuple[str, ...]
    rounds: int
    method: Method
    leftover: Leftover
    fixed: tuple[Couple, ...]
    apart: tuple[Couple, ...]
    seed: int
    history: tuple[PastEvening, ...]
    movement: Movement | None
    teams: tuple[tuple[str, ...], ...]


def answer(text: str | bytes) -> str:
    """Solve the problem in this JSON object, verify the draw, and return one line of JSON.

    Raises `DrawError` with every fault of the problem, or `WrongDrawError` as `verify` does.
    """
    problem = read_problem(text)
    drawn = draw(**vars(problem))
    verify(drawn, problem)
    return json.dumps(as_json(drawn, problem), ensure_ascii=False)


def verify(drawn: Draw, problem: JsonProblem) -> None:
    """Raise `WrongDrawError` with every broken rule if the draw does not solve the problem."""
    faults = check_draw(
        problem.players,
        drawn,
        leftover=problem.leftover,
        fixed=problem.fixed,
        apart=problem.apart,
        history=problem.history,
    )
    if faults:
        raise WrongDrawError("the verifier refuses the draw: " + "; ".join(faults))


def as_json(drawn: Draw, problem: JsonProblem) -> dict[str, Any]:
    """The rounds, the number of repeats, and an explanation."""
    return {
        "rounds": [
            {
                "tables": [{"table": table.number, **table.seats} for table in round_.tables],
                "sit_out": list(round_.sit_out),
            }
            for round_ in drawn.rounds
        ],
        "repeats": {"partners": drawn.partner_repeats, "meetings": drawn.meeting_repeats},
        "explanation": explanation_text(
            explain_draw(drawn, fixed=problem.fixed, history=problem.history)
        ),
    }


def read_problem(text: str | bytes) -> JsonProblem:
    """The problem in a JSON object. Raises `DrawError` with every type error."""
    try:
        given = json.loads(text, parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        raise DrawError([_problem_fault("not JSON in UTF-8")]) from None
    if not isinstance(given, dict):
        raise DrawError([_problem_fault("not a JSON object")])
    faults = [_problem_fault(fault) for fault in _faults(given)]
    if faults:
        raise DrawError(faults)
    return JsonProblem(
        players=tuple(given["players"]),
        rounds=given["rounds"],
        method=cast("Method", given["method"]),
        leftover=cast("Leftover", given.get("leftover", "sit_out")),
        fixed=_couples(given.get("fixed", ())),
        apart=_couples(given.get("apart", ())),
        seed=given.get("seed", 0),
        history=tuple(_past(evening) for evening in given.get("history", ())),
        movement=cast("Movement | None", given.get("movement")),
        teams=tuple(tuple(team) for team in given.get("teams", ())),
    )


def _faults(given: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"{key}: is needed" for key in NEEDED if key not in given)
    yield from (f"{key}: is not a key of a draw" for key in given if key not in KEYS)
    for key in ("rounds", "seed"):
        if type(given.get(key, 1)) is not int:
            yield f"{key}: is not a whole number"
    for key in ("method", "leftover", "movement"):
        if not isinstance(given.get(key, ""), str):
            yield f"{key}: is not a text"
    if not _are_names(given.get("players", [])):
        yield "players: is not a list of names"
    for key in ("fixed", "apart"):
        if not _are_couples(given.get(key, [])):
            yield f"{key}: is not a list of couples"
    teams = given.get("teams", [])
    if not isinstance(teams, list) or not all(map(_are_names, teams)):
        yield "teams: is not a list of teams"
    yield from _history_faults(given.get("history", []))


def _history_faults(history: Any) -> Iterator[str]:
    if not isinstance(history, list):
        yield "history: is not a list of evenings"
        return
    for place, evening in enumerate(history):
        yield from (f"history.{place}{fault}" for fault in _past_faults(evening))


def _past_faults(evening: Any) -> Iterator[str]:
    if not isinstance(evening, dict):
        yield ": is not an object"
        return
    yield from (f".{key}: is not a key of an evening" for key in evening if key not in PAST_KEYS)
    for key in ("partners", "opponents"):
        if not _are_couples(evening.get(key, [])):
            yield f".{key}: is not a list of couples"
    for key in ("attended", "sat_out", "three_handed"):
        if not _are_names(evening.get(key, [])):
            yield f".{key}: is not a list of names"


def _past(evening: Mapping[str, Any]) -> PastEvening:
    return PastEvening(
        attended=tuple(evening.get("attended", ())),
        partners=_couples(evening.get("partners", ())),
        opponents=_couples(evening.get("opponents", ())),
        sat_out=tuple(evening.get("sat_out", ())),
        three_handed=tuple(evening.get("three_handed", ())),
    )


def _couples(given: Any) -> tuple[Couple, ...]:
    return tuple((player, other) for player, other in given)


def _are_couples(given: Any) -> bool:
    return isinstance(given, list) and all(
        _are_names(couple) and len(couple) == 2 for couple in given
    )


def _are_names(given: Any) -> bool:
    return isinstance(given, list) and all(map(is_name, given))


def is_name(given: Any) -> bool:
    """Whether this is a non-blank string without lone surrogates, which cannot be encoded."""
    return isinstance(given, str) and bool(given.strip()) and not HALF.search(given)


def _problem_fault(what: str) -> DrawFault:
    return DrawFault("bad_question", {"what": what})


def refuse_constant(constant: str) -> Never:
    """For `json.loads`: NaN and Infinity are no JSON. Raises `ValueError`."""
    raise ValueError(constant)
