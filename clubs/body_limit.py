"""No request is larger than anything a page of ours sends."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from clubs.api.problems import problem_answer, too_large

LARGEST = 16_000_000
READ_AWAY = 64_000_000
"""So much of what is too large is read all the same: no browser shows an answer before that."""

_PIECE = 1 << 16


class BodyLimitMiddleware:
    """Answers 413 to a body of more than `LARGEST` bytes, of which nothing is kept."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        size = _size(request)
        if size <= LARGEST:
            return self.get_response(request)
        left = min(size, READ_AWAY)
        while left > 0 and (piece := request.read(min(left, _PIECE))):
            left -= len(piece)
        if request.path.startswith("/api/"):
            return problem_answer(too_large())
        return render(request, "413.html", status=413)


def _size(request: HttpRequest) -> int:
    """How large it says to be; without a size nothing of it is read anyway."""
    return int((request.META.get("CONTENT_LENGTH") or "0")[:20])
