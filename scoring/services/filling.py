"""Filling blank sheets with deals that were played and checked before, as an import does."""

import uuid as uuids
from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils import timezone

from clubs.audit import Actor
from scoring.models import Deal, DealEntry, Scoresheet
from scoring.services.entries import Written, entry_make, sheet_touch

Filled = tuple[Scoresheet, Mapping[int, Written]]


@transaction.atomic
def sheets_fill(*, filled: Sequence[Filled], actor: Actor, device: str) -> None:
    """Write on each of these blank sheets the deals given for it (number → what was written).

    Raises DealRefused when a deal cannot be.
    """
    entries = [entry for sheet, deals in filled for entry in _entries(sheet, deals, actor, device)]
    DealEntry.objects.bulk_create(entries)
    for entry in entries:
        entry.deal.version, entry.deal.current = 1, entry
    Deal.objects.bulk_update([entry.deal for entry in entries], ["version", "current"])
    for sheet, deals in filled:
        sheet.last_entry_at = timezone.now()
        data = {str(number): dict(written) for number, written in sorted(deals.items())}
        sheet_touch(sheet, actor=actor, action="sheet_filled", data={"deals": data})


def _entries(
    sheet: Scoresheet, deals: Mapping[int, Written], actor: Actor, device: str
) -> list[DealEntry]:
    blank = {deal.number: deal for deal in sheet.deals.all()}
    return [
        entry_make(
            deal=blank[number],
            uuid=uuids.uuid4(),
            written=written,
            sheet=sheet,
            actor=actor,
            device=device,
        )
        for number, written in sorted(deals.items())
    ]
