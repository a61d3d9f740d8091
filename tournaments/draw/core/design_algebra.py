"""Finite fields, and the schedules constructed from them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

Table = tuple[int, int, int, int]
"""The players at N, E, S, W; N and S are partners, and E and W."""

Round = list[Table]


@dataclass(frozen=True)
class Schedule:
    """A number of rounds, generated one by one in playing order.

    `make` starts afresh each time; the number of rounds is known without generating them.
    """

    rounds: int
    make: Callable[[], Iterator[Round]]


def as_table(players: Iterable[int]) -> Table:
    """The four players of a table, in this order; raises `ValueError` if there are not four."""
    north, east, south, west = players
    return north, east, south, west


def renamed(tables: Iterable[Table], names: Mapping[int, int] | list[int]) -> Round:
    """The tables with each player's number looked up in `names`."""
    return [as_table(names[player] for player in table) for table in tables]


def prime_factors(number: int) -> list[tuple[int, int]]:
    """The prime factors of `number` (at least 1) with exponents: 12 gives [(2, 2), (3, 1)]."""
    factors = []
    prime = 2
    while number > 1:
        exponent = 0
        while number % prime == 0:
            number //= prime
            exponent += 1
        if exponent:
            factors.append((prime, exponent))
        prime += 1
    return factors


def is_prime_power(number: int) -> bool:
    """Whether a field of this size exists."""
    return len(prime_factors(number)) == 1


class Field:
    """GF(q), with elements 0 … q − 1 whose digits in base p are the coefficients.

    `powers` are the powers of a primitive root, 0 to q − 2: every element except 0, once. The
    root is the first whose powers run through all of them, which also shows that the
    polynomial behind it defines a field.
    """

    def __init__(self, order: int) -> None:
        ((self._prime, _),) = prime_factors(order)
        self.order = order
        tails = range(1, order)
        self.powers = next(run for run in map(self._run, tails) if len(run) == order - 1)
        self._log = {element: exponent for exponent, element in enumerate(self.powers)}

    def _run(self, tail: int) -> list[int]:
        """1, x, x² … until 1 returns, where xᵏ is `tail` (for a prime q: x itself)."""
        run, element = [1], self._times_x(1, tail)
        while element not in (0, 1) and len(run) < self.order:
            run.append(element)
            element = self._times_x(element, tail)
        return run

    def _times_x(self, element: int, tail: int) -> int:
        lead, rest = divmod(element * self._prime, self.order)
        for _ in range(lead):
            rest = self.add(rest, tail)
        return rest

    def add(self, left: int, right: int) -> int:
        """The sum."""
        if self._prime == self.order:
            return (left + right) % self.order
        total, place = 0, 1
        while left or right:
            total += (left + right) % self._prime * place
            left, right, place = left // self._prime, right // self._prime, place * self._prime
        return total

    def multiply(self, left: int, right: int) -> int:
        """The product."""
        if left == 0 or right == 0:
            return 0
        return self.powers[(self._log[left] + self._log[right]) % (self.order - 1)]

    def log(self, element: int) -> int:
        """The exponent, 0 to q − 2, of the primitive root that gives `element`, which is not 0."""
        return self._log[element]

    def shift(self, by: int) -> list[int]:
        """Every element plus `by`, in order."""
        return [self.add(element, by) for element in range(self.order)]


@cache
def field(order: int) -> Field:
    """GF(order); raises `ValueError` if `order` is not a prime power."""
    return Field(order)


_CYCLIC = {
    8: (4, 6, 0, 7, 3, 2, 5, 1),
    12: (6, 8, 11, 3, 7, 1, 10, 0, 2, 9, 4, 5),
    20: (8, 11, 16, 9, 2, 15, 12, 10, 18, 5, 14, 4, 17, 6, 19, 13, 7, 3, 1, 0),
}
"""A first round, table after table, with the right differences; the last player stays fixed."""


def whist(players: int) -> Schedule | None:
    """A whist tournament for this many players, or None if none is known here.

    Everyone has everyone as partner once and as opponent twice. For a prime power q = 4n + 1
    there are q rounds, each with another player out; for 8, 12 and 20 players 7, 11 and 19.
    """
    if players in _CYCLIC:
        return Schedule(players - 1, lambda: _cyclic(players))
    if players % 4 == 1 and players > 1 and is_prime_power(players):
        return Schedule(players, lambda: _over_field(players))
    return None


def _over_field(order: int) -> Iterator[Round]:
    """Tables (θⁱ, θⁱ⁺ⁿ, θⁱ⁺²ⁿ, θⁱ⁺³ⁿ) for i < n, θ a primitive root of GF(4n + 1), and its shifts.

    θⁿ = ω has ω² = −1, so partners differ by ±2θⁱ and ±2θⁱ⁺ⁿ: over all i each difference once.
    Opponents differ by (1 − ω)θⁱωᵏ, k = 0 … 3, and their opposites: each difference twice.
    """
    numbers = field(order)
    quarter = order // 4
    first = [
        as_table(numbers.powers[start::quarter]) for start in range(quarter)
    ]  # the powers from `start` in steps of n are just four
    for by in range(order):
        yield renamed(first, numbers.shift(by))


def _cyclic(players: int) -> Iterator[Round]:
    """The stored first round with every number except the last shifted, modulo 4n − 1."""
    seats = _CYCLIC[players]
    around = players - 1
    first = [as_table(seats[start : start + 4]) for start in range(0, players, 4)]
    for by in range(around):
        yield renamed(first, [(player + by) % around for player in range(around)] + [around])


def three_layers(players: int) -> Schedule | None:
    """3q + 1 players in q rounds, for a prime power q = 4t + 1; None for other numbers.

    These are 16, 28, 40, 52, 76, 88, 112 and so on; everyone meets everyone once. From
    R. C. Bose, "On the construction of balanced incomplete block designs" (1939).
    """
    order, rest = divmod(players, 3)
    if rest == 1 and order % 4 == 1 and is_prime_power(order):
        return Schedule(order, lambda: _three_layers(field(order)))
    return None


def _three_layers(numbers: Field) -> Iterator[Round]:
    """Three copies of GF(q) and one fixed player, developed over GF(q).

    Tables (x²ⁱ, −x²ⁱ) of one layer with (xᵃ⁺²ⁱ, −xᵃ⁺²ⁱ) of the next, for i < t, and the three
    zeros with the fixed player. Within a layer the differences are twice a square, and twice a
    non-square since a is odd. Between layers they are ±(xᵃ ± 1)x²ⁱ: all elements but 0 if
    (xᵃ + 1) ÷ (xᵃ − 1) is not a square.
    """
    order, powers = numbers.order, numbers.powers
    half, odd = order // 2, _odd_power(numbers)
    first = [as_table([0, order, 2 * order, 3 * order])]
    for layer in range(3):
        here, there = layer * order, (layer + 1) % 3 * order
        for i in range(0, half, 2):
            j = (odd + i) % (order - 1)
            near = (here + powers[i], here + powers[i + half])
            far = (there + powers[j], there + powers[(j + half) % (order - 1)])
            first.append(as_table([*near, *far]))
    for by in range(order):
        yield renamed(first, [*_each_layer(numbers.shift(by), 3), 3 * order])


def _odd_power(numbers: Field) -> int:
    """The least odd a for which (xᵃ + 1) ÷ (xᵃ − 1) is not a square."""
    minus_one = numbers.powers[numbers.order // 2]
    return next(
        odd
        for odd in range(1, numbers.order, 2)
        if (
            numbers.log(numbers.add(numbers.powers[odd], 1))
            - numbers.log(numbers.add(numbers.powers[odd], minus_one))
        )
        % 2
    )


_DIFFERENCES = ((0, 1, 5, 12), (19, 3, 6, 9))
"""Every difference in GF(25) except 0 once, also when multiplied by any one element."""


def four_layers(players: int) -> Schedule | None:
    """100 players in 33 rounds; None for other numbers."""
    return Schedule(33, lambda: _four_layers(field(25))) if players == 100 else None


def _four_layers(numbers: Field) -> Iterator[Round]:
    """Four copies of GF(25): xc in layer c for c = 1 … 4, with tables within and across layers.

    Tables within layer c are c times the `_DIFFERENCES`. A table across is (x + b, 2x + b, 3x + b,
    4x + b): two people of two layers share exactly one, as c differs per layer. The x outside the
    `_DIFFERENCES`, with b = 0, form a round with the tables within, shifted 25 times. Each x in
    them gives a round of its own, with all b.
    """
    within = [_across(numbers, block) for block in _DIFFERENCES]
    inside = [element for block in _DIFFERENCES for element in block]
    first: list[Table] = [as_table(layer) for block in within for layer in zip(*block, strict=True)]
    first += _across(numbers, [x for x in range(numbers.order) if x not in inside])
    for by in range(numbers.order):
        yield renamed(first, _each_layer(numbers.shift(by), 4))
    for table in _across(numbers, inside):
        yield [
            renamed([table], _each_layer(numbers.shift(by), 4))[0] for by in range(numbers.order)
        ]


def _across(numbers: Field, elements: list[int] | tuple[int, ...]) -> list[Table]:
    return [
        as_table(layer * numbers.order + numbers.multiply(layer + 1, element) for layer in range(4))
        for element in elements
    ]


def _each_layer(shifted: list[int], layers: int) -> list[int]:
    order = len(shifted)
    return [layer * order + element for layer in range(layers) for element in shifted]


_ORDERS = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))
"""Seat orders that give the same four people other partners each time."""


def has_transversals(size: int) -> bool:
    """Whether `product` can replace each player by this many: no field in it is under four."""
    return size > 1 and all(prime**exponent >= 4 for prime, exponent in prime_factors(size))


def product(outer: Schedule, groups: int, inner: Schedule | None, size: int) -> Schedule:
    """A schedule for groups × size players, if nobody meets twice in `outer` (for `groups`).

    Each player becomes a group of `size`, and each table size² tables, one for each two people of
    two groups, in `size` rounds. Then each group plays `inner` on its own; without `inner` the
    members of a group never meet. `size` must have transversals.
    """
    return Schedule(
        outer.rounds * size + (inner.rounds if inner else 0),
        lambda: _product(outer, groups, inner, size),
    )


def _product(outer: Schedule, groups: int, inner: Schedule | None, size: int) -> Iterator[Round]:
    """Over the product ring of the fields in `size`, table x of round r is
    (x, x + r, x + 2r, x + 3r), where 0 … 3 stand for four elements whose differences are
    invertible. So two people of two groups share exactly one table.
    """
    for played in outer.make():
        for number in range(size):
            seats = [_shifts(size, number, times) for times in range(4)]
            yield [
                as_table(group * size + seat[x] for group, seat in zip(table, seats, strict=True))
                for table in played
                for x in range(size)
            ]
    for played in inner.make() if inner else ():
        yield [
            as_table(group * size + player for player in table)
            for group in range(groups)
            for table in played
        ]


def _shifts(size: int, number: int, times: int) -> list[int]:
    """Every element of the ring plus `times` × `number`, in order."""
    shifted, place = [0], 1
    for prime, exponent in prime_factors(size):
        numbers = field(prime**exponent)
        by = numbers.multiply(times, number // place % numbers.order)
        shifted = [low + place * high for high in numbers.shift(by) for low in shifted]
        place *= numbers.order
    return shifted


def without_last(schedule: Schedule, last: int) -> Schedule:
    """The schedule without the player `last`; their table-mates of each round sit out.

    If nobody meets twice, nobody sits out twice.
    """
    return Schedule(
        schedule.rounds,
        lambda: ([table for table in left if last not in table] for left in schedule.make()),
    )


def three_times(schedule: Schedule) -> Schedule:
    """The whole schedule three times, with other partners each time."""
    return Schedule(3 * schedule.rounds, lambda: _three_times(schedule))


def _three_times(schedule: Schedule) -> Iterator[Round]:
    for order in _ORDERS:
        for played in schedule.make():
            yield [as_table(table[seat] for seat in order) for table in played]
