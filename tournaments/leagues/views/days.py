"""The pages with which a league's match days are run, with their forms: fixtures, moving a day,
results."""

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from clubs.access.permissions import actor_of
from clubs.http.pages import ConfirmedAction, typed
from clubs.text.errors import DomainError
from clubs.text.numbers import whole_number
from tournaments.evenings.pages import refusals_shown
from tournaments.leagues.core.fixtures import Fixtures
from tournaments.leagues.event_notes import notes_in_words
from tournaments.leagues.exchange import brought_from_elsewhere
from tournaments.leagues.forms import REASON, FixturesForm, LeagueReasonForm, MoveForm
from tournaments.leagues.lineup_queries import answer_due, line_ups_of, visitors_of
from tournaments.leagues.lineups import line_up_judge
from tournaments.leagues.matches import (
    MOST_SEED,
    fixtures_draw,
    fixtures_preview,
    fixtures_take_back,
    match_day_move,
    result_take_away,
    results_write,
    score_doubts,
    teams_of,
    walkover_write,
)
from tournaments.leagues.permissions import (
    find_division,
    find_line_up,
    find_match,
    find_match_day,
    leader_view,
)
from tournaments.leagues.queries import ShownDay, evening_of, shown_days
from tournaments.leagues.results import differences, match_day_bind, match_day_take_over
from tournaments.leagues.services import require_undrawn
from tournaments.leagues.views.captain import marks_in_words
from tournaments.leagues.views.league import asked, read_or_write, saved, shown
from tournaments.models import (
    Division,
    League,
    LeagueMatch,
    LeagueSeason,
    LeagueTeam,
    LineUp,
    MatchAnswer,
    MatchDay,
)


class WalkoverForm(forms.Form):
    """Which team did not appear, and why."""

    team = forms.ModelChoiceField(
        label=gettext_lazy("Who did not appear?"),
        queryset=LeagueTeam.objects.none(),
        widget=forms.RadioSelect,
        empty_label=None,
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=REASON)
    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, data: Mapping[str, Any] | None = None, *, match: LeagueMatch) -> None:
        super().__init__(data, initial={"version": match.version})
        both = LeagueTeam.objects.filter(pk__in=[match.home_id, match.away_id])
        self.fields["team"].queryset = both  # type: ignore[attr-defined]


class VerdictForm(forms.Form):
    """Whether somebody in a line-up was allowed to play, and why."""

    verdict = forms.ChoiceField(
        label=gettext_lazy("Is it allowed?"),
        choices=LineUp.Verdict.choices,
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=REASON)
    version = forms.IntegerField(widget=forms.HiddenInput)


class ResultsForm(forms.Form):
    """The points of every match of a day: at each table, or one total for the match."""

    reason = forms.CharField(
        label=gettext_lazy("Reason for a correction"),
        help_text=gettext_lazy("Only needed if a result that was there becomes another."),
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
                        label=gettext_lazy("%(team)s, table %(table)s")
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
                    self.add_error(empty[0], gettext_lazy("Fill in this one too."))
        return self.cleaned_data


def _cell(match: LeagueMatch, table: int, side: int) -> str:
    return f"m{match.pk}_{table}_{side}"


def find_day(league: League, pk: int) -> ShownDay:
    """The match day of this league with this id, with its matches; or Http404."""
    day = find_match_day(league, pk)
    return shown_days(MatchDay.objects.filter(pk=day.pk))[0]


@leader_view
@read_or_write
def league_fixtures(request: HttpRequest, league: League, division: int) -> HttpResponse:
    """Who meets whom on which day, as a number draws it: shown first, then made."""
    found = find_division(league, division)
    asked_for = whole_number(request.GET.get("seed", ""), otherwise=-1)
    seed = asked_for if 0 <= asked_for <= MOST_SEED else random.randint(0, MOST_SEED)  # noqa: S311
    form = FixturesForm(typed(request), initial={"seed": seed, "weeks": 2})
    if form.is_bound and form.is_valid():
        seed = form.cleaned_data["seed"]
    if saved(
        form, lambda: fixtures_draw(division=found, actor=actor_of(request), **form.cleaned_data)
    ):
        messages.success(request, _("The fixtures are made. Everybody can read them now."))
        return redirect("division_desk", league.slug, found.pk)
    fixtures, refused = _preview(found, seed)
    return shown(
        request,
        "fixtures.html",
        league,
        form=form,
        division=found,
        fixtures=fixtures,
        refused=refused,
        seed=seed,
        another=random.randint(0, MOST_SEED),  # noqa: S311
    )


@leader_view
@require_POST
def match_day_take(request: HttpRequest, league: League, day: int) -> HttpResponse:
    """Take the results over from the evening at the host."""
    found = find_day(league, day).day
    with refusals_shown(request):
        taken, elsewhere = match_day_take_over(day=found, actor=actor_of(request))
        said = ngettext("%(n)s result is taken over.", "%(n)s results are taken over.", taken)
        messages.success(request, said % {"n": taken})
        for match in elsewhere:
            messages.warning(request, _seated_otherwise(match))
    return redirect("match_day_desk", league.slug, found.pk)


def _seated_otherwise(match: LeagueMatch) -> str:
    return _(
        "Round %(n)s, %(match)s: others sat at these tables than the fixtures say. This result was"
        " not taken over; look it up and type it."
    ) % {"n": match.round, "match": match}


@leader_view
@require_POST
def match_day_final(request: HttpRequest, league: League, day: int) -> HttpResponse:
    """Make the results binding."""
    shown_day = find_day(league, day)
    versions = {
        match.pk: whole_number(request.POST[name])
        for match in shown_day.matches
        if (name := f"bind_{match.pk}") in request.POST
    }
    with refusals_shown(request):
        bound = match_day_bind(day=shown_day.day, versions=versions, actor=actor_of(request))
        said = ngettext("%(n)s result is binding now.", "%(n)s results are binding now.", bound)
        messages.success(request, said % {"n": bound})
    return redirect("match_day_desk", league.slug, shown_day.day.pk)


def _preview(division: Division, seed: int) -> tuple[Fixtures | None, str]:
    try:
        require_undrawn(division)
        return fixtures_preview(division, seed), ""
    except DomainError as error:
        return None, error.message


@leader_view
@read_or_write
def league_fixtures_undo(request: HttpRequest, league: League, division: int) -> HttpResponse:
    """Ask, then take the fixtures back, as long as there is no result."""
    found = find_division(league, division)
    back = reverse("division_desk", args=[league.slug, found.pk])

    def act() -> str:
        fixtures_take_back(division=found, actor=actor_of(request))
        return _("The fixtures are taken back. You can change the teams and draw again.")

    said = _("All match days of %(name)s go, with the dates that were moved.")
    return asked(
        request,
        league,
        ConfirmedAction(
            title=_("Take the fixtures back?"),
            text=said % {"name": found.name},
            yes=_("Yes, take them back"),
            back_url=back,
            act=act,
            next_url=back,
        ),
    )


@leader_view
@read_or_write
def match_day_desk(request: HttpRequest, league: League, day: int) -> HttpResponse:
    """The matches of a day, and their results to type in."""
    found = find_day(league, day)
    season = found.day.division.season
    form = ResultsForm(typed(request), season=season, matches=found.matches)
    written: list[int] = []

    def write() -> None:
        written.append(
            results_write(
                day=found.day,
                results=form.results(),
                versions=form.versions(),
                reason=form.cleaned_data["reason"],
                actor=actor_of(request),
            )
        )

    if saved(form, write):
        said = ngettext("%(n)s result is saved.", "%(n)s results are saved.", written[0])
        messages.success(request, said % {"n": written[0]})
        for match in find_day(league, day).matches:
            for doubt in score_doubts(season, match):
                messages.warning(request, doubt)
        return redirect("match_day_desk", league.slug, found.day.pk)
    evening = evening_of(found.day)
    return shown(
        request,
        "day_desk.html",
        league,
        form=form,
        shown_day=found,
        season=season,
        lines=list(form.lines()),
        evening=evening,
        waiting=_waiting(found),
        line_ups=[
            (line_up, marks_in_words(line_up))
            for line_up in line_ups_of(found.matches).values()
            if any(seat.marks for seat in line_up.seats.all())
        ],
        differences=differences(found.day, evening),
        brought=[
            (event, source, notes_in_words(event.notes))
            for event, source in brought_from_elsewhere(found.day)
        ],
    )


def _waiting(shown_day: ShownDay) -> list[dict[str, Any]]:
    """The results that are not binding, each with what its visitors said, who of them said nothing
    yet, and until when they can."""
    season = shown_day.day.division.season
    matches = [match for match in shown_day.matches if match.is_over and not match.binding]
    answers = MatchAnswer.objects.filter(match__in=matches)
    said: dict[int, list[MatchAnswer]] = {match.pk: [] for match in matches}
    by_id = {match.pk: match for match in matches}
    for answer in answers:
        answer.match = by_id[answer.match_id]
        said[answer.match_id].append(answer)
    return [
        {
            "match": match,
            "answers": said[match.pk],
            "objected": any(not answer.agrees for answer in said[match.pk]),
            "silent": [
                match.team_of(side)
                for side in visitors_of(match, shown_day.day.host_id)
                if side not in {answer.side for answer in said[match.pk]}
            ],
            "due": answer_due(match, season),
        }
        for match in matches
    ]


@leader_view
@read_or_write
def match_day_change(request: HttpRequest, league: League, day: int) -> HttpResponse:
    """Another date, time, host or place; afterwards it says whom to tell."""
    found = find_day(league, day)
    teams = teams_of(found.day)
    form = MoveForm(typed(request), day=found.day, teams=teams)
    if saved(
        form, lambda: match_day_move(day=found.day, actor=actor_of(request), **form.cleaned_data)
    ):
        messages.success(request, _moved(found.day, [team.name for team in teams]))
        return redirect("match_day_desk", league.slug, found.day.pk)
    now = find_day(league, day)
    return shown(request, "day_move.html", league, form=form, shown_day=now, teams=teams)


def _moved(day: MatchDay, teams: list[str]) -> str:
    when = date_format(day.date, "l j F Y") if day.date else _("a date that is not known yet")
    return _(
        "Match day %(n)s is on %(when)s now; the public pages and the calendar say so. Tell it to:"
        " %(teams)s."
    ) % {"n": day.number, "when": when, "teams": ", ".join(teams)}


@leader_view
@read_or_write
def match_walkover(request: HttpRequest, league: League, match: int) -> HttpResponse:
    """Ask which team did not appear, and why."""
    found = find_match(league, match)
    form = WalkoverForm(typed(request), match=found)
    back = reverse("match_day_desk", args=[league.slug, found.day_id])

    def act() -> str:
        walkover_write(match=found, actor=actor_of(request), **form.cleaned_data)
        absent: LeagueTeam = form.cleaned_data["team"]
        return _("That %s did not appear is written.") % absent.name

    text = _("They score 0; the other team gets the mean of its own matches.")
    if found.scores:
        text += " " + _("The result that is there goes.")
    return asked(
        request,
        league,
        ConfirmedAction(
            title=_("%(match)s: a team did not appear") % {"match": found},
            text=text,
            yes=_("Write it down"),
            back_url=back,
            act=act,
            next_url=back,
            form=form,
        ),
    )


@leader_view
@read_or_write
def match_clear(request: HttpRequest, league: League, match: int) -> HttpResponse:
    """Ask why, then take a result away."""
    found = find_match(league, match)
    form = LeagueReasonForm(typed(request), initial={"version": found.version})
    back = reverse("match_day_desk", args=[league.slug, found.day_id])
    take = partial(result_take_away, match=found, actor=actor_of(request))

    def act() -> str:
        take(**form.cleaned_data)
        return _("The result is taken away; the log keeps what it was.")

    return asked(
        request,
        league,
        ConfirmedAction(
            title=_("%(match)s: take the result away?") % {"match": found},
            text=_("The match is then still to be played. The log keeps what it was."),
            yes=_("Yes, take it away"),
            back_url=back,
            act=act,
            next_url=back,
            form=form,
        ),
    )


@leader_view
@read_or_write
def line_up_verdict(request: HttpRequest, league: League, line_up: int) -> HttpResponse:
    """Ask whether somebody in a line-up was allowed to play, and why."""
    found = find_line_up(league, line_up)
    initial = {"version": found.version, "verdict": found.verdict, "reason": found.verdict_why}
    form = VerdictForm(typed(request), initial=initial)
    back = reverse("match_day_desk", args=[league.slug, found.match.day_id])

    def act() -> str:
        line_up_judge(line_up=found, actor=actor_of(request), **form.cleaned_data)
        if found.verdict == LineUp.Verdict.ALLOWED:
            return _("The line-up of %s is allowed.") % found.team.name
        return (
            _(
                "The line-up of %s is not allowed. What follows from it you write yourself: a"
                " correction, or that the team did not appear."
            )
            % found.team.name
        )

    title = _("%(team)s in round %(n)s: is this line-up allowed?")
    return asked(
        request,
        league,
        ConfirmedAction(
            title=title % {"team": found.team.name, "n": found.match.round},
            text=" ".join(f"{words}." for words in marks_in_words(found)),
            yes=_("Write it down"),
            back_url=back,
            act=act,
            next_url=back,
            safe=True,
            form=form,
        ),
    )
