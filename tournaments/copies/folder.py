"""Copies that are made by themselves: each day, and before a new version changes the database, to
a folder of this computer that the only club here chose."""

import datetime as dt
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import CommandError
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.archives.container import new_file
from clubs.archives.rows import migrated_to, models_at, newest
from clubs.archives.whole import backup_write
from clubs.models import Club
from clubs.text.errors import DomainError
from tournaments.models import CopyFolder

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
        message = _("Nothing can be written there: %(why)s.") % {"why": error.strerror}
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
    """Make a copy if today's has not been made; once for all processes. Whether it was tried."""
    now = timezone.now()
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    failed = Q(tried_at__lt=now - AGAIN_AFTER) & ~Q(fault="")
    due = CopyFolder.objects.filter(Q(tried_at=None) | Q(tried_at__lt=midnight) | failed)
    if Club.objects.filter(is_demo=False).count() > 1 or not due.update(tried_at=now):
        return False
    _copy(CopyFolder.objects.all())
    return True


def folder_copy_before_migrating() -> str:
    """Make a copy of a database that is about to be brought up to date, if a folder was chosen;
    returns what went wrong, if anything did."""
    migrations = migrated_to()
    if not migrations or migrations == newest():
        return ""
    tables = models_at(migrations)
    folder, clubs = tables.get("tournaments.copyfolder"), tables["clubs.club"]
    if folder is None or clubs._default_manager.filter(is_demo=False).count() > 1:
        return ""
    return _copy(folder._default_manager.all())


def _copy(rows: Rows) -> str:
    """Write a copy to the folder in this table, perhaps as an older version has it; take away those
    that are too old, and record how it went. Returns the fault, if there is one."""
    path = rows.values_list("path", flat=True).first()
    if path is None:
        return ""
    now = timezone.now()
    file = Path(path, f"klaverclub-{timezone.localtime(now):%Y-%m-%d-%H%M}.backup")
    fault = _written(file)
    if fault:
        rows.update(tried_at=now, fault=fault)
        return fault
    rows.update(tried_at=now, made_at=now, made_name=file.name, fault="")
    for old in expendable(other.name for other in file.parent.glob("klaverclub-*.backup")):
        file.with_name(old).unlink(missing_ok=True)
    return ""


def _written(file: Path) -> str:
    """Write a backup; returns the fault."""
    if not (file.parent / MARK).is_file():
        return CopyFolder.GONE
    try:
        with new_file(file, force=True) as opened:
            backup_write(opened)
    except CommandError as error:
        return f"{CopyFolder.UNWRITABLE}{getattr(error.__cause__, 'strerror', None) or error}"[:500]
    return ""


def expendable(names: Iterable[str]) -> Iterator[str]:
    """Those of these copies that are not kept, by the date in their names."""
    ordered = sorted(names, reverse=True)
    last_of_month: dict[str, str] = {}
    for name in ordered:
        last_of_month.setdefault(name[: len("klaverclub-2026-11")], name)
    kept = {*ordered[:NEWEST], *list(last_of_month.values())[:MONTHS]}
    return (name for name in ordered if name not in kept)
