"""One line in the log for each request, without names, addresses or links that open a table."""

import logging
import re
import secrets
import time
from collections.abc import Callable
from contextvars import ContextVar

from django.http import HttpRequest, HttpResponse

logger = logging.getLogger(__name__)

_request_id: ContextVar[str] = ContextVar("request_id", default="-")
_LINK = re.compile(r"(/t/)[^/\s]+|(/password/set/|/invitations/)\S+")


class RequestLogMiddleware:
    """Logs method, route (not the path: it may hold a table's token), status and duration.

    The id on each line also goes out as `X-Request-ID`, so that a report can be matched with it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        request_id = secrets.token_hex(4)
        _request_id.set(request_id)
        response = self.get_response(request)
        response["X-Request-ID"] = request_id
        route = request.resolver_match.route if request.resolver_match else "?"
        milliseconds = round((time.perf_counter() - started) * 1000)
        logger.info("%s %s %s %sms", request.method, route, response.status_code, milliseconds)
        return response


class LineFormatter(logging.Formatter):
    """`time level logger request-id message`, with what opens something taken out of links."""

    def __init__(self) -> None:
        super().__init__(
            "{asctime} {levelname} {name} {request_id} {message}", "%Y-%m-%dT%H:%M:%S%z", style="{"
        )

    def format(self, record: logging.LogRecord) -> str:
        record.request_id = _request_id.get()
        return _LINK.sub(lambda link: f"{link[1] or link[2]}…", super().format(record))
