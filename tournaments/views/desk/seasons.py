"""The club's seasons: listed, added, changed, with the standings that each of them has."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.audit import Actor
from clubs.errors import DomainError
from clubs.models import Club
from clubs.permissions import MANAGE_CLUB, actor_of, desk_view
from clubs.tables import sort_and_page
from scoring.words import pit_word
from tournaments.forms.season import NewSeasonForm, NextSeasonForm, SeasonForm, season_initial
from tournaments.models import Season, SeasonRule
from tournaments.rule_words import what_counts, what_else_counts
from tournaments.season_standings import evenings_counting
from tournaments.services.season_following import is_of_its_days, season_before, season_follow
from tournaments.services.season_rules import season_rule_add
from tournaments.services.seasons import season_change, season_create
from tournaments.standings.core import parse_season_rule
from tournaments.tables import SeasonTable
from tournaments.views.desk.common import find_season


@desk_view(MANAGE_CLUB)
@require_safe
def season_list(request: HttpRequest, club: Club) -> HttpResponse:
    """All seasons of the club, newest first."""
    seasons = Season.objects.filter(club=club).select_related("club")
    table = SeasonTable(seasons.annotate(evening_count=Count("evenings")))
    sort_and_page(table, request, per_page=30)
    context = {"club": club, "section": "seasons", "table": table}
    return render(request, "tournaments/desk/seasons.html", context)


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "POST"])
def season_new(request: HttpRequest, club: Club) -> HttpResponse:
    """Add a season, with the standings of the one before or its first standing."""
    before = season_before(club)
    data = request.POST if request.method == "POST" else None
    form = NextSeasonForm(data, before=before) if before else NewSeasonForm(data)
    if request.method == "POST" and form.is_valid():
        season = _saved(form, lambda _answers: _create(form, before, club, actor_of(request)))
        if season is not None:
            messages.success(request, _("The season has been added."))
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
            messages.success(request, _("The season has been changed."))
            return redirect("season_list", club.slug)
        season.refresh_from_db()
    return _show(request, club, form, season=season, standings=_standings(season))


def _create(form: SeasonForm, before: Season | None, club: Club, actor: Actor) -> Season:
    answers = form.cleaned_data
    asked = {key: answers[key] for key in ("name", "starts", "ends", "fee")}
    if before is not None and answers["take_over"]:
        return season_follow(club=club, before=before, actor=actor, **asked)
    with transaction.atomic():
        season = season_create(club=club, actor=actor, **asked)
        if isinstance(form, NewSeasonForm):
            name = _("Season standing")
            settings = form.rule_settings()
            season_rule_add(season=season, name=name, settings=settings, actor=actor)
    return season


def _warn_of_left_out_days(request: HttpRequest, before: Season) -> None:
    """Name the standings that were taken over without their periods and excluded evenings."""
    names = [
        rule.name
        for rule in before.rules.order_by("position")
        if is_of_its_days(parse_season_rule(rule.settings))
    ]
    if names:
        message = _(
            "Without their periods and the evenings that did not count were taken over: %(names)s."
            " Look whether they still say what you want."
        )
        messages.warning(request, message % {"names": ", ".join(names)})


def _saved(form: SeasonForm, save: Callable[[dict[str, Any]], Season]) -> Season | None:
    """The season as `save` returns it; None if it refused, with the error in the form."""
    try:
        return save(form.cleaned_data)
    except DomainError as error:
        field = {"season_exists": "name", "name_missing": "name", "season_dates": "ends"}
        form.add_error(field.get(error.code), error.message)
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
    return render(request, "tournaments/desk/season.html", context, status=status)
