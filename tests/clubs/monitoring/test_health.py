"""What `/healthz` says while the database can be read and nothing can be saved."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime

import pytest
import time_machine
from django.db import connection
from django.test import Client

from clubs.models import HealthProbe

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
FULL = {"status": "unavailable", "problem": "nothing can be saved"}


def _healthz(client: Client) -> tuple[int, dict[str, str]]:
    response = client.get("/healthz")
    return response.status_code, response.json()


@contextmanager
def read_only() -> Iterator[None]:
    """The database is one that may be read and not written, as a standby is."""
    if connection.vendor == "sqlite":
        begin, end = "PRAGMA query_only = 1", "PRAGMA query_only = 0"
    else:
        begin, end = (f"SET default_transaction_read_only = {word}" for word in ("on", "off"))
    with connection.cursor() as cursor:
        cursor.execute(begin)
        try:
            yield
        finally:
            cursor.execute(end)


@pytest.mark.django_db(transaction=True)
@pytest.mark.both
def test_what_can_be_read_and_not_written_is_not_well(client: Client) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        assert _healthz(client) == (200, {"status": "ok"})
        clock.shift(10)
        with read_only():
            assert _healthz(client) == (503, FULL)
            clock.shift(1)
            assert _healthz(client) == (503, FULL)
        clock.shift(1)
        assert _healthz(client) == (200, {"status": "ok"})


@pytest.mark.django_db(transaction=True)
@pytest.mark.both
def test_a_write_is_then_asked_to_wait(client: Client) -> None:
    with read_only():
        response = client.post("/login/", {"username": "jan@example.org", "password": "x"})

    assert (response.status_code, response.headers["Retry-After"]) == (503, "5")


@pytest.mark.django_db(transaction=True)
@pytest.mark.both
def test_it_writes_one_row_and_that_not_at_every_request(client: Client) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        for _ in range(10):
            client.get("/healthz")
            clock.shift(1)
        assert [row.written_at for row in HealthProbe.objects.all()] == [NOON]
        client.get("/healthz")
        assert [row.written_at.second for row in HealthProbe.objects.all()] == [10]


@pytest.mark.django_db(transaction=True)
def test_on_sqlite_it_does_not_wait_for_somebody_who_writes_for_long(client: Client) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("Writers of PostgreSQL do not wait for each other.")
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert _healthz(client) == (200, {"status": "ok"})
    assert not HealthProbe.objects.exists()
