"""Two people of a drawn round exchanging places, and what that costs."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tournaments.draw.core.bye_fairness import turns_owed
from tournaments.draw.core.constraints import Constraints, first_tables
from tournaments.draw.core.models import Couple, PastEvening, Player, RoundDraw, TableDraw
from tournaments.draw.core.pair_counts import EveningCounts, SeasonCounts
from tournaments.draw.core.problem import DrawError, DrawFault


@dataclass(frozen=True)
class SwapTurn:
    """Somebody who sits out instead of another.

    `rounds` is how many rounds of the evening `goes_out` then sits out, `instead_of` how many
    `comes_in` did before. `season` is how many whole turns more `goes_out` has had this season,
    each counted from his own share; below zero where it is `comes_in` who had more.
    """

    goes_out: Player
    comes_in: Player
    rounds: int
    instead_of: int
    season: int = 0

    @property
    def more(self) -> int:
        """Above zero where the turn is less due than it was: tonight, else over the season."""
        return self.rounds - self.instead_of or self.season


@dataclass(frozen=True)
class SwapCost:
    """What one exchange changes; a figure below zero is for the better.

    `partners` and `meetings`: how often this evening somebody gets a partner, and shares a table
    with somebody, beyond the first time. `season_partners` and `season_meetings`: how often the
    couples of this round were partners, and shared a table, this season, summed over couples.
    `turn` is there where one of the two sits out.

    `faults` are what would be and must not: `apart`, a couple that must not meet at one table;
    `fixed`, a fixed couple both playing and not as partners; `stays`, somebody who keeps his table
    at another than in his other rounds.
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
    """The rounds after these two exchanged places in `rounds[number]` alone.

    Raises `DrawError` `not_in_round` naming those who have no place in that round.
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
    """What it costs if `player` exchanges places with each other person of `rounds[number]`.

    The others are all who sit at its tables or sit out. `rounds` are the rounds of the evening
    that are not played and `played` those before them; in a rotation `block` is 3: its rounds are
    one meeting. Raises `DrawError` `not_in_round` when `player` has no place in that round.
    """
    drawn = rounds[number]
    places = _places(drawn, player)
    elsewhere = first_tables(stays, (*played, *rounds[:number], *rounds[number + 1 :]))
    constraints = Constraints(
        [couple for couple in fixed if places.keys() >= {*couple}], apart, elsewhere
    )
    evening = EveningCounts((*played, *rounds), len(played) + number, block=block)
    season = SeasonCounts(history)
    turns = _SitOuts((*played, *rounds), places, history)

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
    """Who sits out how often tonight, and how far each is below his share of the season."""

    def __init__(
        self,
        rounds: Sequence[RoundDraw],
        places: Mapping[Player, TableDraw | None],
        history: Sequence[PastEvening],
    ) -> None:
        self._places = places
        self._rounds = Counter(person for drawn in rounds for person in drawn.sit_out)
        self._owed = turns_owed(places, history, [past.sat_out for past in history])

    def between(self, player: Player, other: Player) -> SwapTurn | None:
        """Who of the two sits out instead of whom; None when both or neither do now."""
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
    """The table of everybody in the round, None for who sits out; those needed must be there."""
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
    """The same people with the two in each other's place."""
    swap = {player: other, other: player}
    return [swap.get(person, person) for person in people]
