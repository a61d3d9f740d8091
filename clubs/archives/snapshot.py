"""The database as it is at one moment, while others go on writing."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """Whatever is read in here is of one moment, and keeps nobody from writing. Inside a
    transaction, the moment is that one's."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        with _deferred(), transaction.atomic():
            yield


@contextmanager
def _deferred() -> Iterator[None]:
    """On SQLite a transaction that begins IMMEDIATE keeps every writer waiting until it ends."""
    sqlite: Any = connection
    # Connecting would set the mode anew.
    sqlite.ensure_connection()
    before, sqlite.transaction_mode = sqlite.transaction_mode, "DEFERRED"
    try:
        yield
    finally:
        sqlite.transaction_mode = before
