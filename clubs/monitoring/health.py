"""Whether the server can read and save, as monitoring asks at `/healthz`."""

import logging
import sqlite3
from typing import Any

from django.core.cache import caches
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache

from clubs.http.problems import is_outage
from clubs.measurements.counters import HEALTH_CHECKS

logger = logging.getLogger(__name__)

WRITES_EVERY = 10
"""Seconds between two test writes of one process."""
AGAIN_AFTER = 1
"""Seconds after a write that failed: phones ask here whether they may send what they hold."""

_SILENT, _UNSAVED = "the database does not answer", "nothing can be saved"
_OUTCOMES = {"": "ok", _SILENT: "silent_database", _UNSAVED: "cannot_save"}
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_PATIENCE_MS = 500
_WRITE = """
INSERT INTO clubs_healthprobe (id, written_at) VALUES (1, %s)
ON CONFLICT (id) DO UPDATE SET written_at = excluded.written_at
"""


@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """200 and `{"status": "ok"}` when the database answers and can be written, else 503."""
    problem = _problem()
    HEALTH_CHECKS.labels(_OUTCOMES[problem]).inc()
    if problem:
        return JsonResponse({"status": "unavailable", "problem": problem}, status=503)
    return JsonResponse({"status": "ok"})


def _problem() -> str:
    """What is wrong, in words that tell a stranger nothing of this server; empty when all is well.

    Reading is tried each time. Of the last write the outcome is remembered, and while one request
    tries it the others go by that.
    """
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return _SILENT
    remembered = caches["small"]
    if remembered.add("health-written", True, WRITES_EVERY):
        problem = _write_problem()
        remembered.set("health-problem", problem, None)
        if problem:
            remembered.set("health-written", True, AGAIN_AFTER)
    return str(remembered.get("health-problem", ""))


def _write_problem() -> str:
    """Write one row; before `migrate` made its table there is nothing to try."""
    try:
        with connection.cursor() as cursor:
            _write(cursor)
    except DatabaseError as error:
        if not is_outage(error) or _is_busy(error):
            return ""
        logger.error("Nothing can be saved: %s", error)  # noqa: TRY400 - once a second, no trace
        return _UNSAVED
    return ""


def _write(cursor: Any) -> None:
    """A single statement and its own transaction: it stands in no queue, and waits for no import
    that has the file of SQLite for minutes."""
    if connection.vendor != "sqlite":
        cursor.execute(_WRITE, [timezone.now()])
        return
    usual = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
    cursor.execute(f"PRAGMA busy_timeout = {_PATIENCE_MS}")
    try:
        cursor.execute(_WRITE, [timezone.now()])
    finally:
        cursor.execute(f"PRAGMA busy_timeout = {usual}")


def _is_busy(error: DatabaseError) -> bool:
    """Whether somebody else is writing, which is as good."""
    return getattr(error.__cause__, "sqlite_errorcode", 0) & 0xFF in _BUSY
