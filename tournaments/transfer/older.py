"""Files of older versions, and backups, as this version writes the file of a club."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from django.db import DatabaseError, connection
from django.utils.translation import gettext as _

from clubs.archives.container import (
    Archive,
    BadArchive,
    Report,
    Unsound,
    archive_kind,
    archive_open,
    unreported,
)
from clubs.archives.places import working_on
from clubs.archives.rows import newest
from clubs.archives.whole import BACKUP, backup_load, migrations_of
from clubs.models import Club
from tournaments.transfer.out import KIND, PEOPLE, club_write

_MALFORMED: Final = (
    ArithmeticError,
    AttributeError,
    DatabaseError,
    LookupError,
    TypeError,
    ValueError,
)
"""What migrations and the writer stumble over in rows that nobody checked yet."""


def file_of_now(
    path: Path,
    folder: Path,
    *,
    club: Club | None = None,
    backups: bool = False,
    report: Report = unreported,
) -> Path:
    """The path of the file of a club as this version writes it: the same, or a new one in `folder`
    with what a file of an older version comes to, or where `backups` are taken too, one club of
    those: `club`, or else the only one. Its values are still to be checked.

    Raises BadArchive, also for a newer version.
    """
    is_whole = backups and archive_kind(path) == BACKUP
    with archive_open(path, kind=BACKUP if is_whole else KIND, is_foreign=True) as archive:
        if not is_whole and migrations_of(archive) == newest():
            return path
        archive.require_room(folder)
        with database_beside(folder / "older.sqlite3"):
            return _rewritten(archive, folder / f"now.{path.name}", club, is_whole, report)


def _rewritten(
    archive: Archive, path: Path, club: Club | None, is_whole: bool, report: Report
) -> Path:
    try:
        backup_load(archive, partial=() if is_whole else (PEOPLE,), report=report)
        here = _meant(club if is_whole else None)
        with path.open("wb") as file:
            club_write(here, file, made_at=str(archive.about.get("made_at", "")))
    except _MALFORMED as error:
        raise Unsound(f"It cannot be brought up to date: {error!r}") from error
    return path


def _meant(club: Club | None) -> Club:
    """The club of an archive that is meant: this one, or else the only one that is no demo."""
    clubs = Club.objects.listed()
    clubs = clubs.filter(uuid=club.uuid) if club else clubs.filter(is_demo=False) or clubs
    if not clubs:
        raise BadArchive(_("Your club is not in this backup."))
    if len(clubs) > 1:
        names = ", ".join(other.name for other in clubs)
        raise BadArchive(
            _("This backup holds several clubs (%(names)s): use `manage.py restore`.")
            % {"names": names}
        )
    return clubs[0]


@contextmanager
def database_beside(path: Path) -> Iterator[None]:
    """In this thread the default database is an empty one in that file, of SQLite whatever the real
    one is: it goes afterwards, and holds up nobody. DEFERRED: it has no queue of writers."""
    pragmas = "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF;"
    options = {"transaction_mode": "DEFERRED", "timeout": 20, "init_command": pragmas}
    settings = {
        **connection.settings_dict,
        "ENGINE": "clubs.sqlite3",
        "NAME": str(path),
        "OPTIONS": options,
        "CONN_HEALTH_CHECKS": False,
    }
    try:
        with working_on(settings):
            yield
    finally:
        path.unlink(missing_ok=True)
