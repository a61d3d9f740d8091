"""The problems of `manage.py duplicate` as JSON: every fault of one at once, and the answers."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tournaments.draw.core.json_io import ProblemError, Reader, refuse_constant
from tournaments.duplicate.core.movements import (
    FEWEST_PAIRS,
    KINDS,
    MOST_BOARDS,
    MOST_PAIRS,
    NoMovementError,
    faults_of,
    make_movement,
)
from tournaments.duplicate.core.scoring import (
    AVERAGE,
    COMPARISONS,
    LINES,
    Board,
    BoardResult,
    PairWorth,
    decimal_text,
    score_boards,
)

MOST_POINTS: Final = 10_000
"""More points in one deal than any regulation gives."""


def answer(text: str | bytes) -> str:
    """Solve the problem in this JSON object and return one line of JSON.

    Raises `ProblemError` with every fault of the problem.
    """
    try:
        given = json.loads(text, parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        raise ProblemError(["not JSON in UTF-8"]) from None
    if not isinstance(given, dict):
        raise ProblemError(["not a JSON object"])
    reader = Reader(given)
    do = reader.choice("do", tuple(_PROBLEMS))
    if reader.faults:
        raise ProblemError(reader.faults)
    return json.dumps(_PROBLEMS[do](reader), ensure_ascii=False)


def _score(reader: Reader) -> dict[str, Any]:
    compare = reader.choice("compare", COMPARISONS)
    net = reader.flag("net")
    boards = [
        Board(
            inner.whole("board", 1, MOST_BOARDS),
            tuple(_result(result, compare) for result in inner.objects("results")),
        )
        for inner in reader.objects("boards")
    ]
    _check_boards(reader, boards)
    reader.check()
    worth, pairs = score_boards(boards, compare, net=net)  # type: ignore[arg-type]
    return {
        "boards": [
            {
                "board": board.number,
                "ns": {pair: decimal_text(points) for pair, points in board.ns.items()},
                "ew": {pair: decimal_text(points) for pair, points in board.ew.items()},
            }
            for board in worth
        ],
        "pairs": [_pair_json(pair) for pair in pairs],
    }


def _result(reader: Reader, compare: str) -> BoardResult:
    ns, ew = reader.name("ns"), reader.name("ew")
    if ns and ns == ew:
        reader.fault("ew", f"{ew} against itself")
    points = None
    if reader.given.get("points") is not None:
        sides = reader.object("points")
        ours, theirs = (sides.whole(line, -MOST_POINTS, MOST_POINTS) for line in LINES)
        sides.refuse_others()
        points = ours, theirs
    reader.read.add("points")
    return BoardResult(ns, ew, points, _adjusted(reader, (ns, ew), compare))


def _adjusted(reader: Reader, pairs: Sequence[str], compare: str) -> dict[str, int]:
    """The percentages of a result, of its own pairs only."""
    given = reader.object("adjusted")
    percentages = {}
    for pair in given.given:
        if pair not in pairs:
            given.fault(pair, "does not sit at this table")
            given.read.add(pair)
            continue
        percentages[pair] = given.whole(pair, 0, 100)
        if compare != "matchpoints" and percentages[pair] != AVERAGE:
            given.fault(pair, f"only matchpoints know another percentage than {AVERAGE}")
    return percentages


def _check_boards(reader: Reader, boards: Sequence[Board]) -> None:
    """A board is there once, and a pair plays it once; a team does so once each way."""
    for number, times in Counter(board.number for board in boards).items():
        if times > 1:
            reader.fault("boards", f"board {number} is there {times} times")
    for place, board in enumerate(boards):
        if not board.results:
            reader.fault(f"boards.{place}.results", "is empty")
        for line in LINES:
            for pair, times in Counter(result.pair(line) for result in board.results).items():
                if pair and times > 1:
                    reader.fault(
                        f"boards.{place}.results", f"{pair} plays this board {times} times"
                    )


def _pair_json(pair: PairWorth) -> dict[str, Any]:
    return {
        "pair": pair.pair,
        "line": pair.line,
        "points": decimal_text(pair.points),
        "top": pair.top,
        "percentage": None if pair.percentage is None else f"{pair.percentage:.2f}",
    }


def _movement(reader: Reader) -> dict[str, Any]:
    kind = reader.choice("kind", KINDS)
    pairs = reader.whole("pairs", FEWEST_PAIRS, MOST_PAIRS)
    boards = reader.whole("boards", 1, MOST_BOARDS)
    rounds = None
    if reader.given.get("rounds") is not None:
        rounds = reader.whole("rounds", 1, MOST_BOARDS)
    reader.read.add("rounds")
    reader.check()
    try:
        made = make_movement(kind, pairs, boards, rounds)  # type: ignore[arg-type]
    except NoMovementError as error:
        raise ProblemError([str(error)]) from None
    return {
        "rounds": [
            {
                "tables": [
                    {
                        "table": table.table,
                        "ns": str(table.ns),
                        "ew": str(table.ew),
                        "boards": list(table.boards),
                    }
                    for table in round_.tables
                ],
                "sit_out": [str(pair) for pair in round_.sit_out],
            }
            for round_ in made
        ],
        "verified": not faults_of(made, kind, pairs),  # type: ignore[arg-type]
    }


_PROBLEMS: Final[Mapping[str, Callable[[Reader], dict[str, Any]]]] = {
    "score": _score,
    "movement": _movement,
}
