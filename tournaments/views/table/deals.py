"""Writing, correcting and undoing deals at the table."""

import uuid as uuids
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from clubs.errors import DomainError, KeyReused, VersionConflict
from clubs.numbers import whole_number
from scoring.errors import DealRefused
from scoring.forms import REASONS, DealForm
from scoring.history import revisions
from scoring.previews import preview_of
from scoring.services import Submission, deal_undo, deal_write, says_the_same
from scoring.sheet_view import is_written, line_in_words
from tournaments.models import Table
from tournaments.views.table.access import (
    TableAccess,
    deal_view,
    see_other,
    table_render,
)
from tournaments.views.table.outbox import deal_answer, deal_submitted, undo_answer, uuid_of
from tournaments.views.table.pages import (
    form_context,
    may_write,
    outbox_context,
    page_context,
    sheet_page,
    table_refused,
)
from tournaments.views.table.turned_away import wants_json


@require_http_methods(["GET", "POST"])
@deal_view
def table_deal(
    request: HttpRequest, access: TableAccess, round_number: int, number: int
) -> HttpResponse:
    """Write one deal, or correct it.

    What will be written is said in words first: the page's preview does that while somebody taps,
    and else a page of its own. A phone's outbox gets its answer in JSON.
    """
    desk = _Desk.of(request, access, round_number, number)
    if request.method == "POST" and wants_json(request):
        return deal_answer(access, desk.table, desk.form)
    if request.method == "GET" or "back" in request.POST:
        return desk.page()
    form = desk.form
    preview = preview_of(form)
    if preview.refused is not None:
        form.add_refusal(preview.refused)
    if not form.is_valid():
        return desk.page(status=422)
    if request.POST.get("previewed") != preview.digest:
        return desk.render("check", {"preview": preview})
    return desk.write()


@require_POST
@deal_view
def table_undo(
    request: HttpRequest, access: TableAccess, round_number: int, number: int
) -> HttpResponse:
    """Take back what was written last."""
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


@dataclass(frozen=True, slots=True)
class _Desk:
    """One deal of one table in one request."""

    request: HttpRequest
    access: TableAccess
    table: Table
    form: DealForm

    @classmethod
    def of(
        cls, request: HttpRequest, access: TableAccess, round_number: int, number: int
    ) -> "_Desk":
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
                return self._told(deal_submitted(access, self.table, form))
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

    def _told(self, submission: Submission) -> HttpResponse:
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
        """Somebody else wrote this deal first: fine when it is the same, else choose."""
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
            "written_by": _who(current, self.access.device.ref) if current else "",
            "preview": preview_of(self.form),
            "reason": _given_reason(self.form),
            "fresh_uuid": uuids.uuid4(),
            "round_url": round_url,
        }
        return self.render("conflict", context, status=status)


def _given_reason(form: DealForm) -> str:
    """The reason for a correction that somebody else's overtook, else that there were two."""
    given = form.data.get("why_else", "").strip() or REASONS.get(form.data.get("why", ""))
    return str(given or _("two phones wrote this deal"))


def _who(entry: Any, device: str) -> str:
    if entry.user is not None:
        return _("by the director")
    if device and entry.device == device:
        return _("on this phone")
    return _("by the other phone")
