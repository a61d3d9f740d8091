"""What somebody fills in to enter, and what may be wrong with it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.text.errors import DomainError
from clubs.text.names import name_key, tidy_name
from tournaments.models import Entry, EntryKind

MOST_IN: Final[Mapping[str, int]] = {"player": 1, "pair": 2, "team": 20}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What somebody fills in to enter: who they are, and how they can be reached."""

    people: Sequence[str]
    name: str = ""
    town: str = ""
    email: str = ""
    phone: str = ""
    remark: str = ""


def checked(wish: Wish, kind: str, *, needs_contact: bool = False) -> Wish:
    """The wish as it is stored. Raises DomainError `bad_entry` with all faults by field."""
    people = [name for text in wish.people if (name := tidy_name(text))]
    tidy = Wish(
        people=people,
        name="" if kind == EntryKind.PLAYER else tidy_name(wish.name),
        town=tidy_name(wish.town),
        email=wish.email.strip(),
        phone=" ".join(wish.phone.split()),
        remark=" ".join(wish.remark.split()),
    )
    faults = _faults(tidy, kind)
    if needs_contact and not (tidy.email or tidy.phone):
        fault = _(
            "Fill in an e-mail address or a telephone number, so that the club can reach you."
        )
        faults.setdefault("email", []).append(fault)
    if faults:
        words = " ".join(message for messages in faults.values() for message in messages)
        raise DomainError("bad_entry", words, faults=faults)
    return tidy


def _faults(wish: Wish, kind: str) -> dict[str, list[str]]:
    faults: dict[str, list[str]] = {}
    if kind == EntryKind.TEAM and not wish.name:
        faults["name"] = [_("Fill in the name of the team.")]
    if kind != EntryKind.TEAM and not wish.people:
        faults["people"] = [_("Fill in a name.")]
    most = MOST_IN[kind]
    if len(wish.people) > most:
        words = ngettext(
            "Fill in one name: everybody enters by themselves.",
            "At most %(n)s people are in it.",
            most,
        )
        if kind == EntryKind.PAIR:
            words = _("A pair is two people. Fill in two names.")
        faults["people"] = [words % {"n": most}]
    if len({name_key(name) for name in wish.people}) < len(wish.people):
        fault = _("The same name twice. Are they two people? Then add something to one of them.")
        faults.setdefault("people", []).append(fault)
    if any(len(name) > 100 for name in wish.people):
        faults.setdefault("people", []).append(_("A name has at most 100 characters."))
    sample = Entry(
        kind=kind,
        number=1,
        **{field: getattr(wish, field) for field in ("name", "town", "email", "phone", "remark")},
    )
    try:
        sample.clean_fields(exclude=["evening", "uuid"])
    except ValidationError as error:
        faults |= {field: list(messages) for field, messages in error.message_dict.items()}
    return faults
