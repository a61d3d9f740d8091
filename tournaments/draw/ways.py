"""The ways in which a hall can take in one person more, or do with one less."""

from collections.abc import Iterator
from itertools import count

from tournaments.draw.hall import Group, Hall
from tournaments.draw.models import Leftover, Player
from tournaments.draw.sizes import TABLE_SIZE


def ways_in(hall: Hall, player: Player, leftover: Leftover) -> Iterator[Hall]:
    """The hall with him in it, in all ways that no exchange of two people makes into each other.

    They differ in which tables change, and not all ways are among them where many are alike.
    """
    waiting = (*hall.out, player)
    threes = _of_size(hall, TABLE_SIZE - 1)
    fours = _of_size(hall, TABLE_SIZE)
    if threes:
        for number in threes:
            yield hall.seat({number: (*hall.tables[number].people, waiting[-1])}, waiting[:-1])
    elif len(waiting) >= TABLE_SIZE or (leftover == "three_handed" and len(waiting) == 3):
        yield hall.seat({_new_number(hall): waiting[:TABLE_SIZE]}, waiting[TABLE_SIZE:])
    elif leftover == "three_handed" and len(waiting) + TABLE_SIZE * len(fours) >= 6 and fours:
        yield from _more_threes(hall, waiting, fours)
    else:
        yield hall.seat({}, waiting)


def ways_out(hall: Hall, player: Player, leftover: Leftover) -> Iterator[Hall]:
    """The hall without him, likewise."""
    number = hall.table_of(player)
    if number is None:
        yield hall.seat({}, [who for who in hall.out if who != player])
        return
    left = tuple(who for who in hall.tables[number].people if who != player)
    if hall.out:
        for who in hall.out:
            people = [who if one == player else one for one in hall.tables[number].people]
            yield hall.seat({number: people}, [one for one in hall.out if one != who])
    elif leftover == "sit_out":
        yield hall.seat({number: ()}, left)
    elif len(left) == TABLE_SIZE - 1:
        yield hall.seat({number: left}, ())
    else:
        yield from _two_left(hall, number, left)


def _more_threes(hall: Hall, waiting: Group, fours: list[int]) -> Iterator[Hall]:
    """Tables of three of those who wait and one or two tables of four."""
    new = _new_number(hall)
    one = hall.tables[fours[0]].people
    if len(waiting) == 2:
        yield hall.seat({fours[0]: one[:3], new: (*waiting, one[3])}, ())
        return
    other = hall.tables[fours[1]].people
    yield hall.seat({fours[0]: one[:3], fours[1]: other[:3], new: (one[3], other[3], *waiting)}, ())


def _two_left(hall: Hall, number: int, left: Group) -> Iterator[Hall]:
    """Two people at a table that had three."""
    threes = [other for other in _of_size(hall, TABLE_SIZE - 1) if other != number]
    fours = _of_size(hall, TABLE_SIZE)
    if fours:
        people = hall.tables[fours[0]].people
        yield hall.seat({fours[0]: people[:3], number: (*left, people[3])}, ())
        return
    joined = {
        three: (*hall.tables[three].people, who) for three, who in zip(threes, left, strict=False)
    }
    yield hall.seat({number: (), **joined}, left[len(joined) :])


def _of_size(hall: Hall, size: int) -> list[int]:
    return [number for number, table in hall.tables.items() if len(table.people) == size]


def _new_number(hall: Hall) -> int:
    """The lowest number that no table has."""
    return next(number for number in count(1) if number not in hall.tables)
