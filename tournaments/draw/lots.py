"""Paper lots drawn by hand: what is on them, and the seats they stand for.

A numbered lot gives a place: 1 to 4 are table 1, where 1 and 3 play against 2 and 4, then 5 to 8
are table 2. A lettered lot gives a table and a side: the two with 3A play against the two with
3B. A table of three misses any one of its lots, a table of two any two.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from tournaments.draw.core import Seat
from tournaments.draw.core.models import TABLE_SIZE

Holder = TypeVar("Holder")

SEATS_IN_TURN: tuple[Seat, ...] = ("N", "E", "S", "W")
LETTERS = ("A", "B")
TWO = 2
_WRITTEN = re.compile(r"([0-9]{1,4}) *([AB]?)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, order=True)
class PaperLot:
    """A lot: its table, from 1, and the place 1 to 4 or side A or B there."""

    table: int
    mark: int | str

    @property
    def lettered(self) -> bool:
        """Whether it gives a side instead of a place."""
        return self.mark in LETTERS

    @property
    def holders(self) -> int:
        """How many people can hold this lot."""
        return 2 if self.lettered else 1

    def __str__(self) -> str:
        """What is written on it."""
        if isinstance(self.mark, str):
            return f"{self.table}{self.mark}"
        return str((self.table - 1) * TABLE_SIZE + self.mark)


def read_lot(written: str) -> PaperLot | None:
    """The lot with this written on it, or None if no lot has it.

    >>> str(read_lot("10")), read_lot("10")
    ('10', PaperLot(table=3, mark=2))
    >>> str(read_lot("3 a")), read_lot("0")
    ('3A', None)
    """
    match = _WRITTEN.fullmatch(written.strip())
    if match is None or int(match[1]) == 0:
        return None
    number, letter = int(match[1]), match[2].upper()
    if letter:
        return PaperLot(number, letter)
    table, place = divmod(number - 1, TABLE_SIZE)
    return PaperLot(table + 1, place + 1)


def lot_at(table: int, seat: Seat, *, lettered: bool) -> PaperLot:
    """The lot for this seat."""
    turn = SEATS_IN_TURN.index(seat)
    return PaperLot(table, LETTERS[turn % 2] if lettered else turn + 1)


def table_by_lots(
    holders: Mapping[Holder, PaperLot], table: int, *, lettered: bool
) -> tuple[dict[Seat, Holder], list[PaperLot]]:
    """The seats at a table, and its lots that nobody holds.

    Of two people with the same letter the first gets North or East. Three people sit North, East
    and South, two North and East.
    """
    lots = {seat: lot_at(table, seat, lettered=lettered) for seat in SEATS_IN_TURN}
    seats: dict[Seat, Holder] = {}
    for holder, lot in holders.items():
        seat = next((seat for seat in SEATS_IN_TURN if lots.get(seat) == lot), None)
        if seat:
            seats[seat] = holder
            del lots[seat]
    return seats_of_few(seats), sorted(lots.values())


def seats_of_few(seats: Mapping[Seat, Holder]) -> dict[Seat, Holder]:
    """The same seats, but three people sit North, East and South, and two North and East."""
    filled = dict(seats)
    if len(filled) == TWO:
        return dict(zip(SEATS_IN_TURN, filled.values(), strict=False))
    if len(filled) == TABLE_SIZE - 1 and "W" in filled:
        free = next(seat for seat in SEATS_IN_TURN if seat not in filled)
        filled[free] = filled.pop("W")
    return filled


def fewest_tables(people: int) -> int:
    """The number of tables of four for this many people; the others do not play."""
    return people // TABLE_SIZE


def most_tables(people: int, *, threes: bool) -> int:
    """The number of tables for this many people if, with `threes`, nobody is left over.

    Five people play at a table of three and one of two.

    >>> [most_tables(people, threes=True) for people in (5, 6, 8, 9, 14)]
    [2, 2, 2, 3, 4]
    """
    if threes:
        return -(-people // TABLE_SIZE)
    return fewest_tables(people)
