"""Steepest descent over exchanges of people in a changed state."""

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from typing import NamedTuple

from tournaments.draw.core.models import Couple
from tournaments.draw.core.objective import Objective, SeatingCost
from tournaments.draw.core.state import DrawState

MAX_CHANGES = 2


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
