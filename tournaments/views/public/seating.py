"""Who sits where in a round, by name and by table."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from django.urls import reverse
from django.utils.translation import gettext as _

from clubs.models import Club
from clubs.names import sort_key
from scoring.models import Scoresheet
from scoring.rules import SEATS, Seat, partner, side_of
from tournaments.models import Placement, Round, Table
from tournaments.views.public.common import player_url


@dataclass(frozen=True, slots=True)
class NameLine:
    """Somebody and where he sits. `table` is None for who sits out; `partner` is empty then.

    `note` says when another person has taken over the seat.
    """

    id: int
    name: str
    url: str
    table: int | None
    partner: str
    note: str


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
    now = _holders(found)
    names = sorted(
        (_name_line(club, one, now) for one in found), key=lambda who: sort_key(who.name)
    )
    return Seating(
        names=names,
        tables=list(_tables(club, round_, found, now)),
        out=[line for line in names if line.table is None],
    )


def named(lines: Iterable[NameLine], wanted: str) -> list[NameLine]:
    """Those whose name holds every word of `wanted`; accents and capitals do not count."""
    words = [sort_key(word) for word in wanted.split()]
    return [line for line in lines if all(word in sort_key(line.name) for word in words)]


def _holders(placements: Iterable[Placement]) -> dict[tuple[int, str], Placement]:
    """Who holds each seat now, by table and seat: the last one who took it."""
    return {(one.table_id, one.seat): one for one in placements if one.table_id is not None}


def _name_line(
    club: Club, placement: Placement, now: Mapping[tuple[int, str], Placement]
) -> NameLine:
    table, seat = placement.table, placement.seat
    opposite = now.get((table.pk, partner(seat))) if table else None  # type: ignore[arg-type]
    holder = now[table.pk, seat] if table else placement
    return NameLine(
        id=placement.pk,
        name=placement.member.shown_name,
        url=player_url(club, placement.member_id),
        table=table.number if table else None,
        partner=opposite.member.shown_name if opposite else "",
        note=""
        if holder == placement
        else _("replaced by %(name)s") % {"name": holder.member.shown_name},
    )


def _tables(
    club: Club,
    round_: Round,
    placements: Iterable[Placement],
    now: Mapping[tuple[int, str], Placement],
) -> Iterable[TableView]:
    seated = [one for one in placements if one.table is not None]
    for table, _people in groupby(seated, key=attrgetter("table")):
        holders = {seat: now[table.pk, seat] for seat in SEATS if (table.pk, seat) in now}
        yield TableView(
            number=table.number,
            seats=[_seat_line(club, seat, holder) for seat, holder in holders.items()],
            url=_table_url(club, round_, table),
            sheet=table.sheet,
        )


def _seat_line(club: Club, seat: Seat, holder: Placement) -> SeatLine:
    return SeatLine(
        seat=seat,
        side=side_of(seat),
        name=holder.member.shown_name,
        url=player_url(club, holder.member_id),
        role=_("substitute") if holder.substitute else "",
    )


def _table_url(club: Club, round_: Round, table: Table) -> str:
    return reverse(
        "evening_table", args=[club.slug, round_.evening.slug, round_.number, table.number]
    )
