"""What the sides say of a finished sheet: it is right, or it isn't; and the director's word."""

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
from clubs.text.errors import DomainError
from scoring.deals.comparison import Line, claims_withdrawn, line_of, same_deal
from scoring.deals.entries import (
    Written,
    as_stored,
    evaluated,
    key_reused,
    reason_checked,
    require_open,
    sheet_lock,
    sheet_tell,
    writes_entry,
)
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


@transaction.atomic
def sheet_answer(
    *, sheet_id: int, side: str, seen_version: int, agrees: bool, actor: Actor, note: str = ""
) -> Confirmation:
    """One side (at a table of three: one person, by his seat) says that the finished sheet is
    right, or that it isn't (a dispute).

    Raises DomainError `sheet_gone`, `not_at_this_table` (no such side), `sheet_not_full`,
    `reason_too_long` (the note), and `sheet_moved_on` when the sheet has changed since.
    """
    sheet = sheet_lock(sheet_id)
    if side not in sheet.signatories:
        raise DomainError("not_at_this_table", _("Nobody at this table can say that."))
    if not sheet.is_full:
        raise DomainError("sheet_not_full", _("Write all deals first."))
    if sheet.version != seen_version:
        raise DomainError("sheet_moved_on", _("The sheet has changed. Look at it once more."))
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
    """The director has dealt with a dispute; once is enough."""
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


# What a phone had waiting: written where it can be, else kept beside what stands.

Outcome = Literal["written", "same", "claimed"]
Why = DealClaim.Why
TAKEN_OVER = "corrections", "accused_wrongly_by", "dealer"
"""What a form at the table may leave in a line without asking for it."""

MOST_CLAIMS = 12
"""Limit per deal: more competing values than this is abuse."""

OPEN, CLOSED = Scoresheet.State.OPEN, Scoresheet.State.CLOSED

DONE = "totals_handed_in", "sheet_full"
"""Why an open sheet takes no further deals."""


@dataclass(frozen=True, slots=True)
class Submission:
    """What became of a deal that was sent: `written` on the sheet, the `same` as what stands
    there (or stood there since the phone looked, and was corrected), or `claimed`, kept as `claim`
    until somebody decides. `deal` is how it stands now."""

    outcome: Outcome
    deal: Deal
    claim: DealClaim | None = None


@dataclass(frozen=True)
class _Sent:
    """A deal on its way in."""

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
        """What is kept under its own uuid, and what else waits beside the deal."""
        return list(DealClaim.objects.filter(Q(OPEN_CLAIM, deal=self.deal) | Q(pk=self.uuid)))

    @property
    def is_blank(self) -> bool:
        """Whether nothing stands on the line."""
        return self.deal.current is None or self.deal.current.written is None

    @property
    def side(self) -> str:
        """Whose phone it is; at a table of three there are no sides."""
        return self.signatory if self.signatory in SIDES and not self.sheet.three_handed else ""


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
    """Write deal `number` if nothing stands in its way; else keep it beside what does.

    It is kept as a claim when the deal is no longer at `seen_version`, when the sheet is done
    (LATE: closed, totals handed in, or a side has the points that end it), when `why` says so
    (CUT_OFF: this phone may no longer write; OBJECTED: the other side counted something else), and,
    where each side writes with its own phone (`side`), whenever what stands is not of that side:
    then the two are compared and never overwritten. What comes to the same as what stands is no
    difference; it is that side's confirmation where it did not write it.

    A newer value from the same phone, or the same side, replaces its open claim on the deal.
    The same `uuid` again gives the same answer and does nothing, also when the claim was decided
    since.

    Raises DealRefused, KeyReused, and DomainError `sheet_gone`, `sheet_not_started`,
    `deal_unknown`, `reason_needed`, `reason_too_long`, or `too_many_claims` when as many as 12
    values wait already; then the phone has to keep it.
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


def _submitted_before(sent: _Sent) -> Submission | None:
    """The answer that this uuid had; None when it is new. Raises KeyReused."""
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
    """What was sent, as it was `stored` the first time: what the form took over from the line as
    it stands, without asking for it, may have changed since."""
    line, standing = as_stored(sent.written), (line_of(sent.deal.current) or ({}, {}))[0]
    taken_over = {key for key in TAKEN_OVER if line.get(key) == standing.get(key)}
    own = {key: value for key, value in line.items() if key not in taken_over}
    return own | {key: stored[key] for key in taken_over if key in stored}


def _may_write(sent: _Sent) -> bool:
    """Whether nothing stands in its way. A side does not see what the other wrote and took back,
    so an empty line is its to write, whatever version that has."""
    if sent.why is not None or sent.sheet.state != OPEN:
        return False
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
    if standing is not None and _says(standing, lines):
        _keep(sent, lines[0], Why.SAME)
        _confirm(sent, standing)
        return Submission("same", sent.deal)
    if _was_corrected_since(sent, lines):
        _keep(sent, lines[0], Why.SAME)
        return Submission("same", sent.deal)
    late = Why.LATE if _is_done(sent) else Why.DIFFERENT
    return Submission("claimed", sent.deal, _keep(sent, lines[0], sent.why or late))


def _is_done(sent: _Sent) -> bool:
    """Whether the sheet takes no further deals: closed, totals handed in, or played to its end."""
    try:
        require_no_totals(sent.sheet, sent.deals)
        require_room(sent.sheet, sent.deal)
    except DomainError:
        return True
    return sent.sheet.state == CLOSED


def _lines(sent: _Sent) -> list[Line]:
    """What was sent and what that comes to; of a reneging also let off, and as the first in its
    deal. Raises DealRefused."""
    sheet = sent.sheet
    readings = [as_settled(sent.deal, sheet, sent.written)]
    if sent.written.get("reneged"):
        readings += [{**sent.written, "replayed": True}, sent.written]
    return [(as_stored(one), as_stored(evaluated(sheet, one).as_json())) for one in readings]


def _says(entry: DealEntry, lines: list[Line]) -> bool:
    standing = line_of(entry)
    return standing is not None and any(same_deal(standing, line) for line in lines)


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


def _was_corrected_since(sent: _Sent, lines: list[Line]) -> bool:
    """Whether this stood on the sheet after the phone looked and somebody corrected it: then it is
    in the deal's history, and no news. A side, or an objection, is compared with what stands."""
    if sent.side or sent.why == Why.OBJECTED or line_of(sent.deal.current) is None:
        return False
    since = sent.deal.entries.filter(revision__gt=sent.seen_version)
    return any(_says(entry, lines) for entry in since)


def _keep(sent: _Sent, line: Line, why: str) -> DealClaim:
    """What was sent, kept beside what stands; what this phone claimed before is withdrawn."""
    withdrawn, is_same = _withdraw(sent), why == Why.SAME
    if not is_same:
        _require_few(sent.deal)
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


def _require_few(deal: Deal) -> None:
    if deal.claims.filter(OPEN_CLAIM).count() >= MOST_CLAIMS:
        words = _("Deal %(n)s was written in too many ways. Ask the director to decide.")
        raise DomainError("too_many_claims", words % {"n": deal.number})


def _withdraw(sent: _Sent) -> list[DealClaim]:
    if not sent.claims:
        return []
    return claims_withdrawn(
        deal_id=sent.deal.pk, actor=sent.actor, device=sent.device, side=sent.side
    )
