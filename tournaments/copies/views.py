"""The pages of copies with their forms: a club's at the desk, and bringing one to an installation
without a club."""

import datetime as dt
import uuid as uuids
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.dateparse import parse_datetime
from django.utils.http import content_disposition_header
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access.permissions import KEEP_COPIES, actor_of, desk_view, is_alone
from clubs.http.network import is_at_the_machine
from clubs.http.pages import form_saved, typed
from clubs.models import Club, Role, User
from clubs.profile.services import password_path
from clubs.text.errors import DomainError
from clubs.text.names import name_key
from tournaments.copies.services import (
    copy_pieces,
    copy_place,
    copy_send,
    copy_start,
    copy_taken,
    folder_choose,
    folder_forget,
    plugged_in,
)
from tournaments.copies.worker import (
    copy_check_aside,
    copy_make_aside,
    copy_place_aside,
    folder_copy_aside,
    held_here,
)
from tournaments.models import Copy, CopyFolder, Evening


class SendForm(forms.Form):
    """A file, or a piece of one: a script sends large files in pieces."""

    file = forms.FileField(
        label=gettext_lazy("File with the copy"),
        help_text=gettext_lazy("Its name ends in .club or .backup; at most 1 GB."),
        allow_empty_file=True,
    )
    copy = forms.CharField(required=False, widget=forms.HiddenInput)
    start = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)
    total = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)
    name = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)

    @property
    def piece(self) -> dict[str, Any]:
        """What the service asks for. Without a script it is the whole file."""
        given = self.cleaned_data
        file = given["file"]
        content = file.read()
        return {
            "content": content,
            "start": given["start"] or 0,
            "total": len(content) if given["total"] is None else given["total"],
            "uuid": given["copy"],
            "name": given["name"] or file.name,
        }


class PlaceForm(forms.Form):
    """The name of the club, typed by whoever is sure."""

    name = forms.CharField(max_length=200)

    def __init__(self, data: Mapping[str, Any] | None = None, *, club_name: str) -> None:
        super().__init__(data)
        self._club_name = club_name
        self.fields["name"].label = _("Type the name of the club to be sure: %(name)s") % {
            "name": club_name
        }

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name_key(name) != name_key(self._club_name):
            raise forms.ValidationError(_("That is not the name of the club."))
        return name


class FolderForm(forms.Form):
    """The folder for copies that are made by themselves: one that is plugged in, or one typed."""

    OTHER = ""

    choice = forms.ChoiceField(
        label=gettext_lazy("Where do the copies go?"), widget=forms.RadioSelect, required=False
    )
    path = forms.CharField(
        label=gettext_lazy("Another folder"),
        required=False,
        max_length=500,
        help_text=gettext_lazy(
            "Only fill this in with the last choice: the whole path, for example %(example)s."
        )
        % {"example": "/home/anna/klaverclub"},
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, present: str, plugged_in: list[str]
    ) -> None:
        is_typed = bool(present) and present not in plugged_in
        initial = {
            "choice": present if present in plugged_in else self.OTHER,
            "path": present if is_typed else "",
        }
        if not present and plugged_in:
            initial["choice"] = plugged_in[0]
        super().__init__(data, initial=initial)
        if not plugged_in:
            del self.fields["choice"]
            path = self.fields["path"]
            path.label, path.required = _("Where do the copies go?"), True
            path.help_text = _(
                "No stick is plugged in. Put one in this computer and open this page anew: then you"
                " choose it here. Or type the whole path of a folder, for example %(example)s."
            ) % {"example": "/home/anna/klaverclub"}
            return
        self.fields["choice"].choices = [  # type: ignore[attr-defined]
            *((path, path) for path in plugged_in),
            (self.OTHER, _("Another folder, which I type below")),
        ]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "choice" in cleaned and not cleaned["choice"] and cleaned.get("path") == "":
            self.add_error("path", _("Type the folder."))
        return cleaned

    @property
    def folder(self) -> str:
        """The folder that was chosen."""
        chosen: str = self.cleaned_data.get("choice") or self.cleaned_data["path"]
        return chosen


def sent(request: HttpRequest, club: Club | None) -> HttpResponse | SendForm:
    """The answer to a file or a piece of one, or the form with what is wrong with it."""
    form = SendForm(typed(request), request.FILES or None)
    by_script = "total" in request.POST and bool(request.POST["total"])
    if form.is_valid():
        try:
            copy = _stored(request, club, form)
        except DomainError as error:
            form.add_error("file", error.message)
        else:
            address = page_address(copy)
            if by_script:
                return JsonResponse({"copy": str(copy.uuid), "page": address})
            return redirect(address)
    if by_script:
        message = " ".join(str(error) for errors in form.errors.values() for error in errors)
        return JsonResponse({"message": message}, status=422)
    return form


def _stored(request: HttpRequest, club: Club | None, form: SendForm) -> Copy:
    user = request.user if isinstance(request.user, User) and club else None
    with transaction.atomic():
        copy = copy_send(club=club, user=user, **form.piece)
        if copy.state == Copy.State.WORKING:
            copy_check_aside(copy, get_language() or "nl")
    return copy


def place(copy: Copy, user: User | None = None) -> None:
    """Have a copy put in place, aside. Raises DomainError."""
    with transaction.atomic():
        copy_place(copy=copy, user=user)
        copy_place_aside(copy, get_language() or "nl")


def page_address(copy: Copy) -> str:
    """The address of the page that says what becomes of a copy."""
    if copy.club is None or (copy.user_id is None and copy.kind == Copy.Kind.SENT):
        return reverse("bring_page", args=[copy.uuid])
    return reverse("copy_page", args=[copy.club.slug, copy.uuid])


def show_copy(request: HttpRequest, copy: Copy, **context: object) -> HttpResponse:
    """The page of a copy, or only what changes in it for a page that polls."""
    is_polling = bool(request.headers.get("HX-Request"))
    holds = dict(copy.contents[0]) if copy.contents else {}
    if holds:
        holds |= {"last": _day(holds["last"]), "made_at": _moment(holds["made_at"])}
    has_content = copy.is_ready and copy.pieces.exists()
    response = render(
        request,
        f"tournaments/copies/{'copy_live' if is_polling else 'copy'}.html",
        {
            "copy": copy,
            "address": page_address(copy),
            "holds": holds,
            "has_content": has_content,
            "section": "settings",
            **context,
        },
    )
    response.headers["Cache-Control"] = "no-store"
    patch_vary_headers(response, ["HX-Request"])
    return response


def _day(text: str | None) -> dt.date | None:
    return dt.date.fromisoformat(text) if text else None


def _moment(text: str) -> dt.datetime | None:
    """When a file says that it was made: it may say anything."""
    try:
        return parse_datetime(text)
    except ValueError:
        return None


View = Callable[..., HttpResponse]


def _at_the_machine(view: View) -> View:
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if is_at_the_machine(request):
            return view(request, *args, **kwargs)
        return render(request, "tournaments/copies/elsewhere.html", status=403)

    return guarded


def _is_empty() -> bool:
    return not Club.objects.filter(is_demo=False).exists()


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@_at_the_machine
def bring_send(request: HttpRequest) -> HttpResponse:
    """Take a copy that is sent."""
    if not _is_empty():
        raise Http404
    answer = sent(request, None) if request.method == "POST" else SendForm()
    if isinstance(answer, HttpResponse):
        return answer
    status = 422 if answer.errors else 200
    return render(request, "tournaments/copies/bring.html", {"form": answer}, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@_at_the_machine
def bring_page(request: HttpRequest, uuid: uuids.UUID) -> HttpResponse:
    """How far it is, and what it holds; on a POST the club is made. Then a link for each of its
    organisers to choose a password here, as `import_club` prints."""
    brought = Copy.objects.filter(kind=Copy.Kind.SENT, user=None).select_related("club")
    copy = get_object_or_404(brought, uuid=uuid)
    if copy.club is None and not _is_empty():
        raise Http404
    if request.method == "POST":
        try:
            place(copy)
        except DomainError as error:
            messages.error(request, error.message)
        return redirect("bring_page", copy.uuid)
    return show_copy(request, copy, base="base.html", links=_links(copy.club))


def _links(club: Club | None) -> list[tuple[str, str]]:
    if club is None:
        return []
    roles = club.roles.filter(kind=Role.Kind.ORGANISER).select_related("user").order_by("pk")
    return [
        (role.user.email, password_path(role.user))
        for role in roles
        if not role.user.has_usable_password()
    ]


Kind, State = Copy.Kind, Copy.State
read_or_write = require_http_methods(["GET", "HEAD", "POST"])


@desk_view(KEEP_COPIES, while_suspended=True)
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


@desk_view(KEEP_COPIES, while_suspended=True)
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


@desk_view(KEEP_COPIES, while_suspended=True)
@read_or_write
def copy_page(request: HttpRequest, club: Club, uuid: uuids.UUID) -> HttpResponse:
    """How far a copy is; what a file holds and what it would replace; on a POST it is put back."""
    copy = get_object_or_404(club.copies.select_related("club"), uuid=uuid)
    form = PlaceForm(typed(request), club_name=club.name)
    if request.method == "POST" and (copy.kind == Kind.MADE or club.suspended_at is not None):
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


@desk_view(KEEP_COPIES, while_suspended=True)
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
    messages.success(request, _("No more automatic copies are made. Those that are there stay."))
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
