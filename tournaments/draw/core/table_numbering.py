"""Numbering the tables so that people walk as little as possible."""

from collections import Counter
from collections.abc import Mapping, Sequence
from operator import eq

from tournaments.draw.core.grouping import Group
from tournaments.draw.core.models import Player

SAME_PAIRS = (
    (0, 1, 2, 3), (0, 1, 3, 2), (1, 0, 2, 3), (1, 0, 3, 2),
    (2, 3, 0, 1), (2, 3, 1, 0), (3, 2, 0, 1), (3, 2, 1, 0),
)  # fmt: skip
"""The orders N, S, E, W of four people that keep their partners."""


def order_for_least_walking(groups: Sequence[Group], before: Sequence[Group]) -> list[Group]:
    """The groups ordered so that at as many tables as possible somebody stays.

    `before` are the groups of the previous round by table; both in the order N, S, E, W. A player
    who stays also keeps their seat if their partner allows it.
    """
    table_of = {player: table for table, group in enumerate(before) for player in group}
    wishes = [_wishes(group, table_of, len(groups)) for group in groups]
    taken = _matched(wishes)
    rest = iter(sorted({*range(len(groups))} - taken.keys()))
    at = {group: table for table, group in taken.items()}
    placed = sorted(range(len(groups)), key=lambda group: at[group] if group in at else next(rest))
    return [
        _seats_kept(groups[group], before[table] if table < len(before) else [])
        for table, group in enumerate(placed)
    ]


def _wishes(group: Group, table_of: Mapping[Player, int], tables: int) -> list[int]:
    """The tables where members of the group sat, most members first."""
    sat_at = Counter(table_of[player] for player in group if player in table_of)
    return [table for table, _ in sat_at.most_common() if table < tables]


def _matched(wishes: Sequence[Sequence[int]]) -> dict[int, int]:
    """The group for each table, a maximum matching of groups to wished tables."""
    taken: dict[int, int] = {}
    for group in sorted(range(len(wishes)), key=lambda group: len(wishes[group])):
        _take(group, wishes, taken)
    return taken


def _take(group: int, wishes: Sequence[Sequence[int]], taken: dict[int, int]) -> bool:
    """Give a group a wished table along an augmenting path, moving other groups if needed."""
    came_from: dict[int, int] = {}
    queue = [group]
    for asking in queue:
        for table in wishes[asking]:
            if table in came_from:
                continue
            came_from[table] = asking
            if table not in taken:
                _hand_on(table, group, came_from, taken)
                return True
            queue.append(taken[table])
    return False


def _hand_on(table: int, group: int, came_from: dict[int, int], taken: dict[int, int]) -> None:
    holds = {holder: held for held, holder in taken.items()}
    while True:
        asking = came_from[table]
        taken[table] = asking
        if asking == group:
            return
        table = holds[asking]


def _seats_kept(group: Group, before: Group) -> Group:
    if len(group) < 4:
        return group
    return max(
        ([group[place] for place in places] for places in SAME_PAIRS),
        key=lambda seats: sum(map(eq, seats, before)),
    )
