"""Forms about clubs, their people and who may log in."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.core.validators import URLValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.links import lan_urls
from clubs.models import Club, Member, MemberQuerySet, Role
from clubs.models.club import PitWord, SitOutWord
from clubs.names import name_key, tidy_name


class LoginForm(AuthenticationForm):
    """E-mail address and password; capitals in the address do not matter."""

    error_messages = {
        "invalid_login": _("This e-mail address and password do not belong together."),
        "inactive": _("This login is no longer in use."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("E-mail address")
        self.fields["username"].widget = forms.EmailInput(
            attrs={"autocomplete": "username", "autofocus": True, "maxlength": 254}
        )
        self.fields["password"].label = _("Password")


class EmailForm(forms.Form):
    email = forms.EmailField(
        label=_("E-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "username"})
    )


class MemberForm(forms.ModelForm):  # type: ignore[type-arg]
    """Somebody's details; `version` is the version that was on the screen."""

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
            "kind",
            "phone",
            "email",
            "public_as",
            "public_name",
            "keeps_table",
        ]
        help_texts = {
            "public_as": _(
                "On the pages that anybody can read, and on the hall's screen. At the table, on "
                "the printed draw and for who leads the evening the name stays."
            ),
        }
        widgets = {
            "name": forms.TextInput(attrs={"autocomplete": "off"}),
            "kind": forms.RadioSelect,
            "public_as": forms.RadioSelect,
            "phone": forms.TextInput(attrs={"type": "tel", "autocomplete": "off"}),
            "email": forms.EmailInput(attrs={"autocomplete": "off"}),
        }

    def clean_name(self) -> str:
        return tidy_name(self.cleaned_data["name"])

    def details(self) -> dict[str, Any]:
        """What was typed, as the services of members take it."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}


class MemberSearchForm(forms.Form):
    """What part of the list to show; what makes no sense shows the active people."""

    class Shown(models.TextChoices):
        ACTIVE = "", _("Active")
        GUESTS = "guests", _("Guests")
        INACTIVE = "inactive", _("Former")
        ALL = "all", _("Everybody")

    q = forms.CharField(label=_("Search a name or number"), required=False, max_length=100)
    show = forms.ChoiceField(choices=Shown.choices, required=False, widget=forms.HiddenInput)

    def found(self, members: MemberQuerySet) -> MemberQuerySet:
        """Those of `members` that are asked for, by surname."""
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


class MemberChoiceForm(forms.Form):
    """Which member a guest turns out to be."""

    member = forms.ModelChoiceField(
        Member.objects.none(), label=_("Which member is this?"), empty_label=_("Choose a name")
    )

    def __init__(self, *args: Any, guest: Member, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = Member.objects.of(guest.club).filter(erased_at=None).exclude(pk=guest.pk)
        self.fields["member"].queryset = others.by_surname()  # type: ignore[attr-defined]


class EraseForm(forms.Form):
    """The name of who is to be erased, typed so that it is not done by one press too many."""

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
    file = forms.FileField(
        label=_("File with the members"),
        help_text=_("CSV or Excel (XLSX), at most 5 MB."),
        widget=forms.FileInput(attrs={"accept": ".csv,.xlsx,text/csv"}),
        allow_empty_file=True,
    )


class LogoForm(forms.Form):
    picture = forms.FileField(
        label=_("Picture"),
        help_text=_("PNG or JPEG, at most 2 MB."),
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg"}),
        allow_empty_file=True,
    )


ONLY_WITH_OTHER = _("Only fill this in with “another word”.")


class ClubForm(forms.ModelForm):  # type: ignore[type-arg]
    """A club's name, language and words; a word is one of the usual ones, or typed."""

    OTHER = "other"
    WORDS = {"pit_word": PitWord, "sit_out_word": SitOutWord}

    pit_word = forms.ChoiceField(
        label=_("What do you call taking all eight tricks?"),
        choices=[*PitWord.choices, (OTHER, _("another word"))],
        widget=forms.RadioSelect,
    )
    pit_word_typed = forms.CharField(
        label=_("Another word for pit"), max_length=20, required=False, help_text=ONLY_WITH_OTHER
    )
    sit_out_word = forms.ChoiceField(
        label=_("What do you call not playing a round?"),
        choices=[*SitOutWord.choices, (OTHER, _("another word"))],
        widget=forms.RadioSelect,
    )
    sit_out_word_typed = forms.CharField(
        label=_("Another word for who sits out"),
        max_length=20,
        required=False,
        help_text=ONLY_WITH_OTHER,
    )

    class Meta:
        model = Club
        fields = ["name", "language", "pit_word", "sit_out_word", "roem_letters"]
        widgets = {"language": forms.RadioSelect}

    field_order = [
        "name",
        "language",
        "pit_word",
        "pit_word_typed",
        "sit_out_word",
        "sit_out_word_typed",
        "roem_letters",
    ]

    def __init__(self, data: Mapping[str, Any] | None = None, *, instance: Club) -> None:
        own = {
            name: getattr(instance, name)
            for name, known in self.WORDS.items()
            if getattr(instance, name) not in known.values
        }
        initial = dict.fromkeys(own, self.OTHER)
        initial |= {f"{name}_typed": word for name, word in own.items()}
        super().__init__(data, instance=instance, initial=initial)

    def clean(self) -> dict[str, Any]:
        """The words as the club keeps them: the name of a usual one, else what was typed."""
        cleaned = super().clean() or self.cleaned_data
        for name in self.WORDS:
            word = " ".join(cleaned.pop(f"{name}_typed", "").split())
            if cleaned.get(name) == self.OTHER:
                self._take(name, word)
        return cleaned

    def _take(self, name: str, word: str) -> None:
        if word:
            self.cleaned_data[name] = word
            return
        del self.cleaned_data[name]
        if f"{name}_typed" not in self.errors:
            self.add_error(f"{name}_typed", _("Type the word."))


class AddressForm(forms.Form):
    """The address for phones: found by itself, one of this computer's, or one typed in."""

    AUTOMATIC, OTHER = "", "other"

    choice = forms.ChoiceField(
        label=_("Which address do phones open?"), widget=forms.RadioSelect, required=False
    )
    other = forms.URLField(
        label=_("Another address"),
        required=False,
        assume_scheme="http",
        validators=[URLValidator(schemes=["http", "https"])],
        max_length=200,
        help_text=_("Only fill this in with the last choice; for example %(example)s.")
        % {"example": "https://klaver.example"},
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, club: Club) -> None:
        known = [settings.PUBLIC_URL] if settings.PUBLIC_URL else []
        known += lan_urls()
        typed = club.address if club.address not in known else ""
        initial = {"choice": self.OTHER if typed else club.address, "other": typed}
        super().__init__(data, initial=initial)
        self.fields["choice"].choices = [  # type: ignore[attr-defined]
            (self.AUTOMATIC, _("Let the program choose (now %(address)s)") % {"address": known[0]}),
            *((address, address) for address in known),
            (self.OTHER, _("Another address, which I type below")),
        ]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("choice") == self.OTHER and cleaned.get("other") == "":
            self.add_error("other", _("Type the address."))
        return cleaned

    @property
    def address(self) -> str:
        """The address chosen; empty when the program is to choose."""
        choice: str = self.cleaned_data["choice"]
        return self.cleaned_data["other"] if choice == self.OTHER else choice


TASKS = [
    (Role.Kind.ORGANISER, _("Organiser: everything, members and settings too")),
    (Role.Kind.DIRECTOR, _("Director: prepare and lead evenings")),
    (Role.Kind.SCOREKEEPER, _("Scorekeeper: only enter deals")),
]


class RoleForm(forms.Form):
    """What somebody of the team may do."""

    kind = forms.ChoiceField(
        label=_("What may this person do?"), choices=TASKS, widget=forms.RadioSelect
    )


class InviteForm(RoleForm):
    """Somebody who comes to help."""

    name = forms.CharField(label=_("Name"), max_length=100, required=False)
    email = forms.EmailField(
        label=_("E-mail address"),
        max_length=254,
        help_text=_("With this the person logs in. You get a link to pass on."),
    )
    field_order = ["name", "email", "kind"]
