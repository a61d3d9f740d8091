"""Pages that anybody reads, from a copy of the database that follows it (`READ_DATABASE_URL`).

A copy is behind, by milliseconds or, when something is wrong, by minutes. So that nobody ever sees
older than they saw, each answer says in a cookie how far in the database's log its reader has seen;
a copy that is not as far yet is not asked. The primary answers where the copy is behind or gone,
and where a page turns out to write. Who is logged in always reads from the primary.

Who writes waits while another machine becomes the primary (`WRITE_WAIT_SECONDS`).
"""

import logging
import re
import time
from collections.abc import Callable
from contextlib import suppress
from threading import BoundedSemaphore
from typing import Any, Final, TypeVar

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import (
    DEFAULT_DB_ALIAS,
    InterfaceError,
    InternalError,
    OperationalError,
    connection,
    connections,
)
from django.http import Http404, HttpRequest, HttpResponse

logger = logging.getLogger(__name__)
T = TypeVar("T")

REPLICA: Final = "replica"
_PREFIX = "__Host-" if settings.HTTPS else ""
COOKIE: Final = f"{_PREFIX}seen"
COOKIE_OF_COPY: Final = f"{_PREFIX}seen_copy"
"""Two, so that an answer of a copy that was under way cannot take away what a write said since."""
LEFT_ALONE: Final = 5.0
"""Seconds in which a copy that did not answer is not asked again."""
NO_DATABASE = InterfaceError, InternalError, OperationalError
# Bytes of the log that stand in what is read there: of a copy those it has applied.
POSITION = (
    "SELECT (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()"
    " ELSE pg_current_wal_insert_lsn() END - '0/0')::bigint"
)
_POSITION = re.compile(r"[0-9]{1,19}", re.ASCII)
_SEEN = "klaverclub.seen"
_OF_COPY = "klaverclub.seen_copy"
_CHOSEN = "klaverclub.database"
READS: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
PAUSE: Final = 0.2


def has_replica() -> bool:
    """Whether there is a copy to read from."""
    return REPLICA in settings.DATABASES


def is_shared() -> bool:
    """Whether what is read now is what everybody would read: a process may remember it for others.
    Not inside a transaction, which may be rolled back; not where there is a copy, since another
    reader may have seen newer than this one; and not with a cache in front, which has just
    forgotten what it had and keeps what it is given now."""
    remembers = not has_replica() and not settings.SHARED_CACHES
    return remembers and not connection.in_atomic_block


def read_for(request: HttpRequest, read: Callable[[], T], *, notes: bool = True) -> T:
    """What `read` makes for this reader, from the copy where that has all they saw. It may be
    called a second time, for the primary, and so must do nothing but read.

    How far the reader has seen with it is noted, unless who calls knows better.
    """
    if not _may_ask_the_copy(request):
        return read()
    request.META[_CHOSEN] = True
    try:
        try:
            if time.monotonic() >= _Copy.asked_again_at:
                return _read_from_copy(request, read, notes=notes)
        except (_IsBehind, Http404):
            # What was not found may not be there yet.
            pass
        except NO_DATABASE as error:
            _leave_alone(error)
        made = read()
        if notes:
            mark_seen(request, position())
        return made
    finally:
        del request.META[_CHOSEN]


def mark_seen(request: HttpRequest, seen: int | None) -> None:
    """Note how far the reader has seen with this answer."""
    request.META[_SEEN] = max(seen or 0, request.META.get(_SEEN, 0))


def mark_seen_again(request: HttpRequest, seen: int) -> None:
    """Note that the reader was given what was made when the database was so far."""
    if has_replica():
        mark_seen(request, max(seen, _seen_before(request)))


def seen_with(request: HttpRequest) -> int:
    """How far the reader has seen with this answer; 0 where that was not noted."""
    seen: int = request.META.get(_SEEN, 0)
    return seen


def _seen_before(request: HttpRequest) -> int:
    """How far the reader had seen before."""
    given = [request.COOKIES.get(name, "") for name in (COOKIE, COOKIE_OF_COPY)]
    return max([int(text) for text in given if _POSITION.fullmatch(text)], default=0)


def position_kept() -> int:
    """How far the database is, to keep with what was made of it; 0 where there is no copy."""
    return (position() or 0) if has_replica() else 0


def position() -> int | None:
    """How far the database is that is read now; None where it does not say."""
    try:
        with connection.cursor() as cursor:
            cursor.execute(POSITION)
            return int(cursor.fetchone()[0])
    except NO_DATABASE:
        return None


class SeenMiddleware:
    """Keeps in a cookie how far the reader has seen. An answer that says "unchanged" shows nothing
    that they did not see before."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not has_replica():
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code not in (304, 503):
            if _SEEN not in request.META and connection.connection is not None:
                mark_seen(request, position())
            if seen := seen_with(request):
                name = COOKIE_OF_COPY if _OF_COPY in request.META else COOKIE
                response.set_cookie(
                    name, str(seen), secure=settings.HTTPS, httponly=True, samesite="Lax"
                )
        return response


class _IsBehind(Exception):
    """The copy has not all that this reader saw."""


class _Copy:
    """When a copy that did not answer is asked again."""

    asked_again_at = 0.0


def _may_ask_the_copy(request: HttpRequest) -> bool:
    if not has_replica() or _CHOSEN in request.META or request.method not in ("GET", "HEAD"):
        return False
    is_known = settings.SESSION_COOKIE_NAME in request.COOKIES or "messages" in request.COOKIES
    return not is_known and not connection.in_atomic_block


def _read_from_copy(request: HttpRequest, read: Callable[[], T], *, notes: bool) -> T:
    primary: Any = connections[DEFAULT_DB_ALIAS]
    copy: Any = connections[REPLICA]
    # What is asked of the database, by whatever means, is asked of the copy.
    copy.execute_wrappers = primary.execute_wrappers
    connections[DEFAULT_DB_ALIAS] = copy
    try:
        before = _seen_before(request)
        if before and _known() < before:
            raise _IsBehind
        made = read()
        if notes:
            mark_seen(request, _known())
        request.META[_OF_COPY] = True
        return made
    finally:
        connections[DEFAULT_DB_ALIAS] = primary
        copy.execute_wrappers = []


def _known() -> int:
    known = position()
    if known is None:
        raise OperationalError("It does not say how far it is.")
    return known


def _leave_alone(error: Exception) -> None:
    if not isinstance(error, InternalError):
        _Copy.asked_again_at = time.monotonic() + LEFT_ALONE
        logger.warning("The database for reading does not answer: %s", error)


class WaitMiddleware:
    """Connects before anything is asked of the database, for as long as it takes.

    Nothing was sent yet, so nothing can be done twice. What goes wrong later is answered with 503,
    as is who waited in vain. So few wait at a time that there are threads left for who reads.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not settings.WRITE_WAIT_SECONDS:
            raise MiddlewareNotUsed
        self.get_response = get_response
        self.seconds = settings.WRITE_WAIT_SECONDS
        self.places = BoundedSemaphore(max(1, settings.DB_POOL_SIZE // 2))

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in READS and self.places.acquire(blocking=False):
            try:
                self._wait()
            finally:
                self.places.release()
        return self.get_response(request)

    def _wait(self) -> None:
        until = time.monotonic() + self.seconds
        while time.monotonic() < until:
            with suppress(InterfaceError, OperationalError):
                connection.ensure_connection()
                return
            time.sleep(PAUSE)
