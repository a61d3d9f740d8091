"""What scoring does when somebody is erased: remarks that name him go, figures stay."""

from collections.abc import Iterable
from typing import Any

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Q
from django.db.models.sql import DeleteQuery
from django.dispatch import receiver

from clubs.models import AuditText
from clubs.services import member_erasing, texts_take_away
from clubs.traces import Traces
from scoring.models import Confirmation, DealClaim, DealEntry, Scoresheet, Seat
from scoring.services import sheets_lock
from scoring.services.entries import without_remarks

WITH_REMARKS = ~Q(reason="") | Q(written__has_key="corrections")


@receiver(member_erasing)
def remarks_forget(traces: Traces, **_kwargs: object) -> None:
    """Take what names him out of reasons and notes, and out of the trails of his own tables."""
    club = traces.member.club
    his = _his_sheets(traces)
    entries = _naming(DealEntry.objects.filter(WITH_REMARKS), traces, his)
    sheets_lock(*{entry.deal.sheet_id for entry in entries})
    for entry in entries:
        _write_anew(entry)
    for claim in _naming(DealClaim.objects.filter(WITH_REMARKS), traces, his):
        claim.reason, claim.written = "", without_remarks(claim.written)
        claim.save(update_fields=["reason", "written"])
    notes = Confirmation.objects.filter(sheet__club=club).exclude(note="")
    for note in notes:
        if traces.tells(note.note, at_his_table=note.sheet_id in his):
            Confirmation.objects.filter(pk=note.pk).update(note="")
    chains = Scoresheet.objects.filter(pk__in=his)
    told = AuditText.objects.filter(event__chain__in=[sheet.chain_name for sheet in chains])
    remarks = told.exclude(field="actor").values_list("text", flat=True).distinct()
    texts_take_away(club, [text for text in remarks if traces.tells(text, at_his_table=True)])


def _his_sheets(traces: Traces) -> set[int]:
    seats = Seat.objects.filter(Q(member=traces.member) | Q(counts_for=traces.member))
    return set(seats.values_list("sheet_id", flat=True))


def _naming(found: Any, traces: Traces, his: set[int]) -> list[Any]:
    """Those entries or claims with a remark that names him."""
    rows = found.filter(deal__sheet__club=traces.member.club).select_related("deal")
    return [
        row
        for row in rows.order_by("pk")
        if any(
            traces.tells(remark, at_his_table=row.deal.sheet_id in his) for remark in _remarks(row)
        )
    ]


def _remarks(row: DealEntry | DealClaim) -> Iterable[str]:
    yield row.reason
    for line in (row.written or {}).get("corrections") or ():
        yield str(line.get("reason", ""))


def _write_anew(entry: DealEntry) -> None:
    """An entry is never changed in the database: it goes, and comes back without its remarks."""
    DeleteQuery(DealEntry).delete_batch([str(entry.pk)], using=DEFAULT_DB_ALIAS)
    entry.reason, entry.written = "", without_remarks(entry.written)
    entry.save_base(raw=True, force_insert=True)
