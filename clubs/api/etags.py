"""ETags, and the version that a write must name."""

import json
from collections.abc import Callable
from typing import cast

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.crypto import salted_hmac
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.http.problems import FieldError, Problem

VARY = "Authorization", "Cookie"


def etag(version: object, *rest: object) -> str:
    """The ETag of a resource: its version, which a write names, and anything else that changes the
    response."""
    return '"' + ".".join(str(part) for part in (version, *rest)) + '"'


def content_hash(content: object) -> str:
    """A keyed hash of content, so that nobody can guess the content from it."""
    text = json.dumps(content, sort_keys=True, cls=DjangoJSONEncoder)
    return salted_hmac("api-mark", text).hexdigest()[:16]


def tagged(request: Request, tag: str, make: Callable[[], Response]) -> HttpResponse:
    """The response of `make` with this ETag; 304, without calling it, for a client that has it."""
    answer = get_conditional_response(cast("HttpRequest", request), etag=tag) or make()
    return with_tag(answer, tag)


def with_tag(answer: HttpResponse, tag: str) -> HttpResponse:
    """The response with this ETag."""
    answer.headers["ETag"] = tag
    answer.headers["Cache-Control"] = "private, no-cache"
    patch_vary_headers(answer, VARY)
    return answer


def require_version(request: Request, current: int, show: Callable[[], object]) -> None:
    """Let a write through that names the `current` version; to be called under a lock.

    Raises Problem 409 with what `show` returns where it names another, 422 where it names none.
    """
    if seen_version(request) != str(current):
        message = "Somebody else changed this in the meantime."
        raise Problem(409, "version_conflict", message, current=show())


def seen_version(request: Request) -> str:
    """The version that a write names: `version` in what was sent, or else the one of `If-Match`.

    Raises Problem 422 where it names none.
    """
    version = named_version(request)
    if version is None:
        message = "Say which version you saw: `version` in the body, or If-Match."
        errors = [FieldError("version", "version_missing", message)]
        raise Problem(422, "version_missing", message, errors=errors)
    return version


def named_version(request: Request) -> str | None:
    """Like `seen_version`, but None where the request names none."""
    given = request.data.get("version") if isinstance(request.data, dict) else None
    if given is not None:
        return str(given)
    match = request.headers.get("If-Match", "").strip().removeprefix("W/").strip('"')
    return match.split(".")[0] or None
