"""A thread of each server process that looks now and then whether today's copy is still to be made,
and whether the day of a practice evening, or of a file that nobody confirmed, is over."""

import logging
import time
from threading import Thread
from typing import Final

from django.db import DatabaseError, connections

from clubs.members.uploads import uploads_sweep
from clubs.profile.practice import practice_sweep
from tournaments.copies.worker import folder_copy_aside

logger = logging.getLogger(__name__)

EVERY: Final = 120.0
"""Seconds."""


def daily_start() -> None:
    """Begin to look, for as long as the process lives."""
    Thread(target=_watch, daemon=True).start()


def _watch() -> None:
    while True:
        time.sleep(EVERY)
        folder_copy_aside()
        _sweep()


def _sweep() -> None:
    try:
        practice_sweep()
        uploads_sweep()
    except DatabaseError:
        # Without a database there is nothing to remove; the next look finds it.
        logger.warning("What is over could not be removed", exc_info=True)
    finally:
        connections.close_all()
