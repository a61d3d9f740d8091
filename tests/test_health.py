"""Whether the server says so when its database is gone: a real server on a real PostgreSQL."""

import http.client
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing

import pytest
from django.conf import settings

from tests.missing import missing
from tests.nginx import free_port
from tests.postgres import Cluster, binaries

OK = (200, b'{"status": "ok"}')
UNAVAILABLE = (503, b'{"status": "unavailable"}')


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


@pytest.fixture
def port(cluster: Cluster) -> Iterator[int]:
    """Where a server on that cluster answers; nothing of it needs a table."""
    port = free_port()
    serve = f"gunicorn config.wsgi --bind 127.0.0.1:{port} --threads 4 --no-control-socket"
    process = subprocess.Popen(
        [sys.executable, "-m", *serve.split(), "--log-level", "critical"],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DATABASE_URL": cluster.url, "SECRET_KEY": "x"},
        stderr=subprocess.DEVNULL,
    )
    yield port
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


def test_a_database_that_stops_and_comes_back_is_reported(cluster: Cluster, port: int) -> None:
    until(port, OK)

    cluster.kill()
    assert [health(port) for _ in range(2)] == [UNAVAILABLE, UNAVAILABLE]

    cluster.serve()
    until(port, OK)
