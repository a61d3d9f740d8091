"""`python -m tests.load.faults FAULT`: what goes wrong with a database while 100 tables save.

`database`: PostgreSQL is killed and started again, five times. `disk-sqlite` and `disk-postgres`:
the disk is full three times, a file system of its own of 256 MB; this takes the right to mount one.
Each deal must stand once afterwards, and nobody may have been told anything but to wait.
"""

import logging
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tests.postgres import Cluster, binaries

if TYPE_CHECKING:
    from tests.load.night import Night

DURABLE = "-c max_connections=100"
TABLES, DEALS = 100, 48
DISK_MB = 256
DOWN_SECONDS = 3.0


class Trouble(Protocol):
    waits: list[float]

    def __call__(self, night: "Night") -> None: ...


@dataclass
class Restarts:
    """Kills PostgreSQL and starts it again; `waits` are the seconds until a deal was saved."""

    cluster: Cluster
    times: int = 5
    waits: list[float] = field(default_factory=list)

    def __call__(self, night: "Night") -> None:
        for _ in range(self.times):
            _until_saved(night)
            self.cluster.kill()
            time.sleep(DOWN_SECONDS)
            self.cluster.serve()
            self.waits.append(_until_saved(night))
            night.require_all_there()


@dataclass
class FullDisk:
    """Fills the disk and makes room again; `waits` are the seconds until a deal was saved."""

    folder: Path
    cluster: Cluster | None = None
    times: int = 3
    waits: list[float] = field(default_factory=list)

    def __call__(self, night: "Night") -> None:
        for _ in range(self.times):
            _until_saved(night)
            before = night.outcomes["wait"]
            ballast = filled(self.folder)
            while night.is_on and night.outcomes["wait"] == before:
                filled(self.folder)
                time.sleep(0.1)
            time.sleep(DOWN_SECONDS)
            ballast.unlink()
            self._serve_again()
            self.waits.append(_until_saved(night))
            night.require_all_there()

    def _serve_again(self) -> None:
        """As whoever looks after the machine, or systemd, does where PostgreSQL gave up."""
        if self.cluster and not (self.cluster.data / "postmaster.pid").exists():
            self.cluster.serve()


def filled(folder: Path) -> Path:
    """Take what room is left there; the file that has it."""
    ballast = folder / "ballast"
    with suppress(OSError), ballast.open("ab", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    return ballast


@contextmanager
def database() -> Iterator[tuple[str, Trouble]]:
    with _served(None) as cluster:
        yield cluster.url, Restarts(cluster)


@contextmanager
def disk_sqlite() -> Iterator[tuple[str, Trouble]]:
    with small_disk(DISK_MB) as folder:
        yield f"sqlite:///{folder}/hall.sqlite3", FullDisk(folder)


@contextmanager
def disk_postgres() -> Iterator[tuple[str, Trouble]]:
    with small_disk(DISK_MB) as folder, _served(folder) as cluster:
        yield cluster.url, FullDisk(folder, cluster)


FAULTS = {"database": database, "disk-sqlite": disk_sqlite, "disk-postgres": disk_postgres}


def main() -> None:
    """Let it go wrong, and print what the phones were told."""
    name = sys.argv[1]
    with FAULTS[name]() as (url, trouble):
        os.environ |= {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings"}
        os.environ.setdefault("SECRET_KEY", "only for this evening")
        night = _night(trouble)
        _tell(name, night, trouble)


def _night(trouble: Trouble) -> "Night":
    import django

    django.setup()
    logging.disable(logging.INFO)
    from django.core.management import call_command

    from tests.load.night import night_play

    call_command("migrate", verbosity=0)
    return night_play(tables=TABLES, deals=DEALS, trouble=trouble)


def _tell(name: str, night: "Night", trouble: Trouble) -> None:
    outcomes = ", ".join(f"{word} {count}" for word, count in sorted(night.outcomes.items()))
    waits = ", ".join(f"{seconds:.1f}" for seconds in trouble.waits)
    read = ", ".join(f"{status} {count}" for status, count in sorted(night.reader.statuses.items()))
    print(f"{name}: {TABLES} tables, {TABLES * DEALS} deals")  # noqa: T201
    print(f"  phones were answered: {outcomes}; readers: {read}")  # noqa: T201
    print(f"  seconds until a deal was saved again: {waits}")  # noqa: T201


def _until_saved(night: "Night") -> float:
    """How long it took until somebody's deal was saved."""
    started, before = time.monotonic(), sum(map(len, night.delivered))
    while night.is_on and sum(map(len, night.delivered)) == before:
        time.sleep(0.01)
    return time.monotonic() - started


@contextmanager
def _served(folder: Path | None) -> Iterator[Cluster]:
    found = binaries()
    if found is None:
        sys.exit("No PostgreSQL here.")
    cluster = Cluster(found, DURABLE, within=folder)
    try:
        cluster.start()
        cluster.database_make()
        yield cluster
    finally:
        cluster.stop()


@contextmanager
def small_disk(megabytes: int) -> Iterator[Path]:
    """A file system of its own, of this size, that is full soon."""
    with tempfile.TemporaryDirectory() as name:
        options = f"size={megabytes}m,mode=1777"
        mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", name]
        if subprocess.run(mount, check=False).returncode:
            sys.exit("Not allowed to make a file system of its own here.")
        try:
            yield Path(name)
        finally:
            subprocess.run(["umount", "--lazy", name], check=True)


if __name__ == "__main__":
    main()
