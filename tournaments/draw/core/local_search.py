"""How a round changes for one more person, or one fewer.

What a seating costs, in order of importance; the ways in which a round can take in or lose
somebody; and steepest descent over exchanges of people in what results.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, count, islice, permutations, product
from typing import NamedTuple

from tournaments.draw.core.bye_fairness import turns_owed
from tournaments.draw.core.models import (
    OPPOSITE,
    TABLE_SIZE,
    Couple,
    DrawState,
    Group,
    Leftover,
    PastEvening,
    Player,
    RoundDraw,
    SeatedTable,
    Seats,
    ordered,
)
from tournaments.draw.core.pair_counts import meetings_of, partners_of
from tournaments.draw.core.problem import Constraints

THREE = TABLE_SIZE - 1
MAX_STATES = 12
MAX_CHANGES = 2
PARTNERS, OPPONENTS = 1, 2
"""What two of one team at a table cost: as partners they do not play against each other."""


class SeatingCost(NamedTuple):
    """Costs compared in order: the least of one outweighs all of the next.

    Violated constraints; teammates at one table; repeated partners tonight; turns of sitting out
    and playing three-handed, tonight and (in millionths) over the season; repeated meetings
    tonight; changed tables; earlier partnerships and meetings this season.
    """

    faults: int = 0
    teammates: int = 0
    partners: int = 0
    turns: int = 0
    season_turns: int = 0
    meetings: int = 0
    changes: int = 0
    season_partners: int = 0
    season_meetings: int = 0

    def plus(self, *others: "SeatingCost") -> "SeatingCost":
        """The sum with others."""
        return SeatingCost(*map(sum, zip(self, *others, strict=True)))

    def less(self, *others: "SeatingCost") -> "SeatingCost":
        """The difference with others."""
        return SeatingCost(*(mine - sum(rest) for mine, *rest in zip(self, *others, strict=True)))


class SeasonHistory:
    """Earlier evenings of these players: who was with whom, and who is due for a turn."""

    def __init__(self, players: Iterable[Player], history: Sequence[PastEvening]) -> None:
        known = frozenset(players)
        partners = [ordered(*couple) for past in history for couple in past.partners]
        opponents = [ordered(*couple) for past in history for couple in past.opponents]
        self.partners: Mapping[Couple, int] = dict(Counter(partners))
        self.meetings: Mapping[Couple, int] = dict(Counter(partners + opponents))
        out, three = [past.sat_out for past in history], [past.three_handed for past in history]
        self.owed_out = _millionths(turns_owed(known, history, out))
        self.owed_three = _millionths(turns_owed(known, history, three))


class Objective:
    """Evaluates one place in the evening.

    `others` are all other rounds of the evening; `elsewhere` excludes those of the same block of a
    rotation, whose meetings are the same one. `missed` is how many rounds people were not there
    for, which counts as sitting out. `teammates` are couples that should not share a table.
    """

    def __init__(
        self,
        season: SeasonHistory,
        constraints: Constraints,
        others: Sequence[RoundDraw],
        elsewhere: Sequence[RoundDraw],
        missed: Counter[Player],
        *,
        teammates: Collection[Couple] = (),
    ) -> None:
        self._season = season
        self._constraints = constraints
        self._partners = frozenset(partners_of(others))
        self._met = frozenset(meetings_of(elsewhere, block=1))
        self._teammates = frozenset(teammates)
        self._out = Counter(player for drawn in others for player in drawn.sit_out) + missed
        tables = [table.people() for drawn in others for table in drawn.tables]
        threes = [people for people in tables if len(people) < TABLE_SIZE]
        self._three = Counter(player for people in threes for player in people)

    def table(self, number: int, table: SeatedTable, out: Group) -> SeatingCost:
        """The cost of this table while `out` sit out."""
        partners = meetings = were_partners = had_met = teammates = 0
        people, season = table.people, self._season
        for first, second, times in _couples(table.seats):
            couple = ordered(people[first], people[second])
            if times:
                partners += times - (couple not in self._partners)
                were_partners += times * season.partners.get(couple, 0)
            meetings += couple in self._met
            if couple in self._teammates:
                teammates += PARTNERS if times == len(table.seats) else OPPONENTS
            had_met += season.meetings.get(couple, 0)
        turns = self.at_three(people if len(people) < TABLE_SIZE else (), len(table.seats))
        return turns._replace(
            faults=sum(self._constraints.count_faults(drawn, out) for drawn in table.drawn(number)),
            teammates=teammates,
            partners=partners,
            meetings=meetings,
            season_partners=were_partners,
            season_meetings=had_met,
        )

    def at_three(self, people: Group, rounds: int) -> SeatingCost:
        """The cost of these people playing three-handed for this many rounds."""
        return SeatingCost(
            turns=_turns(people, self._three, rounds),
            season_turns=-sum(self._season.owed_three[player] for player in people),
        )

    def out(self, people: Group, rounds: int) -> SeatingCost:
        """The cost of these people sitting out for this many rounds."""
        return SeatingCost(
            turns=_turns(people, self._out, rounds),
            season_turns=-sum(self._season.owed_out[player] for player in people),
        )


def _turns(people: Iterable[Player], had: Mapping[Player, int], rounds: int) -> int:
    """Quadratic in the turns of tonight, so that turns are spread over people."""
    return sum((had.get(player, 0) + rounds) ** 2 - had.get(player, 0) ** 2 for player in people)


def _millionths(owed: Mapping[Player, Fraction]) -> dict[Player, int]:
    return {player: round(turns * 10**6) for player, turns in owed.items()}


@cache
def _couples(seats: tuple[Seats, ...]) -> tuple[tuple[int, int, int], ...]:
    """Every pair of places at a table, and in how many rounds the two are partners."""
    places = range(len(seats[0]))
    return tuple(
        (
            first,
            second,
            sum(OPPOSITE[at[first]] == at[second] for at in seats if len(at) == TABLE_SIZE),
        )
        for first, second in combinations(places, 2)
    )


ThreeCost = Callable[[Group, int], SeatingCost]
"""The cost of these people playing three-handed for this many rounds."""


def states_with(
    state: DrawState, player: Player, leftover: Leftover, three_cost: ThreeCost
) -> Iterator[DrawState]:
    """Candidate states with the player added; bounded, and without exchanges of others.

    The player completes a table of three; or forms a new table with those who sit out, of three
    with `three_handed_rest`; or, with `three_handed`, tables of four give up people to form tables
    of three; or sits out.
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
    elif leftover == "three_handed_rest" and not short:
        yield state.seat({_new_number(state): waiting}, ())
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
    four, join tables of three, or sit out. With `three_handed_rest` the rest becomes a table of
    three only if there is none; else one of that table takes the seat and its others sit out.
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
    elif (
        leftover == "three_handed_rest" and len(left) == THREE and (threes := state.of_size(THREE))
    ):
        three = threes[0]
        for comes in state.tables[three].people:
            places = tuple(comes if person == player else person for person in people)
            others = [person for person in state.tables[three].people if person != comes]
            yield state.seat({number: places, three: ()}, others)
    elif leftover != "sit_out" and len(left) == THREE:
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


class ScoredState(NamedTuple):
    """A state with its cost and that of each table."""

    cost: SeatingCost
    state: DrawState
    tables: dict[int, SeatingCost]


class LocalSearch:
    """Improves changes of `before`, touching at most two of its tables.

    A change that touches more tables itself may touch those, and no others.
    """

    def __init__(self, before: DrawState, objective: Objective) -> None:
        self._before = before
        self._objective = objective

    def best_of(self, changed: Iterator[DrawState]) -> DrawState:
        """The candidate with the lowest cost after improvement."""
        return min((self._improved(self._scored(state)) for state in changed), key=_cost).state

    def _improved(self, now: ScoredState) -> ScoredState:
        """Apply the best exchange until none helps.

        No exchange if only someone who sat out left: nobody needs to move for that.
        """
        if not now.cost.changes and len(now.state.out) <= len(self._before.out):
            return now
        most = max(MAX_CHANGES, now.cost.changes)
        while True:
            tried = (self._after(now, exchanges) for exchanges in _exchanges(now, most))
            best = min(tried, key=_cost, default=now)
            if best.cost >= now.cost:
                return now
            now = best

    def _scored(self, state: DrawState) -> ScoredState:
        tables = {number: self._table(state, number) for number in state.tables}
        gone = SeatingCost(changes=len(self._before.tables.keys() - tables.keys()))
        out = self._objective.out(state.out, state.length)
        return ScoredState(gone.plus(out, *tables.values()), state, tables)

    def _after(self, now: ScoredState, exchanges: Sequence[Couple]) -> ScoredState:
        state = now.state
        for player, other in exchanges:
            state = state.exchanged(player, other)
        movers = {player: None for couple in exchanges for player in couple}
        movers |= {state.mates[player]: None for player in movers if player in state.mates}
        touched = {state.table_of[player]: None for player in movers if player in state.table_of}
        fresh = {number: self._table(state, number) for number in touched}
        cost = now.cost.plus(*fresh.values()).less(*(now.tables[number] for number in touched))
        if state.out != now.state.out:
            cost = cost.plus(self._objective.out(state.out, state.length))
            cost = cost.less(self._objective.out(now.state.out, state.length))
        return ScoredState(cost, state, {**now.tables, **fresh})

    def _table(self, state: DrawState, number: int) -> SeatingCost:
        table = state.tables[number]
        changes = int(table != self._before.tables.get(number))
        return self._objective.table(number, table, state.out)._replace(changes=changes)


def _cost(scored: ScoredState) -> SeatingCost:
    return scored.cost


def _exchanges(now: ScoredState, most: int) -> Iterator[tuple[Couple, ...]]:
    """Possible exchanges: between those who sit out and people at already changed tables.

    One for one, and a fixed couple of a changed table for two others at a time.
    """
    tables = now.state.tables
    changed = [number for number in tables if now.tables[number].changes]
    others = [number for number in tables if number not in changed]
    others = others if now.cost.changes < most else []
    for number in (*changed, *others):
        yield from ((two,) for two in product(now.state.out, tables[number].people))
    for number in changed:
        yield from ((two,) for two in combinations(tables[number].people, 2))
    for here, there in (*combinations(changed, 2), *product(changed, others)):
        yield from ((two,) for two in product(tables[here].people, tables[there].people))
    for here, there in (*permutations(changed, 2), *product(changed, others)):
        for couple, two in product(
            now.state.couples_at(here), combinations(tables[there].people, 2)
        ):
            yield tuple(zip(couple, two, strict=True))
