"""Waiting for what a server does after its answer."""

import time
from collections.abc import Callable

from clubs.accounts.services import outbox


def wait_until(wanted: Callable[[], object], *, seconds: float = 60) -> None:
    """Come back once it is so; fails when that takes longer."""
    until = time.monotonic() + seconds
    while not wanted():
        assert time.monotonic() < until
        time.sleep(0.01)


def mail_settles() -> None:
    """Come back once the outbox is empty."""
    assert outbox.settle(60)
