"""How often each pair of players met, and what one more time costs."""

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
    """The cost of two players, by number, meeting or being partners once more.

    `meet[a][b]` and `pair[a][b]` (a meeting as partners) rise by `meet_step` each time, `pair` also
    by `pair_step`; both rise by `again` too the first time this evening. `met[a][b]` counts the
    meetings of this evening. The number after the last player is nobody, who costs nothing.
    """

    meet: Table
    pair: Table
    met: Table
    meet_step: int
    pair_step: int
    again: int

    def partners(self, times: int) -> int:
        """The cost of two people being partners this many times this evening."""
        step = self.meet_step + self.pair_step
        return sum(self.again + step * before for before in range(1, times))


@dataclass(frozen=True)
class _Prices:
    """The price of one more meeting: `again` if they met this evening, `each` time they did, and
    each time in the `season`; the last two are extra, for partners.
    """

    again: int
    each: int
    season: int
    partner_each: int
    partner_season: int


class PairHistory:
    """Earlier meetings, of this evening and this season, by player number."""

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
        """Whether any two players met on an earlier evening."""
        return any(map(any, self._season))

    def evening_costs(self, *, partner_again: int = PARTNER_AGAIN) -> PairCosts:
        """Costs of this evening only, where a first meeting is free.

        Fewest repeats first, then repeats spread over different couples.
        """
        return self._costs(_Prices(2, 1, 0, 3 * partner_again, 0))

    def season_costs(self) -> PairCosts:
        """Costs in which one repeat this evening outweighs everything of the season.

        Being partners again is also meeting again, and costs half as much on top.
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
