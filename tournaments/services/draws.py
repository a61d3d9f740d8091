"""The draw by the program: searched, kept as a draft, made final, undone."""

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
from tournaments.services._question import DrawQuestion, draw_question, rounds_to_draw
from tournaments.services._rounds import rounds_create, rounds_remove
from tournaments.services._search import DrawFound, draw_search

SEARCHES = 3


def draw_make(
    *, evening_id: int, actor: Actor, seed: int | None = None, seen: str | None = None
) -> list[Round]:
    """Draw what is still to be played among those who are here, as a draft.

    A method that draws ahead draws all rounds left, another the next one. An earlier draft is
    thrown away. With no `seed` the evening's own is used: made from its date, then counted up by
    each draft. While it searches everybody can go on; what comes or goes meanwhile is searched
    once more.

    Raises DomainError `evening_state`, `draw_typed_in`, `draw_final`, `all_drawn`, `draw_moved_on`
    when there the draft is not at the version `seen`, `draw_outdated` when too much happened
    while it searched, `draw_refused` when the verifier finds a fault, what `draw_question` raises,
    or the code of the DrawError with its sentence.
    """
    question = _question(_evening(evening_id), seed, seen)
    for _search in range(SEARCHES):
        found = draw_search(question)
        with transaction.atomic():
            evening = evening_lock(evening_id)
            question = _question(evening, seed, seen)
            if question == found.question:
                return _keep(evening, found, actor)
    raise DomainError(
        "draw_outdated", _("People came or left while it was drawn. Draw once more."), members=[]
    )


@transaction.atomic
def draw_publish(*, evening_id: int, actor: Actor, seen: str | None = None) -> list[Round]:
    """Make the draft final: from now on the hall sees it.

    Raises DomainError `evening_state`, `no_draft`, `draw_moved_on` when it is another draft than
    the one marked `seen`, or `draw_outdated` (params: members) when somebody came or left since it
    was made.
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
    """Throw away the draw of the rounds that have not started. Returns how many rounds went.

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
    """Raises DomainError `evening_state`, or `draw_final` while a final draw waits to be played."""
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


def _question(evening: Evening, seed: int | None, seen: str | None) -> DrawQuestion:
    require_drawable(evening)
    if evening.method == Evening.Method.TYPED_IN:
        raise DomainError("draw_typed_in", _("This evening's draw is done by hand: type it in."))
    require_seen(evening, seen)
    first = next_round(evening)
    seed = next_seed(evening) if seed is None else seed
    return draw_question(evening, first=first, rounds=rounds_to_draw(evening, first), seed=seed)


def _keep(evening: Evening, found: DrawFound, actor: Actor) -> list[Round]:
    rounds_remove(evening, evening.rounds.filter(state=DRAFT))
    first, evening.seed = found.question.first_round, found.question.seed
    evening.save(update_fields=["seed"])
    made = rounds_create(evening, first, found.drawn.rounds, search_ms=found.milliseconds)
    evening_touch(evening, actor=actor, action="drawn", data={"seed": evening.seed, "from": first})
    return made
