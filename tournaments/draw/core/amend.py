"""Changing a drawn round: adding or removing one person, which touches at most two tables, and
exchanging two people; and what that costs."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypedDict, Unpack

from tournaments.draw.core.bye_fairness import rounds_missed, turns_owed
from tournaments.draw.core.local_search import (
    LocalSearch,
    Objective,
    SeasonHistory,
    ThreeCost,
    states_with,
    states_without,
)
from tournaments.draw.core.models import (
    TABLE_SIZE,
    Couple,
    DrawState,
    Leftover,
    PastEvening,
    Player,
    RoundDraw,
    TableDraw,
    change_units,
    ordered,
    rounds_begun_in_block,
)
from tournaments.draw.core.pair_counts import EveningCounts, SeasonCounts
from tournaments.draw.core.problem import (
    Constraints,
    DrawError,
    DrawFault,
    first_tables,
    holders_apart,
    table_holders,
)


class AmendContext(TypedDict, total=False):
    """What to respect besides the rounds, as in `draw`.

    `block` is the number of rounds at one table that count as one meeting: 1, or 3 in a rotation.
    Members of one of the `teams` share no table if there is a way, but for fixed partners.
    """

    played: Sequence[RoundDraw]
    history: Sequence[PastEvening]
    fixed: Sequence[Couple]
    apart: Sequence[Couple]
    stays: Sequence[Player]
    block: int
    teams: Sequence[Sequence[Player]]


def with_latecomer(
    rounds: Sequence[RoundDraw],
    player: Player,
    *,
    leftover: Leftover,
    **known: Unpack[AmendContext],
) -> tuple[RoundDraw, ...]:
    """The drawn rounds with one more person; `played` are the rounds before them.

    In each round at most two tables change, a new one included; other tables keep their number.
    With `sit_out` the latecomer sits out or takes the seat of someone who then does; four who
    would sit out form a table. With `three_handed` the latecomer completes a table of three; if
    there is none, two tables of four become three of three (a third change), and with only one
    table of four the latecomer sits out. With `three_handed_rest` the latecomer completes a table
    of three, makes one with two who would sit out, or sits out.

    The best of these is chosen in this order: agreements (`fixed`, `apart`, `stays` as in `draw`),
    teammates apart, repeated partners tonight, fair turns tonight (a missed round is a turn), fair
    turns over the season, repeated meetings tonight, changed tables, and partners and table-mates
    of the season.
    In a rotation `block` is 3, and the people at a table stay together for the block.

    Raises `DrawError`: `duplicate_player` if they already take part, `too_few_players` if there
    are fewer than four with them, `pairs_need_a_new_draw` if everyone is in a fixed couple.
    """
    people = _people(rounds)
    if player in people:
        raise DrawError([DrawFault("duplicate_player", {"players": player})])
    amended = _Amendment(people | {player}, before=people, **known)
    return amended.rounds(
        rounds, lambda state, three_cost: states_with(state, player, leftover, three_cost)
    )


def without_leaver(
    rounds: Sequence[RoundDraw],
    player: Player,
    *,
    leftover: Leftover,
    **known: Unpack[AmendContext],
) -> tuple[RoundDraw, ...]:
    """The drawn rounds without this person; everything else as in `with_latecomer`.

    Someone who sits out takes their seat. If nobody does, with `sit_out` the table disappears with
    its number and three people sit out; with `three_handed` it becomes a table of three. A table
    of three takes someone from a table of four; if there is none, its other two join two other
    tables of three (a third change), or sit out. With `three_handed_rest` there is at most one
    table of three, and of two tables that are short one is filled up from the other.

    Raises `DrawError`: `not_in_round` if they are in none of the rounds, `too_few_players` if
    fewer than four remain, `pairs_need_a_new_draw` as above.
    """
    people = _people(rounds)
    if player not in people:
        raise DrawError([DrawFault("not_in_round", {"players": player})])
    amended = _Amendment(people - {player}, before=people, **known)
    return amended.rounds(
        rounds, lambda state, three_cost: states_without(state, player, leftover, three_cost)
    )


class _Amendment:
    """Changes the rounds in turn, each judged against the others as they have become."""

    def __init__(
        self,
        people: frozenset[Player],
        *,
        before: frozenset[Player],
        played: Sequence[RoundDraw] = (),
        history: Sequence[PastEvening] = (),
        fixed: Sequence[Couple] = (),
        apart: Sequence[Couple] = (),
        stays: Sequence[Player] = (),
        block: int = 1,
        teams: Sequence[Sequence[Player]] = (),
    ) -> None:
        _check(people, before, fixed)
        self._season = SeasonHistory(people, history)
        self._played = tuple(played)
        self._people = people
        self._fixed = [couple for couple in fixed if people.issuperset(couple)]
        self._mates = {
            player: other for couple in self._fixed for player, other in (couple, couple[::-1])
        }
        self._stays = people.intersection(stays)
        self._apart = [*apart, *holders_apart(table_holders(self._stays, self._fixed))]
        self._teammates = [
            ordered(*couple)
            for team in teams
            for couple in combinations(team, 2)
            if self._mates.get(couple[0]) != couple[1]
        ]
        self._block = block

    def rounds(
        self,
        rounds: Sequence[RoundDraw],
        candidates: Callable[[DrawState, ThreeCost], Iterator[DrawState]],
    ) -> tuple[RoundDraw, ...]:
        """The rounds, each with its best candidate."""
        evening = [*self._played, *rounds]
        place = len(self._played)
        for unit in change_units(rounds, self._block):
            end = place + len(unit)
            state = DrawState.of(unit, self._mates)
            objective = self._objective(evening, place, end)
            best = LocalSearch(state, objective).best_of(candidates(state, objective.at_three))
            evening[place:end] = best.rounds()
            place = end
        return tuple(evening[len(self._played) :])

    def _objective(self, evening: Sequence[RoundDraw], start: int, end: int) -> Objective:
        before, after = evening[:start], evening[end:]
        begun = rounds_begun_in_block(before, evening[start:end], self._block)
        constraints = Constraints(self._fixed, self._apart, first_tables(self._stays, evening))
        elsewhere = [*before[: len(before) - begun], *after]
        # Whoever comes while a block is played waits for the next, like those who sit it out.
        missed = rounds_missed(self._people, self._played[: len(self._played) - begun])
        others = [*before, *after]
        return Objective(
            self._season, constraints, others, elsewhere, missed, teammates=self._teammates
        )


def _people(rounds: Sequence[RoundDraw]) -> frozenset[Player]:
    at_tables = {player for drawn in rounds for table in drawn.tables for player in table.people()}
    return frozenset(at_tables).union(*(drawn.sit_out for drawn in rounds))


def _check(people: frozenset[Player], before: frozenset[Player], fixed: Sequence[Couple]) -> None:
    if before <= {player for couple in fixed if before.issuperset(couple) for player in couple}:
        raise DrawError([DrawFault("pairs_need_a_new_draw")])
    if len(people) < TABLE_SIZE:
        raise DrawError([DrawFault("too_few_players", {"count": len(people)})])


@dataclass(frozen=True)
class SwapTurn:
    """One person sits out instead of another.

    `rounds` is how many rounds of the evening `goes_out` then sits out, `instead_of` how many
    `comes_in` did before. `season` is how many whole turns more `goes_out` has had this season
    relative to their share; negative if `comes_in` had more.
    """

    goes_out: Player
    comes_in: Player
    rounds: int
    instead_of: int
    season: int = 0

    @property
    def more(self) -> int:
        """Positive if the exchange is less fair: tonight, or else over the season."""
        return self.rounds - self.instead_of or self.season


@dataclass(frozen=True)
class SwapCost:
    """What one exchange changes; negative figures are improvements.

    `partners` and `meetings`: repeats this evening. `season_partners` and `season_meetings`: how
    often the couples of this round were together this season, summed. `turn` is set if one of the
    two sits out.

    `faults`: `apart`, a couple that must not meet shares a table; `fixed`, a fixed couple both play
    and are not partners; `stays`, someone leaves their fixed table.
    """

    partners: int = 0
    meetings: int = 0
    season_partners: int = 0
    season_meetings: int = 0
    turn: SwapTurn | None = None
    faults: tuple[str, ...] = ()


def swapped(
    rounds: Sequence[RoundDraw], number: int, player: Player, other: Player
) -> tuple[RoundDraw, ...]:
    """The rounds after these two exchange places in `rounds[number]` only.

    Raises `DrawError` `not_in_round` naming those who are not in that round.
    """
    drawn = rounds[number]
    _places(drawn, player, other)
    tables = tuple(_exchanged(table, player, other) for table in drawn.tables)
    out = tuple(sorted(_one_for_other(drawn.sit_out, player, other)))
    return (*rounds[:number], RoundDraw(tables, out), *rounds[number + 1 :])


def swap_costs(
    rounds: Sequence[RoundDraw],
    number: int,
    player: Player,
    *,
    played: Sequence[RoundDraw] = (),
    history: Sequence[PastEvening] = (),
    fixed: Sequence[Couple] = (),
    apart: Sequence[Couple] = (),
    stays: Sequence[Player] = (),
    block: int = 1,
) -> dict[Player, SwapCost]:
    """The cost of `player` exchanging places with each other person in `rounds[number]`.

    `rounds` are the rounds still to be played, `played` those before; in a rotation `block` is 3.
    Raises `DrawError` `not_in_round` if `player` is not in that round.
    """
    drawn = rounds[number]
    places = _places(drawn, player)
    elsewhere = first_tables(stays, (*played, *rounds[:number], *rounds[number + 1 :]))
    constraints = Constraints(
        [couple for couple in fixed if places.keys() >= {*couple}], apart, elsewhere
    )
    evening = EveningCounts((*played, *rounds), len(played) + number, block=block)
    season = SeasonCounts(history)
    turns = _SitOuts((*played, *rounds), played, places, history)

    def cost(other: Player) -> SwapCost:
        tables = {table.number: table for person in (player, other) if (table := places[person])}
        before = tuple(tables.values())
        after = tuple(_exchanged(table, player, other) for table in before)
        out = _one_for_other(drawn.sit_out, player, other)
        faults = {
            fault
            for table in after
            for person in table.people() & {player, other}
            for fault in constraints.faults(person, table, out)
        }
        more = (*evening.more_repeats(before, after), *season.more(before, after))
        turn = turns.between(player, other)
        return SwapCost(*more, turn=turn, faults=tuple(sorted(faults)))

    return {other: cost(other) for other in places if other != player}


class _SitOuts:
    """How often people sit out tonight, or missed a round, and how far they are below their share
    of the season."""

    def __init__(
        self,
        rounds: Sequence[RoundDraw],
        played: Sequence[RoundDraw],
        places: Mapping[Player, TableDraw | None],
        history: Sequence[PastEvening],
    ) -> None:
        self._places = places
        self._rounds = Counter(person for drawn in rounds for person in drawn.sit_out)
        self._rounds += rounds_missed(places, played)
        self._owed = turns_owed(places, history, [past.sat_out for past in history])

    def between(self, player: Player, other: Player) -> SwapTurn | None:
        """Which of the two would sit out instead of the other; None if both or neither do now."""
        if (self._places[player] is None) == (self._places[other] is None):
            return None
        goes_out, comes_in = (player, other) if self._places[player] else (other, player)
        return SwapTurn(
            goes_out,
            comes_in,
            rounds=self._rounds[goes_out] + 1,
            instead_of=self._rounds[comes_in],
            season=int(self._owed[comes_in] - self._owed[goes_out]),
        )


def _places(drawn: RoundDraw, *needed: Player) -> dict[Player, TableDraw | None]:
    """Everyone's table in the round, None if they sit out; raises if `needed` are not in it."""
    at_tables = {person: table for table in drawn.tables for person in table.seats.values()}
    places = {**at_tables, **dict.fromkeys(drawn.sit_out)}
    strangers = sorted({*needed} - places.keys())
    if strangers:
        raise DrawError([DrawFault("not_in_round", {"players": ", ".join(strangers)})])
    return places


def _exchanged(table: TableDraw, player: Player, other: Player) -> TableDraw:
    seats = dict(zip(table.seats, _one_for_other(table.seats.values(), player, other), strict=True))
    return TableDraw(table.number, seats)


def _one_for_other(people: Iterable[Player], player: Player, other: Player) -> list[Player]:
    """The same people with these two exchanged."""
    swap = {player: other, other: player}
    return [swap.get(person, person) for person in people]
