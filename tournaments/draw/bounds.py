"""How many repeats no draw can avoid, and why."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from tournaments.draw.models import Couple, Player, RoundDraw

Why = Literal["too_few_others", "too_few_tables", "fixed_couples"]

LEAST_AT_A_TABLE = {1: 6, 2: 2, 3: 1}
"""How many couples among four people who come from so many tables sat together, at least."""


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
    again once he sat with more people than there are others. And with as many people as places,
    and fewer than four tables, each table has two who sat together the round before. In blocks
    of rounds at the same tables a block is one meeting.
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
    mixed = LeastRepeats(_of_few_tables(players, rounds[::block]), "too_few_tables")
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


def _of_few_tables(players: Collection[Player], rounds: Sequence[RoundDraw]) -> int:
    tables = len(rounds[0].tables)
    if len(players) != 4 * tables or tables not in LEAST_AT_A_TABLE:
        return 0
    return (len(rounds) - 1) * tables * LEAST_AT_A_TABLE[tables]
