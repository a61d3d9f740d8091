"""What roem costs in card points.

Roem lies in the four cards of a trick and no card lies in two tricks, so a side that made roem took
tricks that share no card. For every number of each kind of roem this finds the fewest card points
of tricks that hold it, whoever plays which card, and writes them to scoring/rules/roem_table.py.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Final, NamedTuple

TABLE: Final = Path(__file__).parents[2] / "scoring/rules/roem_table.py"

LOWEST: Final = ("7", "9", "10")
"""The lowest rank of which four of a kind counts, in the order of the table's columns."""

_RANKS: Final = "789TJQKA"
_PLAIN: Final = (0, 0, 0, 10, 2, 3, 4, 11)
_TRUMP: Final = (0, 0, 14, 10, 20, 3, 4, 11)
_LAST_TRICK: Final = 10
_STUK: Final = frozenset({_RANKS.index("Q"), _RANKS.index("K")})
_JACK: Final = _RANKS.index("J")
_RUNS: Final = tuple(
    frozenset(range(low, low + length)) for length in (3, 4) for low in range(9 - length)
)
_FILLERS: Final = (0, 2, 1, 0)
"""The cards beside the stuk in its trick: no stuk, a stuk alone, one in a run of three, of four."""

_LINE: Final = 100 + len("\n")

_HEADER: Final = '''"""The fewest card points that hold roem.

Made by `python -m tools.roem_table`; change that instead.

By the stuk (0 none, 1 alone in its trick, 2 in a run of three, 3 in a run of four), the runs of
three without it, the runs of four without it and the fours of jacks: the points by the number of
other fours of a kind, for each of the ranks 7, 9 and 10 from which four of a kind may count.
"""

from collections.abc import Mapping
from typing import Final

Costs = Mapping[tuple[int, int, int, int], tuple[tuple[int, ...], ...]]
'''


class Held(NamedTuple):
    """Roem that tricks hold: the stuk's place as the table has it, and how many of each other."""

    stuk: int
    threes: int
    fours: int
    jacks: int = 0
    others: int = 0


_Suit = dict[tuple[Held, int], int]
"""The fewest points by the roem in a suit, or in several, and the number of their fillers."""


def main() -> None:
    """Write the table."""
    TABLE.write_text(table_source(), encoding="utf-8")


def table_source() -> str:
    """What stands in roem_table.py."""
    trump, no_trump = fewest_points(_TRUMP), fewest_points(None)
    return f"{_HEADER}\n{table_rows('TRUMP', trump)}\n{table_rows('NO_TRUMP', no_trump)}"


def table_rows(name: str, fewest: Mapping[tuple[str, Held], int]) -> str:
    """A table of the module, by name."""
    keys = sorted({held[:4] for _, held in fewest})
    rows = "".join(_row(key, fewest) for key in keys)
    return f"{name}: Final[Costs] = {{\n{rows}}}\n"


def _row(key: tuple[int, int, int, int], fewest: Mapping[tuple[str, Held], int]) -> str:
    numbers = [Held(*key, others) for others in range(8)]
    columns = tuple(
        tuple(fewest[lowest, held] for held in numbers if (lowest, held) in fewest)
        for lowest in LOWEST
    )
    row = f"    {key}: {columns},\n"
    if len(row) <= _LINE:
        return row
    lines = "".join(f"        {column},\n" for column in columns)
    return f"    {key}: (\n{lines}    ),\n"


def fewest_points(trumps: tuple[int, ...] | None) -> dict[tuple[str, Held], int]:
    """The fewest card points of tricks that hold roem, by the lowest four of a kind that counts.

    `trumps` are the points of the trumps from the 7 to the ace in roem order, None in no-trump.
    What no eight tricks hold is left out.
    """
    fewest: dict[tuple[str, Held], int] = {}
    for size in range(len(_RANKS) + 1):
        for carres in combinations(range(len(_RANKS)), size):
            for held, points in _beside(frozenset(carres), trumps):
                for lowest in LOWEST:
                    if not carres or carres[0] >= ("7", "8", "9", "10").index(lowest):
                        best = fewest.get((lowest, held), points)
                        fewest[lowest, held] = min(best, points)
    return fewest


def _beside(carres: frozenset[int], trumps: tuple[int, ...] | None) -> Iterator[tuple[Held, int]]:
    """All that can be made beside four of a kind of each of these ranks, and what it costs."""
    plain = _suit(_PLAIN, carres, with_stuk=False)
    fourth = _suit(trumps, carres, with_stuk=True) if trumps else plain
    cost = sum(3 * _PLAIN[rank] + (trumps or _PLAIN)[rank] for rank in carres)
    jacks = int(_JACK in carres)
    two, other_two = _together(plain, plain), _together(plain, fourth)
    for (held, fillers), points in two.items():
        for (more, more_fillers), more_points in other_two.items():
            threes, fours = held.threes + more.threes, held.fours + more.fours
            tricks = threes + fours + (more.stuk > 0) + len(carres)
            if fillers + more_fillers == threes + _FILLERS[more.stuk] and tricks <= 8:
                last = _LAST_TRICK if tricks == 8 else 0
                yield (
                    Held(more.stuk, threes, fours, jacks, len(carres) - jacks),
                    points + more_points + cost + last,
                )


def _together(one: _Suit, other: _Suit) -> _Suit:
    best: _Suit = {}
    for (held, fillers), points in one.items():
        for (more, more_fillers), more_points in other.items():
            both = Held(more.stuk, held.threes + more.threes, held.fours + more.fours)
            _keep_best(best, (both, fillers + more_fillers), points + more_points)
    return best


def _suit(worth: tuple[int, ...], taken: frozenset[int], *, with_stuk: bool) -> _Suit:
    """What one suit can give without the ranks that are taken: runs, stuk, and cheap cards."""
    best: _Suit = {}
    free = frozenset(range(len(_RANKS))) - taken
    runs = [run for run in _RUNS if run <= free]
    for size in range(3):
        for chosen in combinations(runs, size):
            used = frozenset[int]().union(*chosen)
            if len(used) == sum(map(len, chosen)):
                for held, cards in _readings(chosen, used, free, with_stuk=with_stuk):
                    points = sum(worth[rank] for rank in cards)
                    for fillers, filler in enumerate([0, *sorted(worth[r] for r in free - cards)]):
                        points += filler
                        _keep_best(best, (held, fillers), points)
    return best


def _readings(
    runs: tuple[frozenset[int], ...], used: frozenset[int], free: frozenset[int], *, with_stuk: bool
) -> Iterator[tuple[Held, frozenset[int]]]:
    """These runs without the stuk and, among trumps, with it; and the cards that takes."""
    threes = sum(len(run) == 3 for run in runs)
    fours = len(runs) - threes
    yield Held(0, threes, fours), used
    if with_stuk:
        if free - used >= _STUK:
            yield Held(1, threes, fours), used | _STUK
        for run in runs:
            if run >= _STUK:
                three = len(run) == 3
                yield Held(2 if three else 3, threes - three, fours - (not three)), used


def _keep_best(best: _Suit, key: tuple[Held, int], points: int) -> None:
    best[key] = min(points, best.get(key, points))
