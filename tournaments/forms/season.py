"""A season, and what counts in it, as a form."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import Season

SUM, MEAN = "sum", "mean_per_evening"
DAY = {"type": "date"}


class SeasonForm(forms.Form):
    """Name and days of a season, and the rule of its standing in its simple form."""

    name = forms.CharField(label=_("Name"), max_length=60, help_text=_("Such as 2026-2027."))
    starts = forms.DateField(
        label=_("First day"), required=False, widget=forms.DateInput(format="%Y-%m-%d", attrs=DAY)
    )
    ends = forms.DateField(
        label=_("Last day"), required=False, widget=forms.DateInput(format="%Y-%m-%d", attrs=DAY)
    )
    best = forms.IntegerField(
        label=_("How many of the best evenings count?"),
        required=False,
        min_value=1,
        max_value=366,
        help_text=_("Leave empty to let every evening count."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    minimum = forms.IntegerField(
        label=_("How many evenings must somebody come for a place?"),
        required=False,
        min_value=0,
        max_value=366,
        help_text=_("Leave empty if once is enough."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    aggregate = forms.ChoiceField(
        label=_("What is the score of the season?"),
        choices=[(SUM, _("the sum of those evenings")), (MEAN, _("the mean per evening"))],
        widget=forms.RadioSelect,
        initial=SUM,
    )

    def rule_settings(self) -> dict[str, object]:
        """The rule's settings that this form asks for; the form must be valid."""
        return {
            "best_per_period": self.cleaned_data["best"],
            "minimum_evenings": self.cleaned_data["minimum"] or 0,
            "aggregate": self.cleaned_data["aggregate"],
        }


def season_initial(season: Season, settings: Mapping[str, Any]) -> dict[str, object]:
    """The form filled with this season and the settings of its rule."""
    return {
        "name": season.name,
        "starts": season.starts,
        "ends": season.ends,
        "best": settings.get("best_per_period"),
        "minimum": settings.get("minimum_evenings") or None,
        "aggregate": settings.get("aggregate", SUM),
    }
