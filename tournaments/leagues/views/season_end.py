"""The pages on which match points are taken off, a club leaves, and the next season is made."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from clubs.access.permissions import actor_of
from clubs.http.pages import ConfirmedAction, typed
from clubs.text.errors import DomainError
from tournaments.leagues.core.fixtures import MOST_TEAMS
from tournaments.leagues.files import match_forms_pdf
from tournaments.leagues.forms import REASON, TYPED, WithdrawForm
from tournaments.leagues.permissions import (
    find_league_season,
    find_league_team,
    find_penalty,
    leader_view,
)
from tournaments.leagues.queries import evening_of
from tournaments.leagues.results import matches_on_paper
from tournaments.leagues.season_end import (
    NextPlan,
    NextWishes,
    club_leave,
    clubs_in,
    days_without_host,
    next_plan,
    next_season_of,
    penalty_give,
    penalty_take_back,
    roll_over_undo,
    season_roll_over,
    usual_wishes,
    years_later,
)
from tournaments.leagues.teams import team_lines, team_reinstate, team_withdraw
from tournaments.leagues.texts import move_words
from tournaments.leagues.views.days import find_day
from tournaments.leagues.views.league import asked, read_or_write, saved, shown
from tournaments.models import Division, League, LeagueSeason, LeagueTeam
from tournaments.printing.views import pdf_answer


class PenaltyForm(forms.Form):
    """How many match points are taken off a team, and why."""

    points = forms.DecimalField(
        label=gettext_lazy("Match points off"),
        min_value=0,
        max_value=100,
        max_digits=5,
        decimal_places=2,
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Everybody reads it below the table."),
        max_length=REASON,
    )


class OnlyReasonForm(forms.Form):
    """Why something is done that is there or not."""

    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=REASON)


class ClubLeavesForm(WithdrawForm):
    """Which club leaves, why, and what becomes of its matches."""

    version = None  # type: ignore[assignment]
    club = forms.ChoiceField(label=gettext_lazy("Which club?"))

    def __init__(self, data: Mapping[str, Any] | None = None, *, clubs: Sequence[str]) -> None:
        super().__init__(data)
        self.fields["club"].choices = [(club, club) for club in clubs]  # type: ignore[attr-defined]
        self.order_fields(["club"])


class NextSeasonForm(forms.Form):
    """The next season: its name, who stops, and of each division its size and its new teams."""

    name = forms.CharField(
        label=gettext_lazy("Name of the next season"),
        max_length=60,
        widget=forms.TextInput(attrs=TYPED),
    )
    stop = forms.ModelMultipleChoiceField(
        label=gettext_lazy("Which teams stop?"),
        queryset=LeagueTeam.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    although_open = forms.BooleanField(
        label=gettext_lazy("Make it although matches have no result yet"), required=False
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        season: LeagueSeason,
        divisions: Sequence[Division],
        wishes: NextWishes,
        name: str,
    ) -> None:
        super().__init__(data, initial={"name": name, "stop": list(wishes.stop)})
        self.divisions = divisions
        teams = LeagueTeam.objects.filter(division__season=season)
        self.fields["stop"].queryset = teams.order_by(  # type: ignore[attr-defined]
            "division__position", "name"
        )
        for division in divisions:
            words = {"division": division.name}
            enter = wishes.enter.get(division.pk, ())
            self.fields[f"size_{division.pk}"] = forms.IntegerField(
                label=gettext_lazy("%(division)s: how many teams?") % words,
                min_value=0,
                max_value=MOST_TEAMS,
                initial=wishes.sizes.get(division.pk),
            )
            self.fields[f"enter_{division.pk}"] = forms.CharField(
                label=gettext_lazy("%(division)s: new teams, one on each line") % words,
                required=False,
                max_length=5_000,
                initial="\n".join(
                    f"{line.name}; {line.club}" if line.club else line.name for line in enter
                ),
                widget=forms.Textarea(attrs={"rows": 2}),
            )
        self.order_fields(["name", "stop", *self._of_divisions(), "although_open", "seen"])

    def _of_divisions(self) -> list[str]:
        return [name for name in self.fields if name.startswith(("size_", "enter_"))]

    def wishes(self) -> NextWishes:
        """What was filled in."""
        given = self.cleaned_data
        return NextWishes(
            frozenset(team.pk for team in given["stop"]),
            {each.pk: team_lines(given[f"enter_{each.pk}"]) for each in self.divisions},
            {each.pk: given[f"size_{each.pk}"] for each in self.divisions},
        )


# A team that withdraws, a club that leaves, match points off.


@leader_view
@read_or_write
def league_team_withdraw(request: HttpRequest, league: League, team: int) -> HttpResponse:
    """Ask what becomes of its matches, then let a team withdraw."""
    found = find_league_team(league, team)
    form = WithdrawForm(typed(request), initial={"version": found.version})

    def act() -> str:
        team_withdraw(team=found, actor=actor_of(request), **form.cleaned_data)
        return _("%s has withdrawn. You can undo that on the page of the team.") % found.name

    return asked(
        request,
        league,
        ConfirmedAction(
            title=_("%s withdraws?") % found.name,
            text=_("The table changes at once. Nothing is thrown away: you can undo this."),
            yes=_("Yes, it withdraws"),
            back_url=reverse("league_team_edit", args=[league.slug, found.pk]),
            act=act,
            next_url=reverse("league_team_edit", args=[league.slug, found.pk]),
            form=form,
        ),
    )


@leader_view
@require_POST
def league_team_reinstate(request: HttpRequest, league: League, team: int) -> HttpResponse:
    """A team that withdrew plays on."""
    found = find_league_team(league, team)
    try:
        team_reinstate(team=found, actor=actor_of(request))
        messages.success(request, _("%s plays on; all its results count again.") % found.name)
    except DomainError as error:
        messages.error(request, error.message)
    return redirect("league_team_edit", league.slug, found.pk)


@leader_view
@read_or_write
def league_penalty_new(request: HttpRequest, league: League, team: int) -> HttpResponse:
    """Take match points off a team."""
    found = find_league_team(league, team)
    form = PenaltyForm(typed(request))
    if saved(form, lambda: penalty_give(team=found, actor=actor_of(request), **form.cleaned_data)):
        messages.success(request, _("The match points are off; the table says why."))
        return redirect("league_team_edit", league.slug, found.pk)
    back = reverse("league_team_edit", args=[league.slug, found.pk])
    title = _("Take match points off %s") % found.name
    return shown(request, "form_page.html", league, form=form, title=title, back_url=back)


@leader_view
@read_or_write
def league_penalty_remove(request: HttpRequest, league: League, penalty: int) -> HttpResponse:
    """Ask why, then give the match points back."""
    found = find_penalty(league, penalty)
    form = OnlyReasonForm(typed(request))
    back = reverse("league_team_edit", args=[league.slug, found.team_id])

    def act() -> str:
        penalty_take_back(penalty=found, actor=actor_of(request), **form.cleaned_data)
        return _("%s has its match points back; the log keeps why they were off.") % found.team.name

    return asked(
        request,
        league,
        ConfirmedAction(
            title=_("Give the match points back?"),
            text=_("They were taken off for: %(why)s") % {"why": found.reason},
            yes=_("Yes, give them back"),
            back_url=back,
            act=act,
            next_url=back,
            form=form,
        ),
    )


@leader_view
@read_or_write
def league_club_leaves(request: HttpRequest, league: League, league_season: str) -> HttpResponse:
    """All teams of a club withdraw at once."""
    season = find_league_season(league, league_season)
    form = ClubLeavesForm(typed(request), clubs=clubs_in(season))
    back = reverse("league_season_desk", args=[league.slug, season.slug])

    def act() -> str:
        teams = club_leave(season=season, actor=actor_of(request), **form.cleaned_data)
        said = ngettext("%(n)s team has withdrawn", "%(n)s teams have withdrawn", len(teams))
        names = ", ".join(team.name for team in teams)
        words = f"{said % {'n': len(teams)}}: {names}."
        if days_without_host(season):
            words += " " + _("Choose another host for the match days that it was to host.")
        return words

    return asked(
        request,
        league,
        ConfirmedAction(
            title=_("A club leaves"),
            text=_(
                "All its teams withdraw. The tables change at once. Nothing is thrown away: you can"
                " undo it for each team."
            ),
            yes=_("Yes, it leaves"),
            back_url=back,
            act=act,
            next_url=back,
            form=form,
        ),
    )


@leader_view
@read_or_write
def league_next_season(request: HttpRequest, league: League, league_season: str) -> HttpResponse:
    """The next season as it would be, division by division with the reason; then it is made."""
    season = find_league_season(league, league_season)
    divisions = list(season.divisions.all())
    made, usual = next_season_of(season), usual_wishes(season)
    form = NextSeasonForm(
        typed(request),
        season=season,
        divisions=divisions,
        wishes=usual,
        name=made.name if made else years_later(season.name),
    )
    previews = "preview" in request.POST
    done: list[LeagueSeason] = []

    def make() -> None:
        given = form.cleaned_data
        done.append(
            season_roll_over(
                season=season,
                name=given["name"],
                wishes=form.wishes(),
                seen=given["seen"],
                although_open=given["although_open"],
                actor=actor_of(request),
            )
        )

    if not previews and saved(form, make):
        messages.success(request, _("The season %s is there, with its teams.") % done[0].name)
        return redirect("league_season_desk", league.slug, done[0].slug)
    plan, refused = _planned(season, form, usual)
    names = {str(division.pk): division.name for division in divisions}
    return shown(
        request,
        "next_season.html",
        league,
        form=form,
        season=season,
        made=made,
        plan=plan,
        refused=refused,
        divisions=_in_words(plan, names) if plan else [],
        stop=_stopping(season, plan) if plan else [],
        previews=previews and not refused,
    )


def _planned(
    season: LeagueSeason, form: NextSeasonForm, wishes: NextWishes
) -> tuple[NextPlan | None, str]:
    """The plan by what is filled in, else by what is filled in to begin with."""
    if form.is_bound and not form.is_valid() and not form.cleaned_data.get("name"):
        return None, _("Fill in the form; then you see what becomes of it.")
    if form.is_bound and not any(name.startswith(("size_", "enter_")) for name in form.errors):
        wishes = form.wishes() if "stop" in form.cleaned_data else wishes
    try:
        return next_plan(season, wishes), ""
    except DomainError as error:
        return None, error.message


def _in_words(plan: NextPlan, names: dict[str, str]) -> list[tuple[str, list[tuple[str, str]]]]:
    return [
        (division.name, [(team.name, move_words(team.move, names)) for team in teams])
        for division, teams in plan.divisions
    ]


def _stopping(season: LeagueSeason, plan: NextPlan) -> list[str]:
    stop = {int(move.team) for move in plan.stop}
    teams = season.divisions.filter(teams__in=stop).values_list("teams__name", "teams__pk")
    return sorted(name for name, pk in teams if pk in stop)


@leader_view
@read_or_write
def league_next_season_undo(
    request: HttpRequest, league: League, league_season: str
) -> HttpResponse:
    """Ask, then take the next season away as long as nothing of it was played."""
    season = find_league_season(league, league_season)
    back = reverse("league_next_season", args=[league.slug, season.slug])
    made = next_season_of(season)

    def act() -> str:
        roll_over_undo(season=season, actor=actor_of(request))
        return _("The next season is gone. You can make it again.")

    return asked(
        request,
        league,
        ConfirmedAction(
            title=_("Take the season %s away?") % (made.name if made else ""),
            text=_("Its teams and fixtures go. The season before it stays as it is."),
            yes=_("Yes, take it away"),
            back_url=back,
            act=act,
            next_url=back,
        ),
    )


# The forms of a match day on paper.


@leader_view
@require_safe
def match_day_forms(_request: HttpRequest, league: League, day: int) -> HttpResponse:
    """The match forms of a day, for who leads the league; the club that hosts has its own page."""
    found = find_day(league, day).day
    content = match_forms_pdf(found, matches_on_paper(found, evening_of(found)))
    return pdf_answer(content, league, f"{found.number}-{found.group}")
