"""Confirming a deal, and claims: a second value for a deal, stored until somebody decides; and what
each of two sides may see."""

import uuid as uuids
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.text.errors import DomainError
from scoring.deals.entries import (
    claims_close,
    claims_withdrawn,
    reason_checked,
    sheet_lock,
    sheet_tell,
    with_corrections,
    without_remarks,
)
from scoring.deals.services import deal_write, sheet_deal
from scoring.display.history import written_words
from scoring.display.sheet_view import LineUrl, SheetView, has_entry, is_written, line_in_words
from scoring.models import OPEN_CLAIM, Deal, DealClaim, DealConfirmation, DealEntry, Scoresheet
from scoring.rules import evaluate

CLAIM_CONTENT = (
    "why",
    "written",
    "result",
    "reason",
    "side",
    "user",
    "actor",
    "device",
    "made_at",
)


@transaction.atomic
def deal_confirm(
    *,
    sheet_id: int,
    number: int,
    entry_uuid: uuids.UUID,
    side: str,
    actor: Actor,
    device: str = "",
) -> DealConfirmation:
    """One side confirms deal `number` as this entry has it; a repeat changes nothing. The side's
    open claims on the deal are withdrawn.

    At a table of three `side` is the seat of one person, anybody but the writer: nobody there knows
    who held the phone. Raises DomainError `sheet_gone`, `deal_unknown`,
    `not_at_this_table` (no such side), `deal_moved_on` when another entry stands now, or
    `own_deal` when that side wrote it itself.
    """
    sheet = sheet_lock(sheet_id)
    if side not in sheet.signatories:
        raise DomainError("not_at_this_table", _("Nobody at this table can say that."))
    entry = sheet_deal(sheet, number).current
    if entry is None or entry.pk != entry_uuid or entry.written is None:
        moved = _("Deal %(n)s has changed. Please check it again.") % {"n": number}
        raise DomainError("deal_moved_on", moved)
    if entry.side == side:
        raise _own_deal()
    return confirmation_add(sheet=sheet, entry=entry, side=side, actor=actor, device=device)


@transaction.atomic
def deals_confirm(
    *,
    sheet_id: int,
    entries: Mapping[int, uuids.UUID],
    side: str,
    actor: Actor,
    device: str = "",
    wrote: Collection[str] = (),
) -> None:
    """One side confirms several deals at once, by number: all of them, or none. `wrote` are the
    phones that this side is known to write with. Raises as `deal_confirm` does."""
    sheet = sheet_lock(sheet_id)
    for number, entry_uuid in entries.items():
        entry = sheet_deal(sheet, number).current
        if entry is not None and entry.device in wrote:
            raise _own_deal()
        deal_confirm(
            sheet_id=sheet_id,
            number=number,
            entry_uuid=entry_uuid,
            side=side,
            actor=actor,
            device=device,
        )


def _own_deal() -> DomainError:
    return DomainError("own_deal", _("This side wrote the deal itself. The other confirms it."))


def confirmation_add(
    *, sheet: Scoresheet, entry: DealEntry, side: str, actor: Actor, device: str
) -> DealConfirmation:
    """Get or create the confirmation by `side` of an entry of a locked sheet."""
    confirmation, is_new = DealConfirmation.objects.get_or_create(
        entry=entry, side=side, defaults={"actor": actor.ref, "device": device[:60]}
    )
    if is_new:
        left = claims_withdrawn(deal_id=entry.deal_id, actor=actor, device=device, side=side)
        sheet_tell(
            sheet,
            actor=actor,
            action="deal_confirmed",
            object_ref=f"deal:{entry.deal.number}",
            data={
                **confirmation_data(confirmation),
                **({"claims_left": [str(claim.pk) for claim in left]} if left else {}),
            },
        )
    return confirmation


def confirmation_data(confirmation: DealConfirmation) -> dict[str, object]:
    """A confirmation as the trail has it."""
    return {
        "confirmed": str(confirmation.entry_id),
        "side": confirmation.side,
        "device": confirmation.device,
    }


@transaction.atomic
def claim_decide(
    *,
    claim_id: uuids.UUID,
    taken: bool,
    actor: Actor,
    side: str = "",
    device: str = "",
    reason: str = "",
    seen_version: int | None = None,
    closed_too: bool = False,
) -> DealClaim:
    """Write the claim's value as a correction (`taken`), or leave what stands. The director's
    corrections stay in the line either way.

    A repeat of the same decision changes nothing. `side` decides at a table where each side has its
    own phone: it takes over the other side's claim, or withdraws its own and so agrees with what
    stands. An entry taken over by the director belongs to no side and needs no confirmation.
    `seen_version` is that of the deal the claim was compared with.

    Raises as `deal_write` does (`reason_needed` never), and DomainError `claim_decided` when it was
    decided the other way, or `not_yours` when the other side or the director must decide.
    """
    sheet = sheet_lock(DealClaim.objects.select_related("deal").get(pk=claim_id).deal.sheet_id)
    claim = DealClaim.objects.select_related("deal").get(pk=claim_id)
    if claim.taken is not None:
        return _decided(claim, taken)
    _require_say(claim, side, taken)
    if taken:
        _write(
            claim,
            sheet=sheet,
            actor=actor,
            side=side,
            device=device,
            reason=reason,
            seen_version=seen_version,
            closed_too=closed_too,
        )
    claims_close(DealClaim.objects.filter(pk=claim.pk), taken=taken, actor=actor)
    if side and not taken:
        _agree(claim, sheet=sheet, actor=actor, side=side, device=device)
    action = "claim_taken" if taken else "claim_left"
    _tell(claim, sheet=sheet, actor=actor, action=action, data={"claim": str(claim.pk)})
    claim.refresh_from_db()
    return claim


def claim_add(
    claim: DealClaim, *, sheet: Scoresheet, actor: Actor, instead_of: Sequence[DealClaim]
) -> DealClaim:
    """Save a new claim on a deal of a locked sheet."""
    claim.save(force_insert=True)
    left = {"claims_left": [str(older.pk) for older in instead_of]} if instead_of else {}
    _tell(
        claim,
        sheet=sheet,
        actor=actor,
        action="deal_claimed" if claim.taken is None else "deal_repeated",
        data={**claim_data(claim), **left},
        texts={"reason": claim.reason},
    )
    return claim


def claims_lift(*sheets: Scoresheet, actor: Actor) -> list[DealClaim]:
    """Close the open claims on locked sheets whose deals move elsewhere, and return them."""
    open_here = DealClaim.objects.filter(OPEN_CLAIM, deal__sheet__in=sheets)
    lifted = list(open_here.select_related("deal"))
    ids = [claim.pk for claim in lifted]
    claims_close(DealClaim.objects.filter(pk__in=ids), taken=False, actor=actor)
    return lifted


def claims_put(lifted: Iterable[DealClaim], *, sheet: Scoresheet, actor: Actor) -> None:
    """Save lifted claims again, on the same deals of this locked sheet."""
    for old in lifted:
        deal = sheet_deal(sheet, old.deal.number)
        content = {name: getattr(old, name) for name in CLAIM_CONTENT}
        claim = DealClaim(deal=deal, against=deal.current, **content)
        claim_add(claim, sheet=sheet, actor=actor, instead_of=[old])


def claim_left(claim: DealClaim, *, sheet: Scoresheet, actor: Actor) -> None:
    """Record in the trail that a claim was withdrawn."""
    _tell(claim, sheet=sheet, actor=actor, action="claim_left", data={"claim": str(claim.pk)})


def claim_data(claim: DealClaim) -> dict[str, object]:
    """A claim as the trail has it: no free text."""
    return {
        "claim": str(claim.pk),
        "deal": claim.deal.number,
        "why": claim.why,
        "against": str(claim.against_id) if claim.against_id else None,
        "new": without_remarks(claim.written),
        "side": claim.side,
        "device": claim.device,
    }


def _decided(claim: DealClaim, taken: bool) -> DealClaim:
    if claim.taken is not taken:
        raise DomainError("claim_decided", _("This was decided already. Please check it again."))
    return claim


def _require_say(claim: DealClaim, side: str, taken: bool) -> None:
    """Raises `not_yours`: a side can neither take its own claim nor leave the other's."""
    if side and claim.side and taken == (side == claim.side):
        raise DomainError(
            "not_yours", _("The other side can take this over, or the director decides.")
        )


def _write(
    claim: DealClaim,
    *,
    sheet: Scoresheet,
    actor: Actor,
    side: str,
    device: str,
    reason: str,
    seen_version: int | None,
    closed_too: bool,
) -> None:
    deal = sheet_deal(sheet, claim.deal.number)
    why = reason_checked(reason, needed=False) or claim.reason
    entry = deal_write(
        sheet_id=sheet.pk,
        number=deal.number,
        seen_version=deal.version if seen_version is None else seen_version,
        uuid=uuids.uuid4(),
        written=with_corrections(claim.written, deal.current),
        actor=actor,
        side=claim.side if side else "",
        device=device,
        made_at=claim.made_at,
        reason=why or _("Chosen out of two different values."),
        closed_too=closed_too,
    )
    if side and claim.side:
        confirmation_add(sheet=sheet, entry=entry, side=side, actor=actor, device=device)


def _agree(claim: DealClaim, *, sheet: Scoresheet, actor: Actor, side: str, device: str) -> None:
    entry = sheet_deal(sheet, claim.deal.number).current
    if entry is not None and entry.written is not None and entry.side != side:
        confirmation_add(sheet=sheet, entry=entry, side=side, actor=actor, device=device)


def _tell(
    claim: DealClaim,
    *,
    sheet: Scoresheet,
    actor: Actor,
    action: str,
    data: dict[str, object],
    texts: dict[str, str] | None = None,
) -> None:
    sheet_tell(
        sheet,
        actor=actor,
        action=action,
        object_ref=f"deal:{claim.deal.number}",
        data=data,
        texts=texts,
    )


# Deals on which both sides have a say: what a side may see, must confirm, or disputes.


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
