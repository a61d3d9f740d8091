"""What a phone's outbox is told: the writes of the pages, answered in JSON."""

import datetime as dt
import uuid as uuids
from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from clubs.errors import DomainError, KeyReused
from clubs.numbers import whole_number
from scoring.errors import DealRefused
from scoring.forms import REASONS, DealForm
from scoring.models import DealClaim
from scoring.previews import preview_of
from scoring.services import Submission, deal_submit, deal_undo
from tournaments.models import Table
from tournaments.views.table.access import TableAccess

LONGEST_WAIT = dt.timedelta(days=30)
KEPT = (DealClaim.Why.LATE, DealClaim.Why.CUT_OFF)


def deal_answer(access: TableAccess, table: Table, form: DealForm) -> HttpResponse:
    """Write what a phone kept, or keep it beside what stands; whatever came of it is said."""
    if not form.is_valid():
        return _refused(form)
    try:
        submission = deal_submitted(access, table, form)
    except DealRefused as refused:
        form.add_refusal(refused)
        return _refused(form)
    except DomainError as error:
        return _error(error)
    return _told(submission, form)


def deal_submitted(access: TableAccess, table: Table, form: DealForm) -> Submission:
    """Submit a valid form for whoever has access; raises like `deal_submit`."""
    return deal_submit(
        sheet_id=table.sheet_id,
        number=form.number,
        seen_version=form.cleaned_data["seen_version"],
        uuid=form.cleaned_data["uuid"],
        written=form.written(),
        actor=access.actor,
        side=access.side,
        device=access.device.ref,
        made_at=made_at(form.data),
        reason=reason_given(form.data),
        why=access.late_why,
    )


def undo_answer(
    request: HttpRequest, access: TableAccess, table: Table, number: int
) -> HttpResponse:
    """Take back what a phone took back while it waited."""
    if access.is_late:
        return _answer("late", _("Nobody writes here any more."), status=409)
    try:
        entry = deal_undo(
            sheet_id=table.sheet_id,
            number=number,
            seen_version=whole_number(request.POST.get("seen_version", ""), otherwise=-1),
            uuid=uuid_of(request.POST),
            actor=access.actor,
            side=access.side,
            device=access.device.ref,
        )
    except DomainError as error:
        return _error(error)
    return _done("undone", number, entry.revision)


def made_at(fields: Mapping[str, str]) -> dt.datetime | None:
    """When the phone says that it was written; None when it doesn't say, or can't be right."""
    try:
        told = parse_datetime(fields.get("made_at", ""))
    except ValueError:
        return None
    now = timezone.now()
    if told is None or timezone.is_naive(told) or told < now - LONGEST_WAIT:
        return None
    return min(told, now)


def reason_given(fields: Mapping[str, str]) -> str:
    """The reason that came with a deal, also where by now none is asked for any more.

    A correction that is sent a second time finds itself on the sheet; it is the same correction
    only with the same reason.
    """
    own = fields.get("why_else", "").replace("\0", "").strip()
    return own or str(REASONS.get(fields.get("why", ""), ""))


def uuid_of(fields: Mapping[str, str]) -> uuids.UUID:
    """The UUID that the phone gave, else a new one."""
    try:
        return uuids.UUID(fields.get("uuid", ""))
    except ValueError:
        return uuids.uuid4()


def _told(submission: Submission, form: DealForm) -> HttpResponse:
    claim, deal = submission.claim, submission.deal
    if claim is None:
        return _done(submission.outcome, deal.number, deal.version)
    if claim.why in KEPT:
        message = _kept_words(claim.why) % {"n": deal.number}
        return _answer("kept", message, status=202, number=deal.number, why=claim.why)
    current = form.entry_in_words(deal.current) if deal.current else ()
    return _answer(
        "conflict",
        _("Deal %(n)s has been written differently.") % {"n": deal.number},
        status=409,
        number=deal.number,
        version=deal.version,
        claim=str(claim.pk),
        current=[str(line) for line in current],
        mine=[str(line) for line in preview_of(form).lines],
    )


def _kept_words(why: str) -> str:
    if why == DealClaim.Why.CUT_OFF:
        return _(
            "This phone may no longer write at this table. Deal %(n)s is kept for the director."
        )
    return _("Deal %(n)s came late. It is kept for the director.")


def _done(status: str, number: int, version: int) -> HttpResponse:
    return JsonResponse({"status": status, "number": number, "version": version})


def _refused(form: DealForm) -> HttpResponse:
    message = _("Deal %(n)s cannot be written like this.") % {"n": form.number}
    errors = {name: [str(text) for text in texts] for name, texts in form.errors.items()}
    return _answer("refused", message, status=422, errors=errors)


def _error(error: DomainError) -> HttpResponse:
    status = 422 if isinstance(error, KeyReused) else 409
    return _answer(error.code, error.message, status=status)


def _answer(code: str, message: str, *, status: int, **told: object) -> HttpResponse:
    return JsonResponse({"status": code, "message": message, **told}, status=status)
