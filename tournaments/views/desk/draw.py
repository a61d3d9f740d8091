"""The draw: made, looked at, drawn again, made final, undone."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubs.errors import DomainError
from clubs.models import Club
from clubs.permissions import actor_of, desk_view
from clubs.views.common import ConfirmedAction
from tournaments.draw_report import draw_report
from tournaments.forecast import forecast
from tournaments.forms.draw import DrawingForm
from tournaments.models import Evening, Round
from tournaments.permissions import DRAW
from tournaments.play_twice import left_over
from tournaments.present import drawn_without
from tournaments.services import (
    draft_version,
    draft_was_swapped,
    draw_make,
    draw_publish,
    draw_undo,
    drawing_of,
    method_of,
    rounds_to_draw,
    seed_of,
)
from tournaments.steps import before_draw, block_warning, evening_progress, next_step
from tournaments.views.desk.common import (
    confirm,
    evening_url,
    find_evening,
    refusals_told,
    show_evening,
    to_evening,
)
from tournaments.views.desk.draw_swap import just_swapped


@desk_view(DRAW)
@require_http_methods(["GET", "POST"])
def evening_draw(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Who sits where in the rounds to come: drawn, drawn again or made final."""
    evening = find_evening(club, evening_slug)
    if request.method != "POST":
        return _show(request, evening, DrawingForm())
    form = DrawingForm(request.POST) if "drawing" in request.POST else None
    if form and not form.is_valid():
        return _show(request, evening, form)
    with _told(request):
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
        return _("The draw is gone. Who is here is still ticked.")

    return confirm(request, evening, _undo_confirmation(evening, act))


def _undo_confirmation(evening: Evening, act: Callable[[], str | None]) -> ConfirmedAction:
    draw_url = evening_url("evening_draw", evening)
    if not evening.rounds.filter(state=Round.State.DRAWN).exists():
        return ConfirmedAction(
            title=_("Throw the draft away?"),
            text=_("The hall has not seen this draw. Who is here stays ticked."),
            yes=_("Throw the draft away"),
            back_url=draw_url,
            act=act,
            next_url=draw_url,
        )
    return ConfirmedAction(
        title=_("Undo the draw?"),
        text=_(
            "The tables of the rounds that have not started are thrown away. Lists that hang on "
            "the wall and score sheets that are printed are then worth nothing."
        ),
        yes=_("Undo the draw"),
        back_url=draw_url,
        act=act,
        next_url=draw_url,
    )


def _show(request: HttpRequest, evening: Evening, form: DrawingForm) -> HttpResponse:
    progress = evening_progress(evening)
    newcomers, leavers = drawn_without(evening)
    draft = evening.is_open and progress.first(Round.State.DRAFT) is not None
    typed_in = evening.method == Evening.Method.TYPED_IN
    report = draw_report(evening)
    drawn_here = draft and not report.by_hand
    first = progress.unplayed.number if progress.unplayed else len(progress.rounds) + 1
    return show_evening(
        request,
        "draw.html",
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
        twice=left_over(evening),
        newcomers=newcomers,
        leavers=leavers,
        typed_in=typed_in,
        by_round=evening.may_be_typed_in,
        next_round=first,
        by_standing=method_of(evening, first) == "ranked",
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
    """Pressing the button twice is no fault: the draw is final, and that was wanted."""
    drafts = evening.rounds.filter(state=Round.State.DRAFT)
    if not drafts.exists() and evening.rounds.filter(state=Round.State.DRAWN).exists():
        return
    draw_publish(evening_id=evening.pk, seen=request.POST.get("seen"), actor=actor_of(request))
    messages.success(request, _("The draw is final. The hall sees it now."))


@contextmanager
def _told(request: HttpRequest) -> Iterator[None]:
    """As `refusals_told`; that there is another draw by now is no fault of who pressed twice."""
    with refusals_told(request):
        try:
            yield
        except DomainError as error:
            if error.code != "draw_moved_on":
                raise
            messages.info(request, error.message)
