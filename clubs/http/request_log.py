"""One line in the log for each request, without names, addresses or links that open a table."""

import json
import logging
import re
import secrets
import time
from collections.abc import Callable
from contextvars import ContextVar

from django.http import HttpRequest, HttpResponse

logger = logging.getLogger(__name__)

_request_id: ContextVar[str] = ContextVar("request_id", default="-")
_WELL_FORMED = re.compile(r"[0-9a-f][0-9a-f-]{6,34}[0-9a-f]", re.ASCII)
_PERSONAL = (
    (re.compile(r"/t/[^/\s'\"]+"), "/t/…"),
    (re.compile(r"/(password/set|invitations)/[^\s'\"]+"), r"/\1/…"),
    (re.compile(r"[^\s<>'\"=(,:]+@[^\s<>'\"),]+"), "…@…"),
    (re.compile(r"^([ \t]*DETAIL:[ \t]+).*$", re.MULTILINE), r"\1…"),
)
"""Links that open a table or an account, e-mail addresses, and rows in errors of PostgreSQL."""


class RequestLogMiddleware:
    """Logs method, route (not the path: it may hold a table's token), status and duration.

    The id on each line also goes out as `X-Request-ID`, so that a report can be matched with it. A
    proxy that is trusted may give one: only digits of a hexadecimal number and dashes.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        request_id = _given_id(request) or secrets.token_hex(4)
        _request_id.set(request_id)
        response = self.get_response(request)
        response["X-Request-ID"] = request_id
        fields = {
            "method": request.method,
            "route": _route(request),
            "status": response.status_code,
            "ms": round((time.perf_counter() - started) * 1000),
        }
        logger.info("%(method)s %(route)s %(status)s %(ms)sms", fields, extra={"fields": fields})
        return response


class LineFormatter(logging.Formatter):
    """`time level logger request-id message`, without what is personal or opens a table."""

    def __init__(self) -> None:
        super().__init__(
            "{asctime} {levelname} {name} {request_id} {message}", "%Y-%m-%dT%H:%M:%S%z", style="{"
        )

    def format(self, record: logging.LogRecord) -> str:
        record.request_id = _request_id.get()
        return without_personal(super().format(_by_route(record)))


class JsonFormatter(LineFormatter):
    """The same as an object of JSON on each line; a request's method, route, status and
    milliseconds are keys of their own."""

    def format(self, record: logging.LogRecord) -> str:
        message = _by_route(record).getMessage()
        fields = {
            "time": self.formatTime(record, self.datefmt),
            "level": record.levelname,
            "logger": record.name,
            "request": _request_id.get(),
            **getattr(record, "fields", {"message": without_personal(message)}),
        }
        if record.exc_info:
            fields["trace"] = without_personal(self.formatException(record.exc_info))
        return json.dumps(fields, ensure_ascii=False)


def without_personal(text: str) -> str:
    """The text without the secrets of table links, addresses of mail, and rows of a database.

    >>> without_personal("Not Found: /t/s3cret/deals/7, said jan@example.org")
    'Not Found: /t/…/deals/7, said …@…'
    """
    for pattern, instead in _PERSONAL:
        text = pattern.sub(instead, text)
    return text


def _by_route(record: logging.LogRecord) -> logging.LogRecord:
    """Replace the path of a request, which Django logs, by its route."""
    request = getattr(record, "request", None)
    if isinstance(request, HttpRequest) and isinstance(record.args, tuple):
        named = {request.path, request.get_full_path()}
        record.args = tuple(_route(request) if arg in named else arg for arg in record.args)
    return record


def _route(request: HttpRequest) -> str:
    return request.resolver_match.route if request.resolver_match else "?"


def _given_id(request: HttpRequest) -> str:
    given = request.headers.get("X-Request-ID", "")
    return given if _WELL_FORMED.fullmatch(given) else ""
