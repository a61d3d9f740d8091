"""The club's seasons: listed, added, changed, and what counts in them."""

from django.contrib import messages
from django.db import transaction
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.audit import Actor
from clubs.errors import DomainError
from clubs.models import Club
from clubs.permissions import MANAGE_CLUB, actor_of, desk_view
from clubs.tables import sort_and_page
from tournaments.forms.season import SeasonForm, season_initial
from tournaments.models import Season
from tournaments.services.seasons import season_change, season_create, season_rule_save
from tournaments.tables import SeasonTable


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
    """Add a season."""
    form = SeasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid() and _create(form, club, actor_of(request)):
        messages.success(request, _("The season has been added."))
        return redirect("season_list", club.slug)
    return _show(request, club, form)


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "POST"])
def season_edit(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """Change a season and its rule."""
    season = get_object_or_404(Season, club=club, slug=season_slug)
    rule = season.rules.order_by("position").first()
    initial = season_initial(season, rule.settings if rule else {})
    form = SeasonForm(request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST" and form.is_valid() and _change(form, season, actor_of(request)):
        messages.success(request, _("The season has been changed."))
        return redirect("season_list", club.slug)
    return _show(request, club, form, season)


def _create(form: SeasonForm, club: Club, actor: Actor) -> bool:
    answers = form.cleaned_data
    try:
        with transaction.atomic():
            season = season_create(
                club=club,
                name=answers["name"],
                starts=answers["starts"],
                ends=answers["ends"],
                actor=actor,
            )
            season_rule_save(season=season, settings=form.rule_settings(), actor=actor)
    except DomainError as error:
        return _refused(form, error)
    return True


def _change(form: SeasonForm, season: Season, actor: Actor) -> bool:
    answers = form.cleaned_data
    try:
        with transaction.atomic():
            season_change(
                season=season,
                name=answers["name"],
                starts=answers["starts"],
                ends=answers["ends"],
                actor=actor,
            )
            season_rule_save(season=season, settings=form.rule_settings(), actor=actor)
    except DomainError as error:
        season.refresh_from_db()
        return _refused(form, error)
    return True


def _refused(form: SeasonForm, error: DomainError) -> bool:
    field = {"season_exists": "name", "name_missing": "name", "season_dates": "ends"}
    form.add_error(field.get(error.code), error.message)
    return False


def _show(
    request: HttpRequest, club: Club, form: SeasonForm, season: Season | None = None
) -> HttpResponse:
    context = {"club": club, "section": "seasons", "form": form, "season": season}
    status = 422 if form.errors else 200
    return render(request, "tournaments/desk/season.html", context, status=status)
