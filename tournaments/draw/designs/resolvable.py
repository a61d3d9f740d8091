"""Resolvable designs: rounds at tables of four in which everybody meets everybody just once."""

from collections.abc import Iterator

from tournaments.draw.designs.fields import Field, field, is_prime_power
from tournaments.draw.designs.models import Round, Schedule, Table, as_table, renamed


def three_layers(players: int) -> Schedule | None:
    """3q + 1 players in q rounds, for a power of a prime q = 4t + 1; None for other numbers.

    That is 16, 28, 40, 52, 76, 88, 112 and so on. From R. C. Bose, "On the construction of
    balanced incomplete block designs" (1939).
    """
    order, rest = divmod(players, 3)
    if rest == 1 and order % 4 == 1 and is_prime_power(order):
        return Schedule(order, lambda: _three_layers(field(order)))
    return None


def _three_layers(numbers: Field) -> Iterator[Round]:
    """Each element of GF(q) three times, and one player who stands still, developed over GF(q).

    Tables (x²ⁱ, −x²ⁱ) of one layer with (xᵃ⁺²ⁱ, −xᵃ⁺²ⁱ) of the next, for i < t, and the three
    zeros with the player who stands still. In one layer the differences are twice a square, and
    twice a non-square as a is odd. Between layers they are ±(xᵃ ± 1)x²ⁱ: all elements but 0 when
    (xᵃ + 1) ÷ (xᵃ − 1) is no square.
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
"""In GF(25) each difference but 0 once, so also when all are multiplied by the same element."""


def four_layers(players: int) -> Schedule | None:
    """100 players in 33 rounds; None for other numbers."""
    return Schedule(33, lambda: _four_layers(field(25))) if players == 100 else None


def _four_layers(numbers: Field) -> Iterator[Round]:
    """Each element of GF(25) four times: xc in layer c for c = 1 … 4, tables within and across.

    Those within layer c are c times the `_DIFFERENCES`. A table across is (x + b, 2x + b, 3x + b,
    4x + b): two people of two layers are in just one, as c is another element in each layer. The
    x outside the `_DIFFERENCES`, with b = 0, make a round with the tables within; it is moved on
    25 times. Each x in them gives a round by itself, with all b.
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
