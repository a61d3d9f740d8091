"""Somebody more, or somebody less, once the draw is made: at most two tables change."""

from collections.abc import Sequence

from tournaments.draw.errors import DrawError, DrawFault
from tournaments.draw.hall import Hall, units
from tournaments.draw.models import Couple, Leftover, PastEvening, Player, RoundDraw
from tournaments.draw.sizes import TABLE_SIZE
from tournaments.draw.ways import ways_in, ways_out


def with_latecomer(
    rounds: Sequence[RoundDraw],
    player: Player,
    *,
    leftover: Leftover,
    played: Sequence[RoundDraw] = (),
    history: Sequence[PastEvening] = (),
    fixed: Sequence[Couple] = (),
    apart: Sequence[Couple] = (),
    stays: Sequence[Player] = (),
    together: int = 1,
) -> tuple[RoundDraw, ...]:
    """The drawn rounds with one more person in them; those of `played` stay as they are.

    In each round at most two tables change, one that is new counted in; tables that stay keep
    their number. With `sit_out` he sits out or takes the seat of somebody who then does; the four
    who would sit out are a new table. With `three_handed` he makes a table of three complete;
    where there is none, two tables of four and he become three of three (a third change), and at
    the only table of four he sits out. Within that the best is taken: what was agreed is kept
    (`fixed`, `apart`, `stays` as in `draw`), then fewest partners again tonight, sitting out and
    tables of three by turns tonight and over the season, fewest meetings again tonight, fewest
    tables changed, and then the season's partners and table-mates. `together` is 3 in a rotation:
    the rounds of a block keep the same people at a table.

    Raises `DrawError`: `duplicate_player` when he is in these rounds, `pairs_need_a_new_draw`
    when everybody in them is in a fixed couple, `too_few_players` when fewer than four are.
    """
    before = _people(rounds)
    if player in before:
        raise DrawError([DrawFault("duplicate_player", {"players": player})])
    _check(before | {player}, before, fixed)
    changed: list[RoundDraw] = []
    for unit in units(rounds, together):
        changed += next(ways_in(Hall.of(unit), player, leftover)).rounds()
    return tuple(changed)


def without_leaver(
    rounds: Sequence[RoundDraw],
    player: Player,
    *,
    leftover: Leftover,
    played: Sequence[RoundDraw] = (),
    history: Sequence[PastEvening] = (),
    fixed: Sequence[Couple] = (),
    apart: Sequence[Couple] = (),
    stays: Sequence[Player] = (),
    together: int = 1,
) -> tuple[RoundDraw, ...]:
    """The drawn rounds with one person less in them; as in `with_latecomer`.

    Who sits out takes his seat. Where nobody does, with `sit_out` three people will sit out and a
    table disappears, its number with it; with `three_handed` his table becomes one of three. At a
    table of three somebody comes from a table of four, or the two who are left go to two other
    tables of three (a third change), or where neither can be one of them sits out.

    Raises `DrawError`: `not_in_round` when he is in none of these rounds, and the others as
    `with_latecomer` does.
    """
    before = _people(rounds)
    if player not in before:
        raise DrawError([DrawFault("not_in_round", {"players": player})])
    _check(before - {player}, before, fixed)
    changed: list[RoundDraw] = []
    for unit in units(rounds, together):
        changed += next(ways_out(Hall.of(unit), player, leftover)).rounds()
    return tuple(changed)


def _people(rounds: Sequence[RoundDraw]) -> frozenset[Player]:
    at_tables = {who for drawn in rounds for table in drawn.tables for who in table.people()}
    return frozenset(at_tables.union(*(drawn.sit_out for drawn in rounds)))


def _check(after: frozenset[Player], before: frozenset[Player], fixed: Sequence[Couple]) -> None:
    if before and all(any(who in couple for couple in fixed) for who in before):
        raise DrawError([DrawFault("pairs_need_a_new_draw")])
    if len(after) < TABLE_SIZE:
        raise DrawError([DrawFault("too_few_players", {"count": len(after)})])
