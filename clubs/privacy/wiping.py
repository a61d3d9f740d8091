"""Emptying the log that SQLite keeps beside the database, where erased rows stand in full."""

import time
from contextlib import closing
from typing import Final

from django.db import connection
from django.utils.translation import gettext_noop

WIPED_LATER: Final = gettext_noop(
    "For a moment the name is still in a file beside the database, because somebody was reading."
    " It goes when the server is started again."
)
TRIES, PAUSE = 10, 0.2


def erased_rows_wipe() -> bool:
    """Have SQLite move its log (WAL) into the database and empty it; call this after the commit.

    Waits up to two seconds for those who read from the log; returns whether it is empty then.
    PostgreSQL has no such file: its own log is not for the rows of one club.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return True
    for attempt in range(TRIES):
        if attempt:
            time.sleep(PAUSE)
        if _emptied():
            return True
    return False


def _emptied() -> bool:
    with closing(connection.cursor()) as cursor:
        cursor.execute("PRAGMA busy_timeout")
        (before,) = cursor.fetchone()
        # Without a limit one try would wait as long as a write may.
        cursor.execute("PRAGMA busy_timeout=0")
        try:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            busy, _in_log, _moved = cursor.fetchone()
        finally:
            cursor.execute(f"PRAGMA busy_timeout={int(before)}")
    return not busy
