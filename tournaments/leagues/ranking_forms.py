"""The forms of numbers of people, and of rankings."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.http.pages import ExplainedRadios
from tournaments.leagues.forms import TYPED, day_field
from tournaments.leagues.ranked_results import TRUMPING, family_words
from tournaments.models import LeagueRanking


class PersonForm(forms.Form):
    """Which number of the league somebody has already, and its code; neither for a new number."""

    number = forms.IntegerField(
        label=_("Your league number"), required=False, min_value=1, max_value=999_999
    )
    code = forms.CharField(
        label=_("Its code"),
        required=False,
        max_length=20,
        help_text=_("Ten letters and digits, on the page of your link from the other club."),
        widget=forms.TextInput(attrs=TYPED),
    )

    def clean(self) -> dict[str, Any]:
        """A code is that of a number."""
        given: dict[str, Any] = self.cleaned_data
        if given.get("code") and "number" in given and given["number"] is None:
            self.add_error("number", _("Fill in the number that this code belongs to."))
        return given


class RankingForm(forms.ModelForm):  # type: ignore[type-arg]
    """A ranking: what is ranked, of which results, and how."""

    family = forms.ChoiceField(label=_("Rules"), required=False)
    weights = forms.CharField(
        label=_("What the seasons count for, in percent"),
        help_text=_("The latest season that is over first, such as 100, 75, 50, 25."),
        max_length=60,
    )
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)

    class Meta:
        model = LeagueRanking
        fields = [
            "name",
            "system",
            "ranks",
            "family",
            "minimum_rounds",
            "months",
            "event_players",
            "event_rounds",
            "full",
            "half",
            "weights",
        ]
        widgets = {
            "system": ExplainedRadios(
                hints={
                    "mean": _("As in doppelkopf: points per round over some months."),
                    "best_of": _(
                        "As in bridge: the part of the field that somebody beats, of the best"
                        " evenings of a season; earlier seasons count for less."
                    ),
                    "strength": _("An estimate from who won at each table, against whom."),
                }
            ),
            "ranks": forms.RadioSelect,
        }

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        instance: LeagueRanking,
        families: Sequence[str],
    ) -> None:
        weights = ", ".join(map(str, instance.weights))
        initial: dict[str, Any] = {"version": instance.version, "weights": weights}
        if not instance.pk:
            initial["family"] = next(iter(families), f"{next(iter(TRUMPING))}-16")
        super().__init__(data, instance=instance, initial=initial)
        usual = [f"{name}-16" for name in TRUMPING]
        known = sorted({*families, *usual, instance.family} - {""})
        field: Any = self.fields["family"]
        field.choices = [("", family_words("")), *((key, family_words(key)) for key in known)]
        field.help_text = _("A mean of points is of one kind of rules only.")
        for name in ("months", "event_players", "event_rounds"):
            self.fields[name].help_text = _("Only with “the mean of points per round”.")
        for name in ("full", "half"):
            self.fields[name].help_text = _("Only with “the best results of each season”.")
        self.fields["minimum_rounds"].help_text = _("Not with “the best results of each season”.")

    def clean_weights(self) -> list[int]:
        """The weights as numbers."""
        words = self.cleaned_data["weights"].replace(",", " ").replace("%", " ").split()
        if not all(word.isdecimal() and len(word) <= 3 for word in words):
            raise forms.ValidationError(_("Type whole numbers with commas, such as 100, 75, 50."))
        return [int(word) for word in words]

    def _post_clean(self) -> None:
        """The service checks the whole; the ranking that was read stays as it is."""


class RankingDayForm(forms.Form):
    """The day of an official list, and the hash of what was `seen` of it."""

    on = day_field(_("As it stands on"), required=True)
    seen = forms.CharField(widget=forms.HiddenInput, required=False, max_length=64)
