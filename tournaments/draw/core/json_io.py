"""Draw problems and answers as JSON; and reading the objects of any problem key by key, with every
fault in its place."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any, Final, Never, cast

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


_DECIMAL: Final = re.compile(r"-?\d{1,12}(\.\d{1,6})?", re.ASCII)
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
MOST: Final = 1_000_000
"""More points, deals or people than this is a slip of whoever made the file."""


class ProblemError(ValueError):
    """A problem that cannot be solved; `faults` say what and where, all of them."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = list(faults)
        super().__init__("; ".join(self.faults))


@dataclass
class Reader:
    """Reads an object key by key and keeps every fault; what is faulty is read as something
    harmless."""

    given: Mapping[str, Any]
    path: str = ""
    faults: list[str] = field(default_factory=list)
    read: set[str] = field(default_factory=set)

    def fault(self, key: str, what: str) -> None:
        """Keep a fault at this key."""
        self.faults.append(f"{self.path}{key}: {what}")

    def _has(self, key: str, *, needed: bool) -> bool:
        self.read.add(key)
        if needed and key not in self.given:
            self.fault(key, "is needed")
        return key in self.given

    def choice(self, key: str, allowed: Sequence[str], default: str | None = None) -> str:
        """One of these words."""
        if self._has(key, needed=default is None):
            if self.given[key] in allowed:
                return str(self.given[key])
            self.fault(key, f"is none of {', '.join(allowed)}")
        return default or allowed[0]

    def flag(self, key: str) -> bool:
        """True or false; false if it is left out."""
        value = self.given[key] if self._has(key, needed=False) else False
        if not isinstance(value, bool):
            self.fault(key, "is neither true nor false")
        return value is True

    def whole(self, key: str, least: int, most: int = MOST, default: int | None = None) -> int:
        """A whole number within these bounds."""
        if self._has(key, needed=default is None):
            value = self.given[key]
            if type(value) is int and least <= value <= most:
                return value
            self.fault(key, f"is not a whole number from {least} to {most}")
        return least if default is None else default

    def whole_if_given(self, key: str) -> int | None:
        """A number from 1, or None."""
        return self.whole(key, 1) if self._has(key, needed=False) else None

    def decimal(self, key: str, default: int | None = None) -> Decimal:
        """A decimal number, as a text or a whole number."""
        if self._has(key, needed=default is None):
            return self._decimal(key, self.given[key])
        return Decimal(default or 0)

    def decimals(self, key: str) -> list[Decimal]:
        """A list of decimal numbers."""
        values = enumerate(self.list(key))
        return [self._decimal(f"{key}.{place}", value) for place, value in values]

    def _decimal(self, key: str, value: object) -> Decimal:
        text = str(value) if type(value) is int else value
        if isinstance(text, str) and _DECIMAL.fullmatch(text):
            return Decimal(text)
        self.fault(key, "is not a decimal number in a text")
        return Decimal(0)

    def name(self, key: str, default: str | None = None) -> str:
        """A text that is not blank."""
        if self._has(key, needed=default is None):
            if is_name(self.given[key]):
                return str(self.given[key])
            self.fault(key, "is not a name")
        return default or ""

    def day(self, key: str) -> date:
        """An ISO date."""
        if self._has(key, needed=True):
            value = self.given[key]
            if isinstance(value, str) and _DATE.fullmatch(value):
                try:
                    return date.fromisoformat(value)
                except ValueError:
                    pass
            self.fault(key, "is not a date such as 2026-01-04")
        return date.min

    def names(self, key: str, default: Sequence[str] | None = None) -> tuple[str, ...]:
        """A list of names, each once."""
        values = self.list(key, default)
        if not all(map(is_name, values)):
            self.fault(key, "is not a list of names")
            return ()
        for name, times in Counter(values).items():
            if times > 1:
                self.fault(key, f"has {name} more than once")
        return tuple(values)

    def pair(self, key: str) -> tuple[str, str] | None:
        """Two names; None where they are not."""
        values = self.list(key)
        if len(values) == 2 and all(map(is_name, values)):
            return values[0], values[1]
        if key in self.given:
            self.fault(key, "is not a list of two names")
        return None

    def pairs(self, key: str) -> list[tuple[str, str]]:
        """A list of two names each; it may be left out."""
        couples = []
        for place, value in enumerate(self.list(key, ())):
            if isinstance(value, list) and len(value) == 2 and all(map(is_name, value)):
                couples.append((value[0], value[1]))
            else:
                self.fault(f"{key}.{place}", "is not a list of two names")
        return couples

    def scores(self, key: str) -> list[tuple[int, int]]:
        """A list of two whole numbers each, at least one."""
        values, scores = self.list(key), []
        for place, value in enumerate(values):
            if (
                isinstance(value, list)
                and [type(points) for points in value] == [int, int]
                and max(map(abs, value)) <= MOST
            ):
                scores.append((value[0], value[1]))
            else:
                self.fault(f"{key}.{place}", "is not a list of two whole numbers")
        if key in self.given and isinstance(self.given[key], list) and not values:
            self.fault(key, "is empty")
        return scores

    def objects(self, key: str, *, needed: bool = True) -> Iterator["Reader"]:
        """A reader for each object of a list; what is in it besides what was asked is a fault."""
        for place, value in enumerate(self.list(key, None if needed else ())):
            if isinstance(value, dict):
                inner = Reader(value, f"{self.path}{key}.{place}.", self.faults)
                yield inner
                inner.refuse_others()
            else:
                self.fault(f"{key}.{place}", "is not an object")

    def object(self, key: str) -> "Reader":
        """A reader for the object at this key, which may be left out."""
        value = self.given[key] if self._has(key, needed=False) else {}
        if not isinstance(value, dict):
            self.fault(key, "is not an object")
            value = {}
        return Reader(value, f"{self.path}{key}.", self.faults)

    def list(self, key: str, default: Sequence[Any] | None = None) -> Sequence[Any]:
        """A list of anything."""
        if self._has(key, needed=default is None):
            if isinstance(self.given[key], list):
                return self.given[key]  # type: ignore[no-any-return]
            self.fault(key, "is not a list")
        return default or ()

    def refuse_others(self) -> None:
        """Keep a fault for each key that was not asked for."""
        for key in self.given:
            if key not in self.read:
                self.fault(key, "is not a key here")

    def check(self) -> None:
        """Raise `ProblemError` if there was any fault."""
        self.refuse_others()
        if self.faults:
            raise ProblemError(self.faults)
