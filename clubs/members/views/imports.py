"""Importing a list of members: upload, preview, confirmation."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubs.access.permissions import MANAGE_MEMBERS, actor_of, desk_view
from clubs.files.reading import FileFault, FileFaults
from clubs.http.pages import show, typed
from clubs.members.forms import UploadForm
from clubs.members.imports import MembersImported, members_import, members_plan
from clubs.members.uploads import upload_keep, upload_source, upload_waiting
from clubs.models import Club, Upload
from clubs.namesakes.views import new_namesakes_said
from clubs.text.errors import DomainError, VersionConflict

SECTION = "members"
MEMBERS = Upload.Kind.MEMBERS
read_or_write = require_http_methods(["GET", "HEAD", "POST"])


@desk_view(MANAGE_MEMBERS)
@read_or_write
def member_import(request: HttpRequest, club: Club) -> HttpResponse:
    """Upload a list; every faulty line is reported."""
    form = UploadForm(typed(request), request.FILES or None)
    faults: list[FileFault] = []
    if form.is_valid():
        file = form.cleaned_data["file"]
        try:
            members_plan(club=club, source=file)
        except FileFaults as error:
            faults = error.faults
        else:
            file.seek(0)
            upload = upload_keep(
                club=club,
                kind=MEMBERS,
                file=file,
                name=file.name,
                details={},
                actor=actor_of(request),
            )
            return redirect("member_import_preview", club.slug, upload.uuid)
    return _faulty(request, club, form, faults)


@desk_view(MANAGE_MEMBERS)
@read_or_write
def member_import_preview(request: HttpRequest, club: Club, uuid: str) -> HttpResponse:
    """Preview what the list would change, and import it on a POST."""
    upload = upload_waiting(club=club, kind=MEMBERS, uuid=uuid)
    if upload is None:
        raise Http404
    is_confirmed = request.method == "POST"
    try:
        if is_confirmed and (done := _import(request, upload)):
            messages.success(request, _summary(done))
            return redirect("member_list", club.slug)
        plan = members_plan(club=club, source=upload_source(upload))
    except FileFaults as error:
        return _faulty(request, club, UploadForm(), error.faults)
    except DomainError as error:
        messages.error(request, error.message)
        return redirect("member_import", club.slug)
    return show(
        request,
        "members/member_import_preview.html",
        club,
        SECTION,
        upload=upload,
        plan=plan,
        changed=is_confirmed,
        status=409 if is_confirmed else None,
    )


def _import(request: HttpRequest, upload: Upload) -> MembersImported | None:
    """Import the file; None where it would now do something else than the preview showed."""
    try:
        with new_namesakes_said(request, upload.club):
            return members_import(
                club=upload.club,
                source=upload_source(upload),
                actor=actor_of(request),
                seen=request.POST.get("seen", ""),
                upload=upload,
            )
    except VersionConflict:
        return None


def _summary(done: MembersImported) -> str:
    words = {"added": done.added, "changed": done.changed, "unchanged": done.unchanged}
    return _("Imported: %(added)s new, %(changed)s changed, %(unchanged)s unchanged.") % words


def _faulty(
    request: HttpRequest, club: Club, form: UploadForm, faults: list[FileFault]
) -> HttpResponse:
    status = 422 if faults else None
    return show(
        request,
        "members/member_import.html",
        club,
        SECTION,
        form=form,
        faults=faults,
        status=status,
    )
