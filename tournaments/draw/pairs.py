"""Fixed pairs: the even stay, the odd move up a table each round."""

from collections import Counter
from collections.abc import Iterator, Sequence

from tournaments.draw.errors import DrawError, DrawFault
from tournaments.draw.models import Couple, Player, RoundDraw
from tournaments.draw.request import Request
from tournaments.draw.seats import numbered
from tournaments.draw.turns import season_owed

Meeting = tuple[Couple, Couple]


def pairs(request: Request) -> tuple[RoundDraw, ...]:
    """The rounds asked for; pairs have the numbers 1, 2, … in the order in which they are named.

    In the first round pairs 1 and 2 are at table 1, 3 and 4 at table 2. Of an odd number one sits
    out in turn, and the last pair plays in its place: who had fewest turns this evening goes
    first, then who is furthest below his share of the season, then who leaves fewest pairs to
    meet again, then the last. Raises `DrawError` `cannot_seat` where two meet in these rounds
    who must not.
    """
    turns = _PairTurns(request)
    rounds: list[RoundDraw] = []
    for number in request.numbers:
        resting = turns.next(number)
        meetings = _meetings(request.fixed, number, resting)
        if any(
            four.issuperset(couple) for four in _foursomes(meetings) for couple in request.apart
        ):
            raise DrawError([DrawFault("cannot_seat")])
        turns.count(meetings, resting)
        fours = [[*staying, *moving] for staying, moving in meetings]
        rounds.append(RoundDraw(numbered(fours, []), tuple(sorted(resting or ()))))
    return tuple(rounds)


def _meetings(line: Sequence[Couple], number: int, resting: Couple | None) -> list[Meeting]:
    """Who plays whom, by table: the even pair, which stays, and the odd one come to it."""
    placed = [line[-1] if pair == resting else pair for pair in line]
    odd, even = placed[0 : len(line) // 2 * 2 : 2], placed[1::2]
    moved = (number - 1) % len(even)
    return list(zip(even, odd[-moved:] + odd[:-moved] if moved else odd, strict=True))


class _PairTurns:
    """Keeps count of which pair sat out and who met whom this evening."""

    def __init__(self, request: Request) -> None:
        self._line = request.fixed
        self._out = Counter(request.already_out)
        self._owed = season_owed(
            request.players, request.history, [past.sat_out for past in request.history]
        )
        self._met = Counter(
            frozenset(table.people()) for drawn in request.played for table in drawn.tables
        )

    def next(self, number: int) -> Couple | None:
        """The pair that sits out in this round; None of an even number."""
        if len(self._line) % 2 == 0:
            return None
        return min(reversed(self._line), key=lambda pair: self._turn(number, pair))

    def count(self, meetings: Sequence[Meeting], resting: Couple | None) -> None:
        """Keep what was drawn for a round."""
        self._met.update(_foursomes(meetings))
        self._out.update(resting or ())

    def _turn(self, number: int, pair: Couple) -> tuple[int, float, int]:
        again = sum(self._met[four] for four in _foursomes(_meetings(self._line, number, pair)))
        return (
            max(self._out[who] for who in pair),
            -float(sum(self._owed[who] for who in pair)),
            again,
        )


def _foursomes(meetings: Sequence[Meeting]) -> Iterator[frozenset[Player]]:
    for staying, moving in meetings:
        yield frozenset(staying + moving)
