"""Schedules by mathematics, for the sizes at which search is known to fail.

Players are numbers from 0. Nothing here is random, and every schedule takes well under 0.2 s.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from tournaments.draw.core.design_algebra import (
    Round,
    Schedule,
    as_table,
    four_layers,
    has_transversals,
    product,
    renamed,
    three_layers,
    three_times,
    whist,
    without_last,
)


@dataclass(frozen=True)
class _Starter:
    """A first round on three copies of Z_m (layers a, b, c) and `still` fixed players z0, z1, z2.

    It consists of `tables` (a13 is element 13 of layer a) and their images when each element is
    multiplied by `u` while a becomes b, b becomes c and c becomes a (and three fixed players
    rotate likewise), once and twice. Adding 1 to each element gives the next of the m rounds.
    """

    m: int
    u: int
    still: int
    tables: str

    def rounds(self) -> Iterator[Round]:
        """The m rounds; players are elements + m × layer, then the fixed players."""
        turn = self._turn()
        once = [[self._player(point) for point in table.split()] for table in self._split()]
        twice = [[turn[player] for player in table] for table in once]
        thrice = [[turn[player] for player in table] for table in twice]
        first = {frozenset(table): as_table(table) for table in (*once, *twice, *thrice)}
        for by in range(self.m):
            moved = [m + (x + by) % self.m for m in self._layers for x in range(self.m)]
            yield renamed(first.values(), [*moved, *self._standing])

    def _split(self) -> list[str]:
        return self.tables.split(", ")

    @property
    def _layers(self) -> range:
        return range(0, 3 * self.m, self.m)

    @property
    def _standing(self) -> range:
        return range(3 * self.m, 3 * self.m + self.still)

    def _player(self, point: str) -> int:
        return self.m * "abcz".index(point[0]) + int(point[1:])

    def _turn(self) -> list[int]:
        turned = [
            (layer + self.m) % (3 * self.m) + x * self.u % self.m
            for layer in self._layers
            for x in range(self.m)
        ]
        standing = list(self._standing)
        return turned + (standing[1:] + standing[:1] if self.still == 3 else standing)


_STARTERS = {
    24: _Starter(7, 1, 3, "z0 a2 b3 c0, a1 a5 a6 b4"),
    36: _Starter(11, 1, 3, "z0 a8 b7 c3, a2 c0 c4 c5, a6 a9 b1 b10"),
    44: _Starter(14, 9, 2, "z0 a2 b4 c8, z1 a1 b9 c11, a9 b0 b1 b6, a4 b3 b7 c3, a3 a8 c6 c10"),
    48: _Starter(15, 1, 3, "z0 a11 b10 c8, b0 b2 b14 c7, a9 b4 c5 c13, a3 c1 c6 c12"),
    56: _Starter(
        18,
        7,
        2,
        "z0 a8 b2 c14, z1 a4 b10 c16, a1 c8 c10 c15, a11 a13 b11 c12, a14 b0 b13 b16, a6 b3 b9 c11",
    ),
    60: _Starter(
        19,
        1,
        3,
        "z0 a16 b4 c12, a8 a11 c2 c14, b3 b17 c13 c15, b1 b5 c0 c6, a7 b9 b10 b18",
    ),
    72: _Starter(
        23,
        1,
        3,
        "z0 a18 b8 c4, b6 b11 b12 c16, a2 a10 c13 c17, a1 a3 a15 c0, a14 b9 c7 c20, a5 a21 c19 c22",
    ),
    84: _Starter(
        27,
        1,
        3,
        "z0 a23 b4 c14, a15 a17 a18 b5, b6 b11 b21 c24, b16 b25 c0 c20, a2 a10 b3 b26, "
        "a9 a22 b1 b7, a8 a19 b13 c12",
    ),
}
"""The maximum of rounds: only trios (24, 36 …) or couples (44, 56) never meet."""


def from_starter(players: int) -> Schedule | None:
    """A schedule from the stored first round for this many players, or None."""
    starter = _STARTERS.get(players)
    return Schedule(starter.m, starter.rounds) if starter else None


_THIRTY_TWO = (
    ((0, 1, 6, 7), ((0, 12, 22, 24), (2, 4, 9, 15), (18, 21, 26, 29))),
    ((0, 1, 2, 3), ((0, 2, 16, 18), (4, 10, 21, 25), (12, 15, 29, 30))),
    ((0, 1, 2, 3), ((0, 8, 21, 31), (4, 13, 19, 24))),
    (range(8), ((0, 10, 19, 26),)),
    (range(8), ((0, 15, 20, 25),)),
    (range(8), ((0, 3, 4, 7), (8, 10, 13, 15), (16, 19, 21, 22), (24, 26, 28, 30))),
    (range(8), ((0, 5, 27, 30), (8, 12, 16, 20))),
)
"""Seven rounds, each as the shifts to apply to some tables to get all of them."""


def thirty_two(players: int) -> Schedule | None:
    """32 players in 10 rounds, the maximum; None for other numbers.

    Four copies of GF(2)³: a shift is the exclusive or of a player's number with 0 … 7. Shifting
    whole rounds by each of these gives three more rounds. Whether such a schedule exists was open
    until A. Aguado found one in 2004; this one comes from a search of our own.
    """
    return Schedule(10, _thirty_two) if players == 32 else None


def _thirty_two() -> Iterator[Round]:
    made = set()
    for within, tables in _THIRTY_TWO:
        for by in range(8):
            round_ = {
                tuple(sorted(player ^ shift ^ by for player in table))
                for table in tables
                for shift in within
            }
            if frozenset(round_) not in made:
                made.add(frozenset(round_))
                yield [as_table(table) for table in sorted(round_)]


_SPEEDS = {
    29: (5, (1, 0, 2, 5)),
    33: (4, (1, 0, 2, 3)),
    34: (5, (2, 4, 0, 5)),
    37: (5, (3, 0, 1, 8)),
    38: (5, (1, 3, 0, 8)),
    41: (5, (1, 0, 2, 3)),
    42: (8, (6, 8, 0, 1)),
    45: (9, (1, 0, 2, 7)),
    46: (6, (1, 2, 0, 5)),
    49: (6, (3, 1, 6, 8)),
    50: (10, (5, 7, 0, 1)),
    53: (11, (1, 0, 2, 8)),
    54: (7, (1, 4, 0, 2)),
}
"""Better speeds than one to four: the number of rounds, and the speeds."""


def rotating_groups(players: int) -> Schedule:
    """A schedule for any number of players with at most two sitting out each round.

    With m = players // 4 tables it has (m + 2) // 3 rounds if nobody sits out, otherwise
    (m + 1) // 3 but at least one; more where better speeds are stored. Nobody meets twice and
    nobody sits out twice.
    """
    tables, left_over = divmod(players, 4)
    any_number = (max(1, (tables + (1 if left_over else 2)) // 3), (1, 2, 3, 4))
    rounds, speeds = _SPEEDS.get(players, any_number)
    return Schedule(rounds, lambda: _rotating_groups(players, rounds, speeds))


def _rotating_groups(players: int, rounds: int, speeds: Sequence[int]) -> Iterator[Round]:
    """Four groups go around the m tables, each at its own speed in tables per round.

    With people left over, the first one or two groups have one player more: their wheel has
    m + 1 places, the last of which is out. At speeds one to four, two people of two groups whose
    speeds differ by k = 1 … 3 meet in two rounds, d apart, only if kd is at least m − 1 (m if the
    wheels are alike), or if it is 1 and the larger wheel is the faster, which it never is.
    """
    tables, left_over = divmod(players, 4)
    sizes = [tables + (group < left_over) for group in range(4)]
    starts = [sum(sizes[:group]) for group in range(4)]
    wheels = list(zip(starts, speeds, sizes, strict=True))
    for number in range(rounds):
        yield [
            as_table(start + (table + speed * number) % size for start, speed, size in wheels)
            for table in range(tables)
        ]


_CYCLIC = {
    17: (3, "6 11 7 13, 16 9 12 1, 10 8 3 4, 15 5 14 2"),
    18: (3, "9 16 4 2, 11 13 10 1, 5 8 7 12, 17 15 6 14"),
    21: (4, "7 2 20 15, 3 1 12 13, 10 16 14 17, 19 4 11 5, 9 8 6 18"),
    22: (4, "13 15 16 1, 21 2 3 10, 11 9 18 12, 6 19 17 20, 7 8 14 5"),
    25: (4, "5 9 10 14, 4 21 7 15, 6 18 13 16, 17 2 22 3, 19 20 12 23, 11 8 1 24"),
    26: (5, "22 1 9 24, 15 4 2 20, 21 7 10 11, 8 13 25 3, 18 12 6 14, 19 16 23 17"),
    30: (5, "13 16 9 26, 15 6 27 19, 22 8 14 2, 28 1 17 3, 25 7 10 29, 20 24 18 23, 11 4 21 12"),
}
"""The number of rounds, and the tables of the first one."""


def cyclic(players: int) -> Schedule | None:
    """A schedule from the stored first round, in which some number is missing, or None.

    Each next round adds 1 to each number, modulo the number of players. Found by search; nobody
    meets twice and nobody sits out twice.
    """
    if players not in _CYCLIC:
        return None
    rounds, _ = _CYCLIC[players]
    return Schedule(rounds, lambda: _cyclic(players))


def _cyclic(players: int) -> Iterator[Round]:
    rounds, tables = _CYCLIC[players]
    first = [as_table(map(int, table.split())) for table in tables.split(", ")]
    for by in range(rounds):
        yield renamed(first, [(player + by) % players for player in range(players)])


def design_rounds(players: int, rounds: int) -> list[Round] | None:
    """This many rounds for players 0 … players − 1, or None if no known schedule is that long.

    Each round has players // 4 tables; the others sit out. Nobody repeats a partner. Up to
    `rounds_without_reunion` nobody repeats a table-mate or sits out twice either. After that:

    - if the number is divisible by four and everyone has met (or all but a trio or couple each):
      the same tables with other partners, up to three times; if everyone has met, no schedule has
      fewer repeated meetings;
    - otherwise a whist tournament, in which two people meet three times in all; with 4n + 1
      players each sits out once.
    """
    if players < 4:
        return None
    schedule = _longest(players)
    if rounds > schedule.rounds:
        longer = _beyond(players, schedule)
        if longer is None or rounds > longer.rounds:
            return None
        schedule = longer
    return list(islice(schedule.make(), max(rounds, 0)))


def rounds_without_reunion(players: int) -> int:
    """The number of rounds of `design_rounds` in which nobody meets twice; 0 under four players."""
    return _longest(players).rounds if players >= 4 else 0


def _beyond(players: int, schedule: Schedule) -> Schedule | None:
    complete = schedule.rounds == (players - 1) // 3
    return three_times(schedule) if complete and players % 4 == 0 else whist(players)


@cache
def _longest(players: int) -> Schedule:
    """The longest known schedule in which nobody meets twice."""
    if players % 4 == 3:
        return without_last(_longest(players + 1), players)
    known = [
        schedule
        for find in (three_layers, four_layers, from_starter, thirty_two, cyclic)
        if (schedule := find(players))
    ]
    return max(
        [rotating_groups(players), *known, *_products(players)],
        key=lambda schedule: schedule.rounds,
    )


def _products(players: int) -> list[Schedule]:
    sizes = [players // groups for groups in range(4, players, 4) if players % groups == 0]
    return [
        product(
            outer=_longest(players // size),
            groups=players // size,
            inner=_longest(size) if size % 4 == 0 else None,
            size=size,
        )
        for size in sizes
        if has_transversals(size)
    ]
