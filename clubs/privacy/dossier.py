"""Everything stored about a person, for when they ask for it.

Each app registers with `keeps` what it stores. Of other people only public names are included.
"""

import datetime as dt
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
class DossierSection:
    """One kind of stored data. `key` and the keys of `columns` are for programs; `title` and the
    names of the columns for people."""

    key: str
    title: str
    columns: Mapping[str, str]
    rows: Sequence[Sequence[Cell]]

    @property
    def labels(self) -> list[str]:
        return list(self.columns.values())

    @property
    def facts(self) -> list[tuple[str, Cell]]:
        """A single row as names and values, which reads better than a table."""
        return list(zip(self.labels, self.rows[0], strict=True)) if len(self.rows) == 1 else []

    @property
    def first_rows(self) -> Sequence[Sequence[Cell]]:
        """The rows that the page shows."""
        return self.rows[:SHOWN]

    @property
    def more(self) -> int:
        """How many rows the page leaves out."""
        return max(0, len(self.rows) - SHOWN)

    @property
    def lines(self) -> list[dict[str, Cell]]:
        """The rows as a program reads them."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


Keeper = Callable[[Member], Iterable[DossierSection]]

_keepers: list[Keeper] = []


def keeps(keeper: Keeper) -> Keeper:
    """Register a function that adds sections to every dossier."""
    _keepers.append(keeper)
    return keeper


def dossier_of(member: Member) -> list[DossierSection]:
    """Everything stored about somebody, without empty sections."""
    sections = [section for keeper in _keepers for section in keeper(member)]
    return [section for section in sections if section.rows]


@keeps
def details_kept(member: Member) -> Iterator[DossierSection]:
    """The member's details, their login, and the guests merged into them."""
    fields = (
        *("name", "number", "kind", "email", "phone"),
        *("addition", "street", "postcode", "town", "birthday", "member_since"),
        *("public_as", "public_name"),
    )
    columns = {name: _label(name) for name in fields}
    columns |= {"active": _("Active"), "keeps_table": _("Fixed table")}
    values = [_value(member, name) for name in fields]
    values += [_yes_or_no(member.is_active), _yes_or_no(member.keeps_table)]
    yield DossierSection("details", _("Details"), columns, [values])
    yield from _login(member)
    yield from _merges(member)


def _login(member: Member) -> Iterator[DossierSection]:
    login = User.objects.filter(email__iexact=member.email).first() if member.email else None
    role = login.roles.filter(club=member.club).first() if login else None
    if login and role:
        columns = {"email": _("E-mail address"), "name": _("Name"), "task": _("Task")}
        row: tuple[str, ...] = (login.email, login.name, str(role.get_kind_display()))
        if login.email_wanted:
            columns["email_wanted"] = _("New e-mail address")
            row += (login.email_wanted,)
        rows = [row]
        yield DossierSection("login", _("Login"), columns, rows)


def _merges(member: Member) -> Iterator[DossierSection]:
    merges = MemberMerge.objects.filter(member=member, undone_at=None)
    columns = {"guest": _("As guest"), "merged_at": _("Joined on")}
    rows = [(merge.guest["name"], merge.merged_at.date().isoformat()) for merge in merges]
    yield DossierSection("guests", _("Played as a guest"), columns, rows)


def _label(name: str) -> str:
    label = str(Member._meta.get_field(name).verbose_name)  # type: ignore[union-attr]
    return label[:1].upper() + label[1:]


def _value(member: Member, name: str) -> Cell:
    words = getattr(member, f"get_{name}_display", None)
    value = str(words()) if words else getattr(member, name)
    return value.isoformat() if isinstance(value, dt.date) else value


def _yes_or_no(value: bool) -> str:
    return _("yes") if value else _("no")


@transaction.atomic
def dossier_take(*, member: Member, actor: Actor) -> list[DossierSection]:
    """Everything stored about somebody, with an event in the trail that it was exported."""
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
