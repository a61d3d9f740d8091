"""A club's list of members, read from a file."""

from dataclasses import dataclass, field
from typing import TypedDict

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.files import Fault, FileFaults, Row, Source, read_rows
from clubs.models import Club, Member
from clubs.names import name_key, tidy_name
from clubs.services.clubs import club_lock
from clubs.services.members import member_change, member_create

COLUMNS = {
    "number": ("number", "nummer", "nr", "lidnummer"),
    "name": ("name", "naam"),
    "email": ("email", "e-mail", "e-mailadres", "emailadres"),
    "phone": ("phone", "telefoon", "telefoonnummer"),
}


@dataclass(frozen=True, slots=True)
class MembersImported:
    """How many people of the file were new, different and the same."""

    added: int
    changed: int
    unchanged: int


class _Details(TypedDict):
    number: int | None
    name: str
    email: str
    phone: str


@transaction.atomic
def members_import(*, club: Club, source: Source, actor: Actor) -> MembersImported:
    """Add and change the people in a file with columns number, name, email and phone.

    A number says who somebody is, else the name does, without regard to case and spaces. Empty
    cells change nothing, a guest in the list becomes a member, and the same file again changes
    nothing. Raises FileFaults with everything that is wrong; then nothing is written.
    """
    plan = _Plan(club_lock(club.pk))
    rows = read_rows(source, columns=COLUMNS, required=["name"])
    for row in rows:
        plan.take(row)
    if plan.faults:
        raise FileFaults(plan.faults)
    for details in plan.new:
        member_create(club=club, actor=actor, **details)
    for member, details in plan.different:
        member_change(
            member=member,
            seen_version=member.version,
            actor=actor,
            kind=Member.Kind.MEMBER,
            public_as=member.public_as,
            public_name=member.public_name,
            keeps_table=member.keeps_table,
            **details,
        )
    unchanged = len(rows) - len(plan.new) - len(plan.different)
    return MembersImported(len(plan.new), len(plan.different), unchanged)


@dataclass
class _Plan:
    """What the lines read so far will do, and everything that is wrong with them."""

    club: Club
    new: list[_Details] = field(default_factory=list)
    different: list[tuple[Member, _Details]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._by_number: dict[int, Member] = {}
        self._by_name: dict[str, list[Member]] = {}
        self._lines: dict[int, int] = {}
        for member in Member.objects.of(self.club).filter(erased_at=None):
            self._index(member)

    def take(self, row: Row) -> None:
        wanted = _details(row, self.faults)
        found = self._find(wanted)
        if len(found) > 1:
            message = _("more than one person has this name; add the number")
            self.faults.append(row.fault("name", message))
        elif found and id(found[0]) in self._lines:
            message = _("line %(line)s is about the same person")
            self.faults.append(row.fault(None, message % {"line": self._lines[id(found[0])]}))
        elif found:
            self._take_known(row, found[0], wanted)
        elif wanted["name"]:
            self.new.append(wanted)
            self._note(row, Member(**wanted))
        else:
            self.faults.append(row.fault("name", _("fill in a name")))

    def _find(self, wanted: _Details) -> list[Member]:
        """Who has this number, else who has this name and no other number."""
        number = wanted["number"]
        if number in self._by_number:
            return [self._by_number[number]]
        named = self._by_name.get(name_key(wanted["name"]), [])
        return [person for person in named if number is None or person.number is None]

    def _take_known(self, row: Row, member: Member, wanted: _Details) -> None:
        details = _Details(
            number=wanted["number"] or member.number,
            name=wanted["name"] or member.name,
            email=wanted["email"] or member.email,
            phone=wanted["phone"] or member.phone,
        )
        stored = _Details(
            number=member.number, name=member.name, email=member.email, phone=member.phone
        )
        if details != stored or member.kind != Member.Kind.MEMBER:
            self.different.append((member, details))
        member.number, member.name = details["number"], details["name"]
        self._note(row, member)

    def _note(self, row: Row, member: Member) -> None:
        """Remember which line is about whom, so that a later line cannot be about him too."""
        self._lines[id(member)] = row.line
        self._index(member)

    def _index(self, member: Member) -> None:
        if member.number is not None:
            self._by_number[member.number] = member
        named = self._by_name.setdefault(name_key(member.name), [])
        if all(person is not member for person in named):
            named.append(member)


def _details(row: Row, faults: list[Fault]) -> _Details:
    """What a line says of somebody; adds to `faults` each cell that cannot be."""
    details = _Details(
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
