"""The same cards at many clubs: all tables of all clubs are compared, and clubs with each other.

A pair is compared with everybody in its line, at whichever club. What North-South of a club wins
its own East-West loses, so that the mean of all pairs of a club says nothing of it: a club stands
by its best pairs.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Final

from tournaments.duplicate.core.scoring import (
    Board,
    BoardResult,
    BoardWorth,
    Comparison,
    PairWorth,
    score_boards,
)

BEST_PAIRS: Final = 3
"""So many pairs of a club count for it."""


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
