"""An address that asks for much within seconds: its pages are made one at a time, and few of them.

A budget of a quarter of an hour lets eight connections keep every thread busy until it is spent.
This is counted in each process by itself, since it is over before a database could tell.
"""

import hashlib
import time
from threading import Lock
from typing import Final

from django.conf import settings
from django.core.cache import caches

SPAN: Final = 10
"""Seconds in which work is added up."""
CROWDED_FOR: Final = 60
"""Seconds for which an address that asked for too much has its pages made one at a time."""
AFTER_EACH_OTHER: Final = 1
"""Seconds after which who came too early may try again."""

_under_way: set[str] = set()
_beginning = Lock()


def turn_begins(client: str) -> bool:
    """Whether this process does nothing for this client yet; then this is under way, until
    `turn_ends`."""
    with _beginning:
        if client in _under_way:
            return False
        _under_way.add(client)
    return True


def turn_ends(client: str) -> None:
    """What was under way for this client is done."""
    _under_way.discard(client)


def is_crowded(client: str) -> bool:
    """Whether the client asked for so much lately that it waits for what it asked for before."""
    crowded: bool = caches["small"].get(f"crowded-{_hashed(client)}", False)
    return crowded


def seconds_to_wait(client: str) -> int:
    """How long a client that is crowded must wait for the next page; 0 when it need not."""
    now = int(time.time())
    if caches["small"].get(_key(client, now), 0) < _most():
        return 0
    return SPAN - now % SPAN


def work_add(client: str, work: int) -> None:
    """Count so many milliseconds that a page took that is known to take a while."""
    small, key = caches["small"], _key(client, int(time.time()))
    try:
        taken = small.incr(key, work)
    except ValueError:
        taken = work
        small.set(key, taken, 2 * SPAN)
    if taken >= _most():
        small.set(f"crowded-{_hashed(client)}", True, CROWDED_FOR)


def _most() -> int:
    most: int = settings.WORK_SECONDS["at_once"] * 1_000
    return most


def _key(client: str, now: int) -> str:
    return f"at-once-{_hashed(client)}-{now // SPAN}"


def _hashed(client: str) -> str:
    return hashlib.sha256(client.encode()).hexdigest()
