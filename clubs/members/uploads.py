"""Uploaded files, stored between their preview and the confirmation."""

import datetime as dt
import io
from collections.abc import Mapping
from typing import IO, Any, Protocol
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.models import Club, Upload
from clubs.text.errors import DomainError, VersionConflict

KEPT_FOR = dt.timedelta(days=1)
MOST_WAITING = 20
"""Limit per club: files are large, and honest use needs one."""


class Plan(Protocol):
    """What importing a file would do; plans that do the same have the same fingerprint."""

    @property
    def fingerprint(self) -> str: ...


@transaction.atomic
def upload_keep(
    *,
    club: Club,
    actor: Actor,
    kind: Upload.Kind,
    file: IO[bytes],
    name: str,
    details: Mapping[str, Any],
) -> Upload:
    """Store a file for its preview. Unconfirmed files are deleted after a day, and earlier when a
    club has too many."""
    uploads_sweep()
    waiting = Upload.objects.filter(done_at=None)
    newest_first = (
        waiting.filter(club=club).order_by("-made_at", "-pk").values_list("pk", flat=True)
    )
    waiting.filter(pk__in=list(newest_first[MOST_WAITING - 1 :])).delete()
    return Upload.objects.create(
        club=club,
        user=actor.user,
        kind=kind,
        name=name[-100:],
        content=file.read(),
        details=dict(details),
    )


def uploads_sweep() -> None:
    """Delete the files that nobody confirmed within a day; while there are none, it only reads."""
    old = Upload.objects.filter(done_at=None, made_at__lt=timezone.now() - KEPT_FOR)
    if old.exists():
        old.delete()


def upload_waiting(*, club: Club, kind: Upload.Kind, uuid: UUID | str) -> Upload | None:
    """The club's unconfirmed file with this UUID, or None."""
    waiting = Upload.objects.filter(club=club, kind=kind, done_at=None)
    return waiting.filter(made_at__gte=timezone.now() - KEPT_FOR, uuid=uuid).first()


def upload_done(*, upload: Upload, outcome: Mapping[str, Any]) -> None:
    """Store the outcome of an import and drop the file, with what was mended of it; inside the
    transaction of the import.

    Raises DomainError `upload_gone` where it was imported or removed already.
    """
    waiting = Upload.objects.filter(pk=upload.pk, done_at=None)
    done = {"done_at": timezone.now(), "content": b"", "details": {}, "outcome": dict(outcome)}
    if not waiting.update(**done):
        raise DomainError("upload_gone", _("This file has been imported already."))


def require_as_seen(plan: Plan, seen: str) -> None:
    """Raises VersionConflict `import_changed` (current: the plan) where the plan differs from the
    one with the fingerprint `seen`."""
    if plan.fingerprint != seen:
        message = _("The club has changed since. Check the preview again.")
        raise VersionConflict("import_changed", message, current=plan)


def upload_source(upload: Upload) -> IO[bytes]:
    """What is in the file."""
    return io.BytesIO(bytes(upload.content))
