"""The form of a standing, and what a new season asks of its first one."""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from tournaments.models import Evening
from tournaments.standings.core.metrics import RANK_BY, SEASON_TIE_BREAKS
from tournaments.standings.core.rule_json import InvalidRule, RuleFault, parse_season_rule
from tournaments.standings.texts import metric_words

FEWEST_PERIODS, SPARE_PERIODS, MOST_PERIODS = 8, 2, 60
FEWEST_TIES = 5
MOST_POINTS = 99_999

Data = Mapping[str, Any]

_FAULTS = {
    "period_order": _("The last day must not be before the first day."),
    "period_overlap": _("These days overlap those of another period."),
    "bad_type": _("Fill in both days, or none."),
    "duplicate": _("This is already chosen above."),
}


def day_input() -> forms.DateInput:
    """A date that browsers help to choose."""
    return forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})


def number_input() -> forms.NumberInput:
    """A whole number, with digits on a phone's keyboard."""
    return forms.NumberInput(attrs={"inputmode": "numeric"})


def form_data(settings: Data) -> dict[str, Any]:
    """These settings as the fields show them."""
    absence = settings.get("absence") or {}
    notice = absence.get("with_notice")
    return {
        "best": settings.get("best_per_period"),
        "aggregate": settings.get("aggregate", "sum"),
        "rank_by": settings.get("rank_by") or "",
        "minimum": settings.get("minimum_evenings") or None,
        "ranks": settings.get("ranks", "player"),
        "team_best": (settings.get("team") or {}).get("best"),
        "best_periods": settings.get("best_periods"),
        "excluded": settings.get("excluded", []),
        "with_notice": _notice_kind(notice),
        "notice_points": notice if isinstance(notice, int) else None,
        "without_notice": absence.get("without_notice", 0),
        "may_be_dropped": absence.get("may_be_dropped", False),
        **_period_fields(settings.get("periods") or []),
        **{f"tie_{at}": tie for at, tie in enumerate(settings.get("tie_breaks", []), start=1)},
    }


def rule_settings(answers: Data, periods: Sequence[int], ties: Sequence[int]) -> dict[str, object]:
    """The settings that were filled in; `periods` and `ties` are the rows that have something."""
    spans = [
        [_iso(answers.get(f"period_{row}_{end}")) for end in ("from", "to")] for row in periods
    ]
    return {
        "periods": spans or None,
        "best_per_period": answers.get("best"),
        "best_periods": answers.get("best_periods") if spans else None,
        "aggregate": answers.get("aggregate") or "sum",
        "rank_by": answers.get("rank_by") or None,
        "minimum_evenings": answers.get("minimum") or 0,
        "ranks": answers.get("ranks") or "player",
        "team": {"best": answers.get("team_best") if answers.get("ranks") == "team" else None},
        "excluded": answers.get("excluded") or [],
        "absence": {
            "with_notice": _notice(answers),
            "without_notice": answers.get("without_notice") or 0,
            "may_be_dropped": bool(answers.get("may_be_dropped")),
        },
        "tie_breaks": [answers[f"tie_{row}"] for row in ties],
    }


def period_rows(data: Data, settings: Data) -> range:
    """The numbers of the rows for periods: those there are and a few to fill in."""
    sent = [int(key.split("_")[1]) for key in data if _is_period(key)]
    wanted = max([len(settings.get("periods") or []) + SPARE_PERIODS, *sent])
    return range(1, 1 + min(max(FEWEST_PERIODS, wanted), MOST_PERIODS))


def tie_rows(settings: Data) -> range:
    """The numbers of the rows for what decides equal points."""
    return range(1, 1 + max(FEWEST_TIES, len(settings.get("tie_breaks", []))))


def _is_period(key: str) -> bool:
    kind, *number = key.split("_")
    return kind == "period" and number[:1] != [] and number[0].isdecimal() and len(number[0]) < 4


def _period_fields(periods: Sequence[Sequence[str]]) -> dict[str, str]:
    return {
        f"period_{row}_{end}": day
        for row, span in enumerate(periods, start=1)
        for end, day in zip(("from", "to"), span, strict=True)
    }


def _notice_kind(notice: object) -> str:
    if notice is None:
        return "nothing"
    return "lowest" if notice == "lowest" else "fixed"


def _notice(answers: Data) -> object:
    kind = answers.get("with_notice")
    return (
        answers.get("notice_points") if kind == "fixed" else "lowest" if kind == "lowest" else None
    )


def _iso(day: dt.date | None) -> str | None:
    return day.isoformat() if day else None


class CountingForm(forms.Form):
    """What counts in a standing: the questions that a new season asks as well."""

    best = forms.IntegerField(
        label=_("How many of the best evenings count?"),
        help_text=_("Leave empty to let every evening count."),
        required=False,
        min_value=1,
        max_value=366,
        widget=number_input(),
    )
    aggregate = forms.ChoiceField(
        label=_("What is the score of the season?"),
        choices=[
            ("sum", _("the sum of those evenings")),
            ("mean_per_evening", _("the mean per evening")),
            ("mean_per_round", _("the mean per round, with two decimals")),
        ],
        widget=forms.RadioSelect,
        initial="sum",
    )
    minimum = forms.IntegerField(
        label=_("How many evenings must a player attend to get a place?"),
        help_text=_("Leave empty if one is enough."),
        required=False,
        min_value=0,
        max_value=366,
        widget=number_input(),
    )
    ranks = forms.ChoiceField(
        label=_("Who is in this standing?"),
        choices=[
            ("player", _("everybody by themselves")),
            ("pair", _("fixed pairs: one line for the two, whoever plays for them")),
            ("team", _("teams, such as of companies")),
        ],
        widget=forms.RadioSelect,
        initial="player",
        required=False,
    )
    team_best = forms.IntegerField(
        label=_("How many players of a team count on an evening?"),
        help_text=_("Only for teams; leave empty to add up all its pairs."),
        required=False,
        min_value=1,
        max_value=99,
        widget=number_input(),
    )
    with_notice = forms.ChoiceField(
        label=_("What does a player get who signed off?"),
        choices=[
            ("nothing", _("nothing: the evening does not count for them")),
            ("lowest", _("the lowest score of that evening")),
            ("fixed", _("this many points:")),
        ],
        widget=forms.RadioSelect,
        initial="nothing",
    )
    notice_points = forms.IntegerField(
        label=_("Points for players who signed off"),
        required=False,
        min_value=-MOST_POINTS,
        max_value=MOST_POINTS,
        widget=number_input(),
    )
    without_notice = forms.IntegerField(
        label=_("What does a player get who stays away without notice?"),
        help_text=_("Usually 0. It cannot be dropped, unless you tick that below."),
        required=False,
        min_value=-MOST_POINTS,
        max_value=MOST_POINTS,
        widget=number_input(),
    )
    may_be_dropped = forms.BooleanField(
        label=_("An evening stayed away from without notice may be dropped"),
        required=False,
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        pit: str,
        settings: Mapping[str, Any],
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(data, initial={**form_data(settings), **(initial or {})})
        self._tie_rows = tie_rows(settings)
        ties = [("", "–"), *((key, metric_words(key, pit)) for key in SEASON_TIE_BREAKS)]
        for row in self._tie_rows:
            label = _("%(n)s. Ties are broken by") % {"n": row}
            field = forms.ChoiceField(label=label, choices=ties, required=False)
            self.fields[f"tie_{row}"] = field

    @property
    def ties(self) -> Iterator[forms.BoundField]:
        """What decides equal points, in order."""
        return (self[f"tie_{row}"] for row in self._tie_rows)

    def settings(self) -> dict[str, object]:
        """The rule's settings as they were filled in; the form must be valid."""
        return rule_settings(self.cleaned_data, self._whole_periods(), self._chosen_ties())

    def clean_notice_points(self) -> int | None:
        """The points; ValidationError where points are to be given and none were filled in."""
        points: int | None = self.cleaned_data["notice_points"]
        if self.cleaned_data.get("with_notice") == "fixed" and points is None:
            raise ValidationError(_("Fill in how many points."), code="required")
        return points

    def clean(self) -> None:
        """Add what the ranking finds wrong, each fault beside its question."""
        fields = {
            "periods": [f"period_{row}_to" for row in self._whole_periods()],
            "tie_breaks": [f"tie_{row}" for row in self._chosen_ties()],
        }
        try:
            parse_season_rule(self.settings())
        except InvalidRule as invalid:
            for fault in invalid.faults:
                self._add_fault(fault, fields)

    def _add_fault(self, fault: RuleFault, fields: Mapping[str, Sequence[str]]) -> None:
        kind, *at = fault.path.split(".")
        field = fields[kind][int(at[0])] if kind in fields else None
        if field and not self.has_error(field):
            self.add_error(field, _FAULTS[fault.code])

    def _whole_periods(self) -> list[int]:
        """The rows of the periods in which something stands that can be read; here there are
        none."""
        return []

    def _chosen_ties(self) -> list[int]:
        return [row for row in self._tie_rows if self.cleaned_data.get(f"tie_{row}")]


class StandingForm(CountingForm):
    """What counts in a standing, and how places follow from it. `evenings` are the season's; once
    the standing has results, `reason` says why what counts is changed."""

    reason = forms.CharField(
        label=_("Why is this changed?"),
        help_text=_(
            "Needed if you change what counts, since results count already by this rule. Everybody"
            " can read it, with today's date, beside the standing."
        ),
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    name = forms.CharField(
        label=_("What is this standing called?"),
        max_length=60,
        help_text=_("Such as “Best 5 of 7” or “Most pits”."),
    )
    rank_by = forms.ChoiceField(
        label=_("What decides the place?"),
        help_text=_("Leave it as it is, unless this standing is about something else."),
        required=False,
    )
    best_periods = forms.IntegerField(
        label=_("How many of the best periods count?"),
        help_text=_("Leave empty to let every period count."),
        required=False,
        min_value=1,
        max_value=MOST_PERIODS,
        widget=number_input(),
    )
    excluded = forms.MultipleChoiceField(
        label=_("Which evenings do not count?"),
        help_text=_("Such as the prize night. Tick what does not count."),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        evenings: Sequence[Evening],
        pit: str,
        settings: Mapping[str, Any],
        name: str = "",
        is_frozen: bool = False,
    ) -> None:
        super().__init__(data, pit=pit, settings=settings, initial={"name": name})
        if not is_frozen:
            del self.fields["reason"]
        self.fields["best"].help_text = _(
            "Leave empty to let every evening count. With periods: in each period."
        )
        self._period_rows = period_rows(data or {}, settings)
        self._offer_evenings(evenings, settings.get("excluded", []))
        by = [(key, metric_words(key, pit)) for key in RANK_BY]
        usual = ("", _("the score of the season"))
        self.fields["rank_by"].choices = [usual, *by]  # type: ignore[attr-defined]
        for row in self._period_rows:
            self._add_period(row)

    @property
    def periods(self) -> Iterator[tuple[forms.BoundField, forms.BoundField]]:
        """The fields of each period: its first and its last day."""
        return ((self[f"period_{row}_from"], self[f"period_{row}_to"]) for row in self._period_rows)

    @property
    def has_periods(self) -> bool:
        """Whether anything stands in one of the periods."""
        return any(bound.value() for ends in self.periods for bound in ends)

    def _whole_periods(self) -> list[int]:
        """The rows of the periods in which something stands that can be read."""
        ends = {row: (f"period_{row}_from", f"period_{row}_to") for row in self._period_rows}
        return [
            row
            for row, (first, last) in ends.items()
            if not (first in self.errors or last in self.errors)
            and (self.cleaned_data.get(first) or self.cleaned_data.get(last))
        ]

    def _offer_evenings(self, evenings: Sequence[Evening], excluded: Sequence[str]) -> None:
        there = {evening.slug: _evening_words(evening) for evening in evenings}
        gone = {slug: slug for slug in excluded if slug not in there}
        choices = [*there.items(), *gone.items()]
        self.fields["excluded"].choices = choices  # type: ignore[attr-defined]

    def _add_period(self, row: int) -> None:
        for end, label in (
            ("from", _("Period %(n)s from")),
            ("to", _("Period %(n)s up to and including")),
        ):
            self.fields[f"period_{row}_{end}"] = forms.DateField(
                label=label % {"n": row}, required=False, widget=day_input()
            )


def _evening_words(evening: Evening) -> str:
    day = date_format(evening.date, "l j F Y")
    return f"{day} · {evening.name}" if evening.name else day
