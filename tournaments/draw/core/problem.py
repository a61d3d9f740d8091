"""The problem that a draw solves, with every fault of it; agreements about seating: fixed couples,
couples kept apart, and fixed seats."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from random import Random
from typing import get_args

from tournaments.draw.core.models import (
    TABLE_SIZE,
    Couple,
    Leftover,
    Method,
    Movement,
    PastEvening,
    Player,
    RoundDraw,
    TableDraw,
    ordered,
    sizes,
)

TableHolders = Mapping[Player, Player]
"""By player, the holder of their table: themselves, or the first of a fixed couple."""


def table_holders(stays: Collection[Player], fixed: Sequence[Couple]) -> dict[Player, Player]:
    """The table holder of each player who stays; a fixed couple that stays shares one table."""
    holders = {player: player for player in sorted(stays)}
    for couple in fixed:
        if holders.keys() >= {*couple}:
            holders |= dict.fromkeys(couple, min(couple))
    return holders


def holders_apart(holders: TableHolders) -> set[Couple]:
    """The couples that cannot share a table because each has their own fixed one."""
    return {
        ordered(player, other)
        for player, other in combinations(holders, 2)
        if holders[player] != holders[other]
    }


def renumbered_for_fixed_seats(
    rounds: Sequence[RoundDraw], holders: TableHolders, played: Sequence[RoundDraw]
) -> tuple[RoundDraw, ...]:
    """The rounds with tables renumbered so that players with a fixed seat stay at one number.

    That is the table where they first sat in the rounds played, if it exists and is free;
    otherwise the table where they first sit now.
    """
    number_of = _numbers_since(played, holders, len(rounds[0].tables))
    numbers = {table.number: table.number for table in rounds[0].tables}
    return tuple(_renumbered(drawn, holders, number_of, numbers) for drawn in rounds)


def pairs_in_fixed_seats(
    line: Sequence[Couple], stays: Collection[Player], played: Sequence[RoundDraw]
) -> tuple[Couple, ...]:
    """The pairs with those that stay in even places, each exchanged with one other pair.

    Their place is that of the table where they first sat in the rounds played, or the nearest.
    """
    holders = {player: min(pair) for pair in line if {*pair} & {*stays} for player in pair}
    number_of = _numbers_since(played, holders, len(line) // 2)
    places = list(line)
    staying = [pair for pair in line if pair[0] in holders]
    for pair in sorted(staying, key=lambda pair: min(pair) not in number_of):
        here = places.index(pair)
        if min(pair) not in number_of:
            number_of[min(pair)] = _nearest(here, len(line) // 2, number_of)
        there = 2 * number_of[min(pair)] - 1
        places[here], places[there] = places[there], places[here]
    return tuple(places)


def _nearest(place: int, tables: int, number_of: Mapping[Player, int]) -> int:
    """The free table whose staying pair is nearest to this place in the line, from 0."""
    free = [table for table in range(tables, 0, -1) if table not in number_of.values()]
    return min(free, key=lambda table: abs(2 * table - 1 - place))


def _numbers_since(
    played: Iterable[RoundDraw], holders: TableHolders, tables: int
) -> dict[Player, int]:
    """The table each holder has kept since the rounds played, if it still exists."""
    first: dict[Player, int] = {}
    for drawn in played:
        for table in drawn.tables:
            for player in table.people() & holders.keys():
                first.setdefault(holders[player], table.number)
    number_of: dict[Player, int] = {}
    for player, number in sorted(first.items()):
        if number <= tables and number not in number_of.values():
            number_of[player] = number
    return number_of


def _renumbered(
    drawn: RoundDraw, holders: TableHolders, number_of: dict[Player, int], numbers: dict[int, int]
) -> RoundDraw:
    """One round renumbered; updates `number_of` and `numbers`, the new number of each table."""
    for table in drawn.tables:
        for holder in sorted({holders[player] for player in table.people() & holders.keys()}):
            if holder not in number_of:
                free = sorted({*numbers} - {*number_of.values()})
                here = numbers[table.number]
                number_of[holder] = here if here in free else free[0]
            _exchange(numbers, table.number, number_of[holder])
    tables = [replace(table, number=numbers[table.number]) for table in drawn.tables]
    return replace(drawn, tables=tuple(sorted(tables, key=lambda table: table.number)))


def _exchange(numbers: dict[int, int], table: int, number: int) -> None:
    """Give a table this number, and its previous holder the table's old one."""
    holder = next(other for other, held in numbers.items() if held == number)
    numbers[table], numbers[holder] = number, numbers[table]


ApartFrom = Mapping[Player, frozenset[Player]]


@dataclass(frozen=True)
class DrawProblem:
    """A checked problem, in an order that does not depend on how players were entered.

    `players` are sorted; `standing` is the order in which they were given, which only a ranked
    draw uses. In `fixed` and `apart` both players of each couple are present. `teams` are those who
    should not meet, if there is a way. `max_steps` limits
    the exchanges of a search; None means as many as are useful.
    """

    players: tuple[Player, ...]
    rounds: int
    seed: int
    first_round: int
    history: tuple[PastEvening, ...]
    already_out: tuple[Player, ...]
    played: tuple[RoundDraw, ...]
    leftover: Leftover = "sit_out"
    fixed: tuple[Couple, ...] = ()
    apart: tuple[Couple, ...] = ()
    standing: tuple[Player, ...] = ()
    teams: tuple[tuple[Player, ...], ...] = ()
    max_steps: int | None = None

    @property
    def numbers(self) -> range:
        """The round numbers to draw, counted within the evening."""
        return range(self.first_round, self.first_round + self.rounds)

    @cached_property
    def mates(self) -> Mapping[Player, Player]:
        """The partner of each player in a fixed couple."""
        return {player: other for couple in self.fixed for player, other in (couple, couple[::-1])}

    @cached_property
    def apart_from(self) -> ApartFrom:
        """The players each player must not share a table with; players without any are left out."""
        apart: dict[Player, set[Player]] = {}
        for player, other in self.apart:
            apart.setdefault(player, set()).add(other)
            apart.setdefault(other, set()).add(player)
        return {player: frozenset(others) for player, others in apart.items()}

    @cached_property
    def team_couples(self) -> tuple[Couple, ...]:
        """The couples of one team, without those who are partners anyhow."""
        return tuple(
            ordered(*couple)
            for team in self.teams
            for couple in combinations(team, 2)
            if self.mates.get(couple[0]) != couple[1]
        )

    def rng(self, round_number: int) -> Random:
        """The random stream of one round.

        Each seed and round has its own, so that later rounds come out the same whether they are
        drawn together with the earlier ones or separately.
        """
        return Random(f"{self.seed}:{round_number}")  # noqa: S311 - a draw must be repeatable


MESSAGES: Mapping[str, str] = {
    "bad_question": "{what}",
    "too_few_players": "a table needs four players and there are {count}",
    "too_many_players": "at most {most} players can be drawn, and there are {count}",
    "duplicate_player": "named more than once: {players}",
    "too_few_rounds": "at least one round must be drawn, not {count}",
    "too_many_rounds": "at most {most} rounds can be drawn, not {count}",
    "unknown_method": "there is no draw method {method!r}; there are {methods}",
    "unknown_leftover": "there is no way {leftover!r} for those left over; there are {leftovers}",
    "five_three_handed": "five players cannot sit at tables of four and three",
    "ranked_one_round": "a draw by standing is for one round, not {count}",
    "unknown_movement": "there is no movement {movement!r} of pairs; there are {movements}",
    "movement_without_pairs": "a movement is for fixed pairs, not for {method}",
    "two_teams": "in two teams: {players}",
    "couple_of_one": "a couple needs two people: {players}",
    "couples_contradict": "these couples contradict each other: {couples}",
    "pairs_incomplete": "not in a pair: {players}",
    "too_many_stay": "{count} keep a table each, and the tables are {tables}",
    "not_in_round": "not in this round: {players}",
    "pairs_need_a_new_draw": "fixed pairs need a new draw when somebody comes or goes",
    "cannot_seat": "the couples leave no way to seat everybody",
}
CODES: tuple[str, ...] = tuple(MESSAGES)


@dataclass(frozen=True)
class DrawFault:
    """One fault: a code from `CODES` and the values in its message."""

    code: str
    params: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return MESSAGES[self.code].format_map(self.params)


class DrawError(ValueError):
    """The draw cannot be made. `faults` has every fault; `code` and `params` are of the first."""

    def __init__(self, faults: Sequence[DrawFault]) -> None:
        super().__init__("; ".join(str(fault) for fault in faults))
        self.faults = tuple(faults)
        self.code = self.faults[0].code
        self.params = self.faults[0].params


METHODS: tuple[Method, ...] = get_args(Method)
MOVEMENTS: tuple[Movement, ...] = get_args(Movement)
LEFTOVERS: tuple[Leftover, ...] = get_args(Leftover)
MAX_PLAYERS, MAX_ROUNDS = 2000, 1000


def problem_faults(
    players: Sequence[Player], rounds: int, method: str, leftover: str
) -> Iterator[DrawFault]:
    """Faults in the players, the number of rounds, the method and the leftover rule."""
    people = len(set(players))
    if people < TABLE_SIZE:
        yield DrawFault("too_few_players", {"count": people})
    if people > MAX_PLAYERS:
        yield DrawFault("too_many_players", {"count": people, "most": MAX_PLAYERS})
    twice = sorted(player for player, times in Counter(players).items() if times > 1)
    if twice:
        yield DrawFault("duplicate_player", {"players": ", ".join(twice)})
    if rounds < 1:
        yield DrawFault("too_few_rounds", {"count": rounds})
    if rounds > MAX_ROUNDS:
        yield DrawFault("too_many_rounds", {"count": rounds, "most": MAX_ROUNDS})
    if method not in METHODS:
        yield DrawFault("unknown_method", {"method": method, "methods": ", ".join(METHODS)})
    if leftover not in LEFTOVERS:
        known = ", ".join(LEFTOVERS)
        yield DrawFault("unknown_leftover", {"leftover": leftover, "leftovers": known})
    if people == 5 and leftover == "three_handed" and method != "pairs":
        yield DrawFault("five_three_handed")
    if method == "ranked" and rounds > 1:
        yield DrawFault("ranked_one_round", {"count": rounds})


def couple_faults(
    players: Collection[Player], method: str, fixed: Sequence[Couple], apart: Sequence[Couple]
) -> Iterator[DrawFault]:
    """Couples of one person, contradicting couples, and in `pairs` players without a pair."""
    alone = sorted({player for player, other in (*fixed, *apart) if player == other})
    if alone:
        yield DrawFault("couple_of_one", {"players": ", ".join(alone)})
    here = frozenset(players)
    together = {ordered(*couple) for couple in fixed if here.issuperset(couple)}
    times = Counter(player for couple in together for player in couple)
    clashing = together & {ordered(*couple) for couple in apart}
    clashing |= {couple for couple in together if max(times[player] for player in couple) > 1}
    if clashing and not alone:
        named = ", ".join(" and ".join(couple) for couple in sorted(clashing))
        yield DrawFault("couples_contradict", {"couples": named})
    paired = {player for couple in together for player in couple}
    if method == "pairs" and here - paired:
        yield DrawFault("pairs_incomplete", {"players": ", ".join(sorted(here - paired))})


def company_faults(
    rounds: int, method: str, movement: str | None, teams: Sequence[Sequence[Player]]
) -> Iterator[DrawFault]:
    """Faults in how pairs meet, and people in two teams or named twice in one."""
    if movement is not None and movement not in MOVEMENTS:
        known = ", ".join(MOVEMENTS)
        yield DrawFault("unknown_movement", {"movement": movement, "movements": known})
    if movement is not None and method in METHODS and method != "pairs":
        yield DrawFault("movement_without_pairs", {"method": method})
    if movement == "by_standing" and rounds > 1:
        yield DrawFault("ranked_one_round", {"count": rounds})
    times = Counter(player for team in teams for player in team)
    if twice := sorted(player for player, count in times.items() if count > 1):
        yield DrawFault("two_teams", {"players": ", ".join(twice)})


def stay_faults(
    players: Collection[Player],
    method: str,
    leftover: Leftover,
    fixed: Sequence[Couple],
    stays: Collection[Player],
) -> Iterator[DrawFault]:
    """More players with a fixed seat than tables; a fixed couple counts as one."""
    in_pairs = method == "pairs"
    fours, threes, _ = sizes(len(players), "sit_out" if in_pairs else leftover)
    keeping = len({*table_holders(stays, fixed).values()})
    if in_pairs:
        keeping = sum(not {*couple}.isdisjoint(stays) for couple in fixed)
    if keeping > fours + threes:
        yield DrawFault("too_many_stay", {"count": keeping, "tables": fours + threes})


class Constraints:
    """Finds violations at a table; `first_tables` are the tables of people with a fixed seat."""

    def __init__(
        self, fixed: Sequence[Couple], apart: Sequence[Couple], first_tables: Mapping[Player, int]
    ) -> None:
        self._mates = {
            player: other for couple in fixed for player, other in (couple, couple[::-1])
        }
        self._apart: dict[Player, set[Player]] = {}
        for couple in apart:
            for player, other in (couple, couple[::-1]):
                self._apart.setdefault(player, set()).add(other)
        self._first_tables = first_tables
        self._concerned = self._mates.keys() | self._apart.keys() | first_tables.keys()

    def count_faults(self, table: TableDraw, out: Collection[Player]) -> int:
        """The number of violations at this table, one for each code of each player.

        A fixed couple at a table of three, which has no partners, counts as one.
        """
        concerned = self._concerned.intersection(table.seats.values())
        faults = sum(sum(1 for _ in self.faults(player, table, out)) for player in concerned)
        if len(table.seats) < TABLE_SIZE:
            faults += sum(self._mates.get(player) in concerned for player in concerned) // 2
        return faults

    def faults(self, player: Player, table: TableDraw, out: Collection[Player]) -> Iterator[str]:
        """The violations for this player at this table while `out` sit out.

        `apart`: someone they must not meet is at the table; `fixed`: their fixed partner plays but
        is not their partner (at a table of three: is not at the table); `stays`: it is not their
        fixed table.
        """
        seats = table.seats.values()
        if player in self._apart and not self._apart[player].isdisjoint(seats):
            yield "apart"
        mate = self._mates.get(player)
        if mate is not None and mate not in out:
            beside = (
                mate in seats
                if len(seats) < TABLE_SIZE
                else ordered(player, mate) in table.partners()
            )
            if not beside:
                yield "fixed"
        if self._first_tables.get(player, table.number) != table.number:
            yield "stays"


def first_tables(stays: Collection[Player], rounds: Iterable[RoundDraw]) -> dict[Player, int]:
    """The table where each of these players first sits; those who never play are left out."""
    table_of: dict[Player, int] = {}
    for drawn in rounds:
        for table in drawn.tables:
            for player in table.seats.values():
                if player in stays:
                    table_of.setdefault(player, table.number)
    return table_of
