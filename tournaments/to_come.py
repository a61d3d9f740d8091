"""The rounds that are drawn and have not started, as people will sit in them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from tournaments.draw.core import Player, RoundDraw, Seat, TableDraw
from tournaments.models import Evening, Placement, Round

WAITING = [Round.State.DRAFT, Round.State.DRAWN]


@dataclass(frozen=True, slots=True)
class RoundToCome:
    """A round as it will be played; people by id. A substitute sits where he took over, unless he
    has a seat of his own.

    `drawn` leaves out the `extra` seats, each a table and a compass point with who plays in it
    besides his own: such a table has fewer than four.
    """

    drawn: RoundDraw
    extra: Mapping[tuple[int, Seat], Player] = field(default_factory=dict)

    @property
    def people(self) -> list[Player]:
        """Who plays or sits out, each place once, in order of id; extra seats left out."""
        seated = (who for table in self.drawn.tables for who in table.seats.values())
        return sorted([*self.drawn.sit_out, *seated])

    def with_extra_players(self) -> RoundDraw:
        """The draw with everybody who plays, so that some are in it twice."""
        tables = tuple(
            replace(one, seats={**one.seats} | self._extra_at(one.number))
            for one in self.drawn.tables
        )
        return replace(self.drawn, tables=tables)

    def without_extra_tables(self) -> "RoundToCome":
        """The same round before tables were made with people who play twice."""
        made = {table for table, _seat in self.extra}
        freed = [who for one in self.drawn.tables if one.number in made for who in one.people()]
        tables = tuple(one for one in self.drawn.tables if one.number not in made)
        out = tuple(sorted((*self.drawn.sit_out, *freed)))
        return RoundToCome(RoundDraw(tables, out))

    def with_seat_taken(self, table: int, seat: Seat, who: Player) -> "RoundToCome":
        """The same round with `who` in that extra seat instead of somebody who plays twice."""
        tables = tuple(
            replace(one, seats={**one.seats, seat: who}) if one.number == table else one
            for one in self.drawn.tables
        )
        extra = {place: held for place, held in self.extra.items() if place != (table, seat)}
        return RoundToCome(replace(self.drawn, tables=tables), extra)

    def with_place_taken(self, leaver: Player, who: Player) -> "RoundToCome":
        """The same round with `who` where `leaver` sits or sits out."""
        new = {leaver: who}
        tables = tuple(
            replace(one, seats={at: new.get(held, held) for at, held in one.seats.items()})
            for one in self.drawn.tables
        )
        out = tuple(sorted(new.get(held, held) for held in self.drawn.sit_out))
        return RoundToCome(RoundDraw(tables, out), self.extra)

    def _extra_at(self, table: int) -> dict[Seat, Player]:
        return {seat: who for (number, seat), who in self.extra.items() if number == table}


def rounds_to_come(evening: Evening) -> dict[int, RoundToCome]:
    """The rounds that have not started, by number, in order. One query."""
    placements = Placement.objects.filter(round__evening=evening, round__state__in=WAITING)
    rows = placements.order_by("round__number", "table__number", "substitute", "pk")
    found: dict[int, list[tuple[int | None, str, int, bool]]] = {}
    for number, *place in rows.values_list(
        "round__number", "table__number", "seat", "member_id", "substitute"
    ):
        found.setdefault(number, []).append(cast("tuple[int | None, str, int, bool]", tuple(place)))
    return {number: _round(places) for number, places in found.items()}


def _round(places: list[tuple[int | None, str, int, bool]]) -> RoundToCome:
    tables: dict[int, dict[Seat, Player]] = {}
    extra: dict[tuple[int, Seat], Player] = {}
    out = []
    seated = {
        member_id for table, _seat, member_id, substitute in places if table and not substitute
    }
    for table, letter, member_id, substitute in places:
        seat, who = cast("Seat", letter), str(member_id)
        if table is None:
            out.append(who)
        elif substitute and seat not in tables.get(table, {}):
            extra[table, seat] = who
        elif not (substitute and member_id in seated):
            tables.setdefault(table, {})[seat] = who
    drawn = tuple(TableDraw(number, seats) for number, seats in tables.items())
    playing = {who for one in drawn for who in one.people()}
    resting = tuple(who for who in out if who not in playing)
    return RoundToCome(RoundDraw(drawn, resting), extra)
