"""The draw by the program: made, kept as a draft, made final, undone."""

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.errors import DomainError
from tournaments.models import Evening, Round
from tournaments.present import drawn_without
from tournaments.services._drafts import DRAFT, DRAWN, require_seen
from tournaments.services._drawings import next_seed
from tournaments.services._evening import evening_lock, evening_touch, require_state
from tournaments.services._question import DrawProblem, draw_problem, rounds_to_draw
from tournaments.services._rounds import rounds_create, rounds_remove
from tournaments.services._search import DrawResult, draw_search

SEARCHES = 3


def draw_make(
    *, evening_id: int, actor: Actor, seed: int | None = None, seen: str | None = None
) -> list[Round]:
    """Draw the rounds still to be played among those present, as a draft.

    A method that draws ahead draws all remaining rounds, another only the next one. An earlier
    draft is discarded. Without a `seed` the evening's own is used: derived from its date and
    incremented by each draft. The search holds no lock; if people come or go meanwhile, it is
    repeated.

    Raises DomainError `evening_state`, `draw_typed_in`, `draw_final`, `all_drawn`,
    `draw_moved_on` if there is a draft of another version than `seen`, `draw_outdated` if too
    much happened during the search, `draw_refused` if the verifier finds a fault, the errors of
    `draw_problem`, or the code of the DrawError with its sentence.
    """
    problem = _problem(_evening(evening_id), seed, seen)
    for _search in range(SEARCHES):
        result = draw_search(problem)
        with transaction.atomic():
            evening = evening_lock(evening_id)
            problem = _problem(evening, seed, seen)
            if problem == result.problem:
                return _keep(evening, result, actor)
    raise DomainError(
        "draw_outdated", _("People came or left while it was drawn. Draw once more."), members=[]
    )


@transaction.atomic
def draw_publish(*, evening_id: int, actor: Actor, seen: str | None = None) -> list[Round]:
    """Make the draft final: from now on players see it.

    Raises DomainError `evening_state`, `no_draft`, `draw_moved_on` if there is another draft than
    the one marked `seen`, or `draw_outdated` (params: members) if someone came or left since.
    """
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    numbers = list(evening.rounds.filter(state=DRAFT).values_list("number", flat=True))
    if not numbers:
        raise DomainError("no_draft", _("There is no draw to make final."))
    require_seen(evening, seen)
    newcomers, leavers = drawn_without(evening)
    if others := newcomers + leavers:
        raise DomainError(
            "draw_outdated",
            _("Since this draw was made, %(names)s came or left. Draw again.")
            % {"names": ", ".join(member.name for member in others)},
            members=others,
        )
    evening.rounds.filter(state=DRAFT).update(state=DRAWN)
    evening_touch(evening, actor=actor, action="draw_final", data={"from": numbers[0]})
    return list(evening.rounds.filter(number__in=numbers))


@transaction.atomic
def draw_undo(*, evening_id: int, actor: Actor) -> int:
    """Discard the draw of the rounds that have not started; returns their number.

    Raises DomainError `evening_state` or `no_draft`.
    """
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    gone = rounds_remove(evening, evening.rounds.filter(state__in=[DRAFT, DRAWN]))
    if not gone:
        raise DomainError("no_draft", _("There is no draw to undo."))
    evening_touch(evening, actor=actor, action="draw_undone", data={"rounds": gone})
    return gone


def require_drawable(evening: Evening) -> None:
    """Raises DomainError `evening_state`, or `draw_final` if a final draw is yet to be played."""
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    if evening.rounds.filter(state=DRAWN).exists():
        raise DomainError("draw_final", _("The draw is final. Undo it first to draw again."))


def next_round(evening: Evening) -> int:
    """The number of the first round without a final draw. Raises DomainError `all_drawn`."""
    final = evening.rounds.exclude(state=DRAFT)
    last = final.aggregate(last=Max("number"))["last"] or 0
    if last >= evening.rounds_planned:
        raise DomainError("all_drawn", _("All rounds of this evening are drawn."))
    return last + 1


def _evening(evening_id: int) -> Evening:
    return Evening.objects.select_related("club", "regulation", "season").get(pk=evening_id)


def _problem(evening: Evening, seed: int | None, seen: str | None) -> DrawProblem:
    require_drawable(evening)
    if evening.method == Evening.Method.TYPED_IN:
        raise DomainError("draw_typed_in", _("This evening's draw is done by hand: type it in."))
    require_seen(evening, seen)
    first = next_round(evening)
    seed = next_seed(evening) if seed is None else seed
    return draw_problem(evening, first=first, rounds=rounds_to_draw(evening, first), seed=seed)


def _keep(evening: Evening, result: DrawResult, actor: Actor) -> list[Round]:
    rounds_remove(evening, evening.rounds.filter(state=DRAFT))
    first, evening.seed = result.problem.first_round, result.problem.seed
    evening.save(update_fields=["seed"])
    made = rounds_create(evening, first, result.drawn.rounds, search_ms=result.milliseconds)
    evening_touch(evening, actor=actor, action="drawn", data={"seed": evening.seed, "from": first})
    return made
