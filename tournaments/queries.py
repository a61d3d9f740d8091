"""Reads that recur: who stands where, how far the tables are."""

from dataclasses import dataclass, field

from django.db.models import Count, F, Q, QuerySet

from clubs.models import Member
from scoring.models import Confirmation, full_sheets
from tournaments.models import Evening, Placement, Round, Table
from tournaments.ranking import EveningEntry, RoundScore, TieBreak, rank_evening
from tournaments.scores import STARTED, WHOLE_EVENING, evening_scores

EVENING_TIE_BREAKS: tuple[TieBreak, ...] = ("pits", "best_round", "fewest_nats")


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One line of an evening's standings. `rounds` maps the round's number to its score;
    `shown_name` is what the public may read, and `has_page` whether it may read about him."""

    rank: int
    member_id: int
    name: str
    shown_name: str
    total: int
    rounds: dict[int, int] = field(default_factory=dict)
    pits: int = 0
    has_page: bool = True


def evening_standings(evening: Evening) -> list[StandingRow]:
    """The standings of an evening as they are now, from the top; shared places on a tie.

    Rounds count once they have started; see `tournaments.scores`. What an equal total does is the
    evening's own setting.
    """
    scores = evening_scores(evening)
    members = Member.objects.in_bulk(list(scores))
    entries = [_entry(members[pk], by_round) for pk, by_round in scores.items()]
    return [
        StandingRow(
            rank=row.rank,
            member_id=int(row.player_id),
            name=row.name,
            shown_name=members[int(row.player_id)].shown_name,
            total=row.total,
            rounds=dict(row.rounds),
            pits=row.pits,
            has_page=members[int(row.player_id)].has_page,
        )
        for row in rank_evening(
            entries, tie_breaks=_tie_breaks(evening), play_off=_play_off_scores(evening)
        )
    ]


def play_off_rows(evening: Evening) -> list[StandingRow]:
    """Who shares the highest total of an evening that settles that by extra deals; nobody while
    rounds are still to be played. Extra deals that were written are in their rank."""
    if evening.tie != Evening.Tie.PLAY_OFF or not _is_played_out(evening):
        return []
    rows = evening_standings(evening)
    tied = [row for row in rows if row.total == rows[0].total]
    return tied if len(tied) > 1 else []


def _is_played_out(evening: Evening) -> bool:
    if evening.state == Evening.State.CLOSED:
        return True
    states = list(evening.rounds.values_list("state", flat=True))
    return states.count(Round.State.CLOSED) == len(states) >= evening.rounds_planned


def _tie_breaks(evening: Evening) -> tuple[TieBreak, ...]:
    return EVENING_TIE_BREAKS if evening.tie == Evening.Tie.TIE_BREAKS else ()


def _play_off_scores(evening: Evening) -> dict[str, int]:
    if evening.tie != Evening.Tie.PLAY_OFF:
        return {}
    scores = evening.play_off_scores.values_list("member_id", "score")
    return {str(member_id): score for member_id, score in scores}


def _entry(member: Member, by_round: dict[int, RoundScore]) -> EveningEntry:
    whole = by_round.get(WHOLE_EVENING)
    return EveningEntry(
        player_id=str(member.pk),
        name=member.name,
        rounds=[score for number, score in sorted(by_round.items()) if number != WHOLE_EVENING],
        whole=whole.score if whole else None,
        pits=whole.pits if whole else 0,
    )


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
    return next(iter(started[-1:] or tables[:1]), None)


def hindmost_table(evening: Evening, round_number: int) -> Table | None:
    """The table of a round that has the most to go; None when all are full."""
    tables = Table.objects.filter(round__evening=evening, round__number=round_number)
    behind = tables.exclude(full_sheets("sheet__")).select_related("sheet")
    return min(behind, key=lambda table: (table.sheet.done, table.number), default=None)


def sitting_out_names(evening: Evening, round_number: int) -> list[str]:
    """Who does not play a round, by surname; who took over a seat as a substitute plays."""
    placed = Placement.objects.filter(round__evening=evening, round__number=round_number)
    playing = placed.filter(table__isnull=False).values("member")
    out = placed.filter(table__isnull=True).exclude(member__in=playing)
    return list(out.order_by("member__sort_name", "pk").values_list("member__name", flat=True))


def open_disputes(evening: Evening) -> QuerySet[Confirmation]:
    """Sides that said their sheet is wrong, and nobody has looked at it yet."""
    return (
        Confirmation.objects.filter(
            sheet__table__round__evening=evening, agrees=False, settled_at=None
        )
        .select_related("sheet__table__round")
        .order_by("at")
    )
