"""How many repeats no draw can avoid, and why."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import comb
from typing import Literal

from tournaments.draw.models import Couple, Player, RoundDraw

Why = Literal["too_few_others", "too_few_tables", "fixed_couples"]


@dataclass(frozen=True)
class LeastRepeats:
    """So many repeats at least; `why` is None when there need not be any."""

    repeats: int = 0
    why: Why | None = None


def least_repeats(
    players: Collection[Player],
    rounds: Sequence[RoundDraw],
    fixed: Sequence[Couple] = (),
    *,
    block: int = 1,
) -> tuple[LeastRepeats, LeastRepeats]:
    """The repeats of partners and of meetings that these rounds cannot do without.

    Somebody who plays more rounds than there are others has a partner twice, and shares a table
    again once he sat with more people than there are others. And where there are fewer tables
    than people at one of them, two of these sat together the round before, unless somebody comes
    who was not at any. In blocks of rounds at the same tables a block is one meeting.
    """
    others = len(players) - 1
    partners: Counter[Player] = Counter()
    mates: Counter[Player] = Counter()
    for number, drawn in enumerate(rounds):
        for table in drawn.tables:
            partners.update(who for couple in table.partners() for who in couple)
            if number % block == 0:
                mates.update({who: len(table.seats) - 1 for who in table.seats.values()})
    counted = LeastRepeats(_beyond(partners, others), "too_few_others")
    bound = LeastRepeats(_of_fixed(rounds, fixed), "fixed_couples")
    met = LeastRepeats(_beyond(mates, others), "too_few_others")
    mixed = LeastRepeats(_of_few_tables(rounds[::block]), "too_few_tables")
    return _most(bound, counted), _most(met, mixed, bound if block == 1 else LeastRepeats())


def _most(*bounds: LeastRepeats) -> LeastRepeats:
    most = max(bounds, key=lambda bound: bound.repeats)
    return most if most.repeats else LeastRepeats()


def _beyond(times: Counter[Player], others: int) -> int:
    return (sum(max(0, count - others) for count in times.values()) + 1) // 2


def _of_fixed(rounds: Sequence[RoundDraw], fixed: Sequence[Couple]) -> int:
    together = Counter(
        couple
        for drawn in rounds
        for table in drawn.tables
        for couple in fixed
        if table.people().issuperset(couple)
    )
    return together.total() - len(together)


def _of_few_tables(rounds: Sequence[RoundDraw]) -> int:
    return sum(_met_just_before(before, now) for before, now in pairwise(rounds))


def _met_just_before(before: RoundDraw, now: RoundDraw) -> int:
    """At least so many couples of a round sat together in the round before it.

    Those who were at no table then are put where they spare most: at the tables with most others.
    """
    seated = {who for table in before.tables for who in table.people()}
    came = [len(table.seats) for table in now.tables]
    for _ in {who for table in now.tables for who in table.people()} - seated:
        came[came.index(max(came))] -= 1
    return sum(_couples_of_same(people, len(before.tables)) for people in came)


def _couples_of_same(people: int, tables: int) -> int:
    """How many couples come from the same table, when people come from tables as evenly as can be.

    >>> _couples_of_same(4, 3), _couples_of_same(4, 2), _couples_of_same(4, 4)
    (1, 2, 0)
    """
    each, more = divmod(people, tables)
    return tables * comb(each, 2) + more * each
