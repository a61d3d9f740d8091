"""Desk pages of what the prizes are, of who got which, and of where those of a season went."""

from dataclasses import replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access.permissions import MANAGE_CLUB, actor_of, desk_view
from clubs.files.exports import ListFile, list_response
from clubs.http.pages import typed
from clubs.models import Club
from clubs.text.numbers import euros
from tournaments.evenings.desk_pages import (
    find_evening,
    find_season,
    refusals_shown,
    show_evening,
    to_evening,
)
from tournaments.evenings.permissions import HAND_OUT, SEE_EVENING
from tournaments.models import Evening, Season
from tournaments.prizes.core import PrizeScheme
from tournaments.prizes.forms import ContentsForm, GivenForm
from tournaments.prizes.given import (
    PrizeWent,
    evening_prizes_record,
    prizes_expected,
    prizes_to_record,
    prizes_went,
    season_prizes_record,
)
from tournaments.prizes.giving import (
    evening_awards,
    evening_paid,
    evening_prizes_choose,
    scheme_of,
    season_awards,
    season_paid,
)
from tournaments.seasons.services import season_prizes_choose
from tournaments.seasons.standings import main_standing
from tournaments.standings.queries import evening_standings

USUALLY, MOST_LINES = 16, 60
"""For so many people prizes are asked for before anybody is here, and at most so many."""


@desk_view(HAND_OUT)
@require_http_methods(["GET", "POST"])
def evening_prizes_contents(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Say what each of the prizes of this evening is."""
    evening = find_evening(club, evening_slug)
    scheme = scheme_of(evening.prizes)
    here = evening.registrations.filter(present=True).count()
    form = _contents_form(request, club, scheme, here)
    if form.is_valid():
        scheme = replace(scheme, contents=form.contents())
        with refusals_shown(request):
            evening_prizes_choose(evening_id=evening.pk, scheme=scheme, actor=actor_of(request))
            messages.success(request, _("The prizes are saved."))
        return to_evening("evening_prizes", evening)
    status = 422 if form.errors else 200
    return show_evening(request, "prizes/prizes_contents.html", evening, form=form, status=status)


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "POST"])
def season_prizes_contents(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """The same for the prizes of a season."""
    season = find_season(club, season_slug)
    scheme = scheme_of(season.prizes)
    form = _contents_form(request, club, scheme, 0)
    if form.is_valid():
        scheme = replace(scheme, contents=form.contents())
        season_prizes_choose(season=season, scheme=scheme, actor=actor_of(request))
        messages.success(request, _("The prizes are saved."))
        return redirect("season_prizes", club.slug, season.slug)
    context = {"club": club, "section": "seasons", "season": season, "form": form}
    status = 422 if form.errors else 200
    return render(request, "tournaments/prizes/prizes_contents.html", context, status=status)


def _contents_form(
    request: HttpRequest, club: Club, scheme: PrizeScheme, people: int
) -> ContentsForm:
    keys = scheme.keys(people or USUALLY)[:MOST_LINES]
    keys += [key for key, _content in scheme.contents if _is_beyond(key, scheme, keys)]
    return ContentsForm(typed(request), club=club, keys=keys, scheme=scheme)


def _is_beyond(key: str, scheme: PrizeScheme, shown: list[str]) -> bool:
    """Whether this is a place that wins a prize once more people come."""
    kind, _dash, place = key.partition("-")
    return kind == "place" and key not in shown and scheme.is_for(int(place))


@desk_view(HAND_OUT)
@require_http_methods(["GET", "POST"])
def evening_prizes_given(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Record who got which prize of this evening."""
    evening = find_evening(club, evening_slug)
    awards = evening_awards(evening, evening_standings(evening))
    expected = prizes_expected(club, awards, scheme_of(evening.prizes), evening_paid(evening))
    recorded = list(evening.prizes_given.select_related("member"))
    form = GivenForm(typed(request), prizes=prizes_to_record(club, expected, recorded))
    if form.is_valid():
        with refusals_shown(request):
            evening_prizes_record(
                evening_id=evening.pk, given=form.given(), actor=actor_of(request)
            )
            messages.success(request, _("Who got which prize has been noted."))
        return to_evening("evening_prizes", evening)
    status = 422 if form.errors else 200
    template, is_recorded = "prizes/prizes_given.html", bool(recorded)
    return show_evening(request, template, evening, form=form, recorded=is_recorded, status=status)


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "POST"])
def season_prizes_given(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """The same for the prizes of a season."""
    season = find_season(club, season_slug)
    awards = season_awards(season.prizes, main_standing(season))
    expected = prizes_expected(club, awards, scheme_of(season.prizes), season_paid(season))
    recorded = list(season.prizes_given.select_related("member"))
    form = GivenForm(typed(request), prizes=prizes_to_record(club, expected, recorded))
    if form.is_valid():
        with refusals_shown(request):
            season_prizes_record(season=season, given=form.given(), actor=actor_of(request))
            messages.success(request, _("Who got which prize has been noted."))
        return redirect("season_prizes_went", club.slug, season.slug)
    context = {"club": club, "section": "seasons", "season": season, "form": form}
    context |= {"recorded": bool(recorded)}
    status = 422 if form.errors else 200
    return render(request, "tournaments/prizes/prizes_given.html", context, status=status)


@desk_view(SEE_EVENING)
@require_safe
def season_prizes_went(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """Where the prizes of a season went: who got what on which evening, and what that came to."""
    season = find_season(club, season_slug)
    went = prizes_went(season)
    context = {
        "club": club,
        "section": "seasons",
        "season": season,
        "went": went,
        "sum": sum(prize.cents or 0 for prize in went),
        "unrecorded": _unrecorded(season, went),
    }
    page = list_response(request, lambda: _went_file(season, went))
    return page or render(request, "tournaments/prizes/season_prizes_went.html", context)


def _unrecorded(season: Season, went: list[PrizeWent]) -> list[Evening]:
    """The closed evenings, first to last, of which nothing was recorded."""
    known = {prize.evening.pk for prize in went if prize.evening}
    closed = season.evenings.filter(state=Evening.State.CLOSED, is_history=False)
    return list(closed.exclude(pk__in=known).order_by("date", "sequence"))


def _went_file(season: Season, went: list[PrizeWent]) -> ListFile:
    return ListFile(
        name=_("Prizes %(season)s") % {"season": season.name},
        columns={
            "date": _("Date"),
            "for": _("For"),
            "player": _("Name"),
            "prize": _("Prize"),
            "amount": _("Amount"),
        },
        rows=[
            (
                prize.evening.slug if prize.evening else _("season"),
                prize.title,
                prize.member.desk_name,
                prize.what,
                euros(prize.cents),
            )
            for prize in went
        ],
    )
