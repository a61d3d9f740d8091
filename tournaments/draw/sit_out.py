"""Whose turn it is to sit out."""

from collections import Counter
from collections.abc import Collection, Sequence
from fractions import Fraction
from random import Random

from tournaments.draw.models import PastEvening, Player
from tournaments.draw.request import Request

TABLE_SIZE = 4


class SitOutTurns:
    """Keeps count of who sat out this evening and says who is next.

    Fewest rounds out this evening goes first, so nobody sits out twice before everybody did once;
    of those alike, whoever is furthest below his share of the season; then chance.
    """

    def __init__(self, request: Request) -> None:
        self._players = request.players
        self._rounds_out = Counter(request.already_out)
        self._owed = season_owed(request.players, request.history)

    def take(self, chance: Random, *, rounds: int = 1) -> tuple[Player, ...]:
        """The people left over when all others sit at tables of four, out for so many rounds."""
        candidates = list(self._players)
        chance.shuffle(candidates)
        candidates.sort(key=lambda player: (self._rounds_out[player], -self._owed[player]))
        chosen = tuple(sorted(candidates[: len(candidates) % TABLE_SIZE]))
        for player in chosen:
            self._rounds_out[player] += rounds
        return chosen


def season_owed(
    players: Collection[Player], history: Sequence[PastEvening]
) -> dict[Player, Fraction]:
    """How many turns each player is below his share of the season; negative when above it.

    The share is evenings attended times the average number of turns an evening. Only `players`
    are looked at: what strangers did in the history plays no part.
    """
    known = frozenset(players)
    attended = Counter(person for evening in history for person in evening.people() & known)
    sat_out = Counter(person for evening in history for person in evening.sat_out)
    turns = sum(sat_out[player] for player in known)
    rate = Fraction(turns, attended.total() or 1)
    return {player: attended[player] * rate - sat_out[player] for player in players}
