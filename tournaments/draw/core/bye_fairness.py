"""Whose turn it is to sit out, and to sit at a table of three."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, islice
from random import Random

from tournaments.draw.core.grouping import Cast, grouped
from tournaments.draw.core.models import TABLE_SIZE, PastEvening, Player, RoundDraw, ordered, sizes
from tournaments.draw.core.problem import DrawError, DrawFault, Request

CHOICES = 3000


class Turns:
    """Keeps count of who had which turn this evening and says who is next.

    To sit out: fewest rounds out this evening first, so nobody sits out twice before everybody did
    once; of those alike, whoever is furthest below his share of the season; then chance. To sit at
    a table of three: whoever is furthest below his share, this evening counted in.
    """

    def __init__(self, request: Request) -> None:
        self._request = request
        history, players = request.history, request.players
        self._rounds_out = Counter(request.already_out)
        self._rounds_three = Counter(_at_tables_of_three(request.played))
        self._owed_out = season_owed(players, history, [past.sat_out for past in history])
        self._owed_three = season_owed(players, history, [past.three_handed for past in history])

    def cast(self, chance: Random, *, rounds: int = 1, by_standing: bool = False) -> Cast:
        """Who sits out, or at tables of three, for so many rounds; the others sit at fours.

        The tables are filled in order of standing, else by chance. Where it would put couples
        together that must be apart, the turn goes to the next; DrawError when nothing helps.
        """
        for out, threes in self._choices(chance, by_standing=by_standing):
            order = [who for who in self._request.standing if who not in out and who not in threes]
            if not by_standing:
                chance.shuffle(order)
            cast = self._seated(out, threes, order)
            if cast:
                self._rounds_out.update(dict.fromkeys(out, rounds))
                self._rounds_three.update(dict.fromkeys(threes, rounds))
                return cast
        raise DrawError([DrawFault("cannot_seat")])

    def _seated(
        self, out: Collection[Player], threes: Sequence[Player], order: Sequence[Player]
    ) -> Cast | None:
        mates, apart = self._request.mates, self._request.kept_apart
        at_fours = grouped(order, TABLE_SIZE, mates, apart)
        in_order = [player for player in self._request.standing if player in threes]
        at_threes = None if at_fours is None else grouped(in_order, TABLE_SIZE - 1, mates, apart)
        if at_fours is None or at_threes is None:
            return None
        return Cast(tuple(sorted(out)), at_fours, at_threes)

    def _choices(
        self, chance: Random, *, by_standing: bool
    ) -> Iterator[tuple[tuple[Player, ...], tuple[Player, ...]]]:
        """Who might sit out and who at threes, the most due first; not without end."""
        order = list(self._request.standing[::-1] if by_standing else self._request.players)
        if not by_standing:
            chance.shuffle(order)
        _, threes, out = sizes(len(order), self._request.leftover)
        order.sort(key=lambda who: (self._rounds_out[who], -self._owed_out[who]))
        if not threes:
            yield from ((chosen, ()) for chosen in most_due(order, out))
            return
        order.sort(key=lambda who: self._rounds_three[who] - self._owed_three[who])
        yield from (((), chosen) for chosen in _at_threes(order, self._request.mates, threes))


def most_due(order: Sequence[Player], count: int) -> Iterator[tuple[Player, ...]]:
    """Choices of so many from people in order of turn, the first of them first.

    >>> [*most_due("abcd", 2)][:4]
    [('a', 'b'), ('a', 'c'), ('a', 'd'), ('b', 'c')]
    """
    yield from islice(combinations(order, count), CHOICES)


def _at_threes(
    order: Sequence[Player], mates: Mapping[Player, Player], tables: int
) -> Iterator[tuple[Player, ...]]:
    """Who might sit at so many tables of three, from people in order of turn.

    As few fixed couples as can be, both or neither of each; at most one goes to a table.
    """
    free = [player for player in order if player not in mates]
    couples = [*dict.fromkeys(ordered(who, mates[who]) for who in order if who in mates)]
    for whole in range(tables + 1):
        chosen = (
            (*chain.from_iterable(together), *others)
            for together in combinations(couples, whole)
            for others in combinations(free, 3 * tables - 2 * whole)
        )
        yield from islice(chosen, CHOICES)


def season_owed(
    players: Collection[Player],
    history: Sequence[PastEvening],
    turns: Sequence[Sequence[Player]],
) -> dict[Player, Fraction]:
    """How many turns each player is below his share of the season; negative when above it.

    `turns` names for each past evening who had one. The share is evenings attended times the
    average number of turns an evening. Only `players` are looked at: what strangers did in the
    history plays no part.
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
