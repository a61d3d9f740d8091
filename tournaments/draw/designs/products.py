"""Schedules made of smaller ones."""

from collections.abc import Iterator

from tournaments.draw.designs.fields import field, prime_powers
from tournaments.draw.designs.models import Round, Schedule, as_table

_ORDERS = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))
"""How the same four sit down so that everybody has another partner each time."""


def has_transversals(size: int) -> bool:
    """Whether `product` can replace each player by so many: no field in it is under four."""
    return size > 1 and all(prime**exponent >= 4 for prime, exponent in prime_powers(size))


def product(outer: Schedule, groups: int, inner: Schedule | None, size: int) -> Schedule:
    """For groups × size players, when nobody meets twice in `outer` (for `groups` players).

    Each player is replaced by a group of `size`, and each table by size² tables, one of each two
    people of two groups, in `size` rounds. Then each group plays `inner` by itself; without
    `inner` those of one group never meet. `size` must have transversals.
    """
    return Schedule(
        outer.rounds * size + (inner.rounds if inner else 0),
        lambda: _product(outer, groups, inner, size),
    )


def _product(outer: Schedule, groups: int, inner: Schedule | None, size: int) -> Iterator[Round]:
    """Over the ring that is the product of the fields in `size`, table x of round r is
    (x, x + r, x + 2r, x + 3r), where 0 … 3 stand for four elements whose differences have an
    inverse. So two people of two groups are at just one table.
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
    """Each element of the ring plus `times` × `number`, in order of the elements."""
    shifted, place = [0], 1
    for prime, exponent in prime_powers(size):
        numbers = field(prime**exponent)
        by = numbers.multiply(times, number // place % numbers.order)
        shifted = [low + place * high for high in numbers.shift(by) for low in shifted]
        place *= numbers.order
    return shifted


def without_last(schedule: Schedule, last: int) -> Schedule:
    """The schedule without the player `last`: those who would sit with him sit out.

    Where nobody meets twice, nobody sits out twice.
    """
    return Schedule(
        schedule.rounds,
        lambda: ([table for table in one if last not in table] for one in schedule.make()),
    )


def three_times(schedule: Schedule) -> Schedule:
    """The whole schedule three times over, everybody with another partner each time."""
    return Schedule(3 * schedule.rounds, lambda: _three_times(schedule))


def _three_times(schedule: Schedule) -> Iterator[Round]:
    for order in _ORDERS:
        for played in schedule.make():
            yield [as_table(table[seat] for seat in order) for table in played]
