"""What the columns of a list of members can hold, and what a line says of one person."""

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from clubs.lists.core.layout import Field, Layout, Sheet, guess_layout, repeats_headings
from clubs.lists.core.values import (
    address_parts,
    content_of,
    date_of,
    email_of,
    first_day_of,
    is_nothing,
    is_sum,
    phone_of,
    serial_date,
    written_day,
)
from clubs.lists.names import are_surname_first, name_mended, name_of_parts, name_turned
from clubs.models import Member
from clubs.text.names import tidy_name

TURNED: Final = "turned"
"""A column with whole names of which the surname comes first, without a comma."""
FIELDS: Final = (
    Field(
        "number",
        (
            "lidnummer",
            "lidnr",
            "lid nr",
            "clubnummer",
            "spelersnummer",
            "member number",
            "member no",
        ),
        "number",
        whole=("nummer", "nr", "no", "number"),
    ),
    Field("first", ("voornaam", "roepnaam", "voornamen", "first name", "given name")),
    Field("initials", ("voorletters", "voorletter", "initialen", "initials"), whole=("voorl",)),
    Field(
        "prefix",
        ("tussenvoegsel", "tussenvoegsels", "tv", "tussenv", "voorvoegsel", "prefix", "infix"),
        whole=("middle name", "additional name", "tussen"),
    ),
    Field("surname", ("achternaam", "familienaam", "surname", "last name", "family name")),
    Field(
        "name",
        ("naam", "name"),
        "name",
        whole=(
            *(
                "lid",
                "leden",
                "member",
                "speler",
                "player",
                "voornaam achternaam",
                "voor en achternaam",
            ),
            *("naam en voornaam", "first name surname", "first and last name"),
        ),
    ),
    Field(
        TURNED,
        (),
        whole=(
            *("achternaam voornaam", "achternaam voorletters", "naam voornaam", "naam voorletters"),
            *("surname first name", "last name first name"),
        ),
    ),
    Field(
        "email",
        ("email", "e-mail", "mail", "e-mailadres", "emailadres", "mailadres", "e-mail address"),
        "email",
    ),
    Field(
        "phone",
        ("telefoon", "tel", "telefoonnummer", "telnr", "mobiel", "mobile", "phone", "telephone"),
        "phone",
        shared=" / ",
        whole=("mob", "gsm", "06", "vast", "cell", "mobiele nummer"),
    ),
    Field(
        "street",
        ("straat", "adres", "straatnaam", "huisnummer", "huisnr", "street", "house number"),
        shared=" ",
        whole=("toevoeging", "toev", "address", "huis nr", "huisnummertoevoeging", "huisletter"),
    ),
    Field("postcode", ("postcode", "zip code", "postal code"), "postcode", whole=("pc", "zip")),
    Field("town", ("woonplaats", "town", "city"), whole=("plaats", "stad", "dorp", "woonpl")),
    Field(
        "birthday",
        ("geboortedatum", "geb datum", "verjaardag", "birthday", "date of birth", "birth date"),
        whole=("geboren", "gebdatum", "geb dat", "geb", "born"),
    ),
    Field(
        "member_since",
        ("lid sinds", "lid vanaf", "datum lid", "member since"),
        whole=("sinds", "ingangsdatum", "inschrijfdatum", "since", "joined"),
    ),
    Field(
        "until",
        ("lid tot", "afmelddatum", "uitschrijfdatum", "opzegdatum", "member until"),
        whole=("einddatum", "afgemeld", "opgezegd", "opgezegd per", "uitgeschreven", "end date"),
    ),
    Field("addition", ("toevoeging naam", "onderscheid")),
)

LABELS: Final[Mapping[str, str | Promise]] = {
    "number": gettext_lazy("number"),
    "name": gettext_lazy("whole name"),
    TURNED: gettext_lazy("whole name, surname first"),
    "first": gettext_lazy("first name"),
    "initials": gettext_lazy("initials"),
    "prefix": pgettext_lazy("column", "prefix (van, de)"),
    "surname": gettext_lazy("surname"),
    "email": gettext_lazy("e-mail address"),
    "phone": gettext_lazy("telephone"),
    "street": gettext_lazy("street and house number"),
    "postcode": gettext_lazy("postcode"),
    "town": gettext_lazy("town"),
    "birthday": gettext_lazy("birthday"),
    "member_since": gettext_lazy("member since"),
    "until": gettext_lazy("member until"),
    "addition": gettext_lazy("addition to the name"),
}

NAMED = frozenset({"name", TURNED, "first", "surname"})
"""With one of these columns there are names."""
PARTS = "first", "initials", "prefix", "surname"
"""The columns of a name in pieces."""
DATES = "birthday", "member_since"
_ADDRESS = "street", "postcode", "town"
_TEXTS = "phone", "addition"
LARGEST = 999_999_999

Details = dict[str, Any]


def members_layout(sheet: Sheet, heading: int | None = None) -> Layout:
    """The headings and columns of a list of members, as far as they are recognised. `heading` is
    the line with the headings as somebody chose it."""
    found = guess_layout(sheet, FIELDS, heading)
    place = {key: at for at, key in enumerate(found.columns) if key is not None}
    lines = sheet.lines[found.below :]
    changed: dict[int, str | None] = {}
    people = [line for line in lines if not (is_sum(line.cells) or repeats_headings(line, found))]
    if "number" in place and content_of(sheet.column(place["number"], people)) not in (
        *("number", "phone"),
    ):
        changed[place["number"]] = None
    if {"first", "initials"} <= set(place) and all(
        line.cell(place["first"]) for line in people if line.cell(place["initials"])
    ):
        changed[place.pop("initials")] = None
    parts = [key for key in PARTS if key in place]
    if "name" in place and parts:
        changed |= _whole_or_part(sheet, found, place, parts)
    layout = found.assign(changed)
    if "name" in layout.columns:
        at = layout.columns.index("name")
        if are_surname_first(sheet.column(at, people)):
            return layout.assign({at: TURNED})
    return layout


def _whole_or_part(
    sheet: Sheet, found: Layout, place: Mapping[str, int], parts: Sequence[str]
) -> dict[int, str | None]:
    """A column "name" beside one with the first name: it has the whole name when that is in it,
    else the surname. Where all three pieces have their column, it is not needed."""
    if {"first", "prefix", "surname"} <= set(parts):
        return {place["name"]: None}
    lines = sheet.lines[found.below :]
    part = place["surname" if "surname" in place else parts[0]]
    both = [(line.cell(place["name"]), line.cell(part)) for line in lines]
    filled = [(whole, of_it) for whole, of_it in both if whole and of_it]
    inside = sum(of_it.casefold() in whole.casefold() for whole, of_it in filled)
    if filled and inside * 2 > len(filled):
        return {place[key]: None for key in parts}
    return {place["name"]: None if "surname" in place else "surname"}


@dataclass(frozen=True, slots=True)
class Fault:
    """A cell that cannot be read, as a page shows it."""

    key: str
    label: str
    text: str
    why: str


@dataclass
class Person:
    """What a line says of one person; `details` has what is filled in, as Member keeps it.

    `mended` are the cells that were read as something else, with both texts; `faults` says by field
    what cannot be read, with the text. `left` is the day from which they are no member any more.
    """

    line: int
    details: Details = field(default_factory=dict)
    left: dt.date | None = None
    mended: list[tuple[str, str]] = field(default_factory=list)
    faults: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return str(self.details.get("name", ""))

    @property
    def shown_faults(self) -> list[Fault]:
        return [Fault(key, str(LABELS[key]), *fault) for key, fault in self.faults.items()]


def person_of(line: int, cells: Mapping[str, str], month_first: Collection[str] = ()) -> Person:
    """The person on a line: its cells by field, empty ones left out. `month_first` are the fields
    with dates that have the month before the day, as in American lists."""
    person = Person(line)
    known = {key: text for key, text in cells.items() if not is_nothing(text)}
    _take_name(person, known)
    _take_number(person, known.get("number", ""))
    if email := known.get("email"):
        person.details["email"] = _mended(person, email, email_of(email))
    for key in _TEXTS:
        if text := known.get(key):
            person.details[key] = _mended(person, text, _phone(text) if key == "phone" else text)
    _take_address(person, known)
    for key in (*DATES, "until"):
        if text := known.get(key):
            _take_date(person, key, text, month_first=key in month_first)
    person.left = person.details.pop("until", None)
    _check(person, known)
    return person


def shown(value: object) -> str:
    """A value as a page shows it."""
    if isinstance(value, dt.date):
        return date_format(value, "j F Y")
    return "" if value is None else str(value)


def _take_name(person: Person, known: Mapping[str, str]) -> None:
    first, initials = known.get("first", ""), known.get("initials", "")
    if first and initials:
        person.mended.append((initials, first))
    first = first or initials
    prefix, surname, whole = (known.get(key, "") for key in ("prefix", "surname", "name"))
    if turned := known.get(TURNED):
        name = _mended(person, tidy_name(turned), name_turned(turned))
    elif whole:
        name = _mended(person, tidy_name(whole), name_mended(whole))
    else:
        written = tidy_name(f"{first} {prefix} {surname}")
        name = name_of_parts(first=first, prefix=prefix, surname=surname)
        name = _mended(person, written, name)
    if name:
        person.details["name"] = name
    else:
        person.faults["name"] = "", _("there is no name")


def _take_number(person: Person, text: str) -> None:
    digits = text.strip(" .#")
    if not digits:
        return
    if digits.isascii() and digits.isdecimal() and 1 <= int(digits[:12]) <= LARGEST:
        person.details["number"] = int(digits)
    else:
        person.faults["number"] = text, _("a number has digits only")


def _take_address(person: Person, known: Mapping[str, str]) -> None:
    """The address, taken apart where several pieces of it stand in one column."""
    found = {key: known.get(key, "") for key in _ADDRESS}
    for key, text in found.items():
        parts = dict(zip(_ADDRESS, address_parts(text), strict=True))
        others = [other for other, piece in parts.items() if piece and other != key]
        if parts["postcode"] and others and not any(found[other] for other in others):
            person.mended.append((text, ", ".join(filter(None, parts.values()))))
            found |= {key: "", **{name: piece for name, piece in parts.items() if piece}}
            break
    person.details |= {key: text for key, text in found.items() if text}


def _take_date(person: Person, key: str, text: str, *, month_first: bool) -> None:
    today = timezone.localdate()
    value = date_of(text, latest=today, month_first=month_first)
    if value is None and key != "birthday" and (value := first_day_of(text)):
        person.mended.append((text, shown(value)))
    value = value or serial_date(text)
    if value is None:
        day = text.strip(" -/.")
        has_day = written_day(day) or written_day(day, month_first=True)
        why = _("the year is missing") if has_day else _("this is not a date that can be read")
        person.faults[key] = text, why
    elif key == "birthday" and value > today:
        person.faults[key] = text, _("this date is still to come")
    else:
        person.details[key] = value


def _phone(text: str) -> str:
    parts = text.replace(" ::: ", " / ").split(" / ")
    return " / ".join(dict.fromkeys(map(phone_of, parts)))


def _mended(person: Person, written: str, value: str) -> str:
    if written != value and value:
        person.mended.append((written, value))
    return value


def _check(person: Person, known: Mapping[str, str]) -> None:
    """Move what a member cannot have to the faults."""
    try:
        Member(**person.details).clean_fields(exclude={"club", "name_key", "sort_name"})
    except ValidationError as error:
        for key, messages in error.message_dict.items():
            if key in person.details:
                value = person.details.pop(key)
                why = _("this is not an e-mail address") if key == "email" else messages[0]
                person.faults[key] = known.get(key) or str(value), why
