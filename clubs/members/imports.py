"""What the imports of files share, people by number or name and uploads that wait for a yes; and
the command's import of members: columns of fixed names, all or nothing."""

import datetime as dt
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import IO, Any, Protocol, TypedDict
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.files.reading import FileFault, FileFaults, FileRow, Source, read_rows
from clubs.members.services import member_change, member_create
from clubs.models import Club, Member, MemberMerge, Upload
from clubs.namesakes.services import namesakes_at_the_end
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError, VersionConflict
from clubs.text.names import name_key, tidy_name

Person = int | str
"""The id of somebody of the club, or the name of somebody new."""

LONGEST_NAME = 100


class People:
    """Everybody of one club, read once, and the new names in a file."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self._members = Member.objects.of(club).in_bulk()
        self._by_number: dict[str, int] = {}
        self._by_name: dict[str, list[int]] = {}
        self._new: dict[str, str] = {}
        self._merges = MemberMerge.objects.filter(club=club, undone_at=None)
        for member in self._members.values():
            if member.number is not None:
                self._by_number[str(member.number)] = member.pk
            self._by_name.setdefault(name_key(member.name), []).append(member.pk)

    def find(self, text: str) -> Person:
        """The person with this number or name, ignoring case and spaces. A name that nobody has may
        be the former name of a merged guest.

        Somebody new is returned as their name, always in the spelling that came first.
        Raises LookupError with a sentence when there is no name, it is too long, several people
        have it, or nobody has the number.
        """
        name = tidy_name(text)
        if not name:
            raise LookupError(_("the player is missing"))
        is_number = name.isascii() and name.isdecimal()
        if is_number and (member_id := self._by_number.get(name.lstrip("0"))):
            return member_id
        named = self._by_name.get(name_key(name)) or self._formerly_called(name_key(name))
        if len(named) > 1:
            message = _("more than one person is called '%(name)s': give the number")
            raise LookupError(message % {"name": name})
        if named:
            return named[0]
        if is_number:
            raise LookupError(_("nobody has number %(number)s") % {"number": name[:40]})
        if len(name) > LONGEST_NAME:
            raise LookupError(_("a name has at most %(n)s characters") % {"n": LONGEST_NAME})
        return self._new.setdefault(name_key(name), name)

    def _formerly_called(self, key: str) -> list[int]:
        """The members who had this name as a guest."""
        return self._members_by_old_name.get(key, [])

    @cached_property
    def _members_by_old_name(self) -> dict[str, list[int]]:
        by_name: dict[str, list[int]] = {}
        for name, member_id in self._merges.values_list("guest__name", "member_id"):
            by_name.setdefault(name_key(name), []).append(member_id)
        return {key: list(dict.fromkeys(ids)) for key, ids in by_name.items()}

    def called(self, person: Person) -> str:
        """A text for which `find` returns this person: the name, or else the number."""
        if isinstance(person, str):
            return person
        member = self._members[person]
        shared = len(self._by_name[name_key(member.name)]) > 1
        needs_number = shared or (member.name.isascii() and member.name.isdecimal())
        return str(member.number) if needs_number and member.number else member.name


KEPT_FOR = dt.timedelta(days=1)
MOST_WAITING = 20
"""Limit per club: files are large, and honest use needs one."""


class Plan(Protocol):
    """What importing a file would do; plans that do the same have the same fingerprint."""

    @property
    def fingerprint(self) -> str: ...


@transaction.atomic
def upload_keep(
    *,
    club: Club,
    actor: Actor,
    kind: Upload.Kind,
    file: IO[bytes],
    name: str,
    details: Mapping[str, Any],
) -> Upload:
    """Store a file for its preview. Unconfirmed files are deleted after a day, and earlier when a
    club has too many."""
    uploads_sweep()
    waiting = Upload.objects.filter(done_at=None)
    newest_first = (
        waiting.filter(club=club).order_by("-made_at", "-pk").values_list("pk", flat=True)
    )
    waiting.filter(pk__in=list(newest_first[MOST_WAITING - 1 :])).delete()
    return Upload.objects.create(
        club=club,
        user=actor.user,
        kind=kind,
        name=name[-100:],
        content=file.read(),
        details=dict(details),
    )


def uploads_sweep() -> None:
    """Delete the files that nobody confirmed within a day; while there are none, it only reads."""
    old = Upload.objects.filter(done_at=None, made_at__lt=timezone.now() - KEPT_FOR)
    if old.exists():
        old.delete()


def upload_waiting(*, club: Club, kind: Upload.Kind, uuid: UUID | str) -> Upload | None:
    """The club's unconfirmed file with this UUID, or None."""
    waiting = Upload.objects.filter(club=club, kind=kind, done_at=None)
    return waiting.filter(made_at__gte=timezone.now() - KEPT_FOR, uuid=uuid).first()


def upload_done(*, upload: Upload, outcome: Mapping[str, Any]) -> None:
    """Store the outcome of an import and drop the file, with what was mended of it; inside the
    transaction of the import.

    Raises DomainError `upload_gone` where it was imported or removed already.
    """
    waiting = Upload.objects.filter(pk=upload.pk, done_at=None)
    done = {"done_at": timezone.now(), "content": b"", "details": {}, "outcome": dict(outcome)}
    if not waiting.update(**done):
        raise DomainError("upload_gone", _("This file has been imported already."))


def require_as_seen(plan: Plan, seen: str) -> None:
    """Raises VersionConflict `import_changed` (current: the plan) where the plan differs from the
    one with the fingerprint `seen`."""
    if plan.fingerprint != seen:
        message = _("The club has changed since. Check the preview again.")
        raise VersionConflict("import_changed", message, current=plan)


def upload_source(upload: Upload) -> IO[bytes]:
    """What is in the file."""
    return io.BytesIO(bytes(upload.content))


COLUMNS = {
    "number": ("number", "nummer", "nr", "lidnummer"),
    "name": ("name", "naam"),
    "email": ("email", "e-mail", "e-mailadres", "emailadres"),
    "phone": ("phone", "telefoon", "telefoonnummer"),
}


class Details(TypedDict):
    number: int | None
    name: str
    email: str
    phone: str


def members_plan(*, club: Club, source: Source) -> "MembersPlan":
    """What importing a list would do. Raises FileFaults with everything that is wrong in it."""
    plan = MembersPlan(club)
    for row in read_rows(source, columns=COLUMNS, required=["name"]):
        plan.take(row)
    if plan.faults:
        raise FileFaults(plan.faults)
    return plan


@dataclass
class MembersPlan:
    """What the lines read so far will do, and everything that is wrong with them."""

    club: Club
    new: list[Details] = field(default_factory=list)
    different: list[tuple[Member, Details]] = field(default_factory=list)
    unchanged: int = 0
    faults: list[FileFault] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._by_number: dict[int, Member] = {}
        self._by_name: dict[str, list[Member]] = {}
        self._lines: dict[int, int] = {}
        members = list(Member.objects.of(self.club).filter(erased_at=None).by_surname())
        for member in members:
            self._index(member)

    def take(self, row: FileRow) -> None:
        wanted = _details(row, self.faults)
        candidates = self._find(wanted)
        if len(candidates) > 1:
            message = _("more than one person has this name; add the number")
            self.faults.append(row.fault("name", message))
        elif candidates and id(candidates[0]) in self._lines:
            message = _("line %(line)s is about the same person")
            self.faults.append(row.fault(None, message % {"line": self._lines[id(candidates[0])]}))
        elif candidates:
            self._take_known(row, candidates[0], wanted)
        elif wanted["name"]:
            self.new.append(wanted)
            self._note(row, Member(**wanted))
        else:
            self.faults.append(row.fault("name", _("fill in a name")))

    def _find(self, wanted: Details) -> list[Member]:
        """The people with this number, else those with this name and no other number."""
        number = wanted["number"]
        if number in self._by_number:
            return [self._by_number[number]]
        named = self._by_name.get(name_key(wanted["name"]), [])
        return [person for person in named if number is None or person.number is None]

    def _take_known(self, row: FileRow, member: Member, wanted: Details) -> None:
        details = Details(
            number=wanted["number"] or member.number,
            name=wanted["name"] or member.name,
            email=wanted["email"] or member.email,
            phone=wanted["phone"] or member.phone,
        )
        stored = Details(
            number=member.number, name=member.name, email=member.email, phone=member.phone
        )
        is_guest = member.kind != Member.Kind.MEMBER
        if details != stored or is_guest:
            self.different.append((member, details))
        else:
            self.unchanged += 1
        member.number, member.name = details["number"], details["name"]
        self._note(row, member)

    def _note(self, row: FileRow, member: Member) -> None:
        """Remember the line of this person, so that a second line about them is a fault."""
        self._lines[id(member)] = row.line
        self._index(member)

    def _index(self, member: Member) -> None:
        if member.number is not None:
            self._by_number[member.number] = member
        named = self._by_name.setdefault(name_key(member.name), [])
        if all(person is not member for person in named):
            named.append(member)


def _details(row: FileRow, faults: list[FileFault]) -> Details:
    """The details in a line; adds each invalid cell to `faults`."""
    details = Details(
        number=row.whole_number("number", faults),
        name=tidy_name(row["name"]),
        email=row["email"],
        phone=row["phone"],
    )
    try:
        Member(**details).clean_fields(exclude={"club", "name_key", "sort_name"})
    except ValidationError as error:
        for column, messages in error.message_dict.items():
            if row[column]:
                faults += [row.fault(column, message) for message in messages]
    return details


@dataclass(frozen=True, slots=True)
class MembersImported:
    """How many people of the file were new, different and the same."""

    added: int
    changed: int
    unchanged: int


@transaction.atomic
def members_import(*, club: Club, source: Source, actor: Actor) -> MembersImported:
    """Add and change the people in a file with columns number, name, email and phone.

    A number says who somebody is, else the name does, without regard to case and spaces. Empty
    cells change nothing, a guest in the list becomes a member, and the same file again changes
    nothing.

    Raises FileFaults with everything that is wrong; then nothing is written.
    """
    plan = members_plan(club=club_lock(club.pk), source=source)
    with namesakes_at_the_end(plan.club):
        for details in plan.new:
            member_create(club=club, actor=actor, **details)
        for member, details in plan.different:
            member_change(
                member=member,
                seen_version=member.version,
                actor=actor,
                kind=Member.Kind.MEMBER,
                **details,
            )
    return MembersImported(len(plan.new), len(plan.different), plan.unchanged)
