"""Making a draw, by program or typed in, as a draft; making it final; undoing it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import cast

from django.db import transaction
from django.db.models import Max, Sum
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.models import Member
from clubs.text.errors import DomainError
from tournaments.draw.core.models import RoundDraw, Seat, TableDraw
from tournaments.draw.problem import (
    DrawProblem,
    DrawResult,
    against_themselves,
    draw_problem,
    draw_search,
    first_table,
    pairs_here,
    rounds_to_draw,
    teams_of,
)
from tournaments.evenings.services import evening_lock, evening_touch, require_state
from tournaments.models import Evening, Round
from tournaments.registration.check_in import drawn_without
from tournaments.seating.store import rounds_create, rounds_remove

DRAFT, DRAWN = Round.State.DRAFT, Round.State.DRAWN
MOST_DRAWINGS = 999
SEARCHES = 3
Seating = Mapping[Seat, Member] | Mapping[str, Member]


def draw_make(
    *, evening_id: int, actor: Actor, seed: int | None = None, seen: str | None = None
) -> list[Round]:
    """Draw the rounds still to be played among those present, as a draft.

    A method that draws ahead draws all remaining rounds, another only the next one. An earlier
    draft is discarded. Without a `seed` the evening's own is used: derived from its date and
    incremented by each draft. The search holds no lock; if people come or go meanwhile, it is
    repeated.

    Raises DomainError `evening_state`, `draw_typed_in`, `draw_of_folders`, `draw_final`,
    `all_drawn`, `draw_moved_on` if there is a draft of another version than `seen`,
    `draw_outdated` if too much happened during the search, `draw_refused` if the verifier finds a
    fault, the errors of `draw_problem`, or the code of the DrawError with its sentence.
    """
    # The search takes seconds, so it runs before the lock is taken. Under the lock the problem is
    # read again: the draw is only stored if it is still the answer to the same problem.
    problem = _problem(_evening(evening_id), seed, seen)
    for _search in range(SEARCHES):
        result = draw_search(problem)
        with transaction.atomic():
            evening = evening_lock(evening_id)
            problem = _problem(evening, seed, seen)
            if problem == result.problem:
                return _draft_store(evening, result, actor)
    raise DomainError(
        "draw_outdated", _("People came or left during the draw. Draw again."), members=[]
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
            % {"names": ", ".join(member.desk_name for member in others)},
            members=others,
        )
    evening.rounds.filter(state=DRAFT).update(state=DRAWN)
    evening_touch(evening, actor=actor, action="draw_final", data={"from": numbers[0]})
    return list(evening.rounds.filter(number__in=numbers))


@transaction.atomic
def draw_undo(*, evening_id: int, actor: Actor) -> int:
    """Discard the draw of the rounds that have not started; returns their number.

    Raises DomainError `evening_state`, `no_draft`, or `movement_running` for folders of which a
    round has started: the rest of the movement follows from it.
    """
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    if evening.plays_folders and evening.rounds.exclude(state__in=[DRAFT, DRAWN]).exists():
        raise DomainError(
            "movement_running",
            _(
                "The folders are being played, so the movement stays. A pair that comes late gets"
                " its place under “Portefeuille”. Who must stop early closes the evening: rounds"
                " that were not played then do not count."
            ),
        )
    gone = rounds_remove(evening, evening.rounds.filter(state__in=[DRAFT, DRAWN]))
    if not gone:
        raise DomainError("no_draft", _("There is no draw to undo."))
    evening_touch(evening, actor=actor, action="draw_undone", data={"rounds": gone})
    return gone


@transaction.atomic
def draw_type_in(
    *,
    evening_id: int,
    tables: Sequence[Seating],
    sit_out: Sequence[Member],
    actor: Actor,
    seen: str | None = None,
) -> Round:
    """Take over a draw done by hand for the next round, replacing the draft marked `seen`.

    Raises DomainError `evening_state`, `draw_final`, `all_drawn`, `draw_by_program` if the method
    leaves nothing to draw by hand, `draw_moved_on` if there is another draft than the one marked
    `seen`, or `draw_faults` with every fault (params: faults): someone placed twice, not placed or
    absent; a table without four people, or on an evening with tables of three, three people with
    West among them, or two not at North and East.
    """
    evening = evening_lock(evening_id)
    require_drawable(evening)
    _require_by_hand(evening)
    require_seen(evening, seen)
    rounds_remove(evening, evening.rounds.filter(state=Round.State.DRAFT))
    first = next_round(evening)
    evening.first_table = first_table(evening)
    if faults := _typed_faults(evening, tables, sit_out):
        raise DomainError("draw_faults", _("The draw is not right yet."), faults=faults)
    evening.save(update_fields=["first_table"])
    typed = RoundDraw(
        tables=tuple(
            TableDraw(
                number=number,
                seats={cast("Seat", seat): str(member.pk) for seat, member in seating.items()},
            )
            for number, seating in enumerate(tables, start=evening.first_table)
        ),
        sit_out=tuple(str(member.pk) for member in sit_out),
    )
    [made] = rounds_create(evening, first, [typed], drawn_by=Round.DrawnBy.HAND)
    evening_touch(evening, actor=actor, action="draw_typed_in", data={"round": first})
    return made


def drawing_of(evening: Evening) -> int | None:
    """The number of the evening's current drawing, from 1; None if its seed has no number."""
    drawing = evening.seed - _first_seed(evening) + 1
    return drawing if 1 <= drawing <= MOST_DRAWINGS else None


def seed_of(evening: Evening, drawing: int) -> int:
    """The seed of the evening's drawing with this number, from 1."""
    return _first_seed(evening) + drawing - 1


def next_seed(evening: Evening) -> int:
    """The seed of the drawing after the evening's last."""
    return seed_of(evening, (drawing_of(evening) or 0) + 1)


def draft_version(evening: Evening) -> str:
    """The version of the draft; empty without one.

    A draft is drawn as new rounds and thrown away whole, so the last of its rounds says which
    draft it is, and the sum of their versions how often it was changed. One query.
    """
    last, changes = (
        evening.rounds.filter(state=DRAFT)
        .aggregate(last=Max("pk"), changes=Sum("version"))
        .values()
    )
    return f"{last}-{changes}" if last else ""


def draft_was_swapped(evening: Evening) -> bool:
    """Whether people in the draft changed places by hand, so that drawing the same number again
    does not give the same draft."""
    return evening.rounds.filter(state=DRAFT).exclude(swaps=[]).exists()


def require_seen(evening: Evening, seen: str | None) -> None:
    """Raises DomainError `draw_moved_on` if the draft is no longer at the version `seen`; None
    takes any version."""
    if seen is not None and seen != draft_version(evening):
        raise DomainError(
            "draw_moved_on",
            _("The draw has changed in the meantime. This is how it is now."),
        )


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


def _first_seed(evening: Evening) -> int:
    """Derived from the date: with the same seed the same people would meet every week."""
    return int(f"{evening.date:%Y%m%d}{evening.sequence % 10}")


def _evening(evening_id: int) -> Evening:
    return Evening.objects.select_related("club", "regulation", "season").get(pk=evening_id)


def _problem(evening: Evening, seed: int | None, seen: str | None) -> DrawProblem:
    require_drawable(evening)
    if evening.plays_folders:
        raise DomainError(
            "draw_of_folders",
            _("This evening is played in folders: the movement says who meets whom."),
        )
    if evening.must_be_typed_in:
        raise DomainError(
            "draw_typed_in", _("The draw of this evening is done by hand: type it in.")
        )
    require_seen(evening, seen)
    first = next_round(evening)
    seed = next_seed(evening) if seed is None else seed
    return draw_problem(evening, first=first, rounds=rounds_to_draw(evening, first), seed=seed)


def _draft_store(evening: Evening, result: DrawResult, actor: Actor) -> list[Round]:
    rounds_remove(evening, evening.rounds.filter(state=DRAFT))
    first, evening.seed = result.problem.first_round, result.problem.seed
    evening.first_table = result.problem.first_table
    evening.save(update_fields=["seed", "first_table"])
    drawn = result.drawn
    made = rounds_create(
        evening,
        first,
        drawn.rounds,
        search_ms=result.milliseconds,
        movement=drawn.movement or "",
    )
    evening_touch(evening, actor=actor, action="drawn", data={"seed": evening.seed, "from": first})
    return made


def _require_by_hand(evening: Evening) -> None:
    if not evening.may_be_typed_in:
        raise DomainError(
            "draw_by_program",
            _("This evening the tables follow from each other: let the program draw them."),
        )


def _typed_faults(
    evening: Evening, tables: Sequence[Seating], sit_out: Sequence[Member]
) -> list[str]:
    faults = []
    placed: list[Member] = [member for seating in tables for member in seating.values()] + list(
        sit_out
    )
    if not tables:
        faults.append(_("There is no table yet."))
    for number, seating in enumerate(tables, start=evening.first_table):
        if set(seating) not in _full_tables(evening):
            faults.append(_("Table %(n)s needs four people.") % {"n": number})
    here = set(Member.objects.filter(registrations__evening=evening, registrations__present=True))
    if evening.method == Evening.Method.PAIRS:
        faults += _parted(evening, tables)
    faults += _against_themselves(evening, tables)
    times = Counter(placed)
    for member in sorted(here.union(placed), key=lambda member: (member.sort_name, member.pk)):
        if times[member] > 1:
            faults.append(_("%(name)s is placed twice.") % {"name": member.desk_name})
        if not times[member]:
            faults.append(_("%(name)s is not placed yet.") % {"name": member.desk_name})
        if member not in here:
            faults.append(
                _("%(name)s is not on the list of who is here.") % {"name": member.desk_name}
            )
    return faults


def _parted(evening: Evening, tables: Sequence[Seating]) -> list[str]:
    """People who sit opposite each other and are not a fixed pair."""
    mates = {player: other for pair in pairs_here(evening) for player, other in (pair, pair[::-1])}
    faults = []
    for number, seating in enumerate(tables, start=evening.first_table):
        at = {str(seat): member for seat, member in seating.items()}
        for seat, opposite in ("NS", "EW"):
            two = [at[each] for each in (seat, opposite) if each in at]
            if len(two) == 2 and mates.get(str(two[0].pk)) != str(two[1].pk):
                names = {"one": two[0].desk_name, "two": two[1].desk_name}
                message = _("Table %(n)s: %(one)s and %(two)s are not a pair.")
                faults.append(message % {"n": number, **names})
    return faults


def _against_themselves(evening: Evening, tables: Sequence[Seating]) -> list[str]:
    """A sentence for each team that plays against itself, unless the evening allows it."""
    teams = teams_of(evening)
    faults = []
    for number, seating in enumerate(tables, start=evening.first_table):
        seats = {seat: str(member.pk) for seat, member in seating.items()}
        faults += [
            _(
                "Table %(n)s: %(team)s plays against itself. Is that how you play? Then tick"
                " “People of one team may sit at one table” where you change the evening."
            )
            % {"n": number, "team": team}
            for team in against_themselves(seats, teams)
        ]
    return faults


def _full_tables(evening: Evening) -> list[set[str]]:
    """The sets of seats that may be filled at a table."""
    threes = evening.leftover != Evening.Leftover.SIT_OUT
    threes = threes and evening.method != Evening.Method.PAIRS
    return [{*"NESW"}, {*"NES"}, {*"NE"}] if threes else [{*"NESW"}]
