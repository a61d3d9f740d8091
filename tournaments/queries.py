"""Reads that recur: who stands where, how far the tables are."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import Count, F, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from clubs.models import Member
from scoring.models import Confirmation, Seat
from tournaments.models import Evening, PastResult, Placement, Round, Table
from tournaments.ranking import EveningEntry, RoundScore, rank_evening

STARTED = [Round.State.RUNNING, Round.State.CLOSED]


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One line of an evening's standings. `rounds` maps the round's number to its score;
    `shown_name` is what the public may read."""

    rank: int
    member_id: int
    name: str
    shown_name: str
    total: int
    rounds: dict[int, int] = field(default_factory=dict)
    pits: int = 0


def evening_standings(evening: Evening) -> list[StandingRow]:
    """The standings of an evening as they are now, from the top; shared places on a tie.

    Somebody who sat out has the evening's score for that, somebody who was on the list but
    missed a round the score for a missed round. Rounds count once they have started.
    """
    scores = round_scores(evening)
    names = Member.objects.in_bulk(list(scores))
    entries = [
        EveningEntry(
            player_id=str(member_id),
            name=names[member_id].name,
            rounds=sorted(by_round.values(), key=lambda score: score.round),
            whole=by_round[0].score if 0 in by_round else None,
        )
        for member_id, by_round in scores.items()
    ]
    return [
        StandingRow(
            rank=row.rank,
            member_id=int(row.player_id),
            name=row.name,
            shown_name=names[int(row.player_id)].shown_name,
            total=row.total,
            rounds=dict(row.rounds),
            pits=row.pits,
        )
        for row in rank_evening(entries)
    ]


def round_scores(evening: Evening) -> dict[int, dict[int, RoundScore]]:
    """Per member (id) and round (number; 0 for an evening known only as a whole) the score."""
    if evening.is_history:
        return _past_scores(evening.past_results.all())
    scores: dict[int, dict[int, RoundScore]] = {}
    for member_id, number, score, pits, roem, nats in _seat_sums(evening):
        scores.setdefault(member_id, {})[number] = RoundScore(number, score, pits, roem, nats)
    _add_sit_outs(evening, scores)
    _add_missed_rounds(evening, scores)
    return scores


def _seat_sums(evening: Evening) -> Iterable[tuple[int, int, int, int, int, int]]:
    seats = Seat.objects.filter(
        sheet__table__round__evening=evening, sheet__table__round__state__in=STARTED
    )
    return (
        seats.annotate(who=Coalesce("counts_for", "member"))
        .filter(who__isnull=False)
        .values_list("who", "sheet__table__round__number")
        .annotate(Sum("score"), Sum("pits"), Sum("roem"), Sum("nats"))
        .order_by()
    )


def _add_sit_outs(evening: Evening, scores: dict[int, dict[int, RoundScore]]) -> None:
    out = Placement.objects.filter(
        round__evening=evening, round__state__in=STARTED, table__isnull=True
    )
    for member_id, number in out.values_list("member_id", "round__number"):
        by_round = scores.setdefault(member_id, {})
        by_round.setdefault(number, RoundScore(number, evening.sit_out_score))


def _add_missed_rounds(evening: Evening, scores: dict[int, dict[int, RoundScore]]) -> None:
    if not evening.missed_score:
        return
    started = list(evening.rounds.filter(state__in=STARTED).values_list("number", flat=True))
    for by_round in scores.values():
        for number in started:
            by_round.setdefault(number, RoundScore(number, evening.missed_score))


def _past_scores(results: Iterable[PastResult]) -> dict[int, dict[int, RoundScore]]:
    scores: dict[int, dict[int, RoundScore]] = {}
    for result in results:
        if result.score is not None:
            number = result.round or 0
            scores.setdefault(result.member_id, {})[number] = RoundScore(
                number, result.score, result.pits or 0, result.roem or 0
            )
    return scores


def board_tables(round_: Round) -> QuerySet[Table]:
    """The tables of a round for the director's board, with their sheets, seats and disputes.

    Each table has `disputes`: how many answers of a side still stand open.
    """
    open_disputes = Q(sheet__confirmations__agrees=False, sheet__confirmations__settled_at=None)
    return (
        round_.tables.select_related("sheet__regulation")
        .prefetch_related("sheet__seats__member")
        .annotate(
            disputes=Count("sheet__confirmations", filter=open_disputes, distinct=True),
            agreed=Count(
                "sheet__confirmations__side",
                filter=Q(
                    sheet__confirmations__agrees=True,
                    sheet__confirmations__sheet_version=F("sheet__version"),
                ),
                distinct=True,
            ),
        )
        .order_by("number")
    )


def table_of(evening: Evening, number: int) -> Table | None:
    """The table with this number whose sheet is to be written now, or was written last.

    In a rotation tables run ahead of each other, so it is the first round that is running and
    not yet full at this table; else the last one that has started; else the first one drawn.
    """
    tables = list(
        Table.objects.filter(round__evening=evening, number=number)
        .exclude(round__state=Round.State.DRAFT)
        .select_related("round", "sheet__regulation", "sheet__club")
        .order_by("round__number")
    )
    running = [table for table in tables if table.round.state == Round.State.RUNNING]
    for table in running:
        if not table.sheet.is_full:
            return table
    started = [table for table in tables if table.round.state in STARTED]
    return (started[-1:] or tables[:1] or [None])[0]


def open_disputes(evening: Evening) -> QuerySet[Confirmation]:
    """Sides that said their sheet is wrong, and nobody has looked at it yet."""
    return (
        Confirmation.objects.filter(
            sheet__table__round__evening=evening, agrees=False, settled_at=None
        )
        .select_related("sheet__table__round")
        .order_by("at")
    )
