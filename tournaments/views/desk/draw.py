"""The draw: made, looked at, drawn again, typed in, made final, undone."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubs.errors import DomainError
from clubs.models import Club, Member
from clubs.permissions import RUN_EVENING, actor_of, desk_view
from clubs.views.common import Question
from tournaments.draw_report import draw_report
from tournaments.forms.typed_draw import TypedDrawForm, typed_initial
from tournaments.models import Evening, Placement, Round
from tournaments.present import drawn_without
from tournaments.services import draw_make, draw_publish, draw_type_in
from tournaments.services import draw_undo as undo
from tournaments.steps import Progress, block_warning, evening_progress, forecast, next_step
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
def draw_typed(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Type in a draw that was done by hand, for the next round."""
    evening = find_evening(club, evening_slug)
    people = list(
        Member.objects.filter(registrations__evening=evening, registrations__present=True)
        .order_by("sort_name", "number", "pk")
        .distinct()
    )
    if request.method == "POST":
        form = TypedDrawForm(request.POST, people=people)
        if form.is_valid() and _typed(request, evening, form):
            return to_evening("evening_draw", evening)
    else:
        filled_in = typed_initial(_draft_seats(evening), people)
        form = TypedDrawForm(initial=filled_in, people=people)
    progress = evening_progress(evening)
    return show_evening(
        request,
        "draw_typed.html",
        evening,
        progress=progress,
        status=422 if form.errors else 200,
        form=form,
        round_number=_round_to_type(progress),
        forecast=forecast(len(people), club),
    )


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
        forecast=forecast(progress.present, evening.club),
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


def _typed(request: HttpRequest, evening: Evening, form: TypedDrawForm) -> bool:
    try:
        draw_type_in(
            evening_id=evening.pk,
            tables=form.seatings(),
            sit_out=form.left_over(),
            actor=actor_of(request),
        )
    except DomainError as error:
        faults = error.params.get("faults")
        for fault in faults if isinstance(faults, list) else [error.message]:
            form.add_error(None, fault)
        return False
    return True


def _draft_seats(evening: Evening) -> dict[tuple[int, str], Member]:
    placed = Placement.objects.filter(
        round__evening=evening, round__state=Round.State.DRAFT, table__isnull=False
    )
    return {
        (one.table.number, one.seat): one.member
        for one in placed.select_related("table", "member")
        if one.table
    }


def _round_to_type(progress: Progress) -> int:
    draft = progress.first(Round.State.DRAFT)
    return draft.number if draft else len(progress.rounds) + 1
