"""Copies that are made by themselves: each day, after each evening, and before a new version
changes the database, to a folder of this computer that the only club here chose."""

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
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.archives.container import new_file
from clubs.archives.rows import Model, migrated_to, models_at, newest
from clubs.archives.whole import backup_write
from clubs.models import Club
from clubs.text.errors import DomainError
from tournaments.models import CopyFolder, Release
from tournaments.models.copies import disk_words

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
    returns what went wrong, if anything did."""
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
