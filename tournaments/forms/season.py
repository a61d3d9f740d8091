"""A season as a form: its name, its days and its fee, and for a new one what counts in it."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.money import MoneyField
from tournaments.models import Season

SUM, MEAN = "sum", "mean_per_evening"


def day_input() -> forms.DateInput:
    """A date that browsers help to choose."""
    return forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})


def number_input() -> forms.NumberInput:
    """A whole number, with digits on a phone's keyboard."""
    return forms.NumberInput(attrs={"inputmode": "numeric"})


class SeasonForm(forms.Form):
    """Name, days and membership fee of a season."""

    name = forms.CharField(label=_("Name"), max_length=60, help_text=_("Such as 2026-2027."))
    starts = forms.DateField(label=_("First day"), required=False, widget=day_input())
    ends = forms.DateField(label=_("Last day"), required=False, widget=day_input())
    fee = MoneyField(
        label=_("Membership fee"),
        required=False,
        help_text=_("In euros, for the list of who has paid. It is not shown in public."),
    )


class NewSeasonForm(SeasonForm):
    """A season that is not there yet, with its first standing in its simple form."""

    best = forms.IntegerField(
        label=_("How many of the best evenings count?"),
        required=False,
        min_value=1,
        max_value=366,
        help_text=_("Leave empty to let every evening count."),
        widget=number_input(),
    )
    minimum = forms.IntegerField(
        label=_("How many evenings must a player attend to get a place?"),
        required=False,
        min_value=0,
        max_value=366,
        help_text=_("Leave empty if one is enough."),
        widget=number_input(),
    )
    aggregate = forms.ChoiceField(
        label=_("What is the score of the season?"),
        help_text=_("More can be chosen once the season is there."),
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


class NextSeasonForm(SeasonForm):
    """A season that is not there yet, after one that has standings."""

    take_over = forms.BooleanField(required=False, initial=True)

    def __init__(self, *args: Any, before: Season, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["fee"].initial = before.fee
        label = gettext("Take over the standings and the prizes of %(season)s")
        self.fields["take_over"].label = label % {"season": before.name}
        self.fields["take_over"].help_text = gettext(
            "You can change them afterwards. Periods and evenings that did not count are left out:"
            " those were days of that season."
        )


def season_initial(season: Season) -> dict[str, object]:
    """The form filled with this season."""
    return {
        "name": season.name,
        "starts": season.starts,
        "ends": season.ends,
        "fee": season.fee,
    }
