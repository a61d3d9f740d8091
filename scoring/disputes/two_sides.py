"""Deals on which both sides have a say: what a side may see, must confirm, or disputes."""

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
"""The kinds of claims that a table can settle itself; the others are for the director."""


class SideView(SheetView):
    """A sheet as the phone of one side shows it, without the deals that only the other side has
    written so far (`unspoken`): their lines are blank and the totals leave them out. Its `sheet` is
    a copy with those figures and must not be saved."""

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
        """Whether this side wrote the last line and can take it back."""
        last = self.last_written
        mine = last is not None and last.current is not None and last.current.side == self.side
        return mine and super().can_undo and not self.unspoken

    def _add_up(self) -> None:
        """Set the figures of the sheet to those of the lines it shows."""
        scores = [
            (d.current.result or {})["score"] for d in self.deals if d.current and is_written(d)
        ]
        self.sheet.deals_entered = len(scores)
        self.sheet.score_ns = sum(score["NS"] for score in scores)
        self.sheet.score_ew = sum(score["EW"] for score in scores)


def is_theirs(view: SheetView, entry: DealEntry | None) -> bool:
    """Whether somebody else than the side whose phone this is wrote what stands."""
    return isinstance(view, SideView) and entry is not None and entry.side != view.side


class BlankDealView(SheetView):
    """A sheet with one deal blanked, whatever stands there: for the form of a side that counted
    something else."""

    def __init__(self, view: SheetView, number: int) -> None:
        super().__init__(view.sheet, view.url_of)
        self.deals = [copy(deal) for deal in view.deals]
        for deal in self.deals:
            if deal.number == number:
                deal.current = None


@dataclass(frozen=True, slots=True)
class DealWords:
    """One value for a deal in words: the scores that go on the sheet, and who played what."""

    score: str
    words: str


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two values for one deal: what stands (nothing on an empty line) and what is claimed."""

    number: int
    version: int
    entry: DealEntry | None
    standing: DealWords | None
    claimed: DealWords
    claim: DealClaim
    side: str = ""

    @property
    def mine(self) -> DealWords | None:
        """The value of `side`, whose phone shows it."""
        return self.claimed if self.claim.side == self.side else self.standing

    @property
    def theirs(self) -> DealWords | None:
        """The other side's value."""
        return self.standing if self.claim.side == self.side else self.claimed


def deal_words(source: DealEntry | DealClaim, view: SheetView, number: int) -> DealWords:
    """An entry or a claim in a few words; its `written` must not be None."""
    written = source.written or {}
    void = evaluate(written, view.sheet.regulation.rules).verdict == "void"
    replayed = void or (isinstance(source, DealEntry) and source.replayed)
    line = DealEntry(written=written, result=source.result, replayed=replayed)
    names = view.short_names(number)
    return DealWords(
        line_in_words(line, view.sheet), written_words(written, view.sheet, names.__getitem__)
    )


def unconfirmed(view: SheetView, side: str = "") -> list[Deal]:
    """The deals on the sheet that the other side still has to confirm, in order.

    With a `side`, those this side still has to confirm: it has sent a value, and something else
    stands now. What the director wrote needs no confirmation; a disputed deal waits for a decision.
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
    """The deals that the other side wrote and this side has sent nothing about."""
    theirs = {
        deal.pk: deal.number
        for deal in deals
        if deal.current and has_entry(deal) and deal.current.side not in ("", side)
    }
    mine = {"side": side, "deal__in": list(theirs)}
    answered = set(DealEntry.objects.filter(**mine).values_list("deal", flat=True))
    answered |= set(DealClaim.objects.filter(**mine).values_list("deal", flat=True))
    confirmed = DealConfirmation.objects.filter(side=side, entry__deal__in=list(theirs))
    answered |= set(confirmed.values_list("entry__deal", flat=True))
    return {number for pk, number in theirs.items() if pk not in answered}


def _settled(entries: Collection[UUID], side: str) -> set[UUID]:
    """The entries that stayed after a claim against them was decided."""
    left = DealClaim.objects.filter(against__in=entries, taken=False)
    decided = (
        Q(side=side) if side else Q(why=DealClaim.Why.OBJECTED) | Q(decided_by__startswith="user:")
    )
    return set(left.filter(decided).values_list("against", flat=True))


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
        standing=deal_words(deal.current, view, deal.number)
        if deal.current and has_entry(deal)
        else None,
        claimed=deal_words(claim, view, deal.number),
        claim=claim,
        side=view.side if isinstance(view, SideView) else "",
    )
