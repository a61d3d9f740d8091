"""Writing, correcting and undoing deals at the table: by the page, or by a phone's outbox."""

import datetime as dt
import uuid as uuids
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from clubs.http.pages import see_other
from clubs.text.errors import DomainError, KeyReused, VersionConflict
from clubs.text.numbers import whole_number
from scoring.deals.forms import REASONS, DealForm
from scoring.deals.phone import preview_of
from scoring.deals.services import deal_undo, deal_write, says_the_same
from scoring.display.history import revisions
from scoring.display.sheet_view import is_written, line_in_words
from scoring.display.words import DealRefused
from scoring.disputes.submissions import Submission, deal_submit
from scoring.models import DealClaim
from tournaments.models import Table
from tournaments.scoresheets.views.access import TableAccess, deal_view, table_render
from tournaments.scoresheets.views.table import (
    form_context,
    may_write,
    outbox_context,
    page_context,
    sheet_page,
    table_refused,
)
from tournaments.table_links.devices import wants_json

LONGEST_WAIT = dt.timedelta(days=30)
KEPT_AS_CLAIM = (DealClaim.Why.LATE, DealClaim.Why.CUT_OFF)


@require_http_methods(["GET", "POST"])
@deal_view
def table_deal(
    request: HttpRequest, access: TableAccess, round_number: int, number: int
) -> HttpResponse:
    """Write one deal, or correct it.

    The deal is first shown in words: by the preview on the page, or without scripts on a page of
    its own. A phone's outbox gets its answer in JSON.
    """
    page = _DealPage.of(request, access, round_number, number)
    if request.method == "POST" and wants_json(request):
        return deal_answer(access, page.table, page.form)
    if request.method == "GET" or "back" in request.POST:
        return page.page()
    form = page.form
    preview = preview_of(form)
    if preview.refused is not None:
        form.add_refusal(preview.refused)
    if not form.is_valid():
        return page.page(status=422)
    if request.POST.get("previewed") != preview.digest:
        return page.render("check", {"preview": preview})
    return page.write()


@require_POST
@deal_view
def table_undo(
    request: HttpRequest, access: TableAccess, round_number: int, number: int
) -> HttpResponse:
    """Undo the deal that was written last."""
    table = access.table(round_number)
    if wants_json(request):
        return undo_answer(request, access, table, number)
    try:
        deal_undo(
            sheet_id=table.sheet_id,
            number=number,
            seen_version=whole_number(request.POST.get("seen_version", ""), otherwise=-1),
            uuid=uuid_of(request.POST),
            actor=access.actor,
            side=access.side,
            device=access.device.ref,
        )
    except DomainError as error:
        return table_refused(request, access, table, error)
    return see_other(access.url("table_round", round_number))


def deal_answer(access: TableAccess, table: Table, form: DealForm) -> HttpResponse:
    """Write a deal that waited on a phone, or keep it as a claim, and answer what became of it."""
    if not form.is_valid():
        return _refused(form)
    try:
        submission = deal_submitted(access, table, form)
    except DealRefused as refused:
        form.add_refusal(refused)
        return _refused(form)
    except DomainError as error:
        return _error(error)
    return _submission_answer(submission, form)


def undo_answer(
    request: HttpRequest, access: TableAccess, table: Table, number: int
) -> HttpResponse:
    """Undo a deal that the phone undid while it was offline."""
    if access.is_late:
        return _answer("late", _("This table is no longer written."), status=409)
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


def made_at(fields: Mapping[str, str]) -> dt.datetime | None:
    """When the deal was written according to the phone; None if it does not say, or cannot know."""
    try:
        claimed = parse_datetime(fields.get("made_at", ""))
    except ValueError:
        return None
    now = timezone.now()
    if claimed is None or timezone.is_naive(claimed) or claimed < now - LONGEST_WAIT:
        return None
    # A clock that runs ahead cannot have written a deal in the future.
    return min(claimed, now)


def reason_given(fields: Mapping[str, str]) -> str:
    """The reason that came with a deal, even where none is needed.

    A correction that is sent twice is already on the sheet; it only counts as the same correction
    if its reason is the same.
    """
    own = fields.get("why_else", "").replace("\0", "").strip()
    return own or str(REASONS.get(fields.get("why", ""), ""))


def uuid_of(fields: Mapping[str, str]) -> uuids.UUID:
    """The UUID chosen by the phone, else a new one."""
    try:
        return uuids.UUID(fields.get("uuid", ""))
    except ValueError:
        return uuids.uuid4()


def _submission_answer(submission: Submission, form: DealForm) -> HttpResponse:
    claim, deal = submission.claim, submission.deal
    if claim is None:
        return _done(submission.outcome, deal.number, deal.version)
    if claim.why in KEPT_AS_CLAIM:
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
    standing = {key: value for key, value in error.params.items() if key == "version"}
    return _answer(error.code, error.message, status=status, **standing)


def _answer(code: str, message: str, *, status: int, **details: object) -> HttpResponse:
    return JsonResponse({"status": code, "message": message, **details}, status=status)


@dataclass(frozen=True, slots=True)
class _DealPage:
    """One deal of one table in one request."""

    request: HttpRequest
    access: TableAccess
    table: Table
    form: DealForm

    @classmethod
    def of(
        cls, request: HttpRequest, access: TableAccess, round_number: int, number: int
    ) -> "_DealPage":
        table = access.table(round_number)
        data = request.POST if request.method == "POST" else None
        try:
            form = DealForm(data, view=access.sheet_view(table), number=number)
        except LookupError as error:
            raise Http404 from error
        return cls(request, access, table, form)

    def page(self, status: int = 200) -> HttpResponse:
        """The deal's form: on the sheet's own page where it is the next deal, else alone."""
        form, view = self.form, self.form.view
        if form.number == view.next_number and may_write(self.table):
            return sheet_page(self.request, self.access, self.table, form, status=status)
        return self.render("deal", {"revisions": revisions(form.deal, form.view)}, status=status)

    def render(
        self, template: str, context: Mapping[str, Any], *, status: int = 200
    ) -> HttpResponse:
        shared = page_context(self.access, self.table, self.form.view)
        shared |= outbox_context(self.access, self.table, self.form.view)
        shared |= form_context(self.access, self.table, self.form)
        return table_render(
            self.request, self.access, template, {**shared, **context}, status=status
        )

    def write(self) -> HttpResponse:
        form, access = self.form, self.access
        try:
            if access.side:
                return self._submitted(deal_submitted(access, self.table, form))
            deal_write(
                sheet_id=self.table.sheet_id,
                number=form.number,
                seen_version=form.cleaned_data["seen_version"],
                uuid=form.cleaned_data["uuid"],
                written=form.written(),
                actor=access.actor,
                device=access.device.ref,
                reason=form.reason(),
            )
        except DealRefused as refused:
            form.add_refusal(refused)
            return self.page(status=422)
        except (VersionConflict, KeyReused) as error:
            return self._overtaken(409 if isinstance(error, VersionConflict) else 422)
        except DomainError as error:
            return table_refused(self.request, access, self.table, error, form)
        return see_other(access.url("table_round", self.table.round.number))

    def _submitted(self, submission: Submission) -> HttpResponse:
        round_url = self.access.url("table_round", self.table.round.number)
        if submission.claim is None:
            return see_other(round_url)
        current = submission.deal.current
        context = {
            "current_lines": self.form.entry_in_words(current) if current else (),
            "preview": preview_of(self.form),
            "round_url": round_url,
        }
        return self.render("kept", context, status=409)

    def _overtaken(self, status: int) -> HttpResponse:
        """Somebody else wrote this deal first: done if it is the same, else the table chooses."""
        number = self.form.number
        deal = self.table.sheet.deals.select_related("current__user").get(number=number)
        current = deal.current
        round_url = self.access.url("table_round", self.table.round.number)
        if current is not None and says_the_same(current, self.form.written()):
            return see_other(round_url)
        context = {
            "deal": deal,
            "is_written": is_written(deal),
            "written_score": line_in_words(current, self.table.sheet) if current else "",
            "current_lines": self.form.entry_in_words(current) if current else (),
            "written_by": _author_words(current, self.access.device.ref) if current else "",
            "preview": preview_of(self.form),
            "reason": _given_reason(self.form),
            "fresh_uuid": uuids.uuid4(),
            "round_url": round_url,
        }
        return self.render("conflict", context, status=status)


def _given_reason(form: DealForm) -> str:
    """The reason given for a correction that came too late, else that two phones wrote it."""
    given = form.data.get("why_else", "").strip() or REASONS.get(form.data.get("why", ""))
    return str(given or _("two phones wrote this deal"))


def _author_words(entry: Any, device: str) -> str:
    if entry.user is not None:
        return _("by the director")
    if device and entry.device == device:
        return _("on this phone")
    return _("by the other phone")
