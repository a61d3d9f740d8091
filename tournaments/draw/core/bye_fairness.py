"""Whose turn it is to sit out, or to sit at a table of three; and dividing the others over
numbered, seated tables."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, islice
from random import Random

from tournaments.draw.core.models import (
    TABLE_SIZE,
    PastEvening,
    Player,
    RoundDraw,
    TableDraw,
    ordered,
    sizes,
)
from tournaments.draw.core.problem import ApartFrom, DrawError, DrawFault, DrawProblem

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


MAX_CHOICES = 3000


class ByeFairness:
    """Counts the turns of the evening and decides who is next.

    To sit out: first those who sat out fewest rounds this evening, so that nobody sits out twice
    before everyone did once, and a round that was missed counts as sat out; then those furthest
    below their share of the season; then chance.
    At a table of three: those furthest below their share, this evening included.
    """

    def __init__(self, problem: DrawProblem) -> None:
        self._problem = problem
        history, players = problem.history, problem.players
        self._rounds_out = Counter(problem.already_out) + rounds_missed(players, problem.played)
        self._rounds_three = Counter(_at_tables_of_three(problem.played))
        self._owed_out = turns_owed(players, history, [past.sat_out for past in history])
        self._owed_three = turns_owed(players, history, [past.three_handed for past in history])

    def divide(self, rng: Random, *, rounds: int = 1, by_standing: bool = False) -> RoundGroups:
        """Choose who sits out or plays three-handed for this many rounds, and group the rest.

        Tables are filled by standing, or at random. If the chosen players would force an apart
        couple together, the turn passes to the next. Raises DrawError if nothing works.
        """
        for out, threes in self._candidates(rng, by_standing=by_standing):
            order = [
                player
                for player in self._problem.standing
                if player not in out and player not in threes
            ]
            if not by_standing:
                rng.shuffle(order)
            groups = self._seated(out, threes, order)
            if groups:
                self._rounds_out.update(dict.fromkeys(out, rounds))
                self._rounds_three.update(dict.fromkeys(threes, rounds))
                return groups
        raise DrawError([DrawFault("cannot_seat")])

    def _seated(
        self, out: Collection[Player], threes: Sequence[Player], order: Sequence[Player]
    ) -> RoundGroups | None:
        mates, apart = self._problem.mates, self._problem.apart_from
        at_fours = group_players(order, TABLE_SIZE, mates, apart)
        in_order = [player for player in self._problem.standing if player in threes]
        at_threes = (
            None if at_fours is None else group_players(in_order, TABLE_SIZE - 1, mates, apart)
        )
        if at_fours is None or at_threes is None:
            return None
        return RoundGroups(tuple(sorted(out)), at_fours, at_threes)

    def _candidates(
        self, rng: Random, *, by_standing: bool
    ) -> Iterator[tuple[tuple[Player, ...], tuple[Player, ...]]]:
        """Who could sit out and who could play three-handed, most due first; bounded."""
        order = list(self._problem.standing[::-1] if by_standing else self._problem.players)
        if not by_standing:
            rng.shuffle(order)
        _, threes, out = sizes(len(order), self._problem.leftover)
        order.sort(key=lambda player: (self._rounds_out[player], -self._owed_out[player]))
        if not threes:
            yield from ((chosen, ()) for chosen in most_due(order, out))
            return
        order.sort(key=lambda player: self._rounds_three[player] - self._owed_three[player])
        yield from (((), chosen) for chosen in _at_threes(order, self._problem.mates, threes))


def most_due(order: Sequence[Player], count: int) -> Iterator[tuple[Player, ...]]:
    """Choices of `count` people from those in order of turn, the most due first.

    >>> [*most_due("abcd", 2)][:4]
    [('a', 'b'), ('a', 'c'), ('a', 'd'), ('b', 'c')]
    """
    yield from islice(combinations(order, count), MAX_CHOICES)


def _at_threes(
    order: Sequence[Player], mates: Mapping[Player, Player], tables: int
) -> Iterator[tuple[Player, ...]]:
    """Who could sit at this many tables of three, from people in order of turn.

    As few fixed couples as possible, never half of one, and at most one per table.
    """
    free = [player for player in order if player not in mates]
    couples = [
        *dict.fromkeys(ordered(player, mates[player]) for player in order if player in mates)
    ]
    for whole in range(tables + 1):
        chosen = (
            (*chain.from_iterable(together), *others)
            for together in combinations(couples, whole)
            for others in combinations(free, 3 * tables - 2 * whole)
        )
        yield from islice(chosen, MAX_CHOICES)


def rounds_missed(players: Collection[Player], played: Iterable[RoundDraw]) -> Counter[Player]:
    """How many of the rounds played each of these players was not there for: they came later, or
    went away for a while. Who sat out, or took over a seat, was there."""
    missed: Counter[Player] = Counter()
    for drawn in played:
        there = {player for table in drawn.tables for player in table.people()}
        missed.update({*players}.difference(there, drawn.sit_out, drawn.substitutes))
    return missed


def turns_owed(
    players: Collection[Player],
    history: Sequence[PastEvening],
    turns: Sequence[Sequence[Player]],
) -> dict[Player, Fraction]:
    """How many turns each player is below their share of the season; negative if above it.

    `turns` names, for each past evening, the players who had one. A share is the evenings
    attended times the average number of turns per evening, over `players` only.
    """
    known = frozenset(players)
    attended = Counter(person for evening in history for person in evening.people() & known)
    had = Counter(person for evening in turns for person in evening if person in known)
    rate = Fraction(had.total(), attended.total() or 1)
    return {player: attended[player] * rate - had[player] for player in players}


def _at_tables_of_three(rounds: Iterable[RoundDraw]) -> Iterator[Player]:
    for drawn in rounds:
        for table in drawn.tables:
            if len(table.seats) < TABLE_SIZE:
                yield from table.people()
