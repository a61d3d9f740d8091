"""What happens to every request before and after its view.

The caller's address behind a proxy, limits, one log line without names or links, and sessions.
"""

import codecs
import json
import logging
import re
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from datetime import timedelta
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING, Any, cast

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.messages.storage.base import BaseStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.core.cache.backends.locmem import LocMemCache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.http import parse_header_parameters
from prometheus_client import Counter, Histogram

from clubs.http.problems import problem_answer, too_large
from clubs.measurements.counters import REQUEST_SECONDS, REQUESTS

if TYPE_CHECKING:
    from clubs.models import LoginSession

logger = logging.getLogger(__name__)
SEEN_EVERY = timedelta(hours=1)
"""How often at most a session stores that it was used."""

_request_id: ContextVar[str] = ContextVar("request_id", default="-")
_WELL_FORMED = re.compile(r"[0-9a-f][0-9a-f-]{6,34}[0-9a-f]", re.ASCII)
_PERSONAL = (
    (re.compile(r"/(t|d|events|captain|camera)/[^/\s'\"]+"), r"/\1/…"),
    (re.compile(r"(/enter/[0-9a-f-]{36})/[^/\s'\"]+"), r"\1/…"),
    (re.compile(r"(/leagues/[^/\s'\"]+/number)/[^\s'\"]+"), r"\1/…"),
    (re.compile(r"/(password/set|invitations|login/link|email/confirm)/[^\s'\"]+"), r"/\1/…"),
    (re.compile(r"[^\s<>'\"=(,:]+@[^\s<>'\"),]+"), "…@…"),
    (re.compile(r"^([ \t]*DETAIL:[ \t]+).*$", re.MULTILINE), r"\1…"),
)
"""Links that open a table, a door, an entry, an account or a league number, e-mail addresses, and
rows in errors of PostgreSQL."""


class RequestLogMiddleware:
    """Logs method, route (not the path: it may hold a table's token), status and duration.

    The id on each line also goes out as `X-Request-ID`, so that a report can be matched with it. A
    proxy that is trusted may give one: only digits of a hexadecimal number and dashes.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        request_id = _given_id(request) or secrets.token_hex(4)
        _request_id.set(request_id)
        response = self.get_response(request)
        response["X-Request-ID"] = request_id
        seconds = time.perf_counter() - started
        page = request.resolver_match
        _count(page.view_name if page else "?", response.status_code, seconds)
        fields = {
            "method": request.method,
            "route": _route(request),
            "status": response.status_code,
            "ms": round(seconds * 1000),
        }
        logger.info("%(method)s %(route)s %(status)s %(ms)sms", fields, extra={"fields": fields})
        return response


_BY_THEMSELVES = {429, 503}


def _count(route: str, status: int, seconds: float) -> None:
    """Count an answer by its class, `2xx`; limits (429) and outages (503) by themselves."""
    kind = str(status) if status in _BY_THEMSELVES else f"{status // 100}xx"
    requests, took = _counters(route, kind)
    requests.inc()
    took.observe(seconds)


@lru_cache(maxsize=4_096)
def _counters(route: str, kind: str) -> tuple[Counter, Histogram]:
    return REQUESTS.labels(route, kind), REQUEST_SECONDS.labels(route)


class LineFormatter(logging.Formatter):
    """`time level logger request-id message`, without what is personal or opens a table."""

    _last = 0, ""

    def __init__(self) -> None:
        super().__init__(
            "{asctime} {levelname} {name} {request_id} {message}", "%Y-%m-%dT%H:%M:%S%z", style="{"
        )

    def format(self, record: logging.LogRecord) -> str:
        if hasattr(record, "fields"):
            at, level, said = self.formatTime(record), record.levelname, record.getMessage()
            return f"{at} {level} {record.name} {_request_id.get()} {said}"
        record.request_id = _request_id.get()
        return without_personal(super().format(_by_route(record)))

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802
        """The time, worked out once a second."""
        second, words = self._last
        if second != int(record.created):
            second = int(record.created)
            words = super().formatTime(record, datefmt or self.datefmt)
            self._last = second, words
        return words


class JsonFormatter(LineFormatter):
    """The same as an object of JSON on each line; a request's method, route, status and
    milliseconds are keys of their own."""

    def format(self, record: logging.LogRecord) -> str:
        message = _by_route(record).getMessage()
        fields = {
            "time": self.formatTime(record, self.datefmt),
            "level": record.levelname,
            "logger": record.name,
            "request": _request_id.get(),
            **getattr(record, "fields", {"message": without_personal(message)}),
        }
        if record.exc_info:
            fields["trace"] = without_personal(self.formatException(record.exc_info))
        return json.dumps(fields, ensure_ascii=False)


def without_personal(text: str) -> str:
    """The text without the secrets of table links, addresses of mail, and rows of a database.

    >>> without_personal("Not Found: /t/s3cret/deals/7, said jan@example.org")
    'Not Found: /t/…/deals/7, said …@…'
    """
    for pattern, instead in _PERSONAL:
        text = pattern.sub(instead, text)
    return text


def _by_route(record: logging.LogRecord) -> logging.LogRecord:
    """Replace the path of a request, which Django logs, by its route."""
    request = getattr(record, "request", None)
    if isinstance(request, HttpRequest) and isinstance(record.args, tuple):
        named = {request.path, request.get_full_path()}
        record.args = tuple(_route(request) if arg in named else arg for arg in record.args)
    return record


def _route(request: HttpRequest) -> str:
    return request.resolver_match.route if request.resolver_match else "?"


def _given_id(request: HttpRequest) -> str:
    given = request.META.get("HTTP_X_REQUEST_ID", "")
    return given if _WELL_FORMED.fullmatch(given) else ""


# Middleware: trusted proxies, a limit on bodies, requests that cannot be read; and sessions.

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
_WITH_PORT = re.compile(
    r"\[([0-9a-f]{0,4}:[0-9a-f:.]{1,41})\](?::[0-9]{1,5})?|([0-9.]{7,15}):[0-9]{1,5}",
    re.ASCII | re.IGNORECASE,
)
"""As some proxies write it: `192.0.2.7:1234`, `[2001:db8::1]:443` or `[2001:db8::1]`."""
PROXY_HEADERS = "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_REQUEST_ID"


class ProxyMiddleware:
    """Sets `REMOTE_ADDR` to the client's address, as given by the proxies in `TRUSTED_PROXIES`.

    The same headers from anybody else are dropped: throttles and locks count addresses, and a
    client that could make one up would never be slowed down.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        meta = request.META
        remote = meta.get("REMOTE_ADDR", "")
        if is_trusted(remote, settings.TRUSTED_PROXIES):
            if hops := meta.pop("HTTP_X_FORWARDED_FOR", ""):
                trusted = settings.TRUSTED_PROXIES
                meta["REMOTE_ADDR"] = first_stranger(hops.split(","), trusted) or remote
        else:
            for name in PROXY_HEADERS:
                meta.pop(name, None)
        return self.get_response(request)


def first_stranger(hops: Sequence[str], trusted: Sequence[Network]) -> str | None:
    """The last of these addresses that is not one of our proxies; None when there is none.

    >>> from ipaddress import ip_network
    >>> first_stranger(["1.2.3.4", "192.0.2.7", "127.0.0.1"], [ip_network("127.0.0.0/8")])
    '192.0.2.7'
    """
    for hop in reversed(hops):
        address = _parsed(_without_port(hop.strip()))
        if address is None:
            return None
        if not _in(address, trusted):
            return str(address)
    return None


def _without_port(hop: str) -> str:
    match = _WITH_PORT.fullmatch(hop)
    return (match[1] or match[2]) if match else hop


def is_trusted(remote: str, trusted: Sequence[Network]) -> bool:
    """Whether this is one of our proxies; only they connect over a unix socket (no address)."""
    address = _parsed(remote)
    return not remote if address is None else _in(address, trusted)


def is_within(remote: str, networks: Iterable[str]) -> bool:
    """Whether an address is in one of these networks; what is no address is in none.

    >>> is_within("::ffff:192.0.2.7", ["192.0.2.0/24"]), is_within("", ["0.0.0.0/0"])
    (True, False)
    """
    address = _parsed(remote)
    return address is not None and _in(address, [ip_network(network) for network in networks])


def network_of(remote: str) -> str:
    """The address by which a client is counted. For IPv6 that is its network, since one person has
    any number of addresses there.

    >>> network_of("::ffff:192.0.2.7"), network_of("2001:db8::1")
    ('192.0.2.7', '2001:db8::')
    """
    address = _parsed(remote) or IPv6Address("::")
    if address.version == 4:
        return str(address)
    return str(ip_network(f"{address}/64", strict=False).network_address)


def site_of(network: str) -> str | None:
    """The /48 that a network of IPv6 is in, which whoever asks for one gets as a whole: 65,536
    networks. None for an address of IPv4.

    >>> site_of("2001:db8:7:1::"), site_of("192.0.2.7")
    ('2001:db8:7::', None)
    """
    address = _parsed(network)
    if address is None or address.version == 4:
        return None
    return str(ip_network(f"{address}/48", strict=False).network_address)


def _in(address: Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)


@lru_cache(maxsize=4_096)
def _parsed(text: str) -> Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


_AFTERWARDS = "klaverclub.afterwards"


def afterwards(request: HttpRequest, act: Callable[[HttpResponse], None]) -> None:
    """Have this done to the answer once the view has made it."""
    request.META.setdefault(_AFTERWARDS, []).append(act)


def afterwards_done(request: HttpRequest, response: HttpResponse) -> None:
    """Do to the answer what `afterwards` was asked for."""
    for act in request.META.pop(_AFTERWARDS, ()):
        act(response)


# Larger than anything our own pages send.

LARGEST = 16_000_000
READ_AWAY = 64_000_000
"""How much of a too large body is read and dropped: browsers show no answer before that."""

_PIECE = 1 << 16


def too_large_answer(request: HttpRequest) -> HttpResponse | None:
    """413 to a body of more than `LARGEST` bytes; None for any other."""
    size = int((request.META.get("CONTENT_LENGTH") or "0")[:20])  # without one Django reads none
    if size <= LARGEST:
        return None
    left = min(size, READ_AWAY)
    while left > 0 and (piece := request.read(min(left, _PIECE))):
        left -= len(piece)
    if request.path.startswith("/api/"):
        return problem_answer(too_large())
    return render(request, "413.html", status=413)


# Requests whose content type or length would make Django fail with a 500.

Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
FORM = "application/x-www-form-urlencoded"
REFUSED = b"400 Bad Request\n"
HEADERS = (
    ("Content-Type", "text/plain"),
    ("Content-Length", str(len(REFUSED))),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("X-Content-Type-Options", "nosniff"),
)


class ReadableOnly:
    """WSGI middleware that answers 400 to a request whose body cannot be read, or that names a
    prefix for this site: gunicorn believes that of a proxy, some proxies pass it on from anybody,
    and Django would put it in front of every link.

    Not a Django middleware: Django parses the content type while it builds the request, before any
    of those, and an encoding it does not know raises there. With a form in another encoding than
    UTF-8 even its own error page fails, because that reads the body again.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        has_prefix = bool(environ.get("SCRIPT_NAME"))
        if not has_prefix and is_readable(
            environ.get("CONTENT_TYPE", ""), environ.get("CONTENT_LENGTH", "")
        ):
            return self.application(environ, start_response)
        start_response("400 Bad Request", [*HEADERS])
        return [REFUSED]


def is_readable(content_type: str, content_length: str) -> bool:
    """Whether a body of this type and length can be read.

    >>> is_readable("application/x-www-form-urlencoded; charset=UTF-8", "12")
    True
    >>> is_readable("text/plain; a*=foo''b", "")
    False
    """
    if content_length and not (content_length.isascii() and content_length.isdecimal()):
        return False
    try:
        kind, parameters = parse_header_parameters(content_type)
        charset = parameters.get("charset", "utf-8").lower()
        codecs.lookup(charset)
    except LookupError:
        return kind != FORM
    except ValueError:
        return False
    return kind != FORM or charset == "utf-8"


# What the libraries do anew for each answer, done once, or only where it is asked for.


class MemoryCache(LocMemCache):
    """Django's cache in memory, without a look at each letter of a key: that is for memcached."""

    def validate_key(self, key: str) -> None:
        """Nothing: any key will do."""


class MessageStorage(FallbackStorage):
    """Django's messages, in a cookie or else in the session, which are looked for only by who shows
    or leaves one."""

    def __init__(self, request: HttpRequest) -> None:
        BaseStorage.__init__(self, request)
        self._used_storages: set[BaseStorage] = set()

    @cached_property
    def storages(self) -> list[BaseStorage]:
        return [storage(self.request) for storage in self.storage_classes]


class SessionStore(DatabaseStore):
    """Django's database sessions in a table that knows whose they are and when they were last used,
    without a query for a key that we cannot have made.

    PostgreSQL refuses some characters in a query, which would be answered with a 500.
    """

    @classmethod
    def get_model_class(cls) -> "type[LoginSession]":
        from clubs.models import LoginSession  # the logging settings load this module before models

        return LoginSession

    def create_model_instance(self, data: dict[str, Any]) -> "LoginSession":
        session = cast("LoginSession", super().create_model_instance(data))
        user = data.get(SESSION_KEY)
        session.user_id = None if user is None else int(user)
        return session

    def _get_session_from_db(self) -> "LoginSession | None":
        """The row of this session; stores when it was used, but hardly ever."""
        session: LoginSession | None = super()._get_session_from_db()  # type: ignore[misc]
        if session is not None and session.user_id is not None:
            now = timezone.now()
            if session.seen_at <= now - SEEN_EVERY:
                self.get_model_class().objects.filter(pk=session.pk).update(seen_at=now)
        return session

    def _validate_session_key(self, key: str | None) -> bool:
        return key is not None and len(key) == 32 and key.isascii() and key.isalnum()
