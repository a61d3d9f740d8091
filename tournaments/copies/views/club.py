"""The pages of a club's copies at the desk."""

import uuid as uuids
from collections.abc import Iterator

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access.permissions import KEEP_COPIES, actor_of, desk_view, is_alone
from clubs.http.pages import form_saved, typed
from clubs.models import Club
from tournaments.copies.folder import folder_choose, folder_forget, plugged_in
from tournaments.copies.forms import FolderForm, PlaceForm, SendForm
from tournaments.copies.services import copy_pieces, copy_start, copy_taken
from tournaments.copies.trial import held_here
from tournaments.copies.views.shared import place, sent, show_copy
from tournaments.copies.worker import copy_make_aside, folder_copy_aside
from tournaments.models import Copy, CopyFolder, Evening

Kind, State = Copy.Kind, Copy.State
read_or_write = require_http_methods(["GET", "HEAD", "POST"])


@desk_view(KEEP_COPIES)
@require_safe
def copy_home(request: HttpRequest, club: Club) -> HttpResponse:
    """Download everything, put a copy back, and the folder for copies by themselves."""
    copies = Copy.objects.filter(club=club)
    return _page(
        request,
        club,
        "home",
        form=SendForm(),
        taken=copies.exclude(taken_at=None).order_by("-taken_at").first(),
        before=copies.filter(kind=Kind.BEFORE).exclude(state=State.PLACED).order_by("-started_at"),
        alone=is_alone(club),
        folder=CopyFolder.objects.first(),
    )


@desk_view(KEEP_COPIES)
@require_POST
def copy_make(request: HttpRequest, club: Club) -> HttpResponse:
    """Have the file made; a second press leads to the one that is being made."""
    with transaction.atomic():
        copy, is_new = copy_start(club=club, user=actor_of(request).user)
        if is_new:
            copy_make_aside(copy, get_language() or "nl")
    return redirect("copy_page", club.slug, copy.uuid)


@desk_view(KEEP_COPIES)
@read_or_write
def copy_send_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Take a file that is sent, whole or in pieces."""
    answer = sent(request, club) if request.method == "POST" else SendForm()
    return answer if isinstance(answer, HttpResponse) else _page(request, club, "send", form=answer)


@desk_view(KEEP_COPIES)
@read_or_write
def copy_page(request: HttpRequest, club: Club, uuid: uuids.UUID) -> HttpResponse:
    """How far a copy is; what a file holds and what it would replace; on a POST it is put back."""
    copy = get_object_or_404(club.copies.select_related("club"), uuid=uuid)
    form = PlaceForm(typed(request), club_name=club.name)
    if request.method == "POST" and copy.kind == Kind.MADE:
        raise Http404
    if form_saved(form, lambda: place(copy, actor_of(request).user)):
        return redirect("copy_page", club.slug, copy.uuid)
    running = Evening.objects.of(club).filter(state=Evening.State.RUNNING).exists()
    here = held_here(club)
    context = {"club": club, "form": form, "here": here, "running": running, "other": _other(copy)}
    response = show_copy(request, copy, **context)
    response.status_code = 422 if form.errors else 200
    return response


def _other(copy: Copy) -> bool:
    """Whether it holds another club than the one whose place it takes."""
    return bool(copy.contents and copy.club and copy.contents[0]["uuid"] != str(copy.club.uuid))


@desk_view(KEEP_COPIES)
@require_safe
def copy_file(request: HttpRequest, club: Club, uuid: uuids.UUID) -> HttpResponse:
    """A finished file, a piece at a time."""
    copy = get_object_or_404(club.copies.exclude(kind=Kind.SENT), uuid=uuid)
    if not copy.is_ready or not copy.pieces.exists():
        raise Http404
    disposition = content_disposition_header(as_attachment=True, filename=copy.name)
    headers = {
        "Content-Disposition": disposition or "attachment",
        "Content-Length": str(copy.size),
        "Cache-Control": "no-store",
    }
    return StreamingHttpResponse(  # type: ignore[return-value]
        _taken_whole(copy), content_type="application/octet-stream", headers=headers
    )


def _taken_whole(copy: Copy) -> Iterator[bytes]:
    """The content; once all of it went out, it was downloaded."""
    yield from copy_pieces(copy)
    copy_taken(copy=copy)


@desk_view(KEEP_COPIES)
@read_or_write
def copy_folder(request: HttpRequest, club: Club) -> HttpResponse:
    """Choose the folder for copies that are made by themselves."""
    if not is_alone(club):
        raise Http404
    present = CopyFolder.objects.first()
    form = FolderForm(
        typed(request), present=present.path if present else "", plugged_in=plugged_in()
    )
    if form_saved(form, lambda: folder_choose(path=form.folder)):
        folder_copy_aside()
        messages.success(
            request, _("From now on copies go to this folder. The first one is made now.")
        )
        return redirect("copy_home", club.slug)
    return _page(request, club, "folder", form=form, folder=present)


@desk_view(KEEP_COPIES)
@require_POST
def copy_folder_forget(request: HttpRequest, club: Club) -> HttpResponse:
    """Make no more copies; those that are there stay."""
    if not is_alone(club):
        raise Http404
    folder_forget()
    messages.success(
        request, _("No more copies are made by themselves. Those that are there stay.")
    )
    return redirect("copy_home", club.slug)


def _page(request: HttpRequest, club: Club, template: str, **context: object) -> HttpResponse:
    form = context.get("form")
    faulty = form is not None and bool(getattr(form, "errors", None))
    return render(
        request,
        f"tournaments/copies/{template}.html",
        {"club": club, "section": "settings", **context},
        status=422 if faulty else 200,
    )
