"""Polling by hundreds of phones: parts of pages rendered once, and 304 while nothing changed."""

import gzip
import hashlib
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
from django_permissions_policy.decorators import permissions_policy_override

from clubs.access.permissions import opens_for, speak_clubs_language
from clubs.http.middleware import takes_gzip
from clubs.http.pages import Crowd, Poll
from clubs.models import Club
from tournaments.evenings.public_pages import EveningView, evening_view
from tournaments.models import Evening
from tournaments.models.evening import parse_evening_slug

SEEN_SECONDS = 0.1
"""How long a process reuses what it read: a hall polls it a hundred times a second."""
RENDERED_SECONDS = 10

PHONE_POLL = Poll(350, 5_000)
"""Of an open page; it also asks as soon as its reader comes back to it."""
CROWD = Crowd(per_second=170, quickest=PHONE_POLL.every, slowest=3_000)
"""So many answers that say "unchanged" cost a process a tenth of its time."""
LONGEST_SLUG = 100
# Written out: building this query with the ORM takes ten times as long as running it.
QUERY = (
    "SELECT evening.id, evening.revision, evening.state, club.language"
    " FROM tournaments_evening AS evening JOIN clubs_club AS club ON club.id = evening.club_id"
    " WHERE club.slug = %s AND evening.date = %s AND evening.sequence = %s"
)

P = ParamSpec("P")


class EveningSeen(NamedTuple):
    """What decides whether an evening has changed, and its club's language."""

    pk: int
    revision: int
    state: str
    language: str


def evening_seen(club_slug: str, evening_slug: str) -> EveningSeen | None:
    """The evening as it was a moment ago at most; None if there is no such evening."""
    # What is read inside a transaction may be rolled back, so it is not cached.
    if connection.in_atomic_block or len(club_slug) > LONGEST_SLUG:
        return _read(club_slug, evening_slug)
    key = f"seen-{club_slug}-{evening_slug}"
    seen: EveningSeen | None = caches["small"].get(key)
    if seen is None:
        seen = _read(club_slug, evening_slug)
        caches["small"].set(key, seen, SEEN_SECONDS)
    return seen


def _read(club_slug: str, evening_slug: str) -> EveningSeen | None:
    named = parse_evening_slug(evening_slug)
    if named is None:
        return None
    date, sequence = named
    with connection.cursor() as cursor:
        cursor.execute(QUERY, [club_slug, connection.ops.adapt_datefield_value(date), sequence])
        row = cursor.fetchone()
    return EveningSeen(*row) if row else None


def live_part(make: EveningView[P]) -> Callable[..., HttpResponse]:
    """Decorator for a part of an evening's page that polls: 304 while the evening is unchanged.

    After a save the whole hall asks for the same part, so it is rendered and compressed once and
    must not depend on the reader. An unchanged one costs one small query. Http404 if there is no
    such evening.
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
        tag = evening_etag(evening)
        return shared_part(request, tag, lambda: made(request, slug, evening_slug, *args, **kwargs))

    # What a hall polls is never refused.
    part.is_polled = True  # type: ignore[attr-defined]
    return opens_for(None, part)


def evening_etag(evening: Evening | EveningSeen) -> str:
    """Changes whenever the public could see something else of this evening."""
    return f'"{evening.pk}-{evening.revision}-{evening.state}-{get_language()}"'


# A part of a page needs no policy: it has the page's own, which is a thousand bytes.
@permissions_policy_override({})
def shared_part(request: HttpRequest, tag: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    """304 for who has this version; else the part, made once for all who ask for it. With many who
    ask it says when each may ask again."""
    response = _shared(request, tag, make)
    if pause := CROWD.pause():
        response.headers["Poll-Pause"] = str(pause)
    return response


@cache_control(no_cache=True)
@vary_on_headers("Accept-Encoding")
@condition(etag_func=lambda _request, tag, _make: tag)
def _shared(request: HttpRequest, tag: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    content = f"{tag} {_asked(request)}"
    key = f"live-{hashlib.sha256(content.encode()).hexdigest()}"
    packed: bytes | None = cache.get(key)
    if packed is None:
        packed = gzip.compress(make().content, compresslevel=5)
        cache.set(key, packed, RENDERED_SECONDS)
    if not takes_gzip(request.headers.get("Accept-Encoding", "")):
        return HttpResponse(gzip.decompress(packed))
    return HttpResponse(packed, headers={"Content-Encoding": "gzip"})


def _asked(request: HttpRequest) -> str:
    """What was asked for: of all a request says of itself, only what decides which view makes the
    answer and from what."""
    match = request.resolver_match
    return f"{match and match.view_name} {match and match.kwargs} {request.GET.urlencode()}"


def live_context(evening: Evening) -> dict[str, object]:
    """How often a part of a page polls, and the entity tag of the version it has."""
    return PHONE_POLL.context(evening_etag(evening))
