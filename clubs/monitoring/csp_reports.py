"""What browsers report of the content security policy: read, freed of what is personal, counted."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.db import transaction
from django.db.models import F
from django.urls import Resolver404, resolve
from django.utils import timezone

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
