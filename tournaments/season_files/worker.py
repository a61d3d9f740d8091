"""The thread of a server process that makes files of seasons, one after the other."""

import logging
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from django.db import transaction
from django.utils import translation

from clubs.files.aside import Aside
from tournaments.models import SeasonFile
from tournaments.season_files.services import (
    season_file_fail,
    season_file_finish,
    season_file_is_wanted,
    season_file_progress,
)

logger = logging.getLogger(__name__)

OnProgress = Callable[[int], None]
"""Called with how many of the hundred parts are done."""
Make = Callable[[OnProgress], bytes]

MOST_WAITING: Final = 10
BETWEEN_REPORTS: Final = 0.5


class _Job(NamedTuple):
    file_id: int
    language: str
    make: Make


_aside: Final = Aside(MOST_WAITING)


def season_file_make(file: SeasonFile, language: str, make: Make) -> None:
    """Have a new file made in this language, once this transaction has committed. With too many
    before it, it has failed."""
    job = _Job(file.pk, language, make)
    transaction.on_commit(lambda: _enqueue(job))


def _enqueue(job: _Job) -> None:
    if not _aside.put(lambda: _make(job)):
        season_file_fail(file_id=job.file_id)


def _make(job: _Job) -> None:
    try:
        if not season_file_is_wanted(file_id=job.file_id):
            return
        with translation.override(job.language):
            content = job.make(_reporter(job.file_id))
        season_file_finish(file_id=job.file_id, content=content)
    except Exception:
        logger.exception("A season's file could not be made")
        _fail(job.file_id)


def _fail(file_id: int) -> None:
    try:
        season_file_fail(file_id=file_id)
    except Exception:
        # Without a database nothing is said of it: the page finds that it has stopped.
        logger.exception("The failure could not be recorded")


def _reporter(file_id: int) -> OnProgress:
    """Record the progress, but no more often than the page polls."""
    last = time.monotonic()

    def report(done: int) -> None:
        nonlocal last
        if time.monotonic() - last > BETWEEN_REPORTS:
            last = time.monotonic()
            season_file_progress(file_id=file_id, done=done)

    return report
