"""What captains do: their own short page by link, and the same for who runs the evening or club.

Nothing on a captain's page goes by a cookie: the secret in its address is what opens it. Such a
page is kept by nobody, nor found by search engines.
"""

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from clubs.access.permissions import actor_of, chosen_language, desk_view, opens_for
from clubs.audit.services import Actor
from clubs.http.middleware import network_of
from clubs.http.pages import ConfirmedAction, confirm, typed
from clubs.limits.table import CAPTAINS
from clubs.models import Club
from clubs.text.errors import DomainError, VersionConflict
from clubs.text.numbers import whole_number
from tournaments.evenings.pages import refusals_shown
from tournaments.evenings.permissions import PLAN_EVENING
from tournaments.leagues.evenings import match_day_evening_make, match_day_seat, team_absent
from tournaments.leagues.files import match_forms_pdf
from tournaments.leagues.forms import AbsentForm, LineUpForm
from tournaments.leagues.lineup_queries import (
    answer_due,
    line_up_of,
    line_ups_of,
    side_of_team,
    visitors_of,
)
from tournaments.leagues.lineups import (
    captain_actor,
    captain_find,
    captain_link_make,
    captain_link_withdraw,
    captain_links_renew,
    line_up_write,
    people_to_begin_with,
    require_open,
    team_that_plays_on,
)
from tournaments.leagues.matches import teams_of
from tournaments.leagues.permissions import (
    ACT_AS_CAPTAIN,
    MAKE_LEAGUE,
    find_hosted_day,
    find_hosted_match,
    find_league_season,
    find_league_team,
    find_match_of,
    find_team_of,
    leader_view,
)
from tournaments.leagues.queries import absent_team, evening_of, is_void, rounds_begun, shown_days
from tournaments.leagues.results import matches_on_paper, result_answer
from tournaments.leagues.texts import MARK_WORDS
from tournaments.leagues.views.league import read_or_write, saved
from tournaments.models import (
    CaptainLink,
    League,
    LeagueMatch,
    LeagueTeam,
    LineUp,
    MatchAnswer,
    MatchDay,
)
from tournaments.printing.views import pdf_answer

GONE, REFUSED, UNUSABLE, TOO_MANY = 410, 409, 422, 429


def captain_view(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page that a captain's link opens: it gets the link in place of its secret. One that was
    ended says so, and whom to ask."""

    @csrf_exempt
    @never_cache
    @wraps(view)
    def opened(request: HttpRequest, captain: str, *args: int, **kwargs: int) -> HttpResponse:
        link = captain_find(captain)
        if link is None:
            raise Http404
        league = link.team.division.season.league
        if chosen_language(request) is None:
            translation.activate(league.language)
        if link.revoked_at is not None:
            plays_on = team_that_plays_on(link.team)
            context = {"league": league, "team": link.team, "plays_on": plays_on}
            return render(request, "tournaments/leagues/captain_gone.html", context, status=GONE)
        if request.method == "POST":
            network = network_of(request.META.get("REMOTE_ADDR", ""))
            if not CAPTAINS.allows_from(f"captain {link.pk}", network):
                return _captain(request, link, captain, fault=_too_many(), status=TOO_MANY)
        return view(request, link, captain, *args, **kwargs)

    return opens_for(ACT_AS_CAPTAIN, opened)


def _too_many() -> str:
    return _("That was too often within a minute. Wait a little, then try again.")


@captain_view
@require_safe
def captain_page(request: HttpRequest, link: CaptainLink, captain: str) -> HttpResponse:
    """What a captain can do now: line-ups to come, and results to look at."""
    return _captain(request, link, captain)


def _captain(
    request: HttpRequest,
    link: CaptainLink,
    secret: str,
    *,
    fault: str = "",
    faulty: int = 0,
    words: str = "",
    status: int = 200,
) -> HttpResponse:
    team = link.team
    season = team.division.season
    days = shown_days(MatchDay.objects.filter(division=team.division_id), team=team)
    matches = [match for day in days for match in day.matches]
    answers = {
        answer.match_id: answer
        for answer in MatchAnswer.objects.filter(match__in=matches)
        if side_of_team(_of(matches, answer.match_id), team.pk) == answer.side
    }
    line_ups = line_ups_of(matches)
    to_come = [day for day in days if day.matches and not day.is_over]
    now = timezone.now()
    results = [
        {
            "match": match,
            "answer": answers.get(match.pk),
            "due": due,
            "faulty": match.pk == faulty,
        }
        for match in matches
        if match.is_over and not match.binding
        if side_of_team(match, team.pk) in visitors_of(match, match.day.host_id)
        for due in [answer_due(match, season)]
        if due is None or due >= now
    ]
    context = {
        "league": season.league,
        "season": season,
        "team": team,
        "secret": secret,
        "link": link,
        "fault": fault,
        "words": words,
        "results": results,
        "days": [
            (
                day,
                [
                    (match, line_ups.get((match.pk, side_of_team(match, team.pk))))
                    for match in day.matches
                    if not (match.is_over or absent_team(match) or is_void(match))
                ],
                rounds_begun(evening_of(day.day)),
            )
            for day in to_come[:2]
        ],
        "done": [match for match in matches if match.binding][-3:],
        "plays_on": team_that_plays_on(team),
    }
    return render(request, "tournaments/leagues/captain.html", context, status=status)


def _of(matches: list[LeagueMatch], pk: int) -> LeagueMatch:
    return next(match for match in matches if match.pk == pk)


@captain_view
@read_or_write
def captain_line_up(
    request: HttpRequest, link: CaptainLink, captain: str, match: int
) -> HttpResponse:
    """Who plays in a match, as the captain says."""
    found = find_match_of(link.team, match)
    back = reverse("captain_page", args=[captain])
    return _line_up(
        request, found, link.team, back=back, actor=captain_actor(link), own=link, secret=captain
    )


def _line_up(
    request: HttpRequest,
    match: LeagueMatch,
    team: LeagueTeam,
    *,
    back: str,
    actor: Actor,
    **context: object,
) -> HttpResponse:
    """The form of a line-up: shown, or saved and back to where it was opened."""
    side = side_of_team(match, team.pk)
    line_up = line_up_of(match, side)
    form = LineUpForm(
        typed(request),
        season=match.day.division.season,
        players=list(team.players.all()),
        people=people_to_begin_with(match, side),
        version=line_up.version if line_up else 0,
    )
    written: list[LineUp] = []

    def write() -> None:
        version = form.cleaned_data["version"]
        write = line_up_write(
            match=match, side=side, people=form.people(), version=version, actor=actor
        )
        written.append(write)

    if saved(form, write):
        marks = marks_in_words(written[0])
        if "own" in context:
            return redirect(f"{back}#match-{match.pk}")
        messages.success(request, _("The line-up of %s is saved.") % team.name)
        for words in marks:
            messages.warning(request, words)
        return redirect(back)
    league = match.day.division.season.league
    context |= {
        "league": league,
        "match": match,
        "team": team,
        "form": form,
        "line_up": line_up,
        "marks": marks_in_words(line_up) if line_up else [],
        "back_url": back,
        "late": _why_late(match, side),
    }
    template = "captain_line_up.html" if "own" in context else "club_line_up.html"
    status = UNUSABLE if form.is_bound and form.errors else 200
    return render(request, f"tournaments/leagues/{template}", context, status=status)


def _why_late(match: LeagueMatch, side: str) -> str:
    try:
        require_open(match, side)
    except DomainError as error:
        return error.message
    return ""


def marks_in_words(line_up: LineUp) -> list[str]:
    """What is said of the people in a line-up, each in a line."""
    return [
        f"{seat.name}: {MARK_WORDS[mark]}" for seat in line_up.seats.all() for mark in seat.marks
    ]


@captain_view
@require_POST
def captain_answer(
    request: HttpRequest, link: CaptainLink, captain: str, match: int
) -> HttpResponse:
    """The visitors' captain says that a result is right, or what is wrong with it."""
    found = find_match_of(link.team, match)
    words = request.POST.get("words", "").replace("\0", "")
    try:
        result_answer(
            match=found,
            side=side_of_team(found, link.team_id),
            agrees=request.POST.get("do") == "confirm",
            words="" if request.POST.get("do") == "confirm" else words,
            version=whole_number(request.POST.get("version", "")),
            actor=captain_actor(link),
        )
    except VersionConflict:
        fault = _("The result is another by now. Look at it again.")
        return _captain(
            request, link, captain, fault=fault, faulty=found.pk, words=words, status=REFUSED
        )
    except DomainError as error:
        return _captain(
            request,
            link,
            captain,
            fault=error.message,
            faulty=found.pk,
            words=words,
            status=UNUSABLE,
        )
    return redirect(f"{reverse('captain_page', args=[captain])}#match-{found.pk}")


# The same for who organises the club, or its evening.


@desk_view(PLAN_EVENING)
@read_or_write
def club_match_day(request: HttpRequest, club: Club, day: int) -> HttpResponse:
    """A match day that the club hosts: its line-ups; make its evening, or seat its next round."""
    found = find_hosted_day(club, day)
    if request.method == "POST":
        with refusals_shown(request):
            _evening_or_round(request, club, found)
        evening = evening_of(found)
        if evening is None:
            return redirect("club_match_day", club.slug, day)
        return redirect("evening_desk", club.slug, evening.slug)
    evening = evening_of(found)
    shown = shown_days(MatchDay.objects.filter(pk=found.pk))[0]
    line_ups = line_ups_of(shown.matches)
    context = {
        "club": club,
        "section": "settings",
        "shown": shown,
        "begun": rounds_begun(evening),
        "evening": evening,
        "league": found.division.season.league,
        "rounds": [
            (
                number,
                [
                    (match, team, line_up, marks_in_words(line_up) if line_up else [])
                    for match in matches
                    for team in (match.home, match.away)
                    for line_up in [line_ups.get((match.pk, side_of_team(match, team.pk)))]
                ],
            )
            for number, matches in shown.rounds
        ],
    }
    return render(request, "tournaments/leagues/club_match_day.html", context)


def _evening_or_round(request: HttpRequest, club: Club, day: MatchDay) -> None:
    evening = evening_of(day)
    if evening is None:
        match_day_evening_make(day=day, club=club, actor=actor_of(request))
        messages.success(request, _("The evening is made, and round 1 is seated."))
        return
    number = match_day_seat(day=day, evening=evening, actor=actor_of(request))
    messages.success(request, _("Round %(n)s is seated.") % {"n": number})


@desk_view(PLAN_EVENING)
@read_or_write
def club_line_up(request: HttpRequest, club: Club, day: int, match: int, team: int) -> HttpResponse:
    """A line-up that the host types, as a captain says it."""
    found, whose = find_hosted_match(club, match, team)
    if found.day_id != day:
        raise Http404
    back = reverse("club_match_day", args=[club.slug, day])
    actor = actor_of(request)
    return _line_up(request, found, whose, back=back, actor=actor, club=club, section="settings")


@desk_view(PLAN_EVENING)
@read_or_write
def club_team_absent(request: HttpRequest, club: Club, day: int, team: int) -> HttpResponse:
    """Ask why, then write that a team did not appear at the host's."""
    hosted = find_hosted_day(club, day)
    whose = next((each for each in teams_of(hosted) if each.pk == team), None)
    if whose is None:
        raise Http404
    form = AbsentForm(typed(request))
    back = reverse("club_match_day", args=[club.slug, hosted.pk])

    def act() -> str:
        reason = form.cleaned_data["reason"]
        team_absent(day=hosted, team=whose, reason=reason, actor=actor_of(request))
        return _("That %s did not appear is written. The leader makes it binding.") % whose.name

    confirmation = ConfirmedAction(
        title=_("%s did not appear?") % whose.name,
        text=_(
            "In all its matches of this day without a result it gets 0; the other teams get the"
            " mean of their own matches. The leader of the league makes it binding."
        ),
        yes=_("Write it down"),
        back_url=back,
        act=act,
        next_url=back,
        form=form,
    )
    return confirm(request, club, "settings", confirmation)


@desk_view(PLAN_EVENING)
@require_safe
def club_match_forms(request: HttpRequest, club: Club, day: int) -> HttpResponse:
    """The match forms of a day on paper, with the line-ups that are known."""
    hosted = find_hosted_day(club, day)
    evening = evening_of(hosted)
    matches = matches_on_paper(hosted, evening)
    league = hosted.division.season.league
    return pdf_answer(match_forms_pdf(hosted, matches), league, f"{hosted.number}-{hosted.group}")


@desk_view(MAKE_LEAGUE)
@require_POST
def club_team_link(request: HttpRequest, club: Club, team: int) -> HttpResponse:
    """A link for the captain of a team of the club: a new one, or none any more."""
    found = find_team_of(club, team)
    _link_act(request, found)
    return redirect(f"{reverse('club_leagues', args=[club.slug])}#team-{found.pk}")


@leader_view
@require_POST
def league_team_link(request: HttpRequest, league: League, team: int) -> HttpResponse:
    """A link for the captain of any team of the league."""
    found = find_league_team(league, team)
    _link_act(request, found)
    return redirect(f"{reverse('league_team_edit', args=[league.slug, found.pk])}#link")


@leader_view
@require_POST
def league_links_renew(request: HttpRequest, league: League, league_season: str) -> HttpResponse:
    """New links for the captains who have one of the season before."""
    season = find_league_season(league, league_season)
    made = len(captain_links_renew(season=season, actor=actor_of(request)))
    said = ngettext(
        "%(n)s captain has a new link; the one of the season before is dead. The club sees it.",
        "%(n)s captains have a new link; those of the season before are dead. The clubs see them.",
        made,
    )
    messages.success(request, said % {"n": made})
    return redirect("league_season_desk", league.slug, season.slug)


def _link_act(request: HttpRequest, team: LeagueTeam) -> None:
    if request.POST.get("do") == "withdraw":
        captain_link_withdraw(team=team, actor=actor_of(request))
        messages.success(request, _("The link of %s works no more.") % team.name)
        return
    is_first = request.POST.get("do") == "make"
    captain_link_make(team=team, actor=actor_of(request), keep=is_first)
    said = _("The captain of %s has a link. Send it to them.")
    if not is_first:
        said = _("The captain of %s has another link. Send it to them; the one before is dead.")
    messages.success(request, said % team.name)
