"""The pages of nights on which several clubs play the same cards: of the league's leaders, for
everybody, and at the desk of a club."""

from functools import partial

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access.permissions import actor_of, desk_view
from clubs.files.exports import ListFile, list_response
from clubs.http.pages import typed
from clubs.models import Club
from clubs.text.errors import DomainError
from tournaments.duplicate.core.scoring import BEST_PAIRS
from tournaments.duplicate.forms import (
    AskForm,
    NightFileForm,
    NightForm,
    NightOpenForm,
    SeedForm,
)
from tournaments.duplicate.night_results import (
    NightResults,
    clubs_in,
    night_is_stale,
    night_last,
    night_publish,
    night_results,
)
from tournaments.duplicate.nights import (
    night_file,
    night_make,
    night_open,
    night_take,
    night_unlock,
    seed_document,
    seed_pull,
)
from tournaments.duplicate.queries import duplicate_of
from tournaments.duplicate.results_pdf import night_pdf
from tournaments.duplicate.texts import COMPARING
from tournaments.duplicate.views.desk import evening_of_folders
from tournaments.evenings.pages import asked_number, show_evening, to_evening
from tournaments.evenings.permissions import DRAW
from tournaments.leagues.permissions import (
    find_night,
    find_night_release,
    leader_view,
    league_view,
)
from tournaments.leagues.views.league import read_or_write, saved, shown
from tournaments.models import DuplicateEvening, Evening, League, NightRelease, SharedNight
from tournaments.printing.views import pdf_answer

PAGE = 200
"""So many pairs stand on a page of the ranking."""


@leader_view
@read_or_write
def nights_desk(request: HttpRequest, league: League) -> HttpResponse:
    """The nights of a league, and a new one."""
    form = NightForm(typed(request), instance=SharedNight(league=league))
    made: list[SharedNight] = []

    def make() -> None:
        made.append(night_make(league=league, actor=actor_of(request), **form.cleaned_data))

    if saved(form, make):
        messages.success(request, _("The night has been made, and its cards are dealt."))
        return redirect("night_desk", league.slug, made[0].pk)
    nights = league.nights.all()
    return shown(request, "nights_desk.html", league, form=form, nights=nights)


@leader_view
@read_or_write
def night_desk(request: HttpRequest, league: League, night: int) -> HttpResponse:
    """One of them: its file for the clubs, which clubs are in, opening it, and publishing it anew
    when more came in."""
    found = find_night(league, night)
    form = NightOpenForm(typed(request), initial={"seen": found.version})

    def act() -> None:
        given, actor = form.cleaned_data, actor_of(request)
        if found.opened_at:
            night_publish(night=found, seen=given["seen"], actor=actor)
            messages.success(request, _("The ranking has been published anew."))
        else:
            night_open(night=found, seen=given["seen"], anyway=given["anyway"], actor=actor)
            messages.success(request, _("The night is open: everybody can read cards and results."))

    if saved(form, act):
        return redirect("night_desk", league.slug, found.pk)
    clubs, last = clubs_in(found), night_last(found)
    return shown(
        request,
        "night_desk.html",
        league,
        form=form,
        night=found,
        clubs=clubs,
        missing=max(0, found.clubs - len(clubs)),
        last=last,
        stale=bool(found.opened_at) and night_is_stale(found, last),
    )


@leader_view
@require_POST
def night_cards(request: HttpRequest, league: League, night: int) -> HttpResponse:
    """The file with the cards for the clubs. It is a POST, and in the trail."""
    found = find_night(league, night)
    answer = HttpResponse(
        night_file(night=found, actor=actor_of(request)), content_type="application/json"
    )
    name = f"{league.slug}-{found.date.isoformat()}.json"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@league_view
@require_safe
def league_nights(request: HttpRequest, league: League) -> HttpResponse:
    """The nights of a league."""
    context = {"league": league, "nights": league.nights.all()}
    return render(request, "tournaments/leagues/nights.html", context)


@league_view
@require_safe
def league_night(request: HttpRequest, league: League, night: int) -> HttpResponse:
    """A night: its commitment and which clubs are in; once it is open the seed, and the ranking of
    the clubs and of all pairs as published last, in pages. `?format=` downloads it."""
    found = find_night(league, night)
    return _night_page(request, found, found.releases.first() if found.opened_at else None)


@league_view
@require_safe
def league_night_release(
    request: HttpRequest, league: League, night: int, number: int
) -> HttpResponse:
    """A release of a night."""
    found = find_night(league, night)
    return _night_page(request, found, find_night_release(found, number))


@league_view
@require_safe
def league_night_pdf(request: HttpRequest, league: League, night: int, number: int) -> HttpResponse:
    """A release of a night on paper."""
    found = find_night(league, night)
    made = find_night_release(found, number)
    content = night_pdf(night_results(made), stale=night_is_stale(found, night_last(found)))
    return pdf_answer(content, league, found.name, found.date.isoformat())


def _night_page(
    request: HttpRequest, night: SharedNight, made: NightRelease | None
) -> HttpResponse:
    results = None
    if made is not None:
        made.night = night
        results = night_results(made)
        if file := list_response(request, partial(_file, results)):
            return file
    page, pages = _page(request, results.count if results else 0)
    start = (page - 1) * PAGE
    releases = [*night.releases.defer("clubs", "pairs")] if night.opened_at else []
    is_last = not releases or (made is not None and made.number == releases[0].number)
    context = {
        "league": night.league,
        "night": night,
        "release": made,
        "releases": releases,
        "is_last": is_last,
        "stale": made is not None and is_last and night_is_stale(night, made),
        "clubs": [] if night.opened_at else clubs_in(night),
        "results": results,
        "club_rows": results.clubs() if results and page == 1 else [],
        "rows": results.pairs(start, start + PAGE) if results else [],
        "pages": range(1, pages + 1),
        "page": page,
        "comparing": COMPARING[night.compare],
        "best": BEST_PAIRS,
        "by_points": night.compare != DuplicateEvening.Comparison.MATCHPOINTS,
    }
    return render(request, "tournaments/leagues/night.html", context)


@league_view
@require_safe
def night_seed(request: HttpRequest, league: League, night: int) -> HttpResponse:
    """The seed of a night, signed, for the servers of its clubs; 409 before the night is open."""
    try:
        answer = JsonResponse(seed_document(find_night(league, night)))
    except DomainError as error:
        answer = JsonResponse({"code": error.code, "detail": error.message}, status=409)
    answer.headers["Cache-Control"] = "no-cache"
    return answer


def _page(request: HttpRequest, count: int) -> tuple[int, int]:
    """The requested page of so many pairs, and how many there are. Http404 for another one."""
    page, pages = asked_number(request, "page") or 1, max(1, -(-count // PAGE))
    if not 1 <= page <= pages:
        raise Http404
    return page, pages


def _file(results: NightResults) -> ListFile:
    night = results.release.night
    columns = {
        "place": _("Place"),
        "players": _("Names"),
        "club": _("Club"),
        "line": _("Line"),
        "value": _("Percentage") if results.by_percent else _("Points"),
        "folders": _("Folders"),
    }
    rows: list[list[str | int | float | None]] = [
        [row.place, row.names, row.club, row.line, float(row.value), row.folders]
        for row in results.pairs()
    ]
    return ListFile(name=f"{night.league.name} {night.name}", columns=columns, rows=rows)


# At a club.


@desk_view(DRAW)
@require_http_methods(["GET", "POST"])
def folder_night(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Play the cards of a night of several clubs, by the file of its league; and afterwards its
    seed, which lets everybody read the cards: read at the league, or pasted."""
    evening = evening_of_folders(club, evening_slug)
    duplicate = duplicate_of(evening)
    planned = evening.state == Evening.State.PLANNED
    form: NightFileForm | SeedForm | AskForm
    if planned:
        form = NightFileForm(typed(request), request.FILES or None)
    elif "ask" in request.POST:
        form = AskForm(request.POST)
    else:
        form = SeedForm(typed(request))
    if request.method == "POST" and form.is_valid() and _acted(request, evening, form):
        return to_evening("folder_night", evening)
    return show_evening(
        request,
        "duplicate/night.html",
        evening,
        at_draw=True,
        duplicate=duplicate,
        form=form if planned or duplicate.is_locked else None,
        seed_form=form if isinstance(form, SeedForm) else SeedForm(),
        planned=planned,
        is_over=evening.state == Evening.State.CLOSED,
        league_night=_of_this_server(duplicate),
        status=422 if form.errors else 200,
    )


def _of_this_server(duplicate: DuplicateEvening) -> SharedNight | None:
    """The night, where its league is on this server."""
    if duplicate.night is None:
        return None
    return SharedNight.objects.filter(uuid=duplicate.night).select_related("league").first()


def _acted(
    request: HttpRequest, evening: Evening, form: NightFileForm | SeedForm | AskForm
) -> bool:
    """Whether that could be done; if not, the form says every reason."""
    actor = actor_of(request)
    try:
        if isinstance(form, NightFileForm):
            taken = night_take(evening_id=evening.pk, text=form.text(), actor=actor)
            words = {"n": taken.folders}
            messages.success(request, _("The %(n)s folders of the night are in.") % words)
            return True
        if isinstance(form, SeedForm):
            night_unlock(evening_id=evening.pk, seed=form.cleaned_data["seed"], actor=actor)
        else:
            seed_pull(evening=evening, actor=actor)
    except DomainError as error:
        lines = error.params.get("lines")
        form.add_error(None, lines if isinstance(lines, list) else [error.message])
        return False
    messages.success(request, _("Everybody can read the cards and results now."))
    return True
