"""The forms with which a league is run, and those of line-ups."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy as _

from clubs.http.pages import ExplainedRadios
from clubs.models import Language
from clubs.text.names import tidy_name
from clubs.text.numbers import FIRST_DAY, LAST_DAY
from tournaments.leagues.lineup_queries import Chosen, line_up_places
from tournaments.leagues.ranked_results import TRUMPING, family_words
from tournaments.leagues.services import RULE
from tournaments.leagues.texts import TIE_NAMES
from tournaments.models import (
    LeaguePlayer,
    LeagueRanking,
    LeagueSeason,
    LeagueTeam,
    MatchDay,
)

MOST_TIES = 4
TYPED = {"autocomplete": "off"}
REASON = 200


def day_field(label: Any, *, required: bool = False, help_text: Any = "") -> forms.DateField:
    return forms.DateField(
        label=label,
        required=required,
        help_text=help_text,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        validators=[MinValueValidator(FIRST_DAY), MaxValueValidator(LAST_DAY)],
    )


def _time() -> forms.TimeField:
    return forms.TimeField(
        label=_("Start"),
        required=False,
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
    )


class LeagueForm(forms.Form):
    """A league's name and language."""

    name = forms.CharField(label=_("Name of the league"), max_length=100)
    language = forms.ChoiceField(
        label=_("Language"), choices=Language.choices, widget=forms.RadioSelect, initial="nl"
    )


class LeagueSettingsForm(LeagueForm):
    """The same of a league that is there."""

    version = forms.IntegerField(widget=forms.HiddenInput)


class LeaderForm(forms.Form):
    """Somebody else who is to lead the league."""

    email = forms.EmailField(
        label=_("E-mail address"),
        help_text=_(
            "They log in with this address. Who has no login yet makes a password by “Forgotten "
            "your password?” on the login page."
        ),
    )


class LeagueNameForm(forms.Form):
    """The name of a season or a division."""

    name = forms.CharField(label=_("Name"), max_length=60, widget=forms.TextInput(attrs=TYPED))


class DivisionForm(LeagueNameForm):
    """Another name for a division."""

    version = forms.IntegerField(widget=forms.HiddenInput)


class LeagueRuleForm(forms.ModelForm):  # type: ignore[type-arg]
    """How a season is played and counted; what decides between equal teams is chosen in order."""

    version = forms.IntegerField(widget=forms.HiddenInput)

    class Meta:
        model = LeagueSeason
        fields = [name for name in RULE if name != "ties"]
        widgets = {
            "meeting": forms.RadioSelect,
            "points": ExplainedRadios(
                hints={
                    "win_draw": _("Usual: 2, 1 and 0. You type what each is worth below."),
                    "tables_and_total": _("With two tables there are 3 points in a match."),
                    "rank_of_group": _("As in skat: the four teams of the day are compared."),
                    "victory_points": _("As in bridge: winning by more is worth more."),
                }
            ),
            "played_by": forms.RadioSelect,
            "regulation": forms.Textarea(attrs={"rows": 6}),
        }

    def __init__(self, data: Mapping[str, Any] | None = None, *, instance: LeagueSeason) -> None:
        super().__init__(data, instance=instance, initial={"version": instance.version})
        choices = [("", _("nothing more")), *TIE_NAMES.items()]
        for number in range(MOST_TIES):
            now = instance.ties[number] if number < len(instance.ties) else ""
            self.fields[f"tie_{number}"] = forms.ChoiceField(
                label=_("Equal match points, %(n)s: what decides?") % {"n": number + 1},
                choices=choices,
                initial=now,
                required=False,
            )
        after = list(self.fields)
        ties = [name for name in after if name.startswith("tie_")]
        rest = [name for name in after if name not in ties]
        place = rest.index("loss") + 1
        self.order_fields([*rest[:place], *ties, *rest[place:]])
        self.fields["higher_turns"].help_text = _(
            "Leave it empty if they may as often as they like. Nobody is refused: you decide."
        )
        self.fields["win"].help_text = _("Only with “for winning and for a draw”.")
        self.fields["regulation"].help_text = _("What else was agreed; everybody can read it.")

    def rule(self) -> dict[str, Any]:
        """The rule that was filled in, by its columns."""
        chosen = [self.cleaned_data[f"tie_{number}"] for number in range(MOST_TIES)]
        given = {name: self.cleaned_data[name] for name in RULE if name != "ties"}
        return {**given, "ties": [tie for tie in chosen if tie]}

    def _post_clean(self) -> None:
        """The service checks the whole; the season that was read stays as it is."""


class TeamsForm(forms.Form):
    """Teams, one a line."""

    teams = forms.CharField(
        label=_("Teams, one on each line"),
        help_text=_(
            "Type or paste them: the name, and after a semicolon or a tab the club. “De Azen 2” "
            "is of De Azen by itself, if that club is here."
        ),
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 8}),
    )


class LeagueTeamForm(forms.Form):
    """A team with its players, one a line."""

    name = forms.CharField(label=_("Name"), max_length=60)
    club = forms.CharField(
        label=_("Club"),
        max_length=100,
        required=False,
        help_text=_("Teams of one club do not meet, or on the first day where they must."),
    )
    players = forms.CharField(
        label=_("Fixed players, one on each line"),
        help_text=_(
            "Of a club on this server they are shown to everybody as their club shows them."
        ),
        max_length=5_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 6}),
    )
    reserves = forms.CharField(
        label=_("Reserves, one on each line"),
        max_length=5_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    version = forms.IntegerField(widget=forms.HiddenInput)

    @staticmethod
    def of(team: LeagueTeam) -> dict[str, Any]:
        """What is filled in to begin with."""
        players = list(team.players.all())
        return {
            "name": team.name,
            "club": team.club,
            "players": "\n".join(player.name for player in players if not player.is_reserve),
            "reserves": "\n".join(player.name for player in players if player.is_reserve),
            "version": team.version,
        }

    def names(self, field: str) -> list[str]:
        """The names that were typed, one a line."""
        lines = map(tidy_name, self.cleaned_data[field].splitlines())
        return [line for line in lines if line]


class WithdrawForm(forms.Form):
    """Why a team withdraws, and what becomes of what it played."""

    results_stand = forms.TypedChoiceField(
        label=_("What becomes of its matches?"),
        choices=[
            ("no", _("none of them count, for nobody")),
            ("yes", _("what was played counts, the rest is a walkover for the others")),
        ],
        coerce=lambda answer: answer == "yes",
        widget=forms.RadioSelect,
        initial="no",
    )
    reason = forms.CharField(label=_("Reason"), max_length=REASON)
    version = forms.IntegerField(widget=forms.HiddenInput)


class LeagueReasonForm(forms.Form):
    """Why something is done."""

    reason = forms.CharField(label=_("Reason"), max_length=REASON)
    version = forms.IntegerField(widget=forms.HiddenInput)


class FixturesForm(forms.Form):
    """When the match days are."""

    first = day_field(
        _("First match day"), help_text=_("Leave it empty if the days are not known.")
    )
    weeks = forms.IntegerField(
        label=_("Weeks from one match day to the next"), min_value=1, max_value=52, initial=2
    )
    starts_at = _time()
    seed = forms.IntegerField(min_value=0, max_value=999_999, widget=forms.HiddenInput)


class MoveForm(forms.Form):
    """Another date, time, host or place for a match day."""

    date = day_field(_("Date"))
    starts_at = _time()
    host = forms.ModelChoiceField(
        label=_("Host"), queryset=LeagueTeam.objects.none(), required=False, empty_label="–"
    )
    place = forms.CharField(label=_("Place"), max_length=100, required=False)
    reason = forms.CharField(label=_("Reason"), max_length=REASON)
    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, day: MatchDay, teams: Sequence[LeagueTeam]
    ) -> None:
        initial = {
            "date": day.date,
            "starts_at": day.starts_at,
            "host": day.host_id,
            "place": day.place,
            "version": day.version,
        }
        super().__init__(data, initial=initial)
        chosen = LeagueTeam.objects.filter(pk__in=[team.pk for team in teams])
        self.fields["host"].queryset = chosen  # type: ignore[attr-defined]
        self.fields["reason"].required = day.date is not None


# Events between servers.


# Numbers and rankings.


class PersonForm(forms.Form):
    """Which number of the league somebody has already, and its code; neither for a new number."""

    number = forms.IntegerField(
        label=_("Your league number"), required=False, min_value=1, max_value=999_999
    )
    code = forms.CharField(
        label=_("Its code"),
        required=False,
        max_length=20,
        help_text=_("Ten letters and digits, on the page of your link from the other club."),
        widget=forms.TextInput(attrs=TYPED),
    )


class RankingForm(forms.ModelForm):  # type: ignore[type-arg]
    """A ranking: what is ranked, of which results, and how."""

    family = forms.ChoiceField(label=_("Rules"), required=False)
    weights = forms.CharField(
        label=_("What the seasons count for, in percent"),
        help_text=_("The latest season that is over first, such as 100, 75, 50, 25."),
        max_length=60,
    )
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)

    class Meta:
        model = LeagueRanking
        fields = [
            "name",
            "system",
            "ranks",
            "family",
            "minimum_rounds",
            "months",
            "event_players",
            "event_rounds",
            "full",
            "half",
            "weights",
        ]
        widgets = {
            "system": ExplainedRadios(
                hints={
                    "mean": _("As in doppelkopf: points per round over some months."),
                    "best_of": _(
                        "As in bridge: the part of the field that somebody beats, of the best"
                        " evenings of a season; earlier seasons count for less."
                    ),
                    "strength": _("An estimate from who won at each table, against whom."),
                }
            ),
            "ranks": forms.RadioSelect,
        }

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        instance: LeagueRanking,
        families: Sequence[str],
    ) -> None:
        weights = ", ".join(map(str, instance.weights))
        initial: dict[str, Any] = {"version": instance.version, "weights": weights}
        if not instance.pk:
            initial["family"] = next(iter(families), f"{next(iter(TRUMPING))}-16")
        super().__init__(data, instance=instance, initial=initial)
        usual = [f"{name}-16" for name in TRUMPING]
        known = sorted({*families, *usual, instance.family} - {""})
        field: Any = self.fields["family"]
        field.choices = [("", family_words("")), *((key, family_words(key)) for key in known)]
        field.help_text = _("A mean of points is of one kind of rules only.")
        for name in ("months", "event_players", "event_rounds"):
            self.fields[name].help_text = _("Only with “the mean of points per round”.")
        for name in ("full", "half"):
            self.fields[name].help_text = _("Only with “the best results of each season”.")
        self.fields["minimum_rounds"].help_text = _("Not with “the best results of each season”.")

    def clean_weights(self) -> list[int]:
        """The weights as numbers."""
        words = self.cleaned_data["weights"].replace(",", " ").replace("%", " ").split()
        if not all(word.isdecimal() and len(word) <= 3 for word in words):
            raise forms.ValidationError(_("Type whole numbers with commas, such as 100, 75, 50."))
        return [int(word) for word in words]

    def _post_clean(self) -> None:
        """The service checks the whole; the ranking that was read stays as it is."""


class RankingDayForm(forms.Form):
    """The day of an official list, and the hash of what was `seen` of it."""

    on = day_field(_("As it stands on"), required=True)
    seen = forms.CharField(widget=forms.HiddenInput, required=False, max_length=64)


class LineUpForm(forms.Form):
    """Who plays at which table: of the team's list, or somebody else by name."""

    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        season: LeagueSeason,
        players: Sequence[LeaguePlayer],
        people: Sequence[Chosen | None],
        version: int,
    ) -> None:
        super().__init__(data, initial={"version": version})
        self.places = line_up_places(season)
        names = [player.name for player in players]
        choices: list[tuple[str, Any]] = [("", _("nobody, the place stays open"))]
        choices += [
            (player.name, _("%s (reserve)") % player.name if player.is_reserve else player.name)
            for player in players
        ]
        for (table, partner), person in zip(self.places, people, strict=True):
            words = {"table": table, "n": partner}
            listed = person.name if person and person.name in names else ""
            self.fields[f"seat_{table}_{partner}"] = forms.ChoiceField(
                label=_("Table %(table)s, partner %(n)s") % words,
                choices=choices,
                required=False,
                initial=listed,
            )
            self.fields[f"other_{table}_{partner}"] = forms.CharField(
                label=_("Or somebody else: a substitute"),
                max_length=100,
                required=False,
                initial=person.name if person and not listed else "",
                widget=forms.TextInput(attrs=TYPED),
            )
        self.order_fields([*(name for name in self.fields if name != "version"), "version"])

    def tables(self) -> Iterator[tuple[int, list[tuple[Any, Any]]]]:
        """Each table of the match with the fields of its two partners."""
        for table in sorted({table for table, _partner in self.places}):
            yield (
                table,
                [
                    (self[f"seat_{table}_{partner}"], self[f"other_{table}_{partner}"])
                    for partner in (1, 2)
                ],
            )

    def people(self) -> list[str]:
        """The names in the order of the places; empty where nobody plays."""
        return [
            self.cleaned_data[f"other_{table}_{partner}"]
            or self.cleaned_data[f"seat_{table}_{partner}"]
            for table, partner in self.places
        ]

    def clean(self) -> dict[str, Any]:
        """Names every place with two people."""
        for table, partner in self.places:
            seat, other = f"seat_{table}_{partner}", f"other_{table}_{partner}"
            if self.cleaned_data.get(seat) and self.cleaned_data.get(other):
                message = _("Two people are filled in. Choose “nobody” above, or empty this.")
                self.add_error(other, message)
        return self.cleaned_data


class AbsentForm(forms.Form):
    """Why a team did not appear, as the host heard it."""

    reason = forms.CharField(label=_("Reason"), max_length=REASON)
