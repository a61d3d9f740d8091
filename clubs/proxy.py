"""Who really asks, where a proxy stands in between; nobody else is believed about it."""

from collections.abc import Callable, Sequence
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

from django.conf import settings
from django.http import HttpRequest, HttpResponse

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
