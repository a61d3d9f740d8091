"""What both sides of a table have to say of its deals, where one alone does not decide."""

from collections.abc import Collection, Iterable
from copy import copy
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet

from scoring.display.history import written_words
from scoring.display.sheet_view import LineUrl, SheetView, has_entry, is_written, line_in_words
from scoring.models import OPEN_CLAIM, Deal, DealClaim, DealConfirmation, DealEntry, Scoresheet
from scoring.rules import evaluate

AT_THE_TABLE = (DealClaim.Why.DIFFERENT, DealClaim.Why.OBJECTED)
"""Why claims came that the table itself can settle; the others are for the director."""


class SideView(SheetView):
    """A sheet as the phone of one side shows it: without what the other side wrote of a deal of
    which this side has not spoken yet (`unspoken`). Its lines are blank, and nothing of them is in
    the totals. Its `sheet` is a copy with those figures, never to be saved."""

    def __init__(self, sheet: Scoresheet, url_of: LineUrl | None = None, *, side: str) -> None:
        super().__init__(copy(sheet), url_of)
        deals = list(sheet.deals.select_related("current").order_by("number"))
        self.side = side
        self.unspoken = _unspoken(deals, side)
        for deal in deals:
            if deal.number in self.unspoken:
                deal.current, deal.version = None, 0
        self.deals = deals
        if self.unspoken:
            self._add_up()

    @property
    def can_undo(self) -> bool:
        """Whether the last line can be taken back: this side wrote it, and nobody a later one."""
        last = self.last_written
        mine = last is not None and last.current is not None and last.current.side == self.side
        return mine and super().can_undo and not self.unspoken

    def _add_up(self) -> None:
        """Give the sheet the figures of what it shows."""
        scores = [
            (d.current.result or {})["score"] for d in self.deals if d.current and is_written(d)
        ]
        self.sheet.deals_entered = len(scores)
        self.sheet.score_ns = sum(score["NS"] for score in scores)
        self.sheet.score_ew = sum(score["EW"] for score in scores)


def is_theirs(view: SheetView, entry: DealEntry | None) -> bool:
    """Whether what stands was written by another than the side whose phone shows it."""
    return isinstance(view, SideView) and entry is not None and entry.side != view.side


class BlankDealView(SheetView):
    """A sheet on which one deal is still to be told, whatever stands there: for who counted it
    otherwise."""

    def __init__(self, view: SheetView, number: int) -> None:
        super().__init__(view.sheet, view.url_of)
        self.deals = [copy(deal) for deal in view.deals]
        for deal in self.deals:
            if deal.number == number:
                deal.current = None


@dataclass(frozen=True, slots=True)
class Told:
    """What somebody says of a deal: the scores that go on the sheet, and who played what."""

    score: str
    words: str


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two values for one deal: what stands (nothing on an empty line) and what is claimed."""

    number: int
    version: int
    entry: DealEntry | None
    standing: Told | None
    claimed: Told
    claim: DealClaim
    side: str = ""

    @property
    def mine(self) -> Told | None:
        """What `side`, whose phone shows it, says of the deal."""
        return self.claimed if self.claim.side == self.side else self.standing

    @property
    def theirs(self) -> Told | None:
        """What the other side says of it."""
        return self.standing if self.claim.side == self.side else self.claimed


def told(kept: DealEntry | DealClaim, view: SheetView, number: int) -> Told:
    """An entry or a claim in a few words; kept.written must be there."""
    written = kept.written or {}
    void = evaluate(written, view.sheet.regulation.rules).verdict == "void"
    replayed = void or (isinstance(kept, DealEntry) and kept.replayed)
    line = DealEntry(written=written, result=kept.result, replayed=replayed)
    names = view.short_names(number)
    return Told(
        line_in_words(line, view.sheet), written_words(written, view.sheet, names.__getitem__)
    )


def unconfirmed(view: SheetView, side: str = "") -> list[Deal]:
    """The deals on the sheet that the other side still has to confirm, in order.

    With a `side` those that this side still has to: it spoke of them, and something else stands by
    now. What the director wrote needs no confirmation, and neither does what is disputed.
    """
    standing = [deal for deal in view.deals if _asks(deal, side)]
    entries = [deal.current_id for deal in standing if deal.current_id]
    confirmed = DealConfirmation.objects.filter(entry__in=entries)
    answered = set(
        confirmed.filter(**({"side": side} if side else {})).values_list("entry", flat=True)
    )
    answered |= _settled(entries, side)
    disputed = set(_open_at_table(view.sheet).values_list("deal", flat=True))
    return [d for d in standing if d.current_id not in answered and d.pk not in disputed]


def disputes(view: SheetView, *, at_table: bool = False) -> list[Dispute]:
    """The open claims of a sheet with what stands beside them, in order; `at_table` only those that
    the table itself can settle."""
    claims = _open_at_table(view.sheet) if at_table else _open(view.sheet)
    deals = {deal.pk: deal for deal in view.deals}
    return [
        _dispute(claim, deals[claim.deal_id], view)
        for claim in claims.order_by("deal__number", "received_at")
    ]


def _unspoken(deals: Iterable[Deal], side: str) -> Collection[int]:
    """The deals that the other side wrote and of which this side never said anything."""
    theirs = {
        deal.pk: deal.number
        for deal in deals
        if deal.current and has_entry(deal) and deal.current.side not in ("", side)
    }
    mine = {"side": side, "deal__in": list(theirs)}
    said = set(DealEntry.objects.filter(**mine).values_list("deal", flat=True))
    said |= set(DealClaim.objects.filter(**mine).values_list("deal", flat=True))
    confirmed = DealConfirmation.objects.filter(side=side, entry__deal__in=list(theirs))
    said |= set(confirmed.values_list("entry__deal", flat=True))
    return {number for pk, number in theirs.items() if pk not in said}


def _settled(entries: Collection[UUID], side: str) -> set[UUID]:
    """The entries that stayed after the other side had said something else."""
    left = DealClaim.objects.filter(against__in=entries, taken=False)
    said = (
        Q(side=side) if side else Q(why=DealClaim.Why.OBJECTED) | Q(decided_by__startswith="user:")
    )
    return set(left.filter(said).values_list("against", flat=True))


def _asks(deal: Deal, side: str) -> bool:
    entry = deal.current
    if entry is None or not has_entry(deal) or entry.user_id is not None:
        return False
    return not side or entry.side not in ("", side)


def _open(sheet: Scoresheet) -> QuerySet[DealClaim]:
    return DealClaim.objects.filter(OPEN_CLAIM, deal__sheet=sheet)


def _open_at_table(sheet: Scoresheet) -> QuerySet[DealClaim]:
    return _open(sheet).filter(why__in=AT_THE_TABLE)


def _dispute(claim: DealClaim, deal: Deal, view: SheetView) -> Dispute:
    return Dispute(
        number=deal.number,
        version=deal.version,
        entry=deal.current,
        standing=told(deal.current, view, deal.number)
        if deal.current and has_entry(deal)
        else None,
        claimed=told(claim, view, deal.number),
        claim=claim,
        side=view.side if isinstance(view, SideView) else "",
    )
