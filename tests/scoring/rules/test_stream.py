"""Deals as a stream: by the library, and by `manage.py score` as a real process."""

import io
import json
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from scoring.rules import score_line, score_stream

ROOT = Path(__file__).parents[3]
DEAL = {"regulation": "amsterdam", "declarer": "N", "trump": "H", "points": {"EW": 65}}
GOOD = json.dumps(DEAL).encode()


def answers(text: bytes) -> tuple[list[Any], bool]:
    sink = io.BytesIO()
    clean = score_stream(io.BytesIO(text), sink)
    return [json.loads(line) for line in sink.getvalue().splitlines()], clean


def codes(answer: dict[str, Any]) -> list[str]:
    return [error["code"] for error in answer.get("errors", [])]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"   ",
        b"null",
        b"[]",
        b"5",
        b'"deal"',
        b"deal",
        b"NaN",
        b'{"points": {"NS": NaN}}',
        b'{"points": {"NS": Infinity}}',
        b'{"points": {"NS": -Infinity}}',
        b'{"points": {"NS": 1e999}}',
        b'{"points": {"NS": ' + b"9" * 5000 + b"}}",
        b'{"declarer": "\xff"}',
        b'{"declarer": "\xed\xa0\x80"}',
        '{"declarer": "N"}'.encode("utf-16"),
        b'{"points": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"a": ' * 100_000,
        b'{"declarer": "N"',
        GOOD + GOOD,
        b'{"declarer": "' + b"N" * (1 << 20) + b'"}',
    ],
    ids=lambda line: repr(line[:30]),
)
def test_a_line_that_is_no_object_is_bad_json_and_the_stream_goes_on(line: bytes) -> None:
    found, clean = answers(b"\n".join([GOOD, line, GOOD, b""]))
    assert not clean
    assert found == [score_line(DEAL), score_line(None), score_line(DEAL)]
    assert found[1]["errors"] == [
        {"code": "bad_json", "field": "", "message": "This is not a JSON object."}
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"{}", ["missing", "missing", "missing", "missing"]),
        (b'{"declarer": "\\ud800", "trump": "H", "pit": "NS"}', ["missing", "bad_value"]),
        (GOOD.replace(b"65", b"1" * 400), ["points_range"]),
        (GOOD.replace(b"65", b"65.0"), ["bad_type"]),
        (GOOD.replace(b"65", b"[" * 200 + b"]" * 200), ["bad_type"]),
        (GOOD + b"\r", []),
        (b"\t" + GOOD, []),
    ],
    ids=lambda value: repr(value[:30]),
)
def test_an_object_is_no_bad_json_whatever_is_in_it(line: bytes, expected: list[str]) -> None:
    found, clean = answers(line + b"\n")
    assert clean
    assert [codes(answer) for answer in found] == [expected]


def test_a_sheet_line_and_a_deal_card_by_card_come_in_one_stream() -> None:
    cards = [rank + suit for rank in "789TJQKA" for suit in "CDHS"]
    bid = {"regulation": "rotterdam", "declarer": "W", "trump": "C"}
    by_card = {**bid, "leader": "N", "cards": cards}
    found, clean = answers(b"\n".join([GOOD, json.dumps(by_card).encode(), GOOD]))
    assert clean
    assert found == [score_line(DEAL), score_line(by_card), score_line(DEAL)]
    # Who leads the trump has every trick, and each four of a kind: 7 of 100 and the jacks.
    assert found[1]["score"] == {"NS": 162 + 900 + 100, "EW": 0}
    assert (len(found[1]["tricks"]), found[1]["reneges"]) == (8, [])


def test_nothing_is_answered_to_nothing() -> None:
    assert answers(b"") == ([], True)


def test_the_last_line_needs_no_end() -> None:
    assert answers(GOOD + b"\n" + GOOD) == ([score_line(DEAL)] * 2, True)


def test_a_line_longer_than_any_deal_is_one_fault_and_is_not_kept() -> None:
    class Endless(io.BytesIO):
        """Gives 32 MB of one line in pieces, then a deal."""

        pieces = 32 * 16

        def read1(self, size: int | None = -1, /) -> bytes:
            self.pieces -= 1
            if self.pieces >= 0:
                return b"[" * (1 << 16)
            return b"\n" + GOOD + b"\n" if self.pieces == -1 else b""

    sink = io.BytesIO()
    tracemalloc.start()
    assert not score_stream(Endless(), sink)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 << 20
    assert [codes(json.loads(line)) for line in sink.getvalue().splitlines()] == [["bad_json"], []]


@contextmanager
def scoring_process() -> Iterator[subprocess.Popen[bytes]]:
    # A database that cannot be reached shows that none is needed.
    environment = {**os.environ, "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"}
    with subprocess.Popen(
        [sys.executable, "manage.py", "score"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=environment,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_line_is_answered_before_the_next_is_sent() -> None:
    with scoring_process() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        for _ in range(3):
            process.stdin.write(GOOD + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline()) == score_line(DEAL)
        process.stdin.close()
        assert process.wait(timeout=30) == 0
        assert process.stderr.read() == b""


@pytest.mark.parametrize(
    ("text", "status", "count"),
    [
        (GOOD + b"\n\n" + GOOD, 1, 3),
        ((GOOD + b'\n{"regulation": "x"}\n') * 2500, 0, 5000),
    ],
)
def test_the_exit_status_tells_of_lines_that_were_no_objects(
    text: bytes, status: int, count: int
) -> None:
    with scoring_process() as process:
        answer, errors = process.communicate(text, timeout=60)
    assert (process.returncode, answer.count(b"\n"), errors) == (status, count, b"")


@pytest.mark.full
def test_a_reader_who_stops_early_gets_no_stack_trace() -> None:
    pipeline = "yes '{}' | \"$0\" manage.py score | head -n 1"
    done = subprocess.run(
        ["sh", "-c", pipeline, sys.executable], cwd=ROOT, capture_output=True, check=True
    )
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b""
