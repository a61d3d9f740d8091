"""Forms about members: details, search, erasing, and a list as a file."""

import datetime as dt
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django import forms
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.files.reading import MAX_BYTES
from clubs.http.pages import FormPart
from clubs.models import Club, Member, MemberQuerySet, PublicAs
from clubs.text.names import name_key, tidy_name

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def _day_input() -> forms.DateInput:
    return forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})


class MemberForm(forms.ModelForm):  # type: ignore[type-arg]
    """A member's details; `version` is the version that the page showed."""

    number = forms.IntegerField(
        label=_("Number"),
        required=False,
        min_value=1,
        max_value=999_999_999,
        widget=forms.TextInput(attrs={"inputmode": "numeric"}),
    )
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)

    class Meta:
        model = Member
        fields = [
            "name",
            "number",
            "phone",
            "email",
            "kind",
            "keeps_table",
            "street",
            "postcode",
            "town",
            "birthday",
            "member_since",
            "addition",
            "public_as",
            "public_name",
        ]
        help_texts = {
            "public_as": _(
                "On public pages and on the hall's screen. At the table, on the printed draw and "
                "for the director the full name is used."
            ),
        }
        widgets = {
            "name": forms.TextInput(attrs={"autocomplete": "off"}),
            "kind": forms.RadioSelect,
            "public_as": forms.RadioSelect,
            "phone": forms.TextInput(attrs={"type": "tel", "autocomplete": "off"}),
            "email": forms.EmailInput(attrs={"autocomplete": "off"}),
            "street": forms.TextInput(attrs={"autocomplete": "off"}),
            "postcode": forms.TextInput(attrs={"autocomplete": "off"}),
            "town": forms.TextInput(attrs={"autocomplete": "off"}),
            "birthday": _day_input(),
            "member_since": _day_input(),
        }

    SHOWN = "name", "number", "kind"

    @property
    def shown_at_once(self) -> list[forms.BoundField]:
        """The fields that are not folded away."""
        return [self[name] for name in (*self.SHOWN, "version")]

    @property
    def parts(self) -> list[FormPart]:
        """The other fields. Those of the name are open where somebody else has it too."""
        contact = "phone", "email", "street", "postcode", "town", "birthday", "member_since"
        names = "keeps_table", "addition", "public_as", "public_name"
        return [
            FormPart(gettext("Telephone, address, birthday"), [self[name] for name in contact]),
            FormPart(
                gettext("Fixed table, name on lists and public pages"),
                [self[name] for name in names],
                is_needed=bool(self.instance.mark),
            ),
        ]

    def clean_name(self) -> str:
        return tidy_name(self.cleaned_data["name"])

    def clean_birthday(self) -> dt.date | None:
        """The same as the service says, beside what else is wrong."""
        birthday: dt.date | None = self.cleaned_data["birthday"]
        if birthday and birthday > timezone.localdate():
            raise forms.ValidationError(gettext("A birthday is not in the future."))
        return birthday

    def details(self) -> dict[str, Any]:
        """What was typed, as the arguments of the services."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}


class MemberSearchForm(forms.Form):
    """Which members to show; an invalid choice shows the active ones."""

    class Shown(models.TextChoices):
        ACTIVE = "", _("Active")
        GUESTS = "guests", _("Guests")
        INACTIVE = "inactive", _("Former")
        ALL = "all", _("Everybody")

    q = forms.CharField(label=_("Search a name or number"), required=False, max_length=100)
    show = forms.ChoiceField(choices=Shown.choices, required=False, widget=forms.HiddenInput)

    def matching(self, members: MemberQuerySet) -> MemberQuerySet:
        """Those of `members` that match the search, by surname."""
        self.is_valid()
        wanted = self.cleaned_data.get("q", "")
        return self._shown(members.matching(wanted) if wanted else members).by_surname()

    @property
    def shown(self) -> str:
        self.is_valid()
        shown: str = self.cleaned_data.get("show", "")
        return shown

    def _shown(self, members: MemberQuerySet) -> MemberQuerySet:
        match self.shown:
            case self.Shown.ALL:
                return members
            case self.Shown.INACTIVE:
                return members.filter(is_active=False)
            case self.Shown.GUESTS:
                return members.active().filter(kind=Member.Kind.GUEST)
        return members.active()


class EraseForm(forms.Form):
    """Asks to type the name of the person, so that nobody is erased by accident."""

    typed_name = forms.CharField(
        label=_("Type the name to confirm"),
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, name: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._name = name

    def clean_typed_name(self) -> str:
        typed = tidy_name(self.cleaned_data["typed_name"])
        if name_key(typed) != name_key(self._name):
            raise forms.ValidationError(
                _("This is not the name. Type: %(name)s"), params={"name": self._name}
            )
        return typed


class UploadForm(forms.Form):
    """A list: a file, or the text of one."""

    file_label: "StrOrPromise" = _("File with the members")
    file = forms.FileField(
        required=False,
        help_text=_("Excel (XLSX), LibreOffice (ODS) or CSV, at most 5 MB."),
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.xlsx,.ods,.xls,text/csv,text/plain"}),
        allow_empty_file=True,
    )
    text = forms.CharField(
        label=_("Or paste the list here"),
        required=False,
        max_length=1_000_000,
        strip=False,
        help_text=_("Copied from Excel, Word or a mail: one person a line."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        has_text = bool(cleaned.get("text", "").strip())
        if not self.errors and cleaned.get("file") is None and not has_text:
            self.add_error("file", _("Choose a file, or paste the list."))
        return cleaned

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].label = self.file_label

    def content(self) -> tuple[str, bytes]:
        """The name and the bytes of the list."""
        file = self.cleaned_data["file"]
        if file is not None:
            return str(file.name), file.read(MAX_BYTES + 1)
        return gettext("pasted list"), self.cleaned_data["text"].encode()


class ListForm(forms.Form):
    """How new people of a list are shown in public."""

    public_as = forms.ChoiceField(
        label=_("How are the new people named on public pages?"),
        choices=PublicAs.choices,
        required=False,
        widget=forms.RadioSelect,
        help_text=_("It can be changed for each person later. The club itself sees the names."),
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, club: Club, chosen: str = ""
    ) -> None:
        """As `chosen` before; at first with initials, since nobody in a list was asked, or not at
        all where the club chose that for everybody."""
        is_hidden = club.new_public_as == PublicAs.HIDDEN
        first = PublicAs.HIDDEN if is_hidden else PublicAs.INITIALS
        super().__init__(data, initial={"public_as": chosen or first})

    def clean_public_as(self) -> str:
        chosen: str = self.cleaned_data["public_as"] or self.initial["public_as"]
        return chosen
