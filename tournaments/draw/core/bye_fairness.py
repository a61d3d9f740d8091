"""Whose turn it is to sit out, or to sit at a table of three."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, islice
from random import Random

from tournaments.draw.core.grouping import RoundGroups, group_players
from tournaments.draw.core.models import TABLE_SIZE, PastEvening, Player, RoundDraw, ordered, sizes
from tournaments.draw.core.problem import DrawError, DrawFault, DrawProblem

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
