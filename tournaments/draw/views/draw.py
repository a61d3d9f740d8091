"""The pages of the draw: drawn, made final, undone, people who change places in a draft, and
adapting it to people who come or leave."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from clubs.access.permissions import actor_of, desk_view, owned
from clubs.http.pages import ConfirmedAction
from clubs.models import Club, Member
from clubs.text.errors import DomainError
from clubs.text.numbers import whole_number
from tournaments.draw.changes import DrawChanges, adapt_preview, draw_adapt
from tournaments.draw.extra_tables import extra_table_rounds
from tournaments.draw.forms import DrawingForm
from tournaments.draw.problem import rounds_to_draw
from tournaments.draw.report import draw_report
from tournaments.draw.rewriting import draw_swap, require_swappable
from tournaments.draw.services import (
    draft_version,
    draft_was_swapped,
    draw_make,
    draw_publish,
    draw_undo,
    drawing_of,
    seed_of,
)
from tournaments.draw.texts import costs_as_json, person_changes, place_words, swap_choices
from tournaments.evenings.pages import (
    confirm,
    evening_url,
    find_evening,
    refusals_shown,
    show_evening,
    to_evening,
)
from tournaments.evenings.permissions import DRAW
from tournaments.evenings.texts import forecast
from tournaments.evenings.workflow import (
    EveningProgress,
    before_draw,
    block_warning,
    evening_progress,
    next_step,
)
from tournaments.models import Evening, Placement, Round
from tournaments.registration.check_in import drawn_without, gone_while_playing


@desk_view(DRAW)
@require_http_methods(["GET", "POST"])
def evening_draw(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """The draw of the upcoming rounds; a POST draws, draws again or makes it final."""
    evening = find_evening(club, evening_slug)
    if evening.plays_folders:
        return to_evening("evening_folders", evening)
    if request.method != "POST":
        return _show(request, evening, DrawingForm())
    form = DrawingForm(request.POST) if "drawing" in request.POST else None
    if form and not form.is_valid():
        return _show(request, evening, form)
    with _refusals_shown(request):
        if request.POST.get("action") == "final":
            _make_final(request, evening)
        else:
            _make(request, evening, form.cleaned_data["drawing"] if form else None)
    return to_evening("evening_draw", evening)


@desk_view(DRAW)
@require_http_methods(["GET", "POST"])
def draw_undo_page(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Throw away the draw of the rounds that have not started."""
    evening = find_evening(club, evening_slug)

    def act() -> str | None:
        if not evening.rounds.filter(state__in=[Round.State.DRAFT, Round.State.DRAWN]).exists():
            return None
        draw_undo(evening_id=evening.pk, actor=actor_of(request))
        return _("The draw is gone. The people who are here are still ticked.")

    return confirm(request, evening, _undo_confirmation(evening, act))


@desk_view(DRAW)
@require_http_methods(["GET", "POST"])
@vary_on_headers("Accept")
def draw_swap_page(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """The people somebody can change places with, the best first; a POST swaps two people."""
    evening = find_evening(club, evening_slug)
    try:
        if request.method == "POST":
            return _swapped(request, evening)
        return _choices(request, evening)
    except DomainError as error:
        if _wants_json(request):
            return JsonResponse({"message": error.message}, status=409)
        messages.error(request, error.message)
        return to_evening("evening_draw", evening)


@dataclass(frozen=True, slots=True)
class DraftSwap:
    """Two people who have just changed places in a round of the draft, or changed back."""

    one: Member
    other: Member
    round_number: int
    undone: bool


def just_swapped(request: HttpRequest, evening: Evening) -> DraftSwap | None:
    """The swap named in the address; None if there is none or it is not in this draft."""
    ids = [whole_number(request.GET.get(key, "")) for key in ("one", "other")]
    number = whole_number(request.GET.get("round", ""))
    if not all(ids):
        return None
    placed = owned(evening.club, Placement).filter(
        round__evening=evening, round__number=number, round__state=Round.State.DRAFT
    )
    rows = placed.filter(member__in=ids).select_related("member")
    members = {placement.member_id: placement.member for placement in rows}
    if len(members) != 2:
        return None
    return DraftSwap(members[ids[0]], members[ids[1]], number, undone="undone" in request.GET)


def _show(request: HttpRequest, evening: Evening, form: DrawingForm) -> HttpResponse:
    progress = evening_progress(evening)
    newcomers, leavers = drawn_without(evening)
    draft = evening.is_open and progress.first(Round.State.DRAFT) is not None
    typed_in = evening.must_be_typed_in
    report = draw_report(evening)
    drawn_here = draft and not report.by_hand
    extra_rounds = extra_table_rounds(evening) if evening.is_open else []
    first = progress.unplayed.number if progress.unplayed else len(progress.rounds) + 1
    return show_evening(
        request,
        "draw/draw.html",
        evening,
        progress=progress,
        at_draw=True,
        report=report,
        seen=draft_version(evening),
        drawing=drawing_of(evening) if drawn_here else None,
        swapped_by_hand=drawn_here and draft_was_swapped(evening),
        form=form,
        forecast=forecast(evening, progress.present),
        block_warning=block_warning(progress),
        next_step=next_step(progress),
        in_the_way=before_draw(progress),
        blocks=[
            (block, [extra for extra in extra_rounds if extra.round_number in block.numbers])
            for block in report.blocks
        ],
        newcomers=newcomers,
        leavers=leavers,
        typed_in=typed_in,
        by_round=evening.may_be_typed_in,
        next_round=first,
        by_standing=evening.goes_by_standing(first),
        rounds_to_draw=rounds_to_draw(evening, first),
        swapped=just_swapped(request, evening),
        draft=draft,
        swappable=draft and evening.method != Evening.Method.PAIRS,
        open=evening.is_open,
        enough=progress.present >= 4,
        status=422 if form.errors else 200,
    )


def _make(request: HttpRequest, evening: Evening, drawing: int | None) -> None:
    draw_make(
        evening_id=evening.pk,
        seed=seed_of(evening, drawing) if drawing else None,
        seen=request.POST.get("seen"),
        actor=actor_of(request),
    )


def _make_final(request: HttpRequest, evening: Evening) -> None:
    """Make the draft final; does nothing if it already is, so that pressing twice is harmless."""
    drafts = evening.rounds.filter(state=Round.State.DRAFT)
    if not drafts.exists() and evening.rounds.filter(state=Round.State.DRAWN).exists():
        return
    draw_publish(evening_id=evening.pk, seen=request.POST.get("seen"), actor=actor_of(request))
    messages.success(request, _("The draw is final. The hall sees it now."))


@contextmanager
def _refusals_shown(request: HttpRequest) -> Iterator[None]:
    """As `refusals_shown`, but a draw that was replaced meanwhile is only news: somebody may just
    have pressed twice."""
    with refusals_shown(request):
        try:
            yield
        except DomainError as error:
            if error.code != "draw_moved_on":
                raise
            messages.info(request, error.message)


def _undo_confirmation(evening: Evening, act: Callable[[], str | None]) -> ConfirmedAction:
    draw_url = evening_url("evening_draw", evening)
    if not evening.rounds.filter(state=Round.State.DRAWN).exists():
        return ConfirmedAction(
            title=_("Throw the draft away?"),
            text=_("The hall has not seen this draw. The people who are here stay ticked."),
            yes=_("Throw the draft away"),
            back_url=draw_url,
            act=act,
            next_url=draw_url,
        )
    return ConfirmedAction(
        title=_("Undo the draw?"),
        text=_(
            "The tables of the rounds that have not started are thrown away. Lists on the "
            "wall and printed score sheets are no longer valid then."
        ),
        yes=_("Undo the draw"),
        back_url=draw_url,
        act=act,
        next_url=draw_url,
    )


def _choices(request: HttpRequest, evening: Evening) -> HttpResponse:
    number = whole_number(request.GET.get("round", ""))
    member = _member(evening, request.GET, "who")
    waiting = require_swappable(evening, number)
    choices = swap_choices(waiting, number, str(member.pk), evening.club)
    if _wants_json(request):
        return JsonResponse({"costs": costs_as_json(choices)})
    return show_evening(
        request,
        "draw/draw_swap.html",
        evening,
        member=member,
        choices=choices,
        rounds=waiting.block_of(number),
        round_number=number,
        place=place_words(waiting, number, str(member.pk), evening.club),
        seen=draft_version(evening),
    )


def _swapped(request: HttpRequest, evening: Evening) -> HttpResponse:
    one, other = (_member(evening, request.POST, key) for key in ("one", "other"))
    number = whole_number(request.POST.get("round", ""))
    draw_swap(
        evening_id=evening.pk,
        round_number=number,
        one=one,
        other=other,
        seen=request.POST.get("seen", ""),
        actor=actor_of(request),
    )
    query = QueryDict(mutable=True)
    query.update({"round": str(number), "one": str(one.pk), "other": str(other.pk)})
    if "undo" in request.POST:
        query["undone"] = "1"
    # The address names the swap, so that the page can offer to undo it.
    response = to_evening("evening_draw", evening)
    response["Location"] += f"?{query.urlencode()}#p{number}-{one.pk}"
    return response


def _member(evening: Evening, query: QueryDict, key: str) -> Member:
    member = Member.objects.of(evening.club).filter(pk=whole_number(query.get(key, ""))).first()
    if member is None:
        raise DomainError("not_in_round", _("Choose two people of this round."))
    return member


def _wants_json(request: HttpRequest) -> bool:
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


@desk_view(DRAW)
@require_http_methods(["GET", "POST"])
def draw_change(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """The changes to the draw if these people, or everybody who came or left, are added or
    removed; a POST makes them."""
    evening = find_evening(club, evening_slug)
    members = _people_asked(request, club)
    try:
        if request.method == "POST":
            return _adapt(request, evening, members)
        return _show_changes(request, evening, adapt_preview(evening, members))
    except DomainError as refusal:
        return _changes_refused(request, evening, refusal)


def tables_to_print(changes: DrawChanges) -> list[int]:
    """The numbers of the tables where someone else will sit, in any round."""
    touched = {
        (number, table)
        for step in changes.steps
        for number, tables in step.changed_tables().items()
        for table in tables
    }
    after = changes.steps[-1].after
    there = {(number, at.number) for number, round_ in after.items() for at in round_.drawn.tables}
    return sorted({table for _number, table in touched & there})


def _people_asked(request: HttpRequest, club: Club) -> list[Member]:
    """The people named in the address; none stands for everybody who came or left."""
    wanted = [whole_number(value) for value in request.GET.getlist("who")]
    members = Member.objects.of(club).filter(pk__in=[number for number in wanted if number])
    if len(members) < len(wanted):
        raise Http404
    return list(members)


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


def _show_changes(request: HttpRequest, evening: Evening, changes: DrawChanges) -> HttpResponse:
    progress = evening_progress(evening)
    tables = tables_to_print(changes)
    return show_evening(
        request,
        "draw/draw_change.html",
        evening,
        progress=progress,
        people=person_changes(changes),
        seen=changes.version,
        tables=len(tables),
        table_numbers=_listed(tables),
        gone=gone_while_playing(evening),
        anew=_anew(evening, progress),
    )


def _listed(tables: Sequence[int]) -> str:
    return get_text_list([str(number) for number in tables], _("and"))


def _changes_refused(request: HttpRequest, evening: Evening, refusal: DomainError) -> HttpResponse:
    if request.method == "POST":
        messages.error(request, refusal.message)
        return redirect(request.get_full_path())
    if refusal.code in ("nothing_to_change", "draw_moved_on"):
        messages.info(request, refusal.message)
        return to_evening("evening_draw", evening)
    progress = evening_progress(evening)
    return show_evening(
        request,
        "draw/draw_change.html",
        evening,
        progress=progress,
        refusal=refusal.message,
        gone=gone_while_playing(evening),
        anew=_anew_url(evening, progress),
    )


def _anew(evening: Evening, progress: EveningProgress) -> str:
    """Where to draw everything again; empty once a rotation has started, because its tables
    would no longer stay together."""
    started = progress.first(Round.State.RUNNING, Round.State.CLOSED)
    if started and evening.method == Evening.Method.ROTATION:
        return ""
    return _anew_url(evening, progress)


def _anew_url(evening: Evening, progress: EveningProgress) -> str:
    if progress.unplayed and progress.unplayed.state == Round.State.DRAWN:
        return evening_url("draw_undo", evening)
    if evening.must_be_typed_in:
        return evening_url("draw_type_in", evening)
    return evening_url("evening_draw", evening)
