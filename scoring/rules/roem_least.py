"""What announced roem needs: eight tricks that hold it, and the card points of those tricks.

The figures are those of roem_table.py, which roem_derive.py works out.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import Final, Literal

from scoring.rules.deal import Deal
from scoring.rules.faults import Fault
from scoring.rules.regulation import NO_TRUMP_DEAL_POINTS, LowestCarre, Regulation
from scoring.rules.seats import Side

_Kind = Literal["three", "stuk", "three_and_stuk", "four", "four_and_stuk", "four_alike", "jacks"]

_RUNS: Final[Mapping[int, tuple[_Kind, ...]]] = {
    20: ("three", "stuk"),
    40: ("three_and_stuk",),
    50: ("four",),
    70: ("four_and_stuk",),
}
_COLUMNS: Final[tuple[LowestCarre, ...]] = ("7", "9", "10")
_WITH_STUK: Final = (40, 70)
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


def unreachable_roem(deal: Deal, regulation: Regulation, total: int) -> list[Fault]:
    """The fault of roem of both sides that no eight tricks of the deck could hold, if it is so.

    `total` is the deal's card points; every item has one of the regulation's values.
    """
    items = tuple(item for announced in deal.roem.values() for item in announced)
    no_trump = total == NO_TRUMP_DEAL_POINTS
    if not items or least_points(items, regulation, no_trump=no_trump) is not None:
        return []
    return [Fault("roem_unreachable", "roem", _why(items, regulation, no_trump=no_trump))]


def roem_without_points(
    deal: Deal, points: Mapping[Side, int], regulation: Regulation, total: int
) -> list[Fault]:
    """The fault of each side whose `points` are fewer than its roem needs.

    `total` is the deal's card points; every item has one of the regulation's values.
    """
    no_trump = total == NO_TRUMP_DEAL_POINTS
    faults = []
    for side, items in deal.roem.items():
        least = least_points(items, regulation, no_trump=no_trump) if items else None
        if least is not None and points[side] < least:
            named = " + ".join(map(str, items))
            params = {"roem": named, "least": least, "points": points[side]}
            faults.append(Fault("roem_needs_points", f"roem.{side}", params))
    return faults


def _why(items: tuple[int, ...], regulation: Regulation, *, no_trump: bool) -> dict[str, object]:
    alike = (regulation.four_of_a_kind, regulation.four_jacks)
    with_stuk = [item for item in items if item in _WITH_STUK and item not in alike]
    if no_trump and with_stuk:
        return {"why": "no_trump", "points": with_stuk[0]}
    if len(with_stuk) > 1:
        return {"why": "second_stuk"}
    if len(items) > _TRICKS:
        return {"why": "tricks", "count": len(items)}
    return {}


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
