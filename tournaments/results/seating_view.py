"""Who sits where in a round, by name and by table."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import cast

from django.urls import reverse
from django.utils.translation import gettext as _

from clubs.models import Club
from clubs.text.names import sort_key
from scoring.models import Scoresheet
from scoring.rules import SEATS, THREE, Seat, partner, side_of
from tournaments.evenings.public_pages import member_url
from tournaments.models import Placement, Round, Table


@dataclass(frozen=True, slots=True)
class NameLine:
    """Somebody and where he sits; who plays at two tables has two lines.

    `table` is None for who sits out; `partner` is empty then, and says "a dummy" where three play
    and "nobody" where two do.
    `url` is his evening's, seen from the evening's own address; empty for who has no page.
    `letter` is the one his surname is under. `note` says when another person has taken over the
    seat, and that he has this seat beside his own.
    """

    id: int
    name: str
    url: str
    table: int | None
    partner: str
    note: str
    letter: str


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat as `components/seat_table.html` draws it."""

    seat: str
    side: str
    name: str
    url: str
    role: str


@dataclass(frozen=True, slots=True)
class TableView:
    """A table with who sits there now, the address of its sheet and how far that is."""

    number: int
    seats: Sequence[SeatLine]
    url: str
    sheet: Scoresheet


@dataclass(frozen=True, slots=True)
class Seating:
    """A round's draw: everybody in order of surname, the tables, who sits out."""

    names: Sequence[NameLine]
    tables: Sequence[TableView]
    out: Sequence[NameLine]


def round_seating(club: Club, round_: Round, *, table: int | None = None) -> Seating:
    """The draw of a round, or of one table of it. One query.

    `round_` has its evening at hand.
    """
    placements = round_.placements.select_related("member", "table__sheet")
    if table is not None:
        placements = placements.filter(table__number=table)
    found = list(placements.order_by("table__number", "pk"))
    seated = Seated(found)
    names = sorted(
        (_name_line(club, one, seated) for one in found), key=lambda who: sort_key(who.name)
    )
    return Seating(
        names=names,
        tables=list(_tables(club, round_, found, seated)),
        out=[line for line in names if line.table is None],
    )


def named(lines: Iterable[NameLine], wanted: str) -> list[NameLine]:
    """Those whose name holds every word of `wanted`; accents and capitals do not count."""
    words = [sort_key(word) for word in wanted.split()]
    return [line for line in lines if all(word in sort_key(line.name) for word in words)]


class Seated:
    """Who holds each seat of a round now: the last one who took it."""

    def __init__(self, placements: Sequence[Placement]) -> None:
        at_tables = [one for one in placements if one.table_id is not None]
        self._now = {(one.table_id, one.seat): one for one in at_tables}
        self._drawn = {(one.table_id, one.seat) for one in at_tables if not one.substitute}
        self._people = Counter(table_id for table_id, _seat in self._now)

    def at(self, table: Table) -> dict[Seat, Placement]:
        """Who sits at this table now, in order of seats."""
        return {s: self._now[table.pk, s] for s in SEATS if (table.pk, s) in self._now}

    def holder(self, placement: Placement) -> Placement:
        """Who has this seat now."""
        return self._now.get((placement.table_id, placement.seat), placement)

    def is_extra(self, placement: Placement) -> bool:
        """Whether this is a seat that nobody was drawn in, taken beside another one."""
        return placement.substitute and (placement.table_id, placement.seat) not in self._drawn

    def partner_name(self, placement: Placement) -> str:
        """Whom this person has opposite him; empty for who sits out."""
        if placement.table_id is None:
            return ""
        people = self._people[placement.table_id]
        if people < len(SEATS):
            return _("a dummy") if people == len(THREE) else _("nobody")
        opposite = self._now[placement.table_id, partner(cast("Seat", placement.seat))]
        return opposite.member.shown_name

    def opponent_names(self, placement: Placement) -> list[str]:
        """Who else sits at this person's table but his partner, in order of seats."""
        if placement.table is None:
            return []
        own_side = side_of(cast("Seat", placement.seat))
        alone = self._people[placement.table_id] == len(THREE)
        return [
            one.member.shown_name
            for seat, one in self.at(placement.table).items()
            if one.member_id != placement.member_id and (alone or side_of(seat) != own_side)
        ]


def _name_line(club: Club, placement: Placement, seated: Seated) -> NameLine:
    return NameLine(
        id=placement.pk,
        name=placement.member.shown_name,
        url=f"players/{placement.member_id}/" if placement.member.has_page else "",
        table=placement.table.number if placement.table else None,
        partner=seated.partner_name(placement),
        note=seat_note(placement, seated),
        letter=sort_key(placement.member.shown_name)[:1].upper(),
    )


def seat_note(placement: Placement, seated: Seated) -> str:
    """Who has taken over this seat, or that it is taken beside another; mostly empty."""
    holder = seated.holder(placement)
    if holder != placement:
        return _("replaced by %(name)s") % {"name": holder.member.shown_name}
    return _("plays here too") if seated.is_extra(placement) else ""


def _tables(
    club: Club,
    round_: Round,
    placements: Iterable[Placement],
    seated: Seated,
) -> Iterable[TableView]:
    at_tables = [one for one in placements if one.table is not None]
    for table, _people in groupby(at_tables, key=attrgetter("table")):
        yield TableView(
            number=table.number,
            seats=_seat_lines(club, table, seated),
            url=table_url(club, round_, table),
            sheet=table.sheet,
        )


def _seat_lines(club: Club, table: Table, seated: Seated) -> list[SeatLine]:
    """The seats of a table; where three play there are no sides, and the dummy sits West. Where
    two play nobody sits opposite them."""
    holders = seated.at(table)
    of_three = len(holders) == len(THREE)
    lines = [
        SeatLine(
            seat=seat,
            side="" if of_three else side_of(seat),
            name=one.member.shown_name,
            url=member_url(club, one.member),
            role=_role(one, seated),
        )
        for seat, one in holders.items()
    ]
    empty = [seat for seat in SEATS if seat not in holders] if of_three else []
    return lines + [
        SeatLine(seat=seat, side="", name=_("dummy"), url="", role="") for seat in empty
    ]


def _role(placement: Placement, seated: Seated) -> str:
    if seated.is_extra(placement):
        return _("plays here too")
    return _("substitute") if placement.substitute else ""


def table_url(club: Club, round_: Round, table: Table) -> str:
    """Where a table's sheet can be read. `round_` has its evening at hand."""
    return reverse(
        "evening_table", args=[club.slug, round_.evening.slug, round_.number, table.number]
    )
