"""Pages for a draw done by hand: typed in by table or by lot; and extra tables."""

from dataclasses import dataclass
from typing import cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from clubs.access.permissions import actor_of, desk_view, owned
from clubs.http.pages import form_saved, typed
from clubs.models import Club, Member
from clubs.text.errors import DomainError
from tournaments.draw.core.models import Seat
from tournaments.draw.extra_tables import extra_table_make, extra_table_rounds, extra_table_undo
from tournaments.draw.forms import (
    ExtraTableForm,
    TypedDrawForm,
    TypedPairsForm,
    typed_initial,
    typed_pairs_initial,
)
from tournaments.draw.lots_form import TypedLotsForm, lots_initial
from tournaments.draw.problem import first_table
from tournaments.draw.services import draft_version, draw_type_in
from tournaments.evenings.pages import (
    evening_url,
    find_evening,
    refusals_shown,
    show_evening,
    to_evening,
)
from tournaments.evenings.permissions import DRAW
from tournaments.evenings.texts import forecast
from tournaments.evenings.workflow import EveningProgress, evening_progress
from tournaments.models import Evening, Placement, Round
from tournaments.registration.pairs import pairs_of

BY_NUMBER = "number"
TypedForm = TypedDrawForm | TypedLotsForm | TypedPairsForm


@dataclass(frozen=True, slots=True)
class EntryTab:
    """A tab with a way to type a draw in."""

    label: str
    url: str
    current: bool


@desk_view(DRAW)
@require_http_methods(["GET", "POST"])
def draw_typed(request: HttpRequest, club: Club, evening_slug: str) -> HttpResponse:
    """Type in a draw that was done by hand, for the next round, table by table."""
    evening = find_evening(club, evening_slug)
    if not evening.may_be_typed_in:
        return to_evening("evening_draw", evening)
    if evening.method == Evening.Method.PAIRS:
        return _draw_typed_pairs(request, evening)
    people = _people(evening)
    form = TypedDrawForm(
        request.POST if request.method == "POST" else None,
        initial=typed_initial(_draft_seats(evening)),
        people=people,
        threes=_has_threes(evening),
        first=first_table(evening),
    )
    if form.is_valid() and _typed(request, evening, form):
        return to_evening("evening_draw", evening)
    return _show(request, evening, "draw/draw_typed.html", form, way="draw_type_in")


def _draw_typed_pairs(request: HttpRequest, evening: Evening) -> HttpResponse:
    """The same by pair number; first everybody needs a partner."""
    paired = pairs_of(evening)
    if paired.alone:
        return to_evening("evening_pairs", evening)
    pairs = [pair for pair in paired.pairs if not pair.gone]
    form = TypedPairsForm(
        request.POST if request.method == "POST" else None,
        initial=typed_pairs_initial(_draft_seats(evening), pairs),
        pairs=pairs,
    )
    if form.is_valid() and _typed(request, evening, form):
        return to_evening("evening_draw", evening)
    return _show(request, evening, "draw/draw_typed_pairs.html", form, way="")


@desk_view(DRAW)
@require_http_methods(["GET", "POST"])
def draw_lots(
    request: HttpRequest, club: Club, evening_slug: str, *, lettered: bool
) -> HttpResponse:
    """Type in the lot that each person drew for the next round: a number, or with `lettered` a
    table with a letter. `?order=number` lists people by their number."""
    evening = find_evening(club, evening_slug)
    if not evening.may_be_typed_in:
        return to_evening("evening_draw", evening)
    if evening.method == Evening.Method.PAIRS:
        return to_evening("draw_type_in", evening)
    order = request.GET.get("order", "")
    form = TypedLotsForm(
        request.POST if request.method == "POST" else None,
        initial=lots_initial(_draft_seats(evening), lettered=lettered),
        people=_people(evening, order),
        lettered=lettered,
        threes=_has_threes(evening),
    )
    if form.is_valid() and _typed(request, evening, form):
        return to_evening("evening_draw", evening)
    way = "draw_type_in_letters" if lettered else "draw_type_in_lots"
    return _show(
        request,
        evening,
        "draw/draw_typed_lots.html",
        form,
        way=way,
        lettered=lettered,
        by_number=order == BY_NUMBER,
    )


@desk_view(DRAW)
@require_http_methods(["GET", "POST"])
def extra_table_page(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int
) -> HttpResponse:
    """Choose who plays twice, so that the people left over have a table."""
    evening = find_evening(club, evening_slug)
    rounds = extra_table_rounds(evening)
    extra_round = next((each for each in rounds if each.round_number == round_number), None)
    if extra_round is None:
        raise Http404
    if extra_round.table:
        return to_evening("evening_draw", evening)
    form = ExtraTableForm(typed(request), extra_round=extra_round)

    def save() -> None:
        number = extra_table_make(
            evening_id=evening.pk,
            round_number=round_number,
            twice=form.chosen(),
            actor=actor_of(request),
        )
        words = _("Round %(round)s has an extra table: table %(n)s.")
        messages.success(request, words % {"round": round_number, "n": number})

    if form_saved(form, save):
        return to_evening("evening_draw", evening)
    status = 422 if form.errors else 200
    return show_evening(
        request,
        "draw/extra_table.html",
        evening,
        form=form,
        extra_round=extra_round,
        status=status,
    )


@desk_view(DRAW)
@require_POST
def extra_table_undo_page(
    request: HttpRequest, club: Club, evening_slug: str, round_number: int
) -> HttpResponse:
    """Remove the extra table of a round again."""
    evening = find_evening(club, evening_slug)
    with refusals_shown(request):
        extra_table_undo(evening_id=evening.pk, round_number=round_number, actor=actor_of(request))
        messages.success(request, _("The extra table is gone. Nobody plays this round twice."))
    return to_evening("evening_draw", evening)


def _show(
    request: HttpRequest,
    evening: Evening,
    template: str,
    form: TypedForm,
    *,
    way: str,
    **context: object,
) -> HttpResponse:
    progress = evening_progress(evening)
    return show_evening(
        request,
        template,
        evening,
        progress=progress,
        at_draw=True,
        status=422 if form.errors else 200,
        form=form,
        seen=draft_version(evening),
        ways=_ways(evening, way),
        round_number=_round_to_type(progress),
        forecast=forecast(evening, len(form.people)),
        **context,
    )


def _ways(evening: Evening, current: str) -> list[EntryTab]:
    labels = {
        "draw_type_in": _("By table"),
        "draw_type_in_lots": _("Lots with a number"),
        "draw_type_in_letters": _("Lots with a table and A or B"),
    }
    return [
        EntryTab(label, evening_url(name, evening), name == current)
        for name, label in labels.items()
    ]


def _people(evening: Evening, order: str = "") -> list[Member]:
    """The people present, by surname; or by number, those without one last."""
    here = Member.objects.of(evening.club).filter(
        registrations__evening=evening, registrations__present=True
    )
    people = list(here.by_surname())
    if order == BY_NUMBER:
        people.sort(key=lambda member: (member.number is None, member.number))
    return people


def _has_threes(evening: Evening) -> bool:
    return evening.leftover != Evening.Leftover.SIT_OUT


def _typed(request: HttpRequest, evening: Evening, form: TypedForm) -> bool:
    try:
        draw_type_in(
            evening_id=evening.pk,
            tables=form.seatings(),
            sit_out=form.left_over(),
            actor=actor_of(request),
            seen=request.POST.get("seen"),
        )
    except DomainError as error:
        for fault in _refusal(error):
            form.add_error(None, fault)
        return False
    return True


def _refusal(error: DomainError) -> list[str]:
    if error.code == "draw_moved_on":
        return [
            _(
                "Somebody else changed the draft in the meantime. Send this once more to put "
                "yours in its place."
            )
        ]
    faults = error.params.get("faults")
    return faults if isinstance(faults, list) else [error.message]


def _draft_seats(evening: Evening) -> dict[tuple[int, Seat], Member]:
    """Who sits at (table, seat) in the first round of the draft."""
    draft = evening.rounds.filter(state=Round.State.DRAFT).order_by("number").first()
    placed = owned(evening.club, Placement).filter(round=draft, table__isnull=False)
    return {
        (placement.table.number - evening.first_table + 1, cast("Seat", placement.seat)): (
            placement.member
        )
        for placement in placed.select_related("table", "member")
        if draft and placement.table
    }


def _round_to_type(progress: EveningProgress) -> int:
    draft = progress.first(Round.State.DRAFT)
    return draft.number if draft else len(progress.rounds) + 1
