"""The forms of a club's own pages."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.core.validators import URLValidator
from django.utils.translation import gettext_lazy as _

from clubs.http.network import lan_urls
from clubs.models import Club
from clubs.models.club import PitWord, SitOutWord


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
        label=_("Another word for sitting out"),
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
