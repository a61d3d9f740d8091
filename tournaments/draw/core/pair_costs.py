"""How often everybody sat with everybody, and what one more time costs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournaments.draw.core.models import Couple, Player, RoundDraw
from tournaments.draw.core.problem import Problem

Table = list[list[int]]

NEVER = 10**9
PARTNER_AGAIN = 6
SEASON_MEETING = 2
SEASON_PARTNER = 1


@dataclass(frozen=True)
class PairCosts:
    """What it costs if two players, by number, meet or are partners one more time.

    `meet[a][b]` and `pair[a][b]` (a meeting as partners) rise by `meet_step`, and `pair` also by
    `pair_step`, each time it happens; both by `again` too when it happens for the first time this
    evening. `met[a][b]` is how often it happened this evening. One number past the last player is
    nobody, who costs nothing.
    """

    meet: Table
    pair: Table
    met: Table
    meet_step: int
    pair_step: int
    again: int

    def partners(self, times: int) -> int:
        """What two people cost who are partners so many times this evening, apart from before."""
        step = self.meet_step + self.pair_step
        return sum(self.again + step * before for before in range(1, times))


@dataclass(frozen=True)
class _Prices:
    """Of one more meeting: that it is not the first of this evening, each time before that it was
    this evening, and each time of the season; then these for partners."""

    again: int
    each: int
    season: int
    partner_each: int
    partner_season: int


class PairHistory:
    """The meetings before these rounds, of the evening and of the season, by player number."""

    def __init__(self, problem: Problem) -> None:
        self._number = {player: number for number, player in enumerate(problem.players)}
        self._apart = problem.apart
        self._season = self._count(
            [couple for past in problem.history for couple in (*past.partners, *past.opponents)]
        )
        self._season_pairs = self._count(
            [couple for past in problem.history for couple in past.partners]
        )
        self._evening = self._count(_meetings(problem.played))
        self._evening_pairs = self._count(_partners(problem.played))

    @property
    def knows_a_season(self) -> bool:
        """Whether anybody met anybody on an earlier evening."""
        return any(map(any, self._season))

    def evening_costs(self, *, partner_again: int = PARTNER_AGAIN) -> PairCosts:
        """Costs that look at this evening alone: nothing the first time.

        Fewest repeats count first, then that they are not all of the same couples.
        """
        return self._costs(_Prices(2, 1, 0, 3 * partner_again, 0))

    def season_costs(self) -> PairCosts:
        """Costs by which nothing of the season outweighs a repeat within the evening.

        A partner again is a table-mate again, and costs half as much on top of that.
        """
        most = (SEASON_MEETING + SEASON_PARTNER) * max(map(max, self._season))
        each = 2 * (most + 2 * SEASON_MEETING)
        return self._costs(
            _Prices(2 * each, each, SEASON_MEETING, 3 * PARTNER_AGAIN * each, SEASON_PARTNER)
        )

    def _costs(self, prices: _Prices) -> PairCosts:
        step = prices.each + prices.season
        meet = [
            [
                prices.again * (tonight > 0) + step * tonight + prices.season * before
                for tonight, before in zip(*rows, strict=True)
            ]
            for rows in zip(self._evening, self._season, strict=True)
        ]
        for player, other in self._apart:
            meet[self._number[player]][self._number[other]] = NEVER
            meet[self._number[other]][self._number[player]] = NEVER
        partner_step = prices.partner_each + prices.partner_season
        pair = [
            [
                cost + partner_step * tonight + prices.partner_season * before
                for cost, tonight, before in zip(*rows, strict=True)
            ]
            for rows in zip(meet, self._evening_pairs, self._season_pairs, strict=True)
        ]
        met = [row[:] for row in self._evening]
        return PairCosts(meet, pair, met, step, partner_step, prices.again)

    def _count(self, couples: Iterable[Couple]) -> Table:
        number: Mapping[Player, int] = self._number
        size = len(number) + 1
        times = [[0] * size for _ in range(size)]
        for player, other in couples:
            if player in number and other in number:
                mine, yours = number[player], number[other]
                times[mine][yours] += 1
                times[yours][mine] += 1
        return times


def _meetings(rounds: Sequence[RoundDraw]) -> list[Couple]:
    return [
        (player, other)
        for drawn in rounds
        for table in drawn.tables
        for player, other in combinations(table.seats.values(), 2)
    ]


def _partners(rounds: Sequence[RoundDraw]) -> list[Couple]:
    return [couple for drawn in rounds for table in drawn.tables for couple in table.partners()]
