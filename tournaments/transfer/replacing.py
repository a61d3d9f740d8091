"""The club of a file: putting it in place of what is here, and files of older versions, and
backups, as this version writes them; and clubs that whoever operates the server let go: everything
of them is deleted on their day."""

import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, OperationalError, connection, transaction
from django.utils import timezone
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
from clubs.archives.rows import newest
from clubs.archives.whole import BACKUP, backup_load, migrations_of, working_on
from clubs.audit.guards import guards_lifted
from clubs.audit.services import Actor, event_append
from clubs.models import Club, Role, User
from clubs.profile.services import club_lock, role_grant
from tournaments.models import Copy
from tournaments.transfer.into import club_read
from tournaments.transfer.out import KIND, OF_A_CLUB, PEOPLE, club_write

ONLY_HERE: Mapping[str, str] = {
    "clubs.apitoken": "club",
    "clubs.invitation": "club",
    "clubs.upload": "club",
    "tournaments.cameralink": "evening__club",
    "tournaments.deletedevening": "club",
    "tournaments.eveningsummary": "evening__club",
    "tournaments.follower": "club",
    "tournaments.hallscreen": "evening__club",
    "tournaments.mailreceiver": "mail__club",
    "tournaments.membermail": "club",
    "tournaments.pinguard": "evening__club",
    "tournaments.pulllink": "club",
    "tournaments.seasonfile": "season__club",
    "tournaments.sheetphoto": "evening__club",
}
"""What a club has on this server alone and loses when it is put back, with the path to the club."""


_HOLD: Final = 0.5
"""Seconds, less than after which PostgreSQL ends one of two who wait for each other."""
_TRIES: Final = 60
logger = logging.getLogger(__name__)


def club_hold(club: Club) -> None:
    """Let nobody write to the tables of clubs until the end of the transaction, once those who are
    writing have done so: what is here from then on is all there is. SQLite does that by itself.

    Raises BadArchive if there are writers all the time.
    """
    if connection.vendor != "postgresql":
        return
    tables = ", ".join(f'"{apps.get_model(name)._meta.db_table}"' for name in OF_A_CLUB)
    for _attempt in range(_TRIES):
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(f"SET LOCAL lock_timeout = '{round(_HOLD * 1000)}ms'")
                cursor.execute(f"LOCK TABLE {tables} IN EXCLUSIVE MODE")
                cursor.execute("SET LOCAL lock_timeout TO DEFAULT")
        except OperationalError:
            # They go first: what was locked so far is let go.
            time.sleep(_HOLD)
        else:
            return
    raise BadArchive(_("People are writing all the time. Try again when the evening is over."))


@transaction.atomic
def club_replace(
    *, archive: Archive, club: Club | None, actor: Actor, report: Report = unreported
) -> Club:
    """The club of an archive that was verified before, in place of `club` if that is given: all or
    nothing. Whoever does so still organises it. Raises BadArchive."""
    if club is None:
        return club_read(archive, is_verified=True, report=report)
    here = club_lock(club.pk)
    copies = [*Copy.objects.filter(club=here).values_list("pk", flat=True)]
    with guards_lifted():
        club_delete(here)
        placed = club_read(archive, slug=here.slug, is_verified=True, report=report)
        # Not before: whoever says how far it is could not write meanwhile.
        Copy.objects.filter(pk__in=copies).update(club=placed)
    phones = {"address": here.address, "phone_address": here.phone_address}
    Club.objects.filter(pk=placed.pk).update(**phones)
    if actor.user and not placed.roles.filter(user=actor.user, kind=Role.Kind.ORGANISER).exists():
        role_grant(club=placed, email=actor.user.email, kind=Role.Kind.ORGANISER, actor=actor)
    event_append(
        chain=Club.objects.get(pk=placed.pk),
        club=placed,
        actor=actor,
        action="copy_put_back",
        object_ref=f"club:{placed.uuid}",
        data={"made_at": str(archive.about.get("made_at", ""))[:40]},
    )
    return Club.objects.get(pk=placed.pk)


def club_delete(club: Club) -> None:
    """Delete every row of a club, and its practice evening; the guards must be lifted."""
    Club.objects.filter(practice_of=club).delete()
    for name, path in (*ONLY_HERE.items(), *reversed([*OF_A_CLUB.items()])):
        rows = apps.get_model(name)._default_manager.filter(**{path: club.pk})
        # Nothing is collected first: what refers to these rows is deleted already.
        rows._raw_delete(rows.db)  # noqa: SLF001


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


def clubs_gone_sweep() -> None:
    """Delete the clubs whose day has come, with the logins that have no other task here; while
    there are none, it only reads."""
    for club in Club.objects.filter(goes_on__lte=timezone.localdate()).order_by("pk"):
        with transaction.atomic():
            _remove(club_lock(club.pk))


def _remove(club: Club) -> None:
    if club.goes_on is None or club.goes_on > timezone.localdate():
        return
    team = list(User.objects.filter(roles__club=club).values_list("pk", flat=True))
    Copy.objects.filter(club=club).delete()
    with guards_lifted():
        club_delete(club)
    for user in User.objects.filter(pk__in=team, roles=None, leagues_led=None):
        if user.email.casefold() not in settings.OPERATORS:
            user.delete()
    logger.info("A club that was let go is deleted")
