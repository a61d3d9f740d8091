"""How often people meet again in one evening."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from tournaments.draw.models import Couple, Player, RoundDraw, ordered


def partner_repeats(rounds: Sequence[RoundDraw]) -> int:
    """How often two people are partners beyond the first time, summed over couples."""
    return _beyond_first(
        Counter(
            couple for played in rounds for table in played.tables for couple in table.partners()
        )
    )


def meeting_repeats(rounds: Sequence[RoundDraw], *, block: int) -> int:
    """How often two people share a table beyond the first time, summed over couples.

    Four people who stay together meet once for every `block` rounds begun: 3 in a rotation, 1
    where each round is drawn by itself.
    """
    meetings: Counter[Couple] = Counter()
    stayed: dict[frozenset[Player], int] = {}
    for played in rounds:
        foursomes = [table.people() for table in played.tables]
        stayed = {people: stayed.get(people, 0) + 1 for people in foursomes}
        for people in foursomes:
            if (stayed[people] - 1) % block == 0:
                meetings.update(ordered(*couple) for couple in combinations(people, 2))
    return _beyond_first(meetings)


def _beyond_first(times: Counter[Couple]) -> int:
    return times.total() - len(times)
