"""Finite fields GF(q), and which numbers are powers of a prime."""

from functools import cache


def prime_powers(number: int) -> list[tuple[int, int]]:
    """The primes in `number` (at least 1) with their exponents: 12 gives [(2, 2), (3, 1)]."""
    found = []
    prime = 2
    while number > 1:
        exponent = 0
        while number % prime == 0:
            number //= prime
            exponent += 1
        if exponent:
            found.append((prime, exponent))
        prime += 1
    return found


def is_prime_power(number: int) -> bool:
    """Whether a field of so many elements exists."""
    return len(prime_powers(number)) == 1


class Field:
    """GF(q). Its elements are 0 … q − 1: the digits of an element in base p are its coefficients.

    `powers` are the powers of a primitive root from 0 to q − 2: every element but 0, once. The
    root is the first for which multiplying by it runs through all of them, which also shows that
    the polynomial behind it gives a field.
    """

    def __init__(self, order: int) -> None:
        ((self._prime, _),) = prime_powers(order)
        self.order = order
        tails = range(1, order)
        self.powers = next(run for run in map(self._run, tails) if len(run) == order - 1)
        self._log = {element: exponent for exponent, element in enumerate(self.powers)}

    def _run(self, tail: int) -> list[int]:
        """1, x, x² … until 1 comes back, when xᵏ is `tail` (for a prime q: x itself)."""
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

    def add(self, one: int, other: int) -> int:
        """The sum."""
        if self._prime == self.order:
            return (one + other) % self.order
        total, place = 0, 1
        while one or other:
            total += (one + other) % self._prime * place
            one, other, place = one // self._prime, other // self._prime, place * self._prime
        return total

    def multiply(self, one: int, other: int) -> int:
        """The product."""
        if one == 0 or other == 0:
            return 0
        return self.powers[(self._log[one] + self._log[other]) % (self.order - 1)]

    def log(self, element: int) -> int:
        """To which power, from 0 to q − 2, the primitive root is `element`, which is not 0."""
        return self._log[element]

    def shift(self, by: int) -> list[int]:
        """Each element plus `by`, in order of the elements."""
        return [self.add(element, by) for element in range(self.order)]


@cache
def field(order: int) -> Field:
    """GF(order); raises `ValueError` when `order` is not a power of a prime."""
    return Field(order)
