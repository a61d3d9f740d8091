"""A thread of each server process that looks now and then whether a copy is to be made by itself,
and what was kept long enough: content of copies, practice evenings, files nobody confirmed."""

import logging
import time
from threading import Thread
from typing import Final

from django.db import DatabaseError, connections

from clubs.members.uploads import uploads_sweep
from clubs.profile.practice import practice_sweep
from tournaments.copies.services import copies_tidy
from tournaments.copies.worker import folder_copy_aside

logger = logging.getLogger(__name__)

EVERY: Final = 30.0
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
        copies_tidy()
        uploads_sweep()
    except DatabaseError:
        # Without a database there is nothing to remove; the next look finds it.
        logger.warning("What was kept long enough could not be removed", exc_info=True)
    finally:
        connections.close_all()
