"""Reading a club from an archive."""

import re
from collections.abc import Iterable, Iterator
from heapq import merge as merged
from typing import Any
from uuid import uuid4

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import DatabaseError, models, transaction

from clubs.archives.container import Archive, BadArchive
from clubs.archives.rows import columns_of, rows_load
from clubs.archives.schema import models_at, newest
from clubs.archives.whole import migrations_of
from clubs.models import Club, User
from clubs.models.club import SLUG
from scoring.verify import faults
from tournaments.models import Evening
from tournaments.moving.contents import OF_A_CLUB, PEOPLE, PEOPLE_COLUMNS
from tournaments.moving.inside import MEMBER, MERGE, Json, rewritten
from tournaments.moving.numbers import Numbers, is_numbered, renumber
from tournaments.moving.own import require_own
from tournaments.services._summaries import summary_store


class Differs(BadArchive):
    """`verify` finds differences in what was read; `faults` are those."""

    def __init__(self, found: list[str]) -> None:
        super().__init__(f"`verify` finds {len(found)} differences: see --despite-differences.")
        self.faults = found


@transaction.atomic
def club_read(archive: Archive, *, slug: str = "", despite_differences: bool = False) -> Club:
    """Make the club of an archive, under another web name where `slug` says so: all or nothing.

    Whoever has the e-mail address of a login here is that person; others get a login without a
    password. Raises BadArchive where it cannot be read, where the club is here already, or its web
    name is taken; `Differs` where not all is as it was written.
    """
    _require_known(archive)
    slug = _free_slug(archive, slug)
    numbers: Numbers = {PEOPLE: _people(archive)}
    known = {model._meta.label_lower: model for model in models_at(newest())}
    for name in OF_A_CLUB:
        _load(archive, name, known[name], numbers, slug)
    club = Club.objects.get(slug=slug)
    require_own(club, numbers)
    for evening in Evening.objects.filter(club=club, state=Evening.State.CLOSED):
        summary_store(evening.pk)
    differing = list(faults(club))
    if differing and not despite_differences:
        raise Differs(differing)
    return club


def _require_known(archive: Archive) -> None:
    models_at(migrations_of(archive))
    if migrations_of(archive) != newest():
        raise BadArchive("An older Klaverclub made it: update that server and export anew.")
    if missing := {PEOPLE, *OF_A_CLUB} ^ archive.parts.keys():
        raise BadArchive(f"There is too little in it, or too much: {', '.join(sorted(missing))}.")


def _free_slug(archive: Archive, slug: str) -> str:
    told = archive.about.get("club")
    try:
        here = Club.objects.filter(uuid=told["uuid"]).first()  # type: ignore[index]
    except (KeyError, TypeError, ValidationError) as error:
        raise BadArchive("The archive does not tell whose it is.") from error
    if here is not None:
        raise BadArchive(f"This club is here already, as '{here.slug}'.")
    slug = slug or str(told.get("slug"))  # type: ignore[union-attr]
    if len(slug) > 50 or not re.search(SLUG.regex, slug):
        raise BadArchive(f"'{slug}' is no web name: use small letters, digits and single dashes.")
    if Club.objects.filter(slug=slug).exists():
        raise BadArchive(f"There is another club '{slug}': choose another web name with --as.")
    return slug


def _people(archive: Archive) -> dict[int, int]:
    """The login here of everybody in the archive."""
    if tuple(archive.parts[PEOPLE].columns) != PEOPLE_COLUMNS:
        raise BadArchive(f"{PEOPLE}: the columns are not those of this version.")
    try:
        return {row[0]: _login(*row[1:]).pk for row in archive.rows(PEOPLE)}
    except (DatabaseError, TypeError, ValidationError, ValueError) as error:
        raise BadArchive(f"{PEOPLE}: the database refuses a row: {error}") from error


def _login(uuid: str, email: str, name: str, is_active: bool) -> User:
    known = User.objects.filter(email__iexact=email).first()
    if known is not None:
        return known
    validate_email(email)
    taken = User.objects.filter(uuid=uuid).exists()
    given: dict[str, Any] = {} if taken else {"uuid": uuid}
    return User.objects.create_user(email, name=name, is_active=is_active, **given)


def _load(
    archive: Archive, name: str, model: type[models.Model], numbers: Numbers, slug: str
) -> None:
    """Write the rows of a table, and note which id each of them has got here."""
    columns = archive.parts[name].columns
    if list(columns) != columns_of(model):
        raise BadArchive(f"{name}: the columns are not those of this version.")
    told = (dict(zip(columns, row, strict=True)) for row in archive.rows(name))
    if name == "clubs.club":
        # Its address was one of the other server.
        told = (row | {"slug": slug, "address": ""} for row in told)
    gone = _gone(archive, model) if name == MEMBER else []
    given: list[Any] = []
    own = renumber(model, numbers, own=False)
    rows = _without_id(name, merged(told, gone, key=_id), given) if is_numbered(model) else told
    as_is = name == MERGE
    ready = (own([*(row if as_is else rewritten(name, row, numbers)).values()]) for row in rows)
    made = rows_load(name, model, columns, ready)
    here = [one.pk for one in made]
    numbers[name] = dict(zip(given, here, strict=True)) if given else {}
    if name == MERGE:
        _merges_rewrite(archive, model, numbers)
    if gone:
        model._default_manager.filter(pk__in=[numbers[name][one["id"]] for one in gone]).delete()


def _merges_rewrite(archive: Archive, model: type[models.Model], numbers: Numbers) -> None:
    """Give merges the ids of what they moved: other merges may be among that."""
    columns = archive.parts[MERGE].columns
    for row in archive.rows(MERGE):
        told = rewritten(MERGE, dict(zip(columns, row, strict=True)), numbers)
        merge = model._default_manager.filter(pk=numbers[MERGE][told["id"]])
        merge.update(guest=told["guest"], handed_over=told["handed_over"])


def _without_id(name: str, rows: Iterable[Json], given: list[Any]) -> Iterator[Json]:
    """The rows with no id yet; the number that each had in the archive goes to `given`."""
    for row in rows:
        if not isinstance(row["id"], int) or row["id"] in given[-1:]:
            raise BadArchive(f"{name}: {row['id']!r} is no number of a row.")
        given.append(row["id"])
        yield row | {"id": None}


def _id(row: Json) -> int:
    return row["id"] if isinstance(row["id"], int) else 0


def _gone(archive: Archive, model: type[models.Model]) -> list[Json]:
    """Rows for people whom only old lines name: they get an id that nobody else will have."""
    numbers = archive.about.get("gone")
    if not isinstance(numbers, list) or not all(isinstance(one, int) for one in numbers):
        raise BadArchive("The archive does not tell who is gone.")
    usual = {field.attname: field.get_default() for field in model._meta.concrete_fields}
    blank = {"club_id": 1, "name": "-", "name_key": "-", "sort_name": "-"}
    return [usual | blank | {"id": number, "uuid": str(uuid4())} for number in sorted(set(numbers))]
