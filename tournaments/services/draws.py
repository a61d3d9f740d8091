"""Who sits where: drawn by the program or typed in, a draft until it is made final."""

from collections import Counter
from collections.abc import Mapping, Sequence

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.errors import DomainError
from clubs.models import Member
from scoring.models import DealEntry, Scoresheet
from scoring.services import sheets_create, sheets_lock
from tournaments.draw import Draw, DrawError, RoundDraw, TableDraw, draw
from tournaments.models import Evening, Placement, Round, Table
from tournaments.services._evening import evening_lock, evening_touch, require_state
from tournaments.services._question import draw_question, rounds_to_draw
from tournaments.services.evening_rules import sheet_rules

DRAFT, DRAWN = Round.State.DRAFT, Round.State.DRAWN
Seating = Mapping[str, Member]


@transaction.atomic
def draw_make(*, evening_id: int, actor: Actor, seed: int | None = None) -> list[Round]:
    """Draw what is still to be played among those who are here, as a draft.

    A method that draws ahead draws all rounds left, another the next one. An earlier draft is
    thrown away. With no `seed` the evening's own is used: made from its date, then counted up by
    each draft.

    Raises DomainError `evening_state`, `draw_typed_in`, `draw_final`, `all_drawn`, or the code
    of the DrawError with its sentence.
    """
    evening = _lock_for_draw(evening_id)
    if evening.method == Evening.Method.TYPED_IN:
        raise DomainError("draw_typed_in", _("This evening's draw is done by hand: type it in."))
    first = _next_round(evening)
    rounds = rounds_to_draw(evening, first)
    evening.seed = _next_seed(evening) if seed is None else seed
    evening.save(update_fields=["seed"])
    drawn = _draw(evening, first, rounds)
    made = [
        _round_create(evening, first + offset, round_draw)
        for offset, round_draw in enumerate(drawn.rounds)
    ]
    evening_touch(evening, actor=actor, action="drawn", data={"seed": evening.seed, "from": first})
    return made


@transaction.atomic
def draw_type_in(
    *, evening_id: int, tables: Sequence[Seating], sit_out: Sequence[Member], actor: Actor
) -> Round:
    """Take over a draw done by hand for the next round, as a draft.

    Raises DomainError `evening_state`, `draw_final`, `all_drawn`, or `draw_faults` with every
    fault (params: faults): somebody twice, not placed or not here, a table that has not four.
    """
    evening = _lock_for_draw(evening_id)
    first = _next_round(evening)
    if faults := _typed_faults(evening, tables, sit_out):
        raise DomainError("draw_faults", _("The draw is not right yet."), faults=faults)
    typed = RoundDraw(
        tables=tuple(
            TableDraw(number=number, seats={seat: str(who.pk) for seat, who in seating.items()})  # type: ignore[misc]
            for number, seating in enumerate(tables, start=1)
        ),
        sit_out=tuple(str(member.pk) for member in sit_out),
    )
    made = _round_create(evening, first, typed)
    evening_touch(evening, actor=actor, action="draw_typed_in", data={"round": first})
    return made


@transaction.atomic
def draw_publish(*, evening_id: int, actor: Actor) -> list[Round]:
    """Make the draft final: from now on the hall sees it.

    Raises DomainError `evening_state`, `no_draft`, or `draw_outdated` (params: members) when
    somebody came or left since the draft was made.
    """
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    numbers = list(evening.rounds.filter(state=DRAFT).values_list("number", flat=True))
    if not numbers:
        raise DomainError("no_draft", _("There is no draw to make final."))
    if others := _came_or_left(evening, numbers[0]):
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


def rounds_remove(evening: Evening, rounds: QuerySet[Round]) -> int:
    """Delete rounds with their tables and blank sheets.

    Raises DomainError `deals_written` when anything was ever written on one of the sheets.
    """
    sheets = Scoresheet.objects.filter(table__round__in=rounds)
    blank = [sheet.pk for sheet in sheets_lock(*sheets.values_list("pk", flat=True))]
    written = DealEntry.objects.filter(deal__sheet__in=sheets).exists()
    if written or sheets.filter(side_totals__isnull=False).exists():
        raise DomainError("deals_written", _("Deals were written in this round: it must stay."))
    found = rounds.count()
    rounds.delete()
    Scoresheet.objects.filter(pk__in=blank).delete()
    return found


def _lock_for_draw(evening_id: int) -> Evening:
    evening = evening_lock(evening_id)
    require_state(evening, Evening.State.PLANNED, Evening.State.RUNNING)
    if evening.rounds.filter(state=DRAWN).exists():
        raise DomainError("draw_final", _("The draw is final. Undo it first to draw again."))
    rounds_remove(evening, evening.rounds.filter(state=DRAFT))
    return evening


def _next_round(evening: Evening) -> int:
    last = evening.rounds.aggregate(last=Max("number"))["last"] or 0
    if last >= evening.rounds_planned:
        raise DomainError("all_drawn", _("All rounds of this evening are drawn."))
    return last + 1


def _draw(evening: Evening, first: int, rounds: int) -> Draw:
    question = draw_question(evening, first=first, rounds=rounds, seed=evening.seed)
    try:
        return draw(
            players=question.players,
            rounds=question.rounds,
            method=question.method,
            seed=question.seed,
            leftover=question.leftover,
            fixed=question.fixed,
            apart=question.apart,
            history=question.history,
            already_out=question.already_out,
            first_round=question.first_round,
            played=question.played,
        )
    except DrawError as error:
        raise DomainError(error.code, _draw_sentence(error)) from error


def _next_seed(evening: Evening) -> int:
    """Another one each evening, or the same people would meet the same people each week."""
    return (
        evening.seed + 1 if evening.seed else int(f"{evening.date:%Y%m%d}{evening.sequence % 10}")
    )


def _came_or_left(evening: Evening, number: int) -> list[Member]:
    """Who is here but not placed in that round, and who is placed and not here."""
    placed = Placement.objects.filter(round__evening=evening, round__number=number)
    placed_ids = set(placed.values_list("member_id", flat=True))
    here = set(evening.registrations.filter(present=True).values_list("member_id", flat=True))
    return list(Member.objects.filter(pk__in=placed_ids ^ here).by_surname())


def _draw_sentence(error: DrawError) -> str:
    if error.code == "too_few_players":
        return _("A draw needs at least four people who are here. Tick them first.")
    return _("This draw cannot be made: %(why)s") % {"why": str(error)}


def _round_create(evening: Evening, number: int, drawn: RoundDraw) -> Round:
    if evening.regulation is None:
        raise DomainError("no_regulation", _("Choose a regulation for this evening first."))
    round_ = Round.objects.create(evening=evening, number=number, seed=evening.seed)
    ids = {int(who) for table in drawn.tables for who in table.seats.values()}
    people = Member.objects.in_bulk(ids)
    seatings = [
        {seat: people[int(who)] for seat, who in table.seats.items()} for table in drawn.tables
    ]
    sheets = sheets_create(
        club=evening.club,
        regulation=evening.regulation,
        deals=evening.deals_per_round,
        target=evening.target,
        seatings=seatings,
        state=Scoresheet.State.PLANNED,
        **sheet_rules(evening, number),
    )
    tables = Table.objects.bulk_create(
        Table(round=round_, number=table.number, sheet=sheet)
        for table, sheet in zip(drawn.tables, sheets, strict=True)
    )
    Placement.objects.bulk_create(
        [
            Placement(round=round_, member=member, table=table, seat=seat)
            for table, seating in zip(tables, seatings, strict=True)
            for seat, member in seating.items()
        ]
        + [Placement(round=round_, member_id=int(who)) for who in drawn.sit_out]
    )
    return round_


def _typed_faults(
    evening: Evening, tables: Sequence[Seating], sit_out: Sequence[Member]
) -> list[str]:
    faults = []
    placed: list[Member] = [who for seating in tables for who in seating.values()] + list(sit_out)
    if not tables:
        faults.append(_("There is no table yet."))
    for number, seating in enumerate(tables, start=1):
        if sorted(seating) != ["E", "N", "S", "W"]:
            faults.append(_("Table %(n)s needs four people.") % {"n": number})
    here = set(Member.objects.filter(registrations__evening=evening, registrations__present=True))
    times = Counter(placed)
    for member in sorted(here.union(placed), key=lambda who: (who.sort_name, who.pk)):
        if times[member] > 1:
            faults.append(_("%(name)s is placed twice.") % {"name": member.name})
        if not times[member]:
            faults.append(_("%(name)s is not placed yet.") % {"name": member.name})
        if member not in here:
            faults.append(_("%(name)s is not on the list of who is here.") % {"name": member.name})
    return faults
