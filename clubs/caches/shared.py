"""Caches in front of the server that keep what is the same for everybody (`SHARED_CACHES`; for
Varnish docs/deploy/varnish.vcl).

An answer that may be kept names its club, and whatever is noted in the trail of a club makes the
caches forget everything of that club: what they keep is not older than the last thing that was
done. Twice, because an answer that was being made while it was done arrives at a cache after it
forgot. A cache that cannot be reached is never more than `KEPT_SECONDS` behind.
"""

import logging
import time
from collections import deque
from collections.abc import Iterable
from functools import partial
from http.client import HTTPException
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Final
from urllib.request import ProxyHandler, Request, build_opener

from django.conf import settings
from django.db import transaction
from django.http import HttpResponse

logger = logging.getLogger(__name__)

KEPT_SECONDS: Final = 30
AGAIN_AFTER: Final = 2.0
"""Seconds within which an answer is made and has arrived at the cache."""
PATIENCE: Final = 2.0
KEY: Final = "xkey"


def keep_for_all(response: HttpResponse, club_slug: str) -> HttpResponse:
    """Let the caches keep this answer for everybody, until something happens at the club."""
    if settings.SHARED_CACHES:
        response.headers[KEY] = _key(club_slug)
        response.headers["Surrogate-Control"] = f"max-age={KEPT_SECONDS}"
    return response


def forget(club_slug: str) -> None:
    """Have the caches forget what they keep of a club, once what was done is committed."""
    if settings.SHARED_CACHES:
        transaction.on_commit(partial(_messenger.tell, club_slug))


def _key(club_slug: str) -> str:
    return f"club:{club_slug}"


class _Messenger:
    """Speaks to the caches on a thread of its own: who saves a deal waits for none of them."""

    def __init__(self) -> None:
        self._asked: SimpleQueue[str] = SimpleQueue()
        self._starting = Lock()
        self._thread: Thread | None = None

    def tell(self, club_slug: str) -> None:
        self._asked.put(club_slug)
        with self._starting:
            # A process that gunicorn forked has none of its parent's threads.
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._run, name="shared-caches", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        again: deque[tuple[float, str]] = deque()
        while True:
            slugs = self._waited_for(max(0, again[0][0] - time.monotonic()) if again else None)
            now = time.monotonic()
            again.extend((now + AGAIN_AFTER, slug) for slug in slugs)
            while again and again[0][0] <= now:
                slugs.add(again.popleft()[1])
            if slugs:
                _tell_all(slugs)

    def _waited_for(self, seconds: float | None) -> set[str]:
        """The clubs of which something is to be forgotten now: all that wait, at the latest after
        so long."""
        slugs = set()
        try:
            slugs.add(self._asked.get(timeout=seconds))
            while True:
                slugs.add(self._asked.get_nowait())
        except Empty:
            return slugs


_messenger = _Messenger()
# To the cache itself, whatever proxy the machine has for what is outside.
_opener = build_opener(ProxyHandler({}))


def _tell_all(slugs: Iterable[str]) -> None:
    keys = " ".join(map(_key, sorted(slugs)))
    for cache in settings.SHARED_CACHES:
        request = Request(cache, headers={KEY: keys}, method="PURGE")  # noqa: S310
        try:
            with _opener.open(request, timeout=PATIENCE):
                pass
        except (OSError, HTTPException) as error:
            logger.warning("The cache at %s did not forget: %s", cache, error)
