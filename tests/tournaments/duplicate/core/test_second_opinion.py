"""Whole evenings by matchpoints beside two other programs: a plain one that counts each pair
beaten, and `salliere`, a scorer of bridge that Debian has.

`salliere` is given points in place of contracts. It stretches what was played on a board to the
top of the board that was played most in its file."""

import csv
import shutil
import subprocess
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from tournaments.duplicate.core.movements import Kind, make_movement
from tournaments.duplicate.core.scoring import Board, BoardResult, Line, score_boards

EVENINGS = 50
AVERAGE = "av="
BOTH: tuple[Line, Line] = ("NS", "EW")
Worth = dict[tuple[int, str, Line], Fraction]


def made_up(seed: int) -> list[Board]:
    """An evening with a movement and points as tables make them; a table did not play some."""
    chance = Random(seed)
    pairs = 2 * chance.randint(2, 7)
    kind: Kind = chance.choice(["mitchell", "howell"])
    rounds = make_movement(kind, pairs, 24)
    results: dict[int, list[BoardResult]] = defaultdict(list)
    for round_ in rounds:
        for table in round_.tables:
            for board in table.boards:
                points = None if chance.random() < 0.03 else points_of(chance)
                results[board].append(BoardResult(str(table.ns), str(table.ew), points))
    return [Board(number, tuple(found)) for number, found in sorted(results.items())]


def points_of(chance: Random) -> tuple[int, int]:
    """Of few figures, so that many are equal."""
    ns = chance.choice([0, 60, 72, 81, 90, 102, 110, 120, 162])
    roem = chance.choice([0, 0, 20, 40, 50, 100])
    return (262, 0) if ns == 162 and chance.random() < 0.5 else (ns + roem, 162 - ns)


def plainly(boards: list[Board], *, net: bool) -> Worth:
    """2 for each pair of the line that made less and 1 for an equal one; half of the top where
    nothing was played, and where others did not play the rest is as if their boards were shared
    out in the same proportion."""
    worth: Worth = {}
    for board in boards:
        for line in BOTH:
            known = {
                each.pair(line): score
                for each in board.results
                if (score := each.score(line, net=net)) is not None
            }
            for each in board.results:
                own = known.get(each.pair(line))
                if own is None:
                    points = Fraction(len(board.results) - 1)
                else:
                    won = sum(2 * (own > other) + (own == other) for other in known.values()) - 1
                    points = Fraction((won + 1) * len(board.results), len(known)) - 1
                worth[board.number, each.pair(line), line] = points
    return worth


def ours(boards: list[Board], *, net: bool) -> Worth:
    values, _pairs = score_boards(boards, "matchpoints", net=net)
    return {
        (value.number, pair, line): points
        for value in values
        for line, by_pair in zip(BOTH, (value.ns, value.ew), strict=True)
        for pair, points in by_pair.items()
    }


@pytest.mark.full
@pytest.mark.parametrize("net", [False, True])
def test_fifty_evenings_are_those_of_a_plain_program(net: bool) -> None:
    for seed in range(EVENINGS):
        boards = made_up(seed)
        assert ours(boards, net=net) == plainly(boards, net=net), seed


@pytest.mark.full
def test_fifty_evenings_are_those_of_salliere(tmp_path: Path) -> None:
    program = shutil.which("salliere", path="/usr/games:/usr/bin")
    java = shutil.which("java")
    if program is None or java is None:
        pytest.skip("the package `salliere` is not installed")
    evenings = {seed: made_up(seed) for seed in range(EVENINGS)}
    file, names = tmp_path / "boards.csv", tmp_path / "names.csv"
    names.write_text("", encoding="utf-8")
    with file.open("w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        for seed, boards in evenings.items():
            rows.writerows(line for board in boards for line in lines_of(seed, board))
    subprocess.run(
        [java, "-jar", program, "matchpoint", "--", file, names],
        check=True,
        capture_output=True,
        timeout=120,
    )
    with file.open(encoding="utf-8", newline="") as scored:
        theirs = [*csv.reader(scored)]
    expected = {seed: ours(boards, net=True) for seed, boards in evenings.items()}
    sizes = {
        (seed, board.number): len(board.results)
        for seed, boards in evenings.items()
        for board in boards
    }
    assert len(theirs) == sum(sizes.values())
    for row in theirs:
        seed, board = divmod(int(row[0]), 100)
        stretch = Fraction(max(sizes.values()), sizes[seed, board])
        for column, line, pair in ((8, "NS", row[1]), (9, "EW", row[2])):
            points = expected[seed][board, pair, line]  # type: ignore[index]
            wanted = float(points if AVERAGE in row else (points + 1) * stretch - 1)
            assert float(row[column]) == pytest.approx(wanted, abs=0.051), row


def lines_of(seed: int, board: Board) -> list[list[object]]:
    """A board in its file: number, pairs, three columns of a contract, and the score of each side,
    which is the opposite of the other's."""
    lines: list[list[object]] = []
    for each in board.results:
        score = each.score("NS", net=True)
        both = (AVERAGE, AVERAGE) if score is None else (score, -score)
        lines.append([100 * seed + board.number, each.ns, each.ew, "", "", "", *both])
    return lines
