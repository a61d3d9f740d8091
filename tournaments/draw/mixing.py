"""New tables with as few people together again as possible."""

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from random import Random

from tournaments.draw.models import Couple, Player, ordered
from tournaments.draw.sit_out import TABLE_SIZE

Met = Mapping[Couple, int]
Tables = list[list[Player]]

ATTEMPTS = 4
SWEEPS = 20


def mixed_tables(players: Sequence[Player], met: Met, chance: Random) -> Tables:
    """Tables of four by chance, then bettered by exchanging people who sat together before.

    The effort is a fixed number of steps, so the same input gives the same tables. `met` says how
    often each couple, in order of name, shared a table; whoever it does not name never did.
    """
    best = _attempt(players, met, chance)
    for _ in range(ATTEMPTS - 1):
        if _reunions(best, met) == 0:
            break
        best = min(best, _attempt(players, met, chance), key=lambda found: _reunions(found, met))
    return best


def _attempt(players: Sequence[Player], met: Met, chance: Random) -> Tables:
    order = list(players)
    chance.shuffle(order)
    tables = [order[start : start + TABLE_SIZE] for start in range(0, len(order), TABLE_SIZE)]
    for _ in range(SWEEPS):
        if not _sweep(tables, met):
            break
    return tables


def _sweep(tables: Tables, met: Met) -> bool:
    """Try each exchange between two tables once; whether any was for the better."""
    bettered = False
    for one, other in combinations(tables, 2):
        if _reunions([one, other], met):
            for mine, yours in product(range(TABLE_SIZE), repeat=2):
                bettered |= _exchange_if_better(one, mine, other, yours, met)
    return bettered


def _exchange_if_better(
    one: list[Player], mine: int, other: list[Player], yours: int, met: Met
) -> bool:
    before = _reunions([one, other], met)
    one[mine], other[yours] = other[yours], one[mine]
    if _reunions([one, other], met) < before:
        return True
    one[mine], other[yours] = other[yours], one[mine]
    return False


def _reunions(tables: Sequence[Sequence[Player]], met: Met) -> int:
    return sum(
        met.get(ordered(*couple), 0) for table in tables for couple in combinations(table, 2)
    )
