"""The first proved reneging at a table, where a club waives it for a new deal."""

from collections.abc import Sequence

from scoring.models import DealEntry, Scoresheet
from scoring.services.written import Written, as_stored


def is_first_offence_waived(sheet: Scoresheet, number: int, written: Written) -> bool:
    """Whether writing this as deal `number` is the first proved reneging on a sheet that waives
    it: then the deal is dealt again, whatever the regulation says.

    The first is what was written first. What was decided stands in the line itself, so that a
    later correction of another deal changes nothing about it. A reneging that was taken back never
    was; one whose deal was dealt again since still counts.
    """
    if not written.get("reneged") or written.get("replayed"):
        return False
    return number in first_offences_waived(sheet, [number])


def first_offences_waived(sheet: Scoresheet, numbers: Sequence[int]) -> set[int]:
    """Of these deals those in which a proved reneging would be the first on the sheet."""
    if not sheet.first_reneging_replayed:
        return set()
    reneged = _reneged(sheet)
    return {n for n in numbers if not any(_counts(entry, n) for entry in reneged)}


def as_settled(sheet: Scoresheet, number: int, written: Written) -> Written:
    """What is written, with the deal marked as dealt again where the reneging is waived."""
    return (
        {**written, "replayed": True}
        if is_first_offence_waived(sheet, number, written)
        else written
    )


def says_the_same(entry: DealEntry, written: Written) -> bool:
    """Whether `written` is what this entry was made of, with the reneging waived or not."""
    sent = as_stored(written)
    waived = {**sent, "replayed": True} if sent.get("reneged") else sent
    return entry.written in (sent, waived)


def _reneged(sheet: Scoresheet) -> list[DealEntry]:
    entries = DealEntry.objects.filter(deal__sheet=sheet, written__has_key="reneged")
    return list(entries.select_related("deal", "replaced_by"))


def _counts(entry: DealEntry, number: int) -> bool:
    """Whether the reneging stands when deal `number` is written: it is on the sheet and that is
    not the line being corrected, or its deal was dealt again."""
    after: DealEntry | None = getattr(entry, "replaced_by", None)
    if after is None:
        return entry.replayed or entry.deal.number != number
    return entry.replayed and after.kind == DealEntry.Kind.WRITTEN
