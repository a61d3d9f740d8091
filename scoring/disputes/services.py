"""Confirming a deal, and claims: a second value for a deal, stored until somebody decides."""

import uuid as uuids
from collections.abc import Collection, Iterable, Mapping, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.text.errors import DomainError
from scoring.deals.comparison import claims_close, claims_withdrawn, with_corrections
from scoring.deals.entries import reason_checked, sheet_lock, sheet_tell, without_remarks
from scoring.deals.services import deal_write, sheet_deal
from scoring.models import OPEN_CLAIM, DealClaim, DealConfirmation, DealEntry, Scoresheet

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
