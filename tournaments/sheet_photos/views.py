"""Pictures of score sheets at the desk: sending them, and what each says beside its sheet.

And the camera of a phone: pictures sent over a table's link, or over an address that the desk shows
as a QR code. Neither reads nor writes anything but what that phone sent itself.
"""

import uuid as uuids
from collections import Counter
from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access.permissions import (
    MANAGE_CLUB,
    actor_of,
    desk_view,
    opens_for,
    speak_clubs_language,
)
from clubs.audit.services import Actor
from clubs.http.middleware import network_of
from clubs.http.network import absolute_url, qr_svg
from clubs.http.pages import form_saved, see_other, typed
from clubs.limits.table import CAMERAS
from clubs.models import Club
from clubs.profile.services import club_sheets_choose
from clubs.text.errors import DomainError, VersionConflict
from clubs.text.numbers import whole_number
from scoring.deals.director_forms import REASONS_HERE
from tournaments.evenings.pages import (
    evening_url,
    find_evening,
    refusals_shown,
    show_evening,
    to_evening,
)
from tournaments.evenings.permissions import WRITE_DEAL
from tournaments.models import CameraLink, Evening, SheetPhoto
from tournaments.scoresheets.data import grid_keys
from tournaments.scoresheets.views.access import TableAccess, table_render, table_view
from tournaments.scoresheets.views.desk import DeskTable, find_table
from tournaments.sheet_photos.forms import (
    CameraForm,
    PaperSheetForm,
    PhotoLineForm,
    PicturesForm,
    forms_of,
)
from tournaments.sheet_photos.queries import (
    PhotoLine,
    looks_of,
    photo_lines,
    photo_table,
    photos_of,
    totals_of,
)
from tournaments.sheet_photos.queue import (
    MOST_BYTES,
    MOST_OF_AN_EVENING,
    Sent,
    photo_send,
    photos_read_aside,
    too_large,
)
from tournaments.sheet_photos.reading import says, sheet_words
from tournaments.sheet_photos.services import (
    camera_actor,
    camera_end,
    camera_find,
    camera_make,
    camera_path,
    photo_place,
    photo_prefer,
    photo_throw_away,
    photo_write,
)

State = SheetPhoto.State
MOST_OF_A_TABLE = 40
TOO_MANY, UNUSABLE = 429, 422
KNOWN = "known"


@desk_view(WRITE_DEAL)
@require_http_methods(["GET", "HEAD", "POST"])
def photo_list(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """The pictures of an evening, and a form to send more; a script sends them one by one."""
    evening = find_evening(club, evening_slug)
    if request.method != "POST":
        return _list(request, evening, PicturesForm())
    form = PicturesForm(request.POST, request.FILES)
    sent = send_all(evening, form, actor_of(request)) if form.is_valid() else []
    known = sum(file.is_known for file in sent)
    if not request.accepts("text/html"):
        errors = [str(error) for errors in form.errors.values() for error in errors]
        said = errors or ([known_words(known)] if known else [])
        photos = [str(file.photo.uuid) for file in sent]
        answer = {"photos": photos, "message": " ".join(said)}
        return JsonResponse(answer, status=422 if errors else 200)
    if form.errors:
        return _list(request, evening, form)
    if new := len(sent) - known:
        words = ngettext("%(n)s picture is sent.", "%(n)s pictures are sent.", new)
        messages.success(request, words % {"n": new})
    if known:
        messages.info(request, known_words(known))
    return to_evening("sheet_photos", evening)


def known_words(count: int) -> str:
    """What is said of so many files that were sent before."""
    words = ngettext(
        "This file was sent before. What was read from it is below; nothing is read twice.",
        "%(n)s files were sent before. What was read from them is below; nothing is read twice.",
        count,
    )
    return words % {"n": count}


def send_all(
    evening: Evening, form: PicturesForm, actor: Actor, most: int = MOST_OF_AN_EVENING
) -> list[Sent]:
    """Take in what was sent; what cannot be taken in is said of the form, with which it was."""
    files: list[UploadedFile[Any]] = form.cleaned_data["pictures"]
    sent = []
    for place, file in enumerate(files, start=1):
        try:
            content = file.read(MOST_BYTES + 1)
            sent.append(photo_send(evening=evening, content=content, actor=actor, most=most))
        except DomainError as error:
            which = _("Picture %(n)s: %(why)s") % {"n": place, "why": error.message}
            form.add_error("pictures", which if len(files) > 1 else error.message)
    return sent


def _list(request: HttpRequest, evening: Evening, form: PicturesForm) -> HttpResponse:
    """The page, or only the list for a page that polls."""
    photos = photos_of(evening)
    waiting = sum(photo.state == State.WAITING for photo in photos)
    if waiting:
        # Whoever was reading may be gone.
        photos_read_aside()
    looks = looks_of(photos)
    rows = [{"photo": photo, "words": says(photo, looks.get(photo.pk, 0))} for photo in photos]
    is_polling = bool(request.headers.get("HX-Request"))
    response = show_evening(
        request,
        f"sheet_photos/{'list_live' if is_polling else 'list'}.html",
        evening,
        status=422 if form.errors else 200,
        form=form,
        rows=rows,
        waiting=waiting,
        most_bytes=MOST_BYTES,
        too_large={"pdf": too_large(is_pdf=True), "picture": too_large(is_pdf=False)},
        counts=Counter(photo.state for photo in photos),
        next_photo=_next(photos),
    )
    patch_vary_headers(response, ["HX-Request"])
    return response


def _next(photos: list[SheetPhoto]) -> SheetPhoto | None:
    """The picture that is decided next: of the first table of the first round."""
    waiting = [photo for photo in photos if photo.state == State.READ]
    return min(waiting, key=_place, default=None)


def _place(photo: SheetPhoto) -> tuple[int, int, int]:
    table = photo_table(photo)
    return (table.round.number, table.number, photo.page or 0) if table else (0, 0, 0)


@desk_view(WRITE_DEAL)
@require_http_methods(["GET", "HEAD", "POST"])
def photo_page(
    request: HttpRequest, club: Club, evening_slug: str, photo: uuids.UUID
) -> HttpResponse:
    """What was read from a picture, line by line beside its strip, to be written or left."""
    evening = find_evening(club, evening_slug)
    shown = _find(evening, photo)
    desk = _desk_of(club, shown)
    lines = photo_lines(shown, desk.view)
    if request.method != "POST":
        return _show(request, desk, shown, lines, forms_of(lines, desk.view))
    forms = forms_of(lines, desk.view, request.POST)
    anew = _write(request, shown, forms)
    if anew is None:
        return _written(request, evening, shown)
    if anew:
        # What stands by now is shown, and nothing that was accepted before it was seen.
        desk = _desk_of(club, shown)
        lines = photo_lines(shown, desk.view)
        forms = forms_of(lines, desk.view, request.POST, anew=anew)
    return _show(request, desk, shown, lines, forms, anew=anew, status=409 if anew else 422)


def _write(request: HttpRequest, photo: SheetPhoto, forms: list[PhotoLineForm]) -> set[int] | None:
    """Write what was accepted; None when that was done. Otherwise the forms say what is wrong, and
    these are the deals that somebody else wrote meanwhile."""
    accepted = [form for form in forms if form.taken == form.WRITE]
    leave = [form.number for form in forms if form.taken == form.LEAVE]
    if any(not form.is_valid() for form in accepted):
        return set()
    by_number = {form.number: form for form in accepted}
    try:
        faults = photo_write(
            photo=photo,
            lines=[form.line_write() for form in accepted],
            leave=leave,
            actor=actor_of(request),
        )
    except DomainError as error:
        messages.error(request, error.message)
        return set()
    for number, fault in faults.items():
        by_number[number].add_fault(fault)
    late = {number for number, fault in faults.items() if isinstance(fault, VersionConflict)}
    return late if faults else None


def _written(request: HttpRequest, evening: Evening, photo: SheetPhoto) -> HttpResponse:
    """Say what is done, and go on to what is left."""
    photos = photos_of(evening)
    now = next((other for other in photos if other.pk == photo.pk), None)
    if now is None or now.state == State.READ:
        messages.success(request, _("Saved. The lines below still wait for you."))
        return redirect("sheet_photo", evening.club.slug, evening.slug, photo.uuid)
    messages.success(request, _("%(sheet)s is written.") % {"sheet": sheet_words(now)})
    following = _next(photos)
    if following is None:
        return to_evening("sheet_photos", evening)
    return redirect("sheet_photo", evening.club.slug, evening.slug, following.uuid)


def _show(
    request: HttpRequest,
    desk: DeskTable,
    photo: SheetPhoto,
    lines: list[PhotoLine],
    forms: list[PhotoLineForm],
    *,
    anew: set[int] | None = None,
    status: int = 200,
) -> HttpResponse:
    return show_evening(
        request,
        "sheet_photos/photo.html",
        desk.evening,
        status=status,
        desk=desk,
        photo=photo,
        view=desk.view,
        table=desk.table,
        round=desk.table.round,
        keys=grid_keys(desk.view),
        look=[form for form in forms if form.line.kind == "look"],
        sure=[form for form in forms if form.line.kind == "sure"],
        settled=[line for line in lines if not line.is_open],
        faulty=[form for form in forms if form.faults],
        anew=sorted(anew or ()),
        totals=totals_of(photo, lines, desk.view),
        reasons=REASONS_HERE,
        about={
            form.number: [boxes for _words, boxes in form.alternatives]
            for form in forms
            if form.line.kind == "look"
        },
    )


@desk_view(WRITE_DEAL)
@require_safe
def photo_picture(
    _request: HttpRequest, club: Club, evening_slug: str, photo: uuids.UUID
) -> HttpResponse:
    """The page of the sheet as it was drawn anew."""
    found = _find(find_evening(club, evening_slug), photo)
    content = SheetPhoto.objects.values_list("content", flat=True).get(pk=found.pk)
    return HttpResponse(bytes(content or b""), content_type="image/jpeg")


@desk_view(WRITE_DEAL)
@require_POST
def photo_gone(
    request: HttpRequest, club: Club, evening_slug: str, photo: uuids.UUID
) -> HttpResponse:
    """Throw a picture away; a repeat changes nothing."""
    evening = find_evening(club, evening_slug)
    found = evening.sheet_photos.filter(uuid=photo).first()
    if found is not None:
        with refusals_shown(request):
            photo_throw_away(photo=found, actor=actor_of(request))
            messages.success(request, _("The picture is thrown away."))
    return to_evening("sheet_photos", evening)


@desk_view(WRITE_DEAL)
@require_POST
def photo_instead(
    request: HttpRequest, club: Club, evening_slug: str, photo: uuids.UUID
) -> HttpResponse:
    """Use a second picture of a page in place of the first one, or a spare sheet for the table that
    is sent along."""
    evening = find_evening(club, evening_slug)
    found = get_object_or_404(evening.sheet_photos.defer("content"), uuid=photo)
    try:
        if found.problem == "which_table":
            numbers = (whole_number(request.POST.get(name, "")) for name in ("round", "table"))
            round_number, table_number = numbers
            photo_place(
                photo=found,
                round_number=round_number,
                table_number=table_number,
                actor=actor_of(request),
            )
            return to_evening("sheet_photos", evening)
        photo_prefer(photo=found, actor=actor_of(request))
    except DomainError as error:
        messages.error(request, error.message)
        return to_evening("sheet_photos", evening)
    return redirect("sheet_photo", club.slug, evening.slug, photo)


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "HEAD", "POST"])
def paper_sheet(request: HttpRequest, club: Club) -> HttpResponse:
    """Choose which score sheet is printed, and how long pictures of sheets are kept."""
    club = Club.objects.get(pk=club.pk)
    initial: dict[str, Any] = {
        "paper_sheet": club.paper_sheet,
        "sheet_photo_days": club.sheet_photo_days,
    }
    form = PaperSheetForm(typed(request), initial=initial)
    if form_saved(
        form, lambda: club_sheets_choose(club=club, actor=actor_of(request), **form.cleaned_data)
    ):
        messages.success(request, _("The settings are saved."))
        return redirect("club_sheets", club.slug)
    return render(
        request,
        "tournaments/sheet_photos/settings.html",
        {"club": club, "section": "settings", "form": form},
        status=422 if form.errors else 200,
    )


def _find(evening: Evening, photo: uuids.UUID) -> SheetPhoto:
    """A picture of a page, without its content; Http404 for one that could not be read."""
    is_read = Q(state__in=SheetPhoto.USED) | Q(problem="which_table")
    photos = evening.sheet_photos.defer("content").filter(is_read)
    return get_object_or_404(photos.select_related("sheet__table__round"), uuid=photo)


def _desk_of(club: Club, photo: SheetPhoto) -> DeskTable:
    table = photo_table(photo)
    if table is None:
        raise Http404
    return find_table(club, photo.evening.slug, table.round.number, table.number)


@require_http_methods(["GET", "POST"])
@table_view
def table_camera(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Photograph the sheet of this table; the desk goes through what was read."""
    address = access.url("table_camera")
    form, sent = _sent(request, access.evening, access.actor, MOST_OF_A_TABLE)
    if sent:
        return see_other(_after(address, sent))
    context = _context(request, access.evening, access.actor, form, address)
    return table_render(request, access, "camera", context, status=UNUSABLE if form.errors else 200)


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def photo_camera(request: HttpRequest, camera: str) -> HttpResponse:
    """The camera page behind the QR code of the desk: 404 once that has ended."""
    network = network_of(request.META.get("REMOTE_ADDR", ""))
    if not CAMERAS.allows_from("camera", network):
        return render(request, "429.html", status=TOO_MANY)
    link = camera_find(camera)
    if link is None:
        raise Http404
    club, actor = link.evening.club, camera_actor(link)
    request.club = club  # type: ignore[attr-defined]
    speak_clubs_language(request, club)
    form, sent = _sent(request, link.evening, actor, MOST_OF_AN_EVENING)
    if sent:
        return see_other(_after(request.path, sent))
    context: dict[str, object] = {"club": club, "evening": link.evening}
    context |= _context(request, link.evening, actor, form, request.path)
    return render(
        request,
        "tournaments/sheet_photos/camera.html",
        context,
        status=UNUSABLE if form.errors else 200,
    )


opens_for(None, photo_camera)


@desk_view(WRITE_DEAL)
@require_http_methods(["GET", "HEAD", "POST"])
def camera_desk(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """The address for the camera of a phone, as a QR code: make one, or end it."""
    evening = find_evening(club, evening_slug)
    if request.method == "POST":
        with refusals_shown(request):
            if request.POST.get("do") == "end":
                camera_end(evening_id=evening.pk, actor=actor_of(request))
                messages.success(request, _("The address of the camera opens nothing any more."))
            else:
                camera_make(evening_id=evening.pk, actor=actor_of(request))
        return to_evening("sheet_camera", evening)
    link = CameraLink.objects.filter(evening=evening).select_related("evening").first()
    path = camera_path(link) if link else ""
    url = absolute_url(club, path) if path else ""
    return show_evening(
        request,
        "sheet_photos/camera_desk.html",
        evening,
        url=url,
        svg=qr_svg(url) if url else "",
        back_url=evening_url("sheet_photos", evening),
    )


def _sent(
    request: HttpRequest, evening: Evening, actor: Actor, most: int
) -> tuple[CameraForm, list[Sent]]:
    """The form, and what it brought if that was taken in."""
    if request.method != "POST":
        return CameraForm(), []
    form = CameraForm(request.POST, request.FILES)
    sent = send_all(evening, form, actor, most) if form.is_valid() else []
    return form, [] if form.errors else sent


def _after(address: str, sent: list[Sent]) -> str:
    """Where a phone goes when its picture was taken in; there it reads if that was known."""
    return f"{address}?{KNOWN}=1" if any(file.is_known for file in sent) else address


def _context(
    request: HttpRequest, evening: Evening, actor: Actor, form: CameraForm, address: str
) -> dict[str, object]:
    """What the page says of the pictures of this phone."""
    mine = photos_of(evening, sent_by=actor.ref)
    is_waiting = any(photo.state == SheetPhoto.State.WAITING for photo in mine)
    if is_waiting:
        photos_read_aside()
    looks = looks_of(mine)
    rows = [{"photo": photo, "words": says(photo, looks.get(photo.pk, 0))} for photo in mine]
    return {
        "form": form,
        "rows": rows,
        "is_waiting": is_waiting,
        "is_known": KNOWN in request.GET,
        "address": address,
    }
