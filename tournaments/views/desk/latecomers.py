"""Somebody who comes or leaves after the draw: what that changes, and doing it."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubs.errors import DomainError
from clubs.models import Club, Member
from clubs.numbers import whole_number
from clubs.permissions import actor_of, desk_view
from tournaments.draw_change_words import changes_said, tables_to_print
from tournaments.models import Evening, Round
from tournaments.permissions import DRAW
from tournaments.present import gone_while_playing
from tournaments.services import DrawChanges, adapt_preview, draw_adapt
from tournaments.steps import Progress, evening_progress
from tournaments.views.desk.common import evening_url, find_evening, show_evening, to_evening


@desk_view(DRAW)
@require_http_methods(["GET", "POST"])
def draw_change(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """What putting in and taking out of the draw these people, or everybody, comes to."""
    evening = find_evening(club, evening_slug)
    members = _members(request, club)
    try:
        if request.method == "POST":
            return _adapt(request, evening, members)
        return _show(request, evening, adapt_preview(evening, members))
    except DomainError as refusal:
        return _refused(request, evening, refusal)


def _members(request: HttpRequest, club: Club) -> list[Member]:
    """Those whom the address names; nobody when it names none, which stands for everybody."""
    wanted = [whole_number(value) for value in request.GET.getlist("who")]
    found = Member.objects.of(club).filter(pk__in=[number for number in wanted if number])
    if len(found) < len(wanted):
        raise Http404
    return list(found)


def _adapt(request: HttpRequest, evening: Evening, members: Sequence[Member]) -> HttpResponse:
    changes = draw_adapt(
        evening_id=evening.pk,
        members=members,
        seen=request.POST.get("seen", ""),
        actor=actor_of(request),
    )
    tables = tables_to_print(changes)
    if tables:
        words = _("The draw is adapted. Somebody else sits at: table %(tables)s.")
        messages.success(request, words % {"tables": _listed(tables)})
    else:
        messages.success(request, _("The draw is adapted. Nothing has changed at the tables."))
    return to_evening("evening_draw", evening)


def _show(request: HttpRequest, evening: Evening, changes: DrawChanges) -> HttpResponse:
    progress = evening_progress(evening)
    tables = tables_to_print(changes)
    return show_evening(
        request,
        "latecomers.html",
        evening,
        progress=progress,
        people=changes_said(changes),
        seen=changes.version,
        tables=len(tables),
        table_numbers=_listed(tables),
        gone=gone_while_playing(evening),
        anew=_anew(evening, progress),
    )


def _listed(tables: Sequence[int]) -> str:
    return get_text_list([str(number) for number in tables], _("and"))


def _refused(request: HttpRequest, evening: Evening, refusal: DomainError) -> HttpResponse:
    if request.method == "POST":
        messages.error(request, refusal.message)
        return redirect(request.get_full_path())
    if refusal.code in ("nothing_to_change", "draw_moved_on"):
        messages.info(request, refusal.message)
        return to_evening("evening_draw", evening)
    progress = evening_progress(evening)
    return show_evening(
        request,
        "latecomers.html",
        evening,
        progress=progress,
        refusal=refusal.message,
        gone=gone_while_playing(evening),
        anew=_anew_url(evening, progress),
    )


def _anew(evening: Evening, progress: Progress) -> str:
    """Where everything can be drawn again; empty where a rotation is under way, whose tables
    would then not stay together."""
    started = progress.first(Round.State.RUNNING, Round.State.CLOSED)
    if started and evening.method == Evening.Method.ROTATION:
        return ""
    return _anew_url(evening, progress)


def _anew_url(evening: Evening, progress: Progress) -> str:
    if progress.unplayed and progress.unplayed.state == Round.State.DRAWN:
        return evening_url("draw_undo", evening)
    if evening.method == Evening.Method.TYPED_IN:
        return evening_url("draw_type_in", evening)
    return evening_url("evening_draw", evening)
