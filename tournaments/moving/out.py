"""Writing a club to an archive."""

from collections.abc import Iterator
from typing import IO, Any

from django.db import models
from django.utils import timezone

from clubs.archives.container import ArchiveWriter, Row
from clubs.archives.rows import Change, rows_write
from clubs.archives.schema import models_at, newest
from clubs.archives.snapshot import snapshot
from clubs.models import Club, MemberMerge, User
from tournaments.models import Release
from tournaments.moving.contents import KIND, OF_A_CLUB, PEOPLE, PEOPLE_FIELDS
from tournaments.moving.inside import MEMBER, people_named, rewritten
from tournaments.moving.numbers import Numbers, counted, is_numbered, renumber

Tables = dict[str, models.QuerySet[Any]]


def club_write(club: Club, file: IO[bytes]) -> int:
    """Write everything of a club as it is at this moment, while others go on writing; returns how
    many rows that were."""
    with snapshot():
        club.refresh_from_db()
        tables = _rows_of_club(club)
        numbers = _numbered(club, tables)
        gone = numbers[MEMBER].keys() - set(tables[MEMBER].values_list("pk", flat=True))
        about = {
            "made_at": timezone.now().isoformat(),
            "migrations": newest(),
            "club": {"uuid": str(club.uuid), "slug": club.slug, "name": club.name},
            "gone": sorted(numbers[MEMBER][pk] for pk in gone),
        }
        archive = ArchiveWriter(file, kind=KIND, about=about)
        people = User.objects.filter(pk__in=numbers[PEOPLE])
        with archive.part(PEOPLE) as stream:
            rows_write(people, stream, fields=PEOPLE_FIELDS, change=renumber(User, numbers))
        for name, rows in tables.items():
            with archive.part(name) as stream:
                rows_write(rows, stream, change=_portable(rows.model, numbers))
    archive.finish()
    return archive.rows


def _rows_of_club(club: Club) -> Tables:
    known = models_at(newest())
    return {
        name: known[name]._default_manager.filter(**{path: club.pk})
        for name, path in OF_A_CLUB.items()
    }


def _numbered(club: Club, tables: Tables) -> Numbers:
    numbers = {
        name: counted(rows.values_list("pk", flat=True))
        for name, rows in tables.items()
        if is_numbered(rows.model)
    }
    releases = Release.objects.filter(evening__club=club)
    guests = MemberMerge.objects.filter(club=club).values_list("guest", flat=True)
    named = people_named(
        [rows for both in releases.values_list("standings", "changes") for rows in both], guests
    )
    numbers[MEMBER] = counted(numbers[MEMBER].keys() | named)
    numbers[PEOPLE] = counted(_logins(tables))
    return numbers


def _logins(tables: Tables) -> Iterator[int]:
    """Everybody with a task at the club, or who wrote something there with a login."""
    for rows in tables.values():
        if any(field.name == "user" for field in rows.model._meta.concrete_fields):
            users = rows.exclude(user=None).order_by().values_list("user", flat=True)
            yield from users.distinct()


def _portable(model: type[models.Model], numbers: Numbers) -> Change:
    """What makes the rows of a table fit for another server."""
    renumbered = renumber(model, numbers)

    def changed(row: Row) -> Row:
        fields = row["fields"]
        if row["model"] == MEMBER:
            fields["first_id"] = fields["first_id"] or row["pk"]
        if row["model"] == "tournaments.tabletoken":
            fields["revoked_at"] = fields["revoked_at"] or fields["made_at"]
        return renumbered(rewritten(row, numbers))

    return changed
