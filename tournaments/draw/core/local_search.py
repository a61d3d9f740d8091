"""Exchanging people in a hall that was changed, as long as that makes it better."""

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from typing import NamedTuple

from tournaments.draw.core.models import Couple
from tournaments.draw.core.objective import Scales, Weight
from tournaments.draw.core.state import Hall

MOST_CHANGES = 2


class Weighed(NamedTuple):
    """A hall, what it weighs, and what each of its tables does."""

    weight: Weight
    hall: Hall
    tables: dict[int, Weight]


class Bettering:
    """Makes changes of the hall `before` better, touching two tables of it at most.

    Where a change itself touches more, those and no others.
    """

    def __init__(self, before: Hall, scales: Scales) -> None:
        self._before = before
        self._scales = scales

    def best_of(self, changed: Iterator[Hall]) -> Hall:
        """The one that weighs least, each after the exchanges that better it."""
        return min((self._bettered(self._weighed(hall)) for hall in changed), key=_weight).hall

    def _bettered(self, now: Weighed) -> Weighed:
        """After the best exchange there is, time and again until none is for the better.

        None where it was enough that somebody who sat out went: nobody need change for that.
        """
        if not now.weight.changes and len(now.hall.out) <= len(self._before.out):
            return now
        most = max(MOST_CHANGES, now.weight.changes)
        while True:
            tried = (self._after(now, exchanges) for exchanges in _exchanges(now, most))
            best = min(tried, key=_weight, default=now)
            if best.weight >= now.weight:
                return now
            now = best

    def _weighed(self, hall: Hall) -> Weighed:
        tables = {number: self._table(hall, number) for number in hall.tables}
        gone = Weight(changes=len(self._before.tables.keys() - tables.keys()))
        out = self._scales.out(hall.out, hall.length)
        return Weighed(gone.plus(out, *tables.values()), hall, tables)

    def _after(self, now: Weighed, exchanges: Sequence[Couple]) -> Weighed:
        hall = now.hall
        for one, other in exchanges:
            hall = hall.exchanged(one, other)
        movers = {player: None for couple in exchanges for player in couple}
        movers |= {hall.mates[player]: None for player in movers if player in hall.mates}
        touched = {hall.table_of[who]: None for who in movers if who in hall.table_of}
        fresh = {number: self._table(hall, number) for number in touched}
        weight = now.weight.plus(*fresh.values()).less(*(now.tables[number] for number in touched))
        if hall.out != now.hall.out:
            weight = weight.plus(self._scales.out(hall.out, hall.length))
            weight = weight.less(self._scales.out(now.hall.out, hall.length))
        return Weighed(weight, hall, {**now.tables, **fresh})

    def _table(self, hall: Hall, number: int) -> Weight:
        table = hall.tables[number]
        changes = int(table != self._before.tables.get(number))
        return self._scales.table(number, table, hall.out)._replace(changes=changes)


def _weight(one: Weighed) -> Weight:
    return one.weight


def _exchanges(now: Weighed, most: int) -> Iterator[tuple[Couple, ...]]:
    """Who might exchange with whom: those who sit out, and people at tables that changed anyway.

    One with one, and fixed couples of those tables with two others at a time.
    """
    tables = now.hall.tables
    changed = [number for number in tables if now.tables[number].changes]
    others = [number for number in tables if number not in changed]
    others = others if now.weight.changes < most else []
    for number in (*changed, *others):
        yield from ((two,) for two in product(now.hall.out, tables[number].people))
    for number in changed:
        yield from ((two,) for two in combinations(tables[number].people, 2))
    for here, there in (*combinations(changed, 2), *product(changed, others)):
        yield from ((two,) for two in product(tables[here].people, tables[there].people))
    for here, there in (*permutations(changed, 2), *product(changed, others)):
        for couple, two in product(
            now.hall.couples_at(here), combinations(tables[there].people, 2)
        ):
            yield tuple(zip(couple, two, strict=True))
