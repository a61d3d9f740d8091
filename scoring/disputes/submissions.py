"""What phones send: deals, written or stored as claims, and answers to a finished sheet.

`deal_submit` never loses a deal: what cannot be written is stored beside what stands.
"""

import datetime as dt
import uuid as uuids
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.models.rows import Given, Prepared
from clubs.text.errors import DomainError
from scoring.deals.entries import (
    EvaluatedLine,
    as_stored,
    claims_withdrawn,
    key_reused,
    line_of,
    reason_checked,
    require_open,
    same_deal,
    sheet_lock,
    sheet_tell,
    writes_entry,
)
from scoring.deals.evaluation import Written, evaluated
from scoring.deals.services import (
    as_settled,
    deal_of,
    deal_put,
    require_no_totals,
    require_room,
    says_the_same,
    without_replays,
)
from scoring.deals.totals import sheet_deals
from scoring.disputes.services import claim_add, claim_left, confirmation_add
from scoring.models import OPEN_CLAIM, Confirmation, Deal, DealClaim, DealEntry, Scoresheet
from scoring.rules import SIDES

Outcome = Literal["written", "same", "claimed"]
Why = DealClaim.Why

TAKEN_OVER = "corrections", "accused_wrongly_by", "dealer"
"""Keys that a form at the table copies from the line without asking for them."""

MOST_CLAIMS = 12
"""Limit per deal: more competing values than this is abuse."""
MOST_EVER = 200
"""Limit per deal of all that was ever stored beside it: each is a row and a line of the trail."""

OPEN, CLOSED = Scoresheet.State.OPEN, Scoresheet.State.CLOSED

DONE = "totals_handed_in", "sheet_full"
"""Error codes of an open sheet that takes no further deals."""


@dataclass(frozen=True, slots=True)
class Submission:
    """What became of a deal that was sent. It was `written`; or it is the `same` as what stands (or
    stood since the phone looked, before a correction); or it was `claimed`: stored as `claim` until
    somebody decides. `deal` is how it stands now."""

    outcome: Outcome
    deal: Deal
    claim: DealClaim | None = None


@writes_entry
def deal_submit(
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
    why: str | None = None,
) -> Submission:
    """Write deal `number` if nothing stands in its way; else store it as a claim.

    It becomes a claim when the deal is no longer at `seen_version`, when the sheet is done (LATE:
    closed, totals handed in, or a side has the points that end it), when `why` says so (CUT_OFF:
    this phone may no longer write; OBJECTED: the other side counted something else), and, where
    each side writes with its own phone (`side`), whenever the other side wrote what stands: the two
    are compared, never overwritten. A value equal to what stands is no dispute; it is that side's
    confirmation unless it wrote the entry itself.

    A newer value from the same phone, or the same side, replaces its open claim on the deal.
    The same `uuid` again gives the same answer and does nothing, even if the claim has been
    decided since.

    Raises DealRefused, KeyReused, and DomainError `sheet_gone`, `sheet_not_started`,
    `deal_unknown`, `reason_needed`, `reason_too_long`, or `too_many_claims` when as many as 12
    values wait already; then the phone keeps it.
    """
    sheet = sheet_lock(sheet_id)
    deals = sheet_deals(sheet)
    sent = _Sent(
        sheet=sheet,
        deals=deals,
        deal=deal_of(deals, number),
        seen_version=seen_version,
        uuid=uuid,
        written=written,
        actor=actor,
        signatory=side,
        device=device[:60],
        made_at=made_at or timezone.now(),
        reason=reason,
        why=why,
    )
    known = _submitted_before(sent)
    if known is not None:
        return known
    if _may_write(sent):
        try:
            _write(sent)
        except DomainError as refused:
            if refused.code not in DONE:
                raise
        else:
            return Submission("written", sent.deal)
    return _compare(sent)


@transaction.atomic
def sheet_answer(
    *, sheet_id: int, side: str, seen_version: int, agrees: bool, actor: Actor, note: str = ""
) -> Confirmation:
    """One side (of three people one, by seat) agrees with the finished sheet, or disputes it.

    Raises DomainError `sheet_gone`, `not_at_this_table` (no such side), `sheet_not_full`,
    `reason_too_long` (the note), and `sheet_moved_on` when the sheet has changed since.
    """
    sheet = sheet_lock(sheet_id)
    if side not in sheet.signatories:
        raise DomainError("not_at_this_table", _("Nobody at this table can say that."))
    if not sheet.is_full:
        raise DomainError("sheet_not_full", _("Write all deals first."))
    if sheet.version != seen_version:
        raise DomainError("sheet_moved_on", _("The sheet has changed. Please check it again."))
    answer, _made = Confirmation.objects.update_or_create(
        sheet=sheet,
        side=side,
        sheet_version=sheet.version,
        defaults={
            "agrees": agrees,
            "note": reason_checked(note, needed=False),
            "by": actor.ref,
            "settled_at": None,
        },
    )
    _announce(sheet, answer, actor, "sheet_agreed" if agrees else "sheet_disputed")
    return answer


@transaction.atomic
def dispute_settle(*, confirmation_id: int, actor: Actor) -> Confirmation:
    """Mark a dispute as dealt with by the director; a repeat changes nothing."""
    confirmation = Confirmation.objects.get(pk=confirmation_id)
    sheet = sheet_lock(confirmation.sheet_id)
    confirmation.refresh_from_db()
    if confirmation.settled_at is None:
        confirmation.settled_at = timezone.now()
        confirmation.save(update_fields=["settled_at"])
        _announce(sheet, confirmation, actor, "dispute_settled")
    return confirmation


def _announce(sheet: Scoresheet, answer: Confirmation, actor: Actor, action: str) -> None:
    sheet_tell(
        sheet,
        actor=actor,
        action=action,
        data={"side": answer.side, "version": answer.sheet_version},
        texts={"note": answer.note},
    )


_claims = Prepared(
    lambda: DealClaim.objects.filter(
        Q(OPEN_CLAIM, deal=Given(DealClaim, "deal")) | Q(pk=Given(DealClaim, "uuid"))
    )
)


@dataclass(frozen=True)
class _Sent:
    """A deal that was sent, with the sheet as it stands."""

    sheet: Scoresheet
    deals: Sequence[Deal]
    deal: Deal
    seen_version: int
    uuid: uuids.UUID
    written: Written
    actor: Actor
    signatory: str
    device: str
    made_at: dt.datetime
    reason: str
    why: str | None

    @cached_property
    def claims(self) -> list[DealClaim]:
        """The claim under its own uuid, if any, and the open claims on the deal."""
        return _claims.rows(deal=self.deal.pk, uuid=self.uuid)

    @property
    def is_blank(self) -> bool:
        """Whether the line is empty."""
        return self.deal.current is None or self.deal.current.written is None

    @property
    def side(self) -> str:
        """The side whose phone it is; at a table of three there are no sides."""
        return self.signatory if self.signatory in SIDES and not self.sheet.three_handed else ""


def _submitted_before(sent: _Sent) -> Submission | None:
    """The answer this uuid got before; None when it is new. Raises KeyReused."""
    # Nothing was written of a deal at version 0, and another deal's uuid is refused by the insert.
    entry = DealEntry.objects.filter(pk=sent.uuid).first() if sent.deal.version else None
    if entry is not None:
        line = _as_sent_first(sent, entry.written or {})
        if entry.deal_id != sent.deal.pk or not says_the_same(entry, line):
            raise key_reused()
        return Submission("written", sent.deal)
    claim = next((claim for claim in sent.claims if claim.pk == sent.uuid), None)
    if claim is None:
        return None
    sent_first = without_replays(_as_sent_first(sent, claim.written))
    if claim.deal_id != sent.deal.pk or without_replays(claim.written) != sent_first:
        raise key_reused()
    return (
        Submission("same", sent.deal)
        if claim.why == Why.SAME
        else Submission("claimed", sent.deal, claim)
    )


def _as_sent_first(sent: _Sent, stored: Mapping[str, Any]) -> dict[str, Any]:
    """What was sent, comparable to what was `stored` the first time: the keys that the form copies
    from the line without asking may have changed since."""
    line, standing = as_stored(sent.written), (line_of(sent.deal.current) or ({}, {}))[0]
    taken_over = {key for key in TAKEN_OVER if line.get(key) == standing.get(key)}
    own = {key: value for key, value in line.items() if key not in taken_over}
    return own | {key: stored[key] for key in taken_over if key in stored}


def _may_write(sent: _Sent) -> bool:
    """Whether it can be written right away."""
    if sent.why is not None or sent.sheet.state != OPEN:
        return False
    # A side does not see what the other wrote and took back: an empty line counts as unseen.
    if sent.side and sent.is_blank:
        return True
    standing, is_fresh = sent.deal.current, sent.deal.version == sent.seen_version
    return is_fresh and (not sent.side or standing is None or standing.side == sent.side)


def _write(sent: _Sent) -> None:
    deal_put(
        sheet=sent.sheet,
        deals=sent.deals,
        number=sent.deal.number,
        seen_version=sent.deal.version,
        uuid=sent.uuid,
        written=sent.written,
        actor=sent.actor,
        side=sent.side,
        device=sent.device,
        made_at=sent.made_at,
        reason=sent.reason,
        is_claimed=bool(sent.claims),
    )
    for older in _withdraw(sent):
        claim_left(older, sheet=sent.sheet, actor=sent.actor)


def _compare(sent: _Sent) -> Submission:
    if sent.sheet.state != CLOSED:
        require_open(sent.sheet)
    lines, standing = _lines(sent), sent.deal.current
    says_same = standing is not None and _matches(standing, lines)
    if says_same or _was_corrected_since(sent, lines):
        if standing is not None and sent.why != Why.CUT_OFF:
            _agree(sent, lines[0], standing, confirms=says_same)
        return Submission("same", sent.deal)
    late = Why.LATE if _is_done(sent) else Why.DIFFERENT
    return Submission("claimed", sent.deal, _store(sent, lines[0], sent.why or late))


def _is_done(sent: _Sent) -> bool:
    """Whether the sheet takes no further deals: closed, totals handed in, or played to its end."""
    try:
        require_no_totals(sent.sheet, sent.deals)
        require_room(sent.sheet, sent.deal)
    except DomainError:
        return True
    return sent.sheet.state == CLOSED


def _lines(sent: _Sent) -> list[EvaluatedLine]:
    """What was sent, evaluated; a reneging also as if it were waived, and as the first in its deal.
    Raises DealRefused."""
    sheet = sent.sheet
    readings = [as_settled(sent.deal, sheet, sent.written)]
    if sent.written.get("reneged"):
        readings += [{**sent.written, "replayed": True}, sent.written]
    return [
        (as_stored(written), as_stored(evaluated(sheet, written, sent.deal).as_json()))
        for written in readings
    ]


def _matches(entry: DealEntry, lines: list[EvaluatedLine]) -> bool:
    standing = line_of(entry)
    return standing is not None and any(same_deal(standing, line) for line in lines)


def _agree(sent: _Sent, line: EvaluatedLine, standing: DealEntry, *, confirms: bool) -> None:
    """Store once that this phone wrote what stands; a phone that may no longer write says nothing
    by it."""
    again = sent.deal.claims.filter(
        why=Why.SAME, against=standing, actor=sent.actor.ref, device=sent.device
    )
    if sent.claims or not again.exists():
        _store(sent, line, Why.SAME)
    if confirms:
        _confirm(sent, standing)


def _confirm(sent: _Sent, standing: DealEntry) -> None:
    if sent.signatory not in sent.sheet.signatories or sent.signatory == standing.side:
        return
    confirmation_add(
        sheet=sent.sheet,
        entry=standing,
        side=sent.signatory,
        actor=sent.actor,
        device=sent.device,
    )


def _was_corrected_since(sent: _Sent, lines: list[EvaluatedLine]) -> bool:
    """Whether this was written after the phone looked and has been corrected since: then it is in
    the deal's history already. A side, or an objection, is compared with what stands instead."""
    if sent.side or sent.why == Why.OBJECTED or line_of(sent.deal.current) is None:
        return False
    since = sent.deal.entries.filter(revision__gt=sent.seen_version)
    return any(_matches(entry, lines) for entry in since)


def _store(sent: _Sent, line: EvaluatedLine, why: str) -> DealClaim:
    """Store what was sent as a claim; earlier claims of this phone are withdrawn."""
    withdrawn, is_same = _withdraw(sent), why == Why.SAME
    _require_room_for_claim(sent.deal, is_open=not is_same)
    claim = DealClaim(
        uuid=sent.uuid,
        deal=sent.deal,
        against=sent.deal.current,
        why=why,
        written=as_stored(sent.written),
        result=line[1],
        reason=reason_checked(sent.reason, needed=False),
        side=sent.side,
        user=sent.actor.user,
        actor=sent.actor.ref,
        device=sent.device,
        made_at=sent.made_at,
        decided_at=timezone.now() if is_same else None,
        decided_by=sent.actor.ref if is_same else "",
        taken=True if is_same else None,
    )
    return claim_add(claim, sheet=sent.sheet, actor=sent.actor, instead_of=withdrawn)


def _require_room_for_claim(deal: Deal, *, is_open: bool) -> None:
    waiting = deal.claims.filter(OPEN_CLAIM).count() if is_open else 0
    if waiting >= MOST_CLAIMS or deal.claims.count() >= MOST_EVER:
        words = _("Deal %(n)s was written in too many ways. Ask the director to decide.")
        raise DomainError("too_many_claims", words % {"n": deal.number}, version=deal.version)


def _withdraw(sent: _Sent) -> list[DealClaim]:
    if not sent.claims:
        return []
    return claims_withdrawn(
        deal_id=sent.deal.pk, actor=sent.actor, device=sent.device, side=sent.side
    )
