"""Desk pages at the end of an evening: close, publish, publish again, reopen, play off; and points
that the director gives somebody, or takes off, for an evening or a season."""

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from clubs.access.permissions import MANAGE_CLUB, actor_of, desk_view
from clubs.http.pages import ConfirmedAction, typed
from clubs.models import Club, Member
from clubs.text.errors import DomainError
from clubs.text.numbers import signed
from scoring.display.words import pit_word
from tournaments.closing.forms import (
    AbsenceForm,
    PersonCorrectionForm,
    PlayOffForm,
    SeasonCorrectionForm,
)
from tournaments.closing.services import (
    competitor_correct,
    competitor_correction_remove,
    evening_close,
    evening_reopen,
    members_not_seen,
    person_correct,
    person_correction_remove,
    play_off_write,
)
from tournaments.evenings.pages import (
    ReasonForm,
    confirm,
    evening_url,
    find_evening,
    find_season,
    refusals_shown,
    show_evening,
    to_evening,
)
from tournaments.evenings.permissions import CLOSE, CORRECT_PERSON, PLAY_OFF, PUBLISH, REOPEN
from tournaments.evenings.workflow import evening_progress, next_step, open_claims
from tournaments.models import (
    Evening,
    PersonCorrection,
    Release,
    Round,
    Season,
)
from tournaments.prizes.given import CupSuggestion, cups_after_evening, cups_of_former_winners
from tournaments.prizes.giving import PrizeLine, evening_prizes
from tournaments.releases.folders import FolderMove, folder_moves
from tournaments.releases.lines import competitors_now, line_moves, new_line_moves
from tournaments.releases.queries import Move, moves_of
from tournaments.releases.services import (
    correction_publish,
    folder_moves_now,
    lines_now,
    release_changes,
    release_is_current,
    stale_release,
)
from tournaments.standings.queries import (
    StandingRow,
    evening_standings,
    open_disputes,
    play_off_rows,
    unsplit_tables,
)
from tournaments.standings.texts import unsplit_words

TOP = 3


@desk_view(CLOSE)
@require_http_methods(["GET", "POST"])
def evening_close_page(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Show what is missing and who won; closing publishes the result. Closing twice is harmless."""
    evening = find_evening(club, evening_slug)
    if request.method == "POST":
        if evening.state != Evening.State.CLOSED:
            with refusals_shown(request):
                form = AbsenceForm(request.POST, members=members_not_seen(evening))
                evening_close(evening_id=evening.pk, actor=actor_of(request), absences=form.said())
                messages.success(request, _("The evening is closed and the result is published."))
        return to_evening("evening_close", evening)
    return _show(request, evening)


@desk_view(PUBLISH)
@require_POST
def release_publish_page(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Publish the standings once more, after a correction; unchanged standings are left alone."""
    evening = find_evening(club, evening_slug)
    form = ReasonForm(request.POST)
    last = evening.releases.first()
    if evening.state != Evening.State.CLOSED or last is None or release_is_current(last):
        messages.info(request, _("The published result is up to date: there is nothing to do."))
        return to_evening("evening_close", evening)
    if not form.is_valid():
        return _show(request, evening, form=form)
    with refusals_shown(request):
        release = correction_publish(evening=evening, reason=form.given, actor=actor_of(request))
        messages.success(request, _("Published: result number %(n)s.") % {"n": release.number})
    return to_evening("evening_close", evening)


@desk_view(REOPEN)
@require_http_methods(["GET", "POST"])
def evening_reopen_page(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Open a closed evening again."""
    evening = find_evening(club, evening_slug)
    close_url = evening_url("evening_close", evening)

    def act() -> str | None:
        if evening.state == Evening.State.RUNNING:
            return None
        evening_reopen(evening_id=evening.pk, actor=actor_of(request))
        return _("The evening is open again.")

    confirmation = ConfirmedAction(
        title=_("Open this evening again?"),
        text=_(
            "You can then open a round again, or play another one. What was published stays "
            "as it was published until you close the evening once more."
        ),
        yes=_("Open the evening again"),
        back_url=close_url,
        act=act,
        next_url=close_url,
    )
    return confirm(request, evening, confirmation)


@desk_view(PLAY_OFF)
@require_POST
def play_off(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Write the scores of the extra deals for first place."""
    evening = find_evening(club, evening_slug)
    form = _play_off_form(evening, request.POST)
    if not form.is_valid():
        return _show(request, evening, play_off=form)
    with refusals_shown(request):
        play_off_write(
            evening_id=evening.pk,
            scores=form.scores(),
            reason=form.cleaned_data.get("reason", ""),
            actor=actor_of(request),
        )
        messages.success(request, _("The extra deals have been saved."))
    return to_evening("evening_close", evening)


def _show(
    request: HttpRequest,
    evening: Evening,
    form: ReasonForm | None = None,
    play_off: PlayOffForm | None = None,
) -> HttpResponse:
    progress = evening_progress(evening)
    rows = evening_standings(evening)
    prizes = evening_prizes(evening, rows)
    releases = list(evening.releases.select_related("user"))
    stale = stale_release(evening)
    closed = evening.state == Evening.State.CLOSED
    before = zip(releases, [*releases[1:], None], strict=False)
    moves = [_moves(release, earlier) for release, earlier in before]
    return show_evening(
        request,
        "closing/close.html",
        evening,
        progress=progress,
        status=422 if form or play_off else 200,
        next_step=next_step(progress),
        played=[r for r in progress.rounds if r.state == Round.State.CLOSED],
        unplayed=evening.rounds_planned - len(progress.rounds),
        waiting=[r for r in progress.rounds if r.state != Round.State.CLOSED],
        disputes=list(open_disputes(evening)),
        absences=AbsenceForm(members=_not_seen(evening)),
        corrections=_corrections(evening) if evening.corrected else [],
        claims=list(open_claims(evening)),
        directs=True,
        prizes=_short(prizes),
        unsplit=unsplit_words(unsplit_tables(evening), pit_word(evening.club)),
        more_prizes=len(prizes) - len(_short(prizes)),
        cups=_cups(evening, rows),
        lost_cups=cups_of_former_winners(releases, [*_winners(rows), *_of_first_teams(evening)])
        if closed
        else [],
        rows=rows,
        releases=releases,
        changed=moves[0] if moves else [],
        earlier=list(zip(releases, moves, strict=True))[closed:],
        stale_release=stale,
        moves=_new_moves(stale) if stale else [],
        form=form or play_off,
        play_off=play_off or _play_off_form(evening),
        republish_form=form or ReasonForm(),
    )


def _not_seen(evening: Evening) -> list[Member]:
    return members_not_seen(evening) if evening.state == Evening.State.RUNNING else []


def _cups(evening: Evening, rows: list[StandingRow]) -> list[CupSuggestion]:
    """The challenge cups that the winner may have won; none before the evening is closed."""
    if evening.state != Evening.State.CLOSED:
        return []
    return cups_after_evening(evening, _of_first_teams(evening) or _winners(rows))


def _winners(rows: list[StandingRow]) -> list[int]:
    return [row.member_id for row in rows if row.rank == 1]


def _of_first_teams(evening: Evening) -> list[int]:
    """The people of the teams in the first place, where the evening ranks those."""
    if evening.ranks != Evening.Ranks.TEAM:
        return []
    lines = competitors_now(evening, Evening.Ranks.TEAM)
    return [pk for line in lines if line.rank == 1 for pk in line.people]


def _short(lines: list[PrizeLine]) -> list[PrizeLine]:
    """The prizes without the places below the first three, which the list to read out has."""
    return [line for line in lines if line.place is None or line.place <= TOP]


def _moves(release: Release, before: Release | None) -> list[Move | FolderMove]:
    """Who moved with a release: pairs and teams first."""
    were = before.folders if before else None
    pairs = folder_moves(release, were, release.folders, public=False)
    of_lines = line_moves(release, before, public=False)
    return [*pairs, *of_lines, *moves_of(release.changes, public=False)]


def _new_moves(stale: Release) -> list[Move | FolderMove]:
    """Who moves with the next release."""
    lines = [] if stale.competitors is None else lines_now(stale.evening)
    return [
        *folder_moves_now(stale),
        *new_line_moves(stale, lines),
        *moves_of(release_changes(stale), public=False),
    ]


def _play_off_form(evening: Evening, data: QueryDict | None = None) -> PlayOffForm:
    """The form of the extra deals, without fields if nobody shares first place."""
    rows = play_off_rows(evening)
    scores = evening.play_off_scores.filter(member__in=[row.member_id for row in rows])
    written = dict(scores.values_list("member_id", "score")) if rows else {}
    corrects = bool(rows) and evening.releases.exists()
    return PlayOffForm(data, rows=rows, written=written, corrects=corrects)


@desk_view(CORRECT_PERSON)
@require_http_methods(["GET", "POST"])
def evening_corrections(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """The corrections of people for the evening as a whole, and the form for one more."""
    evening = find_evening(club, evening_slug)
    form = PersonCorrectionForm(typed(request), club=club)
    if _corrected(request, evening, form):
        return to_evening("evening_corrections", evening)
    return show_evening(
        request,
        "closing/evening_corrections.html",
        evening,
        form=form,
        corrections=_corrections(evening),
        status=422 if form.errors else 200,
    )


@desk_view(CORRECT_PERSON)
@require_http_methods(["GET", "POST"])
def evening_correction_remove(
    request: HttpRequest, club: Club, evening_slug: str, pk: int
) -> HttpResponse:
    """Take a correction back, after a question."""
    evening = find_evening(club, evening_slug)
    back = evening_url("evening_corrections", evening)
    return confirm(request, evening, _taking_back(request, evening, pk, back))


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "POST"])
def season_corrections(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """The corrections of people, pairs and teams for the season as a whole, and the form for one
    more."""
    season = find_season(club, season_slug)
    form = SeasonCorrectionForm(typed(request), club=club)
    if _corrected(request, season, form):
        return redirect("season_corrections", club.slug, season.slug)
    of_competitors = season.competitor_corrections.select_related("competitor")
    context = {
        "form": form,
        "corrections": _corrections(season),
        "of_competitors": list(of_competitors),
    }
    status = 422 if form.errors else 200
    return _show_season(request, season, "season_corrections.html", status=status, **context)


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "POST"])
def season_correction_remove(
    request: HttpRequest, club: Club, season_slug: str, pk: int
) -> HttpResponse:
    """Take a correction back, after a question."""
    season = find_season(club, season_slug)
    back = reverse("season_corrections", args=[club.slug, season.slug])
    asked = _taking_back(request, season, pk, back)
    return asked.respond(
        request, partial(_show_season, request, season, "season_correction_remove.html")
    )


@desk_view(MANAGE_CLUB)
@require_http_methods(["GET", "POST"])
def competitor_correction_remove_page(
    request: HttpRequest, club: Club, season_slug: str, pk: int
) -> HttpResponse:
    """Take a correction of a pair or team back, after a question."""
    season = find_season(club, season_slug)
    if request.method == "GET":
        get_object_or_404(season.competitor_corrections, pk=pk)
    back = reverse("season_corrections", args=[club.slug, season.slug])

    def act() -> str | None:
        actor = actor_of(request)
        gone = competitor_correction_remove(season=season, correction_id=pk, actor=actor)
        return _("The correction has been taken back.") if gone else None

    return _asked_back(act, back).respond(
        request, partial(_show_season, request, season, "season_correction_remove.html")
    )


def _corrections(about: Evening | Season) -> list[PersonCorrection]:
    return list(about.person_corrections.select_related("member", "user"))


def _corrected(request: HttpRequest, about: Evening | Season, form: PersonCorrectionForm) -> bool:
    """Whether the correction in the form was made; else the form says why not."""
    if request.method != "POST" or not form.is_valid():
        return False
    given, actor = dict(form.cleaned_data), actor_of(request)
    member, competitor = given.pop("member", None), given.pop("competitor", None)
    try:
        if isinstance(about, Season) and competitor is not None:
            competitor_correct(season=about, competitor=competitor, actor=actor, **given)
        else:
            person_correct(about=about, member=member, actor=actor, **given)
    except DomainError as error:
        form.add_error("points" if error.code == "bad_points" else None, error.message)
        return False
    name = competitor.name if competitor is not None else member.desk_name
    words = {"name": name, "points": signed(given["points"])}
    messages.success(request, _("%(name)s: %(points)s points. It counts at once.") % words)
    return True


def _taking_back(
    request: HttpRequest, about: Evening | Season, pk: int, back: str
) -> ConfirmedAction:
    if request.method == "GET":
        get_object_or_404(about.person_corrections, pk=pk)

    def act() -> str | None:
        gone = person_correction_remove(about=about, correction_id=pk, actor=actor_of(request))
        return _("The correction has been taken back.") if gone else None

    return _asked_back(act, back)


def _asked_back(act: Callable[[], str | None], back: str) -> ConfirmedAction:
    return ConfirmedAction(
        title=_("Take this correction back?"),
        text=_("The points are then as if it had never been made. The trail keeps both."),
        yes=_("Take it back"),
        back_url=back,
        act=act,
        next_url=back,
    )


def _show_season(
    request: HttpRequest, season: Season, template: str, *, status: int = 200, **context: object
) -> HttpResponse:
    context = {"club": season.club, "section": "seasons", "season": season, **context}
    return render(request, f"tournaments/closing/{template}", context, status=status)
