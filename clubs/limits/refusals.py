"""Refusing again without work: who goes on asking is told the same without a look at anything."""

import hashlib
from collections.abc import Callable
from typing import Final

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse

SAID_AGAIN_SECONDS: Final = 1
_DECIDES: Final = (
    "REMOTE_ADDR",
    "HTTP_COOKIE",
    "HTTP_AUTHORIZATION",
    "HTTP_ACCEPT",
    "HTTP_HX_REQUEST",
)
"""What else than its address decides who asks, and in which form the answer comes."""
_BY_CONTENT: Final = "klaverclub.refused_by_content"


def refused_by_content(request: HttpRequest) -> None:
    """It depends on what was sent whether this request is refused: a PIN, a login. Whoever sends
    something else to the same address is not told the same."""
    request.META[_BY_CONTENT] = True


class RefusalMiddleware:
    """Says a 429 again for a second, to whoever asks for the same once more.

    Finding out that somebody asked too often costs a few milliseconds, so eight connections that
    never pause could still hold up a hall. These answers are not logged or counted one by one, and
    set no cookie.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        key, refusals = _key(request), caches["refusals"]
        kept: tuple[bytes, dict[str, str]] | None = refusals.get(key)
        if kept is not None:
            content, headers = kept
            return HttpResponse(content, status=429, headers=headers)
        response = self.get_response(request)
        if response.status_code == 429 and _BY_CONTENT not in request.META:
            refusals.set(key, (response.content, dict(response.items())), SAID_AGAIN_SECONDS)
        return response


def _key(request: HttpRequest) -> str:
    parts = [
        request.method,
        request.get_full_path(),
        *(request.META.get(name) for name in _DECIDES),
    ]
    return hashlib.sha256(repr(parts).encode()).hexdigest()
