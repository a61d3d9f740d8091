"""The camera of a phone: pictures of sheets sent over a table's link, or over an address that the
desk shows as a QR code. Neither reads nor writes anything but what that phone sent itself."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from clubs.access.permissions import actor_of, desk_view, opens_for, speak_clubs_language
from clubs.audit.services import Actor
from clubs.http.middleware import network_of
from clubs.http.network import absolute_url, qr_svg
from clubs.http.pages import see_other
from clubs.limits.table import CAMERAS
from clubs.models import Club
from tournaments.evenings.desk_pages import (
    evening_url,
    find_evening,
    refusals_shown,
    show_evening,
    to_evening,
)
from tournaments.evenings.permissions import WRITE_DEAL
from tournaments.models import CameraLink, Evening, SheetPhoto
from tournaments.scoresheets.views.access import TableAccess, table_render, table_view
from tournaments.sheet_photos.forms import CameraForm
from tournaments.sheet_photos.queries import looks_of, photos_of
from tournaments.sheet_photos.queue import (
    MOST_OF_AN_EVENING,
    Sent,
    photos_read_aside,
)
from tournaments.sheet_photos.services import (
    camera_actor,
    camera_end,
    camera_find,
    camera_make,
    camera_path,
)
from tournaments.sheet_photos.texts import says
from tournaments.sheet_photos.views import send_all

MOST_OF_A_TABLE = 40
TOO_MANY, UNUSABLE = 429, 422
KNOWN = "known"


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
