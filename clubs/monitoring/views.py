"""The addresses for those who watch the server: whether it can read and save, what browsers report
that the content security policy blocked, and where to report a hole (RFC 9116).
"""

import json
import logging
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.core.cache import caches
from django.db import DatabaseError, connection, transaction
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import Resolver404, resolve
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from clubs.http.middleware import network_of
from clubs.http.problems import is_outage
from clubs.limits.table import REPORTS, REPORTS_OF_ONE
from clubs.measurements.counters import CSP_REPORTS, HEALTH_CHECKS
from clubs.models import CspReport

MOST_KINDS = 500
"""So many kinds are kept; of more, those that were not seen for the longest time go."""
MOST_AT_ONCE = 20
"""So many reports of one request are read: browsers gather a few."""

_DIRECTIVE = re.compile(r"[a-z][a-z-]{2,39}", re.ASCII)
_WORD = re.compile(r"[a-z][a-z-]{0,29}", re.ASCII)
_HOST = re.compile(r"[a-z0-9.-]{1,80}(:[0-9]{1,5})?", re.ASCII)
_OF_THE_BROWSER = {
    "about",
    "chrome",
    "chrome-extension",
    "moz-extension",
    "ms-browser-extension",
    "resource",
    "safari-extension",
    "safari-web-extension",
    "webkit-masked-url",
}
"""Schemes of extensions and of the browser itself: what those do on a page is not ours to mend."""


class Violation(NamedTuple):
    """What was blocked, by which directive, on which page."""

    directive: str
    blocked: str
    route: str


def reports_read(body: bytes) -> list[Violation]:
    """The violations in the body of a request, in either format; without those that a browser's
    extension caused. Raises ValueError for anything else."""
    try:
        payload = json.loads(body)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    violations = [_violation(fields) for fields in _reports(payload)]
    return [violation for violation in violations if violation is not None]


def _reports(payload: Any) -> Iterator[Mapping[str, Any]]:
    """The fields of each report, under the names that `report-uri` gives them."""
    if isinstance(payload, dict) and isinstance(payload.get("csp-report"), dict):
        yield payload["csp-report"]
        return
    if not isinstance(payload, list):
        raise ValueError("no reports")
    for report in payload[:MOST_AT_ONCE]:
        body = report.get("body") if isinstance(report, dict) else None
        if isinstance(body, dict) and report.get("type") == "csp-violation":
            yield {
                "document-uri": body.get("documentURL"),
                "effective-directive": body.get("effectiveDirective"),
                "blocked-uri": body.get("blockedURL"),
                "source-file": body.get("sourceFile"),
            }


def _violation(fields: Mapping[str, Any]) -> Violation | None:
    said = {name: value for name, value in fields.items() if isinstance(value, str)}
    directive = said.get("effective-directive") or said.get("violated-directive", "")
    directive = directive.partition(" ")[0]
    if not _DIRECTIVE.fullmatch(directive):
        raise ValueError("no directive")
    page, blocked = said.get("document-uri", ""), said.get("blocked-uri", "")
    if _OF_THE_BROWSER & {_scheme(blocked), _scheme(said.get("source-file", ""))}:
        return None
    return Violation(directive, _blocked(blocked, page), _route(page))


def _scheme(address: str) -> str:
    return address.partition(":")[0].lower()


def _blocked(address: str, page: str) -> str:
    """Scheme and host of what was blocked, or the browser's word for it; never a path or a query.

    >>> _blocked("https://ads.example/a?b=c", "https://klaver.example/"), _blocked("inline", "")
    ('https://ads.example', 'inline')
    >>> _blocked("https://klaver.example/t/s3cret/", "https://klaver.example/x"), _blocked("", "")
    ('self', 'inline')
    """
    parts = urlsplit(address)
    host = parts.netloc.rpartition("@")[2].lower()
    if not parts.scheme:
        return address if _WORD.fullmatch(address) else "inline" if not address else "?"
    if host and host == urlsplit(page).netloc.lower():
        return "self"
    scheme = parts.scheme if _WORD.fullmatch(parts.scheme) else "?"
    return f"{scheme}://{host}" if _HOST.fullmatch(host) else f"{scheme}:"


def _route(page: str) -> str:
    """The route of a page of ours; its path may hold a name or the secret of a table."""
    try:
        return resolve(urlsplit(page).path).route[:120]
    except Resolver404:
        return "?"


def reports_add(violations: list[Violation]) -> None:
    """Count these violations."""
    now = timezone.now()
    with transaction.atomic():
        for violation, times in sorted(Counter(violations).items()):
            kind = violation._asdict()
            report, is_new = CspReport.objects.get_or_create(
                **kind, defaults={"times": times, "first_at": now, "last_at": now}
            )
            if is_new:
                _forget_oldest()
            else:
                CspReport.objects.filter(pk=report.pk).update(times=F("times") + times, last_at=now)


def _forget_oldest() -> None:
    too_many = CspReport.objects.values("pk")[MOST_KINDS : MOST_KINDS + MOST_AT_ONCE]
    CspReport.objects.filter(pk__in=[row["pk"] for row in too_many]).delete()


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


GOOD_FOR = timedelta(days=180)
SECURITY_TXT = ".well-known/security.txt"


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
        lines.append(f"Canonical: {settings.PUBLIC_URL}/{SECURITY_TXT}")
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")
