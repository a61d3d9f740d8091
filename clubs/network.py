"""The addresses under which phones on the same network reach this machine."""

import socket
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import ip_address

_LOOPBACK = "127.0.0.1"
# One address of each private range and one outside them (reserved for documentation): the way
# the system would take to each shows which of its own addresses a phone could use.
_ANYWHERE = ("192.168.0.1", "10.0.0.1", "172.16.0.1", "192.0.2.1")


def lan_addresses() -> list[str]:
    """This machine's private IPv4 addresses, likeliest first; `["127.0.0.1"]` when it has none.

    Nothing is sent: connecting a UDP socket only looks up the route.
    """
    found = dict.fromkeys([*_routed(), *_named()])
    usable = [address for address in found if _reachable_from_hall(address)]
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
