"""What the pages of copies share, at the desk and on an installation without a club."""

import datetime as dt

from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.dateparse import parse_datetime
from django.utils.translation import get_language

from clubs.http.pages import typed
from clubs.models import Club, User
from clubs.text.errors import DomainError
from tournaments.copies.forms import SendForm
from tournaments.copies.services import copy_place, copy_send
from tournaments.copies.worker import copy_check_aside, copy_place_aside
from tournaments.models import Copy


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
