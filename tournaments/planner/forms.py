"""The forms of the season planner and of a kind of evening."""

import datetime as dt
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.dates import WEEKDAYS
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from clubs.text.numbers import FIRST_DAY, LAST_DAY
from tournaments.desk.forms import EveningForm, regulation_choices, time_field
from tournaments.evenings.kinds import LONGEST_NAME
from tournaments.models import EveningKind, Season
from tournaments.planner.groups import FEWEST_GROUPS, LETTERS
from tournaments.planner.services import MOST, NextSession, holidays, month_days, series_days

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
    often = forms.ChoiceField(
        label=_("How often"),
        choices=[
            ("week-1", _("every week")),
            ("week-2", _("every two weeks")),
            ("week-3", _("every three weeks")),
            ("week-4", _("every four weeks")),
            ("month-1", _("the first of the month")),
            ("month-2", _("the second of the month")),
            ("month-3", _("the third of the month")),
            ("month-4", _("the fourth of the month")),
            ("month-0", _("the last of the month")),
        ],
        initial="week-1",
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
    turns = forms.ModelChoiceField(
        EveningKind.objects.none(),
        label=_("By turns with"),
        required=False,
        empty_label=_("nothing: all of that kind"),
    )
    regulation = forms.ChoiceField(label=_("Rules"))

    def __init__(self, *args: Any, club: Club, is_first: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = EveningKind.objects.filter(club=club)
        for name in ("kind", "turns"):
            self.fields[name].queryset = kinds  # type: ignore[attr-defined]
            if not kinds.exists():
                del self.fields[name]
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
        elif not self.errors and (count := len(self.days)) > MOST:
            words = gettext("Those are %(n)s evenings. Make at most %(most)s at a time.")
            self.add_error("last", words % {"n": count, "most": MOST})
        return cleaned

    @property
    def days(self) -> list[dt.date]:
        """The days that were asked for; the form must be valid."""
        asked = self.cleaned_data
        first, last, weekday = asked["first"], asked["last"], asked["weekday"]
        unit, number = asked["often"].split("-")
        if unit == "month":
            return month_days(first, last, weekday=weekday, place=int(number))
        return series_days(first, last, weekday=weekday, weeks=int(number))


@dataclass(frozen=True, slots=True)
class PlannedDay:
    """A day of the list: its questions, and why it is not ticked beforehand."""

    date: dt.date
    is_taken: bool
    holiday: str
    season: Season | None
    tick: forms.BoundField
    starts_at: forms.BoundField
    kind: forms.BoundField | None


class PlannedDaysForm(forms.Form):
    """Each day that may become an evening, ticked unless it is a holiday or has an evening.

    `seasons` has the season of each day; for days without one it asks for the name of a new one.
    """

    new_season = forms.CharField(
        label=_("New season for the evenings that are in no season yet"),
        max_length=60,
        required=False,
        help_text=_("Leave this empty to make them without a season."),
    )

    def __init__(
        self,
        *args: Any,
        seasons: Mapping[dt.date, Season | None],
        taken: Collection[dt.date],
        asked: Mapping[str, Any],
        kinds: Sequence[EveningKind],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.seasons, self.days, self.taken = seasons, list(seasons), taken
        free = [day for day in self.days if day not in taken]
        without = [day for day in free if seasons[day] is None]
        if without:
            self.fields["new_season"].initial = _usual_name(without[0], without[-1])
        else:
            del self.fields["new_season"]
        turns = _turns(free, asked)
        for day in self.days:
            self._add(day, asked, kinds, turns.get(day))

    def _add(
        self,
        day: dt.date,
        asked: Mapping[str, Any],
        kinds: Sequence[EveningKind],
        kind: EveningKind | None,
    ) -> None:
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
                initial=kind.pk if kind else "",
            )

    @property
    def differ(self) -> bool:
        """Whether the days are not all of one season, or of none."""
        return len(set(self.seasons.values())) > 1

    @property
    def rows(self) -> Iterator[PlannedDay]:
        """The days in order."""
        for day in self.days:
            kind = f"kind_{day}"
            yield PlannedDay(
                date=day,
                is_taken=day in self.taken,
                holiday=_holiday(day),
                season=self.seasons[day],
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


def _turns(free: Sequence[dt.date], asked: Mapping[str, Any]) -> dict[dt.date, EveningKind | None]:
    """The kind of each day: of those that are no holiday, every second one is of the other."""
    kind, other = asked.get("kind"), asked.get("turns")
    kinds = [kind, other] if other else [kind]
    played = [day for day in free if not _holiday(day)]
    turns = {day: kinds[place % len(kinds)] for place, day in enumerate(played)}
    return {day: turns.get(day, kind) for day in free}


def _usual_name(first: dt.date, last: dt.date) -> str:
    """What most clubs call the season of these days."""
    return str(first.year) if first.year == last.year else f"{first.year}-{last.year}"


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


def _first_field(fewest: int) -> forms.IntegerField:
    return forms.IntegerField(
        label=_("Only the first so many of the standing"),
        required=False,
        min_value=fewest,
        max_value=2000,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "class": "short"}),
        help_text=_(
            "For a final, such as 16: people, or pairs or teams where the standing is of those. Who"
            " shares the last place plays too. Empty: everybody."
        ),
    )


class NextSessionForm(forms.Form):
    """When the next session is, who plays in it, and how the first round is drawn."""

    date = _day_field(_("Date"))
    name = forms.CharField(
        label=_("Name"), max_length=80, required=False, help_text=_("Such as Session 2, or Final.")
    )
    first = _first_field(4)
    carry = forms.ChoiceField(
        label=_("What they have so far"),
        choices=[
            ("yes", _("counts along: one standing over all sessions")),
            ("no", _("does not count: all begin at 0, and this session has a standing of its own")),
        ],
        widget=forms.RadioSelect,
        initial="yes",
    )
    seated = forms.BooleanField(
        label=_("Draw the first round by the standing"),
        required=False,
        help_text=_(
            "The highest four at table 1, and so on; with fixed pairs first against second."
            " Not where tables stay together for three rounds, or if you draw by hand."
        ),
    )

    def __init__(self, *args: Any, of_people: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not of_people:
            self.fields["first"] = _first_field(2)

    def session(self) -> NextSession:
        """The answers; the form must be valid."""
        answers = self.cleaned_data
        return NextSession(
            date=answers["date"],
            name=answers["name"],
            first=answers["first"],
            carry=answers["carry"] == "yes",
            seated=answers["seated"],
        )


class GroupsForm(forms.Form):
    """Into how many groups an evening is split, and who plays in which."""

    count = forms.TypedChoiceField(
        label=_("How many groups?"),
        coerce=int,
        choices=[(n, str(n)) for n in range(FEWEST_GROUPS, len(LETTERS) + 1)],
        initial=FEWEST_GROUPS,
    )
    how = forms.ChoiceField(
        label=_("Who plays in which?"),
        choices=[
            (
                "strength",
                _("by strength: the strongest in A, by the standing they bring or their rating"),
            ),
            ("choice", _("you choose: everybody begins in A")),
        ],
        widget=forms.RadioSelect,
        initial="strength",
    )
