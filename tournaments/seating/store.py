"""The rounds of an evening as stored: made of a draw, read back, and those not started yet."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TypedDict, cast

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs.models import Member
from clubs.text.errors import DomainError
from scoring.deals.entries import sheets_lock
from scoring.models import DealClaim, DealEntry, Scoresheet
from scoring.sheets.services import lines_needed, sheet_code, sheets_create, spare_code
from tournaments.draw.core.models import PastEvening, Player, RoundDraw, Seat, TableDraw, ordered
from tournaments.models import Evening, Placement, Round, Table
from tournaments.standings.scores import STARTED

Rounds = Mapping[int, RoundDraw]
"""Rounds by number, in order."""


def rounds_as_drawn(evening: Evening, *, before: int | None = None) -> list[RoundDraw]:
    """The evening's rounds as drawn, in order; with `before` only those with a lower number."""
    placed = Placement.objects.filter(round__evening=evening)
    if before is not None:
        placed = placed.filter(round__number__lt=before)
    return [*_drawn(placed).get(evening.pk, {}).values()]


def started_rounds(evenings: Collection[Evening]) -> dict[int, list[RoundDraw]]:
    """By evening id, the started rounds as drawn; evenings without any are left out. One query."""
    placed = Placement.objects.filter(round__evening__in=evenings, round__state__in=STARTED)
    return {evening_id: [*rounds.values()] for evening_id, rounds in _drawn(placed).items()}


def past_evenings(evening: Evening) -> list[PastEvening]:
    """The season's earlier evenings as the draw sees them, oldest first. One query.

    Evenings outside any season count together as one.
    """
    earlier = Evening.objects.filter(
        club=evening.club, season=evening.season, state=Evening.State.CLOSED, is_history=False
    ).filter(date__lte=evening.date)
    placed = Placement.objects.filter(round__evening__in=earlier.exclude(pk=evening.pk))
    return [past_evening([*rounds.values()]) for rounds in _drawn(placed).values()]


def past_evening(rounds: Sequence[RoundDraw]) -> PastEvening:
    """A played evening as the draw of a later one sees it."""
    tables = [table for drawn in rounds for table in drawn.tables]
    out = [player for drawn in rounds for player in drawn.sit_out]
    return PastEvening(
        attended=tuple(sorted({*out, *(player for table in tables for player in table.people())})),
        sat_out=tuple(out),
        partners=tuple(couple for table in tables for couple in table.partners()),
        opponents=tuple(couple for table in tables for couple in _opponents(table)),
        three_handed=tuple(
            player for table in tables if len(table.seats) == 3 for player in table.seats.values()
        ),
    )


def _opponents(table: TableDraw) -> Iterable[tuple[Player, Player]]:
    together = {ordered(*couple) for couple in combinations(table.seats.values(), 2)}
    return sorted(together.difference(table.partners()))


def _drawn(placements: QuerySet[Placement]) -> dict[int, Rounds]:
    """The rounds of each evening, by its id, oldest evening first.

    A seat belongs to the person it was drawn for, whoever took over as a substitute; an extra seat
    at another table puts its player in the round twice.
    """
    evenings: dict[
        int, dict[int, tuple[dict[int, dict[Seat, Player]], list[Player], list[Player]]]
    ] = {}
    rows = placements.order_by(
        "round__evening__date",
        "round__evening__sequence",
        "round__evening",
        "round__number",
        "table__number",
        "substitute",
        "pk",
    )
    for evening_id, number, table, seat, member_id in rows.values_list(
        "round__evening", "round__number", "table__number", "seat", "member_id"
    ):
        of_evening = evenings.setdefault(evening_id, {})
        tables, out, taken_over = of_evening.setdefault(number, ({}, [], []))
        if seat:
            seats, player = tables.setdefault(table, {}), str(member_id)
            if seats.setdefault(cast("Seat", seat), player) != player:
                taken_over.append(player)
        else:
            out.append(str(member_id))
    return {
        evening_id: {
            number: RoundDraw(
                tables=tuple(TableDraw(at, seats) for at, seats in tables.items()),
                sit_out=tuple(out),
                substitutes=tuple(taken_over),
            )
            for number, (tables, out, taken_over) in rounds.items()
        }
        for evening_id, rounds in evenings.items()
    }


# Storing a draw as rounds with tables, sheets and placements, and removing them.

FIRST_TRUMP = "C"


class SheetRules(TypedDict):
    """The rules of an evening that its sheets carry."""

    first_dealer: str
    first_trump: str
    first_reneging_replayed: bool


def sheet_rules(evening: Evening, round_number: int) -> SheetRules:
    """The evening's rules for a new sheet of that round, as `sheets_create` takes them.

    The first deal of the match is the first of round 1.
    """
    clubs_are_trump = evening.first_trump_clubs and round_number == 1
    return {
        "first_dealer": "" if evening.first_dealer == Evening.FirstDealer.DRAWN else "E",
        "first_trump": FIRST_TRUMP if clubs_are_trump else "",
        "first_reneging_replayed": evening.reneging_escalates,
    }


LATER_ROUND = 2
"""Any round but the first, whose first deal may have a trump of its own."""


def spare_sheet(evening: Evening, *, three: bool = False) -> Scoresheet | None:
    """A sheet that is not kept, of any table by the plans of this evening, or of any table of
    `three`; None without rules."""
    regulation, target = evening.regulation, evening.target
    if regulation is None:
        return None
    return Scoresheet(
        club=evening.club,
        regulation=regulation,
        three_handed=three,
        deals_planned=lines_needed(target, regulation, 3 if three else 4)
        if target
        else evening.deals_per_round,
        target=target,
        **sheet_rules(evening, LATER_ROUND),
    )


def page_code(sheet: Scoresheet, page: int, evening: Evening, *, compact: bool = False) -> str:
    """What the QR code of a page of this sheet says, or of this spare sheet of an evening."""
    if sheet.pk:
        return sheet_code(sheet, page, compact=compact)
    return spare_code(sheet, page, occasion=evening.uuid, compact=compact)


def rounds_create(
    evening: Evening,
    first: int,
    drawn: Sequence[RoundDraw],
    *,
    drawn_by: str = Round.DrawnBy.PROGRAM,
    search_ms: int = 0,
    movement: str = "",
) -> list[Round]:
    """Drafts of these rounds, the first of them with number `first`, under the evening's seed.

    Raises DomainError `no_regulation`.
    """
    tables = [table for round_draw in drawn for table in round_draw.tables]
    ids = {int(player) for table in tables for player in table.seats.values()}
    people = Member.objects.in_bulk(ids)
    rounds = Round.objects.bulk_create(
        Round(
            evening=evening,
            number=number,
            seed=evening.seed,
            drawn_by=drawn_by,
            search_ms=search_ms,
            movement=movement,
        )
        for number in range(first, first + len(drawn))
    )
    for round_, round_draw in zip(rounds, drawn, strict=True):
        _fill(evening, round_, round_draw, people)
    return rounds


def rounds_remove(evening: Evening, rounds: QuerySet[Round]) -> int:
    """Delete rounds with their tables and blank sheets. Returns how many.

    Raises DomainError `deals_written` when anything was ever written on one of the sheets.
    """
    sheets = Scoresheet.objects.filter(table__round__in=rounds)
    blank = [sheet.pk for sheet in sheets_lock(*sheets.values_list("pk", flat=True))]
    written = (model.objects.filter(deal__sheet__in=sheets) for model in (DealEntry, DealClaim))
    if any(rows.exists() for rows in written) or sheets.filter(side_totals__isnull=False).exists():
        raise DomainError("deals_written", _("Deals were written in this round: it must stay."))
    count = rounds.count()
    rounds.delete()
    Scoresheet.objects.filter(pk__in=blank).delete()
    return count


def sheets_planned(
    evening: Evening, round_number: int, seatings: Sequence[Mapping[Seat, Member]]
) -> list[Scoresheet]:
    """A blank sheet for each of these tables of that round, waiting for it to start.

    Raises DomainError `no_regulation`.
    """
    if evening.regulation is None:
        raise DomainError("no_regulation", _("Choose a regulation for this evening first."))
    return sheets_create(
        club=evening.club,
        regulation=evening.regulation,
        deals=evening.deals_per_round,
        target=evening.target,
        seatings=seatings,
        state=Scoresheet.State.PLANNED,
        **sheet_rules(evening, round_number),
    )


def _fill(evening: Evening, round_: Round, drawn: RoundDraw, people: dict[int, Member]) -> None:
    seatings = [
        {seat: people[int(player)] for seat, player in table.seats.items()}
        for table in drawn.tables
    ]
    sheets = sheets_planned(evening, round_.number, seatings)
    tables = Table.objects.bulk_create(
        Table(round=round_, number=table.number, sheet=sheet)
        for table, sheet in zip(drawn.tables, sheets, strict=True)
    )
    Placement.objects.bulk_create(
        [
            Placement(round_id=round_.pk, member_id=member.pk, table_id=table.pk, seat=seat)
            for table, seating in zip(tables, seatings, strict=True)
            for seat, member in seating.items()
        ]
        + [Placement(round_id=round_.pk, member_id=int(player)) for player in drawn.sit_out]
    )


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
