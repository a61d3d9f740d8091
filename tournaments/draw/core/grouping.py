"""Dividing people over tables, and turning the groups into numbered, seated tables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tournaments.draw.core.models import Player, RoundDraw, TableDraw
from tournaments.draw.core.problem import ApartFrom

Group = list[Player]

MAX_TRIES = 4000


@dataclass(frozen=True)
class RoundGroups:
    """One round: who sits out, and a first division into groups that respects the couples."""

    out: tuple[Player, ...]
    fours: list[Group]
    threes: list[Group]


def group_players(
    order: Sequence[Player], size: int, mates: Mapping[Player, Player], apart: ApartFrom
) -> list[Group] | None:
    """The first division into groups of `size`, in this order, that respects the couples.

    A backtracking search: the first player sits with the first ones that fit, then the first
    remaining player, and so on. None if there is no division or the search hits its limit.
    """
    return _Grouping(size, mates, apart).divide(order) or _Grouping(size, mates, apart).divide(
        sorted(order, key=lambda player: -len(apart.get(player, ())))
    )


class _Grouping:
    def __init__(self, size: int, mates: Mapping[Player, Player], apart: ApartFrom) -> None:
        self._size = size
        self._mates = mates
        self._apart = apart
        self._tries = MAX_TRIES

    def divide(self, order: Sequence[Player]) -> list[Group] | None:
        """The groups. Iterative, because a large hall has more tables than Python has stack."""
        here = frozenset(order)
        mates = {player: other for player, other in self._mates.items() if {player, other} <= here}
        groups: list[Group] = []
        open_choices = [self._groups_of_first(order, mates)]
        left = [list(order)]
        while left[-1]:
            group = next(open_choices[-1], None) if self._tries else None
            if group:
                groups.append(group)
                left.append([player for player in left[-1] if player not in group])
                open_choices.append(self._groups_of_first(left[-1], mates))
                continue
            if not groups or not self._tries:
                return None
            groups.pop()
            left.pop()
            open_choices.pop()
        return groups

    def _groups_of_first(
        self, left: Sequence[Player], mates: Mapping[Player, Player]
    ) -> Iterator[Group]:
        if left:
            yield from self._filled(_unit(left[0], mates), left[1:], mates)

    def _filled(
        self, group: Group, left: Sequence[Player], mates: Mapping[Player, Player]
    ) -> Iterator[Group]:
        """Every way to complete a group from the remaining players, in order."""
        self._tries = max(0, self._tries - 1)
        if not self._tries or any(self._quarrel(player, group) for player in group):
            return
        if len(group) == self._size:
            yield group
            return
        for place, player in enumerate(left):
            unit = _unit(player, mates)
            if len(group) + len(unit) <= self._size and player not in group:
                yield from self._filled([*group, *unit], left[place + 1 :], mates)

    def _quarrel(self, player: Player, group: Group) -> bool:
        return player in self._apart and not self._apart[player].isdisjoint(group)


def _unit(player: Player, mates: Mapping[Player, Player]) -> Group:
    return [player, mates[player]] if player in mates else [player]


def as_round(
    groups: RoundGroups,
    mates: Mapping[Player, Player],
    partners: tuple[int, int, int, int] = (0, 2, 1, 3),
) -> RoundDraw:
    """A round of these groups, tables of three last.

    `partners` says which of a group's four, in order, sit N, S, E and W; fixed couples take
    precedence.
    """
    fours = [in_seat_order(four, mates, partners) for four in groups.fours]
    return RoundDraw(tables=numbered_tables(fours, groups.threes), sit_out=groups.out)


def in_seat_order(
    group: Sequence[Player], mates: Mapping[Player, Player], partners: tuple[int, int, int, int]
) -> Group:
    """The four in the order N, S, E, W; a fixed couple is always partners."""
    for player in group:
        if player in mates and mates[player] in group:
            couple = [player, mates[player]]
            return [*couple, *(other for other in group if other not in couple)]
    return [group[place] for place in partners]


def numbered_tables(fours: Sequence[Group], threes: Sequence[Group]) -> tuple[TableDraw, ...]:
    """Tables numbered from 1: fours are given as N, S, E, W, threes as N, E, S."""
    tables = [dict(zip(("N", "S", "E", "W"), four, strict=True)) for four in fours]
    tables += [dict(zip(("N", "E", "S"), three, strict=True)) for three in threes]
    return tuple(
        TableDraw(number, {seat: table[seat] for seat in ("N", "E", "S", "W") if seat in table})
        for number, table in enumerate(tables, start=1)
    )
