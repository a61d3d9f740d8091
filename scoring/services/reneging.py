"""Deals that are dealt again because somebody reneged: the first at a table, where a club waives
the penalty, and how often each deal was."""

from collections.abc import Sequence
from typing import Any

from scoring.models import Deal, DealEntry, Scoresheet
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


def deal_replays(deal: Deal) -> int:
    """How often this deal was dealt again because somebody reneged, before what is written now.

    The line that stands says how often before it, so that undoing, swapping sides and putting back
    leave the count right.
    """
    entry = deal.current
    if entry is None or entry.written is None:
        return 0
    before: int = entry.written.get("replays") or 0
    return before + (entry.replayed and bool(entry.written.get("reneged")))


def as_settled(deal: Deal, sheet: Scoresheet, written: Written) -> Written:
    """What is written, with how often the deal was dealt again before, and marked as dealt again
    where the reneging is waived."""
    replays = deal_replays(deal)
    settled = {"replays": replays, **written} if replays else written
    return (
        {**settled, "replayed": True}
        if is_first_offence_waived(sheet, deal.number, written)
        else settled
    )


def without_replays(written: Written) -> dict[str, Any]:
    """What was sent of a stored line: a table does not say how often a deal was dealt again."""
    return {key: value for key, value in as_stored(written).items() if key != "replays"}


def says_the_same(entry: DealEntry, written: Written) -> bool:
    """Whether `written` is what this entry was made of, with the reneging waived or not."""
    sent = without_replays(written)
    waived = {**sent, "replayed": True} if sent.get("reneged") else sent
    return without_replays(entry.written or {}) in (sent, waived)


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
