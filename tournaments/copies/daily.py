"""A thread of each server process that looks now and then whether today's copy is still to be
made."""

import time
from threading import Thread
from typing import Final

from tournaments.copies.worker import folder_copy_aside

EVERY: Final = 120.0
"""Seconds."""


def daily_start() -> None:
    """Begin to look, for as long as the process lives."""
    Thread(target=_watch, daemon=True).start()


def _watch() -> None:
    while True:
        time.sleep(EVERY)
        folder_copy_aside()
