"""Pages that keep themselves up to date: sent again only when the evening is another one."""

import json
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language

from tournaments.models import Evening

EVERY = "every 1500ms, visibilitychange from:document"
"""How often an open page asks, and that it asks when somebody looks at it again."""


def live_response(
    request: HttpRequest, evening: Evening, make: Callable[[], HttpResponse]
) -> HttpResponse:
    """What `make` makes, under the evening's tag; 304 for who has it as it is now."""
    etag = evening_etag(evening)
    response = get_conditional_response(request, etag=etag) or make()
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ["HX-Request"])
    return response


def live_context(evening: Evening) -> dict[str, str]:
    """What a part of a page needs to ask for itself: when, and what it has already."""
    return {
        "poll_every": EVERY,
        "poll_headers": json.dumps({"If-None-Match": evening_etag(evening)}),
    }


def evening_etag(evening: Evening) -> str:
    """Another one whenever the public could see something else of this evening."""
    return f'"{evening.pk}-{evening.revision}-{evening.state}-{get_language()}"'
