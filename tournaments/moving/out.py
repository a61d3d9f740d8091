"""Writing a club to an archive."""

from collections.abc import Iterator
from typing import IO, Any

from django.db import models
from django.utils import timezone

from clubs.archives.container import ArchiveWriter
from clubs.archives.rows import columns_of, rows_of
from clubs.archives.schema import models_at, newest
from clubs.archives.snapshot import snapshot
from clubs.models import Club, MemberMerge, User
from tournaments.models import Release
from tournaments.moving.contents import KIND, OF_A_CLUB, PEOPLE, PEOPLE_COLUMNS
from tournaments.moving.inside import MEMBER, people_named, rewritten
from tournaments.moving.numbers import Numbers, counted, is_numbered, renumber

Found = dict[str, models.QuerySet[Any]]


def club_write(club: Club, file: IO[bytes]) -> int:
    """Write everything of a club as it is at this moment, while others go on writing; returns how
    many rows that were."""
    with snapshot():
        club.refresh_from_db()
        found = _rows_of_club(club)
        numbers = _numbered(club, found)
        gone = numbers[MEMBER].keys() - set(found[MEMBER].values_list("pk", flat=True))
        about = {
            "made_at": timezone.now().isoformat(),
            "migrations": newest(),
            "club": {"uuid": str(club.uuid), "slug": club.slug, "name": club.name},
            "gone": sorted(numbers[MEMBER][pk] for pk in gone),
        }
        archive = ArchiveWriter(file, kind=KIND, about=about)
        count = archive.write(PEOPLE, PEOPLE_COLUMNS, _people(numbers))
        for name, rows in found.items():
            count += archive.write(name, columns_of(rows.model), _told(name, rows, numbers))
    archive.finish()
    return count


def _rows_of_club(club: Club) -> Found:
    known = {model._meta.label_lower: model for model in models_at(newest())}
    return {
        name: known[name]._default_manager.filter(**{path: club.pk})
        for name, path in OF_A_CLUB.items()
    }


def _numbered(club: Club, found: Found) -> Numbers:
    numbers = {
        name: counted(rows.values_list("pk", flat=True))
        for name, rows in found.items()
        if is_numbered(rows.model)
    }
    releases = Release.objects.filter(evening__club=club)
    guests = MemberMerge.objects.filter(club=club).values_list("guest", flat=True)
    named = people_named(
        [rows for both in releases.values_list("standings", "changes") for rows in both], guests
    )
    numbers[MEMBER] = counted(numbers[MEMBER].keys() | named)
    numbers[PEOPLE] = counted(_logins(found))
    return numbers


def _logins(found: Found) -> Iterator[int]:
    """Who has a task at the club, or wrote something there with a login."""
    for rows in found.values():
        if any(field.name == "user" for field in rows.model._meta.concrete_fields):
            users = rows.exclude(user=None).order_by().values_list("user", flat=True)
            yield from users.distinct()


def _people(numbers: Numbers) -> Iterator[list[object]]:
    known = numbers[PEOPLE]
    for user in User.objects.filter(pk__in=known).order_by("pk"):
        yield [known[user.pk], str(user.uuid), user.email, user.name, user.is_active]


def _told(name: str, rows: models.QuerySet[Any], numbers: Numbers) -> Iterator[list[Any]]:
    """The rows as the archive has them, in the order of their numbers."""
    columns, renumbered = columns_of(rows.model), renumber(rows.model, numbers)
    for row in rows_of(rows):
        told = dict(zip(columns, row, strict=True))
        if name == MEMBER:
            told["first_id"] = told["first_id"] or told["id"]
        if name == "tournaments.tabletoken":
            told["revoked_at"] = told["revoked_at"] or told["made_at"]
        yield renumbered([*rewritten(name, told, numbers).values()])
