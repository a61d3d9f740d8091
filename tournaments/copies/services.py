"""Copies of a club in the database: their pieces, and what becomes of them."""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Club, User
from clubs.text.errors import DomainError
from tournaments.models import Copy, CopyPiece

MOST_BYTES: Final = 1_000_000_000
"""Twenty seasons of a club of 400 with all their trails, of 41 MB each; a file that was sent stands
in the database for a day."""
PIECE: Final = 4_000_000
KEPT_FOR: Final = dt.timedelta(days=1)
BEFORE_KEPT_FOR: Final = dt.timedelta(days=30)
BEFORE_KEPT: Final = 5
"""So many of a club at most, or whoever tries again and again fills the disk."""
BEFORE = Copy.Kind.BEFORE
READY, FAILED = Copy.State.READY, Copy.State.FAILED
PLACING, PLACED = Copy.State.PLACING, Copy.State.PLACED


@transaction.atomic
def copy_start(*, club: Club, user: User | None) -> tuple[Copy, bool]:
    """The copy of this club that is being made, or a new one to be made; and whether it is new.

    The one before goes, but for when it was downloaded.
    """
    copies_tidy()
    made = Copy.objects.filter(club=club, kind=Copy.Kind.MADE)
    busy = next((copy for copy in made.filter(state=Copy.State.WORKING) if copy.is_busy), None)
    if busy is not None:
        return busy, False
    CopyPiece.objects.filter(copy__in=made).delete()
    made.filter(taken_at=None).delete()
    today = timezone.localdate()
    name = f"{club.slug}-{today}.club"
    return Copy.objects.create(club=club, user=user, kind=Copy.Kind.MADE, name=name), True


@transaction.atomic
def copy_send(
    *,
    club: Club | None,
    user: User | None,
    name: str,
    uuid: str = "",
    start: int,
    total: int,
    content: bytes,
) -> Copy:
    """Add the next piece of a file that is sent: the first makes a new one, and whatever was sent
    before goes. The last has it checked next.

    Raises DomainError `copy_too_large`, `copy_empty`, or `copy_out_of_step` where this is not the
    piece that comes next.
    """
    if total > MOST_BYTES:
        raise DomainError(
            "copy_too_large",
            _("A file of more than %(size)s GB cannot be sent here: use `manage.py`.")
            % {"size": MOST_BYTES // 1_000_000_000},
        )
    if not content:
        raise DomainError("copy_empty", _("This file is empty."))
    copy = _sent(club, user, name) if start == 0 else _sending(club, uuid)
    if copy is None or copy.size != start or start + len(content) > total:
        raise DomainError(
            "copy_out_of_step", _("Sending was interrupted. Choose the file once more.")
        )
    CopyPiece.objects.create(copy=copy, number=copy.pieces.count(), content=content)
    copy.size += len(content)
    copy.touched_at = timezone.now()
    if copy.size == total:
        copy.state, copy.done = Copy.State.WORKING, 0
    copy.save(update_fields=["size", "touched_at", "state", "done"])
    return copy


def _sent(club: Club | None, user: User | None, name: str) -> Copy:
    copies_tidy()
    sent = Copy.objects.filter(club=club, kind=Copy.Kind.SENT)
    sent.exclude(state__in=[PLACING, PLACED]).delete()
    return Copy.objects.create(
        club=club, user=user, kind=Copy.Kind.SENT, state=Copy.State.SENDING, name=name[-200:]
    )


def _sending(club: Club | None, uuid: str) -> Copy | None:
    sending = Copy.objects.select_for_update().filter(club=club, state=Copy.State.SENDING)
    return next((copy for copy in sending if str(copy.uuid) == uuid), None)


@transaction.atomic
def copy_place(*, copy: Copy, user: User | None) -> None:
    """Have a copy that was checked put in place for a user, also when whoever was doing so is gone.
    Raises DomainError `copy_not_ready`."""
    now = timezone.now()
    stopped = Q(state=PLACING, touched_at__lt=now - Copy.SILENT[PLACING])
    ready = Copy.objects.filter(Q(state=READY) | stopped, pk=copy.pk)
    if not ready.update(state=PLACING, user=user, fault="", done=0, touched_at=now):
        raise DomainError("copy_not_ready", _("This copy cannot be put back any more."))


def copy_progress(*, copy_id: int, done: float) -> None:
    """Record how far the work on it is."""
    _busy(copy_id).update(done=min(100, int(100 * done)), touched_at=timezone.now())


def copy_finish(*, copy_id: int, state: Copy.State, **found: object) -> None:
    """Record that the work on it is done, and what came of it."""
    _busy(copy_id).update(state=state, done=100, touched_at=timezone.now(), **found)


def copy_fail(*, copy_id: int, fault: str) -> None:
    """Record what went wrong. What could not be put back is kept, and can be tried again; of what
    is no copy, the content goes."""
    what = {"fault": fault[:10_000], "touched_at": timezone.now()}
    if not _busy(copy_id).filter(state=PLACING).update(state=READY, **what):
        _busy(copy_id).update(state=FAILED, **what)
        CopyPiece.objects.filter(copy__pk=copy_id, copy__state=FAILED).delete()


def copy_taken(*, copy: Copy) -> None:
    """Record that somebody downloaded it."""
    Copy.objects.filter(pk=copy.pk).update(taken_at=timezone.now())


def _busy(copy_id: int) -> QuerySet[Copy]:
    return Copy.objects.filter(pk=copy_id, state__in=Copy.BUSY)


def before_tidy(club: Club) -> None:
    """Keep only the last few of what was replaced, and what is being put back now."""
    before = Copy.objects.filter(club=club, kind=BEFORE).exclude(state=PLACING).order_by("-pk")
    for old in before[BEFORE_KEPT:]:
        old.delete()


def copies_tidy() -> None:
    """Content does not stay for ever: it holds names, also of people who are erased since. While
    nothing is that old it only reads."""
    now = timezone.now()
    before = Copy.objects.filter(kind=BEFORE, started_at__lt=now - BEFORE_KEPT_FOR)
    others = Copy.objects.exclude(kind=BEFORE).filter(started_at__lt=now - KEPT_FOR)
    for old in [*before, *others.filter(Exists(CopyPiece.objects.filter(copy=OuterRef("pk"))))]:
        old.pieces.all().delete()
        if old.kind == BEFORE:
            old.delete()


# The content.


def copy_fill(*, copy: Copy, path: Path) -> None:
    """Store the content of a file as that of a copy."""
    copy.pieces.all().delete()
    with path.open("rb") as file:
        for number, content in enumerate(iter(lambda: file.read(PIECE), b"")):
            CopyPiece.objects.create(copy=copy, number=number, content=content)
    Copy.objects.filter(pk=copy.pk).update(size=path.stat().st_size)


def copy_write(*, copy: Copy, path: Path) -> None:
    """Write the content of a copy to a file."""
    with path.open("wb") as file:
        for content in copy_pieces(copy):
            file.write(content)


def copy_pieces(copy: Copy) -> Iterator[bytes]:
    """The content, a piece at a time."""
    for number in range(copy.pieces.count()):
        yield bytes(copy.pieces.values_list("content", flat=True).get(number=number))
