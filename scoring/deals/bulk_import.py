"""Writing many blank sheets at once, as an import of a whole evening does."""

import uuid as uuids
from collections.abc import Mapping, Sequence

from django.db import transaction
from django.db.models import OuterRef, Subquery

from clubs.audit.services import Actor
from scoring.deals.entries import Written, entry_make, sheet_touch
from scoring.models import Deal, DealEntry, Scoresheet

SheetDeals = tuple[Scoresheet, Mapping[int, Written]]


@transaction.atomic
def sheets_fill(*, filled: Sequence[SheetDeals], actor: Actor, device: str) -> None:
    """Write on each of these blank sheets the deals given for it (number → what was written).

    Nobody else may have access to the sheets yet. Raises DealRefused when a deal is impossible.
    """
    made = [_entries(sheet, deals, actor, device) for sheet, deals in filled]
    entries = [entry for of_sheet in made for entry in of_sheet]
    # Two statements for all sheets instead of two for each deal.
    DealEntry.objects.bulk_create(entries)
    first = DealEntry.objects.filter(deal=OuterRef("pk")).values("pk")
    written = Deal.objects.filter(pk__in=[entry.deal_id for entry in entries])
    written.update(version=1, current=Subquery(first))
    for (sheet, _deals), of_sheet in zip(filled, made, strict=True):
        sheet_touch(sheet, actor=actor, action="sheet_filled", entries=of_sheet)


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
