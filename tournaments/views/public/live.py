"""Pages that keep themselves up to date: sent again only when the evening is another one."""

import gzip
import hashlib
import json
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language

from clubs.access import opens_for
from clubs.models import Club
from clubs.permissions import speak_clubs_language
from tournaments.models import Evening
from tournaments.seen import EveningSeen, evening_seen
from tournaments.views.public.common import EveningView, evening_view

P = ParamSpec("P")

EVERY = "every 1200ms, visibilitychange from:document"
"""How often an open page asks, and that it asks when somebody looks at it again."""

SCREEN_EVERY = "every 350ms"
"""How often a hall's screen asks: there are a few of them where there are hundreds of phones."""

KEPT_SECONDS = 10


def live_part(make: EveningView[P]) -> Callable[..., HttpResponse]:
    """What `make` makes of an evening, under the evening's tag; 304 for who has it as it is now.

    After a save a whole hall asks for the same: it is made and packed once, so nothing in it may
    be of one reader. What is not made anew costs one small query. Http404 when there is no such
    evening.
    """
    made = evening_view(make)

    @wraps(make)
    def part(
        request: HttpRequest, slug: str, evening_slug: str, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        evening = evening_seen(slug, evening_slug)
        if evening is None:
            raise Http404
        speak_clubs_language(request, Club(language=evening.language))
        return _tagged(
            request,
            evening_etag(evening),
            lambda: made(request, slug, evening_slug, *args, **kwargs),
        )

    return opens_for(None, part)


def _tagged(request: HttpRequest, etag: str, make: Callable[[], HttpResponse]) -> HttpResponse:
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


def live_context(evening: Evening, every: str = EVERY) -> dict[str, str]:
    """What a part of a page needs to ask for itself: when, and what it has already."""
    return {
        "poll_every": every,
        "poll_headers": json.dumps({"If-None-Match": evening_etag(evening)}),
    }


def evening_etag(evening: Evening | EveningSeen) -> str:
    """Another one whenever the public could see something else of this evening."""
    return f'"{evening.pk}-{evening.revision}-{evening.state}-{get_language()}"'
