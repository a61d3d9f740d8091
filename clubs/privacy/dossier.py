"""All that is kept about somebody, to be handed over when they ask for it.

Each app says with `keeps` what it keeps; of other people nothing is told but what the public reads.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.models import Member, MemberMerge, User
from clubs.profile.services import club_lock

Cell = str | int | float | None
SHOWN = 25


@dataclass(frozen=True, slots=True)
class Section:
    """One kind of what is kept. `key` and the keys of `columns` are for programs; `title` and what
    the columns are called for people."""

    key: str
    title: str
    columns: Mapping[str, str]
    rows: Sequence[Sequence[Cell]]

    @property
    def labels(self) -> list[str]:
        return list(self.columns.values())

    @property
    def facts(self) -> list[tuple[str, Cell]]:
        """Of a single row what each column is called and holds; it reads better than a table."""
        return list(zip(self.labels, self.rows[0], strict=True)) if len(self.rows) == 1 else []

    @property
    def first_rows(self) -> Sequence[Sequence[Cell]]:
        """As many as a page shows."""
        return self.rows[:SHOWN]

    @property
    def more(self) -> int:
        """How many rows there are after those."""
        return max(0, len(self.rows) - SHOWN)

    @property
    def lines(self) -> list[dict[str, Cell]]:
        """The rows as a program reads them."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


Keeper = Callable[[Member], Iterable[Section]]

_keepers: list[Keeper] = []


def keeps(keeper: Keeper) -> Keeper:
    """Have a dossier tell of what this function gives."""
    _keepers.append(keeper)
    return keeper


def dossier_of(member: Member) -> list[Section]:
    """Everything that is kept about somebody; kinds of which there is nothing are left out."""
    found = [section for keeper in _keepers for section in keeper(member)]
    return [section for section in found if section.rows]


@keeps
def details_kept(member: Member) -> Iterator[Section]:
    """What the list of members has, their login, and the guests they turned out to be."""
    fields = ("name", "number", "kind", "email", "phone", "public_as", "public_name")
    columns = {name: _label(name) for name in fields}
    columns |= {"active": _("Active"), "keeps_table": _("Fixed table")}
    values = [_value(member, name) for name in fields]
    values += [_yes_or_no(member.is_active), _yes_or_no(member.keeps_table)]
    yield Section("details", _("Details"), columns, [values])
    yield from _login(member)
    yield from _merges(member)


def _login(member: Member) -> Iterator[Section]:
    login = User.objects.filter(email__iexact=member.email).first() if member.email else None
    role = login.roles.filter(club=member.club).first() if login else None
    if login and role:
        columns = {"email": _("E-mail address"), "name": _("Name"), "task": _("Task")}
        rows = [(login.email, login.name, str(role.get_kind_display()))]
        yield Section("login", _("Login"), columns, rows)


def _merges(member: Member) -> Iterator[Section]:
    merges = MemberMerge.objects.filter(member=member, undone_at=None)
    columns = {"guest": _("As guest"), "merged_at": _("Joined on")}
    rows = [(merge.guest["name"], merge.merged_at.date().isoformat()) for merge in merges]
    yield Section("guests", _("Played as a guest"), columns, rows)


def _label(name: str) -> str:
    label = str(Member._meta.get_field(name).verbose_name)  # type: ignore[union-attr]
    return label[:1].upper() + label[1:]


def _value(member: Member, name: str) -> Cell:
    words = getattr(member, f"get_{name}_display", None)
    value: Cell = str(words()) if words else getattr(member, name)
    return value


def _yes_or_no(value: bool) -> str:
    return _("yes") if value else _("no")


# What is kept about somebody, taken out to be handed over.


@transaction.atomic
def dossier_take(*, member: Member, actor: Actor) -> list[Section]:
    """Everything that is kept about somebody, and a note in the trail that it was taken out."""
    club = club_lock(member.club_id)
    event_append(
        chain=club,
        club=club,
        actor=actor,
        action="member_data_taken",
        object_ref=f"member:{member.uuid}",
        texts={"name": member.name},
    )
    return dossier_of(member)
