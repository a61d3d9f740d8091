"""Why a phone in the hall would not open the address in the codes: what this computer can see of
that by itself, without asking for more than any program may.

A firewall and a wifi that keeps its devices apart look the same on the phone. Here they differ: a
firewall lets in the question who has this address, with which each connection on a network begins,
and the system then knows the one who asked as a neighbour; such a wifi carries not even that.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

from clubs.http.local_name import local_url
from clubs.http.network import is_private, lan_addresses, lan_urls

_TABLE = Path("/proc/net/arp")
_ROUTES = Path("/proc/net/route")
_NEIGHBOUR = re.compile(
    r"(?<![\d.])(\d+\.\d+\.\d+\.\d+)(?![\d.]).*?((?:[0-9a-f]{1,2}[:-]){5}[0-9a-f]{1,2})\b",
    re.IGNORECASE,
)
_NOBODY = "00:00:00:00:00:00"


class Reach(StrEnum):
    """What stands between a phone and this computer."""

    UNKNOWN = "unknown"
    """It is no address of this network, or all is well so far as can be seen."""
    NO_NETWORK = "no_network"
    CHANGED = "changed"
    FIREWALL = "firewall"
    APART = "apart"


def reach(base: str) -> Reach:
    """What stands between this address and a phone that does not open it, most likely."""
    if settings.PUBLIC_URL or not is_private(base):
        return Reach.UNKNOWN
    if lan_addresses() == ["127.0.0.1"]:
        return Reach.NO_NETWORK
    if is_elsewhere(base):
        return Reach.CHANGED
    return Reach.FIREWALL if neighbours() else Reach.APART


def is_elsewhere(base: str) -> bool:
    """Whether an address was one of this computer, by its look, and is not now: it is in another
    network, serves on another port, or another computer has its name."""
    host = urlsplit(base).hostname or ""
    is_ours = bool(local_url()) and host.startswith(settings.LOCAL_NAME)
    with suppress(ValueError):
        is_ours = ip_address(host).is_private
    return is_ours and not settings.PUBLIC_URL and base not in (*lan_urls(), local_url())


def neighbours() -> list[str]:
    """The devices of this network that this computer has heard, without the router."""
    here, routers = lan_addresses(), set(_routers())
    return [address for address in neighbours_read(_table()) if address not in (*routers, *here)]


def neighbours_read(table: str) -> list[str]:
    """The devices in a table of neighbours as Linux, macOS or Windows prints it.

    >>> neighbours_read("192.168.1.23  0x1  0x2  f0:18:98:0a:0b:0c  *  wlan0")
    ['192.168.1.23']
    >>> neighbours_read("? (192.168.1.5) at f0:18:98:a:b:c on en0 ifscope [ethernet]")
    ['192.168.1.5']
    >>> neighbours_read("  192.168.1.7    f0-18-98-0a-0b-0c    dynamic")
    ['192.168.1.7']

    Those who did not answer, and groups of devices, are none.

    >>> neighbours_read("192.168.1.9 0x1 0x0 00:00:00:00:00:00 * wlan0")
    []
    >>> neighbours_read("  224.0.0.22   01-00-5e-00-00-16   static")
    []
    """
    found = dict.fromkeys(
        address
        for line in table.splitlines()
        for address, hardware in _NEIGHBOUR.findall(line)
        if _is_device(hardware.replace("-", ":"))
    )
    return list(found)


def _is_device(hardware: str) -> bool:
    return hardware != _NOBODY and not int(hardware.partition(":")[0], 16) & 1


def _table() -> str:
    if _TABLE.is_file():
        return _TABLE.read_text("utf-8")
    words = ["arp", "-a"] if sys.platform == "win32" else ["arp", "-an"]
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(  # noqa: S603 — words of this module
            words, capture_output=True, timeout=3, check=True, stdin=subprocess.DEVNULL
        )
        return done.stdout.decode("ascii", "replace")
    return ""


def _routers() -> Iterator[str]:
    """Where this computer sends what is for other networks. Elsewhere than on Linux by custom: the
    first or the last address of a network."""
    if not _ROUTES.is_file():
        for address in lan_addresses():
            network = address.rpartition(".")[0]
            yield from (f"{network}.1", f"{network}.254")
        return
    for line in _ROUTES.read_text("utf-8").splitlines()[1:]:
        destination, gateway = line.split()[1:3]
        if destination == "00000000":
            yield str(ip_address(bytes.fromhex(gateway)[::-1]))
