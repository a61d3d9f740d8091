"""The forms of a season: its name and days, and how its standings begin."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.text.numbers import MoneyField
from tournaments.models import Season
from tournaments.seasons.forms import CountingForm, day_input


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


class NewSeasonForm(SeasonForm, CountingForm):
    """A new season with its first standing."""

    standing = forms.CharField(
        label=_("What is this standing called?"),
        max_length=60,
        required=False,
        help_text=_("Such as “Best 5 of 7” or “Most pits”."),
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, pit: str) -> None:
        super().__init__(
            data, pit=pit, settings={}, initial={"standing": gettext("Season standing")}
        )
        self.fields["with_notice"].required = False

    @property
    def is_more_asked(self) -> bool:
        """Whether one of the questions that are folded away must be answered otherwise."""
        usual = {"name", "starts", "ends", "fee", "best", "minimum", "aggregate"}
        return any(field not in usual for field in self.errors)


class NextSeasonForm(SeasonForm):
    """A new season that can copy the standings of the one before."""

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
