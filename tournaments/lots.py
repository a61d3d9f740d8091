"""Lots that people drew by hand: what is on them, and who sits where by them.

On one kind of lot stands a number: 1 to 4 are table 1, where 1 and 3 play against 2 and 4, then 5
to 8 are table 2. On the other stands a table with a letter: the two with 3A play against the two
with 3B. At a table of three any one of its lots is missing, at a table of two any two.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from tournaments.draw.core import Seat
from tournaments.draw.core.models import TABLE_SIZE

Person = TypeVar("Person")

SEATS_IN_TURN: tuple[Seat, ...] = ("N", "E", "S", "W")
LETTERS = ("A", "B")
TWO = 2
_WRITTEN = re.compile(r"([0-9]{1,4}) *([AB]?)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, order=True)
class Lot:
    """A lot: its table from 1, and there place 1 to 4, or side A or B."""

    table: int
    mark: int | str

    @property
    def lettered(self) -> bool:
        """Whether it is a table with a letter."""
        return self.mark in LETTERS

    @property
    def holders(self) -> int:
        """How many people can have this lot."""
        return 2 if self.lettered else 1

    def __str__(self) -> str:
        """What is on it."""
        if isinstance(self.mark, str):
            return f"{self.table}{self.mark}"
        return str((self.table - 1) * TABLE_SIZE + self.mark)


def read_lot(written: str) -> Lot | None:
    """The lot with this on it, or None when that is on no lot.

    >>> str(read_lot("10")), read_lot("10")
    ('10', Lot(table=3, mark=2))
    >>> str(read_lot("3 a")), read_lot("0")
    ('3A', None)
    """
    found = _WRITTEN.fullmatch(written.strip())
    if found is None or int(found[1]) == 0:
        return None
    number, letter = int(found[1]), found[2].upper()
    if letter:
        return Lot(number, letter)
    table, place = divmod(number - 1, TABLE_SIZE)
    return Lot(table + 1, place + 1)


def lot_at(table: int, seat: Seat, *, lettered: bool) -> Lot:
    """The lot that leads to this seat."""
    turn = SEATS_IN_TURN.index(seat)
    return Lot(table, LETTERS[turn % 2] if lettered else turn + 1)


def table_by_lots(
    holders: Mapping[Person, Lot], table: int, *, lettered: bool
) -> tuple[dict[Seat, Person], list[Lot]]:
    """Who sits where at a table, and which of its lots nobody has.

    Of two with the same letter the first one gets North or East. Three people sit North, East and
    South, two North and East.
    """
    lots = {seat: lot_at(table, seat, lettered=lettered) for seat in SEATS_IN_TURN}
    seats: dict[Seat, Person] = {}
    for who, lot in holders.items():
        seat = next((seat for seat in SEATS_IN_TURN if lots.get(seat) == lot), None)
        if seat:
            seats[seat] = who
            del lots[seat]
    return seats_of_few(seats), sorted(lots.values())


def seats_of_few(seats: Mapping[Seat, Person]) -> dict[Seat, Person]:
    """The same seats; three people sit North, East and South, and two North and East."""
    found = dict(seats)
    if len(found) == TWO:
        return dict(zip(SEATS_IN_TURN, found.values(), strict=False))
    if len(found) == TABLE_SIZE - 1 and "W" in found:
        free = next(seat for seat in SEATS_IN_TURN if seat not in found)
        found[free] = found.pop("W")
    return found


def fewest_tables(people: int) -> int:
    """How many tables of four so many people fill; who is left over does not play."""
    return people // TABLE_SIZE


def most_tables(people: int, *, threes: bool) -> int:
    """How many tables so many people fill when, with `threes`, nobody need be left over.

    Five people play at a table of three and one of two.

    >>> [most_tables(people, threes=True) for people in (5, 6, 8, 9, 14)]
    [2, 2, 2, 3, 4]
    """
    if threes:
        return -(-people // TABLE_SIZE)
    return fewest_tables(people)
