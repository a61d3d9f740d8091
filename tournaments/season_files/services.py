"""Files of a season that take a while: who makes them, how far they are, and keeping them.

All of it is in the database, where every server process can read it. A thread of each process makes
them, one after the other.
"""

import datetime as dt
import logging
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone, translation

from clubs.files.exports import Aside
from clubs.models import Club, User
from clubs.profile.services import club_lock
from tournaments.models import Season, SeasonFile

SILENT = dt.timedelta(minutes=1)
"""A job without progress for this long was abandoned."""
KEEP_FOR = dt.timedelta(days=1)
MOST_OF_A_CLUB = 12
"""So many are kept; then the oldest goes."""
PARTS = 100


def season_file_present(*, season: Season, what: str, version: str = "") -> SeasonFile | None:
    """The file of this version that is there or is being made. Without a version, only one that is
    being made.

    Whoever waits asks again and again, so nothing is locked: a hall writes meanwhile.
    """
    usable = Q(content=None, touched_at__gt=timezone.now() - SILENT)
    if version:
        usable |= Q(content__isnull=False)
    files = season.files.defer("content").filter(what=what, version=version, failed=False)
    return files.filter(usable).first()


@transaction.atomic
def season_file_start(
    *, season: Season, what: str, version: str = "", user: User | None = None
) -> tuple[SeasonFile, bool]:
    """The file that is present, or a new one to be made; and whether it is new.

    Earlier ones of the season are deleted, and those of others after a day.
    """
    club_lock(season.club_id)
    if present := season_file_present(season=season, what=what, version=version):
        return present, False
    SeasonFile.objects.filter(
        Q(season=season, what=what) | Q(touched_at__lt=timezone.now() - KEEP_FOR)
    ).delete()
    _make_room(season.club_id)
    made = SeasonFile.objects.create(
        season=season, what=what, version=version, user=user, parts=PARTS
    )
    return made, True


def season_file_progress(*, file_id: int, done: int) -> None:
    """Record how many of the hundred parts are done; a deleted file stays deleted."""
    _being_made().filter(pk=file_id).update(done=min(done, PARTS), touched_at=timezone.now())


def season_file_finish(*, file_id: int, content: bytes) -> None:
    """Store the finished file."""
    _being_made().filter(pk=file_id).update(content=content, done=PARTS, touched_at=timezone.now())


def season_file_fail(*, file_id: int) -> None:
    """Record that it could not be made."""
    _being_made().filter(pk=file_id).update(failed=True, touched_at=timezone.now())


def season_file_is_wanted(*, file_id: int) -> bool:
    """Whether it is still to be made."""
    return _being_made().filter(pk=file_id).exists()


def season_file_has_stopped(file: SeasonFile) -> bool:
    """Whether it failed, or the process that worked on it has stopped."""
    if file.failed:
        return True
    silent = file.touched_at < timezone.now() - SILENT
    return silent and season_file_is_wanted(file_id=file.pk)


def season_file_content(*, season: Season, what: str, version: str) -> bytes | None:
    """The finished file of this version; None when there is none."""
    done = season.files.filter(what=what, version=version).exclude(content=None)
    content = done.values_list("content", flat=True).first()
    return None if content is None else bytes(content)


def _being_made() -> QuerySet[SeasonFile]:
    return SeasonFile.objects.filter(content=None, failed=False)


def _make_room(club_id: int) -> None:
    of_club = SeasonFile.objects.filter(season__club=Club(pk=club_id))
    newest = list(of_club.order_by("-pk").values_list("pk", flat=True)[: MOST_OF_A_CLUB - 1])
    of_club.exclude(pk__in=newest).delete()


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
