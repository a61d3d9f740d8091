"""`klaverclub.local`: a name for this computer that phones on the same wifi can open, by multicast
DNS. Some wifis carry no such questions and some phones ask none, so it stands beside the address in
numbers, never in its place; and whatever goes wrong here stops nothing.
"""

import logging
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from typing import Any, Final

from django.conf import settings

from clubs.http.network import lan_addresses

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
