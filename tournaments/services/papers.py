"""Paper that takes a while: how far it is stands in the database, for whichever server is asked."""

import datetime as dt

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from clubs.models import User
from clubs.services import club_lock
from tournaments.models import PaperJob, Season

SILENT = dt.timedelta(minutes=1)
"""After so long without a sign of life nobody is working on it any more."""
KEPT = dt.timedelta(days=1)
PARTS = 100


@transaction.atomic
def paper_job_start(*, season: Season, user: User | None) -> tuple[PaperJob, bool]:
    """The booklet of this season that is being made now, or a new one, and whether it is new.

    Booklets of before are thrown away: of this season all, of others after a day.
    """
    club_lock(season.club_id)
    now = timezone.now()
    running = _being_made().filter(season=season, touched_at__gt=now - SILENT).first()
    if running:
        return running, False
    PaperJob.objects.filter(Q(season=season) | Q(touched_at__lt=now - KEPT)).delete()
    return PaperJob.objects.create(season=season, user=user, parts=PARTS), True


def paper_job_progress(*, job_id: int, done: int) -> None:
    """Tell that so many parts of the hundred are done; a job that was thrown away stays away."""
    _being_made().filter(pk=job_id).update(done=min(done, PARTS), touched_at=timezone.now())


def paper_job_finish(*, job_id: int, pdf: bytes) -> None:
    """Keep what was made."""
    _being_made().filter(pk=job_id).update(pdf=pdf, done=PARTS, touched_at=timezone.now())


def paper_job_fail(*, job_id: int) -> None:
    """Tell that it went wrong."""
    _being_made().filter(pk=job_id).update(failed=True, touched_at=timezone.now())


def paper_job_has_stopped(job: PaperJob) -> bool:
    """Whether it failed, or the server that worked on it is silent."""
    silent = job.pdf is None and job.touched_at < timezone.now() - SILENT
    return job.failed or silent


def _being_made() -> QuerySet[PaperJob]:
    return PaperJob.objects.filter(pdf=None, failed=False)
