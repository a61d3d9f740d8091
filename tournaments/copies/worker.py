"""The threads of a server process: one makes copies, checks those that were sent and puts them in
place, while pages only show it; one looks now and then whether a copy is to be made by itself, and
what was kept long enough: content of copies, practice evenings, files nobody confirmed; and whether
pictures wait that nobody reads.

A file is first read into a database of its own, thrown away afterwards: what it holds, and whether
it would be refused. Nothing of the real database is touched.
"""

import datetime as dt
import logging
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event, Thread
from typing import Final

from django.core.management.base import CommandError
from django.db import DatabaseError, connections, transaction
from django.db.models import Max
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from clubs.access.permissions import is_alone
from clubs.archives.checks import MOST_FAULTS
from clubs.archives.container import BadArchive, Report, Unsound, archive_open
from clubs.archives.rows import tables_make
from clubs.audit.services import Actor
from clubs.files.exports import Aside
from clubs.members.imports import uploads_sweep
from clubs.models import Club
from clubs.profile.services import practice_sweep
from tournaments.copies.services import (
    PLACED,
    READY,
    before_tidy,
    copies_tidy,
    copy_fail,
    copy_fill,
    copy_finish,
    copy_progress,
    copy_write,
    folder_copy_if_due,
)
from tournaments.entries.services import entries_sweep
from tournaments.models import Copy, Evening
from tournaments.sheet_photos.queue import (
    photos_read_aside,
)
from tournaments.sheet_photos.services import (
    sheet_photos_sweep,
)
from tournaments.transfer.into import Differs, club_read
from tournaments.transfer.out import KIND, club_write
from tournaments.transfer.replacing import (
    club_hold,
    club_replace,
    clubs_gone_sweep,
    database_beside,
    file_of_now,
)


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
    """What is in the file of a club, which must be `club` if that is given.

    Where others share the server its trails must be `sealed` with its key, so that nobody brings in
    a history that they made up. Raises BadArchive for all that `import_club` refuses.
    """
    with (
        archive_open(path, kind=KIND, is_foreign=True) as archive,
        database_beside(path.with_suffix(".sqlite3")),
    ):
        archive.require_room(path.parent)
        tables_make()
        here = club_read(archive, sealed=sealed, report=report)
        require_same(club, uuid=str(here.uuid), name=here.name)
        return held_here(here, str(archive.about.get("made_at", "")))


def require_same(club: Club | None, *, uuid: str, name: str) -> None:
    """Raises BadArchive for a copy of another club than this one."""
    if club is None or str(club.uuid) == uuid:
        return
    raise BadArchive(
        _(
            "This is a copy of another club: %(name)s. It can only take the place of a club "
            "without evenings and members, alone on its computer. On a computer without a club "
            "choose “I have a copy of my club”."
        )
        % {"name": name}
    )


def required_of(club: Club | None) -> Club | None:
    """The club that a copy must be of to be put in the place of this one: any for a club that was
    only begun, alone on its computer, with no evenings and nobody but the one who began it."""
    if club is None:
        return None
    begun = Evening.objects.of(club).exists() or club.deleted_evenings.exists()
    is_used = begun or club.members.count() > 1 or not is_alone(club)
    return club if is_used else None


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


logger = logging.getLogger(__name__)

Work = Callable[[Copy, Path, "Pulse"], None]
BEGUN: Final = 0.01
"""Of what is put back: its file was looked at, and what is here is being replaced."""
BEATS: Final = 1.0
"""Seconds between two reports."""
_aside: Final = Aside(4)


def copy_make_aside(copy: Copy, language: str) -> None:
    """Have a new copy made, once this transaction has committed."""
    _enqueue(copy, language, _make)


def copy_check_aside(copy: Copy, language: str) -> None:
    """Have a file that was sent tried out."""
    _enqueue(copy, language, _check)


def copy_place_aside(copy: Copy, language: str) -> None:
    """Have a file that was tried out put in place."""
    _enqueue(copy, language, _place)


def folder_copy_aside() -> None:
    """Have the copy of today made in the folder that was chosen, if it is still to be made."""
    _aside.put(_folder_copy)


def _folder_copy() -> None:
    try:
        folder_copy_if_due()
    except Exception:
        logger.exception("The copy of today could not be made")


class Pulse(Thread):
    """Says in the database how far the work is, from a thread of its own: the one that works uses
    another database, or is in a transaction."""

    def __init__(self, copy_id: int) -> None:
        super().__init__(daemon=True)
        self.done = 0.0
        self._copy_id, self._over = copy_id, Event()

    def report(self, done: float) -> None:
        """Called by the one that works."""
        self.done = done

    def run(self) -> None:
        while not self._over.wait(BEATS):
            # Who puts a club in place on SQLite lets nobody else write meanwhile.
            with suppress(DatabaseError):
                copy_progress(copy_id=self._copy_id, done=self.done)
        connections.close_all()

    def end(self) -> None:
        """Wait for the last report."""
        self._over.set()
        self.join()


def _enqueue(copy: Copy, language: str, work: Work) -> None:
    def job() -> None:
        with translation.override(language):
            _worked(copy.pk, work)

    def put() -> None:
        if not _aside.put(job):
            with translation.override(language):
                copy_fail(copy_id=copy.pk, fault=_("Too much was asked for at once."))

    transaction.on_commit(put)


def _worked(copy_id: int, work: Work) -> None:
    """Work on a copy in a folder of its own, and record what comes of it."""
    try:
        copy = Copy.objects.select_related("club", "user").get(pk=copy_id)
        with (
            tempfile.TemporaryDirectory(prefix="klaverclub-copy-") as folder,
            _pulse(copy) as pulse,
        ):
            path = Path(folder, _file_name(copy.name))
            try:
                work(copy, path, pulse)
            except (BadArchive, CommandError) as error:
                pulse.end()
                copy_fail(copy_id=copy_id, fault=_words(error, path))
    except Exception:
        logger.exception("The work on a copy failed")
        with suppress(DatabaseError):
            copy_fail(copy_id=copy_id, fault=_("Something went wrong on this computer."))


@contextmanager
def _pulse(copy: Copy) -> Iterator[Pulse]:
    pulse = Pulse(copy.pk)
    pulse.start()
    try:
        yield pulse
    finally:
        pulse.end()


def _make(copy: Copy, path: Path, pulse: Pulse) -> None:
    with path.open("wb") as file:
        club_write(_club(copy), file, pulse.report)
    copy_fill(copy=copy, path=path)
    pulse.end()
    copy_finish(copy_id=copy.pk, state=READY)


def _check(copy: Copy, path: Path, pulse: Pulse) -> None:
    copy_write(copy=copy, path=path)
    sealed = copy.club is not None and not is_alone(copy.club)
    meant = required_of(copy.club)
    now = file_of_now(path, path.parent, club=meant, backups=True)
    holds = copy_try(now, club=meant, sealed=sealed, report=pulse.report)
    if now != path:
        copy_fill(copy=copy, path=now)
    pulse.end()
    copy_finish(copy_id=copy.pk, state=READY, contents=[asdict(holds)])


def _place(copy: Copy, path: Path, pulse: Pulse) -> None:
    copy_write(copy=copy, path=path)
    actor = Actor.of_user(copy.user) if copy.user else Actor.of_program("import_club")
    # What was kept of a club may have been written by the version before this one.
    now = file_of_now(path, path.parent)
    # On SQLite nobody can say more from here on until it is done.
    copy_progress(copy_id=copy.pk, done=BEGUN)
    pulse.report(BEGUN)
    with archive_open(now, kind=KIND, is_foreign=True) as archive, transaction.atomic():
        if copy.club is not None:
            club_hold(copy.club)
            holds = copy.contents[0]
            require_same(required_of(copy.club), uuid=holds["uuid"], name=holds["name"])
            # An unused club that another replaces could not be put back in its place.
            if holds["uuid"] == str(copy.club.uuid):
                _keep_before(copy.club, path.with_name("before"))
        club = club_replace(archive=archive, club=copy.club, actor=actor, report=pulse.report)
        copy_finish(copy_id=copy.pk, state=PLACED, club=club)


def _keep_before(club: Club, path: Path) -> None:
    """Keep what is replaced, to the last thing written, so that it can be put back itself."""
    with path.open("wb") as file:
        club_write(club, file)
    holds = held_here(club, timezone.now().isoformat())
    before = Copy.objects.create(
        club=club,
        kind=Copy.Kind.BEFORE,
        state=READY,
        name=f"{club.slug}.club",
        contents=[asdict(holds)],
    )
    copy_fill(copy=before, path=path)
    before_tidy(club)


def _club(copy: Copy) -> Club:
    if copy.club is None:
        raise BadArchive("There is no club to copy.")
    return copy.club


def _file_name(name: str) -> str:
    """A name for the file that messages can say, and no path."""
    return re.sub(r"[^\w.-]", "_", name)[-100:].strip(".") or "copy"


def _words(error: Exception, path: Path) -> str:
    """What the command would say, with the name of the file that was sent. What is about single
    rows comes below a line that everybody can read."""
    if isinstance(error, Differs):
        words = _(
            "Worked out anew, %(count)s things in this copy come to something else than it says: "
            "it was damaged, or changed after it was made. Choose another copy."
        ) % {"count": len(error.faults)}
        return "\n".join((words, *error.faults[:MOST_FAULTS]))
    if isinstance(error, Unsound):
        words = _(
            "There are things in this file that Klaverclub never writes: it was damaged, or "
            "changed after it was made. Choose another copy."
        )
        return f"{words}\n{error}"
    return str(error).replace(str(path), path.name)


EVERY: Final = 30.0
"""Seconds."""


def daily_start() -> None:
    """Begin to look, for as long as the process lives."""
    Thread(target=_watch, daemon=True).start()


def _watch() -> None:
    while True:
        time.sleep(EVERY)
        begin_what_waits()
        _sweep()


def begin_what_waits() -> None:
    """Begin what nobody asks for: the copy of today, and pictures of sheets that waited when the
    process that read them stopped."""
    folder_copy_aside()
    photos_read_aside()


def _sweep() -> None:
    try:
        practice_sweep()
        clubs_gone_sweep()
        copies_tidy()
        uploads_sweep()
        entries_sweep()
        sheet_photos_sweep()
    except DatabaseError:
        # Without a database there is nothing to remove; the next look finds it.
        logger.warning("What was kept long enough could not be removed", exc_info=True)
    finally:
        connections.close_all()
