"""What the people at one table see: their round and sheet, what they confirm, the next round."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from clubs.models import Member
from clubs.models.prepared import Given, Prepared
from clubs.text.numbers import side_name
from scoring.display.sheet_view import SheetView
from scoring.disputes.two_sides import DealWords, SideView, deal_words, disputes, unconfirmed
from scoring.models import Confirmation, DealConfirmation, DealEntry, Scoresheet
from scoring.rules import SEATS, SIDES, THREE, Seat, Side, partner, side_of
from tournaments.models import Evening, Placement, Round, Table

Writing = Evening.Writing
SHOWN = [Round.State.DRAWN, Round.State.RUNNING, Round.State.CLOSED]


@dataclass(frozen=True, slots=True)
class TableSeat:
    """Somebody around the table, as `components/seat_table.html` draws it."""

    seat: Seat
    name: str
    side: Side | None
    role: str = ""


@dataclass(frozen=True, slots=True)
class NextPlace:
    """Where somebody plays in the next round; sitting out if `table` is None. At a table of three
    there is no `side` and no `partner`, but `others`."""

    name: str
    table: int | None = None
    side: Side | None = None
    partner: str = ""
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NextRound:
    """The round after this one: `seats` if the whole table stays together, else `places`."""

    number: int
    is_running: bool
    table: int | None
    seats: list[TableSeat]
    places: list[NextPlace]


@dataclass(frozen=True, slots=True)
class PersonTotal:
    name: str
    score: int


@dataclass(frozen=True, slots=True)
class SheetAnswer:
    """Whether a side, or one of three people, agrees with the finished sheet; None before they
    answer. `who` is the name to show for them."""

    side: str
    who: str
    agrees: bool | None
    note: str = ""
    is_settled: bool = False


@dataclass(frozen=True, slots=True)
class Signatory:
    """Somebody who confirms a deal: a side, or one of three people."""

    side: str
    who: str


@dataclass(frozen=True, slots=True)
class DealQuestion:
    """Is deal `number` right as it stands? `first` are asked; `others` may answer too, where one
    phone is passed round. After this one `more` deals wait."""

    number: int
    entry: DealEntry
    words: DealWords
    first: tuple[Signatory, ...]
    others: tuple[Signatory, ...]
    more: int


def seats_of(view: SheetView, number: int) -> list[TableSeat]:
    """The people around the table in deal `number`, with who deals and who leads."""
    names, sheet = view.names(number), view.sheet
    roles = {sheet.dealer(number): "dealer", sheet.forehand(number): "forehand"}
    return [
        TableSeat(seat, names[seat], _side(seat, sheet.people), roles.get(seat, ""))
        for seat in sheet.people
    ]


def signatory_name(view: SheetView, side: str) -> str:
    """The name of a signatory of the sheet: a side, or one of three people."""
    if side in SIDES:
        return side_name(side)
    return view.short_names(view.sheet.deals_planned)[side]  # type: ignore[index]


def person_totals(view: SheetView) -> list[PersonTotal]:
    """What each person gets of the sheet, highest first; fines and substitutes included."""
    scores: dict[Member, int] = {}
    for holder in view.holders:
        person = holder.counts_for or holder.member
        if person is not None:
            scores[person] = scores.get(person, 0) + holder.score
    ranked = sorted(scores.items(), key=lambda item: -item[1])
    return [PersonTotal(person.desk_name, score) for person, score in ranked]


def draws_dealer(evening: Evening, table: Table) -> bool:
    """Whether this table draws its first dealer: the evening says so, or its sheet has none yet."""
    return evening.first_dealer == Evening.FirstDealer.DRAWN or not table.sheet.first_dealer


def answers_of(view: SheetView) -> list[SheetAnswer]:
    """The answers of both sides, or of all three people, to the sheet as it stands."""
    sheet = view.sheet
    given = {
        answer.side: answer
        for answer in Confirmation.objects.filter(sheet=sheet, sheet_version=sheet.version)
    }
    return [
        _answer(side, signatory_name(view, side), given.get(side)) for side in sheet.signatories
    ]


def next_round_of(evening: Evening, table: Table) -> NextRound | None:
    """Where the people of this table play next; None before the draw of that round is final."""
    round_ = evening.rounds.filter(number=table.round.number + 1, state__in=SHOWN).first()
    if round_ is None:
        return None
    mine = set(table.placements.values_list("member_id", flat=True))
    everybody = list(round_.placements.select_related("member", "table"))
    ours = [placement for placement in everybody if placement.member_id in mine]
    tables = {placement.table_id for placement in ours}
    there = [placement for placement in everybody if placement.table_id in tables]
    together = tables != {None} and len(tables) == 1 and len(ours) == min(len(there), len(SEATS))
    return NextRound(
        number=round_.number,
        is_running=round_.state == Round.State.RUNNING,
        table=ours[0].table.number if together and ours[0].table else None,
        seats=_table_seats(ours) if together else [],
        places=[] if together else [_place(placement, everybody) for placement in ours],
    )


table_in_round = Prepared(
    lambda: (
        Table.objects.exclude(round__state=Round.State.DRAFT)
        .select_related("round", "sheet")
        .filter(
            round__evening=Given(Round, "evening"),
            round__number=Given(Round, "number", "round_number"),
            number=Given(Table, "number"),
        )
    )
)
"""A table whose draw is final. The evening is that of the link, so no other club's is found."""

_rounds = Prepared(
    lambda: (
        Round.objects.filter(evening=Given(Round, "evening"))
        .order_by("number")
        .values_list("number", "state")
    )
)


def state_tag(evening: Evening, table: Table | None) -> str:
    """Changes whenever what the table page shows of this evening may have changed."""
    parts = [f"{number}{state}" for number, state in _rounds.rows(evening=evening.pk)]
    if table is not None:
        sheet = table.sheet
        parts += [str(table.round.number), str(sheet.chain_length), sheet.state]
        if sheet.is_full:
            parts.append(str(evening.revision))
    return "-".join(parts)


def sides_context(evening: Evening, view: SheetView) -> dict[str, Any]:
    """What the page of a sheet asks its sides, and what this phone may answer."""
    side = view.side if isinstance(view, SideView) else ""
    is_open = view.sheet.state == Scoresheet.State.OPEN and not view.handed_in
    return {
        "side": side,
        "question": _question(evening, view, side) if is_open else None,
        "disputes": disputes(view, at_table=True) if is_open else [],
        "already_theirs": _already_theirs(view),
        "answering": [side] if side else list(view.sheet.signatories),
        "asks_the_other": evening.writing in (Writing.DEAL, Writing.ROUND),
    }


def _answer(side: str, who: str, given: Confirmation | None) -> SheetAnswer:
    if given is None:
        return SheetAnswer(side, who, None)
    return SheetAnswer(side, who, given.agrees, given.note, given.settled_at is not None)


def _table_seats(placements: list[Placement]) -> list[TableSeat]:
    by_seat = {placement.seat: placement.member.desk_name for placement in placements}
    people = [seat for seat in SEATS if seat in by_seat]
    return [TableSeat(seat, by_seat[seat], _side(seat, people)) for seat in people]


def _side(seat: Seat, people: Collection[Seat]) -> Side | None:
    """The side of a seat; None at a table of three, where each plays for themselves."""
    return None if len(people) == len(THREE) else side_of(seat)


def _place(placement: Placement, everybody: list[Placement]) -> NextPlace:
    if placement.table is None:
        return NextPlace(placement.member.desk_name)
    name, number = placement.member.desk_name, placement.table.number
    there = {
        neighbour.seat: neighbour.member.desk_name
        for neighbour in everybody
        if neighbour.table_id == placement.table_id
    }
    seat: Seat = placement.seat  # type: ignore[assignment]
    if "W" not in there:
        others = tuple(there[other] for other in THREE if other in there and other != seat)
        return NextPlace(name, number, others=others)
    return NextPlace(name, number, side_of(seat), there.get(partner(seat), ""))


def _question(evening: Evening, view: SheetView, side: str) -> DealQuestion | None:
    if not side and evening.writing != Writing.DEAL:
        return None
    waiting = unconfirmed(view, side)
    if not waiting or waiting[0].current is None:
        return None
    deal, entry = waiting[0], waiting[0].current
    first, others = _signatories(view, entry, side)
    return DealQuestion(
        number=deal.number,
        entry=entry,
        words=deal_words(entry, view, deal.number),
        first=first,
        others=others,
        more=len(waiting) - 1,
    )


def _signatories(
    view: SheetView, entry: DealEntry, side: str
) -> tuple[tuple[Signatory, ...], tuple[Signatory, ...]]:
    """Those asked first, and the others. On a shared phone the side that confirmed last is asked
    first: it probably still holds the phone."""
    signatories = [
        Signatory(signatory, signatory_name(view, signatory))
        for signatory in ([side] if side else view.sheet.signatories)
    ]
    last = DealConfirmation.objects.filter(entry__deal__sheet=view.sheet).order_by("at").last()
    first = [
        signatory for signatory in signatories if last is None or signatory.side == last.side
    ] or signatories
    return tuple(first), tuple(signatory for signatory in signatories if signatory not in first)


def _already_theirs(view: SheetView) -> bool:
    """Whether the other side already wrote the deal that this phone is about to write."""
    return isinstance(view, SideView) and view.next_number in view.unspoken
