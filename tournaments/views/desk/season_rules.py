"""The standings of a season: add, preview, change, reorder and remove them."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from clubs.errors import DomainError, VersionConflict
from clubs.models import Club
from clubs.numbers import whole_number
from clubs.permissions import MANAGE_CLUB, actor_of, desk_view
from scoring.words import pit_word
from tournaments.forms.standing import StandingForm
from tournaments.models import Season, SeasonRule
from tournaments.season_preview import season_preview
from tournaments.services.season_rules import (
    season_rule_add,
    season_rule_change,
    season_rule_raise,
    season_rule_remove,
)
from tournaments.views.desk.common import find_season

_FIELDS = {"name_missing": "name", "name_too_long": "name", "season_rule_exists": "name"}


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "POST"])
def standing_new(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """Add a standing to a season."""
    season = find_season(club, season_slug)
    form = _form(season, request.POST if request.method == "POST" else None)
    if _is_saving(request, form) and _add(request, season, form):
        return redirect("season_edit", club.slug, season.slug)
    return _show(request, season, form)


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "POST"])
def standing_edit(request: HttpRequest, club: Club, season_slug: str, pk: int) -> HttpResponse:
    """Change one of a season's standings, or preview the change."""
    season = find_season(club, season_slug)
    rule = get_object_or_404(season.rules.select_related("season__club"), pk=pk)
    form = _form(season, request.POST if request.method == "POST" else None, rule)
    if not _is_saving(request, form):
        return _show(request, season, form, rule)
    try:
        if _change(request, rule, form):
            return redirect("season_edit", club.slug, season.slug)
    except VersionConflict:
        rule.refresh_from_db()
        return _show(request, season, form, rule, outdated=True)
    return _show(request, season, form, rule)


@desk_view(MANAGE_CLUB)
@require_POST
def standing_raise(request: HttpRequest, club: Club, season_slug: str, pk: int) -> HttpResponse:
    """Move a standing one place up."""
    season = find_season(club, season_slug)
    moved = season_rule_raise(season=season, rule_id=pk, actor=actor_of(request))
    if moved:
        messages.success(request, _("%s has been moved up.") % moved.name)
    return redirect("season_edit", club.slug, season.slug)


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "POST"])
def standing_remove(request: HttpRequest, club: Club, season_slug: str, pk: int) -> HttpResponse:
    """Remove a standing after confirmation; confirming twice is harmless."""
    season = find_season(club, season_slug)
    if request.method == "POST":
        gone = season_rule_remove(season=season, rule_id=pk, actor=actor_of(request))
        if gone:
            messages.success(request, _("%s has been taken away.") % gone.name)
        return redirect("season_edit", club.slug, season.slug)
    rule = get_object_or_404(season.rules, pk=pk)
    context = {"club": club, "section": "seasons", "season": season, "rule": rule}
    return render(request, "tournaments/desk/standing_remove.html", context)


def _form(
    season: Season, data: Mapping[str, Any] | None, rule: SeasonRule | None = None
) -> StandingForm:
    return StandingForm(
        data,
        evenings=list(season.evenings.order_by("date", "sequence")),
        pit=pit_word(season.club),
        settings=rule.settings if rule else {},
        name=rule.name if rule else "",
    )


def _is_saving(request: HttpRequest, form: StandingForm) -> bool:
    return request.method == "POST" and form.is_valid() and "show" not in request.POST


def _add(request: HttpRequest, season: Season, form: StandingForm) -> bool:
    name, settings = form.cleaned_data["name"], form.settings()
    try:
        season_rule_add(season=season, name=name, settings=settings, actor=actor_of(request))
    except DomainError as error:
        form.add_error(_FIELDS.get(error.code), error.message)
        return False
    messages.success(request, _("%s has been added.") % name)
    return True


def _change(request: HttpRequest, rule: SeasonRule, form: StandingForm) -> bool:
    try:
        saved = season_rule_change(
            rule=rule,
            name=form.cleaned_data["name"],
            settings=form.settings(),
            seen_version=whole_number(request.POST.get("seen", ""), otherwise=0),
            actor=actor_of(request),
        )
    except VersionConflict:
        raise
    except DomainError as error:
        form.add_error(_FIELDS.get(error.code), error.message)
        return False
    messages.success(request, _("%s has been saved.") % saved.name)
    return True


def _show(
    request: HttpRequest,
    season: Season,
    form: StandingForm,
    rule: SeasonRule | None = None,
    *,
    outdated: bool = False,
) -> HttpResponse:
    """The form with a preview below it. `outdated` says that somebody else saved in the meantime;
    saving again then replaces their version."""
    wanted = _wanted(form, rule)
    version = rule.version if rule else ""
    context = {
        "club": season.club,
        "section": "seasons",
        "season": season,
        "rule": rule,
        "seen": version if outdated else request.POST.get("seen", version),
        "outdated": outdated,
        "form": form,
        "preview": season_preview(season, wanted, rule) if wanted is not None else None,
    }
    status = 409 if outdated else 422 if form.errors else 200
    return render(request, "tournaments/desk/standing.html", context, status=status)


def _wanted(form: StandingForm, rule: SeasonRule | None) -> Mapping[str, object] | None:
    """The settings to preview: those in the form, else the saved ones."""
    if form.is_bound:
        return None if form.errors else form.settings()
    return rule.settings if rule else None
