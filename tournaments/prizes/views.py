"""Desk pages of prizes: the list to read out, and choosing which prizes there are."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access.permissions import MANAGE_CLUB, actor_of, desk_view
from clubs.models import Club
from tournaments.evenings.desk_pages import (
    find_evening,
    find_season,
    refusals_shown,
    show_evening,
    to_evening,
)
from tournaments.evenings.permissions import HAND_OUT, SEE_EVENING
from tournaments.evenings.workflow import evening_progress
from tournaments.models import Evening
from tournaments.prizes.cups import cups_after_season
from tournaments.prizes.forms import PrizesForm, SeasonPrizesForm
from tournaments.prizes.giving import evening_prizes, scheme_of, season_awards
from tournaments.prizes.services import evening_prizes_choose
from tournaments.prizes.texts import prize_lines, scheme_words
from tournaments.releases.services import stale_release
from tournaments.seasons.services import season_prizes_choose
from tournaments.seasons.standings import season_standings
from tournaments.standings.queries import evening_standings


@desk_view(SEE_EVENING)
@require_safe
def evening_prizes_page(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Who gets what, in the order of handing out, in large type."""
    evening = find_evening(club, evening_slug)
    progress = evening_progress(evening)
    return show_evening(
        request,
        "prizes/prizes.html",
        evening,
        progress=progress,
        lines=evening_prizes(evening, evening_standings(evening)),
        words=scheme_words(scheme_of(evening.prizes), club),
        is_final=evening.state == Evening.State.CLOSED or progress.all_played,
        stale_release=stale_release(evening) if evening.state == Evening.State.CLOSED else None,
    )


@desk_view(HAND_OUT)
@require_http_methods(["GET", "POST"])
def evening_prizes_edit(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Choose which prizes there are on this evening."""
    evening = find_evening(club, evening_slug)
    if request.method == "POST":
        form = PrizesForm(request.POST, club=club)
        if form.is_valid():
            with refusals_shown(request):
                evening_prizes_choose(
                    evening_id=evening.pk, scheme=form.scheme(), actor=actor_of(request)
                )
                messages.success(request, _("The prizes are saved."))
            return to_evening("evening_prizes", evening)
    else:
        form = PrizesForm(initial=scheme_of(evening.prizes).as_json(), club=club)
    status = 422 if form.errors else 200
    return show_evening(request, "prizes/prizes_edit.html", evening, form=form, status=status)


@desk_view(SEE_EVENING)
@require_safe
def season_prizes(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """Who gets what at the end of the season, in the order of handing out."""
    season = find_season(club, season_slug)
    table = season_standings(season)
    first = [int(row.player_id) for row in table.rows if row.rank == 1]
    context = {
        "club": club,
        "section": "seasons",
        "season": season,
        "lines": prize_lines(club, season_awards(season.prizes, table)),
        "cups": cups_after_season(season, first),
        "words": scheme_words(scheme_of(season.prizes), club),
    }
    return render(request, "tournaments/prizes/season_prizes.html", context)


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "POST"])
def season_prizes_edit(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """Choose which prizes there are in this season."""
    season = find_season(club, season_slug)
    if request.method == "POST":
        form = SeasonPrizesForm(request.POST, club=club)
        if form.is_valid():
            season_prizes_choose(season=season, scheme=form.scheme(), actor=actor_of(request))
            messages.success(request, _("The prizes are saved."))
            return redirect("season_prizes", club.slug, season.slug)
    else:
        form = SeasonPrizesForm(initial=scheme_of(season.prizes).as_json(), club=club)
    context = {"club": club, "section": "seasons", "season": season, "form": form}
    status = 422 if form.errors else 200
    return render(request, "tournaments/prizes/season_prizes_edit.html", context, status=status)
