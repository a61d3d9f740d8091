"""What a pair's result on a board is worth beside those of the others in its line.

A line is all pairs that sat the same way at a board: North-South is compared with North-South only
and East-West with East-West. Sources: duplicate bridge, after which *portefeuille* is played, and
for a board that some did not finish Neuberg's formula, which the Dutch bridge federation uses.

With the same cards at many clubs all tables of all clubs are compared: a pair with everybody in its
line, at whichever club. What North-South of a club wins its own East-West loses, so that the mean
of all pairs of a club says nothing of it: a club stands by its best pairs.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import groupby
from typing import Final, Literal

Line = Literal["NS", "EW"]
Comparison = Literal["matchpoints", "mean_difference", "cross"]

LINES: Final[tuple[Line, ...]] = ("NS", "EW")
COMPARISONS: Final[tuple[Comparison, ...]] = ("matchpoints", "mean_difference", "cross")
AVERAGE: Final = 50
"""Percent of the top for a board that a pair could not play."""
_CENT: Final = Decimal("0.01")
BEST_PAIRS: Final = 3
"""So many pairs of a club count for it."""


@dataclass(frozen=True, slots=True)
class BoardResult:
    """Two pairs at a board. `points` are those of each side, None where the board was not played;
    `adjusted` has the percentage that the director gives a pair instead, from 0 to 100."""

    ns: str
    ew: str
    points: tuple[int, int] | None = None
    adjusted: Mapping[str, int] = field(default_factory=dict)

    def pair(self, line: Line) -> str:
        """Who sat that way."""
        return self.ns if line == "NS" else self.ew

    def score(self, line: Line, *, net: bool) -> int | None:
        """What is compared of that side: its points, or what it has more than the other side;
        None if the board was not played."""
        if self.points is None:
            return None
        own, other = self.points if line == "NS" else self.points[::-1]
        return own - other if net else own


@dataclass(frozen=True, slots=True)
class Board:
    """The results of everybody who played the same cards."""

    number: int
    results: tuple[BoardResult, ...]

    @property
    def top(self) -> int:
        """The matchpoints of a pair that beats all others: 2 for each of them."""
        return 2 * (len(self.results) - 1)


@dataclass(frozen=True, slots=True)
class BoardWorth:
    """What a board was worth to the pairs of each line."""

    number: int
    ns: Mapping[str, Fraction]
    ew: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class PairWorth:
    """A pair over all of its boards. `line` is None for a pair that sat both ways. `top` is the
    most that a board can be worth and `percentage` the part of all tops that it got; both are None
    where there is no top."""

    pair: str
    line: Line | None
    points: Fraction
    top: int | None
    percentage: Decimal | None


def score_boards(
    boards: Sequence[Board], compare: Comparison, *, net: bool = False
) -> tuple[list[BoardWorth], list[PairWorth]]:
    """Compare the results of each board, and add up each pair's.

    Pairs come by line, the best first. `net` compares by the difference of the sides; `cross`
    always does. Raises `ValueError` for an adjusted score other than the average where there is no
    top to take a part of.
    """
    worth = [_board_worth(board, compare, net=net) for board in boards]
    return worth, _pairs(boards, worth, compare)


def decimal_text(points: Fraction) -> str:
    """Points as a decimal number, half up to at most two decimals: `2`, `3.5`, `-19.33`."""
    exact = Decimal(points.numerator) / Decimal(points.denominator)
    text = f"{exact.quantize(_CENT, rounding=ROUND_HALF_UP):f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _board_worth(board: Board, compare: Comparison, *, net: bool) -> BoardWorth:
    lines = [_line_worth(board, line, compare, net=net or compare == "cross") for line in LINES]
    return BoardWorth(board.number, *lines)


def _line_worth(board: Board, line: Line, compare: Comparison, *, net: bool) -> dict[str, Fraction]:
    scores: dict[str, int] = {}
    given: dict[str, int] = {}
    for result in board.results:
        pair, score = result.pair(line), result.score(line, net=net)
        if pair in result.adjusted:
            given[pair] = result.adjusted[pair]
        elif score is None:
            given[pair] = AVERAGE
        else:
            scores[pair] = score
    if compare == "matchpoints":
        return {
            **_matchpoints(scores, len(board.results)),
            **{pair: Fraction(board.top * percent, 100) for pair, percent in given.items()},
        }
    if any(percent != AVERAGE for percent in given.values()):
        raise ValueError("only matchpoints have a top to give a percentage of")
    compared = _differences(scores) if compare == "mean_difference" else _crossed(scores)
    return {**compared, **dict.fromkeys(given, Fraction(0))}


def _matchpoints(scores: Mapping[str, int], results: int) -> dict[str, Fraction]:
    """2 for each pair beaten and 1 for each equal one. Where some have no score to compare, the
    others' points are stretched to the same top (Neuberg), so that the line still adds up to
    n(n - 1)."""
    stretch = Fraction(results, len(scores) or 1)
    ordered = sorted(scores.values())
    worth = {
        score: (bisect_left(ordered, score) + bisect_right(ordered, score)) * stretch - 1
        for score in set(ordered)
    }
    return {pair: worth[score] for pair, score in scores.items()}


def _differences(scores: Mapping[str, int]) -> dict[str, Fraction]:
    """By how much each score is above the mean of them."""
    mean = Fraction(sum(scores.values()), len(scores) or 1)
    return {pair: score - mean for pair, score in scores.items()}


def _crossed(scores: Mapping[str, int]) -> dict[str, Fraction]:
    """The sum of the differences to each other score; with two rooms that is the swing."""
    total = sum(scores.values())
    return {pair: Fraction(len(scores) * score - total) for pair, score in scores.items()}


def _pairs(
    boards: Sequence[Board], worth: Sequence[BoardWorth], compare: Comparison
) -> list[PairWorth]:
    points: dict[str, Fraction] = defaultdict(Fraction)
    tops: dict[str, list[int]] = defaultdict(list)
    lines: dict[str, set[Line]] = defaultdict(set)
    for board, value in zip(boards, worth, strict=True):
        by_line: tuple[tuple[Line, Mapping[str, Fraction]], ...] = (
            ("NS", value.ns),
            ("EW", value.ew),
        )
        for line, line_worth in by_line:
            for pair, own in line_worth.items():
                # A team whose pairs sit both ways at a board has one swing there, and not two.
                is_second = compare == "cross" and line == "EW" and pair in value.ns
                points[pair] += Fraction(0) if is_second else own
                tops[pair].append(board.top)
                lines[pair].add(line)
    rows = [_pair_worth(pair, lines[pair], points[pair], tops[pair], compare) for pair in points]
    return sorted(rows, key=_order)


def _pair_worth(
    pair: str, lines: set[Line], points: Fraction, tops: Sequence[int], compare: Comparison
) -> PairWorth:
    line = next(iter(lines)) if len(lines) == 1 else None
    if compare != "matchpoints":
        return PairWorth(pair, line, points, None, None)
    part = 100 * points / sum(tops) if sum(tops) else Fraction(AVERAGE)
    exact = Decimal(part.numerator) / Decimal(part.denominator)
    return PairWorth(pair, line, points, max(tops), exact.quantize(_CENT, rounding=ROUND_HALF_UP))


def _order(row: PairWorth) -> tuple[int, Fraction, tuple[int, str]]:
    """By line, the best first; equal ones by number."""
    line = LINES.index(row.line) if row.line else len(LINES)
    best = -(Fraction(row.percentage) if row.percentage is not None else row.points)
    return line, best, (int(row.pair) if row.pair.isdecimal() else 0, row.pair)


@dataclass(frozen=True, slots=True)
class ClubTables:
    """What was made at a club, by folder; pairs have the numbers that they have there."""

    key: str
    boards: Mapping[int, Sequence[BoardResult]]


@dataclass(frozen=True, slots=True)
class NightPair:
    """A pair among all: its place, its club and its number there, and what it made."""

    place: int
    club: str
    pair: str
    worth: PairWorth
    boards: int

    @property
    def value(self) -> Fraction:
        """What it has its place by."""
        percentage = self.worth.percentage
        return self.worth.points if percentage is None else Fraction(percentage)


@dataclass(frozen=True, slots=True)
class NightClub:
    """A club among all, by the mean of its best pairs."""

    place: int
    club: str
    value: Fraction
    pairs: int


@dataclass(frozen=True, slots=True)
class NightRanking:
    """The places of all pairs and of the clubs, the best first, and the worth of each folder."""

    pairs: Sequence[NightPair]
    clubs: Sequence[NightClub]
    boards: Sequence[BoardWorth]


def night_ranking(
    clubs: Sequence[ClubTables], compare: Comparison, *, net: bool = False
) -> NightRanking:
    """Compare all tables of these clubs."""
    results: dict[int, list[BoardResult]] = defaultdict(list)
    played: dict[str, int] = defaultdict(int)
    for club in clubs:
        for number, at_tables in club.boards.items():
            for result in at_tables:
                told_apart = _of_club(club.key, result)
                results[number].append(told_apart)
                played[told_apart.ns] += 1
                played[told_apart.ew] += 1
    boards = [Board(number, tuple(found)) for number, found in sorted(results.items())]
    worth, rows = score_boards(boards, compare, net=net)
    pairs = _placed(rows, played)
    return NightRanking(pairs, _clubs(pairs), worth)


def _of_club(key: str, result: BoardResult) -> BoardResult:
    """The same with pairs whose names nobody has at another club."""
    adjusted = {f"{key}:{pair}": percent for pair, percent in result.adjusted.items()}
    return BoardResult(f"{key}:{result.ns}", f"{key}:{result.ew}", result.points, adjusted)


def _placed(rows: Sequence[PairWorth], played: Mapping[str, int]) -> list[NightPair]:
    lines = []
    for row in rows:
        club, _colon, pair = row.pair.rpartition(":")
        lines.append(NightPair(0, club, pair, row, played[row.pair]))
    lines.sort(key=lambda line: (-line.value, line.club, line.pair.zfill(4)))
    placed: list[NightPair] = []
    for _value, equal in groupby(lines, key=lambda line: line.value):
        place = len(placed) + 1
        placed += [
            NightPair(place, line.club, line.pair, line.worth, line.boards) for line in equal
        ]
    return placed


def _clubs(pairs: Sequence[NightPair]) -> list[NightClub]:
    values: dict[str, list[Fraction]] = defaultdict(list)
    for line in pairs:
        values[line.club].append(line.value)
    means = {club: _mean(found[:BEST_PAIRS]) for club, found in values.items()}
    ordered = sorted(means, key=lambda club: (-means[club], club))
    placed: list[NightClub] = []
    for value, equal in groupby(ordered, key=means.__getitem__):
        place = len(placed) + 1
        placed += [NightClub(place, club, value, len(values[club])) for club in equal]
    return placed


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)
