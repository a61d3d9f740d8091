"""Database outages are answered with 503 and Retry-After; and the health check."""

import logging
import sys
from collections.abc import Callable

from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views import defaults
from django.views.decorators.cache import never_cache

logger = logging.getLogger(__name__)

RETRY_SECONDS = 5
UNAVAILABLE = (OperationalError, InterfaceError)
"""The database is gone, restarting, full or too busy: a later retry can succeed."""


class UnavailableMiddleware:
    """Answers 503 with Retry-After where a view had no database.

    Nothing is half saved then, since every write is one transaction; a phone stores its deal and
    sends it again.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, UNAVAILABLE):
            return None
        logger.error("No database: %s", error)
        return unavailable(request)


def server_error(request: HttpRequest) -> HttpResponse:
    """The page for a 500; or for a 503, where the database failed outside a view, such as when the
    session was saved."""
    if isinstance(sys.exception(), UNAVAILABLE):
        return unavailable(request)
    return defaults.server_error(request)


def unavailable(request: HttpRequest) -> HttpResponse:
    """The 503 response: JSON for a client that prefers it, else a page that needs no database."""
    if _wants_json(request):
        message = _("Please wait a moment: nothing can be saved just now.")
        response: HttpResponse = JsonResponse({"status": "unavailable", "message": message})
        response.status_code = 503
    else:
        response = render(request, "503.html", status=503)
    response.headers["Retry-After"] = str(RETRY_SECONDS)
    response.headers["Cache-Control"] = "no-store"
    return response


def _wants_json(request: HttpRequest) -> bool:
    try:
        return request.get_preferred_type(["text/html", "application/json"]) == "application/json"
    except ValueError:
        return False


@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """200 and `{"status": "ok"}` when the database answers, else 503."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return JsonResponse({"status": "unavailable"}, status=503)
    return JsonResponse({"status": "ok"})
