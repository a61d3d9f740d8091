"""Reading a club from an archive, and checking that a forged one does not refer to other clubs."""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from heapq import merge as merged
from typing import Any
from uuid import uuid4

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import DatabaseError, models, transaction
from django.db.models import F

from clubs.archives.container import Archive, ArchivedRow, BadArchive
from clubs.archives.rows import models_at, newest, rows_load
from clubs.archives.whole import migrations_of
from clubs.audit.seals import seal_anew
from clubs.audit.services import Actor, event_append
from clubs.audit.trail import uuids
from clubs.files.pictures import picture_read
from clubs.models import AuditEvent, Club, Role, User
from clubs.models.club import SLUG
from clubs.text.errors import DomainError
from scoring.audit.verify import carriers_of, faults
from scoring.models import Deal, DealClaim, DealConfirmation, DealEntry, Scoresheet
from tournaments.models import Evening
from tournaments.standings.summaries import summary_store
from tournaments.transfer.out import (
    MEMBER,
    MERGE,
    OF_A_CLUB,
    PEOPLE,
    Numbers,
    is_numbered,
    renumber,
    rewritten,
)

LOGO = "clubs.clublogo"


def require_own(club: Club, numbers: Numbers) -> None:
    """Raises BadArchive if a deal, a claim, a confirmation or the trail of this new club refers to
    an entry or a chain of another club. All other ids are numbered within the file."""
    if _points_elsewhere(club, numbers):
        raise BadArchive("scoring.dealentry: something points at an entry of another deal.")
    if _trail_is_foreign(club):
        raise BadArchive("clubs.auditevent: there is something in the trail of another club.")


def _points_elsewhere(club: Club, numbers: Numbers) -> bool:
    deals = Deal.objects.filter(sheet__club=club, current__isnull=False)
    entries = DealEntry.objects.filter(deal__sheet__club=club, replaces__isnull=False)
    claims = DealClaim.objects.filter(deal__sheet__club=club, against__isnull=False)
    confirmed = DealConfirmation.objects.filter(entry__deal__sheet__club=club)
    return (
        deals.exclude(current__deal=F("pk")).exists()
        or entries.exclude(replaces__deal=F("deal")).exists()
        or claims.exclude(against__deal=F("deal")).exists()
        or confirmed.count() != len(numbers["scoring.dealconfirmation"])
    )


def _trail_is_foreign(club: Club) -> bool:
    events = AuditEvent.objects.filter(club=club).order_by()
    chains = set(events.values_list("chain", flat=True).distinct())
    carriers = {
        f"{model.chain_kind}:{uuid}"
        for model, own in ((Club, {"pk": club.pk}), (Scoresheet, {"club": club}))
        for uuid in model._default_manager.filter(uuid__in=uuids(chains, model.chain_kind))
        .exclude(**own)
        .values_list("uuid", flat=True)
    }
    others = AuditEvent.objects.filter(chain__in=events.values("chain")).exclude(club=club)
    return bool(carriers) or others.exists()


class Differs(BadArchive):
    """`verify` finds `faults` in what was read."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__(f"`verify` finds {len(faults)} differences: see --despite-differences.")
        self.faults = faults


@transaction.atomic
def club_read(archive: Archive, *, slug: str = "", despite_differences: bool = False) -> Club:
    """Make the club of an archive, under the web name `slug` if given: all or nothing.

    People are matched with logins by e-mail address; others get a login without a password. Raises
    BadArchive if the archive cannot be read, the club is here already, or its web name is taken,
    and `Differs` if not everything is as it was written.
    """
    _require_known(archive)
    slug = _free_slug(archive, slug)
    numbers: Numbers = {PEOPLE: _people(archive)}
    tables = models_at(newest())
    for name in OF_A_CLUB:
        _load(archive, name, tables[name], numbers, slug)
    club = Club.objects.get(slug=slug)
    require_own(club, numbers)
    for evening in Evening.objects.filter(club=club, state=Evening.State.CLOSED):
        summary_store(evening.pk)
    _team_follow(club, archive, numbers[PEOPLE])
    differing = list(faults(club, sealed=False))
    if differing and not despite_differences:
        raise Differs(differing)
    seal_anew(carriers_of(club))
    return club


def _team_follow(club: Club, archive: Archive, people: dict[int, int]) -> None:
    """Say in the trail who the team is, where somebody had a login here under another UUID."""
    team = {role.user_id: (str(role.user.uuid), role.kind) for role in _roles(club)}
    was = {people[row["pk"]]: row["fields"]["uuid"] for row in archive.rows(PEOPLE)}
    if all(was[user_id] == uuid for user_id, (uuid, _kind) in team.items()):
        return
    event_append(
        chain=Club.objects.get(pk=club.pk),
        club=club,
        actor=Actor.of_program("import_club"),
        action="team_moved",
        object_ref=f"club:{club.uuid}",
        data={"team": dict(team.values())},
    )


def _roles(club: Club) -> Iterable[Role]:
    return club.roles.select_related("user").order_by("pk")


def _require_known(archive: Archive) -> None:
    models_at(migrations_of(archive))
    if migrations_of(archive) != newest():
        raise BadArchive("An older Klaverclub made it: update that server and export again.")
    if missing := {PEOPLE, *OF_A_CLUB} ^ archive.parts.keys():
        raise BadArchive(f"There is too little in it, or too much: {', '.join(sorted(missing))}.")


def _free_slug(archive: Archive, slug: str) -> str:
    club = archive.about.get("club")
    try:
        here = Club.objects.filter(uuid=club["uuid"]).first()  # type: ignore[index]
    except (KeyError, TypeError, ValidationError) as error:
        raise BadArchive("The archive does not tell whose it is.") from error
    if here is not None:
        raise BadArchive(f"This club is here already, as '{here.slug}'.")
    slug = slug or str(club.get("slug"))  # type: ignore[union-attr]
    if len(slug) > 50 or not re.search(SLUG.regex, slug):
        raise BadArchive(f"'{slug}' is no web name: use small letters, digits and single dashes.")
    if Club.objects.filter(slug=slug).exists():
        raise BadArchive(f"There is another club '{slug}': choose another web name with --as.")
    return slug


def _people(archive: Archive) -> dict[int, int]:
    """The id of the login here, of everybody in the archive."""
    try:
        return {row["pk"]: _login(**row["fields"]).pk for row in archive.rows(PEOPLE)}
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
    """Write the rows of a table, and record their new ids in `numbers`."""
    rows: Iterable[ArchivedRow] = archive.rows(name)
    if name == "clubs.club":
        # Its address was one of the other server.
        rows = (_with(row, slug=slug, address="") for row in rows)
    if name == LOGO:
        rows = map(_redrawn, rows)
    gone = _gone(archive, model) if name == MEMBER else []
    old_ids: list[Any] = []
    if is_numbered(model):
        rows = _without_id(merged(rows, gone, key=_id), old_ids)
    if name != MERGE:
        rows = (rewritten(row, numbers) for row in rows)
    new_ids = [made.pk for made in rows_load(model, map(renumber(model, numbers, own=False), rows))]
    numbers[name] = dict(zip(old_ids, new_ids, strict=True)) if old_ids else {}
    if name == MERGE:
        _merges_rewrite(archive, model, numbers)
    if gone:
        model._default_manager.filter(pk__in=[numbers[name][row["pk"]] for row in gone]).delete()


def _with(row: ArchivedRow, **fields: object) -> ArchivedRow:
    return {**row, "fields": row["fields"] | fields}


def _redrawn(row: ArchivedRow) -> ArchivedRow:
    """A logo drawn anew, as one that is uploaded: its bytes can be anything. Raises BadArchive."""
    try:
        picture = picture_read(b64decode(row["fields"]["png"], validate=True))
    except (DomainError, KeyError, TypeError, ValueError) as error:
        raise BadArchive(f"{LOGO}: this is no picture that a logo can be: {error}") from error
    png = b64encode(picture.png).decode()
    return _with(row, png=png, width=picture.width, height=picture.height)


def _merges_rewrite(archive: Archive, model: type[models.Model], numbers: Numbers) -> None:
    """Renumber what merges moved, once all merges have their ids: other merges may be among it."""
    for row in archive.rows(MERGE):
        fields = rewritten(row, numbers)["fields"]
        merge = model._default_manager.filter(pk=numbers[MERGE][row["pk"]])
        merge.update(guest=fields["guest"], handed_over=fields["handed_over"])


def _without_id(rows: Iterable[ArchivedRow], old_ids: list[Any]) -> Iterator[ArchivedRow]:
    """The rows without their numbers in the archive, which go to `old_ids`."""
    for row in rows:
        if not isinstance(row["pk"], int) or row["pk"] in old_ids[-1:]:
            raise BadArchive(f"{row['model']}: {row['pk']!r} is no number of a row.")
        old_ids.append(row["pk"])
        yield {**row, "pk": None}


def _id(row: ArchivedRow) -> int:
    return row["pk"] if isinstance(row["pk"], int) else 0


def _gone(archive: Archive, model: type[models.Model]) -> list[ArchivedRow]:
    """Placeholder rows for erased people whom only old lines name, to reserve an id for them."""
    numbers = archive.about.get("gone")
    if not isinstance(numbers, list) or not all(isinstance(number, int) for number in numbers):
        raise BadArchive("The archive does not tell who is gone.")
    fields = {
        field.name: field.get_default()
        for field in model._meta.concrete_fields
        if not field.primary_key
    } | {"club": 1, "name": "-", "name_key": "-", "sort_name": "-"}
    return [
        {"model": MEMBER, "pk": number, "fields": fields | {"uuid": str(uuid4())}}
        for number in sorted(set(numbers))
    ]
