"""What happens to every request before and after its view."""

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
SAID_BY_PROXIES = "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_REQUEST_ID"


class ProxyMiddleware:
    """Makes `REMOTE_ADDR` the address of the person, as the proxies of `TRUSTED_PROXIES` tell it.

    What anybody else says in those headers is dropped: throttles and locks count addresses, and
    who could make one up would never be slowed down.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        said = request.META
        remote = said.get("REMOTE_ADDR", "")
        if is_trusted(remote, settings.TRUSTED_PROXIES):
            hops = said.pop("HTTP_X_FORWARDED_FOR", "").split(",")
            said["REMOTE_ADDR"] = first_stranger(hops, settings.TRUSTED_PROXIES) or remote
        else:
            for name in SAID_BY_PROXIES:
                said.pop(name, None)
        return self.get_response(request)


def first_stranger(hops: Sequence[str], trusted: Sequence[Network]) -> str | None:
    """The last of these addresses that is no proxy of ours; None when there is none to believe.

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
    """Whether this is a proxy of ours; over a unix socket (no address) only one can come."""
    address = _parsed(remote)
    return not remote if address is None else _in(address, trusted)


def network_of(remote: str) -> str:
    """By what somebody is counted: their address; of IPv6, where one person has addresses without
    end, that of their network.

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


# No request is larger than anything a page of ours sends.

LARGEST = 16_000_000
READ_AWAY = 64_000_000
"""So much of what is too large is read all the same: no browser shows an answer before that."""

_PIECE = 1 << 16


class BodyLimitMiddleware:
    """Answers 413 to a body of more than `LARGEST` bytes, of which nothing is kept."""

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
    """How large it says to be; without a size nothing of it is read anyway."""
    return int((request.META.get("CONTENT_LENGTH") or "0")[:20])


# Refuses requests whose content type or length makes Django fail with a 500.

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


# Sessions, kept in the database under keys as we make them and no others.


class SessionStore(DatabaseStore):
    """As Django's; a cookie that cannot be one of ours is no session, and asked for nowhere.

    PostgreSQL refuses to look for some characters at all, which was a fault of the server.
    """

    def _validate_session_key(self, key: str | None) -> bool:
        return key is not None and len(key) == 32 and key.isascii() and key.isalnum()
