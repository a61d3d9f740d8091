"""Reading a club from an archive, which may be forged."""

import re
from array import array
from base64 import b64decode, b64encode
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from heapq import merge as merged
from typing import Final
from uuid import uuid4

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import DatabaseError, models, transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

from clubs.archives.checks import LARGEST, RowChecks, shown
from clubs.archives.container import (
    Archive,
    ArchivedRow,
    BadArchive,
    Report,
    Unsound,
    unreported,
)
from clubs.archives.rows import models_at, newest, rows_load
from clubs.audit.services import Actor, event_append, seal_anew
from clubs.audit.trail import uuids
from clubs.files.pictures import photo_read, picture_read
from clubs.models import AuditEvent, Club, Role, User
from clubs.models.club import SLUG
from clubs.namesakes.services import namesakes_follow
from clubs.text.errors import DomainError
from clubs.text.names import name_key, sort_key, tidy_name
from scoring.audit.verify import carriers_of, faults
from scoring.models import Deal, DealClaim, DealConfirmation, DealEntry, Scoresheet
from tournaments.models import Evening
from tournaments.standings.summaries import summary_store
from tournaments.transfer.columns import COLUMNS
from tournaments.transfer.out import (
    MEMBER,
    MERGE,
    OF_A_CLUB,
    PEOPLE,
    PEOPLE_FIELDS,
    Numbers,
    is_numbered,
    renumber,
    rewritten,
)

CLUB, LOGO, PHOTO = "clubs.club", "clubs.clublogo", "tournaments.eveningphoto"
READ: Final = 0.3
"""The part of the work that is done once everything is read; the rest is `verify`."""
NO_PRACTICE = {"practice_of": None, "practice_until": None}


class NewIds(Mapping[int, int]):
    """The ids that rows get here, by those in the archive, which rise: 16 bytes for each."""

    def __init__(self) -> None:
        self.old, self.new = array("q"), array("q")

    def __getitem__(self, old_id: int) -> int:
        place = bisect_left(self.old, old_id)
        if place == len(self.old) or self.old[place] != old_id:
            raise KeyError(old_id)
        return self.new[place]

    def __iter__(self) -> Iterator[int]:
        return iter(self.old)

    def __len__(self) -> int:
        return len(self.old)


class Differs(BadArchive):
    """`verify` finds `faults` in what was read."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__(
            _("`verify` finds %(count)s differences: see --despite-differences.")
            % {"count": len(faults)}
        )
        self.faults = faults


@transaction.atomic
def club_read(
    archive: Archive,
    *,
    slug: str = "",
    despite_differences: bool = False,
    is_verified: bool = False,
    sealed: bool = False,
    report: Report = unreported,
) -> Club:
    """Make the club of an archive, under the web name `slug` if given: all or nothing. `report`
    says how far it is, with `verify`, but for what `is_verified` already.
    Trails must be `sealed` with this server's key if that is asked.

    People are matched with logins by UUID or e-mail address; others get a login without a password.
    Raises BadArchive if the archive cannot be read, the club is here already, or its web name is
    taken, and `Differs` if not everything is as it was written.
    """
    _require_whole(archive)
    slug = _free_slug(archive, slug)
    checks = RowChecks(COLUMNS)
    numbers: Numbers = {PEOPLE: _people(archive, checks)}
    tables = models_at(newest())
    share = 1.0 if is_verified else READ
    for name in OF_A_CLUB:
        rows = _rows(archive, name, checks, slug)
        if not checks.faults:
            _load(archive, rows, tables[name], numbers)
        deque(rows, maxlen=0)
        if not checks.faults:
            _finish(archive, tables[name], numbers)
        report(share * sum(map(len, numbers.values())) / max(1, archive.rows_in_all))
    checks.require_sound()
    club = Club.objects.get(slug=slug)
    require_own(club, numbers)
    namesakes_follow(club)
    for evening in Evening.objects.filter(club=club, state=Evening.State.CLOSED):
        summary_store(evening.pk)
    _team_follow(club, archive, numbers[PEOPLE])
    differing = [] if is_verified else _differing(club, sealed, report)
    if differing and not despite_differences:
        raise Differs(differing)
    seal_anew(carriers_of(club))
    return club


def _differing(club: Club, sealed: bool, report: Report) -> list[str]:
    return [*faults(club, sealed=sealed, report=lambda done: report(READ + (1 - READ) * done))]


def _team_follow(club: Club, archive: Archive, people: Mapping[int, int]) -> None:
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


def _require_whole(archive: Archive) -> None:
    if missing := {PEOPLE, *OF_A_CLUB} ^ archive.parts.keys():
        raise BadArchive(
            _("There is too little in it, or too much: %(tables)s.")
            % {"tables": ", ".join(sorted(missing))}
        )


def _free_slug(archive: Archive, slug: str) -> str:
    club = archive.about.get("club")
    try:
        here = Club.objects.filter(uuid=club["uuid"]).first()  # type: ignore[index]
    except (KeyError, TypeError, ValidationError) as error:
        raise BadArchive(_("The archive does not tell whose it is.")) from error
    if here is not None:
        raise BadArchive(_("This club is here already, as '%(slug)s'.") % {"slug": here.slug})
    slug = slug or str(club.get("slug"))  # type: ignore[union-attr]
    if len(slug) > 50 or not re.search(SLUG.regex, slug):
        raise BadArchive(
            _("'%(slug)s' is not a web name: use small letters, digits and single dashes.")
            % {"slug": slug}
        )
    if Club.objects.filter(slug=slug).exists():
        raise BadArchive(
            _("There is another club '%(slug)s': choose another web name with --as.")
            % {"slug": slug}
        )
    return slug


def _people(archive: Archive, checks: RowChecks) -> dict[int, int]:
    """The id of the login here, of everybody in the archive."""
    rows = checks.sound(User, archive.rows(PEOPLE), fields=PEOPLE_FIELDS)
    try:
        return {row["pk"]: _login(**row["fields"]).pk for row in rows}
    except (DatabaseError, TypeError, ValueError) as error:
        raise Unsound(f"{PEOPLE}: the database refuses a row: {error}") from error


def _login(uuid: str, email: str, name: str, is_active: bool) -> User:
    """Whoever has this UUID here, perhaps with another address by now, else this address."""
    known = (
        User.objects.filter(uuid=uuid).first() or User.objects.filter(email__iexact=email).first()
    )
    return known or User.objects.create_user(email, name=name, is_active=is_active, uuid=uuid)


def _rows(archive: Archive, name: str, checks: RowChecks, slug: str) -> Iterator[ArchivedRow]:
    """The rows of a table as they come here: those that make sense, with what follows from other
    columns worked out anew."""
    rows = checks.sound(apps.get_model(name), archive.rows(name))
    if name == CLUB:
        # Its address was one of the other server, and so was who suspended it.
        elsewhere = {"address": "", "phone_address": "", "suspended_at": None, "goes_on": None}
        return (_with(row, slug=slug, **elsewhere, **NO_PRACTICE) for row in rows)
    if name == LOGO:
        return map(_redrawn, rows)
    if name == PHOTO:
        return map(_photo_redrawn, rows)
    return map(_named, rows) if name == MEMBER else rows


def _load(
    archive: Archive, rows: Iterator[ArchivedRow], model: type[models.Model], numbers: Numbers
) -> None:
    """Write the rows of a table, and record their new ids in `numbers`."""
    name = model._meta.label_lower
    gone = _gone(archive, model) if name == MEMBER else []
    old_ids = NewIds()
    if is_numbered(model):
        rows = _without_id(merged(rows, gone, key=_id), old_ids)
    if name != MERGE:
        rows = (rewritten(row, numbers) for row in rows)
    renumbered = map(renumber(model, numbers, own=False), rows)
    for made in rows_load(model, renumbered, size=archive.bytes_read):
        if is_numbered(model):
            old_ids.new.append(made.pk)
    numbers[name] = old_ids


def _finish(archive: Archive, model: type[models.Model], numbers: Numbers) -> None:
    """What can be done when all rows of a table are there."""
    name = model._meta.label_lower
    if name == MERGE:
        _merges_rewrite(archive, model, numbers)
    if name == MEMBER:
        gone = [numbers[name][row["pk"]] for row in _gone(archive, model)]
        model._default_manager.filter(pk__in=gone).delete()


def _with(row: ArchivedRow, **fields: object) -> ArchivedRow:
    return {**row, "fields": row["fields"] | fields}


def _redrawn(row: ArchivedRow) -> ArchivedRow:
    """A logo drawn anew, as one that is uploaded: its bytes can be anything. Raises Unsound."""
    try:
        picture = picture_read(b64decode(row["fields"]["png"], validate=True))
    except (DomainError, KeyError, TypeError, ValueError) as error:
        raise Unsound(f"{LOGO}: this is no picture that a logo can be: {error}") from error
    png = b64encode(picture.png).decode()
    return _with(row, png=png, width=picture.width, height=picture.height)


def _photo_redrawn(row: ArchivedRow) -> ArchivedRow:
    """The same for a photo."""
    try:
        photo = photo_read(b64decode(row["fields"]["jpeg"], validate=True))
    except (DomainError, KeyError, TypeError, ValueError) as error:
        raise Unsound(f"{PHOTO}: this is no photo: {error}") from error
    jpeg = b64encode(photo.jpeg).decode()
    return _with(row, jpeg=jpeg, width=photo.width, height=photo.height)


def _named(row: ArchivedRow) -> ArchivedRow:
    """A member under their name as it is stored, and what is sorted and searched by."""
    name = tidy_name(row["fields"]["name"])
    keys = {"name_key": name_key(name)[:200], "sort_name": sort_key(name)[:200]}
    return _with(row, name=name, **keys)


def _merges_rewrite(archive: Archive, model: type[models.Model], numbers: Numbers) -> None:
    """Renumber what merges moved, once all merges have their ids: other merges may be among it."""
    for row in archive.rows(MERGE):
        fields = rewritten(row, numbers)["fields"]
        merge = model._default_manager.filter(pk=numbers[MERGE][row["pk"]])
        merge.update(guest=fields["guest"], handed_over=fields["handed_over"])


def _without_id(rows: Iterable[ArchivedRow], ids: NewIds) -> Iterator[ArchivedRow]:
    """The rows without their numbers in the archive, which go to `ids` and must rise."""
    last = 0
    for row in rows:
        number = row["pk"]
        if type(number) is not int or not last < number <= LARGEST:
            raise Unsound(f"{row['model']}: {shown(number)} is no number of a row.")
        ids.old.append(number)
        last = number
        yield {**row, "pk": None}


def _id(row: ArchivedRow) -> int:
    return row["pk"] if type(row["pk"]) is int else 0


def _gone(archive: Archive, model: type[models.Model]) -> list[ArchivedRow]:
    """Placeholder rows for erased people whom only old lines name, to reserve an id for them."""
    numbers = archive.about.get("gone")
    if not isinstance(numbers, list) or not all(type(number) is int for number in numbers):
        raise Unsound("The archive does not tell who is gone.")
    fields = {
        field.name: field.get_default()
        for field in model._meta.concrete_fields
        if not field.primary_key
    } | {"club": 1, "name": "-", "name_key": "-", "sort_name": "-"}
    return [
        {"model": MEMBER, "pk": number, "fields": fields | {"uuid": str(uuid4())}}
        for number in sorted(set(numbers))
    ]


def require_own(club: Club, numbers: Numbers) -> None:
    """Raises Unsound if a deal, a claim, a confirmation or the trail of this new club refers to
    an entry or a chain of another club, or a deal is of others than its sheet. All other ids are
    numbered within the file."""
    if _points_elsewhere(club, numbers):
        raise Unsound("scoring.dealentry: something points at an entry of another deal.")
    if _is_of_others(club):
        raise Unsound("scoring.scoresheet: its deals are of more people, or of fewer.")
    if _trail_is_foreign(club):
        raise Unsound("clubs.auditevent: there is something in the trail of another club.")


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


def _is_of_others(club: Club) -> bool:
    """Whether a deal of three is on a sheet of four, or the other way round."""
    return any(
        model._default_manager.filter(deal__sheet__club=club, written__isnull=False)
        .exclude(deal__sheet__three_handed=True, written__has_key="seats")
        .exclude(~Q(written__has_key="seats"), deal__sheet__three_handed=False)
        .exists()
        for model in (DealEntry, DealClaim)
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
