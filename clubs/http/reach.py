"""How a phone in the hall comes to this computer by its name, and why it would not open the address
in the codes: what this computer can see of that by itself, without asking for more than any program
may.

`klaverclub.local` is a name that phones on the same wifi can open, by multicast DNS. Some wifis
carry no such questions and some phones ask none, so it stands beside the address in numbers, never
in its place; and whatever goes wrong with it stops nothing.

A firewall and a wifi that keeps its devices apart look the same on the phone. Here they differ: a
firewall lets in the question who has this address, with which each connection on a network begins,
and the system then knows the one who asked as a neighbour; such a wifi carries not even that.
"""

import logging
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from enum import StrEnum
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings

from clubs.http.network import is_private, lan_addresses, lan_urls

_TABLE = Path("/proc/net/arp")
_ROUTES = Path("/proc/net/route")
_NEIGHBOUR = re.compile(
    r"(?<![\d.])(\d+\.\d+\.\d+\.\d+)(?![\d.]).*?((?:[0-9a-f]{1,2}[:-]){5}[0-9a-f]{1,2})\b",
    re.IGNORECASE,
)
_NOBODY = "00:00:00:00:00:00"
logger = logging.getLogger(__name__)

KIND: Final = "_http._tcp.local."
MOST: Final = 20
"""So many laptops in one hall have a name."""
ASKING_MS: Final = 700
"""As long others have to say that a name is theirs."""
LOOKING: Final = 15.0
"""So often it looks whether this computer has another address, in seconds."""
_LOOPBACK: Final = ["127.0.0.1"]
_announced: list[str] = []


def local_url() -> str:
    """The address with the name, such as `http://klaverclub.local:8000`; empty while no name is
    answered here."""
    return next(iter(_announced), "")


class LocalName:
    """The name, from its start until it is closed: found, answered, and followed to another wifi.

    All of it happens in a thread of its own.
    """

    def __init__(self, port: int, addresses: Callable[[], Sequence[str]] = lan_addresses) -> None:
        self._wanted: str = settings.LOCAL_NAME
        self._port, self._addresses = port, addresses
        self._url = ""
        self._ended, self._told = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="local name", daemon=True)
        self._thread.start()

    def url(self, patience: float = 0.0) -> str:
        """The address with the name, once it is found; empty where there is none by then."""
        self._told.wait(patience)
        return self._url

    def close(self) -> None:
        """Let go of the name, and tell those who remember it."""
        self._ended.set()
        self._thread.join(5)

    def _run(self) -> None:
        try:
            while self._wanted and not self._ended.is_set():
                self._answer_here(list(self._addresses()))
        finally:
            self._told.set()

    def _answer_here(self, here: Sequence[str]) -> None:
        """Answer for a name until this computer is elsewhere."""
        from zeroconf import Error

        try:
            if here != _LOOPBACK:
                with closing(_Answering(self._wanted, self._port, here)) as answering:
                    self._is_now(answering.url)
                    self._until_elsewhere(here)
                self._is_now("")
                return
        except (OSError, Error) as error:
            logger.info("No name on this network: %s", error)
        self._until_elsewhere(here)

    def _is_now(self, url: str) -> None:
        self._url = url
        _announced[:] = filter(None, [url])

    def _until_elsewhere(self, here: Sequence[str]) -> None:
        """Wait until the addresses of this computer are others, or it ends."""
        self._told.set()
        while not self._ended.wait(LOOKING) and list(self._addresses()) == here:
            pass


class _Answering:
    """One name on one network: it answers for it until it is closed."""

    def __init__(self, wanted: str, port: int, addresses: Sequence[str]) -> None:
        from zeroconf import IPVersion, NonUniqueNameException, ServiceInfo, Zeroconf

        self.url = ""
        self._zeroconf: Any = Zeroconf(list(addresses), ip_version=IPVersion.V4Only)
        try:
            for name in self._free(wanted):
                service = ServiceInfo(
                    KIND,
                    f"{name}.{KIND}",
                    server=f"{name}.local.",
                    port=port,
                    addresses=[socket.inet_aton(address) for address in addresses],
                )
                # Somebody who started at the same moment may have it now.
                with suppress(NonUniqueNameException):
                    self._zeroconf.register_service(service)
                    self.url = f"http://{name}.local:{port}"
                    break
        except BaseException:
            self._zeroconf.close()
            raise

    def _free(self, wanted: str) -> Iterator[str]:
        """The names that nobody on this network answers for, the best one first."""
        from zeroconf import AddressResolverIPv4

        for number in range(1, MOST + 1):
            name = wanted if number == 1 else f"{wanted}-{number}"
            if not AddressResolverIPv4(f"{name}.local.").request(self._zeroconf, ASKING_MS):
                yield name

    def close(self) -> None:
        """Say goodbye."""
        self._zeroconf.close()


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
