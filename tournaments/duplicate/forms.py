"""Forms of the desk about folders: what is played, cards, a late pair, a ruling."""

from dataclasses import fields
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from clubs.models import Member
from tournaments.duplicate.core.dealing import HandsRead, read_hands
from tournaments.duplicate.services import DuplicatePlan
from tournaments.duplicate.texts import hand_fault_words
from tournaments.leagues.forms import day_field
from tournaments.models import DuplicateEvening, FolderPlay, SharedNight
from tournaments.models.duplicate import MOST_FOLDERS

MOST_TEXT = 60_000
KINDS = DuplicateEvening.Kind.choices
COMPARISONS = DuplicateEvening.Comparison.choices


def _whole(**attributes: Any) -> forms.NumberInput:
    return forms.NumberInput(attrs={"inputmode": "numeric", "size": 4, **attributes})


class DuplicateForm(forms.Form):
    """How the folders of an evening are played and compared."""

    folders = forms.IntegerField(
        label=_("How many folders"),
        validators=[MinValueValidator(1), MaxValueValidator(MOST_FOLDERS)],
        widget=_whole(),
    )
    kind = forms.ChoiceField(label=_("How the pairs meet"), choices=KINDS, widget=forms.RadioSelect)
    compare = forms.ChoiceField(
        label=_("How results are compared"), choices=COMPARISONS, widget=forms.RadioSelect
    )
    net = forms.BooleanField(
        label=_("Compare by what a pair has more than its opponents, not by its own points"),
        required=False,
    )

    drop_typed = forms.BooleanField(
        label=_("Throw away cards that were typed in of folders that are no longer played"),
        required=False,
    )

    def __init__(self, *args: Any, typed: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not typed:
            del self.fields["drop_typed"]

    def plan(self) -> DuplicatePlan:
        """The answers of a valid form."""
        names = (field.name for field in fields(DuplicatePlan))
        return DuplicatePlan(**{name: self.cleaned_data[name] for name in names})


class RoundsForm(forms.Form):
    """In how many rounds the folders are played; empty for as many as fit."""

    rounds = forms.IntegerField(
        label=_("Rounds"),
        help_text=_("Leave it empty for as many as fit."),
        validators=[MinValueValidator(1), MaxValueValidator(MOST_FOLDERS)],
        widget=_whole(),
        required=False,
    )


class HandsForm(forms.Form):
    """The cards of folders, typed or from a file."""

    text = forms.CharField(
        label=_("The cards"),
        max_length=MOST_TEXT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false"}),
        help_text=_(
            "A line for each hand, the folder, the seat and the cards: 3 N sa s10 hb h9 … The"
            " fourth hand may be left out."
        ),
    )
    file = forms.FileField(
        label=_("Or a file"),
        required=False,
        help_text=_("One that this program made, or a PBN file of a program that deals."),
    )
    instead = forms.BooleanField(
        label=_("These cards were in the folders, in place of those that were dealt"),
        required=False,
    )
    reason = forms.CharField(label=_("Why?"), max_length=200, required=False)

    read = HandsRead()

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        text = cleaned.get("text") or ""
        file = cleaned.get("file")
        if file is not None:
            text = file.read(MOST_TEXT).decode("utf-8", "replace").lstrip("\ufeff")
        self.read = read_hands(text)
        for fault in self.read.faults:
            self.add_error("text", hand_fault_words(fault))
        return cleaned


class LatePairForm(forms.Form):
    """Two people who came late and have no place yet."""

    one = forms.ModelChoiceField(Member.objects.none(), label=_("Somebody"))
    two = forms.ModelChoiceField(Member.objects.none(), label=_("and their partner"))

    def __init__(self, *args: Any, people: QuerySet[Member], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("one", "two"):
            field = self.fields[name]
            field.queryset = people  # type: ignore[attr-defined]
            field.label_from_instance = lambda member: member.desk_name  # type: ignore[attr-defined]


class RulingForm(forms.Form):
    """What the director gives a pair instead of what it made of a folder."""

    percent = forms.TypedChoiceField(
        label=_("What the pair gets"),
        coerce=int,
        choices=[
            (60, _("60%: it is not to blame")),
            (50, _("50%: the average")),
            (40, _("40%: it is to blame")),
        ],
        widget=forms.RadioSelect,
        initial=50,
    )
    reason = forms.CharField(
        label=_("Why?"),
        max_length=FolderPlay.LONGEST_REASON,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Give the reason in a few words.")},
    )
    fouled = forms.BooleanField(
        label=_("The cards of this folder got mixed at this table"),
        help_text=_("What is written there is then no longer held against the cards."),
        required=False,
    )


class NightForm(forms.ModelForm):  # type: ignore[type-arg]
    """A night on which several clubs play the same cards."""

    date = day_field(_("Day"), required=True)

    class Meta:
        model = SharedNight
        fields = ("name", "date", "clubs", "folders", "compare", "net")
        widgets = {
            "clubs": _whole(),
            "folders": _whole(),
            "compare": forms.RadioSelect(),
        }


class NightOpenForm(forms.Form):
    """That a night is opened, and whether clubs are not waited for."""

    seen = forms.IntegerField(widget=forms.HiddenInput)
    anyway = forms.BooleanField(
        label=_("Open it without the clubs that have not sent their evening"), required=False
    )


class NightFileForm(forms.Form):
    """The file of a night, as the league gave it."""

    night = forms.FileField(
        label=_("The file of the league"),
        help_text=_("It has the cards; do not open it if you play yourself."),
    )

    def text(self) -> str:
        """What stands in it."""
        read: bytes = self.cleaned_data["night"].read(MOST_TEXT)
        return read.decode("utf-8", "replace").lstrip("\ufeff")


class AskForm(forms.Form):
    """That the seed of a night is asked for at its league."""


class SeedForm(forms.Form):
    """The seed of a night, which its league shows when all clubs have finished."""

    seed = forms.CharField(
        label=_("The seed of the night"),
        max_length=80,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=_("It is on the page of the night as soon as all clubs have finished."),
    )
