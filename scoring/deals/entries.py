"""A deal's line on a sheet: checked, compared, appended as a revision, recorded in the trail.

Every service that writes on a sheet is built from these: lock, check, append, touch.
"""

import datetime as dt
import json
import uuid as uuids
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.measurements.counters import DEALS
from clubs.models.rows import Given, Prepared
from clubs.text.errors import DomainError, KeyReused, VersionConflict
from scoring import rules
from scoring.deals.evaluation import Reads, Written, evaluated, sheet_doubts
from scoring.deals.totals import SHEET_FIGURES, sheet_recompute
from scoring.models import OPEN_CLAIM, Deal, DealClaim, DealEntry, Scoresheet
from scoring.rules import SEATS, side_of

LONGEST_REASON = 200
MOST_DEALS = 99
PLAY_OFF = ("play_off_ns", "play_off_ew")
TOUCHED = ("version", "last_entry_at", "deals_planned", "first_dealer", *PLAY_OFF, *SHEET_FIGURES)
P = ParamSpec("P")
R = TypeVar("R")


# Signals. Other apps listen to them; scoring does not know which.

sheet_changed = Signal()
"""Sent inside the transaction after a sheet changed, with `sheet` (the Scoresheet)."""

closed_sheet_changed = Signal()
"""The same, of a sheet that was closed before: not a line of a game that goes on."""

figures_verifying = Signal()
"""Sent when every stored figure is recomputed, of `club` or, where that is None, of all clubs.
Receivers return a list of sentences, one for each figure they store that differs."""


def writes_entry(service: Callable[P, R]) -> Callable[P, R]:
    """Run `service` in a transaction; raise KeyReused if its `uuid` is used on another sheet."""

    @wraps(service)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            with _outcome_counted(), transaction.atomic():
                return service(*args, **kwargs)
        except IntegrityError as error:
            # Checked only after the insert fails: a query before every write would cost more.
            taken = str(kwargs["uuid"])
            if any(model.objects.filter(pk=taken).exists() for model in (DealEntry, DealClaim)):
                raise key_reused() from error
            raise

    return run


@contextmanager
def _outcome_counted() -> Iterator[None]:
    """Count how what happens inside ends: done, a conflict, refused or failed."""
    outcome = "failed"
    try:
        yield
        outcome = "done"
    except VersionConflict:
        outcome = "conflict"
        raise
    except DomainError:
        outcome = "refused"
        raise
    finally:
        DEALS.labels(outcome).inc()


_locking = Prepared(
    lambda: (
        Scoresheet.objects.select_for_update(of=("self",), no_key=True)
        .select_related("regulation", "club")
        .filter(pk=Given(Scoresheet, "id"))
    )
)


def sheet_lock(sheet_id: int) -> Scoresheet:
    """The sheet, held until the end of the transaction. Raises DomainError `sheet_gone`."""
    return sheets_lock(sheet_id)[0]


def sheets_lock(*sheet_ids: int) -> list[Scoresheet]:
    """These sheets, locked in order of id so that two callers never wait for each other.

    Raises DomainError `sheet_gone` when one of them was removed with its draw.
    """
    wanted = sorted(set(sheet_ids))
    locked = [sheet for sheet_id in wanted for sheet in _locking.rows(id=sheet_id)]
    if len(locked) < len(wanted):
        raise DomainError("sheet_gone", _("This sheet no longer exists: the draw was undone."))
    return locked


def require_open(sheet: Scoresheet) -> None:
    """Raises DomainError `sheet_closed` or `sheet_not_started` when the sheet takes no deals."""
    if sheet.state == Scoresheet.State.CLOSED:
        raise DomainError(
            "sheet_closed", _("This round is closed. Ask the director to change the deal.")
        )
    if sheet.state == Scoresheet.State.PLANNED:
        raise DomainError("sheet_not_started", _("This round has not started yet."))


def reason_checked(reason: str, *, needed: bool = True) -> str:
    """The reason, stripped.

    Raises DomainError `reason_needed`, or `reason_too_long` above 200 characters.
    """
    reason = reason.strip()
    if needed and not reason:
        raise DomainError("reason_needed", _("Say why the deal is changed."))
    if len(reason) > LONGEST_REASON:
        raise DomainError("reason_too_long", _("Say it in at most 200 characters."))
    return reason


def key_reused() -> KeyReused:
    """The error for a uuid that comes back with other content."""
    return KeyReused("key_reused", _("This entry was sent before with other figures."))


def as_stored(written: Written) -> dict[str, Any]:
    """What is written, as it comes back from the database: lists for tuples, strings as keys."""
    stored: dict[str, Any] = json.loads(json.dumps(dict(written), default=str))
    return stored


def entry_make(
    *,
    deal: Deal,
    uuid: uuids.UUID,
    written: Written | None,
    sheet: Scoresheet,
    actor: Actor,
    kind: str = DealEntry.Kind.WRITTEN,
    side: str = "",
    device: str = "",
    made_at: dt.datetime | None = None,
    reason: str = "",
    record: Written | None = None,
    reads: Reads | None = None,
) -> DealEntry:
    """The next revision of `deal`, evaluated but not saved. Raises DealRefused."""
    if reads is None:
        reads = Reads.NOTHING if actor.user is None else Reads.WHETHER
    result = None if written is None else evaluated(sheet, written, deal, reads=reads)
    return DealEntry(
        uuid=uuid,
        deal=deal,
        revision=deal.version + 1,
        kind=kind,
        replaces=deal.current,
        written=None if written is None else as_stored(written),
        result=None if result is None else result.as_json(),
        warnings=_entry_doubts(sheet, deal.number, result),
        replayed=result is not None and result.verdict == "void",
        record=None if record is None else as_stored(record),
        reason=reason,
        user=actor.user,
        actor=actor.ref,
        side=side,
        device=device[:60],
        made_at=made_at or timezone.now(),
    )


def entry_append(entry: DealEntry, *, seen_version: int) -> DealEntry:
    """Save an entry of `entry_make` if its deal is still at `seen_version`; the sheet must be
    locked. Raises VersionConflict."""
    deal = entry.deal
    entry.revision = seen_version + 1
    if not deal.update_if(seen_version, current_id=entry.pk):
        raise _conflict(deal)
    entry.save(force_insert=True)
    deal.current = entry
    return entry


def sheet_touch(
    sheet: Scoresheet,
    *,
    actor: Actor,
    action: str,
    entries: Sequence[DealEntry] = (),
    data: Mapping[str, object] | None = None,
    texts: Mapping[str, str] | None = None,
    deals: Iterable[Deal] | None = None,
    is_claimed: bool = True,
) -> None:
    """After a change of a locked sheet: recompute it, raise its version, extend the trail, notify.

    A caller can save queries by passing what it has read: all `deals` of a sheet without totals,
    as they stand, and `is_claimed=False` where no claim is open on the deals that were written.
    """
    sheet_recompute(sheet, deals)
    _line_add_if_needed(sheet)
    sheet.version += 1
    if entries:
        sheet.last_entry_at = entries[-1].received_at
    sheet_tell(
        sheet,
        actor=actor,
        action=action,
        object_ref=f"deal:{entries[0].deal.number}" if len(entries) == 1 else "sheet",
        data={**(data or {}), **_entries_data(entries, actor, is_claimed=is_claimed)},
        texts={**_remarks(entries), **(texts or {})},
        along={name: getattr(sheet, name) for name in TOUCHED},
    )


def sheet_tell(
    sheet: Scoresheet,
    *,
    actor: Actor,
    action: str,
    object_ref: str = "sheet",
    data: Mapping[str, object] | None = None,
    texts: Mapping[str, str] | None = None,
    along: Mapping[str, object] | None = None,
) -> None:
    """Record an event in the trail of a locked sheet and send `sheet_changed`; `along` are columns
    of the sheet that are saved with it."""
    event_append(
        chain=sheet,
        club=sheet.club,
        actor=actor,
        action=action,
        object_ref=object_ref,
        data=data,
        texts=texts,
        along=along,
    )
    sheet_changed.send(sender=Scoresheet, sheet=sheet)
    if sheet.state == Scoresheet.State.CLOSED:
        closed_sheet_changed.send(sender=Scoresheet, sheet=sheet)


def entry_data(entry: DealEntry) -> dict[str, object]:
    """An entry as the trail has it: no free text; `side` only where each side has its own phone,
    `record` only where the cards were laid down."""
    data: dict[str, object] = {
        "deal": entry.deal.number,
        "entry": str(entry.pk),
        "revision": entry.revision,
        "old": without_remarks(entry.replaces.written if entry.replaces else None),
        "new": without_remarks(entry.written),
        "device": entry.device,
    }
    data |= {"side": entry.side} if entry.side else {}
    return data if entry.record is None else {**data, "record": entry.record}


def without_remarks(written: Mapping[str, Any] | None) -> dict[str, object] | None:
    """What is written of a deal without its free text, which the trail stores separately."""
    if written is None:
        return None
    return {
        key: [{k: v for k, v in line.items() if k != "reason"} for line in value]
        if key == "corrections"
        else value
        for key, value in written.items()
    }


def _entries_data(
    entries: Sequence[DealEntry], actor: Actor, *, is_claimed: bool
) -> dict[str, object]:
    """New entries, and the claims they decide, as the trail has them."""
    if not entries:
        return {}
    data: dict[str, object] = {"entries": [entry_data(entry) for entry in entries]}
    taken = claims_taken(entries, actor) if is_claimed else []
    return {**data, "claims_taken": [str(claim.pk) for claim in taken]} if taken else data


def _entry_doubts(sheet: Scoresheet, number: int, result: rules.DealResult | None) -> list[str]:
    """The codes of what is unlikely about a deal, by the rules and on this sheet."""
    if result is None:
        return []
    doubts = sheet_doubts(sheet, number, result)
    return [*(fault.code for fault in result.warnings), *(doubt.code for doubt in doubts)]


def _line_add_if_needed(sheet: Scoresheet) -> None:
    """Add a line to a full sheet on which nobody has reached the target yet, up to 99 lines.

    `lines_needed` gives enough lines for any deals that bring points; the director's corrections
    can still keep both sides below the target for longer.
    """
    written = sheet.deals_entered == sheet.deals_planned
    if sheet.target is None or not written or sheet.done == sheet.target:
        return
    if sheet.deals_planned < MOST_DEALS:
        sheet.deals_planned += 1
        Deal.objects.create(sheet=sheet, number=sheet.deals_planned)


def _conflict(deal: Deal) -> VersionConflict:
    current = Deal.objects.select_related("current").get(pk=deal.pk)
    return VersionConflict(
        "version_conflict",
        _("Deal %(n)s was written by somebody else in the meantime.") % {"n": deal.number},
        current=current,
    )


def _remarks(entries: Sequence[DealEntry]) -> dict[str, str]:
    """The free text of entries, stored where it can be erased."""
    reasons = dict.fromkeys(entry.reason for entry in entries)
    corrections = [
        str(line.get("reason", ""))
        for entry in entries
        for line in (entry.written or {}).get("corrections") or ()
    ]
    return {"reason": "; ".join(filter(None, reasons)), "corrections": "; ".join(corrections)}


# Whether two people wrote the same deal, and the claims that a write decides.


EvaluatedLine = tuple[Mapping[str, Any], Mapping[str, Any]]
"""What is written of a deal, and the result of evaluating it."""

SAME_FACTS = "reneged", "accused_wrongly_by", "nil", "replayed", "corrections"
SAME_FIGURES = "score", "players", "roem", "pit", "nat"


def same_deal(line: EvaluatedLine, other: EvaluatedLine) -> bool:
    """Whether two lines describe the same deal: the same facts and the same scores.

    How it was filled in does not matter: either side's points, roem as 70 or as 20 and 50, nat
    ticked or counted. A detail that only one of them gives (trump, the bid, the points of a nat
    deal) is no difference, and neither is naming the declarer by side or by seat.
    """
    (written, result), (other_written, other_result) = line, other
    return (
        all((written.get(key) or None) == (other_written.get(key) or None) for key in SAME_FACTS)
        and all(result.get(key) == other_result.get(key) for key in SAME_FIGURES)
        and all(
            _agree(result["points"][side], other_result["points"][side]) for side in ("NS", "EW")
        )
        and _agree(written.get("trump"), other_written.get("trump"))
        and _agree(written.get("bid"), other_written.get("bid"))
        and _same_declarer(str(written["declarer"]), str(other_written["declarer"]))
    )


def line_of(source: DealEntry | DealClaim | None) -> EvaluatedLine | None:
    """The line of an entry or a claim; None where it is blank."""
    if source is None or source.written is None or source.result is None:
        return None
    return source.written, source.result


def with_corrections(written: Mapping[str, Any], standing: DealEntry | None) -> dict[str, Any]:
    """The line with the director's corrections as they stand now: a phone only has those it saw."""
    line = {key: value for key, value in written.items() if key != "corrections"}
    stay = ((standing and standing.written) or {}).get("corrections")
    return line | {"corrections": stay} if stay else line


def claims_taken(entries: Sequence[DealEntry], actor: Actor) -> list[DealClaim]:
    """Mark the open claims that these new entries agree with as taken, and return them."""
    lines = {entry.deal_id: line for entry in entries if (line := line_of(entry))}
    waiting = DealClaim.objects.filter(OPEN_CLAIM, deal__in=lines)
    taken = [c for c in waiting if same_deal((c.written, c.result), lines[c.deal_id])]
    claims_close(DealClaim.objects.filter(pk__in=[c.pk for c in taken]), taken=True, actor=actor)
    return taken


def claims_withdrawn(*, deal_id: int, actor: Actor, device: str, side: str = "") -> list[DealClaim]:
    """Close the open claims of this phone, or this side, on a deal: it has sent something newer.
    Returns those claims."""
    mine = Q(actor=actor.ref, device=device[:60]) | (Q(side=side) if side else Q())
    waiting = list(DealClaim.objects.filter(OPEN_CLAIM, mine, deal=deal_id))
    ids = [claim.pk for claim in waiting]
    claims_close(DealClaim.objects.filter(pk__in=ids), taken=False, actor=actor)
    return waiting


def claims_close(claims: QuerySet[DealClaim], *, taken: bool, actor: Actor) -> None:
    """Close these claims, those that are still open."""
    decided = {"decided_at": timezone.now(), "decided_by": actor.ref, "taken": taken}
    claims.filter(OPEN_CLAIM).update(**decided)


def _agree(value: object, other: object) -> bool:
    return value is None or other is None or value == other


def _same_declarer(declarer: str, other: str) -> bool:
    # A seat and a side can be compared; two seats of one side are two different declarers.
    by_side = len(declarer) != len(other)
    return declarer == other or (by_side and _side(declarer) == _side(other))


def _side(declarer: str) -> str:
    return side_of(declarer) if declarer in SEATS else declarer
