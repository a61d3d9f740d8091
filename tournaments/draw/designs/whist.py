"""Whist tournaments: everybody has everybody as partner once and as opponent twice."""

from collections.abc import Iterator

from tournaments.draw.designs.fields import field, is_prime_power
from tournaments.draw.designs.models import Round, Schedule, as_table, renamed

_CYCLIC = {
    8: (4, 6, 0, 7, 3, 2, 5, 1),
    12: (6, 8, 11, 3, 7, 1, 10, 0, 2, 9, 4, 5),
    20: (8, 11, 16, 9, 2, 15, 12, 10, 18, 5, 14, 4, 17, 6, 19, 13, 7, 3, 1, 0),
}
"""A first round, table after table, whose differences are right; the last number stands still."""


def whist(players: int) -> Schedule | None:
    """A whist tournament for so many players, or None when none is known here.

    For a power of a prime q = 4n + 1 there are q rounds, in each of which another player sits
    out; for 8, 12 and 20 players there are 7, 11 and 19.
    """
    if players in _CYCLIC:
        return Schedule(players - 1, lambda: _cyclic(players))
    if players % 4 == 1 and players > 1 and is_prime_power(players):
        return Schedule(players, lambda: _over_field(players))
    return None


def _over_field(order: int) -> Iterator[Round]:
    """Tables (θⁱ, θⁱ⁺ⁿ, θⁱ⁺²ⁿ, θⁱ⁺³ⁿ) for i < n, with θ a primitive root of GF(4n + 1), moved on.

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
    """The stored first round with every number but the last moved on, modulo 4n − 1."""
    seats = _CYCLIC[players]
    around = players - 1
    first = [as_table(seats[start : start + 4]) for start in range(0, players, 4)]
    for by in range(around):
        yield renamed(first, [(player + by) % around for player in range(around)] + [around])
