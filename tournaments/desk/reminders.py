"""What the desk reminds organisers of: a copy that failed, or that was made long ago."""

import datetime as dt
from dataclasses import dataclass
from typing import Final

from django.utils import timezone

from clubs.access.permissions import is_alone
from clubs.models import Club
from tournaments.models import Copy, CopyFolder, Release

LATE: Final = dt.timedelta(days=2)
"""A copy that is made each day by itself is missed after so long: a laptop is off for days."""


@dataclass(frozen=True, slots=True)
class CopyReminder:
    """The copy by itself that failed; else how many evenings were closed since the last one, and
    when that was, if there ever was one."""

    folder: CopyFolder | None
    evenings: int = 0
    last: dt.datetime | None = None


def copy_reminder(club: Club) -> CopyReminder | None:
    """What to say of copies, if anything; on a server whoever looks after it makes them."""
    if club.is_demo or not is_alone(club):
        return None
    folder = CopyFolder.objects.first()
    if folder is not None and folder.fault:
        return CopyReminder(folder)
    by_itself = folder.made_at if folder else None
    if by_itself is not None and by_itself > timezone.now() - LATE:
        return None
    taken = Copy.objects.filter(club=club).exclude(taken_at=None).order_by("-taken_at").first()
    moments = [by_itself, taken.taken_at if taken else None]
    last = max((moment for moment in moments if moment), default=None)
    closed = Release.objects.filter(evening__club=club, number=1)
    evenings = (closed.filter(published_at__gt=last) if last else closed).count()
    return CopyReminder(None, evenings, last) if evenings else None
