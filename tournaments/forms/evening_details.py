"""What may be changed of an evening whatever was drawn or played."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from clubs.widgets import ExplainedRadios
from tournaments.models import Evening, Season
from tournaments.sit_out_words import sit_out_score_words

Writing = Evening.Writing

WRITING_HINTS: Mapping[str, Any] = {
    Writing.DEAL: _(
        "After each deal the phone asks the other side whether it is right. Hand the phone over, or"
        " let them answer on their own."
    ),
    Writing.ROUND: _(
        "At the end of the round the other side looks the sheet through and says that it is right."
    ),
    Writing.BOTH: _(
        "Each side has its own link and does not see what the other wrote before it has written the"
        " deal itself. Where the two differ, you decide."
    ),
}


class EveningDetailsForm(forms.Form):
    """The answers on which no draw hangs."""

    name = forms.CharField(
        label=_("Name"),
        max_length=80,
        required=False,
        help_text=_("Only for a special evening, such as Christmas drive."),
    )
    starts_at = forms.TimeField(
        label=_("When does the evening begin?"),
        required=False,
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
        input_formats=["%H:%M", "%H.%M", "%H:%M:%S"],
        error_messages={"invalid": _("Write the time as 19:30.")},
    )
    season = forms.ModelChoiceField(
        Season.objects.none(), label=_("Season"), required=False, empty_label=_("No season")
    )
    new_season = forms.CharField(
        label=_("Or a new season"),
        max_length=60,
        required=False,
        help_text=_(
            "Its name, such as 2026-2027. It gets the standings, the prizes and the fee of the"
            " season before."
        ),
    )
    phones = forms.BooleanField(
        label=_("Players may write the deals on a phone at the table"), required=False, initial=True
    )
    writing = forms.ChoiceField(
        label=_("Who writes at the table"),
        help_text=_("On a phone. On a paper sheet one person writes as always."),
        choices=Writing.choices,
        widget=ExplainedRadios(hints=WRITING_HINTS),
        initial=Writing.ONE,
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
