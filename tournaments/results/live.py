"""What hundreds of phones ask again and again: whether an evening is still as they have it."""

import gzip
import hashlib
import json
from collections.abc import Callable
from functools import wraps
from typing import NamedTuple, ParamSpec

from django.core.cache import cache, caches
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition
from django.views.decorators.vary import vary_on_headers

from clubs.access.permissions import speak_clubs_language
from clubs.access.roles import opens_for
from clubs.models import Club
from tournaments.evenings.public_pages import EveningView, evening_view
from tournaments.models import Evening
from tournaments.models.slugs import parse_evening_slug

KEPT_SECONDS = 0.1
"""So long a process goes by what it saw: a hall asks it a hundred times a second."""

LONGEST_SLUG = 100
QUERY = (
    "SELECT evening.id, evening.revision, evening.state, club.language"
    " FROM tournaments_evening AS evening JOIN clubs_club AS club ON club.id = evening.club_id"
    " WHERE club.slug = %s AND evening.date = %s AND evening.sequence = %s"
)


class EveningSeen(NamedTuple):
    """As much of an evening as tells whether it has changed, and its club's language."""

    pk: int
    revision: int
    state: str
    language: str


def evening_seen(club_slug: str, evening_slug: str) -> EveningSeen | None:
    """The evening as it was a moment ago at most; None when there is no such evening.

    Kept by each process, but not what is seen inside a transaction, which may be taken back. The
    query is written out: to put it together each time takes ten times as long as to ask it.
    """
    if connection.in_atomic_block or len(club_slug) > LONGEST_SLUG:
        return _asked(club_slug, evening_slug)
    key = f"seen-{club_slug}-{evening_slug}"
    kept: EveningSeen | None = caches["small"].get(key)
    if kept is None:
        kept = _asked(club_slug, evening_slug)
        caches["small"].set(key, kept, KEPT_SECONDS)
    return kept


def _asked(club_slug: str, evening_slug: str) -> EveningSeen | None:
    named = parse_evening_slug(evening_slug)
    if named is None:
        return None
    date, sequence = named
    with connection.cursor() as cursor:
        cursor.execute(QUERY, [club_slug, connection.ops.adapt_datefield_value(date), sequence])
        found = cursor.fetchone()
    return EveningSeen(*found) if found else None


# Pages that keep themselves up to date: sent again only when the evening has changed.

P = ParamSpec("P")

EVERY = "every 1200ms, visibilitychange from:document"
"""An open page asks this often, and also when its reader comes back to it."""

SCREEN_EVERY = "every 350ms"
"""A hall's screen asks more often: there are a few screens beside hundreds of phones."""

LIVE_KEPT_SECONDS = 10


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
        cache.set(key, packed, LIVE_KEPT_SECONDS)
    if "gzip" not in request.headers.get("Accept-Encoding", ""):
        return HttpResponse(gzip.decompress(packed))
    return HttpResponse(packed, headers={"Content-Encoding": "gzip"})


def live_context(evening: Evening, every: str = EVERY) -> dict[str, str]:
    """How often a part of a page is to ask for a newer one, and the tag of the one it has."""
    return {
        "poll_every": every,
        "poll_headers": json.dumps({"If-None-Match": evening_etag(evening)}),
    }
