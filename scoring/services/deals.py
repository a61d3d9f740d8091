"""Writing deals on a sheet: checked, versioned, never overwritten, never counted twice."""

import datetime
import uuid as uuids
from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.audit import Actor, event_append
from clubs.errors import DomainError, KeyReused, VersionConflict
from scoring import rules
from scoring.errors import DealRefused
from scoring.models import Deal, DealEntry, Regulation, Scoresheet
from scoring.services.totals import is_played, sheet_recompute
from scoring.signals import sheet_changed

Written = Mapping[str, object]


@transaction.atomic
def deal_write(
    *,
    sheet_id: int,
    number: int,
    seen_version: int,
    uuid: uuids.UUID,
    written: Written,
    actor: Actor,
    device: str = "",
    made_at: datetime.datetime | None = None,
    reason: str = "",
    closed_too: bool = False,
) -> DealEntry:
    """Write deal `number` of a sheet, or correct it, and return the entry that now stands.

    The same `uuid` with the same content again returns the first entry and writes nothing.
    A deal that was already written needs a `reason`, and so does every deal of a closed sheet,
    which takes it only with `closed_too` (the director's right).

    Raises DealRefused (with every fault) when the deal cannot be, VersionConflict when the deal
    is no longer at `seen_version`, KeyReused when `uuid` came before with other content, and
    DomainError `sheet_closed`, `totals_handed_in`, `deal_unknown` or `reason_needed`.
    """
    sheet = sheet_lock(sheet_id)
    known = DealEntry.objects.select_related("deal").filter(pk=uuid).first()
    if known is not None:
        return _same_again(known, sheet, number, written)
    if not closed_too:
        require_open(sheet)
    _require_no_totals(sheet)
    deal = _deal(sheet, number)
    if deal.version == seen_version and _needs_reason(deal, sheet) and not reason.strip():
        raise DomainError("reason_needed", _("Say why the deal is changed."))
    entry = entry_append(
        deal=deal,
        seen_version=seen_version,
        uuid=uuid,
        written=written,
        sheet=sheet,
        actor=actor,
        device=device,
        made_at=made_at,
        reason=reason.strip(),
    )
    sheet_touch(sheet, actor=actor, action="deal_written", deal=deal, entry=entry)
    return entry


@transaction.atomic
def deal_undo(
    *,
    sheet_id: int,
    number: int,
    seen_version: int,
    uuid: uuids.UUID,
    actor: Actor,
    device: str = "",
) -> DealEntry:
    """Take back the last save of a deal: what stood before it stands again, or an empty line.

    Only the deal written last can be taken back; an earlier one is corrected with a reason.
    Raises like `deal_write`, and DomainError `nothing_to_undo`.
    """
    sheet = sheet_lock(sheet_id)
    known = DealEntry.objects.filter(pk=uuid).first()
    if known is not None:
        return known
    require_open(sheet)
    deal = _deal(sheet, number)
    if deal.current is None or deal.current.written is None or _later_is_written(sheet, number):
        raise DomainError("nothing_to_undo", _("There is nothing to undo here."))
    before = deal.current.replaces
    entry = entry_append(
        deal=deal,
        seen_version=seen_version,
        uuid=uuid,
        written=before.written if before else None,
        sheet=sheet,
        actor=actor,
        device=device,
        reason=_("undone"),
    )
    sheet_touch(sheet, actor=actor, action="deal_undone", deal=deal, entry=entry)
    return entry


def deal_preview(*, regulation: Regulation, written: Written) -> rules.DealResult:
    """What a deal would come to; writes nothing. Raises DealRefused."""
    try:
        return rules.evaluate(written, regulation.rules)
    except rules.InvalidDeal as invalid:
        raise DealRefused(invalid) from invalid


def entry_append(
    *,
    deal: Deal,
    seen_version: int,
    uuid: uuids.UUID,
    written: Written | None,
    sheet: Scoresheet,
    actor: Actor,
    device: str = "",
    made_at: datetime.datetime | None = None,
    reason: str = "",
) -> DealEntry:
    """Append a revision to `deal` if it is still at `seen_version`; the sheet must be locked."""
    result = None if written is None else deal_preview(regulation=sheet.regulation, written=written)
    before = deal.current
    moved = Deal.objects.filter(pk=deal.pk, version=seen_version).update(version=seen_version + 1)
    if not moved:
        raise _conflict(deal)
    entry = DealEntry.objects.create(
        uuid=uuid,
        deal=deal,
        revision=seen_version + 1,
        replaces=before,
        written=None if written is None else dict(written),
        result=None if result is None else result.as_json(),
        warnings=[] if result is None else [fault.code for fault in result.warnings],
        replayed=_dealt_again(written, sheet.regulation.rules),
        reason=reason,
        user=actor.user,
        actor=actor.ref,
        device=device,
        made_at=made_at or timezone.now(),
    )
    Deal.objects.filter(pk=deal.pk).update(current=entry)
    deal.version, deal.current = entry.revision, entry
    return entry


def sheet_lock(sheet_id: int) -> Scoresheet:
    """The sheet, held until the end of the transaction."""
    return (
        Scoresheet.objects.select_for_update(of=("self",))
        .select_related("regulation", "club")
        .get(pk=sheet_id)
    )


def sheet_touch(
    sheet: Scoresheet,
    *,
    actor: Actor,
    action: str,
    deal: Deal | None = None,
    entry: DealEntry | None = None,
    data: Mapping[str, object] | None = None,
    texts: Mapping[str, str] | None = None,
) -> None:
    """After a change of a locked sheet: recompute, count its version up, extend the trail, tell."""
    sheet_recompute(sheet)
    sheet.version += 1
    if entry is not None:
        sheet.last_entry_at = entry.received_at
    sheet.save(
        update_fields=[
            "version",
            "deals_entered",
            "warnings",
            "score_ns",
            "score_ew",
            "last_entry_at",
        ]
    )
    event_append(
        chain=sheet,
        club=sheet.club,
        actor=actor,
        action=action,
        object_ref=f"deal:{deal.number}" if deal else "sheet",
        data={**(data or {}), **(_entry_data(entry) if entry else {})},
        texts={**(texts or {}), "reason": entry.reason if entry else ""} if entry else texts,
    )
    sheet_changed.send(sender=Scoresheet, sheet=sheet)


def require_open(sheet: Scoresheet) -> None:
    """Raises DomainError `sheet_closed` when the sheet no longer takes deals."""
    if sheet.state == Scoresheet.State.CLOSED:
        raise DomainError(
            "sheet_closed", _("This round is closed. Ask the director to change the deal.")
        )


def _deal(sheet: Scoresheet, number: int) -> Deal:
    deal = Deal.objects.select_related("current__replaces").filter(sheet=sheet, number=number)
    found = deal.first()
    if found is None:
        raise DomainError("deal_unknown", _("This sheet has no deal %(n)s.") % {"n": number})
    return found


def _needs_reason(deal: Deal, sheet: Scoresheet) -> bool:
    closed = sheet.state == Scoresheet.State.CLOSED
    return closed or (deal.current is not None and is_played(deal.current))


def _require_no_totals(sheet: Scoresheet) -> None:
    if sheet.side_totals.exists():
        raise DomainError(
            "totals_handed_in", _("This table handed in totals only. Take those off first.")
        )


def _later_is_written(sheet: Scoresheet, number: int) -> bool:
    later = Deal.objects.filter(sheet=sheet, number__gt=number, current__written__isnull=False)
    return later.exists()


def _same_again(known: DealEntry, sheet: Scoresheet, number: int, written: Written) -> DealEntry:
    same_line = known.deal.sheet_id == sheet.pk and known.deal.number == number
    if same_line and known.written == dict(written):
        return known
    raise KeyReused("key_reused", _("This entry was sent before with other figures."))


def _conflict(deal: Deal) -> VersionConflict:
    current = Deal.objects.select_related("current").get(pk=deal.pk)
    return VersionConflict(
        "version_conflict",
        _("Deal %(n)s was written by somebody else in the meantime.") % {"n": deal.number},
        current=current,
    )


def _dealt_again(written: Written | None, regulation: rules.Regulation) -> bool:
    if written is None:
        return False
    reneged = written.get("reneged") is not None and regulation.reneging == "replay"
    return written.get("replayed") is True or reneged


def _entry_data(entry: DealEntry) -> dict[str, object]:
    return {
        "entry": str(entry.pk),
        "revision": entry.revision,
        "old": entry.replaces.written if entry.replaces else None,
        "new": entry.written,
        "device": entry.device,
    }
