"""Who meets whom at which table over which boards: Mitchell, Howell and teams of four.

The boards lie in sets of equal size, and a table plays one set a round. What a movement promises is
checked by `faults_of` before anybody is sent to a table. Source: the movements of duplicate bridge.

Howell movements are made from Room squares: everybody meets everybody once, and plays every set of
boards once. A Room square of side n has the numbers 0 … n - 1 and one more, written as None. Each
two of them stand in one cell, and each of them once in each row (a round) and in each column (a set
of boards). It is developed from a first row, the starter, whose pairs all have different
differences, and from the adders, which say in which column each pair stands. Source: R. C. Mullin
and E. Nemeth, "An existence theorem for Room squares" (1969); the search is hill-climbing as in
J. H. Dinitz and D. R. Stinson, "A fast algorithm for finding strong starters" (1981).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from random import Random
from typing import Final, Literal, NamedTuple

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


Kind = Literal["mitchell", "howell", "teams_of_four"]

KINDS: Final[tuple[Kind, ...]] = ("mitchell", "howell", "teams_of_four")
FEWEST_PAIRS: Final = 4
MOST_PAIRS: Final = 64
MOST_BOARDS: Final = 999
USUAL_SET: Final = 2
"""Fewer boards a round than this is more walking than playing."""


class Meeting(NamedTuple):
    """Two pairs, numbered from 0, and the set of boards that they play, from 0."""

    ns: int
    ew: int
    set: int


Round = list[Meeting]


@dataclass(frozen=True, slots=True)
class TableRound:
    """A table in one round: pair `ns` against pair `ew`, numbered from 1, over these boards."""

    table: int
    ns: int
    ew: int
    boards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MovementRound:
    """The tables of a round and the pairs that sit out."""

    tables: tuple[TableRound, ...]
    sit_out: tuple[int, ...]


class NoMovementError(ValueError):
    """There is no such movement; the text says why."""


def make_movement(
    kind: Kind, pairs: int, boards: int, rounds: int | None = None
) -> list[MovementRound]:
    """The rounds of a movement of 4 to 64 pairs, which play as many boards as fit.

    Without `rounds` there are as many as give every pair another opponent each time, with two
    boards or more in each where there are enough. Two tables share a set where there are fewer sets
    than tables. With an odd number of pairs (or teams) one sits out each round.
    Raises `NoMovementError` for what cannot be played.
    """
    if not FEWEST_PAIRS <= pairs <= MOST_PAIRS:
        raise NoMovementError(f"{pairs} pairs: a movement has {FEWEST_PAIRS} to {MOST_PAIRS}")
    if kind == "teams_of_four" and pairs % 2:
        raise NoMovementError(f"{pairs} pairs do not make whole teams")
    if rounds is not None and not 1 <= rounds <= boards:
        raise NoMovementError(f"{boards} boards are not enough for {rounds} rounds")
    if not 1 <= boards <= MOST_BOARDS:
        raise NoMovementError(f"{boards} boards: there can be 1 to {MOST_BOARDS}")
    if kind == "mitchell":
        made = _mitchell((pairs + 1) // 2, boards, rounds)
    elif kind == "howell":
        made = _everybody_meets(pairs + pairs % 2, boards, rounds)
    else:
        made = _teams(pairs // 2, boards, rounds)
    sets = 1 + max(meeting.set for round_ in made for meeting in round_)
    return [_numbered(round_, pairs, boards // sets) for round_ in made]


def movement_again(
    kind: Kind, pairs: int, boards: int, *, rounds: int, size: int
) -> list[MovementRound]:
    """The movement that has so many rounds of `size` boards, whether its rounds were asked for or
    not. That of an odd number of pairs comes back with one pair more: the same, with a meeting at
    each table that was empty. Raises `NoMovementError` if there is none."""
    for asked in (None, rounds):
        made = make_movement(kind, pairs, boards, asked)
        if len(made) == rounds and len(made[0].tables[0].boards) == size:
            return made
    raise NoMovementError(f"no movement of {pairs} pairs has {rounds} rounds of {size} boards")


def _numbered(round_: Round, pairs: int, size: int) -> MovementRound:
    """The round with tables, pairs and boards numbered from 1. Who would meet a pair that is not
    there sits out, and the table stays empty."""
    tables = [
        TableRound(table, ns + 1, ew + 1, tuple(range(set_ * size + 1, (set_ + 1) * size + 1)))
        for table, (ns, ew, set_) in enumerate(round_, start=1)
        if max(ns, ew) < pairs
    ]
    playing = {pair for table in tables for pair in (table.ns, table.ew)}
    out = [pair for pair in range(1, pairs + 1) if pair not in playing]
    return MovementRound(tuple(tables), tuple(out))


def _mitchell(tables: int, boards: int, rounds: int | None) -> list[Round]:
    """North-South stay; East-West move up a table and the boards down one. With fewer sets than
    tables there are sections of as many tables as sets, and each set is in use in every section; in
    a last section that is larger, all tables play the same set."""
    if rounds is None:
        sets = _sets(tables, boards)
        rounds = sets - 1 if sets == tables > 2 and tables % 2 == 0 else sets
    elif rounds <= tables and boards // tables == boards // rounds:
        sets = tables
    else:
        sets = rounds
    sections = max(1, tables // sets)
    last = tables - (sections - 1) * sets
    made = [[_section(at, sets, sets, rounds) for at in range(rounds)] for _ in range(sections - 1)]
    made.append([_section(at, last, sets, rounds) for at in range(rounds)])
    return [
        [
            Meeting(number * sets + ns, tables + number * sets + ew, set_)
            for number, section in enumerate(made)
            for ns, ew, set_ in section[at]
        ]
        for at in range(rounds)
    ]


def _section(at: int, tables: int, sets: int, rounds: int) -> Round:
    """A round of a section, in which both lines are numbered from 0."""
    if tables != sets:
        return [Meeting(table, (table - at) % tables, at) for table in range(tables)]
    move = _plain if tables % 2 else _relayed if rounds == tables else _skipping
    return move(tables, at)


def _sets(most: int, boards: int) -> int:
    """How many sets the boards lie in, so that there are some boards in each."""
    return min(most, max(1, boards // USUAL_SET))


def _plain(tables: int, at: int) -> Round:
    return [Meeting(table, (table - at) % tables, (table + at) % tables) for table in range(tables)]


def _skipping(tables: int, at: int) -> Round:
    """For an even number of tables: halfway East-West skip one, or they would come to boards that
    they have played. One round fewer than there are tables."""
    skipped = at + (at >= tables // 2)
    return [
        Meeting(table, (table - skipped) % tables, (table + at) % tables) for table in range(tables)
    ]


def _relayed(tables: int, at: int) -> Round:
    """For an even number of tables and all of their rounds: the first table and the last share
    their boards, and a set rests between the two halves."""
    return [
        Meeting(table, (table - at) % tables, (table + at + (table >= tables // 2)) % tables)
        for table in range(tables)
    ]


def _everybody_meets(pairs: int, boards: int, rounds: int | None) -> list[Round]:
    """Everybody meets everybody: each set is at one table a round where there are sets enough and
    such a movement exists, else all tables play the same set."""
    side = pairs - 1
    if rounds is None:
        rounds = _sets(side, boards)
    has_rooms = rounds == side >= SMALLEST
    blocks = room_blocks(side) if has_rooms else _circle(side)
    turned = balanced_sides(blocks, side)
    return [
        [
            Meeting(side, at % side, at),
            *(
                Meeting(
                    (one + at) % side, (two + at) % side, (at - adder) % side if has_rooms else at
                )
                for one, two, adder in turned
            ),
        ]
        for at in range(rounds)
    ]


def _circle(side: int) -> tuple[Block, ...]:
    """The first round of a round robin besides that of 0 and who stays."""
    return tuple(Block(step, side - step, 0) for step in range(1, side // 2 + 1))


def _teams(teams: int, boards: int, rounds: int | None) -> list[Round]:
    """A team is two pairs that follow each other, the first always North-South. Two teams play the
    same boards at two tables, once each way."""
    return [
        [
            meeting
            for one, two, set_ in round_
            for meeting in (
                Meeting(2 * one, 2 * two + 1, set_),
                Meeting(2 * two, 2 * one + 1, set_),
            )
        ]
        for round_ in _everybody_meets(teams + teams % 2, boards, rounds)
    ]


def opponents_of(kind: Kind, pairs: int) -> int:
    """How many different opponents a pair can have, one that is missing included."""
    if kind == "mitchell":
        return (pairs + 1) // 2
    sides = pairs if kind == "howell" else pairs // 2
    return sides + sides % 2 - 1


def faults_of(rounds: Sequence[MovementRound], kind: Kind, pairs: int) -> list[str]:
    """What is wrong with a movement; an empty list if it keeps its promises.

    In each round everybody is at one place; nobody plays a board twice; and nobody meets a pair
    twice as long as there is another to meet.
    """
    faults: list[str] = []
    everybody = Counter(range(1, pairs + 1))
    played: Counter[tuple[int, int]] = Counter()
    met: Counter[tuple[int, int]] = Counter()
    for number, round_ in enumerate(rounds, start=1):
        places = Counter(round_.sit_out)
        for table in round_.tables:
            both = table.ns, table.ew
            places.update(both)
            played.update((pair, board) for pair in both for board in table.boards)
            met[min(both), max(both)] += 1
        if places != everybody:
            faults.append(f"round {number}: not everybody is at one place")
    must = -(-len(rounds) // opponents_of(kind, pairs))
    faults += [
        f"pair {pair} plays board {board} {times} times"
        for (pair, board), times in played.items()
        if times > 1
    ]
    faults += [
        f"pairs {one} and {two} meet {times} times"
        for (one, two), times in met.items()
        if times > must
    ]
    return faults


def comparisons(rounds: Sequence[MovementRound]) -> Counter[tuple[int, int]]:
    """How many boards every two pairs (the lower number first) played in the same line."""
    lines: dict[tuple[int, str], list[int]] = {}
    for round_ in rounds:
        for table in round_.tables:
            for board in table.boards:
                lines.setdefault((board, "NS"), []).append(table.ns)
                lines.setdefault((board, "EW"), []).append(table.ew)
    return Counter(couple for line in lines.values() for couple in combinations(sorted(line), 2))
