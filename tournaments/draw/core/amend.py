"""Somebody more, or somebody less, once the draw is made: at most two tables change."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypedDict, Unpack

from tournaments.draw.core.candidate_moves import ThreeCost, states_with, states_without
from tournaments.draw.core.constraints import Constraints, first_tables
from tournaments.draw.core.fixed_seats import holders_apart, table_holders
from tournaments.draw.core.local_search import LocalSearch
from tournaments.draw.core.models import (
    TABLE_SIZE,
    Couple,
    Leftover,
    PastEvening,
    Player,
    RoundDraw,
)
from tournaments.draw.core.objective import Objective, SeasonHistory
from tournaments.draw.core.problem import DrawError, DrawFault
from tournaments.draw.core.state import DrawState, change_units, rounds_begun_in_block


class AmendContext(TypedDict, total=False):
    """What there is to keep to besides the rounds themselves, all of it as in `draw`; `block`
    is how many rounds at one table are one meeting: 1, or 3 in a rotation."""

    played: Sequence[RoundDraw]
    history: Sequence[PastEvening]
    fixed: Sequence[Couple]
    apart: Sequence[Couple]
    stays: Sequence[Player]
    block: int


def with_latecomer(
    rounds: Sequence[RoundDraw],
    player: Player,
    *,
    leftover: Leftover,
    **known: Unpack[AmendContext],
) -> tuple[RoundDraw, ...]:
    """The drawn rounds with one person more in them; `played` are the rounds before them.

    In each round at most two tables are other than they were, a new one counted in; those that
    stay keep their number. With `sit_out` he sits out or takes the seat of somebody who then does;
    the four who would sit out are a new table. With `three_handed` he makes a table of three
    complete; where there is none, two tables of four and he become three of three (a third
    change), and where there is one table of four he sits out.

    Of what is possible within that the best is taken: what was agreed (`fixed`, `apart` and
    `stays` as in `draw`) is kept, then fewest partners again tonight, sitting out and tables of
    three by turns tonight, then over the season, fewest meetings again tonight, fewest tables
    changed, and the season's partners and table-mates. In a rotation `block` is 3: the rounds
    of a block have the same people at a table.

    Raises `DrawError`: `duplicate_player` when he is in the rounds, `too_few_players` when they
    are fewer than four with him, `pairs_need_a_new_draw` when all of them are in fixed couples.
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
    """The drawn rounds with one person less in them; all as in `with_latecomer`.

    Who sits out takes his seat. Where nobody does, with `sit_out` a table disappears, its number
    with it, and three people sit out; with `three_handed` his table becomes one of three. At a
    table of three somebody comes over from a table of four; where there is none the two who are
    left go to two other tables of three (a third change), or the one who finds none sits out.

    Raises `DrawError`: `not_in_round` when he is in none of the rounds, `too_few_players` when
    fewer than four are without him, `pairs_need_a_new_draw` as above.
    """
    people = _people(rounds)
    if player not in people:
        raise DrawError([DrawFault("not_in_round", {"players": player})])
    amended = _Amendment(people - {player}, before=people, **known)
    return amended.rounds(
        rounds, lambda state, three_cost: states_without(state, player, leftover, three_cost)
    )


class _Amendment:
    """Changes the rounds in turn, each weighed against those before as they became."""

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
    ) -> None:
        _check(people, before, fixed)
        self._season = SeasonHistory(people, history)
        self._played = tuple(played)
        self._fixed = [couple for couple in fixed if people.issuperset(couple)]
        self._mates = {
            player: other for couple in self._fixed for player, other in (couple, couple[::-1])
        }
        self._stays = people.intersection(stays)
        self._apart = [*apart, *holders_apart(table_holders(self._stays, self._fixed))]
        self._block = block

    def rounds(
        self,
        rounds: Sequence[RoundDraw],
        candidates: Callable[[DrawState, ThreeCost], Iterator[DrawState]],
    ) -> tuple[RoundDraw, ...]:
        """The rounds after the best of the ways in each of them."""
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
        return Objective(self._season, constraints, [*before, *after], elsewhere)


def _people(rounds: Sequence[RoundDraw]) -> frozenset[Player]:
    at_tables = {player for drawn in rounds for table in drawn.tables for player in table.people()}
    return frozenset(at_tables).union(*(drawn.sit_out for drawn in rounds))


def _check(people: frozenset[Player], before: frozenset[Player], fixed: Sequence[Couple]) -> None:
    if before <= {player for couple in fixed if before.issuperset(couple) for player in couple}:
        raise DrawError([DrawFault("pairs_need_a_new_draw")])
    if len(people) < TABLE_SIZE:
        raise DrawError([DrawFault("too_few_players", {"count": len(people)})])
