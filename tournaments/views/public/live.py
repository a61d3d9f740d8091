"""Pages that keep themselves up to date: sent again only when the evening has changed."""

import gzip
import hashlib
import json
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition
from django.views.decorators.vary import vary_on_headers

from clubs.access import opens_for
from clubs.models import Club
from clubs.permissions import speak_clubs_language
from tournaments.models import Evening
from tournaments.seen import EveningSeen, evening_seen
from tournaments.views.public.common import EveningView, evening_view

P = ParamSpec("P")

EVERY = "every 1200ms, visibilitychange from:document"
"""An open page asks this often, and also when its reader comes back to it."""

SCREEN_EVERY = "every 350ms"
"""A hall's screen asks more often: there are a few screens beside hundreds of phones."""

KEPT_SECONDS = 10


def live_part(make: EveningView[P]) -> Callable[..., HttpResponse]:
    """A part of a page of an evening, tagged with the evening's state; 304 while that is the same.

    After a save everybody in the hall asks for the same part: it is rendered and compressed once,
    so it must not depend on the reader. Otherwise a request costs one small query. Http404 when
    there is no such evening.
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
        return _shared(request, evening, lambda: made(request, slug, evening_slug, *args, **kwargs))

    return opens_for(None, part)


def evening_etag(evening: Evening | EveningSeen) -> str:
    """Another one whenever the public could see something else of this evening."""
    return f'"{evening.pk}-{evening.revision}-{evening.state}-{get_language()}"'


@cache_control(no_cache=True)
@vary_on_headers("Accept-Encoding")
@condition(etag_func=lambda _request, evening, _make: evening_etag(evening))
def _shared(
    request: HttpRequest, evening: EveningSeen, make: Callable[[], HttpResponse]
) -> HttpResponse:
    asked = f"{evening_etag(evening)} {request.get_full_path()}"
    key = f"live-{hashlib.sha256(asked.encode()).hexdigest()}"
    packed: bytes | None = cache.get(key)
    if packed is None:
        packed = gzip.compress(make().content, compresslevel=5)
        cache.set(key, packed, KEPT_SECONDS)
    if "gzip" not in request.headers.get("Accept-Encoding", ""):
        return HttpResponse(gzip.decompress(packed))
    return HttpResponse(packed, headers={"Content-Encoding": "gzip"})


def live_context(evening: Evening, every: str = EVERY) -> dict[str, str]:
    """How often a part of a page is to ask for a newer one, and the tag of the one it has."""
    return {
        "poll_every": every,
        "poll_headers": json.dumps({"If-None-Match": evening_etag(evening)}),
    }
