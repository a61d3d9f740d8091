"""Desk pages of prizes and cups: choosing, the list to read out, who got what, where the money of a
season went, and who holds which cup."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access.permissions import MANAGE_CLUB, actor_of, desk_view, may, of_club
from clubs.files.exports import ListFile, list_response
from clubs.http.pages import form_saved, typed
from clubs.models import Club, Member
from clubs.text.numbers import euros, whole_number
from tournaments.evenings.pages import (
    PublicPerson,
    find_evening,
    find_season,
    member_url,
    posted_member,
    refusals_shown,
    show_evening,
    to_evening,
)
from tournaments.evenings.permissions import HAND_OUT, SEE_EVENING
from tournaments.evenings.workflow import evening_progress
from tournaments.models import Cup, Evening, Season
from tournaments.prizes.core import PrizeScheme
from tournaments.prizes.forms import (
    ContentsForm,
    CupForm,
    CupWinForm,
    GivenForm,
    PrizesForm,
    SeasonPrizesForm,
)
from tournaments.prizes.given import (
    CupRecord,
    PrizeWent,
    cup_add,
    cup_change,
    cup_record,
    cup_records,
    cup_remove,
    cup_win_add,
    cup_win_remove,
    cups_after_season,
    evening_prizes_record,
    prizes_expected,
    prizes_to_record,
    prizes_went,
    season_prizes_record,
)
from tournaments.prizes.giving import (
    evening_awards,
    evening_paid,
    evening_prizes,
    evening_prizes_choose,
    scheme_of,
    scheme_words,
    season_awards,
    season_paid,
    season_prize_lines,
)
from tournaments.releases.services import stale_release
from tournaments.seasons.services import season_prizes_choose
from tournaments.seasons.standings import main_standing
from tournaments.standings.competitors import competitor_people
from tournaments.standings.queries import evening_standings

USUALLY, MOST_LINES = 16, 60
"""For so many people prizes are asked for before anybody is here, and at most so many."""


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
        given=evening.prizes_given.exists(),
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
                scheme = replace(form.scheme(), contents=scheme_of(evening.prizes).contents)
                evening_prizes_choose(evening_id=evening.pk, scheme=scheme, actor=actor_of(request))
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
    table = main_standing(season)
    leaders = [row.player_id for row in table.rows if row.rank == 1]
    if table.rule.ranks == "player":
        first = [int(key) for key in leaders]
    else:
        first = [pk for people in competitor_people(leaders).values() for pk in people]
    context = {
        "club": club,
        "section": "seasons",
        "season": season,
        "lines": season_prize_lines(season, table),
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
            scheme = replace(form.scheme(), contents=scheme_of(season.prizes).contents)
            season_prizes_choose(season=season, scheme=scheme, actor=actor_of(request))
            messages.success(request, _("The prizes are saved."))
            return redirect("season_prizes", club.slug, season.slug)
    else:
        form = SeasonPrizesForm(initial=scheme_of(season.prizes).as_json(), club=club)
    context = {"club": club, "section": "seasons", "season": season, "form": form}
    status = 422 if form.errors else 200
    return render(request, "tournaments/prizes/season_prizes_edit.html", context, status=status)


# The challenge cups: their desk pages, and what is public about them.


@desk_view(HAND_OUT)
@require_http_methods(["GET", "POST"])
def cup_list(request: HttpRequest, club: Club) -> HttpResponse:
    """Every cup with who holds it; an organiser adds one below."""
    organises = may(request, MANAGE_CLUB, club)
    form = CupForm(request.POST if request.method == "POST" and organises else None)
    if form_saved(form, lambda: cup_add(club=club, actor=actor_of(request), **form.cleaned_data)):
        messages.success(request, _("The cup has been added."))
        return redirect("cup_list", club.slug)
    context = {
        "club": club,
        "section": "settings" if organises else "evenings",
        "records": cup_records(club),
        "form": form,
    }
    status = 422 if form.errors else 200
    return render(request, "tournaments/prizes/cups.html", context, status=status)


@desk_view(HAND_OUT)
@require_http_methods(["GET", "POST"])
def cup_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Who won this cup and when, with a form for another win."""
    cup = of_club(club, Cup, pk=pk)
    form = CupWinForm(request.POST if request.method == "POST" else None, club=club)
    if form_saved(form, lambda: _win(request, cup, form)):
        messages.success(request, _("The win has been recorded."))
        return redirect("cup_page", club.slug, cup.pk)
    return _show(request, cup, win_form=form)


@desk_view(MANAGE_CLUB)
@require_POST
def cup_edit(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Change the cup's name, or after how many wins it is kept."""
    cup = of_club(club, Cup, pk=pk)
    form = CupForm(request.POST)
    if form_saved(form, lambda: cup_change(cup=cup, actor=actor_of(request), **form.cleaned_data)):
        messages.success(request, _("The cup has been changed."))
        return redirect("cup_page", club.slug, cup.pk)
    cup.refresh_from_db()
    return _show(request, cup, cup_form=form)


@desk_view(MANAGE_CLUB)
@require_POST
def cup_take_away(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Remove a cup that nobody has won; doing it twice is harmless."""
    cup = Cup.objects.filter(club=club, pk=pk).first()
    with refusals_shown(request):
        if cup is not None:
            cup_remove(cup=cup, actor=actor_of(request))
            messages.success(request, _("The cup has been removed."))
    return redirect("cup_list", club.slug)


@desk_view(HAND_OUT)
@require_POST
def cup_win_take_back(request: HttpRequest, club: Club, pk: int, win: int) -> HttpResponse:
    """Remove a win; doing it twice is harmless."""
    cup = of_club(club, Cup, pk=pk)
    cup_win = cup.wins.filter(pk=win).select_related("cup", "member").first()
    if cup_win is not None:
        cup_win_remove(win=cup_win, actor=actor_of(request))
        messages.success(request, _("The win of %s is taken back.") % cup_win.member.desk_name)
    return redirect("cup_page", club.slug, pk)


@desk_view(HAND_OUT)
@require_POST
def evening_cup(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Somebody won a cup on this evening."""
    evening = find_evening(club, evening_slug)
    _win_from_result(request, club, evening=evening)
    return to_evening("evening_close", evening)


@desk_view(HAND_OUT)
@require_POST
def season_cup(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """Somebody won a cup over this season."""
    season = find_season(club, season_slug)
    _win_from_result(request, club, season=season)
    return redirect("season_prizes", club.slug, season.slug)


def _win_from_result(
    request: HttpRequest,
    club: Club,
    *,
    evening: Evening | None = None,
    season: Season | None = None,
) -> None:
    cup = of_club(club, Cup, pk=whole_number(request.POST.get("cup", "")))
    member = posted_member(request, club)
    won_on = evening.date if evening else _last_day(season)
    with refusals_shown(request):
        cup_win_add(
            cup=cup,
            member=member,
            won_on=won_on,
            evening=evening,
            season=season,
            actor=actor_of(request),
        )
        words = {"name": member.desk_name, "cup": cup.name}
        messages.success(request, _("Recorded: %(name)s wins %(cup)s.") % words)


def _last_day(season: Season | None) -> dt.date:
    closed = season.evenings.filter(state=Evening.State.CLOSED).first() if season else None
    return closed.date if closed else timezone.localdate()


def _win(request: HttpRequest, cup: Cup, form: CupWinForm) -> None:
    answers = form.cleaned_data
    same_day = Evening.objects.of(cup.club).filter(date=answers["won_on"])
    evening = None if answers["season"] else same_day.filter(state=Evening.State.CLOSED).first()
    cup_win_add(cup=cup, evening=evening, actor=actor_of(request), **answers)


def _show(
    request: HttpRequest,
    cup: Cup,
    *,
    win_form: CupWinForm | None = None,
    cup_form: CupForm | None = None,
) -> HttpResponse:
    organises = may(request, MANAGE_CLUB, cup.club)
    wins = list(cup.wins.select_related("member", "evening", "season"))
    win_form = win_form or CupWinForm(club=cup.club)
    context = {
        "club": cup.club,
        "section": "settings" if organises else "evenings",
        "record": cup_record(cup, wins),
        "win_form": win_form,
        "cup_form": cup_form
        or CupForm(initial={"name": cup.name, "wins_to_keep": cup.wins_to_keep}),
        "form": cup_form or win_form,
    }
    refused = any(form and form.errors for form in (win_form, cup_form))
    status = 422 if refused else 200
    return render(request, "tournaments/prizes/cup.html", context, status=status)


@dataclass(frozen=True, slots=True)
class CupHolder:
    """Somebody who holds a cup, and how often they have won it."""

    shown: PublicPerson
    times: int


@dataclass(frozen=True, slots=True)
class PublicCup:
    """A cup with the people who hold it, and the person who keeps it, if any."""

    name: str
    wins_to_keep: int
    holders: Sequence[CupHolder]
    kept_by: PublicPerson | None


def public_cups(club: Club) -> list[PublicCup]:
    """The club's cups that have been won. Two queries, or one where there are none."""
    return [_public(club, record) for record in cup_records(club) if record.wins]


def _public(club: Club, record: CupRecord) -> PublicCup:
    return PublicCup(
        name=record.cup.name,
        wins_to_keep=record.cup.wins_to_keep,
        holders=[CupHolder(_shown(club, member), times) for member, times in record.held_by],
        kept_by=_shown(club, record.final_win.member) if record.final_win else None,
    )


def _shown(club: Club, member: Member) -> PublicPerson:
    return PublicPerson(member.shown_name, member_url(club, member))


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
