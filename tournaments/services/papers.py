"""Booklets that take a while: their progress is in the database, for every server process."""

import datetime as dt

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from clubs.models import User
from clubs.services import club_lock
from tournaments.models import PaperJob, Season

SILENT = dt.timedelta(minutes=1)
"""A job without progress for this long was abandoned."""
KEPT = dt.timedelta(days=1)
PARTS = 100


@transaction.atomic
def paper_job_start(*, season: Season, user: User | None) -> tuple[PaperJob, bool]:
    """The job for a season's booklet that is running, or a new one; and whether it is new.

    Earlier booklets are deleted: all of this season, those of others after a day.
    """
    club_lock(season.club_id)
    now = timezone.now()
    running = _being_made().filter(season=season, touched_at__gt=now - SILENT).first()
    if running:
        return running, False
    PaperJob.objects.filter(Q(season=season) | Q(touched_at__lt=now - KEPT)).delete()
    return PaperJob.objects.create(season=season, user=user, parts=PARTS), True


def paper_job_progress(*, job_id: int, done: int) -> None:
    """Record how many of the hundred parts are done; a deleted job stays deleted."""
    _being_made().filter(pk=job_id).update(done=min(done, PARTS), touched_at=timezone.now())


def paper_job_finish(*, job_id: int, pdf: bytes) -> None:
    """Store the finished booklet."""
    _being_made().filter(pk=job_id).update(pdf=pdf, done=PARTS, touched_at=timezone.now())


def paper_job_fail(*, job_id: int) -> None:
    """Record that the job failed."""
    _being_made().filter(pk=job_id).update(failed=True, touched_at=timezone.now())


def paper_job_has_stopped(job: PaperJob) -> bool:
    """Whether it failed, or the process that worked on it has stopped."""
    silent = job.pdf is None and job.touched_at < timezone.now() - SILENT
    return job.failed or silent


def _being_made() -> QuerySet[PaperJob]:
    return PaperJob.objects.filter(pdf=None, failed=False)
