"""What announced roem needs: eight tricks that hold it, and the card points of those tricks.

The figures are those of roem_table.py, which roem_derive.py works out.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import Final, Literal

from scoring.rules.regulation import LowestCarre, Regulation

_Kind = Literal["three", "stuk", "three_and_stuk", "four", "four_and_stuk", "four_alike", "jacks"]

_RUNS: Final[Mapping[int, tuple[_Kind, ...]]] = {
    20: ("three", "stuk"),
    40: ("three_and_stuk",),
    50: ("four",),
    70: ("four_and_stuk",),
}
_COLUMNS: Final[tuple[LowestCarre, ...]] = ("7", "9", "10")
_TRICKS: Final = 8


def least_points(
    items: tuple[int, ...], regulation: Regulation, *, no_trump: bool = False
) -> int | None:
    """The fewest card points of tricks that hold this roem; None where no eight tricks do.

    A trick may have been announced in part (20 of a run of four, the 100 of any four of a kind for
    four jacks), and a stuk apart from its run. More announcements than tricks are never held.

    >>> [least_points(items, Regulation()) for items in [(20,), (50,), (70,), (200,), (40, 70)]]
    [0, 10, 37, 26, None]
    """
    if len(items) > _TRICKS:
        return None
    return _least(
        tuple(sorted(items)),
        regulation.four_of_a_kind_from,
        regulation.four_of_a_kind,
        regulation.four_jacks,
        no_trump,
    )


@lru_cache(maxsize=4096)
def _least(
    items: tuple[int, ...],
    lowest: LowestCarre,
    four_of_a_kind: int,
    four_jacks: int,
    no_trump: bool,
) -> int | None:
    # The table is most of what importing the rules would take, and few programs ask for it.
    from scoring.rules.roem_table import NO_TRUMP, TRUMP

    costs = NO_TRUMP if no_trump else TRUMP
    column = _COLUMNS.index(lowest)
    found = (
        columns[column][others]
        for key, others in _demands(items, four_of_a_kind, four_jacks)
        if (columns := costs.get(key)) and others < len(columns[column])
    )
    return min(found, default=None)


def _demands(
    items: tuple[int, ...], four_of_a_kind: int, four_jacks: int
) -> Iterator[tuple[tuple[int, int, int, int], int]]:
    """Every way to read the items: a row of the table, and the number of fours beside jacks."""
    readings = [
        combinations_with_replacement(_kinds(value, four_of_a_kind, four_jacks), count)
        for value, count in Counter(items).items()
        if value
    ]
    for reading in product(*readings):
        kinds = Counter(kind for chosen in reading for kind in chosen)
        for stuk, threes, fours in _stuk_places(kinds):
            yield (stuk, threes, fours, kinds["jacks"]), kinds["four_alike"]


def _kinds(value: int, four_of_a_kind: int, four_jacks: int) -> tuple[_Kind, ...]:
    kinds = _RUNS.get(value, ())
    if value == four_of_a_kind:
        kinds += ("four_alike",)
    if value == four_jacks or value == four_of_a_kind < four_jacks:
        kinds += ("jacks",)
    return kinds


def _stuk_places(kinds: Counter[_Kind]) -> Iterator[tuple[int, int, int]]:
    """Where the stuk can be, as the table numbers it, and the runs of three and four without it."""
    threes, fours = kinds["three"], kinds["four"]
    with_three, with_four, alone = kinds["three_and_stuk"], kinds["four_and_stuk"], kinds["stuk"]
    if with_three + with_four + alone == 0:
        yield 0, threes, fours
    elif with_three + with_four + alone == 1:
        if alone:
            yield 1, threes, fours
        if with_three or (alone and threes):
            yield 2, threes - alone, fours
        if with_four or (alone and fours):
            yield 3, threes, fours - alone
