"""First rounds found by a search that assumes symmetry; all other rounds follow from them."""

from collections.abc import Iterator
from dataclasses import dataclass

from tournaments.draw.designs.models import Round, Schedule, as_table, renamed


@dataclass(frozen=True)
class _Starter:
    """A first round on Z_m taken three times (layers a, b and c) and `still` players z0, z1, z2.

    It consists of `tables` (a13 is the element 13 of layer a) and of what becomes of them when
    each element is multiplied by `u` while a becomes b, b becomes c and c becomes a (and of three
    players who stand still likewise), done once and twice. The other rounds follow by adding 1
    to each element, m rounds in all.
    """

    m: int
    u: int
    still: int
    tables: str

    def rounds(self) -> Iterator[Round]:
        """The m rounds; players are elements + m × layer, and last those who stand still."""
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
"""As many rounds as there can be: who never meets is a trio (24, 36 …) or a couple (44, 56)."""


def developed(players: int) -> Schedule | None:
    """From the stored first round for so many players, or None when there is none."""
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
"""Of seven rounds: by which numbers to shift the tables beside them to get the whole round."""


def thirty_two(players: int) -> Schedule | None:
    """32 players in 10 rounds, the most there can be; None for other numbers.

    GF(2)³ taken four times: a shift is the exclusive or of a player's number with 0 … 7. Shifting
    whole rounds by each of these gives three rounds more. That such a schedule exists was an open
    question until A. Aguado found one in 2004; this one comes from a search of its own.
    """
    return Schedule(10, _thirty_two) if players == 32 else None


def _thirty_two() -> Iterator[Round]:
    found = set()
    for within, tables in _THIRTY_TWO:
        for by in range(8):
            round_ = {
                tuple(sorted(player ^ shift ^ by for player in table))
                for table in tables
                for shift in within
            }
            if frozenset(round_) not in found:
                found.add(frozenset(round_))
                yield [as_table(table) for table in sorted(round_)]
