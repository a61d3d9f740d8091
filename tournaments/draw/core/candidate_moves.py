"""The ways in which a hall can take in one person more, or do with one less."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, count, islice

from tournaments.draw.core.models import TABLE_SIZE, Leftover, Player
from tournaments.draw.core.objective import Weight
from tournaments.draw.core.state import Group, Hall

THREE = TABLE_SIZE - 1
MOST_WAYS = 12

Dear = Callable[[Group, int], Weight]
"""What it costs that these people sit at a table of three for so many rounds."""


def ways_in(hall: Hall, player: Player, leftover: Leftover, dear: Dear) -> Iterator[Hall]:
    """The hall with him in it. Exchanges of two people are for later; not all ways of a big hall.

    He makes a table of three complete; else with those who sit out a new table; else
    (`three_handed`) tables of four give up people to have tables of three; else he sits out.
    """
    waiting = (*hall.out, player)
    fours = _by_cost(hall, hall.of_size(TABLE_SIZE), dear)
    threes = _by_cost(hall, hall.of_size(THREE), dear)[::-1]
    short = THREE - len(waiting)
    if threes:
        for number in threes[:MOST_WAYS]:
            yield hall.seat({number: (*hall.tables[number].people, player)}, hall.out)
    elif len(waiting) >= TABLE_SIZE:
        yield hall.seat({_new_number(hall): waiting[:TABLE_SIZE]}, waiting[TABLE_SIZE:])
    elif leftover == "three_handed" and short <= len(fours):
        for chosen in islice(combinations(fours, short), MOST_WAYS):
            yield _with_threes(hall, chosen, _new_number(hall), waiting)
    else:
        yield hall.seat({}, waiting)


def ways_out(hall: Hall, player: Player, leftover: Leftover, dear: Dear) -> Iterator[Hall]:
    """The hall without him, likewise.

    Who sits out takes his seat; else the others of his table sit out, or (`three_handed`) are a
    table of three; two who are left take somebody in from a table of four, or go to tables of
    three, or sit out.
    """
    number = hall.table_of.get(player)
    if number is None:
        yield hall.seat({}, [who for who in hall.out if who != player])
        return
    people = hall.tables[number].people
    left = tuple(who for who in people if who != player)
    if hall.out:
        comes, *others = hall.out
        places = tuple(comes if who == player else who for who in people)
        yield hall.seat({number: places}, others)
    elif leftover == "three_handed" and len(left) == THREE:
        yield hall.seat({number: _moved_up(people, player)}, ())
    elif leftover == "three_handed":
        yield from _two_left(hall, number, left, dear)
    else:
        yield hall.seat({number: ()}, left)


def _two_left(hall: Hall, number: int, left: Group, dear: Dear) -> Iterator[Hall]:
    """Two people at what was a table of three."""
    fours = _by_cost(hall, hall.of_size(TABLE_SIZE), dear)
    for four in fours[:MOST_WAYS]:
        yield _with_threes(hall, [four], number, left)
    if not fours:
        others = [other for other in hall.of_size(THREE) if other != number]
        for chosen in islice(combinations(others, min(2, len(others))), MOST_WAYS):
            joined = {
                three: (*hall.tables[three].people, who)
                for three, who in zip(chosen, left, strict=False)
            }
            yield hall.seat({number: (), **joined}, left[len(joined) :])


def _with_threes(hall: Hall, fours: Sequence[int], number: int, people: Group) -> Hall:
    """These tables of four each give up one, who makes up a table of three with the people."""
    given = tuple(hall.tables[four].people[-1] for four in fours)
    left = {four: hall.tables[four].people[:-1] for four in fours}
    return hall.seat({**left, number: (*people, *given)}, ())


def _moved_up(people: Group, leaver: Player) -> Group:
    """The three who are left in the seats N, E and S, who sat W in the seat that is free."""
    *places, last = people
    return (
        tuple(places) if last == leaver else tuple(last if one == leaver else one for one in places)
    )


def _by_cost(hall: Hall, numbers: Sequence[int], dear: Dear) -> list[int]:
    """The tables in order of what it costs that their people sit at a table of three."""
    return sorted(numbers, key=lambda number: dear(hall.tables[number].people, hall.length))


def _new_number(hall: Hall) -> int:
    """The lowest number that no table has."""
    return next(number for number in count(1) if number not in hall.tables)
