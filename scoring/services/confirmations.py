"""One side says that a deal is written as it was."""

import uuid as uuids

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.errors import DomainError
from scoring.models import DealConfirmation, DealEntry, Scoresheet
from scoring.services.comparison import claims_withdrawn
from scoring.services.deals import sheet_deal
from scoring.services.entries import sheet_lock, sheet_tell


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
    """One side says that deal `number` is right as this entry has it; the same again changes
    nothing. What that side still claimed of the deal is withdrawn.

    At a table of three `side` is the seat of one person: any other than who wrote it will do,
    because nobody there knows who held the phone. Raises DomainError `sheet_gone`, `deal_unknown`,
    `not_at_this_table` (no such side), `deal_moved_on` when another entry stands by now, or
    `own_deal` when that side wrote it itself.
    """
    sheet = sheet_lock(sheet_id)
    if side not in sheet.signatories:
        raise DomainError("not_at_this_table", _("Nobody at this table can say that."))
    entry = sheet_deal(sheet, number).current
    if entry is None or entry.pk != entry_uuid or entry.written is None:
        moved = _("Deal %(n)s has changed. Look at it once more.") % {"n": number}
        raise DomainError("deal_moved_on", moved)
    if entry.side == side:
        raise DomainError("own_deal", _("This side wrote the deal itself. The other confirms it."))
    return confirmation_add(sheet=sheet, entry=entry, side=side, actor=actor, device=device)


def confirmation_add(
    *, sheet: Scoresheet, entry: DealEntry, side: str, actor: Actor, device: str
) -> DealConfirmation:
    """The confirmation of an entry of a locked sheet by `side`, made where it is not there yet."""
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
                **confirmation_told(confirmation),
                **({"claims_left": [str(claim.pk) for claim in left]} if left else {}),
            },
        )
    return confirmation


def confirmation_told(confirmation: DealConfirmation) -> dict[str, object]:
    """A confirmation as the trail has it."""
    return {
        "confirmed": str(confirmation.entry_id),
        "side": confirmation.side,
        "device": confirmation.device,
    }
