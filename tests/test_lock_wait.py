"""Waiting for somebody else's transaction ends."""

import pytest
from django.db import connection


@pytest.mark.django_db
def test_nobody_waits_for_a_lock_longer_than_twenty_seconds() -> None:
    """Behind a transaction that somebody forgot, eight saves held every thread of a server."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA busy_timeout")
            assert cursor.fetchone() == (20_000,)
        else:
            cursor.execute("SHOW lock_timeout")
            assert cursor.fetchone() == ("20s",)
