"""Reading in a list of members: choose or paste it, look at what will be made, and say yes."""

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubs.access.permissions import MANAGE_MEMBERS, actor_of, desk_view
from clubs.files.reading import FileFaults
from clubs.http.pages import show, typed
from clubs.lists.reading import ListFile, heading_at, heading_lines, list_read, sheets_words
from clubs.members.forms import ListForm, UploadForm
from clubs.members.imports import upload_keep, upload_waiting
from clubs.members.list_fields import LABELS
from clubs.members.list_import import (
    member_list_import,
    upload_choices,
    upload_choose,
    upload_list,
    upload_plan,
    upload_sheet,
)
from clubs.members.list_plan import OUT, Choices, ListPlan
from clubs.members.views.members import new_namesakes_said
from clubs.models import Club, Upload
from clubs.text.errors import DomainError, VersionConflict

SECTION = "members"
MEMBERS = Upload.Kind.MEMBERS
EXAMPLES, FIRST = 3, 20
MOST_SHOWN = 100
"""Questions or faults on one page; the others come once these are answered."""
T = TypeVar("T")
LONGEST = 200
read_or_write = require_http_methods(["GET", "HEAD", "POST"])

_MENDED = re.compile(r"mend-(\d{1,7})-(\w{1,20})", re.ASCII)
_ANSWER = re.compile(r"answer-(\d{1,7})", re.ASCII)


@desk_view(MANAGE_MEMBERS)
@read_or_write
def member_import(request: HttpRequest, club: Club) -> HttpResponse:
    """Choose or paste a list; what is no list is refused in words."""
    form = UploadForm(typed(request), request.FILES or None)
    refusal = ""
    if form.is_valid():
        name, content = form.content()
        try:
            upload_plan(Upload(club=club), list_read(content))
        except FileFaults as error:
            refusal = str(error)
        else:
            upload = upload_keep(
                club=club,
                kind=MEMBERS,
                file=io.BytesIO(content),
                name=name,
                details={},
                actor=actor_of(request),
            )
            return redirect("member_import_preview", club.slug, upload.uuid)
    return show(
        request,
        "members/member_import.html",
        club,
        SECTION,
        form=form,
        refusal=refusal,
        status=422 if refusal else None,
    )


@desk_view(MANAGE_MEMBERS)
@read_or_write
def member_import_preview(request: HttpRequest, club: Club, uuid: str) -> HttpResponse:
    """What reading in the list would do. A POST keeps what was chosen, and reads it in when asked
    to and nothing is left to look at."""
    upload = upload_waiting(club=club, kind=MEMBERS, uuid=uuid)
    if upload is None:
        raise Http404
    upload.club = club
    try:
        read = upload_list(upload)
        if request.method != "POST":
            return _page(request, upload, read, _list_form(upload), Look())
        return _posted(request, upload, read)
    except FileFaults as error:
        messages.error(request, str(error))
    except DomainError as error:
        messages.error(request, error.message)
    return redirect("member_import", club.slug)


@dataclass(frozen=True, slots=True)
class Look:
    """Why the page is shown once more."""

    reason: str = ""
    status: int = 200


def _posted(request: HttpRequest, upload: Upload, read: ListFile) -> HttpResponse:
    form = _list_form(upload, request.POST)
    before = upload_plan(upload, read)
    club = upload.club
    present = upload_sheet(upload, read)
    sheet = _whole_number(request.POST.get("sheet", ""), present) or 0
    choices = _choices(request.POST, before, upload_choices(upload))
    public_as = form.cleaned_data["public_as"] if form.is_valid() else ""
    upload = upload_choose(upload=upload, sheet=sheet, choices=choices, public_as=public_as)
    upload.club = club
    if "import" not in request.POST:
        return redirect("member_import_preview", club.slug, upload.uuid)
    after = upload_plan(upload, read)
    look = _look_again(request.POST.get("seen", ""), before, after)
    if look is None and form.is_valid():
        try:
            with new_namesakes_said(request, club):
                done = member_list_import(
                    upload=upload,
                    read=read,
                    seen=after.fingerprint,
                    public_as=public_as,
                    actor=actor_of(request),
                )
        except VersionConflict:
            look = Look("changed", 409)
        else:
            words = {"added": done.added, "changed": done.changed, "unchanged": done.unchanged}
            message = _("Imported: %(added)s new, %(changed)s changed, %(unchanged)s unchanged.")
            messages.success(request, message % words)
            return redirect("import_done", club.slug, upload.uuid)
    return _page(request, upload, read, form, look or Look("form", 422))


def _list_form(upload: Upload, posted: QueryDict | None = None) -> ListForm:
    return ListForm(posted, club=upload.club, chosen=upload.details.get("public_as", ""))


def _look_again(seen: str, before: ListPlan, after: ListPlan) -> Look | None:
    """Why this cannot be read in at once: something would come that was not on the page."""
    if before.fingerprint != seen:
        return Look("changed", 409)
    if after.unanswered:
        return Look("unanswered", 422)
    is_shown = before.sheet == after.sheet and before.layout == after.layout
    has_new_fault = {p.line for p in after.faulty} - {p.line for p in before.faulty}
    if not is_shown or has_new_fault or before.choices.mended != after.choices.mended:
        return Look("chosen")
    return None if after.has_names else Look("chosen", 422)


# What was typed.


def _whole_number(text: str, otherwise: int | None) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else otherwise


def _choices(posted: QueryDict, plan: ListPlan, before: Choices) -> Choices:
    mended, answers = _mended(posted, plan, before), _answers(posted, plan, before)
    shown = heading_at(plan.sheet, plan.layout.above, plan.layout.below)
    heading = _whole_number(posted.get("heading", ""), shown)
    if heading != shown:
        return Choices(heading, {}, mended, answers)
    columns: dict[int, str | None] = dict(before.columns)
    for at in range(len(plan.layout.columns)):
        key = posted.get(f"column-{at}")
        if key is not None and (key == "" or key in LABELS):
            columns[at] = key or None
    return Choices(before.heading, columns, mended, answers)


def _mended(posted: QueryDict, plan: ListPlan, before: Choices) -> dict[int, Mapping[str, str]]:
    faults = {person.line: person.faults for person in plan.faulty}
    mended = {line: dict(cells) for line, cells in before.mended.items()}
    for name, text in posted.items():
        match = _MENDED.fullmatch(name)
        if match is None or not isinstance(text, str):
            continue
        line, key, value = int(match[1]), match[2], " ".join(text.split())[:LONGEST]
        fault = faults.get(line, {}).get(key)
        if fault is not None and fault[0] != value:
            mended.setdefault(line, {})[key] = value
    if "without" in posted:
        for line, cells in faults.items():
            own = mended.setdefault(line, {})
            own |= {
                key: ""
                for key, (text, _why) in cells.items()
                if key != "name" and own.get(key, text) == text
            }
    return dict(mended)


def _answers(posted: QueryDict, plan: ListPlan, before: Choices) -> dict[int, str]:
    answers = dict(before.answers)
    if "without" in posted:
        answers |= {person.line: OUT for person in plan.faulty if "name" in person.faults}
    for name, text in posted.items():
        if isinstance(text, str) and (match := _ANSWER.fullmatch(name)):
            answers[int(match[1])] = text[:20]
    return answers


# The page.


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the list as the page shows it: what it is, its heading and its first cells."""

    at: int
    key: str
    heading: str
    cells: list[str]


def _page(
    request: HttpRequest, upload: Upload, read: ListFile, form: ListForm, look: Look
) -> HttpResponse:
    plan = upload_plan(upload, read)
    labels: list[tuple[str, str | Promise]] = [("", _("not read")), *LABELS.items()]
    at = upload_sheet(upload, read)
    heading = heading_at(plan.sheet, plan.layout.above, plan.layout.below)
    return show(
        request,
        "members/member_import_preview.html",
        upload.club,
        SECTION,
        form=form,
        upload=upload,
        read=read,
        plan=plan,
        columns=_columns(plan),
        labels=labels,
        example_lines=range(EXAMPLES),
        unread=plan.unread_columns(),
        questions=_first(plan.unanswered, 2 if plan.faulty else 4),
        faulty=_first(plan.faulty, 3 if plan.unanswered else 6),
        is_fine=not (plan.unanswered or plan.faulty),
        mended=[texts for person in plan.mended for texts in person.mended],
        recognised=[str(LABELS[key]) for key in LABELS if key in plan.layout.assigned],
        sheet_at=at,
        sheet_names=_sheet_names(read),
        sheets_not_read=sheets_words(
            other for other in read.sheets if other is not read.sheets[at]
        ),
        heading_lines=heading_lines(plan.sheet, heading),
        heading_at=heading,
        look=look,
        status=look.status,
    )


def _first(items: Sequence[T], n: int) -> tuple[Sequence[T], Sequence[T]]:
    """Those to show at once, and those to fold, of the first that a page can have."""
    return items[:n], items[n:MOST_SHOWN]


def _sheet_names(read: ListFile) -> list[str]:
    return [sheet.name for sheet in read.sheets] if len(read.sheets) > 1 else []


def _columns(plan: ListPlan) -> list[Column]:
    """The columns that have something in them, with some lines side by side: the fullest of the
    first, so that most columns show something."""
    lines = plan.sheet.lines[plan.layout.below :]
    fullest = sorted(lines[:FIRST], key=lambda line: -len(line.filled))[:EXAMPLES]
    examples = [line for line in lines[:FIRST] if line in fullest]
    return [
        Column(at, key or "", plan.layout.headings[at], [line.cell(at) for line in examples])
        for at, key in enumerate(plan.layout.columns)
        if plan.layout.headings[at] or plan.sheet.column(at, lines)
    ]
