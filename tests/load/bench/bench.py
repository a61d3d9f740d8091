"""What every module of measures gets: the club, the server, and the floors of this run."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from pathlib import Path

from clubs.models import Club
from tests.load.bench.clients import Client, Pace, get, paced
from tests.load.bench.table import Row
from tournaments.models import Evening

ROOT = Path(__file__).resolve().parents[3]
WORKERS = 2


@dataclass(frozen=True, slots=True)
class Floors:
    """What no page can be faster than: an answer with nothing in it, the same without our
    middleware, and one that writes one row in a transaction."""

    empty: Pace
    bare: Pace
    write: Pace

    def rows(self) -> Iterator[Row]:
        yield Row("floor: an empty view", self.empty.per_second, "req/s")
        yield Row("floor: an empty view, p95", self.empty.p95, "ms")
        yield Row("floor: an empty view, no middleware", self.bare.per_second, "req/s")
        ratio = self.empty.per_second / self.bare.per_second
        yield Row("an empty view beside a bare one", ratio, "× floor", 0.4, 0.7)
        yield Row("floor: one small transaction", self.write.per_second, "req/s")
        yield Row("floor: one small transaction, p95", self.write.p95, "ms")


@dataclass(frozen=True)
class Bench:
    """A club of 400 with a season behind it and an evening at which all is played but nothing is
    closed, served at `port`."""

    club: Club
    port: int
    floors: Floors

    @cached_property
    def tonight(self) -> Evening:
        """The evening that is open: 3 rounds of 100 tables, 4,800 deals."""
        running = self.club.evenings.filter(state="running", season__isnull=False)
        return running.select_related("club", "season").get()

    @property
    def club_path(self) -> str:
        return f"/clubs/{self.club.slug}/"

    @property
    def season_path(self) -> str:
        assert self.tonight.season
        return f"{self.club_path}seasons/{self.tonight.season.slug}/"

    @property
    def evening_path(self) -> str:
        return f"{self.club_path}evenings/{self.tonight.slug}/"


def floors_of(port: int) -> Floors:
    """The floors of the server at this port."""
    empty = repeat(get("/floor/empty"))
    with served("tests.load.settings_bare") as bare:
        without = paced(bare, lambda _client: empty)
    return Floors(
        paced(port, lambda _client: empty),
        without,
        paced(port, lambda _client: repeat(get("/floor/write"))),
    )


@contextmanager
def served(settings: str, **environment: str) -> Iterator[int]:
    """The product as `make run` serves it, with two workers, on a port of its own; with this in its
    environment."""
    with _started(settings, environment) as (port, _pid):
        yield port


def worker_megabytes() -> float:
    """The memory of the largest worker that has answered one question."""
    with _started("tests.load.settings", {}) as (_port, pid):
        workers = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return max(_kilobytes(Path(f"/proc/{worker}/status")) for worker in workers) / 1000


def _kilobytes(status: Path) -> int:
    resident = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(resident.split()[1])


@contextmanager
def _started(settings: str, environment: Mapping[str, str]) -> Iterator[tuple[int, int]]:
    """A server: its port, and the process that its workers are children of."""
    port = _free_port()
    serve = f"gunicorn config.wsgi --workers {WORKERS} --threads 4 --no-control-socket"
    with subprocess.Popen(
        [sys.executable, "-m", *serve.split(), "--bind", f"127.0.0.1:{port}"],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": settings, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            _wait_for(port)
            yield port, process.pid
        finally:
            process.send_signal(signal.SIGTERM)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _wait_for(port: int) -> None:
    for _attempt in range(200):
        try:
            with Client(port) as client:
                if client.ask(get("/healthz")).status == 200:
                    return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("The server did not start.")
