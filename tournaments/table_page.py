"""What the people at one table see: their round, its sheet, and where they play next."""

from dataclasses import dataclass

from clubs.models import Member
from scoring.models import Confirmation
from scoring.rules import SEATS, SIDES, Seat, Side, partner, side_of
from scoring.sheet_view import SheetView
from tournaments.models import Evening, Placement, Round, Table

SHOWN = [Round.State.DRAWN, Round.State.RUNNING, Round.State.CLOSED]


@dataclass(frozen=True, slots=True)
class SeatLine:
    """Somebody around the table, as `components/seat_table.html` draws it."""

    seat: Seat
    name: str
    side: Side
    role: str = ""


@dataclass(frozen=True, slots=True)
class NextPlace:
    """Where somebody plays in the next round; `table` None is sitting out."""

    name: str
    table: int | None = None
    side: Side | None = None
    partner: str = ""


@dataclass(frozen=True, slots=True)
class NextRound:
    """The round after this one. `seats` when the four stay together, else `places`."""

    number: int
    is_running: bool
    table: int | None
    seats: list[SeatLine]
    places: list[NextPlace]


@dataclass(frozen=True, slots=True)
class PersonTotal:
    name: str
    score: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What a side has said of the finished sheet: True, False, or None for nothing yet."""

    side: Side
    agrees: bool | None
    note: str = ""
    is_settled: bool = False


def seats_of(view: SheetView, number: int) -> list[SeatLine]:
    """The four around the table in deal `number`, with who deals and who leads."""
    names = view.names(number)
    roles = {view.sheet.dealer(number): "dealer", view.sheet.forehand(number): "forehand"}
    return [SeatLine(seat, names[seat], side_of(seat), roles.get(seat, "")) for seat in SEATS]


def person_totals(view: SheetView) -> list[PersonTotal]:
    """What each person gets of the sheet, highest first; fines and substitutes included."""
    scores: dict[Member, int] = {}
    for holder in view.holders:
        person = holder.counts_for or holder.member
        if person is not None:
            scores[person] = scores.get(person, 0) + holder.score
    ranked = sorted(scores.items(), key=lambda item: -item[1])
    return [PersonTotal(person.name, score) for person, score in ranked]


def draws_dealer(evening: Evening, table: Table) -> bool:
    """Whether who deals first is drawn at this table: on this evening, or on its sheet still."""
    return evening.first_dealer == Evening.FirstDealer.DRAWN or not table.sheet.first_dealer


def answers_of(view: SheetView) -> list[Answer]:
    """What both sides say of the sheet as it stands now."""
    sheet = view.sheet
    given = {
        answer.side: answer
        for answer in Confirmation.objects.filter(sheet=sheet, sheet_version=sheet.version)
    }
    return [_answer(side, given.get(side)) for side in SIDES]


def next_round_of(evening: Evening, table: Table) -> NextRound | None:
    """Where the people of this table play next; None when that is not drawn yet."""
    round_ = evening.rounds.filter(number=table.round.number + 1, state__in=SHOWN).first()
    if round_ is None:
        return None
    mine = set(table.placements.values_list("member_id", flat=True))
    everybody = list(round_.placements.select_related("member", "table"))
    ours = [placement for placement in everybody if placement.member_id in mine]
    numbers = {placement.table.number if placement.table else None for placement in ours}
    together = len(ours) == len(SEATS) and len(numbers) == 1 and None not in numbers
    return NextRound(
        number=round_.number,
        is_running=round_.state == Round.State.RUNNING,
        table=numbers.pop() if together else None,
        seats=_seat_lines(ours) if together else [],
        places=[] if together else [_place(placement, everybody) for placement in ours],
    )


def state_tag(evening: Evening, table: Table | None) -> str:
    """Changes whenever what the table page shows of this evening may have changed."""
    rounds = evening.rounds.order_by("number").values_list("number", "state")
    parts = [f"{number}{state}" for number, state in rounds]
    if table is not None:
        sheet = table.sheet
        parts += [str(table.round.number), str(sheet.version), sheet.state]
        if sheet.is_full:
            parts.append(str(evening.revision))
    return "-".join(parts)


def _answer(side: Side, given: Confirmation | None) -> Answer:
    if given is None:
        return Answer(side, None)
    return Answer(side, given.agrees, given.note, given.settled_at is not None)


def _seat_lines(placements: list[Placement]) -> list[SeatLine]:
    by_seat = {placement.seat: placement.member.name for placement in placements}
    return [SeatLine(seat, by_seat.get(seat, ""), side_of(seat)) for seat in SEATS]


def _place(placement: Placement, everybody: list[Placement]) -> NextPlace:
    if placement.table is None:
        return NextPlace(placement.member.name)
    seat: Seat = placement.seat  # type: ignore[assignment]
    opposite = next(
        (
            other.member.name
            for other in everybody
            if other.table_id == placement.table_id and other.seat == partner(seat)
        ),
        "",
    )
    return NextPlace(placement.member.name, placement.table.number, side_of(seat), opposite)
