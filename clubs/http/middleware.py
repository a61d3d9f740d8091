"""Middleware: trusted proxies, a limit on bodies, requests that cannot be read; and sessions."""

import codecs
from collections.abc import Callable, Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import parse_header_parameters

from clubs.http.problems import problem_answer, too_large

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
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
            hops = meta.pop("HTTP_X_FORWARDED_FOR", "").split(",")
            meta["REMOTE_ADDR"] = first_stranger(hops, settings.TRUSTED_PROXIES) or remote
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
        address = _parsed(hop.strip())
        if address is None:
            return None
        if not _in(address, trusted):
            return str(address)
    return None


def is_trusted(remote: str, trusted: Sequence[Network]) -> bool:
    """Whether this is one of our proxies; only they connect over a unix socket (no address)."""
    address = _parsed(remote)
    return not remote if address is None else _in(address, trusted)


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


def _in(address: Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)


def _parsed(text: str) -> Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


# Larger than anything our own pages send.

LARGEST = 16_000_000
READ_AWAY = 64_000_000
"""How much of a too large body is read and dropped: browsers show no answer before that."""

_PIECE = 1 << 16


class BodyLimitMiddleware:
    """Answers 413 to a body of more than `LARGEST` bytes."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        size = _size(request)
        if size <= LARGEST:
            return self.get_response(request)
        left = min(size, READ_AWAY)
        while left > 0 and (piece := request.read(min(left, _PIECE))):
            left -= len(piece)
        if request.path.startswith("/api/"):
            return problem_answer(too_large())
        return render(request, "413.html", status=413)


def _size(request: HttpRequest) -> int:
    """The declared size; without one Django reads no body."""
    return int((request.META.get("CONTENT_LENGTH") or "0")[:20])


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
    """WSGI middleware that answers 400 to a request whose body cannot be read.

    Not a Django middleware: Django parses the content type while it builds the request, before any
    of those, and an encoding it does not know raises there. With a form in another encoding than
    UTF-8 even its own error page fails, because that reads the body again.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        if is_readable(environ.get("CONTENT_TYPE", ""), environ.get("CONTENT_LENGTH", "")):
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


class SessionStore(DatabaseStore):
    """Django's database sessions, without a query for a key that we cannot have made.

    PostgreSQL refuses some characters in a query, which would be answered with a 500.
    """

    def _validate_session_key(self, key: str | None) -> bool:
        return key is not None and len(key) == 32 and key.isascii() and key.isalnum()
