"""The forms of the season planner and of a kind of evening."""

import datetime as dt
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.dates import WEEKDAYS
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from clubs.text.numbers import FIRST_DAY, LAST_DAY
from tournaments.desk.forms import EveningForm, regulation_choices, time_field
from tournaments.evenings.kinds import LONGEST_NAME
from tournaments.models import EveningKind
from tournaments.planner.core.days import holidays, series_days

HOLIDAYS: Mapping[str, Any] = {
    "new_year": _("New Year's Day"),
    "good_friday": _("Good Friday"),
    "easter": _("Easter Sunday"),
    "easter_monday": _("Easter Monday"),
    "kings_day": _("King's Day"),
    "liberation_day": _("Liberation Day"),
    "ascension_day": _("Ascension Day"),
    "whit_sunday": _("Whit Sunday"),
    "whit_monday": _("Whit Monday"),
    "christmas_eve": _("Christmas Eve"),
    "christmas": _("Christmas Day"),
    "boxing_day": _("Boxing Day"),
    "new_years_eve": _("New Year's Eve"),
}


def _day_field(label: Any) -> forms.DateField:
    return forms.DateField(
        label=label,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        validators=[MinValueValidator(FIRST_DAY), MaxValueValidator(LAST_DAY)],
    )


class PlannerForm(forms.Form):
    """Which day of the week, from when until when, and what the evenings are like.

    `is_first` asks for the rules too: then there is no evening to begin with.
    """

    weekday = forms.TypedChoiceField(
        label=_("Every"), choices=list(WEEKDAYS.items()), coerce=int, initial=1
    )
    weeks = forms.TypedChoiceField(
        label=_("How often"),
        choices=[
            (1, _("every week")),
            (2, _("every two weeks")),
            (3, _("every three weeks")),
            (4, _("every four weeks")),
        ],
        coerce=int,
        initial=1,
    )
    starts_at = time_field()
    first = _day_field(_("From"))
    last = _day_field(_("Up to and including"))
    kind = forms.ModelChoiceField(
        EveningKind.objects.none(),
        label=_("Kind of evening"),
        required=False,
        empty_label=_("no particular kind"),
    )
    regulation = forms.ChoiceField(label=_("Rules"))

    def __init__(self, *args: Any, club: Club, is_first: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = EveningKind.objects.filter(club=club)
        self.fields["kind"].queryset = kinds  # type: ignore[attr-defined]
        if not kinds.exists():
            del self.fields["kind"]
        self.fields["regulation"].choices = regulation_choices(  # type: ignore[attr-defined]
            club, chosen=self.data.get("regulation", "")
        )
        if not is_first:
            del self.fields["regulation"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        first, last = cleaned.get("first"), cleaned.get("last")
        if first and last and last < first:
            self.add_error("last", _("The last day must not be before the first day."))
        return cleaned

    @property
    def days(self) -> list[dt.date]:
        """The days that were asked for; the form must be valid."""
        asked = self.cleaned_data
        return series_days(
            asked["first"], asked["last"], weekday=asked["weekday"], weeks=asked["weeks"]
        )


@dataclass(frozen=True, slots=True)
class PlannedDay:
    """A day of the list: its questions, and why it is not ticked beforehand."""

    date: dt.date
    is_taken: bool
    holiday: str
    tick: forms.BoundField
    starts_at: forms.BoundField
    kind: forms.BoundField | None


class PlannedDaysForm(forms.Form):
    """Each day that may become an evening, ticked unless it is a holiday or has an evening."""

    def __init__(
        self,
        *args: Any,
        days: Sequence[dt.date],
        taken: Collection[dt.date],
        asked: Mapping[str, Any],
        kinds: Sequence[EveningKind],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.days, self.taken = days, taken
        for day in days:
            self._add(day, asked, kinds)

    def _add(self, day: dt.date, asked: Mapping[str, Any], kinds: Sequence[EveningKind]) -> None:
        words = date_format(day, "l j F Y")
        is_free = day not in self.taken and not _holiday(day)
        tick = forms.BooleanField(label=words, required=False, initial=is_free)
        tick.disabled = day in self.taken
        starts_at = time_field()
        starts_at.label, starts_at.initial = _("Begins at"), asked["starts_at"]
        self.fields[f"day_{day}"], self.fields[f"time_{day}"] = tick, starts_at
        if kinds:
            self.fields[f"kind_{day}"] = forms.TypedChoiceField(
                label=_("Kind of evening"),
                choices=[("", _("no particular kind")), *((kind.pk, kind.name) for kind in kinds)],
                coerce=int,
                empty_value=None,
                required=False,
                initial=asked["kind"].pk if asked.get("kind") else "",
            )

    @property
    def rows(self) -> Iterator[PlannedDay]:
        """The days in order."""
        for day in self.days:
            kind = f"kind_{day}"
            yield PlannedDay(
                date=day,
                is_taken=day in self.taken,
                holiday=_holiday(day),
                tick=self[f"day_{day}"],
                starts_at=self[f"time_{day}"],
                kind=self[kind] if kind in self.fields else None,
            )

    @property
    def chosen(self) -> Iterator[tuple[dt.date, dt.time | None, int | None]]:
        """The days that are ticked, with their time and kind; the form must be valid."""
        for day in self.days:
            if self.cleaned_data[f"day_{day}"]:
                answers = self.cleaned_data
                yield day, answers[f"time_{day}"], answers.get(f"kind_{day}")


def _holiday(day: dt.date) -> str:
    key = holidays(day.year).get(day)
    return str(HOLIDAYS[key]) if key else ""


class KindNameForm(forms.Form):
    """What a kind of evening is called."""

    title = forms.CharField(
        label=_("What is this kind of evening called?"),
        max_length=LONGEST_NAME,
        help_text=_("Such as Individual, Pairs or Special."),
    )


class KindForm(KindNameForm, EveningForm):
    """A kind of evening: its name, and everything that an evening's form asks but its day."""

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, club=club, **kwargs)
        for name in ("date", "second", "name", "season", "new_season", "kind"):
            self.fields.pop(name, None)
