"""Which phone this is, and pages for a phone that cannot write here."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from tournaments.models import Evening

COOKIE = "table_phone"
KEPT_FOR = timedelta(days=1)
"""From before the first deal until after the prizes, and not until the evening a week later."""

KINDS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "Linux": "Linux",
}
"""What a browser says of itself, likeliest first, and what the director calls it."""


@dataclass(frozen=True, slots=True)
class UnknownPhone:
    """A phone without a number: on its first visit, or because it keeps no cookies.

    `ref` tells it from the others by what its page calls itself, if it does.
    """

    ref: str = ""
    number: None = None
    round_number: int = 0

    @classmethod
    def of(cls, request: HttpRequest) -> "UnknownPhone":
        own = request.POST.get("device", "").replace("\0", "")
        return cls(ref=f"phone:?{own}"[:60] if own else "")


UNKNOWN = UnknownPhone()


def phone_key(request: HttpRequest) -> str:
    """What this phone was given to be known by; empty on its first visit."""
    return request.COOKIES.get(COOKIE, "")


def phone_kind(request: HttpRequest) -> str:
    """What sort of phone it says it is, empty where it does not say."""
    says = request.headers.get("User-Agent", "")
    return next((kind for word, kind in KINDS.items() if word in says), "")


def phone_remember(request: HttpRequest, response: HttpResponse) -> None:
    """Give a phone that comes for the first time something to be known by."""
    if phone_key(request):
        return
    response.set_cookie(
        COOKIE,
        secrets.token_urlsafe(32),
        max_age=KEPT_FOR,
        path="/t/",
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


# Why a link opens nothing now: as a page, or as JSON for a phone that sends by itself.

NO_COOKIE = {"csrf_token": ""}
"""Keeps base.html from setting a CSRF cookie that no table page needs."""


def wants_json(request: HttpRequest) -> bool:
    """Whether it is the page's own program that asks, not a browser that shows a page."""
    try:
        return request.get_preferred_type(["text/html", "application/json"]) == "application/json"
    except ValueError:
        return False


def unknown_link(request: HttpRequest) -> HttpResponse:
    """Nobody ever had this link."""
    words = _("We do not know this code")
    return _answer(request, "unknown", {}, status=404, code="gone", message=words)


def link_over(request: HttpRequest, evening: Evening, context: Mapping[str, Any]) -> HttpResponse:
    """The link was withdrawn, or its evening is over."""
    return _answer(request, "over", context, status=410, code="over", message=_over(evening))


def paper_only(request: HttpRequest, context: Mapping[str, Any]) -> HttpResponse:
    """Tonight nobody writes on a phone."""
    words = _("Tonight you write on paper")
    return _answer(request, "paper_only", context, status=403, code="paper_only", message=words)


def nothing_here(request: HttpRequest, context: Mapping[str, Any]) -> HttpResponse:
    """This table has no such round or deal."""
    words = _("There is nothing here")
    return _answer(request, "nothing_here", context, status=404, code="gone", message=words)


def cut_off(request: HttpRequest, context: Mapping[str, Any]) -> HttpResponse:
    """The director cut this phone off."""
    words = _("This phone can no longer write at this table.")
    return _answer(request, "cut_off", context, status=403, code="cut_off", message=words)


def scan_again(request: HttpRequest, context: Mapping[str, Any]) -> HttpResponse:
    """Other people sit at this table now: this phone went on to another one."""
    words = _("Scan the code at your next table.")
    return _answer(request, "scan_again", context, status=403, code="scan_again", message=words)


def _answer(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any],
    *,
    status: int,
    code: str,
    message: str,
) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({"status": code, "message": message}, status=status)
    page = f"tournaments/scoresheets/table/{template}.html"
    return render(request, page, {**NO_COOKIE, **context}, status=status)


def _over(evening: Evening) -> str:
    match evening.state:
        case Evening.State.CLOSED:
            return _("The evening is over")
        case Evening.State.CANCELLED:
            return _("The evening was called off")
    return _("This code is no longer valid")
