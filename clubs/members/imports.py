"""The command's import of members: columns of fixed names, all or nothing."""

from dataclasses import dataclass, field
from typing import TypedDict

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.files.reading import FileFault, FileFaults, FileRow, Source, read_rows
from clubs.members.services import member_change, member_create
from clubs.models import Club, Member
from clubs.namesakes.services import namesakes_at_the_end
from clubs.profile.services import club_lock
from clubs.text.names import name_key, tidy_name

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
