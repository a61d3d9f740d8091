"""The rounds that are drawn but not started, as people will sit in them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from tournaments.draw.core import Player, RoundDraw, Seat, TableDraw
from tournaments.models import Evening, Placement, Round

WAITING = [Round.State.DRAFT, Round.State.DRAWN]


@dataclass(frozen=True, slots=True)
class UpcomingRound:
    """A round as it will be played; people by id.

    A substitute sits where they took over, unless they have a seat of their own. `drawn` leaves out
    the `extra` seats (table and compass point), taken by someone who also plays elsewhere: such a
    table has fewer than four.
    """

    drawn: RoundDraw
    extra: Mapping[tuple[int, Seat], Player] = field(default_factory=dict)

    @property
    def people(self) -> list[Player]:
        """Everyone who plays or sits out, by id, without extra seats."""
        seated = (player for table in self.drawn.tables for player in table.seats.values())
        return sorted([*self.drawn.sit_out, *seated])

    def with_extra_players(self) -> RoundDraw:
        """The draw including extra seats, so that some people are in it twice."""
        tables = tuple(
            replace(table, seats={**table.seats} | self._extra_at(table.number))
            for table in self.drawn.tables
        )
        return replace(self.drawn, tables=tables)

    def without_extra_tables(self) -> "UpcomingRound":
        """The round as it was before tables with extra seats were made."""
        made = {table for table, _seat in self.extra}
        freed = [
            player
            for table in self.drawn.tables
            if table.number in made
            for player in table.people()
        ]
        tables = tuple(table for table in self.drawn.tables if table.number not in made)
        out = tuple(sorted((*self.drawn.sit_out, *freed)))
        return UpcomingRound(RoundDraw(tables, out))

    def with_seat_taken(self, table: int, seat: Seat, player: Player) -> "UpcomingRound":
        """The round with this player in that extra seat."""
        tables = tuple(
            replace(at, seats={**at.seats, seat: player}) if at.number == table else at
            for at in self.drawn.tables
        )
        extra = {place: held for place, held in self.extra.items() if place != (table, seat)}
        return UpcomingRound(replace(self.drawn, tables=tables), extra)

    def with_place_taken(self, leaver: Player, player: Player) -> "UpcomingRound":
        """The round with `player` in the place of `leaver`."""
        new = {leaver: player}
        tables = tuple(
            replace(table, seats={at: new.get(held, held) for at, held in table.seats.items()})
            for table in self.drawn.tables
        )
        out = tuple(sorted(new.get(held, held) for held in self.drawn.sit_out))
        return UpcomingRound(RoundDraw(tables, out), self.extra)

    def _extra_at(self, table: int) -> dict[Seat, Player]:
        return {seat: player for (number, seat), player in self.extra.items() if number == table}


def upcoming_rounds(evening: Evening) -> dict[int, UpcomingRound]:
    """The rounds that have not started, by number. One query."""
    placements = Placement.objects.filter(round__evening=evening, round__state__in=WAITING)
    rows = placements.order_by("round__number", "table__number", "substitute", "pk")
    places: dict[int, list[tuple[int | None, str, int, bool]]] = {}
    for number, *place in rows.values_list(
        "round__number", "table__number", "seat", "member_id", "substitute"
    ):
        places.setdefault(number, []).append(
            cast("tuple[int | None, str, int, bool]", tuple(place))
        )
    return {number: _round(of_round) for number, of_round in places.items()}


def _round(places: list[tuple[int | None, str, int, bool]]) -> UpcomingRound:
    tables: dict[int, dict[Seat, Player]] = {}
    extra: dict[tuple[int, Seat], Player] = {}
    out = []
    seated = {
        member_id for table, _seat, member_id, substitute in places if table and not substitute
    }
    for table, letter, member_id, substitute in places:
        seat, player = cast("Seat", letter), str(member_id)
        if table is None:
            out.append(player)
        elif substitute and seat not in tables.get(table, {}):
            extra[table, seat] = player
        elif not (substitute and member_id in seated):
            tables.setdefault(table, {})[seat] = player
    drawn = tuple(TableDraw(number, seats) for number, seats in tables.items())
    playing = {player for table in drawn for player in table.people()}
    resting = tuple(player for player in out if player not in playing)
    return UpcomingRound(RoundDraw(drawn, resting), extra)
