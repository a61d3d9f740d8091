"""Eight clients that ask over connections that stay open, at as little cost as can be.

The clients share the machine with the server, so that a request is bytes that are made once and an
answer is read no further than its length.
"""

import socket
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Self

CLIENTS = 8
WARM_UP_SECONDS, SECONDS = 1.0, 4.0
PATIENCE = 30.0
APART = 0.03
"""Seconds between one client and the next. Where all come in the same instant to a server that does
nothing, one of its workers takes most of them, and keeps them."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back; `headers` by their names in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(slots=True)
class Pace:
    """What a number of clients got done: how often a second, and how long each took in ms."""

    per_second: float
    took: list[float]
    statuses: Counter[int]

    @property
    def median(self) -> float:
        return statistics.median(self.took)

    @property
    def p95(self) -> float:
        return statistics.quantiles(self.took, n=20)[-1]


class Client:
    """One connection to the server on this port, made anew where the server closed it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.socket: socket.socket | None = None
        self.unread = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def close(self) -> None:
        if self.socket:
            self.socket.close()
        self.socket, self.unread = None, b""

    def ask(self, request: bytes) -> Answer:
        """The answer to a request as `get` or `post` makes one. OSError when there is none."""
        with suppress(OSError):
            if self.socket:
                return self._ask(self.socket, request)
        self.close()
        self.socket = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self._ask(self.socket, request)

    def _ask(self, connection: socket.socket, request: bytes) -> Answer:
        connection.sendall(request)
        while b"\r\n\r\n" not in self.unread:
            self._read(connection)
        head, _, self.unread = self.unread.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        pairs = (line.partition(":") for line in lines)
        headers = {name.lower(): value.strip() for name, _, value in pairs}
        length = int(headers.get("content-length", 0))
        while len(self.unread) < length:
            self._read(connection)
        body, self.unread = self.unread[:length], self.unread[length:]
        if headers.get("connection") == "close":
            self.close()
        return Answer(int(first.split()[1]), headers, body)

    def _read(self, connection: socket.socket) -> None:
        more = connection.recv(262_144)
        if not more:
            raise ConnectionError
        self.unread += more


def get(path: str, **headers: str) -> bytes:
    """A request for this page; `if_none_match="…"` is written as a header would be."""
    return _request("GET", path, headers)


def post(path: str, body: bytes, **headers: str) -> bytes:
    """A request that writes."""
    return _request("POST", path, {"content_length": str(len(body)), **headers}) + body


def _request(method: str, path: str, headers: Mapping[str, str]) -> bytes:
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *lines, "", ""]).encode()


@dataclass(slots=True)
class _Tally:
    took: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)


def paced(
    port: int,
    requests_of: Callable[[int], Iterator[bytes]],
    *,
    clients: int = CLIENTS,
    seconds: float = SECONDS,
    warm_up: float = WARM_UP_SECONDS,
) -> Pace:
    """What so many clients get done at once; `requests_of` gives each (from 0) what it asks.

    A client that has nothing more to ask stops before the time is over.
    """
    requests = [requests_of(number) for number in range(clients)]
    if warm_up:
        _all_ask(port, requests, warm_up)
    started = time.perf_counter()
    tallies = _all_ask(port, requests, seconds)
    took = [one for tally in tallies for one in tally.took]
    statuses = sum((tally.statuses for tally in tallies), Counter[int]())
    return Pace(len(took) / (time.perf_counter() - started), took, statuses)


def _all_ask(port: int, requests: list[Iterator[bytes]], seconds: float) -> list[_Tally]:
    end = time.perf_counter() + seconds
    tallies = [_Tally() for _ in requests]
    threads = [
        threading.Thread(target=_ask_until, args=(port, end, each, tally))
        for each, tally in zip(requests, tallies, strict=True)
    ]
    for thread in threads:
        thread.start()
        time.sleep(APART)
    for thread in threads:
        thread.join()
    return tallies


def _ask_until(port: int, end: float, requests: Iterator[bytes], tally: _Tally) -> None:
    with Client(port) as client:
        while (started := time.perf_counter()) < end:
            request = next(requests, None)
            if request is None:
                return
            answer = client.ask(request)
            tally.took.append((time.perf_counter() - started) * 1000)
            tally.statuses[answer.status] += 1
