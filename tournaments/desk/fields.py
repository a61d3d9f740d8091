"""The season in the form of an evening, which follows from the date."""

import datetime as dt
from collections.abc import Iterator
from typing import Any

from django import forms
from django.forms.models import ModelChoiceIterator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from tournaments.models import Season
from tournaments.seasons.services import season_on

BY_DATE = "by-date"
"""The answer that leaves the season to the date."""


class _SeasonSelect(forms.Select):
    """Says the days of each season to the page's program, which follows the date that is typed."""

    def create_option(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(*args, **kwargs)
        season = getattr(option["value"], "instance", None)
        if season is not None and (season.starts or season.ends):
            option["attrs"]["data-starts"] = str(season.starts or "")
            option["attrs"]["data-ends"] = str(season.ends or "")
        return option


class _SeasonChoices(ModelChoiceIterator):  # type: ignore[type-arg]
    field: "SeasonField"

    def __iter__(self) -> Iterator[Any]:
        if self.field.by_date:
            yield BY_DATE, self.field.by_date
        yield from super().__iter__()


class SeasonField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """One of the club's seasons or none, or for a new evening the season of its date."""

    iterator = _SeasonChoices
    widget = _SeasonSelect
    by_date = ""

    def __init__(self) -> None:
        none = Season.objects.none()
        super().__init__(none, label=_("Season"), required=False, empty_label=_("No season"))

    def offer_by_date(self, club: Club, date: dt.date | None) -> None:
        """Offer the season of the date, which is this one now."""
        season = season_on(club, date) if date else None
        words, nothing = gettext("By the date: %(season)s"), gettext("no season")
        self.by_date = words % {"season": season.name if season else nothing}
        self.widget.attrs |= {"data-by-date": words % {"season": "{}"}, "data-none": nothing}

    def clean(self, value: Any) -> Any:
        return BY_DATE if self.by_date and value == BY_DATE else super().clean(value)
