"""Exchanging two people in a drawn round, and the cost of that."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tournaments.draw.core.bye_fairness import rounds_missed, turns_owed
from tournaments.draw.core.models import Couple, PastEvening, Player, RoundDraw, TableDraw
from tournaments.draw.core.pair_counts import EveningCounts, SeasonCounts
from tournaments.draw.core.problem import Constraints, DrawError, DrawFault, first_tables


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
