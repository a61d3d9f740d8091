"""How often everybody sat with everybody, and what one more time costs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournaments.draw.models import Couple, Player, RoundDraw
from tournaments.draw.request import Request

Table = list[list[int]]

NEVER = 10**9
PARTNER_AGAIN = 6
PARTNER_OF_SEASON = 1


@dataclass(frozen=True)
class Costs:
    """What it costs if two players, by number, meet or are partners one more time.

    `meet[a][b]` and `pair[a][b]` (a meeting as partners) rise by `meet_step`, and `pair` also by
    `pair_step`, each time it happens. One number past the last player is nobody, who costs nothing.
    """

    meet: Table
    pair: Table
    meet_step: int
    pair_step: int


class Ledger:
    """The meetings before these rounds, of the evening and of the season, by player number."""

    def __init__(self, request: Request) -> None:
        self._number = {player: number for number, player in enumerate(request.players)}
        self._apart = request.apart
        self._season = self._count(
            [couple for past in request.history for couple in (*past.partners, *past.opponents)]
        )
        self._season_pairs = self._count(
            [couple for past in request.history for couple in past.partners]
        )
        self._evening = self._count(_meetings(request.played))
        self._evening_pairs = self._count(_partners(request.played))

    @property
    def knows_a_season(self) -> bool:
        """Whether anybody met anybody on an earlier evening."""
        return any(map(any, self._season))

    def of_the_evening(self, *, partner_again: int = PARTNER_AGAIN) -> Costs:
        """Costs that look at this evening alone: nothing the first time."""
        return self._costs(1, partner_again, seasonal=0)

    def of_the_season(self) -> Costs:
        """Costs by which nothing of the season outweighs a repeat within the evening."""
        most = max(map(max, self._season))
        again = 6 * (most + PARTNER_OF_SEASON * most + 2)
        return self._costs(again, PARTNER_AGAIN * again, seasonal=1)

    def _costs(self, again: int, partner_again: int, *, seasonal: int) -> Costs:
        meet = [
            [again * tonight + seasonal * before for tonight, before in zip(*rows, strict=True)]
            for rows in zip(self._evening, self._season, strict=True)
        ]
        for one, other in self._apart:
            meet[self._number[one]][self._number[other]] = NEVER
            meet[self._number[other]][self._number[one]] = NEVER
        weight = seasonal * PARTNER_OF_SEASON
        pair = [
            [
                cost + partner_again * tonight + weight * before
                for cost, tonight, before in zip(*rows, strict=True)
            ]
            for rows in zip(meet, self._evening_pairs, self._season_pairs, strict=True)
        ]
        return Costs(meet, pair, again + seasonal, partner_again + weight)

    def _count(self, couples: Iterable[Couple]) -> Table:
        number: Mapping[Player, int] = self._number
        size = len(number) + 1
        times = [[0] * size for _ in range(size)]
        for one, other in couples:
            if one in number and other in number:
                mine, yours = number[one], number[other]
                times[mine][yours] += 1
                times[yours][mine] += 1
        return times


def _meetings(rounds: Sequence[RoundDraw]) -> list[Couple]:
    return [
        (one, other)
        for drawn in rounds
        for table in drawn.tables
        for one, other in combinations(table.seats.values(), 2)
    ]


def _partners(rounds: Sequence[RoundDraw]) -> list[Couple]:
    return [couple for drawn in rounds for table in drawn.tables for couple in table.partners()]
