"""The forms of matches: who plays, who is not there, and the results."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.leagues.forms import REASON, TYPED
from tournaments.leagues.lineup_queries import Chosen, line_up_places
from tournaments.models import (
    LeagueMatch,
    LeaguePlayer,
    LeagueSeason,
    LeagueTeam,
    LineUp,
)


class WalkoverForm(forms.Form):
    """Which team did not appear, and why."""

    team = forms.ModelChoiceField(
        label=_("Who did not appear?"),
        queryset=LeagueTeam.objects.none(),
        widget=forms.RadioSelect,
        empty_label=None,
    )
    reason = forms.CharField(label=_("Reason"), max_length=REASON)
    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, data: Mapping[str, Any] | None = None, *, match: LeagueMatch) -> None:
        super().__init__(data, initial={"version": match.version})
        both = LeagueTeam.objects.filter(pk__in=[match.home_id, match.away_id])
        self.fields["team"].queryset = both  # type: ignore[attr-defined]


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


class VerdictForm(forms.Form):
    """Whether somebody in a line-up was allowed to play, and why."""

    verdict = forms.ChoiceField(
        label=_("Is it allowed?"), choices=LineUp.Verdict.choices, widget=forms.RadioSelect
    )
    reason = forms.CharField(label=_("Reason"), max_length=REASON)
    version = forms.IntegerField(widget=forms.HiddenInput)


class AbsentForm(forms.Form):
    """Why a team did not appear, as the host heard it."""

    reason = forms.CharField(label=_("Reason"), max_length=REASON)


class ResultsForm(forms.Form):
    """The points of every match of a day: at each table, or one total for the match."""

    reason = forms.CharField(
        label=_("Reason for a correction"),
        help_text=_("Only needed if a result that was there becomes another."),
        max_length=REASON,
        required=False,
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        season: LeagueSeason,
        matches: Sequence[LeagueMatch],
    ) -> None:
        super().__init__(data)
        self.season, self.matches = season, matches
        for match in matches:
            self.fields[f"m{match.pk}_version"] = forms.IntegerField(
                required=False, initial=match.version, widget=forms.HiddenInput
            )
            for table in range(season.tables):
                for side, team in enumerate((match.home, match.away)):
                    points = match.scores[table][side] if table < len(match.scores) else None
                    self.fields[_cell(match, table, side)] = forms.IntegerField(
                        label=_("%(team)s, table %(table)s")
                        % {"team": team.name, "table": table + 1},
                        required=False,
                        min_value=0,
                        max_value=99_999,
                        initial=points,
                        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
                    )
        self.order_fields([*(name for name in self.fields if name != "reason"), "reason"])

    def lines(self) -> Iterator[tuple[LeagueMatch, list[tuple[Any, Any]]]]:
        """Each match with its fields: of each table the two teams'."""
        for match in self.matches:
            tables = range(self.season.tables)
            yield (
                match,
                [(self[_cell(match, table, 0)], self[_cell(match, table, 1)]) for table in tables],
            )

    def results(self) -> dict[int, list[tuple[int, int]]]:
        """What was filled in, by match; matches of which nothing was stay out."""
        found: dict[int, list[tuple[int, int]]] = {}
        for match in self.matches:
            cells = [
                [self.cleaned_data.get(_cell(match, table, side)) for side in (0, 1)]
                for table in range(self.season.tables)
            ]
            if any(points is not None for pair in cells for points in pair):
                found[match.pk] = [
                    (one, two) for one, two in cells if one is not None and two is not None
                ]
        return found

    def versions(self) -> dict[int, int]:
        """The versions at which the matches were read, by match."""
        return {
            match.pk: version
            for match in self.matches
            if (version := self.cleaned_data.get(f"m{match.pk}_version")) is not None
        }

    def clean(self) -> dict[str, Any]:
        """Names every table where one of the two is missing."""
        for match in self.matches:
            for table in range(self.season.tables):
                cells = [_cell(match, table, side) for side in (0, 1)]
                empty = [name for name in cells if self.cleaned_data.get(name) is None]
                if len(empty) == 1 and empty[0] not in self.errors:
                    self.add_error(empty[0], _("Fill in this one too."))
        return self.cleaned_data


def _cell(match: LeagueMatch, table: int, side: int) -> str:
    return f"m{match.pk}_{table}_{side}"
