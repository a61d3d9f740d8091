"""A challenge cup, and somebody who won it, as forms."""

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Member
from tournaments.models import Season
from tournaments.services.cups import LONGEST_NAME, MOST_WINS
from tournaments.slugs import FIRST_DAY, LAST_DAY


class CupForm(forms.Form):
    """A cup by name, and when it may be kept."""

    name = forms.CharField(label=_("Name of the cup"), max_length=LONGEST_NAME)
    wins_to_keep = forms.IntegerField(
        label=_("After how many wins may somebody keep it?"),
        min_value=1,
        max_value=MOST_WINS,
        initial=3,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )


class CupWinForm(forms.Form):
    """Who won the cup, and when."""

    member = forms.ModelChoiceField(
        Member.objects.none(), label=_("Who won it"), empty_label=_("Choose a name")
    )
    won_on = forms.DateField(
        label=_("On which day"),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        validators=[MinValueValidator(FIRST_DAY), MaxValueValidator(LAST_DAY)],
        initial=timezone.localdate,
    )
    season = forms.ModelChoiceField(
        Season.objects.none(),
        label=_("Over a whole season"),
        help_text=_("Only where it was won with a season and not on an evening."),
        empty_label=_("no, on an evening"),
        required=False,
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = Member.objects.of(club).filter(erased_at=None).by_surname()
        self.fields["member"].queryset = people  # type: ignore[attr-defined]
        self.fields["season"].queryset = club.seasons.all()  # type: ignore[attr-defined]
