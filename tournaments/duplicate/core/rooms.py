"""Room squares, from which Howell movements are made: everybody meets everybody once, and plays
every set of boards once.

A Room square of side n has the numbers 0 … n - 1 and one more, written as None. Each two of them
stand in one cell, and each of them once in each row (a round) and in each column (a set of boards).
It is developed from a first row, the starter, whose pairs all have different differences, and from
the adders, which say in which column each pair stands. Source: R. C. Mullin and E. Nemeth, "An
existence theorem for Room squares" (1969); the search is hill-climbing as in J. H. Dinitz and
D. R. Stinson, "A fast algorithm for finding strong starters" (1981).
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from random import Random
from typing import Final, NamedTuple

SMALLEST: Final = 7
"""No Room square has a side of 3 or 5."""
_SIDE_WITHOUT_STRONG_STARTER: Final = 9


class Block(NamedTuple):
    """Two numbers that meet in the first row, and what is added to find their column."""

    one: int
    two: int
    adder: int


@cache
def room_blocks(side: int) -> tuple[Block, ...]:
    """The pairs of the first row but that of 0 and None, which stands in column 0.

    Row r has every pair with r added, in column r - adder, all modulo `side`. Raises `ValueError`
    for a side that is even or under 7.
    """
    if side < SMALLEST or side % 2 == 0:
        raise ValueError(f"there is no such Room square with a side of {side}")
    if side == _SIDE_WITHOUT_STRONG_STARTER:
        return _searched(side)
    starter = _strong_starter(side)
    # In a strong starter all sums differ and none is 0, so that their negatives are the adders.
    return tuple(Block(one, two, -(one + two) % side) for one, two in starter)


def _strong_starter(side: int) -> list[tuple[int, int]]:
    """Pairs of 1 … side - 1 whose differences all differ, and whose sums do and are never 0."""
    random = Random(side)  # noqa: S311 — the same square each time
    while True:
        pairs: dict[int, tuple[int, int]] = {}
        sums: dict[int, int] = {}
        free = set(range(1, side))
        for _step in range(200 * side):
            if not free:
                return [pairs[difference] for difference in sorted(pairs)]
            _climb(side, random, pairs, sums, free)


def _climb(
    side: int,
    random: Random,
    pairs: dict[int, tuple[int, int]],
    sums: dict[int, int],
    free: set[int],
) -> None:
    """Place one more pair, by its difference; at most one that stood in the way goes."""
    missing = [d for d in range(1, (side + 1) // 2) if d not in pairs]
    difference = random.choice(missing)
    one = random.choice(sorted(free))
    two = (one + random.choice((difference, -difference))) % side
    total = (one + two) % side
    if two == 0 or total == 0:
        return
    in_the_way = {d for d, pair in pairs.items() if two in pair}
    in_the_way |= {sums[total]} if total in sums else set()
    if len(in_the_way) > 1:
        return
    for other in in_the_way:
        free |= set(pairs[other])
        del sums[sum(pairs.pop(other)) % side]
    free -= {one, two}
    pairs[difference], sums[total] = (one, two), difference


def _searched(side: int) -> tuple[Block, ...]:
    """A starter with adders found by trying them all."""
    for starter in _starters(tuple(range(1, side)), side, ()):
        blocks = _with_adders(starter, side, ())
        if blocks:
            return blocks
    raise ValueError(f"no Room square was found with a side of {side}")


def _starters(
    free: Sequence[int], side: int, done: tuple[tuple[int, int], ...]
) -> list[tuple[tuple[int, int], ...]]:
    if not free:
        return [done]
    one, *rest = free
    used = {frozenset((-(a - b) % side, (a - b) % side)) for a, b in done}
    return [
        starter
        for two in rest
        if frozenset(((one - two) % side, (two - one) % side)) not in used
        for starter in _starters([x for x in rest if x != two], side, (*done, (one, two)))
    ]


def _with_adders(
    starter: Sequence[tuple[int, int]], side: int, done: tuple[Block, ...]
) -> tuple[Block, ...]:
    if len(done) == len(starter):
        return done
    one, two = starter[len(done)]
    used = {block.adder for block in done}
    taken = {(number + block.adder) % side for block in done for number in block[:2]}
    for adder in range(1, side):
        columns = {(one + adder) % side, (two + adder) % side}
        if adder in used or 0 in columns or taken & columns:
            continue
        found = _with_adders(starter, side, (*done, Block(one, two, adder)))
        if found:
            return found
    return ()


@cache
def balanced_sides(blocks: tuple[Block, ...], side: int) -> tuple[Block, ...]:
    """The same blocks with the first of each at North-South, so that every two pairs are compared
    about equally often: on a board two pairs are compared if they sit the same way there.

    A pair with None sits North-South when None does. Turns one block, or two, as long as that
    helps; always the same way.
    """
    turned = list(blocks)
    best = _imbalance(turned, side)
    improved = True
    while improved:
        improved = False
        places = range(len(turned))
        for move in [*((place,) for place in places), *combinations(places, 2)]:
            for place in move:
                turned[place] = Block(turned[place].two, turned[place].one, turned[place].adder)
            now = _imbalance(turned, side)
            if now < best:
                best, improved = now, True
                continue
            for place in move:
                turned[place] = Block(turned[place].two, turned[place].one, turned[place].adder)
    return tuple(turned)


def _imbalance(blocks: Sequence[Block], side: int) -> int:
    """The sum of the squares of how often two pairs are compared, by their difference. All columns
    are alike but for what is added, so that one says it all; None sits North-South in it."""
    north = [(block.one + block.adder) % side for block in blocks]
    east = [(block.two + block.adder) % side for block in blocks]
    together = [0] * side
    for line in (north, [*east, 0]):
        for one, two in combinations(line, 2):
            together[(one - two) % side] += 1
            together[(two - one) % side] += 1
    return sum(times * times for times in together)
