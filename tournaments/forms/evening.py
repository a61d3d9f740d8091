"""The plan of an evening as a form."""

import datetime as dt
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from scoring.models import Regulation
from scoring.models.sheet import HIGHEST_TARGET, LOWEST_TARGET
from scoring.rules import PRESET_DESCRIPTIONS, PRESET_NAMES
from scoring.words import reader_language
from tournaments.forms.evening_details import EveningDetailsForm
from tournaments.models import Evening
from tournaments.slugs import FIRST_DAY, LAST_DAY

PRESET = "preset:"


class EveningForm(EveningDetailsForm):
    """Everything an organiser decides about an evening, with the usual answers filled in."""

    date = forms.DateField(
        label=_("Date"),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        validators=[MinValueValidator(FIRST_DAY), MaxValueValidator(LAST_DAY)],
    )
    second = forms.BooleanField(
        label=_("Yes, a second evening on the same day"), required=False, widget=forms.HiddenInput
    )
    regulation = forms.ChoiceField(label=_("Rules"))
    rounds_planned = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=20, initial=3)
    deals_per_round = forms.IntegerField(
        label=_("Deals per round"), min_value=1, max_value=99, initial=16
    )
    target = forms.IntegerField(
        label=_("Or until so many points"),
        help_text=_(
            "Such as 1001: the round ends after the deal in which a side comes to that. Leave this "
            "empty to play a number of deals."
        ),
        min_value=LOWEST_TARGET,
        max_value=HIGHEST_TARGET,
        required=False,
    )
    method = forms.ChoiceField(
        label=_("Who plays with whom"),
        choices=Evening.Method.choices,
        widget=forms.RadioSelect,
        initial=Evening.Method.ROTATION,
    )
    field_order = [
        "date",
        "second",
        "name",
        "season",
        "new_season",
        "regulation",
        "rounds_planned",
        "deals_per_round",
        "target",
        "method",
        "phones",
        "sit_out_score",
        "missed_score",
    ]

    def __init__(self, *args: Any, club: Club, own: Evening | None = None, **kwargs: Any) -> None:
        super().__init__(*args, club=club, **kwargs)
        self.own = own
        chosen = self.data.get("regulation", "")
        self.fields["regulation"].choices = regulation_choices(  # type: ignore[attr-defined]
            club, own, chosen
        )

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
    language = reader_language()
    held = {regulation.name for regulation in current}
    presets = [
        (f"{PRESET}{key}", f"{names[language]}: {PRESET_DESCRIPTIONS[key][language]}")
        for key, names in PRESET_NAMES.items()
        if names["nl"] not in held or chosen == f"{PRESET}{key}"
    ]
    return [(str(regulation.pk), _version_name(regulation)) for regulation in current] + presets


def _version_name(regulation: Regulation) -> str:
    if regulation.version == 1:
        return regulation.name
    words = {"name": regulation.name, "version": regulation.version}
    return gettext("%(name)s, version %(version)s") % words


def initial_from(evening: Evening, date: dt.date) -> dict[str, object]:
    """The answers of an earlier evening as the start for a new one on `date`, which plays by the
    newest version of the same regulation."""
    regulation = evening.regulation and evening.regulation.newest.pk
    return {**plan_of(evening), "date": date, "name": "", "regulation": str(regulation)}


def plan_of(evening: Evening) -> dict[str, object]:
    """The answers that this evening has."""
    same = (
        "date name season rounds_planned deals_per_round target method sit_out_score missed_score "
        "phones"
    )
    answers: dict[str, object] = {field: getattr(evening, field) for field in same.split()}
    return {**answers, "regulation": str(evening.regulation_id)}
