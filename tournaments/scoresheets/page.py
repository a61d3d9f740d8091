"""What the people at one table see: their round and sheet, what they confirm, the next round."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Member
from clubs.models.rows import Given, Prepared
from scoring.display.sheet_view import SheetView, couple, line_in_words
from scoring.display.words import side_word
from scoring.disputes.services import SideView, deal_words, disputes, unconfirmed
from scoring.models import Confirmation, Deal, DealEntry, Scoresheet
from scoring.rules import SEATS, SIDES, THREE, Seat, Side, other_side, partner, side_of
from tournaments.models import Evening, Placement, Round, Table
from tournaments.table_links.devices import phone_sides

Writing = Evening.Writing
SHOWN = [Round.State.DRAWN, Round.State.RUNNING, Round.State.CLOSED]


class Phone(Protocol):
    """The phone that asks: on which evening, whose link it uses, and who is known to hold it."""

    @property
    def evening(self) -> Evening: ...
    @property
    def side(self) -> str: ...
    @property
    def chair(self) -> str: ...


@dataclass(frozen=True, slots=True)
class TableSeat:
    """Somebody around the table, as `components/seat_table.html` draws it; `side` is NS where they
    are *we*."""

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
class AskedDeal:
    """A deal as it stands, on a question whether that is right. `score` is what it puts on the
    sheet, `words` who played what; where the phone is passed round, the names in place of those."""

    number: int
    entry: DealEntry
    score: str
    words: str


@dataclass(frozen=True, slots=True)
class DealsQuestion:
    """Are these deals right? It is asked of `who`, and `here` says whether they hold this phone;
    else it has to be handed to them."""

    side: str
    who: str
    here: bool
    deals: tuple[AskedDeal, ...]

    @property
    def numbers(self) -> str:
        """The deals in words: `5, 6 and 7`."""
        return _listed(self.deals)


@dataclass(frozen=True, slots=True)
class Confirming:
    """What is asked about deals that wait for the other side: `questions`; who holds the phone, if
    it `asks_chair` (then the questions are for one that is passed round); and what waits for people
    who have a phone of their own, as a sentence."""

    questions: tuple[DealsQuestion, ...] = ()
    asks_chair: bool = False
    waits: str = ""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who may hold a phone: one of the two sides, by name."""

    side: Side
    names: str


def seats_of(view: SheetView, number: int) -> list[TableSeat]:
    """The people around the table in deal `number`, with who deals and who leads."""
    names, sheet = view.names(number), view.sheet
    roles = {sheet.dealer(number): "dealer", sheet.forehand(number): "forehand"}
    return [
        TableSeat(seat, names[seat], _called(seat, sheet), roles.get(seat, ""))
        for seat in sheet.people
    ]


def signatory_name(view: SheetView, side: str) -> str:
    """The name of a signatory of the sheet: a side, or one of three people."""
    if side in SIDES:
        return side_word(view.sheet, side)
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


def plays_off(evening: Evening, sheet: Scoresheet) -> bool:
    """Whether a match that ended equal is decided by four more deals, or was already."""
    return sheet.ends_equal and (evening.match_play_off or sheet.play_off is not None)


def draws_dealer(evening: Evening, table: Table) -> bool:
    """Whether this table draws its first dealer: the evening says so, or its sheet has none yet. Of
    folders their number says who deals."""
    if evening.plays_folders:
        return False
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


def sides_context(access: Phone, table: Table, view: SheetView) -> dict[str, Any]:
    """What the page of a sheet asks its sides, and what this phone may answer."""
    is_open = view.sheet.state == Scoresheet.State.OPEN and not view.handed_in
    is_passed = access.evening.writing in (Writing.DEAL, Writing.ROUND)
    phones = phones_of(access, table) if is_passed and is_open else {}
    answering = confirmers(access, view.sheet, phones)
    return {
        "side": view.side if isinstance(view, SideView) else "",
        "confirming": _confirming(access, view, phones) if is_open else Confirming(),
        "holders": holders_of(view),
        "disputes": disputes(view, at_table=True) if is_open else [],
        "already_theirs": _already_theirs(view),
        "answering": answering,
        "asks_the_other": is_passed and len(answering) > 1,
    }


def phones_of(access: Phone, table: Table) -> Mapping[str, str]:
    """By its ref, who holds each phone of the table; nothing where nobody confirms."""
    return phone_sides(access.evening, table.number, table.round.number)


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


def _called(seat: Seat, sheet: Scoresheet) -> Side | None:
    """The side of a seat as the reader calls it: NS is *we*."""
    side = _side(seat, sheet.people)
    return side and SIDES[sheet.columns.index(side)]


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


def holders_of(view: SheetView) -> tuple[Holder, ...]:
    """The two sides that may hold a phone, by the names of their people; the one on the left of the
    drawn table first, whoever reads it."""
    names = view.names(view.next_number or view.sheet.deals_planned)
    return tuple(Holder(side, couple(names, side)) for side in SIDES)


def asks_chair(access: "Phone", view: SheetView, *, is_on: bool) -> bool:
    """Whether this phone has to say which side holds it before anything else: the partners have
    changed since it was scanned for one side."""
    is_known = bool(access.chair) or view.sheet.three_handed
    return is_on and bool(access.side) and not is_known


def confirmers(access: "Phone", sheet: Scoresheet, phones: Mapping[str, str]) -> Sequence[str]:
    """The sides, or the three people, for whom this phone may say that something is right: the side
    that holds it, and the other one where it has no phone of its own."""
    if sheet.three_handed:
        return sheet.signatories
    own = access.side or access.chair
    if not own:
        return sheet.signatories
    other = other_side(own)  # type: ignore[arg-type]
    may_pass = not access.side and other not in phones.values()
    return [own, other] if may_pass else [own]


def _confirming(access: "Phone", view: SheetView, phones: Mapping[str, str]) -> Confirming:
    side = view.side if isinstance(view, SideView) else ""
    asks = not side and not access.chair and not view.sheet.three_handed
    if not side and access.evening.writing != Writing.DEAL:
        is_round = access.evening.writing == Writing.ROUND and view.sheet.is_full
        return Confirming(asks_chair=asks and is_round)
    waiting = unconfirmed(view, side)
    asked: dict[str, list[Deal]] = {}
    for deal in waiting:
        for signatory in _asked(access, view.sheet, deal, phones):
            asked.setdefault(signatory, []).append(deal)
    may, own = confirmers(access, view.sheet, phones), side or access.chair
    questions = [
        _question(view, signatory, asked[signatory], here=signatory == own)
        for signatory in view.sheet.signatories
        if signatory in asked and signatory in may
    ]
    return Confirming(
        # Who holds the phone comes first.
        questions=tuple(sorted(questions, key=lambda question: not question.here)),
        asks_chair=asks,
        waits=_waits(view, {other: asked[other] for other in asked if other not in may}),
    )


def _asked(
    access: "Phone", sheet: Scoresheet, deal: Deal, phones: Mapping[str, str]
) -> Sequence[str]:
    """Whom to ask whether a deal is right: the side that did not write it. Where nobody said who
    held the phone that wrote it, those who hold this one; everybody, where that is not known."""
    if access.side:
        return [access.side]
    writer = phones.get(deal.current.device, "") if deal.current else ""
    if sheet.three_handed or not (writer or access.chair):
        return sheet.signatories
    return [other_side(writer) if writer else access.chair]  # type: ignore[arg-type]


def _question(
    view: SheetView, signatory: str, deals: Sequence[Deal], *, here: bool
) -> DealsQuestion:
    who = signatory_name(view, signatory)
    by_name = signatory in SIDES and not isinstance(view, SideView)
    if by_name:
        who = couple(view.names(deals[0].number), signatory)
    asked = []
    for deal in deals:
        if deal.current is None:
            continue
        words = deal_words(deal.current, view, deal.number)
        if by_name and not here:
            words = replace(words, score=_by_name(view, deal), words="")
        asked.append(AskedDeal(deal.number, deal.current, words.score, words.words))
    return DealsQuestion(signatory, who, here, tuple(asked))


def _by_name(view: SheetView, deal: Deal) -> str:
    """The score of a deal with the names of both sides, for who does not hold the phone."""
    if deal.current is None or deal.current.replayed or deal.current.result is None:
        return line_in_words(deal.current, view.sheet) if deal.current else ""
    names, score = view.short_names(deal.number), deal.current.result["score"]
    return ", ".join(f"{couple(names, side)} {score[side]}" for side in view.sheet.columns)


def _waits(view: SheetView, asked: Mapping[str, Sequence[Deal]]) -> str:
    sentences = [
        ngettext(
            "Deal %(numbers)s waits for %(who)s.", "Deals %(numbers)s wait for %(who)s.", len(deals)
        )
        % {"numbers": _listed(deals), "who": couple(view.names(deals[0].number), side)}
        for side, deals in asked.items()
    ]
    return " ".join(sentences)


def _listed(deals: Iterable[AskedDeal | Deal]) -> str:
    return get_text_list([str(deal.number) for deal in deals], _("and"))


def _already_theirs(view: SheetView) -> bool:
    """Whether the other side already wrote the deal that this phone is about to write."""
    return isinstance(view, SideView) and view.next_number in view.unspoken
