"""Pages that keep themselves up to date: sent again only when the evening is another one."""

import gzip
import hashlib
import json
from collections.abc import Callable

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language

from tournaments.models import Evening

EVERY = "every 1500ms, visibilitychange from:document"
"""How often an open page asks, and that it asks when somebody looks at it again."""

KEPT_SECONDS = 10


def live_response(
    request: HttpRequest, evening: Evening, make: Callable[[], HttpResponse]
) -> HttpResponse:
    """What `make` makes, under the evening's tag; 304 for who has it as it is now.

    After a save a whole hall asks for the same: it is made and packed once, so nothing in it may
    be of one reader.
    """
    etag = evening_etag(evening)
    response = get_conditional_response(request, etag=etag) or _shared(request, etag, make)
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


def _shared(request: HttpRequest, etag: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    asked = f"{etag} {request.get_full_path()}"
    key = f"live-{hashlib.sha256(asked.encode()).hexdigest()}"
    packed: bytes | None = cache.get(key)
    if packed is None:
        packed = gzip.compress(make().content, compresslevel=5)
        cache.set(key, packed, KEPT_SECONDS)
    if "gzip" not in request.headers.get("Accept-Encoding", ""):
        return HttpResponse(gzip.decompress(packed))
    return HttpResponse(packed, headers={"Content-Encoding": "gzip"})


def live_context(evening: Evening) -> dict[str, str]:
    """What a part of a page needs to ask for itself: when, and what it has already."""
    return {
        "poll_every": EVERY,
        "poll_headers": json.dumps({"If-None-Match": evening_etag(evening)}),
    }


def evening_etag(evening: Evening) -> str:
    """Another one whenever the public could see something else of this evening."""
    return f'"{evening.pk}-{evening.revision}-{evening.state}-{get_language()}"'
