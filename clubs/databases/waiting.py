"""Who writes waits for a database while another machine takes over (`WRITE_WAIT_SECONDS`)."""

import time
from collections.abc import Callable
from contextlib import suppress
from threading import BoundedSemaphore
from typing import Final

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse

READS: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
PAUSE: Final = 0.2


class WaitMiddleware:
    """Connects before anything is asked of the database, for as long as it takes.

    Nothing was sent yet, so nothing can be done twice. What goes wrong later is answered with 503,
    as is who waited in vain. So few wait at a time that there are threads left for who reads.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not settings.WRITE_WAIT_SECONDS:
            raise MiddlewareNotUsed
        self.get_response = get_response
        self.seconds = settings.WRITE_WAIT_SECONDS
        self.places = BoundedSemaphore(max(1, settings.DB_POOL_SIZE // 2))

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in READS and self.places.acquire(blocking=False):
            try:
                self._wait()
            finally:
                self.places.release()
        return self.get_response(request)

    def _wait(self) -> None:
        until = time.monotonic() + self.seconds
        while time.monotonic() < until:
            with suppress(InterfaceError, OperationalError):
                connection.ensure_connection()
                return
            time.sleep(PAUSE)
