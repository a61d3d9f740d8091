"""Reading a file into a database of its own, thrown away afterwards: what it holds, and whether it
would be refused. Nothing of the real database is touched."""

import datetime as dt
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from django.core.management import call_command
from django.db import connection
from django.db.models import Max
from django.utils.translation import gettext as _

from clubs.archives.container import Archive, BadArchive, Report, archive_kind, archive_open
from clubs.archives.places import working_on
from clubs.archives.whole import BACKUP, backup_load
from clubs.models import Club
from scoring.audit.verify import faults
from tournaments.models import Evening
from tournaments.transfer.into import Differs, club_read
from tournaments.transfer.out import KIND, club_write

READ = 0.5
"""The part of the work that is done once everything is read; the rest is `verify`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Holds:
    """What a file holds of a club."""

    uuid: str
    slug: str
    name: str
    members: int
    evenings: int
    last: dt.date | None
    made_at: str


def copy_try(path: Path, *, club: Club | None, sealed: bool, report: Report) -> Holds:
    """What is in a file of `export_club` or `backup`, which must hold `club` if that is given.

    Where others share the server its trails must be `sealed` with its key, so that nobody brings in
    a history that they made up. A backup is replaced by the file of its club, so that what follows
    has one kind to deal with. Raises BadArchive for all that `import_club` and `restore` refuse.
    """
    is_whole = archive_kind(path) == BACKUP
    kind = BACKUP if is_whole else KIND
    with archive_open(path, kind=kind, is_foreign=True) as archive, _database_beside(path):
        if is_whole:
            here = _of_backup(archive, club, sealed, report)
        else:
            call_command("migrate", verbosity=0, interactive=False)
            here = club_read(archive, sealed=sealed, report=lambda done: report(done * READ))
        _require_same(club, here)
        holds = held_here(here, str(archive.about.get("made_at", "")))
        if is_whole:
            with path.with_suffix(".of_backup").open("wb") as file:
                club_write(here, file)
    if is_whole:
        path.with_suffix(".of_backup").replace(path)
    return holds


def _of_backup(archive: Archive, club: Club | None, sealed: bool, report: Report) -> Club:
    """The club in a backup that is meant, once all of it is verified."""
    backup_load(archive)
    report(READ)
    differing = list(faults(sealed=sealed))
    if differing:
        raise Differs(differing)
    clubs = Club.objects.filter(is_demo=False) or Club.objects.all()
    if club is not None:
        clubs = Club.objects.filter(uuid=club.uuid)
    if not clubs:
        raise BadArchive(_("Your club is not in this backup."))
    if len(clubs) > 1:
        names = ", ".join(other.name for other in clubs)
        raise BadArchive(
            _("This backup holds several clubs (%(names)s): use `manage.py restore`.")
            % {"names": names}
        )
    return clubs[0]


def _require_same(club: Club | None, here: Club) -> None:
    if club is not None and club.uuid != here.uuid:
        raise BadArchive(
            _("This is a copy of another club: %(name)s. Nothing is put in its place.")
            % {"name": here.name}
        )


def held_here(club: Club, made_at: str = "") -> Holds:
    """What a database has of a club, for a copy that was made at that time."""
    evenings = Evening.objects.of(club).exclude(state=Evening.State.CANCELLED)
    last = evenings.filter(state=Evening.State.CLOSED).aggregate(last=Max("date"))["last"]
    return Holds(
        uuid=str(club.uuid),
        slug=club.slug,
        name=club.name,
        members=club.members.filter(erased_at=None, is_active=True).count(),
        evenings=evenings.count(),
        last=last,
        made_at=made_at,
    )


def _database_beside(path: Path) -> AbstractContextManager[None]:
    """In this thread the default database is an empty one beside that file, of SQLite whatever the
    real one is: it goes with its folder, and holds up nobody. DEFERRED: it has no queue of
    writers."""
    pragmas = "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF;"
    options = {"transaction_mode": "DEFERRED", "timeout": 20, "init_command": pragmas}
    settings = {
        **connection.settings_dict,
        "ENGINE": "clubs.sqlite3",
        "NAME": str(path.with_suffix(".sqlite3")),
        "OPTIONS": options,
        "CONN_HEALTH_CHECKS": False,
    }
    return working_on(settings)
