"""Rounds played elsewhere: made from their deals, closed and sealed."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from clubs.audit import Actor, seal
from clubs.models import Member
from clubs.people import Person
from scoring.models import Scoresheet, Seat
from scoring.services import sheets_close, sheets_create, sheets_fill
from tournaments.evening_file import DealLine
from tournaments.models import Evening, Placement, Round, Table

Ids = Mapping[Person, int]


def rounds_make(evening: Evening, lines: Iterable[DealLine], ids: Ids, actor: Actor) -> None:
    """Make the rounds, tables and sheets of an evening that has none; `ids` says who is who."""
    if evening.regulation is None:
        raise ValueError("an evening with deals has a regulation")
    members = Member.objects.in_bulk(set(ids.values()))
    by_round = sorted(lines, key=lambda line: (line.round, line.place))
    for number, in_round in groupby(by_round, key=lambda line: line.round):
        round_ = Round.objects.create(evening=evening, number=number, state=Round.State.CLOSED)
        tables = [list(at_table) for _n, at_table in groupby(in_round, key=lambda line: line.table)]
        sheets = sheets_create(
            club=evening.club,
            regulation=evening.regulation,
            deals=evening.deals_per_round,
            seatings=[
                {seat: members[ids[person]] for seat, person in at_table[0].holders.items()}
                for at_table in tables
            ],
        )
        _round_fill(round_, tables, sheets, ids, actor)


def _round_fill(
    round_: Round,
    tables: Sequence[Sequence[DealLine]],
    sheets: Sequence[Scoresheet],
    ids: Ids,
    actor: Actor,
) -> None:
    made = Table.objects.bulk_create(
        Table(round=round_, number=at_table[0].table, sheet=sheet)
        for at_table, sheet in zip(tables, sheets, strict=True)
    )
    seats: list[Seat] = []
    places: list[Placement] = []
    for table, at_table in zip(made, tables, strict=True):
        _seat_people(table, at_table, ids, seats, places)
    Seat.objects.bulk_create(seats)
    Placement.objects.bulk_create(places)
    filled = [
        (sheet, {line.deal: line.written for line in at_table})
        for at_table, sheet in zip(tables, sheets, strict=True)
    ]
    sheets_fill(filled=filled, actor=actor, device="import")
    of_round = Scoresheet.objects.filter(table__round=round_)
    sheets_close(of_round)
    round_.seal = seal(of_round)
    round_.save(update_fields=["seal"])


def _seat_people(
    table: Table,
    lines: Sequence[DealLine],
    ids: Ids,
    seats: list[Seat],
    places: list[Placement],
) -> None:
    """Add to `places` who sat at the table, and to `seats` who took over a seat halfway."""
    holders: dict[str, int] = {}
    placed: set[int] = set()
    for line in lines:
        for seat, person in line.holders.items():
            member_id = ids[person]
            if holders.get(seat) == member_id:
                continue
            took_over = seat in holders
            if took_over:
                seats.append(
                    Seat(sheet=table.sheet, seat=seat, from_deal=line.deal, member_id=member_id)
                )
            if member_id not in placed:
                places.append(
                    Placement(
                        round=table.round,
                        member_id=member_id,
                        table=table,
                        seat=seat,
                        substitute=took_over,
                    )
                )
            holders[seat] = member_id
            placed.add(member_id)
