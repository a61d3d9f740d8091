"""The draw: made, looked at, drawn again, made final, undone."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubs.models import Club
from clubs.permissions import RUN_EVENING, actor_of, desk_view
from clubs.views.common import Question
from tournaments.draw_report import draw_report
from tournaments.forecast import forecast
from tournaments.models import Evening, Round
from tournaments.present import drawn_without
from tournaments.services import draw_make, draw_publish
from tournaments.services import draw_undo as undo
from tournaments.steps import block_warning, evening_progress, next_step
from tournaments.views.desk.common import (
    ask,
    evening_url,
    find_evening,
    refusals_told,
    show_evening,
    to_evening,
)

OPEN = (Evening.State.PLANNED, Evening.State.RUNNING)


@desk_view(RUN_EVENING)
@require_http_methods(["GET", "POST"])
def evening_draw(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Who sits where in the rounds to come: drawn, drawn again or made final."""
    evening = find_evening(club, evening_slug)
    if request.method == "POST":
        with refusals_told(request):
            if request.POST.get("action") == "final":
                _make_final(request, evening)
            else:
                draw_make(evening_id=evening.pk, actor=actor_of(request))
        return to_evening("evening_draw", evening)
    return _show(request, evening)


@desk_view(RUN_EVENING)
@require_http_methods(["GET", "POST"])
def draw_undo(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Throw away the draw of the rounds that have not started."""
    evening = find_evening(club, evening_slug)
    if request.method == "POST":
        if evening.rounds.filter(state__in=[Round.State.DRAFT, Round.State.DRAWN]).exists():
            with refusals_told(request):
                undo(evening_id=evening.pk, actor=actor_of(request))
                messages.success(request, _("The draw is gone. Who is here is still ticked."))
        return to_evening("evening_draw", evening)
    question = Question(
        title=_("Undo the draw?"),
        text=_(
            "The tables of the rounds that have not started are thrown away. Lists that hang on "
            "the wall and score sheets that are printed are then worth nothing."
        ),
        yes=_("Undo the draw"),
        back_url=evening_url("evening_draw", evening),
    )
    return ask(request, evening, question)


def _show(request: HttpRequest, evening: Evening) -> HttpResponse:
    progress = evening_progress(evening)
    newcomers, leavers = drawn_without(evening)
    return show_evening(
        request,
        "draw.html",
        evening,
        progress=progress,
        report=draw_report(evening),
        forecast=forecast(evening, progress.present),
        block_warning=block_warning(progress),
        next_step=next_step(progress),
        newcomers=newcomers,
        leavers=leavers,
        typed_in=evening.method == Evening.Method.TYPED_IN,
        by_round=evening.method != Evening.Method.ROTATION,
        next_round=len(progress.rounds) + 1,
        open=evening.state in OPEN,
        enough=progress.present >= 4,
    )


def _make_final(request: HttpRequest, evening: Evening) -> None:
    """Pressing the button twice is no fault: the draw is final, and that was wanted."""
    drafts = evening.rounds.filter(state=Round.State.DRAFT)
    if not drafts.exists() and evening.rounds.filter(state=Round.State.DRAWN).exists():
        return
    draw_publish(evening_id=evening.pk, actor=actor_of(request))
    messages.success(request, _("The draw is final. The hall sees it now."))
