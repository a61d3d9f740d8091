"""The draw that was done by hand, typed in."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from clubs.errors import DomainError
from clubs.models import Club, Member
from clubs.permissions import RUN_EVENING, actor_of, desk_view
from tournaments.forecast import sitting_out_forecast
from tournaments.forms.typed_draw import TypedDrawForm, typed_initial
from tournaments.models import Evening, Placement, Round
from tournaments.services import draw_type_in
from tournaments.steps import Progress, evening_progress
from tournaments.views.desk.common import find_evening, show_evening, to_evening


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
        forecast=sitting_out_forecast(club, len(people)),
    )


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
