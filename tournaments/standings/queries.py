"""The standings of an evening as they are now, and the tables, disputes and tie-breaks behind them.

Encounters (the scores of people against each other) are only read for head-to-head tie-breaks.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple, cast

from django.db.models import Case, Count, F, Q, QuerySet, When
from django.db.models.functions import Coalesce

from clubs.merges.services import first_lots, ids_today
from clubs.models import Member, MemberName
from clubs.text.names import with_mark
from scoring.models import Confirmation, Seat, SideTotal, full_sheets
from scoring.rules import Seat as SeatName
from scoring.rules import side_of
from tournaments.models import PUBLISHED_AS, Evening, Placement, Round, Table, published_as
from tournaments.standings.core.places import (
    EveningRow,
    InterimBy,
    InterimRow,
    rank_evening,
    rank_interim,
)
from tournaments.standings.core.results import (
    Encounter,
    EveningEntry,
    Points,
    RoundScore,
    Running,
    together,
)
from tournaments.standings.pairs import LivePair, PairScore, live_pairs, pair_scores
from tournaments.standings.scores import (
    CORRECTION,
    WHOLE_EVENING,
    Scores,
    evening_scores,
    live_scores,
)

HEAD_TO_HEAD = "head_to_head"
NAMES = "name", "shown_name"

_EQUAL = full_sheets("sheet__") & Q(sheet__score_ns=F("sheet__score_ew"))
PLAYED_OFF = Case(
    When(_EQUAL & Q(seat__in=("N", "S")), then="sheet__play_off_ns"),
    When(_EQUAL, then="sheet__play_off_ew"),
)
"""What a seat's side made in four more deals, where a match ended equal."""


class AtTable(NamedTuple):
    """Somebody in a seat of a sheet, their points, and `more` of deals that decided the match."""

    player: str
    seat: SeatName
    score: int
    more: int | None

    @property
    def side(self) -> str:
        return side_of(self.seat)


def evening_encounters(
    evenings: Iterable[Evening],
    people: Collection[str] | None = None,
    rounds: Collection[int] | None = None,
) -> dict[tuple[int, str], list[Encounter]]:
    """Per evening and person (ids): at each table, their points and those of each opponent; of a
    match that ended equal with the four deals more that decided it.

    Only between these `people` and in these `rounds`, if given. One query.
    """
    sheets: dict[tuple[int, int], list[AtTable]] = defaultdict(list)
    seats = Seat.objects.filter(sheet__table__round__evening__in=evenings, extra=False).annotate(
        player=Coalesce("counts_for", "member"), more=PLAYED_OFF
    )
    wanted = Q(player__isnull=False) if people is None else Q(player__in=people)
    if rounds is not None:
        wanted &= Q(sheet__table__round__number__in=rounds)
    columns = "sheet__table__round__evening", "sheet", "player", "seat", "score", "more"
    rows = seats.filter(wanted).order_by("from_deal", "pk").values_list(*columns)
    for evening_id, sheet_id, player, seat, score, more in rows:
        sheets[evening_id, sheet_id].append(
            AtTable(str(player), cast("SeatName", seat), score, more)
        )
    met: dict[tuple[int, str], list[Encounter]] = defaultdict(list)
    for (evening_id, _sheet), there in sheets.items():
        at_the_end = {line.seat: line for line in there}
        for own, other in permutations(there, 2):
            if own.side == other.side:
                continue
            scored, conceded = own.score, other.score
            if at_the_end[own.seat] is own and at_the_end[other.seat] is other:
                scored, conceded = scored + (own.more or 0), conceded + (other.more or 0)
            met[evening_id, own.player].append(Encounter(other.player, scored, conceded))
    return met


def release_figures(*lists: Sequence[Mapping[str, object]]) -> str:
    """A hash over every figure of these lists of a release and the ids of its people.

    The trail records it, so that it shows if somebody changes what was published. Names are not in
    it: an erased person has another one afterwards.
    """
    stored = json.loads(json.dumps([[_unnamed(row) for row in rows] for rows in lists]))
    return hashlib.sha256(json.dumps(stored, sort_keys=True).encode()).hexdigest()


def _unnamed(row: Mapping[str, object]) -> dict[str, object]:
    unnamed = {key: value for key, value in row.items() if key not in (*NAMES, PUBLISHED_AS)}
    return unnamed | ({"member": published_as(row)} if PUBLISHED_AS in row else {})


class StandingRow(NamedTuple):
    """One line of an evening's standings. `rounds` maps round numbers to scores; `name` is told
    apart from others of that name, `own_name` is not; `shown_name` is the public name, and
    `has_page` whether they have a public page. `tie_breaks` are the figures that were compared
    because of a tie, in order; `pair` is the line of their fixed pair; `correction` is part of the
    total."""

    rank: int
    member_id: int
    name: str
    own_name: str
    shown_name: str
    total: int
    rounds: Mapping[int, int] = {}
    pits: int = 0
    has_page: bool = True
    tie_breaks: Mapping[str, Points | None] = {}
    pair: PairScore | None = None
    correction: int = 0


def evening_standings(evening: Evening) -> list[StandingRow]:
    """The current standings of an evening, from the top; tied people share a place.

    Rounds count once they have started; see `tournaments.standings.scores`. The evening's settings
    decide how ties are broken.
    """
    return [
        StandingRow(
            rank=row.rank,
            member_id=member.pk,
            name=row.name,
            own_name=member.name,
            shown_name=member.shown_name,
            total=row.total,
            rounds=row.rounds,
            pits=row.pits,
            has_page=member.has_page,
            tie_breaks=row.tie_breaks,
            pair=pair,
            correction=row.correction,
        )
        for row, member, pair in evening_ranked(evening)
    ]


def evening_ranked(evening: Evening) -> Iterator[tuple[EveningRow, MemberName, PairScore | None]]:
    """As `evening_standings`: each row of the ranking, with the member and the line of their
    pair."""
    scores = evening_scores(evening)
    members = _people(evening)
    tie_breaks, play_off = _tie_breaks(evening), _play_off_scores(evening)
    pairs: Mapping[int, PairScore] = {}
    if evening.method == Evening.Method.PAIRS:
        pairs = pair_scores(evening, tie_breaks, play_off)
    ranked = rank_evening(
        _entries(evening, scores, members, pairs),
        tie_breaks=tie_breaks,
        play_off=play_off,
        lot=evening.slug,
    )
    for row in ranked:
        member = members[int(row.player_id)]
        yield row, member, pairs.get(member.pk)


class InterimLine(NamedTuple):
    """A line of the standing while an evening is played, with the member, the line of their pair,
    and what they have in each round that is still being played."""

    row: InterimRow
    member: MemberName
    pair: LivePair | None
    running: Mapping[int, Running]


def evening_interim(evening: Evening) -> Iterator[InterimLine]:
    """The standing of an evening that is being played, in which no place is only speed; see
    `live_scores` and `rank_interim`."""
    live = live_scores(evening)
    members, by = _people(evening), interim_by(evening)
    tie_breaks, play_off = _tie_breaks(evening), _play_off_scores(evening)
    pairs: Mapping[int, LivePair] = {}
    if evening.method == Evening.Method.PAIRS:
        pairs = live_pairs(evening, live.over, by, tie_breaks, play_off)
    of_pair = {pk: line.pair for pk, line in pairs.items()}
    running = {
        str(pk): run for pk, rounds in live.running.items() if (run := together(rounds.values()))
    }
    ranked = rank_interim(
        _entries(evening, live.scores, members, of_pair, live.over),
        running,
        over=len(live.over),
        deals=evening.deals_per_round,
        by=by,
        tie_breaks=tie_breaks,
        play_off=play_off,
        lot=evening.slug,
    )
    for row in ranked:
        pk = int(row.player_id)
        yield InterimLine(row, members[pk], pairs.get(pk), live.running.get(pk, {}))


def interim_by(evening: Evening) -> InterimBy:
    """What the places go by while this evening is played. Where points end a round its deals say
    little, and so only rounds that are over count."""
    if evening.target is not None or evening.interim != Evening.Interim.AVERAGE:
        return "rounds"
    return "average"


def evening_entries(evening: Evening) -> list[EveningEntry]:
    """Everybody's figures of an evening, for side standings."""
    scores = evening_scores(evening)
    return _entries(evening, scores, _people(evening), {})


def play_off_rows(evening: Evening) -> list[StandingRow]:
    """The people tied for first place on an evening that settles this by extra deals; none while
    rounds are still to be played. Their rank includes extra deals already written."""
    if evening.tie != Evening.Tie.PLAY_OFF or not _is_played_out(evening):
        return []
    rows = evening_standings(evening)
    tied = [row for row in rows if row.total == rows[0].total]
    rivals = {row.pair.number if row.pair else -row.member_id for row in tied}
    return tied if len(rivals) > 1 else []


def _is_played_out(evening: Evening) -> bool:
    if evening.state == Evening.State.CLOSED:
        return True
    states = list(evening.rounds.values_list("state", flat=True))
    return states.count(Round.State.CLOSED) == len(states) >= evening.rounds_planned


def _tie_breaks(evening: Evening) -> tuple[str, ...]:
    if evening.tie != Evening.Tie.TIE_BREAKS:
        return ()
    return tuple(evening.tie_breaks)


def _play_off_scores(evening: Evening) -> dict[str, int]:
    if evening.tie != Evening.Tie.PLAY_OFF:
        return {}
    scores = evening.play_off_scores.values_list("member_id", "score")
    return {str(member_id): score for member_id, score in scores}


def _entries(
    evening: Evening,
    scores: Scores,
    members: Mapping[int, MemberName],
    pairs: Mapping[int, PairScore],
    rounds: Collection[int] | None = None,
) -> list[EveningEntry]:
    last = max((number for by_round in scores.values() for number in by_round), default=0)
    met: Mapping[tuple[int, str], Sequence[Encounter]] = {}
    if HEAD_TO_HEAD in _tie_breaks(evening):
        met = evening_encounters([evening], rounds=rounds)
    lots = _lots(evening, scores, pairs)
    return [
        _entry(
            members[pk],
            by_round,
            last,
            met=met.get((evening.pk, str(pk)), ()),
            lot=lots.get(pk, ""),
        )
        for pk, by_round in scores.items()
    ]


def _lots(
    evening: Evening, people: Iterable[int], pairs: Mapping[int, PairScore]
) -> Mapping[int, str]:
    """By member id, the id to draw their lot by: that of their pair, of the guest they were
    published as, or of themselves on the server they came from; so that lots stay as drawn."""
    if "lot" not in _tie_breaks(evening):
        return {}
    releases = evening.releases.values_list("standings", flat=True)
    then = {row["member"]: published_as(row) for rows in releases for row in rows}
    own = first_lots(people)
    own |= {member: str(then[guest]) for guest, member in ids_today(then).items()}
    return own | {pk: str(pair.number) for pk, pair in pairs.items()}


def _people(evening: Evening) -> dict[int, MemberName]:
    """The names of the whole club, which is faster than asking for hundreds of ids."""
    return Member.objects.filter(club=evening.club_id).names()


def _entry(
    member: MemberName,
    by_round: Mapping[int, RoundScore],
    last: int,
    *,
    met: Sequence[Encounter],
    lot: str,
) -> EveningEntry:
    whole, correction = by_round.get(WHOLE_EVENING), by_round.get(CORRECTION)
    rounds = [score for number, score in sorted(by_round.items()) if number > WHOLE_EVENING]
    return EveningEntry(
        player_id=str(member.pk),
        name=member.desk_name,
        rounds=rounds,
        whole=whole.score if whole else None,
        pits=(whole.pits or 0) if whole else 0,
        roem=(whole.roem or 0) if whole else 0,
        last_round=next(
            (score.score for score in rounds if score.round == last and score.played), None
        ),
        encounters=met,
        lot=lot,
        correction=correction.score if correction else 0,
    )


def board_tables(round_: Round) -> QuerySet[Table]:
    """The tables of a round for the director's board, with sheets and seats.

    Each table has `disputes` and `agreed`: the numbers of open disputes and of sides that agree.
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


def unsplit_tables(evening: Evening) -> list[tuple[int, int]]:
    """The round and number of each table that handed in totals without all of their roem and pits,
    so that the standings count only what is known of those. One query."""
    unsaid = SideTotal.objects.filter(sheet__table__round__evening=evening).filter(
        Q(roem=None) | Q(pits=None)
    )
    places = unsaid.values_list("sheet__table__round__number", "sheet__table__number")
    return sorted(set(places))


def hindmost_table(evening: Evening, round_number: int) -> Table | None:
    """The table of a round that is furthest behind; None if all are full."""
    tables = Table.objects.filter(round__evening=evening, round__number=round_number)
    behind = tables.exclude(full_sheets("sheet__")).select_related("sheet")
    return min(behind, key=lambda table: (table.sheet.done, table.number), default=None)


def sitting_out_names(evening: Evening, round_number: int) -> list[str]:
    """The people who sit a round out, by surname; substitutes who took over a seat play."""
    placed = Placement.objects.filter(round__evening=evening, round__number=round_number)
    playing = placed.filter(table__isnull=False).values("member")
    out = placed.filter(table__isnull=True).exclude(member__in=playing)
    names = out.order_by("member__sort_name", "pk").values_list("member__name", "member__mark")
    return [with_mark(name, mark) for name, mark in names]


def open_disputes(evening: Evening) -> QuerySet[Confirmation]:
    """The unsettled answers of sides that their sheet is wrong."""
    return (
        Confirmation.objects.filter(
            sheet__table__round__evening=evening, agrees=False, settled_at=None
        )
        .select_related("sheet__table__round")
        .order_by("at")
    )
