"""Copies of a club in the database: their pieces, and what becomes of them. And copies that are
made by themselves, each day, after each evening, and before a new version changes the database, to
a folder of this computer that the only club here chose."""

import datetime as dt
import os
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import CommandError
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.archives.container import new_file
from clubs.archives.rows import Model, migrated_to, models_at, newest
from clubs.archives.whole import backup_write
from clubs.models import Club, User
from clubs.text.errors import DomainError
from tournaments.models import Copy, CopyFolder, CopyPiece, Release
from tournaments.models.copies import disk_words

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


MARK: Final = "klaverclub-copies.txt"
"""Shows that the folder is the one that was chosen: an unplugged stick leaves an empty one."""
NEWEST: Final = 14
MONTHS: Final = 12
"""Kept: the newest so many, and of so many months the last."""
AGAIN_AFTER: Final = dt.timedelta(hours=1)
MOUNTED_IN: Final = "/media/*", "/media/*/*", "/run/media/*/*", "/mnt/*", "/Volumes/*"

Rows = QuerySet[Any]


def plugged_in() -> list[str]:
    """Where sticks and disks are that can be written to."""
    places = (place for pattern in MOUNTED_IN for place in Path("/").glob(pattern[1:]))
    return sorted(str(place) for place in places if _is_usable(place))


def _is_usable(place: Path) -> bool:
    try:
        return place.is_mount() and os.access(place, os.W_OK)
    except OSError:
        return False


def folder_choose(*, path: str) -> CopyFolder:
    """Have copies go to this folder, which shows by a file there that it is the one; whether that
    can be written is tried. Raises DomainError `bad_folder`."""
    folder = _folder(path)
    try:
        (folder / MARK).write_text(
            _("Klaverclub keeps its backup copies in this folder. Leave this file here.") + "\n"
        )
    except OSError as error:
        message = _("Nothing can be written there: %(why)s.") % {"why": disk_words(error.errno)}
        raise DomainError("bad_folder", message) from error
    given = {"path": str(folder), "tried_at": None, "made_at": None, "made_name": "", "fault": ""}
    return CopyFolder.objects.update_or_create(pk=1, defaults=given)[0]


def _folder(path: str) -> Path:
    """The folder of that name. Raises DomainError."""
    try:
        folder = Path(path.strip())
        is_there = folder.is_absolute() and folder.is_dir()
        folder = folder.resolve()
    except (OSError, ValueError):
        is_there = False
    if not is_there:
        raise DomainError("bad_folder", _("There is no such folder. Is the stick plugged in?"))
    # What stands there could be served as a file of a page.
    if any(
        Path(own) in (folder, *folder.parents) for own in (settings.BASE_DIR, settings.STATIC_ROOT)
    ):
        raise DomainError("bad_folder", _("That is the program's own folder. Choose another."))
    return folder


def folder_forget() -> None:
    """Make no more copies."""
    CopyFolder.objects.all().delete()


def folder_copy_if_due() -> bool:
    """Make a copy if there is none of today, or an evening was closed since; one process does it.
    Whether it was tried."""
    now = timezone.now()
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    closed = Release.objects.filter(number=1, evening__is_history=False)
    closed_since = Exists(closed.filter(published_at__gt=OuterRef("made_at")))
    succeeded = Q(tried_at=None) | Q(tried_at=F("made_at"))
    due = CopyFolder.objects.filter(
        Q(made_at=None) | Q(made_at__lt=midnight) | closed_since,
        # Also where the program ended in the middle of it.
        succeeded | Q(tried_at__lt=now - AGAIN_AFTER),
    )
    slugs = _slugs(Club)
    if len(slugs) > 1 or not due.exists() or not due.update(tried_at=now):
        return False
    _copy(CopyFolder.objects.all(), slugs)
    return True


def folder_copy_before_migrating() -> str:
    """Make a copy of a database that is about to be brought up to date, if a folder was chosen;
    returns what went wrong, in words, if anything did: a copy that fails stops nobody from
    starting."""
    try:
        tried = CopyFolder(fault=_copy_of_before())
    except Exception as error:  # noqa: BLE001
        # Perhaps the database belongs to a newer version: migrating says what is the matter.
        return repr(error)
    return _("There is no such folder. Is the stick plugged in?") if tried.is_gone else tried.why


def _copy_of_before() -> str:
    """Write the copy from the tables as the older version has them. Returns the fault."""
    migrations = migrated_to()
    if not migrations or migrations == newest():
        return ""
    tables = models_at(migrations)
    folder = tables.get("tournaments.copyfolder")
    slugs = _slugs(tables["clubs.club"])
    if folder is None or len(slugs) > 1:
        return ""
    return _copy(folder._default_manager.all(), slugs)


def _slugs(model: Model) -> list[str]:
    """The clubs that are here, by this table, perhaps as an older version has it."""
    has_practice = any(field.name == "practice_of" for field in model._meta.concrete_fields)
    clubs = model._default_manager.filter(is_demo=False)
    clubs = clubs.filter(practice_of=None) if has_practice else clubs
    return [*clubs.values_list("slug", flat=True)]


def _copy(rows: Rows, slugs: list[str]) -> str:
    """Write a copy to the folder in this table, perhaps as an older version has it; take away those
    that are too old, and record how it went. Returns the fault, if there is one."""
    path = rows.values_list("path", flat=True).first()
    if path is None:
        return ""
    now = timezone.now()
    own = "-".join(("klaverclub", *slugs))
    file = Path(path, f"{own}-{timezone.localtime(now):%Y-%m-%d-%H%M}.backup")
    fault = _written(file)
    if fault:
        rows.update(tried_at=now, fault=fault)
        return fault
    rows.update(tried_at=now, made_at=now, made_name=file.name, fault="")
    with suppress(OSError):
        for old in expendable(own, (other.name for other in file.parent.iterdir())):
            file.with_name(old).unlink(missing_ok=True)
    return ""


def _written(file: Path) -> str:
    """Write a backup; returns the fault."""
    try:
        if not (file.parent / MARK).is_file():
            return CopyFolder.GONE
        _drafts_remove(file.parent)
        with new_file(file, force=True) as opened:
            backup_write(opened)
    except (OSError, CommandError) as error:
        number = getattr(error.__cause__ or error, "errno", None)
        return f"{CopyFolder.UNWRITABLE}{number or error}"[:500]
    return ""


def _drafts_remove(folder: Path) -> None:
    """Remove what was left of copies in the middle of which the computer went off."""
    for draft in folder.glob(".klaverclub-*.backup.*"):
        if draft.stat().st_mtime < time.time() - AGAIN_AFTER.total_seconds():
            draft.unlink(missing_ok=True)


def expendable(own: str, names: Iterable[str]) -> Iterator[str]:
    """Those of these files that are copies of one's own club and not kept, by the date in their
    names: a stick may hold those of another club too."""
    dated = re.compile(re.escape(own) + r"-(\d{4}-\d\d)-\d\d-\d{4}\.backup")
    months = {name: match[1] for name in names if (match := dated.fullmatch(name))}
    ordered = sorted(months, reverse=True)
    last_of_month: dict[str, str] = {}
    for name in ordered:
        last_of_month.setdefault(months[name], name)
    kept = {*ordered[:NEWEST], *list(last_of_month.values())[:MONTHS]}
    return (name for name in ordered if name not in kept)
