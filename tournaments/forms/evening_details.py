"""What may be changed of an evening whatever was drawn or played."""

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from tournaments.models import Season
from tournaments.sit_out_words import sit_out_score_words


class EveningDetailsForm(forms.Form):
    """The answers on which no draw hangs."""

    name = forms.CharField(
        label=_("Name"),
        max_length=80,
        required=False,
        help_text=_("Only for a special evening, such as Christmas drive."),
    )
    season = forms.ModelChoiceField(
        Season.objects.none(), label=_("Season"), required=False, empty_label=_("No season")
    )
    new_season = forms.CharField(
        label=_("Or a new season"),
        max_length=60,
        required=False,
        help_text=_("Its name, such as 2026-2027."),
    )
    phones = forms.BooleanField(
        label=_("Players may write the deals on a phone at the table"), required=False, initial=True
    )
    sit_out_score = forms.IntegerField(
        initial=1600,
        validators=[MinValueValidator(0), MaxValueValidator(99_999)],
    )
    missed_score = forms.IntegerField(
        label=_("Points for a missed round"),
        help_text=_("For who comes later or leaves earlier."),
        initial=0,
        validators=[MinValueValidator(0), MaxValueValidator(99_999)],
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club
        self.fields["sit_out_score"].label = sit_out_score_words(club)
        self.fields["season"].queryset = Season.objects.filter(club=club)  # type: ignore[attr-defined]
        for field in self.fields.values():
            if isinstance(field, forms.IntegerField):
                field.widget = forms.NumberInput(attrs={"inputmode": "numeric", "size": 6})
