"""What is the same for everybody: parts that hundreds of phones poll, and whole pages as visitors
see them. Each version is made and compressed once in a process, and not sent to who has it."""

import gzip
import hashlib
import time
import zlib
from collections.abc import Callable, Iterable
from functools import partial, wraps
from threading import Lock
from typing import NamedTuple, ParamSpec

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.cache import cache, caches
from django.db import InterfaceError, OperationalError, connection
from django.db.models import Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import ResolverMatch
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition
from django.views.decorators.vary import vary_on_headers

from clubs.access.permissions import chosen_language, opens_for, speak_clubs_language
from clubs.caches.shared import keep_for_all
from clubs.databases.replica import (
    is_shared,
    mark_seen_again,
    position_kept,
    read_for,
    seen_with,
)
from clubs.http.pages import Crowd, Poll, lean, packed, takes_gzip
from clubs.models import Club
from tournaments.evenings.pages import EveningView, evening_view
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
    "SELECT evening.id, evening.revision, evening.state, club.language, club.chain_head,"
    " CASE WHEN evening.together IS NULL THEN 0 ELSE ("
    "SELECT SUM(played.revision) FROM tournaments_evening AS played"
    " WHERE played.club_id = evening.club_id AND played.together = evening.together) END"
    " FROM tournaments_evening AS evening JOIN clubs_club AS club ON club.id = evening.club_id"
    " WHERE club.slug = %s AND evening.date = %s AND evening.sequence = %s"
    " AND club.suspended_at IS NULL"
)

P = ParamSpec("P")


class EveningSeen(NamedTuple):
    """What decides whether an evening has changed, its club's language, and what decides whether
    the groups that play with it in one hall have changed."""

    pk: int
    revision: int
    state: str
    language: str
    head: str
    groups: int


def evening_seen(club_slug: str, evening_slug: str) -> EveningSeen | None:
    """The evening as it was a moment ago at most; None if there is no such evening."""
    if not is_shared() or len(club_slug) > LONGEST_SLUG:
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
        def read() -> HttpResponse:
            seen = evening_seen(slug, evening_slug)
            if seen is None:
                raise Http404
            speak_clubs_language(request, Club(language=seen.language))
            make_part = partial(made, request, slug, evening_slug, *args, **kwargs)
            response = shared_part(request, evening_etag(seen), make_part)
            return shared_from_now(response, partial(_live_tag, slug, evening_slug))

        return read_for(request, read)

    # What a hall polls is never refused.
    part.is_polled = True  # type: ignore[attr-defined]
    return opens_for(None, part)


def evening_etag(evening: Evening | EveningSeen, language: str | None = None) -> str:
    """Changes whenever the public could see something else of this evening, in the reader's
    language or this one."""
    language = language or get_language()
    head = ""
    if evening.state not in (Evening.State.PLANNED, Evening.State.RUNNING):
        # What is hidden or renamed later moves the club's trail, and no longer the revision.
        head = evening.head if isinstance(evening, EveningSeen) else evening.club.chain_head
    seen = evening.pk, evening.revision, evening.state
    return f'"{head[:10]}-{"-".join(map(str, seen))}-{_program()}-{language}"'


def groups_revision(evening: Evening | EveningSeen) -> int:
    """Changes whenever the public could see something else of a group that plays in one hall with
    this evening; 0, without a query, where there are none."""
    if isinstance(evening, EveningSeen):
        return evening.groups
    if evening.together is None:
        return 0
    groups = Evening.objects.filter(club=evening.club_id, together=evening.together)
    return int(groups.aggregate(of_all=Sum("revision"))["of_all"])


def _program() -> str:
    """Changes with the files and the address that pages name."""
    files = getattr(staticfiles_storage, "manifest_hash", "")
    return f"{files[:6]}{zlib.crc32(settings.PUBLIC_URL.encode()):x}"


def _live_tag(club_slug: str, evening_slug: str, chosen: str | None) -> str | None:
    seen = evening_seen(club_slug, evening_slug)
    return seen and evening_etag(seen, chosen or seen.language)


def shared_part(request: HttpRequest, tag: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    """304 for who has this version; else the part, made once for all who ask for it. With many who
    ask it says when each may ask again."""
    return _of_crowd(_part(request, tag, make))


def _of_crowd(response: HttpResponse) -> HttpResponse:
    if pause := CROWD.pause():
        response.headers["Poll-Pause"] = str(pause)
    # A part needs no policy: it has that of the page, which is a thousand bytes.
    response._permissions_policy_override = ""  # type: ignore[attr-defined] # noqa: SLF001
    return response


@cache_control(no_cache=True)
@vary_on_headers("Accept-Encoding")
@condition(etag_func=lambda _request, tag, _make: tag)
def _part(request: HttpRequest, tag: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    content = f"{tag} {_asked(request)}"
    key = f"live-{hashlib.sha256(content.encode()).hexdigest()}"
    # After a save all threads are asked for the same part: the first one makes it.
    with _making_parts[hash(key) % len(_making_parts)]:
        made: tuple[bytes, int] | None = cache.get(key)
        if made is None:
            made = packed(lean(make().content)), position_kept()
            cache.set(key, made, RENDERED_SECONDS)
    part, seen = made
    mark_seen_again(request, seen)
    return _sent(request, part)


# Who waits for a part may hold the lock of an answer, and never the other way round: with locks for
# both in one list a thread could wait for itself.
_making_parts = [Lock() for _ in range(32)]
_making_answers = [Lock() for _ in range(32)]


def _sent(request: HttpRequest, content: bytes) -> HttpResponse:
    if takes_gzip(request.META.get("HTTP_ACCEPT_ENCODING", "")):
        response = HttpResponse(content, headers={"Content-Encoding": "gzip"})
    else:
        response = HttpResponse(gzip.decompress(content))
    response.packed = content  # type: ignore[attr-defined]
    return response


def _asked(request: HttpRequest) -> str:
    """What was asked for: of all a request says of itself, only what decides which view makes the
    answer and from what."""
    match = request.resolver_match
    return f"{match and match.view_name} {match and match.kwargs} {request.GET.urlencode()}"


def live_context(evening: Evening) -> dict[str, object]:
    """How often a part of a page polls, and the entity tag of the version it has."""
    return PHONE_POLL.context(evening_etag(evening))


# Whole pages, as they are for everybody who is not logged in.

# The head of the club's trail moves with everything that is done at a club but what is done on a
# sheet, which counts an evening's revision up: a name that is hidden, a standing that is frozen.
# The evening that is played counts in the standing of a live season.
PAGE_QUERY = (
    "SELECT club.chain_head, club.language, evening.id, evening.revision, evening.state,"
    " (SELECT SUM(played.revision) FROM tournaments_evening AS played"
    " WHERE played.club_id = club.id AND (played.state = 'closed' OR (played.state = 'running'"
    " AND played.season_id IN (SELECT season.id FROM tournaments_season AS season"
    " WHERE season.club_id = club.id AND season.live))))"
    " FROM clubs_club AS club LEFT JOIN tournaments_evening AS evening"
    " ON evening.club_id = club.id AND evening.date = %s AND evening.sequence = %s"
    " WHERE club.slug = %s AND club.practice_of_id IS NULL AND club.chain_head <> ''"
    " AND club.suspended_at IS NULL"
)
NOT_MODIFIED = "ETag", "Cache-Control", "Vary", "Content-Language"
PAGES_OF = frozenset({"show", "round", "release", "standing", "page"})
"""What an address may ask for; with a name that is looked up each is another page."""


def visitors_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator for a page of a club, or of one of its evenings (`evening_slug`), that is the same
    for all who are not logged in: made for them once, until something changes at the club."""

    @wraps(view)
    def page(request: HttpRequest, slug: str, **names: str) -> HttpResponse:
        tag_of = partial(page_tag, slug, names.get("evening_slug", ""), theme_of(request))
        return kept_for_visitors(request, tag_of, partial(view, request, slug, **names))

    return page


def kept_for_visitors(
    request: HttpRequest, tag_of: "TagOf", make: Callable[[], HttpResponse]
) -> HttpResponse:
    """A page that is the same for all who are not logged in, made for them once while it is what
    `tag_of` reads; for others made anew."""
    if not _is_visitor(request) or connection.in_atomic_block:
        return make()

    def read() -> HttpResponse:
        tag = tag_of(chosen_language(request))
        if tag is None:
            return make()
        return shared_from_now(_visitors_page(request, tag, make), tag_of, for_visitors=True)

    return read_for(request, read)


@cache_control(no_cache=True)
@vary_on_headers("Accept-Encoding", "Cookie")
@condition(etag_func=lambda _request, tag, _make: tag)
def _visitors_page(
    request: HttpRequest, tag: str, make: Callable[[], HttpResponse]
) -> HttpResponse:
    response = make()
    if response.status_code != 200 or response.cookies:
        return response
    return _sent(request, packed(lean(response.content)))


def page_tag(club_slug: str, evening_slug: str, theme: str, chosen: str | None) -> str | None:
    """Changes whenever a visitor could see something else; None for what is not there, and at a
    practice club, which has no trail."""
    date, sequence = parse_evening_slug(evening_slug) or (None, None)
    with connection.cursor() as cursor:
        day = connection.ops.adapt_datefield_value(date)
        cursor.execute(PAGE_QUERY, [day, sequence, club_slug[:LONGEST_SLUG]])
        row = cursor.fetchone()
    if row is None or (date and row[2] is None):
        return None
    head, language, pk, revision, state, played = row
    return visitors_tag((head[:10], pk, revision, state, played), theme, chosen or language)


def visitors_tag(parts: Iterable[object], theme: str, language: str) -> str:
    """The tag of a page for visitors that is made of these parts, and of the day."""
    said = "-".join(map(str, (*parts, timezone.localdate().toordinal())))
    return f'"{said}-{_program()}-{theme}-{language}"'


def _is_visitor(request: HttpRequest) -> bool:
    cookies = request.COOKIES
    is_known = settings.SESSION_COOKIE_NAME in cookies or "messages" in cookies
    return not is_known and (not request.GET or PAGES_OF.issuperset(request.GET))


# What is shared is sent before anything else is done for a request.

KEPT_SECONDS = 300
MOST_KEPT = 300
LONGEST_QUERY = 100
TagOf = Callable[[str | None], str | None]
"""Reads which version something has now, for who chose this language; None if it is gone."""


class Shared(NamedTuple):
    """An answer for everybody, or for all visitors: what made it, its version, and how far who made
    it had seen."""

    match: ResolverMatch
    tag: str
    tag_of: TagOf
    packed: bytes
    headers: dict[str, str]
    until: float
    for_visitors: bool
    seen: int


_shared: dict[tuple[str, ...], Shared] = {}
_keeping = Lock()


def shared_from_now(
    response: HttpResponse, tag_of: TagOf, *, for_visitors: bool = False
) -> HttpResponse:
    """Let this answer be sent to all who ask for the same, while it is what `tag_of` reads."""
    response.shared = tag_of, for_visitors  # type: ignore[attr-defined]
    return response


class SharedMiddleware:
    """Sends what is kept for everybody while it is current, and does nothing else for the request:
    no session, no cookie, no work to count."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        key = _key(request)
        kept = _shared.get(key)
        if kept is None or (kept.for_visitors and not _is_visitor(request)):
            return self._made(request, key)
        try:
            if answer := _answer(request, key):
                return answer
            # After a save all threads are asked for the same: the first one makes it.
            with _making_answers[hash(key) % len(_making_answers)]:
                return _answer(request, key) or self._made(request, key)
        except (InterfaceError, OperationalError):
            # The view says that there is no database, as on any other page.
            return self.get_response(request)

    def _made(self, request: HttpRequest, key: tuple[str, ...]) -> HttpResponse:
        response = self.get_response(request)
        if hasattr(response, "packed") and hasattr(response, "shared") and request.method == "GET":
            _keep(request, key, response)
            return _may_be_kept(request, response)
        return response


def _key(request: HttpRequest) -> tuple[str, ...]:
    """What a shared answer may depend on: no more of what a request says of itself."""
    return (
        request.method or "",
        request.path_info,
        request.META.get("QUERY_STRING", ""),
        chosen_language(request) or "",
        theme_of(request),
    )


def theme_of(request: HttpRequest) -> str:
    """Whether the reader chose a light or a dark page; empty for neither."""
    theme = request.COOKIES.get("theme", "")
    return theme if theme in ("light", "dark") else ""


def _answer(request: HttpRequest, key: tuple[str, ...]) -> HttpResponse | None:
    kept = _shared.get(key)
    if kept is None or (kept.for_visitors and not _is_visitor(request)):
        return None
    if kept.until < time.monotonic():
        return None
    tag_of = partial(kept.tag_of, chosen_language(request))
    if read_for(request, tag_of, notes=False) != kept.tag:
        return None
    mark_seen_again(request, kept.seen)
    request.resolver_match = kept.match
    if kept.tag in request.META.get("HTTP_IF_NONE_MATCH", ""):
        headers = {name: kept.headers[name] for name in NOT_MODIFIED if name in kept.headers}
        response = HttpResponse(status=304, headers=headers)
    else:
        response = _sent(request, kept.packed)
        response.headers["Content-Length"] = str(len(response.content))
        for name, value in kept.headers.items():
            response.headers[name] = value
    response = _may_be_kept(request, response)
    return response if kept.for_visitors else _of_crowd(response)


def _may_be_kept(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Also by a cache in front, where the answer is of one club alone."""
    slug = request.resolver_match and request.resolver_match.kwargs.get("slug")
    return keep_for_all(response, slug) if slug else response


def _keep(request: HttpRequest, key: tuple[str, ...], response: HttpResponse) -> None:
    if connection.in_atomic_block or response.cookies or request.resolver_match is None:
        return
    if len(request.META.get("QUERY_STRING", "")) > LONGEST_QUERY:
        return
    tag_of, for_visitors = response.shared  # type: ignore[attr-defined]
    of_this_one = "Content-Encoding", "Content-Length", "Poll-Pause"
    kept = Shared(
        request.resolver_match,
        response.headers["ETag"],
        tag_of,
        response.packed,  # type: ignore[attr-defined]
        {name: value for name, value in response.items() if name not in of_this_one},
        time.monotonic() + KEPT_SECONDS,
        for_visitors,
        seen_with(request),
    )
    with _keeping:
        _shared.pop(key, None)
        _shared[key] = kept
        while len(_shared) > MOST_KEPT:
            del _shared[next(iter(_shared))]
