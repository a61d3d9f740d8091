"""The forms of entries, the proof that somebody took their time over one, and lists of entries."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django import forms
from django.core.signing import BadSignature, SignatureExpired, TimestampSigner
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.http.pages import ExplainedRadios
from clubs.lists.core.layout import Field, best_sheet, repeats_headings, rows_of
from clubs.lists.core.values import is_sum
from clubs.lists.names import name_mended, two_names
from clubs.lists.reading import list_read
from clubs.members.forms import UploadForm
from clubs.members.list_fields import FIELDS, TURNED, members_layout, person_of
from clubs.models import Member
from clubs.text.errors import DomainError
from clubs.text.names import name_key, tidy_name
from tournaments.entries.services import EntrySettings
from tournaments.models import Entry, EntryKind, EntryList, EntryPerson, Evening
from tournaments.models.entry import Wish, checked

QUICKEST: Final = 3
"""Seconds: nobody fills in a form faster."""
LONGEST: Final = 4 * 60 * 60
MOST_LINES: Final = 500
TRAP: Final = "website"
"""A field that people do not see, and programs fill in."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """When a form was shown, signed, with a number of its own."""

    text: str

    @classmethod
    def new(cls, evening: Evening) -> "Stamp":
        return cls(_signer(evening).sign(uuid.uuid4().hex))

    def fault(self, evening: Evening) -> str:
        """Why a form with this stamp is not taken, in words; empty if it is."""
        signer = _signer(evening)
        try:
            signer.unsign(self.text, max_age=LONGEST)
        except SignatureExpired:
            return _(
                "This page was open for a very long time. Check that everything is right and press"
                " again."
            )
        except BadSignature:
            return _("Something went wrong with this page. Press once more to send it.")
        try:
            signer.unsign(self.text, max_age=QUICKEST)
        except SignatureExpired:
            return ""
        return _("That went very fast. Check that everything is right and press once more.")

    def is_spoilt(self, evening: Evening) -> bool:
        """Whether no form with it will ever be taken: it is too old, or not of this evening."""
        try:
            _signer(evening).unsign(self.text, max_age=LONGEST)
        except BadSignature:
            return True
        return False

    def key(self, evening: Evening, names: Sequence[str]) -> uuid.UUID:
        """What tells this form, filled in like this, from all others."""
        nonce = _signer(evening).unsign(self.text)
        return uuid.uuid5(uuid.UUID(hex=nonce), "\n".join(map(tidy_name, names)))


def _signer(evening: Evening) -> TimestampSigner:
    return TimestampSigner(salt=f"tournaments.entry_form {evening.uuid}")


def _text(label: Any, longest: int, *, required: bool = False, **attrs: str) -> forms.CharField:
    widget = forms.TextInput(attrs={"autocomplete": "off", **attrs})
    return forms.CharField(label=label, max_length=longest, required=required, widget=widget)


class WishForm(forms.Form):
    """Who enters, and how they can be reached: as many names as the `kind` has."""

    name = _text(gettext_lazy("Name of the team"), 100)
    one = _text(gettext_lazy("Your name"), 100, autocomplete="name")
    two = _text(gettext_lazy("Name of your partner"), 100)
    people = forms.CharField(
        label=gettext_lazy("Who plays in it"),
        required=False,
        max_length=2_500,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=gettext_lazy("One name on each line. You can also leave it empty."),
    )
    town = _text(gettext_lazy("Where you live or play"), 60)
    email = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    phone = _text(gettext_lazy("Telephone"), 30, autocomplete="tel", inputmode="tel")
    remark = _text(gettext_lazy("Remark for the club"), 300)

    def __init__(self, *args: Any, kind: str, by_desk: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kind = kind
        if kind == EntryKind.TEAM:
            self._drop("one", "two")
            self.fields["name"].required = True
        else:
            self._drop("people", "name")
            self.fields["one"].required = True
        if kind == EntryKind.PLAYER:
            self._drop("two")
        elif kind == EntryKind.PAIR:
            self.fields["two"].help_text = _("Nobody yet? Leave it empty.")
        if by_desk:
            labels = {"one": _("Name"), "two": _("Name of the partner")}
            for field in labels.keys() & self.fields.keys():
                self.fields[field].label = labels[field]
        self.fields["town"].help_text = _("Shown only where two people have the same name.")

    def _drop(self, *names: str) -> None:
        for name in names:
            del self.fields[name]

    def wish(self) -> Wish:
        """What was filled in; the form must be valid."""
        data = self.cleaned_data
        lines = data.get("people", "").splitlines()
        people = lines if self.kind == EntryKind.TEAM else [data["one"], data.get("two", "")]
        known = ("name", "town", "email", "phone", "remark")
        return Wish(people=people, **{field: data.get(field, "") for field in known})

    def refuse(self, error: DomainError) -> None:
        """Show what a service found wrong, at its field where that is here."""
        faults = list(error.field_errors())
        for field, _code, message in faults:
            at = {"people": "people" if "people" in self.fields else "one"}.get(field, field)
            self.add_error(at if at in self.fields else None, message)
        if not faults:
            self.add_error(None, error.message)


class PublicEntryForm(WishForm):
    """The same on the public page, with what keeps programs out."""

    field_order = ["name", "one", "two", "people", "email", "phone", "town", "remark"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields(self.field_order)
        self.fields["email"].help_text = _(
            "With this or your telephone number the club can reach you. Only its organisers see it."
        )

    @property
    def is_trapped(self) -> bool:
        """Whether something stands in the field that nobody sees."""
        return bool(str(self.data.get(TRAP, "")).strip())


class EntryEditForm(WishForm):
    """An entry at the desk, with who of the club its people are. Without `contact` nothing is
    shown of how they can be reached."""

    def __init__(
        self, *args: Any, entry: Entry, people: Sequence[Member], contact: bool, **kwargs: Any
    ) -> None:
        self.persons = list(entry.people.select_related("member"))
        known = {field: getattr(entry, field) for field in ("name", "town", *CONTACT)}
        names = [person.name for person in self.persons]
        known |= dict(zip(("one", "two"), names, strict=False)) | {"people": "\n".join(names)}
        super().__init__(*args, kind=entry.kind, by_desk=True, initial=known, **kwargs)
        self.entry = entry
        if not contact:
            self._drop(*CONTACT)
        choices = [("", _("nobody of the club yet")), *((m.pk, m.desk_name) for m in people)]
        self.members = {member.pk: member for member in people}
        for person in self.persons:
            self.fields[f"member_{person.place}"] = forms.TypedChoiceField(
                label=_("Who of the club is %(name)s?") % {"name": person.name},
                choices=choices,
                required=False,
                coerce=int,
                empty_value=None,
                initial=person.member_id or "",
                disabled=person.arrived_at is not None,
            )

    def wish(self) -> Wish:
        """What was filled in; what is not shown stays."""
        wish = super().wish()
        if CONTACT[0] in self.fields:
            return wish
        kept = {field: getattr(self.entry, field) for field in CONTACT}
        return Wish(people=wish.people, name=wish.name, town=wish.town, **kept)

    def chosen(self) -> list[Member | None]:
        """Who of the club the people are, in the order of the names that are left."""
        names = [name for name in self.wish().people if tidy_name(name)]
        before = {person.place: person for person in self.persons}
        found: list[Member | None] = []
        for place, _name in enumerate(names, start=1):
            at = self.cleaned_data.get(f"member_{place}")
            known = before[place].member if at is not None and place in before else None
            found.append(self.members.get(at or 0) or (known if at else None))
        return found


CONTACT: Final = ("email", "phone", "remark")
"""What only organisers see of an entry."""


class EntrySettingsForm(forms.ModelForm):  # type: ignore[type-arg]
    """What the desk decides about entries."""

    version = forms.IntegerField(widget=forms.HiddenInput, required=False)

    class Meta:
        model = EntryList
        fields = ["is_open", "kind", "maximum", "deadline", "walk_ins", "keep_days"]
        widgets = {
            "deadline": forms.DateTimeInput(
                format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"}
            ),
            "kind": ExplainedRadios(
                hints={
                    "pair": gettext_lazy("Who has no partner yet may enter alone."),
                    "team": gettext_lazy("A team has a name; who plays in it may follow later."),
                }
            ),
        }
        labels = {
            "is_open": gettext_lazy("People can enter on the page of this evening"),
            "kind": gettext_lazy("Who enters together?"),
            "maximum": gettext_lazy("How many at most?"),
            "deadline": gettext_lazy("Until when?"),
            "keep_days": gettext_lazy("How many days are contact details kept?"),
            "walk_ins": gettext_lazy("At the door, people who did not enter may add themselves"),
        }
        help_texts = {
            "maximum": gettext_lazy(
                "People, pairs or teams, as chosen above. Who enters after that waits, and moves up"
                " by itself. Leave it empty for no maximum."
            ),
            "deadline": gettext_lazy("Leave it empty to take entries until the evening begins."),
            "keep_days": gettext_lazy("After the evening. Then they are erased by themselves."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["version"].initial = self.instance.version if self.instance.pk else 0

    def _post_clean(self) -> None:
        """The service checks, and writes the row."""

    def settings(self) -> EntrySettings:
        """What was filled in; the form must be valid."""
        data = {name: self.cleaned_data[name] for name in self.Meta.fields}
        return EntrySettings(**data)


class WalkInForm(forms.Form):
    """Somebody who is not on the list."""

    name = _text(gettext_lazy("Your name"), 100, required=True)
    town = _text(gettext_lazy("Where you live or play"), 60)


# Lists of entries, from a file or pasted.


class EntryUploadForm(UploadForm):
    """A list of who enters."""

    file_label = gettext_lazy("File with the entries")


@dataclass(frozen=True, slots=True)
class ListedWish:
    """A line of a list: the wish it holds, or why there is none; `line` is its number."""

    line: int
    text: str
    wish: Wish | None = None
    fault: str = ""


def wishes_read(content: bytes, kind: str) -> list[ListedWish]:
    """The entries of a list of any usual kind. Raises FileFaults where it is none."""
    sheets = list_read(content).sheets
    sheet = sheets[best_sheet(sheets, FIELDS)]
    if kind == EntryKind.TEAM:
        return [_team(line.number, line.filled) for line in sheet.lines][:MOST_LINES]
    return list(_people(sheet, kind))[:MOST_LINES]


_PARTNER: Final = Field(
    "partner", ("partner", "maat", "koppelgenoot", "medespeler", "tweede speler"), whole=("met",)
)


def _people(sheet: Any, kind: str) -> Iterator[ListedWish]:
    layout = members_layout(sheet)
    partner = _partner_column(layout.headings) if kind == EntryKind.PAIR else None
    for row in rows_of(sheet, layout, FIELDS):
        if is_sum(row.line.cells) or repeats_headings(row.line, layout):
            continue
        text = " ".join(row.line.filled)
        cells: Mapping[str, str] = row.cells
        whole = cells.get("name") or cells.get(TURNED) or ""
        both = _two(whole) if kind == EntryKind.PAIR else None
        person = person_of(row.line.number, cells)
        names = [*both] if both else [person.name]
        if partner is not None and (other := row.line.cell(partner)):
            names = [person.name, name_mended(other)]
        details = {key: str(person.details.get(key, "")) for key in ("email", "phone", "town")}
        yield _listed(row.line.number, text, Wish(people=names, **details), kind)


def _partner_column(headings: Sequence[str]) -> int | None:
    known = {*_PARTNER.headings, *_PARTNER.whole}
    named = (at for at, heading in enumerate(headings) if heading.strip().casefold() in known)
    return next(named, None)


def _two(text: str) -> tuple[str, str] | None:
    """The names of a pair on one line."""
    for sign in (" - ", " – ", " — "):
        one, dash, two = text.partition(sign)
        if dash and one.strip() and two.strip():
            return name_mended(one), name_mended(two)
    found = two_names(text)
    return (name_mended(found[0]), name_mended(found[1])) if found else None


def _team(number: int, cells: Sequence[str]) -> ListedWish:
    """A line with a team: its name, and who play in it, in the cells behind or after a colon."""
    text = " ".join(cells)
    name, *others = cells
    head, colon, tail = name.partition(":")
    if colon:
        name, others = head, [*tail.split(","), *others]
    email = next((cell for cell in others if "@" in cell), "")
    people = [name_mended(cell) for cell in others if cell and "@" not in cell]
    people = [person for person in people if not any(char.isdigit() for char in person)]
    return _listed(number, text, Wish(people=people, name=name, email=email), EntryKind.TEAM)


def _listed(number: int, text: str, wish: Wish, kind: str) -> ListedWish:
    try:
        return ListedWish(number, text, checked(wish, kind))
    except DomainError as error:
        return ListedWish(number, text, fault=error.message)


def known_apart(evening: Evening, listed: Sequence[ListedWish]) -> list[ListedWish]:
    """The same, without those whose names are on the list already, or stand in it twice. Two people
    of one name who live in different towns are two. One query."""
    people = EntryPerson.objects.filter(evening=evening, counts=True)
    known = set(people.values_list("name_key", flat=True))
    said = _("This name is on the list already. Is it somebody else? Then enter them by hand.")
    twice = _("%(name)s stands in this list twice. Enter one of the two by hand if they are two.")
    seen: dict[str, set[str]] = {}
    checked_lines = []
    for line in listed:
        fault = ""
        town = name_key(line.wish.town) if line.wish else ""
        for name in line.wish.people if line.wish else ():
            towns = seen.setdefault(name_key(name), set())
            if name_key(name) in known:
                fault = said
            elif towns and (not town or town in towns or "" in towns):
                fault = twice % {"name": name}
            towns.add(town)
        checked_lines.append(replace(line, wish=None, fault=fault) if fault else line)
    return checked_lines
