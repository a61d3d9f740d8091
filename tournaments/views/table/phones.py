"""Which phone it is that opens a table's link: told by a cookie that opens nothing by itself."""

import secrets
from dataclasses import dataclass
from datetime import timedelta

from django.http import HttpRequest, HttpResponse

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
