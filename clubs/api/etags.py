"""ETags of the API: the state of a thing that a caller has, or saw before writing."""

from collections.abc import Callable
from typing import cast

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.problems import FieldError, Problem

VARY = "Authorization", "Cookie"


def etag(version: object, *rest: object) -> str:
    """The tag of a thing: its version, which a write names, and whatever else changes with what is
    shown."""
    return '"' + ".".join(str(part) for part in (version, *rest)) + '"'


def tagged(request: Request, tag: str, make: Callable[[], Response]) -> HttpResponse:
    """What `make` answers, under this tag; 304 and nothing made for who has it already."""
    answer = get_conditional_response(cast("HttpRequest", request), etag=tag) or make()
    return with_tag(answer, tag)


def with_tag(answer: HttpResponse, tag: str) -> HttpResponse:
    """The answer, saying which state of the thing it shows."""
    answer.headers["ETag"] = tag
    answer.headers["Cache-Control"] = "private, no-cache"
    patch_vary_headers(answer, VARY)
    return answer


def seen_version(request: Request) -> str:
    """The version that a write names: `version` in what was sent, or else the one of `If-Match`.

    Raises Problem 422 where it names none.
    """
    version = asked_version(request)
    if version is None:
        message = "Say which version you saw: `version` in the body, or If-Match."
        errors = [FieldError("version", "version_missing", message)]
        raise Problem(422, "version_missing", message, errors=errors)
    return version


def asked_version(request: Request) -> str | None:
    """The version that a write names, likewise; None where it names none."""
    given = request.data.get("version") if isinstance(request.data, dict) else None
    if given is not None:
        return str(given)
    match = request.headers.get("If-Match", "").strip().removeprefix("W/").strip('"')
    return match.split(".")[0] or None
