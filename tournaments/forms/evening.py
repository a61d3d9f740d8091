"""The plan of an evening as a form."""

import datetime as dt
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from scoring.models import Regulation
from scoring.rules import PRESET_DESCRIPTIONS, PRESET_NAMES
from scoring.rules.messages import Language
from tournaments.models import Evening, Season
from tournaments.slugs import FIRST_DAY, LAST_DAY

PRESET = "preset:"


class EveningForm(forms.Form):
    """Everything an organiser decides about an evening, with the usual answers filled in."""

    date = forms.DateField(
        label=_("Date"),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        validators=[MinValueValidator(FIRST_DAY), MaxValueValidator(LAST_DAY)],
    )
    second = forms.BooleanField(
        label=_("Yes, a second evening on the same day"), required=False, widget=forms.HiddenInput
    )
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
    regulation = forms.ChoiceField(label=_("Rules"))
    rounds_planned = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=20, initial=3)
    deals_per_round = forms.IntegerField(
        label=_("Deals per round"), min_value=1, max_value=99, initial=16
    )
    method = forms.ChoiceField(
        label=_("Who plays with whom"),
        choices=Evening.Method.choices,
        widget=forms.RadioSelect,
        initial=Evening.Method.ROTATION,
    )
    sit_out_score = forms.IntegerField(
        label=_("Points for a round of sitting out"),
        initial=1600,
        validators=[MinValueValidator(0), MaxValueValidator(99_999)],
    )
    missed_score = forms.IntegerField(
        label=_("Points for a missed round"),
        help_text=_("For who comes later or leaves earlier."),
        initial=0,
        validators=[MinValueValidator(0), MaxValueValidator(99_999)],
    )
    phones = forms.BooleanField(
        label=_("Players may write the deals on a phone at the table"), required=False, initial=True
    )

    def __init__(self, *args: Any, club: Club, own: Evening | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club, self.own = club, own
        self.fields["season"].queryset = Season.objects.filter(club=club)  # type: ignore[attr-defined]
        chosen = self.data.get("regulation", "")
        self.fields["regulation"].choices = regulation_choices(  # type: ignore[attr-defined]
            club, own, chosen
        )
        for field in self.fields.values():
            if isinstance(field, forms.IntegerField):
                field.widget = forms.NumberInput(attrs={"inputmode": "numeric", "size": 6})

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        date = cleaned.get("date")
        if date and not cleaned.get("second") and self._taken(date):
            self.fields["second"].widget = forms.CheckboxInput()
            self.add_error(
                "second",
                _("There is already an evening on this day. Tick this if you want another one."),
            )
        return cleaned

    def _taken(self, date: dt.date) -> bool:
        if self.own is not None and self.own.date == date:
            return False
        same_day = Evening.objects.of(self.club).filter(date=date)
        return same_day.exclude(state=Evening.State.CANCELLED).exists()


def regulation_choices(
    club: Club, own: Evening | None = None, chosen: str = ""
) -> list[tuple[str, str]]:
    """The club's own regulations, newest versions, then the presets it has not taken over yet.

    What the evening has and what was `chosen` in the form are among them whatever happened since.
    """
    current = list(Regulation.objects.filter(club=club).current())
    if own and own.regulation and own.regulation not in current:
        current.append(own.regulation)
    language: Language = "en" if get_language() == "en" else "nl"
    held = {regulation.name for regulation in current}
    presets = [
        (f"{PRESET}{key}", f"{names[language]}: {PRESET_DESCRIPTIONS[key][language]}")
        for key, names in PRESET_NAMES.items()
        if names["nl"] not in held or chosen == f"{PRESET}{key}"
    ]
    return [(str(regulation.pk), str(regulation)) for regulation in current] + presets


def initial_from(evening: Evening, date: dt.date) -> dict[str, object]:
    """The answers of an earlier evening as the start for a new one on `date`."""
    return {**plan_of(evening), "date": date, "name": ""}


def plan_of(evening: Evening) -> dict[str, object]:
    """The answers that this evening has."""
    same = (
        "date name season rounds_planned deals_per_round method sit_out_score missed_score phones"
    )
    answers: dict[str, object] = {field: getattr(evening, field) for field in same.split()}
    return {**answers, "regulation": str(evening.regulation_id)}
