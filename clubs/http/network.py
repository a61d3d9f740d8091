"""The addresses of this server in the hall's network, in links and in QR codes; where passkeys
work; and addresses of other websites, as browsers compare them."""

import re
import socket
from collections.abc import Iterable, Iterator
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port, validate_host
from django.utils.safestring import SafeString
from django_permissions_policy.decorators import permissions_policy_override

from clubs.models import Club, User

_OWN_NAMES = ".local", ".lan", ".home", ".internal", ".localhost"
_LOOPBACK = "127.0.0.1"
_THROUGH_NAT64 = IPv6Network("64:ff9b::/96")
_LINK = re.compile(r"https?://\S+", re.IGNORECASE)
# One address of each private range and one outside them (reserved for documentation): the way
# the system would take to each shows which of its own addresses a phone could use.
_ANYWHERE = ("192.168.0.1", "10.0.0.1", "172.16.0.1", "192.0.2.1")


# Links are never built from the Host header of a request, which anybody can set.


def base_url(club: Club) -> str:
    """The address of this server for phones, without a slash at the end.

    The address the club chose, else `PUBLIC_URL`, else this machine on the hall's network.
    """
    return club.address.rstrip("/") or settings.PUBLIC_URL or lan_urls()[0]


def absolute_url(club: Club, path: str) -> str:
    """The absolute URL of `path` (which starts with a slash), for a QR code or a message."""
    return base_url(club) + path


def mailed_url(club: Club, path: str) -> str:
    """The absolute URL of `path` for a mail, which carries the good name of this server: on
    `PUBLIC_URL`, else on the club's own address where the operator vouches for it, by
    `ALLOWED_HOSTS` or because it is this machine's. Otherwise a club could have anybody mailed a
    link to a host of its choice.
    """
    own = club.address.rstrip("/")
    return (settings.PUBLIC_URL or (own if _is_vouched_for(own) else lan_urls()[0])) + path


def _is_vouched_for(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    named = [name for name in settings.ALLOWED_HOSTS if name != "*"]
    return bool(host) and (validate_host(host, named) or host in lan_addresses())


def login_url(user: User, path: str) -> str:
    """The absolute URL of `path`, for a link that opens this login: on `PUBLIC_URL`, else on the
    address of the user's only club, else on this machine's in the hall's network.

    One club's address is not used for a login with other clubs or leagues: its organiser could
    choose an address of their own and read the link there.
    """
    clubs = Club.objects.filter(roles__user=user)[:2]
    if len(clubs) == 1 and not user.leagues_led.exists():
        return mailed_url(clubs[0], path)
    return server_url() + path


def server_url() -> str:
    """The address of this server for a link that is of no club, without a slash at the end."""
    return settings.PUBLIC_URL or lan_urls()[0]


def is_at_the_machine(request: HttpRequest) -> bool:
    """Whether somebody asks at this computer itself, by its own name: another site can give this
    address a name of its own. Never where there is a public address."""
    host = urlsplit(f"//{request.get_host()}").hostname
    return (
        not settings.PUBLIC_URL
        and request.META.get("REMOTE_ADDR") in (_LOOPBACK, "::1")
        and host in ("localhost", _LOOPBACK, "::1")
    )


def qr_svg(url: str) -> SafeString:
    """A QR code of `url` as an inline SVG element, dark on light."""
    import segno

    code = segno.make(url, error="m")
    return SafeString(code.svg_inline(scale=4, border=2, light="#fff", omitsize=True))


def is_private(url: str) -> bool:
    """Whether a URL opens on this machine or its own network only, not at people's homes.

    >>> [is_private(url) for url in ("http://192.168.1.7:8000", "http://hal.local", "https://k.nl")]
    [True, True, False]
    """
    host = urlsplit(url).hostname or ""
    try:
        return not ip_address(host).is_global
    except ValueError:
        return "." not in host or host.endswith(_OWN_NAMES)


def is_outside(address: str) -> bool:
    """Whether an IP address is one on the internet, and does not stand for one of a network inside.

    >>> [is_outside(ip) for ip in ("8.8.8.8", "127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1")]
    [True, False, False, False]
    """
    ip = ip_address(address.partition("%")[0])
    stood_for = [ip]
    if isinstance(ip, IPv6Address):
        both = (ip.ipv4_mapped, ip.sixtofour, *(ip.teredo or ()))
        if ip in _THROUGH_NAT64:
            both += (IPv4Address(int(ip) & 0xFFFFFFFF),)
        stood_for = [ip, *(meant for meant in both if meant is not None)]
    return all(meant.is_global and not meant.is_multicast for meant in stood_for)


def private_links(text: str) -> list[str]:
    """The links in a text that only open on this machine or its own network.

    >>> private_links("See http://192.168.1.7:8000/x. Or https://k.nl.")
    ['http://192.168.1.7:8000/x']
    """
    links = [link.rstrip(".,;:!?)") for link in _LINK.findall(text)]
    return [link for link in dict.fromkeys(links) if _opens_here_only(link)]


def _opens_here_only(link: str) -> bool:
    try:
        return is_private(link)
    except ValueError:
        return False


def lan_urls() -> list[str]:
    """The server's addresses on the networks this machine is in, likeliest first; never empty."""
    return [f"http://{address}:{settings.PORT}" for address in lan_addresses()]


def lan_addresses() -> list[str]:
    """This machine's private IPv4 addresses, likeliest first; `["127.0.0.1"]` when it has none.

    Nothing is sent: connecting a UDP socket only looks up the route.
    """
    candidates = dict.fromkeys([*_routed(), *_named()])
    usable = [address for address in candidates if _reachable_from_hall(address)]
    return usable or [_LOOPBACK]


def _routed() -> Iterator[str]:
    for destination in _ANYWHERE:
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((destination, 9))
            yield probe.getsockname()[0]


def _named() -> Iterator[str]:
    with suppress(OSError):
        for *_, address in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            yield str(address[0])


def _reachable_from_hall(address: str) -> bool:
    ip = ip_address(address)
    return ip.is_private and not (ip.is_loopback or ip.is_link_local or ip.is_unspecified)


LOCAL = "localhost"
_DEFAULT_PORTS = {"http": 80, "https": 443}

_FEATURES = "publickey-credentials-create", "publickey-credentials-get"

may_ask_for_passkeys = permissions_policy_override(
    {**settings.PERMISSIONS_POLICY, **{feature: ["self"] for feature in _FEATURES}}
)
"""Decorates the few pages on which a browser may make or use a passkey."""


def passkey_host() -> str:
    """The host that passkeys of this server are bound to: that of `PUBLIC_URL`, in development
    `localhost`; empty where browsers would refuse (no https, or an address of numbers)."""
    if not settings.PUBLIC_URL:
        return LOCAL
    parts = urlsplit(settings.PUBLIC_URL)
    host = parts.hostname or ""
    is_secure = parts.scheme == "https" or host == LOCAL
    return host if is_secure and not _is_number(host) else ""


def passkeys_work(request: HttpRequest) -> bool:
    """Whether a browser on this page's address can make and use passkeys of this server."""
    host = split_domain_port(request.get_host())[0]
    return host == passkey_host() and (request.is_secure() or host == LOCAL)


def is_own_origin(origin: str) -> bool:
    """Whether a browser that used a passkey was on this server: on `PUBLIC_URL` exactly, else on
    `localhost` with whatever port.

    >>> is_own_origin("http://localhost:8000"), is_own_origin("https://localhost.example")
    (True, False)
    """
    if settings.PUBLIC_URL:
        return _origin(origin) == _origin(settings.PUBLIC_URL)
    return urlsplit(origin).hostname == LOCAL


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or _DEFAULT_PORTS.get(parts.scheme)


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


_LONGEST_ORIGIN = 200
_LABEL = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
_HOST = re.compile(rf"{_LABEL}(\.{_LABEL})*", re.ASCII)


def origin_read(text: str) -> str:
    """The origin of an address that somebody typed or copied; without a scheme it is https.

    >>> origin_read(" WWW.Vrolijke-Boer.nl/stand?x=1 "), origin_read("http://localhost:8000/")
    ('https://www.vrolijke-boer.nl', 'http://localhost:8000')

    Raises ValueError where it is no address of a website.
    """
    typed = text.strip()
    if not typed or len(typed) > _LONGEST_ORIGIN or not typed.isprintable():
        raise ValueError(text)
    parts = urlsplit(typed if "://" in typed else f"https://{typed}")
    host = _host(parts.hostname or "")
    if parts.scheme not in ("http", "https") or "@" in parts.netloc or not _HOST.fullmatch(host):
        raise ValueError(text)
    port = "" if parts.port is None else f":{parts.port}"
    if not re.fullmatch(rf"{re.escape(parts.hostname or '')}(:[0-9]+)?", parts.netloc.lower()):
        raise ValueError(text)
    return f"{parts.scheme}://{host}{port}"


def origins_read(lines: Iterable[str]) -> list[str]:
    """The origins of these lines, each once; empty lines are left out. Raises ValueError with the
    first line that is none."""
    return list(dict.fromkeys(origin_read(line) for line in lines if line.strip()))


def _host(host: str) -> str:
    """The host as browsers send it: names with other letters have a form in plain ones."""
    if host.isascii():
        return host
    return host.encode("idna").decode("ascii")
