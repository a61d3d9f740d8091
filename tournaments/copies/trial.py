"""Reading a file into a database of its own, thrown away afterwards: what it holds, and whether it
would be refused. Nothing of the real database is touched."""

import datetime as dt
from dataclasses import dataclass
from pathlib import Path

from django.core.management import call_command
from django.db.models import Max
from django.utils.translation import gettext as _

from clubs.access.permissions import is_alone
from clubs.archives.container import BadArchive, Report, archive_open
from clubs.models import Club
from tournaments.models import Evening
from tournaments.transfer.into import club_read
from tournaments.transfer.older import database_beside
from tournaments.transfer.out import KIND


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
        call_command("migrate", verbosity=0, interactive=False)
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
