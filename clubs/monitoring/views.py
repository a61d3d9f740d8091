"""The addresses for those who watch the server: whether it can read and save, what browsers report
that the content security policy blocked, and where to report a hole (RFC 9116)."""

import logging
import sqlite3
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.core.exceptions import MiddlewareNotUsed
from django.db import DatabaseError, connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from clubs.http.middleware import network_of
from clubs.http.problems import is_outage
from clubs.limits.table import REPORTS, REPORTS_OF_ONE
from clubs.measurements.counters import CSP_REPORTS, HEALTH_CHECKS
from clubs.monitoring.csp_reports import reports_add, reports_read

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


LARGEST = 20_000
"""Bytes of one request: browsers send less than two thousand for each report."""
FORMATS = "application/csp-report", "application/reports+json"


@csrf_exempt
@require_POST
def csp_report(request: HttpRequest) -> HttpResponse:
    """Count the reports in the body; whoever sends them is not looked at but for the limit."""
    status, outcome = _taken(request)
    CSP_REPORTS.labels(outcome).inc()
    return HttpResponse(status=status)


def _taken(request: HttpRequest) -> tuple[int, str]:
    """The status of the answer, and the outcome that is counted."""
    if request.content_type not in FORMATS:
        return 415, "refused"
    if int(request.META.get("CONTENT_LENGTH") or 0) > LARGEST:
        return 413, "refused"
    network = network_of(request.META.get("REMOTE_ADDR", ""))
    if not (REPORTS_OF_ONE.allows_from("csp", network) and REPORTS.allows("csp")):
        return 429, "limited"
    try:
        violations = reports_read(request.body)
    except ValueError:
        return 400, "refused"
    if not violations:
        return 204, "left_out"
    reports_add(violations)
    return 204, "counted"


class ReportingMiddleware:
    """Tells browsers where `report-to` leads. They heed it over https only; elsewhere `report-uri`
    does, which they ignore where there is a `report-to`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not settings.HTTPS:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response["Reporting-Endpoints"] = f'csp="{settings.CSP_REPORTS}"'
        return response


GOOD_FOR = timedelta(days=180)
PATH = ".well-known/security.txt"


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """The operator's contact; 404 where `SECURITY_CONTACT` names none.

    It is made at each request, so it never runs out while the server is looked after.
    """
    if not settings.SECURITY_CONTACT:
        raise Http404
    lines = [
        f"Contact: {settings.SECURITY_CONTACT}",
        f"Expires: {timezone.now() + GOOD_FOR:%Y-%m-%dT00:00:00Z}",
        "Preferred-Languages: nl, en",
    ]
    if settings.HTTPS:
        lines.append(f"Canonical: {settings.PUBLIC_URL}/{PATH}")
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")
