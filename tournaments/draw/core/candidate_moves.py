"""The ways in which a state can take in one more person, or lose one."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, count, islice

from tournaments.draw.core.models import TABLE_SIZE, Leftover, Player
from tournaments.draw.core.objective import SeatingCost
from tournaments.draw.core.state import DrawState, Group

THREE = TABLE_SIZE - 1
MAX_STATES = 12

ThreeCost = Callable[[Group, int], SeatingCost]
"""The cost of these people playing three-handed for this many rounds."""


def states_with(
    state: DrawState, player: Player, leftover: Leftover, three_cost: ThreeCost
) -> Iterator[DrawState]:
    """Candidate states with the player added; bounded, and without exchanges of others.

    The player completes a table of three; or forms a new table with those who sit out; or, with
    `three_handed`, tables of four give up people to form tables of three; or sits out.
    """
    waiting = (*state.out, player)
    fours = _by_cost(state, state.of_size(TABLE_SIZE), three_cost)
    threes = _by_cost(state, state.of_size(THREE), three_cost)[::-1]
    short = THREE - len(waiting)
    if threes:
        for number in threes[:MAX_STATES]:
            yield state.seat({number: (*state.tables[number].people, player)}, state.out)
    elif len(waiting) >= TABLE_SIZE:
        yield state.seat({_new_number(state): waiting[:TABLE_SIZE]}, waiting[TABLE_SIZE:])
    elif leftover == "three_handed" and short <= len(fours):
        for chosen in islice(combinations(fours, short), MAX_STATES):
            yield _with_threes(state, chosen, _new_number(state), waiting)
    else:
        yield state.seat({}, waiting)


def states_without(
    state: DrawState, player: Player, leftover: Leftover, three_cost: ThreeCost
) -> Iterator[DrawState]:
    """Candidate states with the player removed, likewise.

    Someone who sits out takes the seat; or the rest of the table sits out or, with
    `three_handed`, becomes a table of three; two who are left take someone in from a table of
    four, join tables of three, or sit out.
    """
    number = state.table_of.get(player)
    if number is None:
        yield state.seat({}, [person for person in state.out if person != player])
        return
    people = state.tables[number].people
    left = tuple(person for person in people if person != player)
    if state.out:
        comes, *others = state.out
        places = tuple(comes if person == player else person for person in people)
        yield state.seat({number: places}, others)
    elif leftover == "three_handed" and len(left) == THREE:
        yield state.seat({number: _moved_up(people, player)}, ())
    elif leftover == "three_handed":
        yield from _two_left(state, number, left, three_cost)
    else:
        yield state.seat({number: ()}, left)


def _two_left(
    state: DrawState, number: int, left: Group, three_cost: ThreeCost
) -> Iterator[DrawState]:
    """Candidates when two people are left of a table of three."""
    fours = _by_cost(state, state.of_size(TABLE_SIZE), three_cost)
    for four in fours[:MAX_STATES]:
        yield _with_threes(state, [four], number, left)
    if not fours:
        others = [other for other in state.of_size(THREE) if other != number]
        for chosen in islice(combinations(others, min(2, len(others))), MAX_STATES):
            joined = {
                three: (*state.tables[three].people, person)
                for three, person in zip(chosen, left, strict=False)
            }
            yield state.seat({number: (), **joined}, left[len(joined) :])


def _with_threes(state: DrawState, fours: Sequence[int], number: int, people: Group) -> DrawState:
    """Each of these tables of four gives one person to a new table of three."""
    given = tuple(state.tables[four].people[-1] for four in fours)
    left = {four: state.tables[four].people[:-1] for four in fours}
    return state.seat({**left, number: (*people, *given)}, ())


def _moved_up(people: Group, leaver: Player) -> Group:
    """The three who are left in the seats N, E and S; West takes the free seat."""
    *places, last = people
    return (
        tuple(places)
        if last == leaver
        else tuple(last if person == leaver else person for person in places)
    )


def _by_cost(state: DrawState, numbers: Sequence[int], three_cost: ThreeCost) -> list[int]:
    """The tables by the cost of having their people play three-handed."""
    return sorted(numbers, key=lambda number: three_cost(state.tables[number].people, state.length))


def _new_number(state: DrawState) -> int:
    """The lowest unused table number."""
    return next(number for number in count(1) if number not in state.tables)
