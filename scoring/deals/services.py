"""Writing deals on a sheet: checked, versioned, never overwritten, never counted twice."""

import datetime as dt
import uuid as uuids
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.text.errors import DomainError
from clubs.text.numbers import number as number_in_words
from scoring import rules
from scoring.deals.entries import (
    as_stored,
    entry_append,
    entry_make,
    key_reused,
    reason_checked,
    require_open,
    sheet_lock,
    sheet_touch,
    writes_entry,
)
from scoring.deals.evaluation import Reads, Written, evaluated
from scoring.deals.totals import is_played, sheet_deals
from scoring.models import Deal, DealEntry, Scoresheet

Kind = DealEntry.Kind


@writes_entry
def deal_write(
    *,
    sheet_id: int,
    number: int,
    seen_version: int,
    uuid: uuids.UUID,
    written: Written,
    actor: Actor,
    side: str = "",
    device: str = "",
    made_at: dt.datetime | None = None,
    reason: str = "",
    closed_too: bool = False,
    record: Written | None = None,
) -> DealEntry:
    """Write deal `number` of a sheet, or correct it, and return the entry that now stands.

    The same `uuid` with the same content again returns the first entry and writes nothing.
    A deal that was already written needs a `reason`, and so does every deal of a closed sheet,
    which takes it only with `closed_too` (the director's right). The first proved reneging on a
    sheet that waives it is written as dealt again. `record` is the deal card by card
    where it was laid down again: it is kept with the entry and in the trail. `side` is whose phone
    writes, where each side has its own.

    Raises DealRefused (with every fault) when the deal cannot be, VersionConflict when the deal
    is no longer at `seen_version` (params: current, the Deal that stands), KeyReused when `uuid`
    was used before with other content, and DomainError `sheet_gone`, `sheet_closed`,
    `sheet_not_started`, `totals_handed_in`, `deal_unknown`, `sheet_full` (a side has the points
    that end the sheet), `reason_needed` or `reason_too_long`.
    """
    sheet = sheet_lock(sheet_id)
    known = _sent_before(uuid)
    if known is not None:
        line = known.deal.sheet_id, known.deal.number, known.revision, known.kind, known.reason
        sent = sheet.pk, number, seen_version + 1, Kind.WRITTEN, reason.strip()
        same_record = known.record == (record and as_stored(record))
        if line == sent and same_record and says_the_same(known, written):
            return known
        raise key_reused()
    if not (closed_too and sheet.state == Scoresheet.State.CLOSED):
        require_open(sheet)
    return deal_put(
        sheet=sheet,
        deals=sheet_deals(sheet),
        number=number,
        seen_version=seen_version,
        uuid=uuid,
        written=written,
        actor=actor,
        side=side,
        device=device,
        made_at=made_at,
        reason=reason,
        record=record,
        reads=Reads.WHY if closed_too else None,
    )


def deal_put(
    *,
    sheet: Scoresheet,
    deals: Sequence[Deal],
    number: int,
    seen_version: int,
    uuid: uuids.UUID,
    written: Written,
    actor: Actor,
    side: str = "",
    device: str = "",
    made_at: dt.datetime | None = None,
    reason: str = "",
    record: Written | None = None,
    is_claimed: bool = True,
    reads: Reads | None = None,
) -> DealEntry:
    """Write deal `number` of a locked sheet under a new `uuid`. `deals` are all of the sheet's and
    are updated; `is_claimed=False` says that no claim is open on the deal.

    Raises like `deal_write`, but neither `sheet_closed` nor `sheet_not_started`.
    """
    deal = deal_of(deals, number)
    require_no_totals(sheet, deals)
    require_room(sheet, deal)
    needed = deal.version == seen_version and needs_reason(deal, sheet)
    made = entry_make(
        deal=deal,
        uuid=uuid,
        written=as_settled(deal, sheet, written),
        sheet=sheet,
        actor=actor,
        side=side,
        device=device,
        made_at=made_at,
        reason=reason_checked(reason, needed=needed),
        record=record,
        reads=reads,
    )
    entry = entry_append(made, seen_version=seen_version)
    action = "deal_written" if record is None else "deal_laid_down"
    sheet_touch(
        sheet, actor=actor, action=action, entries=[entry], deals=deals, is_claimed=is_claimed
    )
    return entry


@writes_entry
def deal_undo(
    *,
    sheet_id: int,
    number: int,
    seen_version: int,
    uuid: uuids.UUID,
    actor: Actor,
    side: str = "",
    device: str = "",
) -> DealEntry:
    """Take back the last save of a deal: what stood before it stands again, or an empty line.

    Only the deal written last can be taken back, and once; an earlier one is corrected with a
    reason. A table takes back only what a table wrote, and a `side` only what it wrote itself. The
    same `uuid` again returns the first entry and writes nothing.
    Raises like `deal_write`, and DomainError `nothing_to_undo`.
    """
    sheet = sheet_lock(sheet_id)
    known = _sent_before(uuid)
    if known is not None:
        line = known.deal.sheet_id, known.deal.number, known.revision, known.kind
        if line == (sheet.pk, number, seen_version + 1, Kind.UNDONE):
            return known
        raise key_reused()
    require_open(sheet)
    require_no_totals(sheet)
    deal, side = sheet_deal(sheet, number), "" if sheet.three_handed else side
    if deal.version == seen_version and not _can_be_undone(sheet, deal, side, actor):
        raise DomainError("nothing_to_undo", _("There is nothing to undo here."))
    before = deal.current.replaces if deal.current else None
    made = entry_make(
        deal=deal,
        uuid=uuid,
        written=before.written if before else None,
        record=before.record if before else None,
        kind=Kind.UNDONE,
        sheet=sheet,
        actor=actor,
        side=side,
        device=device,
    )
    entry = entry_append(made, seen_version=seen_version)
    sheet_touch(sheet, actor=actor, action="deal_undone", entries=[entry])
    return entry


def deal_preview(*, sheet: Scoresheet, number: int, written: Written) -> rules.DealResult:
    """The result this would have as deal `number`; writes nothing. Raises DealRefused."""
    deal = sheet_deal(sheet, number) if written.get("reneged") else Deal(number=number)
    return evaluated(sheet, as_settled(deal, sheet, written))


def sheet_deal(sheet: Scoresheet, number: int) -> Deal:
    """The deal with its current entry. Raises DomainError `deal_unknown`."""
    return deal_of(sheet_deals(sheet), number)


def deal_of(deals: Iterable[Deal], number: int) -> Deal:
    """The deal with this number. Raises DomainError `deal_unknown`."""
    for deal in deals:
        if deal.number == number:
            return deal
    raise DomainError("deal_unknown", _("This sheet has no deal %(n)s.") % {"n": number})


def needs_reason(deal: Deal, sheet: Scoresheet) -> bool:
    """Whether a change of this deal must say why."""
    closed = sheet.state == Scoresheet.State.CLOSED
    return closed or (deal.current is not None and is_played(deal.current))


def require_no_totals(sheet: Scoresheet, deals: Iterable[Deal] = ()) -> None:
    """Raises DomainError `totals_handed_in` where the sheet has totals instead of deals."""
    # A sheet with a written deal has no totals: deals already read save the query.
    if any(deal.current and deal.current.written for deal in deals):
        return
    if sheet.side_totals.exists():
        raise DomainError(
            "totals_handed_in", _("This table handed in totals only. Take those off first.")
        )


def require_room(sheet: Scoresheet, deal: Deal) -> None:
    """Raises DomainError `sheet_full` where the sheet ended at its target; written deals can still
    be corrected."""
    written = deal.current is not None and is_played(deal.current)
    if sheet.target is not None and sheet.is_full and not written:
        raise DomainError(
            "sheet_full",
            _(
                "A side has %(points)s points: this round is over. "
                "Only a deal that is written can be changed."
            )
            % {"points": number_in_words(sheet.target)},
        )


def says_the_same(entry: DealEntry, written: Written) -> bool:
    """Whether this entry was made from `written`, with the reneging waived or not."""
    sent = without_replays(written)
    waived = {**sent, "replayed": True} if sent.get("reneged") else sent
    return without_replays(entry.written or {}) in (sent, waived)


def without_replays(written: Written) -> dict[str, Any]:
    """A stored line as it was sent: a table does not send the count of replays."""
    return {key: value for key, value in as_stored(written).items() if key != "replays"}


# Deals that are dealt again because somebody reneged.


def as_settled(deal: Deal, sheet: Scoresheet, written: Written) -> Written:
    """What is written, with the number of times the deal was dealt again before, and marked as
    dealt again where the reneging is waived."""
    replays = deal_replays(deal)
    settled = {"replays": replays, **written} if replays else written
    return (
        {**settled, "replayed": True}
        if is_first_offence_waived(sheet, deal.number, written)
        else settled
    )


def deal_replays(deal: Deal) -> int:
    """How often this deal was dealt again because somebody reneged, before what is written now.

    Each line stores the count before it, so that it stays right after undoing, swapping sides and
    putting a revision back.
    """
    entry = deal.current
    if entry is None or entry.written is None:
        return 0
    before: int = entry.written.get("replays") or 0
    return before + (entry.replayed and bool(entry.written.get("reneged")))


def is_first_offence_waived(sheet: Scoresheet, number: int, written: Written) -> bool:
    """Whether this would be the first proved reneging on a sheet that waives it: then the deal is
    dealt again, whatever the regulation says.

    First is what was written first. The line itself records the decision, so a later correction of
    another deal does not change it. A reneging that was taken back does not count; one whose deal
    has been dealt again since does.
    """
    if not written.get("reneged") or written.get("replayed"):
        return False
    return number in first_offences_waived(sheet, [number])


def first_offences_waived(sheet: Scoresheet, numbers: Sequence[int]) -> set[int]:
    """Those of these deals in which a proved reneging would be the first on the sheet."""
    if not sheet.first_reneging_replayed:
        return set()
    reneged = _reneged(sheet)
    return {n for n in numbers if not any(_counts(entry, n) for entry in reneged)}


def _reneged(sheet: Scoresheet) -> list[DealEntry]:
    entries = DealEntry.objects.filter(deal__sheet=sheet, written__has_key="reneged")
    return list(entries.select_related("deal", "replaced_by"))


def _counts(entry: DealEntry, number: int) -> bool:
    """Whether this earlier reneging counts when deal `number` is written: it stands on another
    line, or its deal was dealt again."""
    after: DealEntry | None = getattr(entry, "replaced_by", None)
    if after is None:
        return entry.replayed or entry.deal.number != number
    return entry.replayed and after.kind == DealEntry.Kind.WRITTEN


def _sent_before(uuid: uuids.UUID) -> DealEntry | None:
    return DealEntry.objects.select_related("deal").filter(pk=uuid).first()


def _can_be_undone(sheet: Scoresheet, deal: Deal, side: str, actor: Actor) -> bool:
    last = deal.current
    if last is None or last.kind != Kind.WRITTEN or side not in ("", last.side):
        return False
    later = Deal.objects.filter(sheet=sheet, number__gt=deal.number, current__written__isnull=False)
    is_desks = last.user_id is not None and actor.user is None
    return not is_desks and not later.exists()


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


# Putting an earlier revision of a deal back.


RESTORED, CLOSED = DealEntry.Kind.RESTORED, Scoresheet.State.CLOSED


@writes_entry
def deal_restore(
    *,
    sheet_id: int,
    number: int,
    revision: int,
    seen_version: int,
    uuid: uuids.UUID,
    actor: Actor,
    device: str = "",
    reason: str = "",
    closed_too: bool = False,
) -> DealEntry:
    """Put revision `revision` of a deal back as a new entry; 0 is the empty line before the first.

    Without a `reason` the entry says which revision it is; a closed sheet needs one. A table
    cannot change the director's corrections in this way.

    The same `uuid` again returns the first entry and writes nothing. Raises VersionConflict,
    KeyReused, DealRefused, and DomainError `sheet_gone`, `sheet_closed`, `sheet_not_started`,
    `totals_handed_in`, `deal_unknown`, `revision_unknown`, `already_stands`, `directors_own`,
    `reason_needed` or `reason_too_long`.
    """
    sheet = sheet_lock(sheet_id)
    deal = sheet_deal(sheet, number)
    old = _revision(deal, revision)
    known = DealEntry.objects.filter(pk=uuid).first()
    if known is not None:
        return _repeated(known, deal, old, seen_version)
    if not (closed_too and sheet.state == CLOSED):
        require_open(sheet)
    require_no_totals(sheet)
    if deal.version == seen_version == revision:
        raise DomainError("already_stands", _("This is on the sheet already."))
    if actor.user is None and _corrections(deal.current) != _corrections(old):
        own = _("The director put a correction in this deal: ask the director to change it.")
        raise DomainError("directors_own", own)
    why = reason_checked(reason, needed=sheet.state == CLOSED)
    made = entry_make(
        deal=deal,
        uuid=uuid,
        written=old.written if old else None,
        record=old.record if old else None,
        kind=RESTORED,
        sheet=sheet,
        actor=actor,
        device=device,
        reason=why or _restored(revision),
    )
    entry = entry_append(made, seen_version=seen_version)
    sheet_touch(
        sheet,
        actor=actor,
        action="deal_restored",
        entries=[entry],
        data={"restored": revision},
    )
    return entry


def _revision(deal: Deal, revision: int) -> DealEntry | None:
    """That entry of the deal; None for revision 0."""
    if revision == 0:
        return None
    entry = deal.entries.filter(revision=revision).first()
    if entry is None:
        unknown = _("This deal has no version %(n)s to put back.") % {"n": revision}
        raise DomainError("revision_unknown", unknown)
    return entry


def _corrections(entry: DealEntry | None) -> object:
    return ((entry and entry.written) or {}).get("corrections")


def _repeated(known: DealEntry, deal: Deal, old: DealEntry | None, seen_version: int) -> DealEntry:
    same_line = (known.deal_id, known.revision, known.kind) == (deal.pk, seen_version + 1, RESTORED)
    if not same_line or known.written != (old.written if old else None):
        raise key_reused()
    return known


def _restored(revision: int) -> str:
    if revision == 0:
        return _("The line was made empty again.")
    return _("What was written as number %(n)s was put back.") % {"n": revision}
