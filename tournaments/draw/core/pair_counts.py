"""How often each pair of players was together, and what one more time costs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from tournaments.draw.core.models import Couple, PastEvening, Player, RoundDraw, TableDraw
from tournaments.draw.core.problem import DrawProblem

Table = list[list[int]]

NEVER = 10**9
TEAMMATES = 10**6
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

    def __init__(self, problem: DrawProblem) -> None:
        self._number = {player: number for number, player in enumerate(problem.players)}
        self._apart = problem.apart
        self._teams = problem.team_couples
        self._season = self._count(
            [couple for past in problem.history for couple in (*past.partners, *past.opponents)]
        )
        self._season_pairs = self._count(
            [couple for past in problem.history for couple in past.partners]
        )
        self._evening = self._count(_meeting_costs(problem.played))
        self._evening_pairs = self._count(_partner_costs(problem.played))

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

    def team_costs(self) -> PairCosts:
        """Costs of teammates, and of people who are kept apart, alone."""
        return self._costs(_Prices(0, 0, 0, 0, 0))

    def _costs(self, prices: _Prices) -> PairCosts:
        step = prices.each + prices.season
        meet = [
            [
                prices.again * (tonight > 0) + step * tonight + prices.season * before
                for tonight, before in zip(*rows, strict=True)
            ]
            for rows in zip(self._evening, self._season, strict=True)
        ]
        for player, other in self._teams:
            meet[self._number[player]][self._number[other]] += TEAMMATES
            meet[self._number[other]][self._number[player]] += TEAMMATES
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


def _meeting_costs(rounds: Sequence[RoundDraw]) -> list[Couple]:
    return [
        (player, other)
        for drawn in rounds
        for table in drawn.tables
        for player, other in combinations(table.seats.values(), 2)
    ]


def _partner_costs(rounds: Sequence[RoundDraw]) -> list[Couple]:
    return [couple for drawn in rounds for table in drawn.tables for couple in table.partners()]


@dataclass(frozen=True)
class Repeat:
    """Two people together for the second time or more: `times` is 2, 3 …

    With `as_partners`, counted as partners; otherwise as table-mates.
    """

    player: Player
    other: Player
    times: int
    as_partners: bool


def partner_repeats(rounds: Sequence[RoundDraw]) -> int:
    """How often two people are partners beyond the first time, over all couples."""
    return _beyond_first(partners_of(rounds))


def meeting_repeats(rounds: Sequence[RoundDraw], *, block: int) -> int:
    """How often two people share a table beyond the first time, over all couples.

    People who stay together meet once per `block` rounds: 3 in a rotation, otherwise 1.
    """
    return _beyond_first(meetings_of(rounds, block=block))


def repeats_by_table(
    rounds: Sequence[RoundDraw],
    number: int,
    *,
    played: Sequence[RoundDraw] = (),
    block: int = 1,
) -> dict[int, tuple[Repeat, ...]]:
    """The repeats at each table of `rounds[number]`; tables without one are left out.

    Counted over `played` and `rounds` up to and including that round. A couple is listed once: as
    partners if they are partners again, otherwise as table-mates. In a rotation `block` is 3.
    """
    so_far = (*played, *rounds[: number + 1])
    partners, met = partners_of(so_far), meetings_of(so_far, block=block)
    repeats = {table.number: tuple(_again(table, partners, met)) for table in rounds[number].tables}
    return {table: again for table, again in repeats.items() if again}


def partners_of(rounds: Iterable[RoundDraw]) -> Counter[Couple]:
    """How often each couple are partners."""
    return Counter(
        couple for played in rounds for table in played.tables for couple in table.partners()
    )


def meetings_of(rounds: Iterable[RoundDraw], *, block: int) -> Counter[Couple]:
    """How often each couple meet; `block` rounds at one table are one meeting."""
    meetings: Counter[Couple] = Counter()
    stayed: dict[frozenset[Player], int] = {}
    for played in rounds:
        foursomes = [table.people() for table in played.tables]
        stayed = {people: stayed.get(people, 0) + 1 for people in foursomes}
        for people in foursomes:
            if (stayed[people] - 1) % block == 0:
                meetings.update(couples_among(people))
    return meetings


def couples_among(people: Iterable[Player]) -> list[Couple]:
    """Every pair of these people."""
    return list(combinations(sorted(people), 2))


def _again(
    table: TableDraw, partners: Mapping[Couple, int], met: Mapping[Couple, int]
) -> Iterator[Repeat]:
    for couple in couples_among(table.people()):
        if couple in table.partners() and partners[couple] > 1:
            yield Repeat(*couple, partners[couple], as_partners=True)
        elif met[couple] > 1:
            yield Repeat(*couple, met[couple], as_partners=False)


def _beyond_first(times: Counter[Couple]) -> int:
    return times.total() - len(times)


PairCounts = Mapping[Couple, int]


class EveningCounts:
    """The counts of an evening in which one round, `rounds[place]`, may change."""

    def __init__(self, rounds: Sequence[RoundDraw], place: int, *, block: int) -> None:
        self._place = place
        self._block = block
        self._groups = [{table.people() for table in drawn.tables} for drawn in rounds]
        self._partners = dict(partners_of(rounds))
        self._meetings = dict(meetings_of(rounds, block=block))

    def more_repeats(
        self, before: Sequence[TableDraw], after: Sequence[TableDraw]
    ) -> tuple[int, int]:
        """The change in repeats of partners and of meetings if `before` becomes `after`."""
        partners = _change(_partners(before), _partners(after))
        meetings: dict[Couple, int] = {}
        come = {table.people() for table in after}
        for people in come ^ {table.people() for table in before}:
            more = self._more_meetings(people, there=people in come)
            for couple in couples_among(people):
                meetings[couple] = meetings.get(couple, 0) + more
        return _more_repeats(self._partners, partners), _more_repeats(self._meetings, meetings)

    def _more_meetings(self, people: frozenset[Player], *, there: bool) -> int:
        """The change in meetings if these people sit together in that round, or do not."""
        sits = [people in groups for groups in self._groups]
        was = _meetings(sits, self._block)
        sits[self._place] = there
        return _meetings(sits, self._block) - was


class SeasonCounts:
    """How often couples were partners, and shared a table, on earlier evenings."""

    def __init__(self, history: Sequence[PastEvening]) -> None:
        partners = [past.partners for past in history]
        opponents = [past.opponents for past in history]
        self._partners = Counter(chain.from_iterable(partners))
        self._meetings = Counter(chain.from_iterable(partners + opponents))

    def more(self, before: Sequence[TableDraw], after: Sequence[TableDraw]) -> tuple[int, int]:
        """The change in earlier partnerships and meetings among those together, summed."""
        partners = _change(_partners(before), _partners(after))
        meetings = _change(_couples(before), _couples(after))
        return _weighed(self._partners, partners), _weighed(self._meetings, meetings)


def _weighed(times: PairCounts, change: PairCounts) -> int:
    """The sum of the changes, each times how often that couple was together."""
    changes = [(couple, more) for couple, more in change.items() if more]
    return sum(
        more * (times.get(couple, 0) + times.get(couple[::-1], 0)) for couple, more in changes
    )


def _meetings(sits: Sequence[bool], block: int) -> int:
    """The number of meetings if people sit together in exactly these rounds."""
    meetings = stayed = 0
    for here in sits:
        meetings += here and stayed % block == 0
        stayed = stayed + 1 if here else 0
    return meetings


def _more_repeats(times: PairCounts, change: PairCounts) -> int:
    """The change in repeats if couples are together this many times more."""
    repeats = 0
    for couple, more in change.items():
        if more:
            was = times.get(couple, 0)
            repeats += max(0, was + more - 1) - max(0, was - 1)
    return repeats


def _change(before: Iterable[Couple], after: Iterable[Couple]) -> dict[Couple, int]:
    change = dict.fromkeys(after, 1)
    for couple in before:
        change[couple] = change.get(couple, 0) - 1
    return change


def _couples(tables: Iterable[TableDraw]) -> Iterator[Couple]:
    for table in tables:
        yield from couples_among(table.seats.values())


def _partners(tables: Iterable[TableDraw]) -> Iterator[Couple]:
    for table in tables:
        yield from table.partners()
