"""Whether a real server says so when its database is gone, or its disk is full."""

import http.client
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from shutil import copyfile

import pytest
from django.conf import settings

from tests.load.faults import filled, small_disk
from tests.missing import missing
from tests.nginx import free_port
from tests.other_databases import migrated_file
from tests.postgres import Cluster, binaries

OK = (200, b'{"status": "ok"}')
SILENT = (503, b'{"status": "unavailable", "problem": "the database does not answer"}')
FULL = (503, b'{"status": "unavailable", "problem": "nothing can be saved"}')


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    found = binaries()
    made = Cluster(found or missing("PostgreSQL", "postgresql"))
    try:
        made.start()
        made.database_make()
        yield made
    finally:
        made.stop()


@contextmanager
def serving(database_url: str) -> Iterator[int]:
    """A server on that database, and the port where it answers."""
    port = free_port()
    serve = f"gunicorn config.wsgi --bind 127.0.0.1:{port} --threads 4 --no-control-socket"
    process = subprocess.Popen(
        [sys.executable, "-m", *serve.split(), "--log-level", "critical"],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DATABASE_URL": database_url, "SECRET_KEY": "x"},
        stderr=subprocess.DEVNULL,
    )
    try:
        yield port
    finally:
        process.terminate()
        process.wait(timeout=120)


def health(port: int) -> tuple[int, bytes]:
    """What the server says of itself; nothing while it is still starting."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=120)) as asked:
        try:
            asked.request("GET", "/healthz")
            answer = asked.getresponse()
            return answer.status, answer.read()
        except ConnectionError:
            return 0, b""


def until(port: int, wanted: tuple[int, bytes]) -> None:
    deadline = time.monotonic() + 120
    while (said := health(port)) != wanted:
        assert time.monotonic() < deadline, said
        time.sleep(0.1)


@pytest.mark.full
def test_a_database_that_stops_and_comes_back_is_reported(cluster: Cluster) -> None:
    """Nothing of it needs a table: before `migrate` too the database answers."""
    with serving(cluster.url) as port:
        until(port, OK)

        cluster.kill()
        assert [health(port) for _ in range(2)] == [SILENT, SILENT]

        cluster.serve()
        until(port, OK)


@pytest.mark.full
@pytest.mark.once
@pytest.mark.skipif(os.geteuid() != 0, reason="Only root may make a small file system.")
def test_a_disk_that_is_full_and_has_room_again_is_reported() -> None:
    with small_disk(16) as folder:
        copyfile(migrated_file(), folder / "club.sqlite3")
        with serving(f"sqlite:///{folder}/club.sqlite3") as port:
            until(port, OK)

            ballast = filled(folder)
            until(port, FULL)

            ballast.unlink()
            until(port, OK)
