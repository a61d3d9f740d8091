"""Desk pages of the club's seasons and of the standings each of them has, with their forms."""

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access.permissions import MANAGE_CLUB, actor_of, desk_view
from clubs.audit.services import Actor
from clubs.http.pages import sort_and_page, typed
from clubs.models import Club
from clubs.text.errors import DomainError, VersionConflict
from clubs.text.numbers import MoneyField, whole_number
from scoring.display.words import pit_word
from tournaments.evenings.pages import ReasonForm, SeasonListTable, find_season
from tournaments.models import Season, SeasonRule
from tournaments.seasons.forms import CountingForm, StandingForm, day_input
from tournaments.seasons.services import (
    has_results,
    is_of_its_days,
    raising_needs_reason,
    season_before,
    season_change,
    season_create,
    season_follow,
    season_rule_add,
    season_rule_change,
    season_rule_raise,
    season_rule_remove,
)
from tournaments.seasons.standings import evenings_counting, season_preview, usual_rule
from tournaments.seasons.texts import what_counts, what_else_counts
from tournaments.standings.core.rule_json import parse_season_rule


class SeasonForm(forms.Form):
    """Name, days and membership fee of a season."""

    name = forms.CharField(label=_("Name"), max_length=60, help_text=_("Such as 2026-2027."))
    starts = forms.DateField(label=_("First day"), required=False, widget=day_input())
    ends = forms.DateField(label=_("Last day"), required=False, widget=day_input())
    fee = MoneyField(
        label=_("Membership fee"),
        required=False,
        help_text=_("In euros, for the list of who has paid. It is not shown in public."),
    )
    live = forms.BooleanField(
        label=_("Count the evening that is being played already"),
        required=False,
        help_text=_(
            "For a tournament of several sessions: the standing runs along while one is played."
        ),
    )


class NewSeasonForm(SeasonForm, CountingForm):
    """A new season with its first standing."""

    standing = forms.CharField(
        label=_("What is this standing called?"),
        max_length=60,
        required=False,
        help_text=_("Such as “Best 5 of 7” or “Most pits”."),
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, pit: str) -> None:
        super().__init__(
            data, pit=pit, settings={}, initial={"standing": gettext("Season standing")}
        )
        self.fields["with_notice"].required = False

    @property
    def is_more_asked(self) -> bool:
        """Whether one of the questions that are folded away must be answered otherwise."""
        usual = {"name", "starts", "ends", "fee", "best", "minimum", "aggregate"}
        return any(field not in usual for field in self.errors)


class NextSeasonForm(SeasonForm):
    """A new season that can copy the standings of the one before."""

    take_over = forms.BooleanField(required=False, initial=True)

    def __init__(self, *args: Any, before: Season, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["fee"].initial = before.fee
        label = gettext("Take over the standings and the prizes of %(season)s")
        self.fields["take_over"].label = label % {"season": before.name}
        self.fields["take_over"].help_text = gettext(
            "You can change them afterwards. Periods and evenings that did not count are left out:"
            " those were days of that season."
        )


def season_initial(season: Season) -> dict[str, object]:
    """The form filled with this season."""
    return {
        "name": season.name,
        "starts": season.starts,
        "ends": season.ends,
        "fee": season.fee,
        "live": season.live,
    }


_SEASON_FIELDS = {"season_exists": "name", "name_missing": "name", "season_dates": "ends"}
_RULE_FIELDS = {
    "name_missing": "name",
    "name_too_long": "name",
    "season_rule_exists": "name",
    "reason_needed": "reason",
    "reason_too_long": "reason",
}
"""The form's field that an error code belongs to."""


@desk_view(MANAGE_CLUB)
@require_safe
def season_list(request: HttpRequest, club: Club) -> HttpResponse:
    """All seasons of the club, newest first."""
    seasons = Season.objects.filter(club=club).select_related("club")
    table = SeasonListTable(seasons.annotate(evening_count=Count("evenings")))
    sort_and_page(table, request, per_page=30)
    context = {"club": club, "section": "seasons", "table": table}
    return render(request, "tournaments/seasons/seasons.html", context)


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "POST"])
def season_new(request: HttpRequest, club: Club) -> HttpResponse:
    """Add a season, with the standings of the one before or its first standing."""
    before = season_before(club)
    data = request.POST if request.method == "POST" else None
    form: SeasonForm
    if before:
        form = NextSeasonForm(data, before=before)
    else:
        form = NewSeasonForm(data, pit=pit_word(club))
    if request.method == "POST" and form.is_valid():
        season = _saved(form, lambda _answers: _create(form, before, club, actor_of(request)))
        if season is not None:
            messages.success(request, gettext("The season has been added."))
            if before and form.cleaned_data["take_over"]:
                _warn_of_left_out_days(request, before)
            return redirect("season_edit", club.slug, season.slug)
    return _show(request, club, form, taken_over=_standings(before) if before else [])


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "POST"])
def season_edit(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """Change a season, and see which standings it has."""
    season = find_season(club, season_slug)
    initial = season_initial(season)
    form = SeasonForm(request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST" and form.is_valid():
        actor = actor_of(request)
        if _saved(form, lambda answers: season_change(season=season, actor=actor, **answers)):
            messages.success(request, gettext("The season has been changed."))
            return redirect("season_list", club.slug)
        season.refresh_from_db()
    frozen = has_results(season)
    standings = _standings(season)
    return _show(request, club, form, season=season, standings=standings, frozen=frozen)


def _create(form: SeasonForm, before: Season | None, club: Club, actor: Actor) -> Season:
    answers = form.cleaned_data
    fields = {key: answers[key] for key in ("name", "starts", "ends", "fee", "live")}
    if before is not None and answers["take_over"]:
        return season_follow(club=club, before=before, actor=actor, **fields)
    with transaction.atomic():
        season = season_create(club=club, actor=actor, **fields)
        if isinstance(form, NewSeasonForm):
            name = answers["standing"] or gettext("Season standing")
            season_rule_add(season=season, name=name, settings=form.settings(), actor=actor)
    return season


def _warn_of_left_out_days(request: HttpRequest, before: Season) -> None:
    """List the standings that were copied without their periods and excluded evenings."""
    names = [
        rule.name
        for rule in before.rules.order_by("position")
        if is_of_its_days(parse_season_rule(rule.settings))
    ]
    if names:
        message = gettext(
            "Copied without their periods and excluded evenings: %(names)s."
            " Check that they still say what you want."
        )
        messages.warning(request, message % {"names": ", ".join(names)})


def _saved(form: SeasonForm, save: Callable[[dict[str, Any]], Season]) -> Season | None:
    """The season as `save` returns it; None if it refused, with the error in the form."""
    try:
        return save(form.cleaned_data)
    except DomainError as error:
        form.add_error(_SEASON_FIELDS.get(error.code), error.message)
        return None


def _standings(season: Season) -> list[tuple[SeasonRule, str, list[str]]]:
    """Each standing of the season with what counts in it, in words."""
    evenings = list(season.evenings.all())
    pit = pit_word(season.club)
    standings = []
    for standing in season.rules.order_by("position"):
        rule = parse_season_rule(standing.settings)
        words = (
            what_counts(rule, evenings_counting(evenings, rule)),
            list(what_else_counts(rule, pit)),
        )
        standings.append((standing, *words))
    return standings


def _show(request: HttpRequest, club: Club, form: SeasonForm, **more: object) -> HttpResponse:
    context = {"club": club, "section": "seasons", "form": form, **more}
    status = 422 if form.errors else 200
    return render(request, "tournaments/seasons/desk_season.html", context, status=status)


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "POST"])
def standing_new(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """Add a standing to a season."""
    season = find_season(club, season_slug)
    form = _form(season, request.POST if request.method == "POST" else None)
    if _is_saving(request, form) and _add(request, season, form):
        return redirect("season_edit", club.slug, season.slug)
    return _show_standing(request, season, form)


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "POST"])
def standing_edit(request: HttpRequest, club: Club, season_slug: str, pk: int) -> HttpResponse:
    """Change one of a season's standings, or preview the change."""
    season = find_season(club, season_slug)
    rule = get_object_or_404(season.rules.select_related("season__club"), pk=pk)
    form = _form(season, request.POST if request.method == "POST" else None, rule)
    if not _is_saving(request, form):
        return _show_standing(request, season, form, rule)
    try:
        if _change(request, rule, form):
            return redirect("season_edit", club.slug, season.slug)
    except VersionConflict:
        rule.refresh_from_db()
        return _show_standing(request, season, form, rule, changed_meanwhile=True)
    return _show_standing(request, season, form, rule)


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "POST"])
def standing_compare(request: HttpRequest, club: Club, season_slug: str, pk: int) -> HttpResponse:
    """A standing as it is beside the same season by another rule; saves nothing. `?like=` fills in
    the rule of another standing of the season."""
    season = find_season(club, season_slug)
    rule = get_object_or_404(season.rules.select_related("season__club"), pk=pk)
    like = season.rules.filter(pk=whole_number(request.GET.get("like", ""))).first()
    data = request.POST if request.method == "POST" else None
    form = StandingForm(
        data,
        evenings=list(season.evenings.order_by("date", "sequence")),
        pit=pit_word(club),
        settings=(like or rule).settings,
        name=(like or rule).name,
    )
    return _show_standing(
        request, season, form, rule, comparing=True, others=season.rules.exclude(pk=pk), like=like
    )


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "POST"])
def standing_raise(request: HttpRequest, club: Club, season_slug: str, pk: int) -> HttpResponse:
    """Move a standing one place up; where it then leads a season with results, for a reason."""
    season = find_season(club, season_slug)
    asks = raising_needs_reason(season, pk)
    form = ReasonForm(typed(request)) if asks else None
    if request.method == "POST" and (form is None or form.is_valid()):
        reason = form.given if form else ""
        moved = season_rule_raise(season=season, rule_id=pk, actor=actor_of(request), reason=reason)
        if moved:
            messages.success(request, gettext("%s has been moved up.") % moved.name)
        return redirect("season_edit", club.slug, season.slug)
    rule = get_object_or_404(season.rules, pk=pk)
    context = {"club": club, "section": "seasons", "season": season, "rule": rule, "form": form}
    status = 422 if request.method == "POST" else 200
    return render(request, "tournaments/seasons/standing_raise.html", context, status=status)


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "POST"])
def standing_remove(request: HttpRequest, club: Club, season_slug: str, pk: int) -> HttpResponse:
    """Remove a standing after confirmation; confirming twice is harmless."""
    season = find_season(club, season_slug)
    form = ReasonForm(typed(request)) if has_results(season) else None
    if request.method == "POST":
        reason = form.given if form and form.is_valid() else ""
        there = form is None or bool(reason) or not season.rules.filter(pk=pk).exists()
        if there:
            gone = season_rule_remove(
                season=season, rule_id=pk, actor=actor_of(request), reason=reason
            )
            if gone:
                messages.success(request, gettext("%s has been taken away.") % gone.name)
            return redirect("season_edit", club.slug, season.slug)
    rule = get_object_or_404(season.rules, pk=pk)
    context = {"club": club, "section": "seasons", "season": season, "rule": rule, "form": form}
    status = 422 if request.method == "POST" else 200
    return render(request, "tournaments/seasons/standing_remove.html", context, status=status)


def _form(
    season: Season, data: Mapping[str, Any] | None, rule: SeasonRule | None = None
) -> StandingForm:
    return StandingForm(
        data,
        evenings=list(season.evenings.order_by("date", "sequence")),
        pit=pit_word(season.club),
        settings=rule.settings if rule else _first_settings(season),
        name=rule.name if rule else _first_name(season),
        is_frozen=(rule is not None or not season.rules.exists()) and has_results(season),
    )


def _first_settings(season: Season) -> Mapping[str, object]:
    """A first standing ranks whom the season ranked without one."""
    usual = usual_rule(season)
    return {"ranks": usual.ranks} if usual and usual.ranks != "player" else {}


def _first_name(season: Season) -> str:
    """What the first standing of a season is called unless the club says otherwise."""
    return "" if season.rules.exists() else gettext("Season standing")


def _is_saving(request: HttpRequest, form: StandingForm) -> bool:
    return request.method == "POST" and form.is_valid() and "show" not in request.POST


def _add(request: HttpRequest, season: Season, form: StandingForm) -> bool:
    name, settings = form.cleaned_data["name"], form.settings()
    try:
        season_rule_add(
            season=season,
            name=name,
            settings=settings,
            reason=form.cleaned_data.get("reason", ""),
            actor=actor_of(request),
        )
    except DomainError as error:
        form.add_error(_RULE_FIELDS.get(error.code), error.message)
        return False
    messages.success(request, gettext("%s has been added.") % name)
    return True


def _change(request: HttpRequest, rule: SeasonRule, form: StandingForm) -> bool:
    try:
        saved = season_rule_change(
            rule=rule,
            name=form.cleaned_data["name"],
            settings=form.settings(),
            seen_version=whole_number(request.POST.get("seen", ""), otherwise=0),
            reason=form.cleaned_data.get("reason", ""),
            actor=actor_of(request),
        )
    except VersionConflict:
        raise
    except DomainError as error:
        form.add_error(_RULE_FIELDS.get(error.code), error.message)
        return False
    messages.success(request, gettext("%s has been saved.") % saved.name)
    return True


def _show_standing(
    request: HttpRequest,
    season: Season,
    form: StandingForm,
    rule: SeasonRule | None = None,
    *,
    changed_meanwhile: bool = False,
    comparing: bool = False,
    like: SeasonRule | None = None,
    **more: object,
) -> HttpResponse:
    """The form with a preview below it. With `changed_meanwhile` somebody else saved in the
    meantime, and saving again replaces their version. `comparing` is for looking only, first with
    the rule of the standing `like`."""
    wanted = _wanted(form, like or rule)
    version = rule.version if rule else ""
    context = {
        "club": season.club,
        "section": "seasons",
        "season": season,
        "rule": rule,
        "seen": version if changed_meanwhile else request.POST.get("seen", version),
        "changed_meanwhile": changed_meanwhile,
        "form": form,
        "preview": season_preview(season, wanted, rule) if wanted is not None else None,
        "comparing": comparing,
        "side_by_side": (rule is not None or usual_rule(season) is not None)
        and (form.is_bound or like is not None),
        **more,
    }
    status = 409 if changed_meanwhile else 422 if form.errors else 200
    return render(request, "tournaments/seasons/standing.html", context, status=status)


def _wanted(form: StandingForm, rule: SeasonRule | None) -> Mapping[str, object] | None:
    """The settings to preview: those in the form, else the saved ones."""
    if form.is_bound:
        return None if form.errors else form.settings()
    return rule.settings if rule else None
