"""Who sits where in a round, by name and by table; and a table's deals for everybody."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access.permissions import owned
from clubs.files.exports import ListFile
from clubs.models import Club, Member
from clubs.text.names import sort_key
from clubs.text.numbers import seat_name
from scoring.display.sheet_view import SheetView
from scoring.models import Scoresheet
from scoring.rules import SEATS, THREE, Seat, partner, side_of
from tournaments.evenings.pages import evening_view, member_url
from tournaments.models import Evening, Placement, Round, Table


@dataclass(frozen=True, slots=True)
class NameLine:
    """A player and where they sit; a player who plays at two tables has two lines.

    `table` is None for a player who sits out; `partner` is empty then, and says "a dummy" at a
    table of three and "nobody" at a table of two. `url` is relative to the evening's page, and
    empty for players without a page. `letter` is the initial they are sorted under. `note` says
    that somebody else has taken over the seat, or that they have it beside their own.
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
    """A table with the people there now, its sheet and the sheet's address."""

    number: int
    seats: Sequence[SeatLine]
    url: str
    sheet: Scoresheet


@dataclass(frozen=True)
class Seating:
    """A round's draw. Nobody reads all of it, so each part is worked out when it is."""

    club: Club
    round: Round
    placements: Sequence[Placement]

    @cached_property
    def _seated(self) -> "Seated":
        return Seated(self.placements)

    @cached_property
    def names(self) -> list[NameLine]:
        """Everybody, by surname."""
        return self._lines(self.placements)

    @cached_property
    def out(self) -> list[NameLine]:
        """Who sit out, by surname."""
        return self._lines(one for one in self.placements if one.table_id is None)

    @cached_property
    def tables(self) -> list[TableView]:
        """The tables in order."""
        return list(_tables(self.club, self.round, self.placements, self._seated))

    def _lines(self, placements: Iterable[Placement]) -> list[NameLine]:
        keyed = [(sort_key(one.member.shown_name), one) for one in placements]
        keyed.sort(key=itemgetter(0))
        return [_name_line(placement, key, self._seated) for key, placement in keyed]


def round_seating(club: Club, round_: Round, *, table: int | None = None) -> Seating:
    """The draw of a round, or of one of its tables. Three queries; `round_.evening` is loaded."""
    placements, tables = round_.placements.all(), owned(club, Table).filter(round=round_)
    if table is not None:
        placements, tables = placements.filter(table__number=table), tables.filter(number=table)
    seats = list(placements.order_by("table__number", "pk"))
    by_id = tables.select_related("sheet").in_bulk()
    people = Member.objects.of(club).filter(placements__in=placements.order_by()).names()
    # Whole members, and a table and a sheet for each of its four seats, took half of the page.
    for placement in seats:
        person: Any = people[placement.member_id]
        PERSON.set_cached_value(placement, person)
        TABLE.set_cached_value(placement, by_id.get(placement.table_id or 0))
    return Seating(club, round_, seats)


PERSON, TABLE = Placement._meta.get_field("member"), Placement._meta.get_field("table")


def named(lines: Iterable[NameLine], wanted: str) -> list[NameLine]:
    """The lines whose name contains every word of `wanted`, whatever the accents and capitals."""
    words = [sort_key(word) for word in wanted.split()]
    return [line for line in lines if all(word in sort_key(line.name) for word in words)]


class Seated:
    """Who holds each seat of a round now: the last person who took it."""

    def __init__(self, placements: Sequence[Placement]) -> None:
        seats = [placement for placement in placements if placement.table_id is not None]
        self._now = {(seat.table_id, seat.seat): seat for seat in seats}
        self._drawn = {(seat.table_id, seat.seat) for seat in seats if not seat.substitute}
        self._people = Counter(table_id for table_id, _seat in self._now)

    def at(self, table: Table) -> dict[Seat, Placement]:
        """Who sits at this table now, in order of seats."""
        return {s: self._now[table.pk, s] for s in SEATS if (table.pk, s) in self._now}

    def holder(self, placement: Placement) -> Placement:
        """Who has this seat now."""
        return self._now.get((placement.table_id, placement.seat), placement)

    def is_extra(self, placement: Placement) -> bool:
        """Whether nobody was drawn for this seat: somebody has it beside their own."""
        return placement.substitute and (placement.table_id, placement.seat) not in self._drawn

    def partner_name(self, placement: Placement) -> str:
        """Who sits opposite this person; empty if they sit out."""
        if placement.table_id is None:
            return ""
        people = self._people[placement.table_id]
        if people < len(SEATS):
            return _("a dummy") if people == len(THREE) else _("nobody")
        opposite = self._now[placement.table_id, partner(cast("Seat", placement.seat))]
        return opposite.member.shown_name

    def opponent_names(self, placement: Placement) -> list[str]:
        """The others at this person's table except their partner, in order of seats."""
        if placement.table is None:
            return []
        own_side = side_of(cast("Seat", placement.seat))
        alone = self._people[placement.table_id] == len(THREE)
        return [
            other.member.shown_name
            for seat, other in self.at(placement.table).items()
            if other.member_id != placement.member_id and (alone or side_of(seat) != own_side)
        ]


def _name_line(placement: Placement, key: str, seated: Seated) -> NameLine:
    return NameLine(
        id=placement.pk,
        name=placement.member.shown_name,
        url=f"players/{placement.member_id}/" if placement.member.has_page else "",
        table=placement.table.number if placement.table else None,
        partner=seated.partner_name(placement),
        note=seat_note(placement, seated),
        letter=key[:1].upper(),
    )


def seat_note(placement: Placement, seated: Seated) -> str:
    """That somebody took over this seat, or has it beside their own; usually empty."""
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
    at_tables = [placement for placement in placements if placement.table is not None]
    for table, _people in groupby(at_tables, key=attrgetter("table")):
        yield TableView(
            number=table.number,
            seats=_seat_lines(club, table, seated),
            url=table_url(club, round_, table),
            sheet=table.sheet,
        )


def _seat_lines(club: Club, table: Table, seated: Seated) -> list[SeatLine]:
    """The seats of a table. At a table of three there are no sides and the empty seat is the
    dummy's; at a table of two nobody sits opposite."""
    holders = seated.at(table)
    of_three = len(holders) == len(THREE)
    lines = [
        SeatLine(
            seat=seat,
            side="" if of_three else side_of(seat),
            name=holder.member.shown_name,
            url=member_url(club, holder.member),
            role=_role(holder, seated),
        )
        for seat, holder in holders.items()
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
    """The address of a table's sheet. `round_.evening` is loaded."""
    return _table_urls(club.slug, round_.evening.slug, round_.number) % table.number


@lru_cache(maxsize=256)
def _table_urls(club_slug: str, evening_slug: str, round_number: int) -> str:
    """The address of a table of a round, with `%d` for its number."""
    first = reverse("evening_table", args=[club_slug, evening_slug, round_number, 0])
    return first.removesuffix("/0/") + "/%d/"


# A table of a round: who sits there, and its sheet where the public may see it.


class PublicSheet(SheetView):
    """A score sheet with the names that the public may read."""

    def _named(self, member: Member) -> str:
        return member.shown_name

    def names(self, number: int) -> dict[Seat, str]:
        """The public names of the people at the table in deal `number`."""
        names = super().names(number)
        for seat in SEATS:
            holder = self.holder(seat, number)
            if holder is not None and holder.member is not None:
                names[seat] = holder.member.shown_name
        return names


@require_safe
@evening_view
def evening_table(
    request: HttpRequest, evening: Evening, round_number: int, number: int
) -> HttpResponse:
    """Who sits at this table, and its score sheet once the round has started.

    Drafts are not shown, and no points while the standings are frozen.
    """
    table = get_object_or_404(
        owned(evening.club, Table)
        .select_related("round", "sheet__regulation")
        .exclude(round__state=Round.State.DRAFT),
        round__evening=evening,
        round__number=round_number,
        number=number,
    )
    table.round.evening, table.sheet.club = evening, evening.club
    started = table.round.state != Round.State.DRAWN
    context: dict[str, object] = {
        "club": evening.club,
        "evening": evening,
        "table": table,
        "started": started,
    }
    if started and evening.shows_sheets:
        context["sheet"] = PublicSheet(table.sheet)
    else:
        seating = round_seating(evening.club, table.round, table=number)
        context["seats"] = seating.tables[0].seats
    return render(request, "tournaments/results/table.html", context)


def names_file(evening: Evening, round_: Round, names: Iterable[NameLine]) -> ListFile:
    """The draw of a round by name: `player, table, partner`; no table for those who sit out."""
    return ListFile(
        name=_draw_name(evening, round_),
        columns={"player": _("Name"), "table": _("Table"), "partner": _("Partner")},
        rows=[[line.name, line.table, line.partner] for line in names],
    )


def tables_file(evening: Evening, round_: Round, tables: Iterable[TableView]) -> ListFile:
    """The draw of a round by table: `round, table, n, e, s, w`."""
    return ListFile(
        name=_draw_name(evening, round_),
        columns={
            "round": _("Round"),
            "table": _("Table"),
            **{seat.lower(): seat_name(seat) for seat in SEATS},
        },
        rows=[[round_.number, table.number, *_people(table)] for table in tables],
    )


def _people(table: TableView) -> list[str]:
    names = {seat.seat: seat.name for seat in table.seats}
    return [names.get(seat, "") for seat in SEATS]


def _draw_name(evening: Evening, round_: Round) -> str:
    words = _("Draw of round %(n)s") % {"n": round_.number}
    return f"{evening.club.name} {evening.slug} {words}"
