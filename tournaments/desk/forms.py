"""The forms of an evening: its whole plan, and what may be changed even after the draw."""

import datetime as dt
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.forms.models import ModelChoiceIterator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.http.pages import ExplainedRadios, FormPart
from clubs.models import Club
from clubs.text.numbers import FIRST_DAY, LAST_DAY
from scoring.display.words import reader_language
from scoring.models import Regulation
from scoring.models.sheet import HIGHEST_TARGET, LOWEST_TARGET
from scoring.regulations.services import PRESET
from scoring.rules import PRESETS, preset_description, preset_name
from tournaments.evenings.kinds import PLAN, EveningStart
from tournaments.evenings.services import last_ranked_fault
from tournaments.evenings.texts import sit_out_score_words
from tournaments.models import Evening, EveningKind, Season
from tournaments.models.evening import MOST_ROUNDS
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


Method, Leftover, Writing = Evening.Method, Evening.Leftover, Evening.Writing
Movement = Evening.PairMovement

WRITING_HINTS: Mapping[str, Any] = {
    Writing.DEAL: _(
        "After each deal the phone asks the other side whether it is right. Hand the phone "
        "over, or let them answer on their own phone."
    ),
    Writing.ROUND: _(
        "At the end of the round the other side checks the sheet and confirms that it is right."
    ),
    Writing.BOTH: _(
        "Each side has its own link and does not see what the other wrote before it has written the"
        " deal itself. Where the two differ, you decide."
    ),
}


def time_field() -> forms.TimeField:
    """When an evening begins."""
    return forms.TimeField(
        label=_("Begins at"),
        required=False,
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
        input_formats=["%H:%M", "%H.%M", "%H:%M:%S"],
        error_messages={"invalid": _("Write the time as 19:30.")},
    )


class EveningDetailsForm(forms.Form):
    """The answers that no draw depends on."""

    name = forms.CharField(
        label=_("Name"),
        max_length=80,
        required=False,
        help_text=_("Only for a special evening, such as Christmas drive."),
    )
    starts_at = time_field()
    season = SeasonField()
    new_season = forms.CharField(
        label=_("Or a new season"),
        max_length=60,
        required=False,
        help_text=_(
            "Its name, such as 2026-2027. It gets the standings, the prizes and the fee of the"
            " season before."
        ),
    )
    kind = forms.ModelChoiceField(
        EveningKind.objects.none(),
        label=_("Kind of evening"),
        required=False,
        empty_label=_("no particular kind"),
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
        help_text=_("For people who come later or leave earlier."),
        initial=0,
        validators=[MinValueValidator(0), MaxValueValidator(99_999)],
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club
        self.fields["sit_out_score"].label = sit_out_score_words(club)
        self.fields["season"].queryset = Season.objects.filter(club=club)  # type: ignore[attr-defined]
        self._offer_kinds()
        for field in self.fields.values():
            if isinstance(field, forms.IntegerField):
                field.widget = forms.NumberInput(attrs={"inputmode": "numeric", "size": 6})

    @property
    def parts(self) -> list[FormPart]:
        """What is folded: what most clubs answer the same each time."""
        missed = gettext("Players who miss a round")
        if "target" in self.fields:
            missed = gettext("Missed rounds, target points")
        parts = {
            gettext("Special evening, new season"): ("name", "new_season"),
            gettext("Who plays with whom"): ("method", "leftover", "last_ranked"),
            gettext("Fixed pairs and teams"): ("pair_movement", "teammates_may_meet"),
            gettext("Phones and writing"): ("phones", "writing"),
            missed: ("sit_out_score", "missed_score", "target"),
        }
        there = {
            title: [self[name] for name in names if name in self.fields]
            for title, names in parts.items()
        }
        return [FormPart(title, fields) for title, fields in there.items() if fields]

    def _offer_kinds(self) -> None:
        kinds = EveningKind.objects.filter(club=self.club)
        self.fields["kind"].queryset = kinds  # type: ignore[attr-defined]
        if not kinds.exists():
            del self.fields["kind"]


METHOD_HINTS: Mapping[str, Any] = {
    Method.ROTATION: _(
        "Four people play three rounds with each other, then get new tables. The least walking."
    ),
    Method.BALANCED: _(
        "All rounds are drawn at once: as few repeated partners and tables as possible, this "
        "evening and over the season."
    ),
    Method.LOTTERY: _(
        "Each round is drawn at random from the people here. Handy if people come later or "
        "leave earlier."
    ),
    Method.PAIRS: _(
        "Two people are partners all evening. How the pairs meet is asked under “Fixed pairs"
        " and teams”."
    ),
    Method.TYPED_IN: _("You draw lots or cards yourself and type in who sits where."),
}
MOVEMENT_HINTS: Mapping[str, Any] = {
    Movement.BY_PROGRAM: _(
        "Even pairs stay at their table, odd pairs move up one. Where few pairs play, all move:"
        " then fewer meet twice. All rounds are drawn at once."
    ),
    Movement.LOT: _("Drawn anew each round, without two pairs meeting twice if there is a way."),
    Movement.BY_STANDING: _(
        "The first round goes by pair number. After that each round can be drawn when the one"
        " before it is closed."
    ),
    Movement.TYPED_IN: _(
        "You draw lots yourself and type in who meets whom, such as 3 and 7 at table 1."
    ),
    Movement.FOLDERS: _(
        "The cards are dealt beforehand and lie in numbered folders, which go from table to table."
        " A pair is compared with the others that held the same cards."
    ),
}
LEFTOVER_HINTS: Mapping[str, Any] = {
    Leftover.THREE_HANDED: _(
        "All play for themselves, and the declarer has the dummy opposite. Five people cannot "
        "be divided like that."
    ),
    Leftover.THREE_HANDED_REST: _(
        "With 15 people there are three tables of four and one of three; with 13 or 14 one or two"
        " sit out."
    ),
}


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
    rounds_planned = forms.IntegerField(
        label=_("Rounds"), min_value=1, max_value=MOST_ROUNDS, initial=3
    )
    deals_per_round = forms.IntegerField(
        label=_("Deals per round"), min_value=1, max_value=99, initial=16
    )
    target = forms.IntegerField(
        label=_("Or play until a number of points"),
        help_text=_(
            "Such as 1001: the round ends after the deal in which a side reaches that. Leave "
            "this empty to play a number of deals."
        ),
        min_value=LOWEST_TARGET,
        max_value=HIGHEST_TARGET,
        required=False,
    )
    method = forms.ChoiceField(
        label=_("Who plays with whom"),
        choices=Method.choices,
        widget=ExplainedRadios(hints=METHOD_HINTS),
        initial=Method.ROTATION,
    )
    pair_movement = forms.ChoiceField(
        label=_("Which pairs meet"),
        help_text=_("Only with fixed pairs."),
        choices=Movement.choices,
        widget=ExplainedRadios(hints=MOVEMENT_HINTS),
        initial=Movement.BY_PROGRAM,
        required=False,
    )
    teammates_may_meet = forms.BooleanField(
        label=_("People of one team may sit at one table"),
        help_text=_("Only where teams play. Otherwise the draw keeps them apart if it can."),
        required=False,
    )
    leftover = forms.ChoiceField(
        label=_("If the number of players is not a multiple of four"),
        help_text=_("Not used with fixed pairs, where a pair sits out, nor if you draw by hand."),
        choices=Leftover.choices,
        widget=ExplainedRadios(hints=LEFTOVER_HINTS),
        initial=Leftover.SIT_OUT,
    )
    last_ranked = forms.BooleanField(
        label=_("Draw the last round by standing"),
        help_text=_(
            "At the end the leaders play each other: numbers 1 to 4 at table 1, numbers 1 and "
            "4 against 2 and 3, and so on."
        ),
        required=False,
    )
    field_order = [
        "date",
        "second",
        "starts_at",
        "name",
        "season",
        "new_season",
        "kind",
        "regulation",
        "rounds_planned",
        "deals_per_round",
        "target",
        "method",
        "leftover",
        "last_ranked",
        "pair_movement",
        "teammates_may_meet",
        "phones",
        "writing",
        "sit_out_score",
        "missed_score",
    ]

    def __init__(self, *args: Any, club: Club, own: Evening | None = None, **kwargs: Any) -> None:
        super().__init__(*args, club=club, **kwargs)
        self.own = own
        if own is None:
            self._follow_the_date()
        chosen = self.data.get("regulation", "")
        self.fields["regulation"].choices = regulation_choices(  # type: ignore[attr-defined]
            club, own, chosen
        )

    def _follow_the_date(self) -> None:
        """Leave the season to the date, unless the seasons have no days, or the earlier evening's
        has none."""
        if not self.club.seasons.exclude(starts=None, ends=None).exists():
            return
        date = None
        with suppress(ValidationError):
            date = self.fields["date"].clean(self["date"].value())
        self.fields["season"].offer_by_date(self.club, date)  # type: ignore[attr-defined]
        before = self.initial.get("season")
        if before is None or before.starts or before.ends:
            self.initial["season"] = BY_DATE

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        date = cleaned.get("date")
        cleaned["pair_movement"] = cleaned.get("pair_movement") or Movement.BY_PROGRAM
        if cleaned.get("season") == BY_DATE:
            cleaned["season"] = season_on(self.club, date) if date else None
        if date and not cleaned.get("second") and self._taken(date):
            self.fields["second"].widget = forms.CheckboxInput()
            self.add_error(
                "second",
                _("There is already an evening on this day. Tick this if you want another one."),
            )
        if fault := self._last_round_fault(cleaned):
            self.add_error("last_ranked", fault)
        return cleaned

    def _last_round_fault(self, cleaned: dict[str, Any]) -> str:
        method, rounds = cleaned.get("method"), cleaned.get("rounds_planned")
        if not (cleaned.get("last_ranked") and method and rounds):
            return ""
        return last_ranked_fault(method=method, rounds=rounds)

    def _taken(self, date: dt.date) -> bool:
        if self.own is not None and self.own.date == date:
            return False
        same_day = Evening.objects.of(self.club).filter(date=date)
        return same_day.exclude(state=Evening.State.CANCELLED).exists()


def regulation_choices(
    club: Club, own: Evening | None = None, chosen: str = ""
) -> list[tuple[str, str]]:
    """The newest versions of the club's own regulations, then the presets it does not use yet.

    The evening's own regulation and the one `chosen` in the form are always among them.
    """
    current = list(Regulation.objects.filter(club=club).current())
    if own and own.regulation and own.regulation not in current:
        current.append(own.regulation)
    language = reader_language()
    held = {regulation.name for regulation in current}
    presets = [
        (f"{PRESET}{key}", f"{preset_name(key, language)}: {preset_description(key, language)}")
        for key in PRESETS
        if preset_name(key, "nl") not in held or chosen == f"{PRESET}{key}"
    ]
    return [(str(regulation.pk), _version_name(regulation)) for regulation in current] + presets


def _version_name(regulation: Regulation) -> str:
    if regulation.version == 1:
        return regulation.name
    words = {"name": regulation.name, "version": regulation.version}
    return gettext("%(name)s, version %(version)s") % words


def initial_from(start: EveningStart, date: dt.date) -> dict[str, object]:
    """What a new evening on `date` begins with, as the form shows it."""
    regulation = start.regulation and str(start.regulation.pk)
    return {
        **start.plan,
        "date": date,
        "name": "",
        "season": start.season,
        "kind": start.kind,
        "regulation": regulation,
    }


def plan_of(evening: Evening) -> dict[str, object]:
    """The answers of this evening."""
    answers = {name: getattr(evening, name) for name in (*PLAN, "date", "name", "season", "kind")}
    return {**answers, "regulation": str(evening.regulation_id)}
