"""Everybody's scores by evening, member and round, from the figures stored with the sheets; and
those of fixed pairs, with their places. While an evening is played, what is over and what is still
being written are kept apart."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from operator import attrgetter
from typing import Any, NamedTuple, cast

from scoring.models import Deal, Seat
from scoring.rules import other_side, side_of
from tournaments.models import Evening, PastResult, Placement, Round
from tournaments.standings.core import (
    EveningEntry,
    InterimBy,
    Points,
    RoundScore,
    Running,
    longest_streak,
    rank_evening,
    rank_interim,
    together,
)

CLOSED = Round.State.CLOSED
STARTED = [Round.State.RUNNING, Round.State.CLOSED]
WHOLE_EVENING = 0
ROUND = "sheet__table__round"
SEAT = (
    f"{ROUND}__evening",
    "member",
    "counts_for",
    f"{ROUND}__number",
    "score",
    "pits",
    "roem",
    "nats",
)
SHEET = "deals_entered", "deals_planned", "target", "score_ns", "score_ew"
"""What a sheet is full by."""
PROGRESS = (f"{ROUND}__state", "sheet", "deals", *(f"sheet__{name}" for name in SHEET))

Scores = dict[int, dict[int, RoundScore]]
"""By member id and round number; WHOLE_EVENING if only the evening's total is known."""


def evening_scores(evening: Evening) -> Scores:
    """Everybody's current scores on one evening."""
    return scores_by_evening([evening])[evening.pk]


def scores_by_evening(evenings: Collection[Evening]) -> dict[int, Scores]:
    """Everybody's scores by evening id; rounds count once they have started.

    Players who sat out get the evening's score for that, and players who missed a round get the
    score for a missed round if the evening has one. Both count only once the round is closed:
    earlier they would put these players ahead of everybody who is still playing. The score of a
    second seat in a round replaces the lowest of the player's own rounds if the evening allows that
    and it is higher; otherwise it belongs to nobody. Four queries for any number of evenings, and
    one more if any of them allows that.
    """
    scores: dict[int, Scores] = {evening.pk: {} for evening in evenings}
    _add_seats(scores)
    _add_past_results(scores)
    _add_sit_outs({evening.pk: evening for evening in evenings}, scores)
    _replace_lowest([evening for evening in evenings if evening.twice_replaces], scores)
    _add_missed_rounds([evening for evening in evenings if evening.missed_score], scores)
    return scores


# While an evening is played. A round counts for the places once it is over for everybody: closed,
# or written to its end at every table; or where its only table has everybody, who are equally far.


@dataclass(frozen=True, slots=True)
class LiveScores:
    """The scores of an evening while it is played: `over` are the numbers of the rounds that count
    for the places, `scores` those of these rounds, and `running` what everybody has in the other
    rounds that have started, by member id and round."""

    over: frozenset[int]
    scores: Scores
    running: Mapping[int, Mapping[int, Running]]


def live_scores(evening: Evening) -> LiveScores:
    """Everybody's scores on an evening that is being played, with what is over apart.

    Somebody who sat out or missed a round gets the score for it when the round is over.
    At most as many queries as `scores_by_evening`.
    """
    lines = list(_seat_lines([evening.pk], STARTED, extra=False, more=PROGRESS))
    out = list(_sitting_out([evening.pk]))
    over = _rounds_over(lines, {line.number for line in out})
    scores: dict[int, Scores] = {evening.pk: {}}
    running: dict[int, dict[int, Running]] = defaultdict(dict)
    for line in lines:
        by_round = scores[evening.pk].setdefault(line.member, {})
        if line.score.round in over:
            before = by_round.get(line.score.round)
            by_round[line.score.round] = _sum(before, line.score) if before else line.score
        else:
            own = running[line.member]
            own[line.score.round] = _run(own.get(line.score.round), line)
    _add_past_results(scores)
    _give_sit_outs({evening.pk: evening}, scores, out, over)
    if evening.twice_replaces:
        _replace_lowest([evening], scores, over)
    if evening.missed_score:
        for number in sorted(over):
            _give_missed(evening, scores[evening.pk], number)
    return LiveScores(over, scores[evening.pk], running)


def _rounds_over(lines: Iterable["SeatLine"], with_people_out: Collection[int]) -> frozenset[int]:
    """The rounds in which speed plays no part any more."""
    sheets: dict[int, dict[int, bool]] = defaultdict(dict)
    for line in lines:
        sheets[line.score.round][line.sheet] = line.is_over
    return frozenset(
        number
        for number, by_sheet in sheets.items()
        if all(by_sheet.values()) or (len(by_sheet) == 1 and number not in with_people_out)
    )


def _run(before: Running | None, line: "SeatLine") -> Running:
    """What somebody has in a round, this seat included."""
    score = line.score
    now = Running(score.score, line.deals, line.of, score.pits or 0)
    both = together([before, now]) if before else now
    # A substitute takes over the same sheet, which does not get longer.
    return cast("Running", both)._replace(of=line.of)


def _add_seats(scores: dict[int, Scores]) -> None:
    for (evening_id, member_id, number), score in _seats(scores, STARTED, extra=False).items():
        scores[evening_id].setdefault(member_id, {})[number] = score


def _replace_lowest(
    evenings: Collection[Evening],
    scores: dict[int, Scores],
    over: Collection[int] | None = None,
) -> None:
    """Let the score of a second seat replace the player's lowest, the earliest of equal ones; that
    of a closed round, or of these that are `over`."""
    evening_ids = {evening.pk for evening in evenings}
    states = [CLOSED] if over is None else STARTED
    extra = _seats(evening_ids, states, extra=True) if evenings else {}
    for (evening_id, member_id, number), score in extra.items():
        if over is not None and number not in over:
            continue
        by_round = scores[evening_id].get(member_id, {})
        lowest = min(by_round.values(), key=attrgetter("score", "round"), default=None)
        if lowest is not None and score.score > lowest.score:
            by_round[lowest.round] = replace(score, round=lowest.round)


class SeatLine(NamedTuple):
    """Somebody's figures at one seat, and how far its sheet is; `of` is the number of its deals,
    None where points end it."""

    evening: int
    member: int
    score: RoundScore
    sheet: int = 0
    deals: int = 0
    of: int | None = None
    is_over: bool = False


def _seats(
    evenings: Iterable[int], states: Sequence[str], *, extra: bool
) -> dict[tuple[int, int, int], RoundScore]:
    """The score of a person's seats, by evening id, member id and round number.

    Added up in Python: the database takes three times as long for a thousand sums of one row each.
    """
    scores: dict[tuple[int, int, int], RoundScore] = {}
    for line in _seat_lines(evenings, states, extra=extra):
        key = line.evening, line.member, line.score.round
        scores[key] = _sum(scores[key], line.score) if key in scores else line.score
    return scores


def _seat_lines(
    evenings: Iterable[int], states: Sequence[str], *, extra: bool, more: Sequence[str] = ()
) -> Iterator[SeatLine]:
    """The seats in rounds of these states; how far their sheets are if `more` is PROGRESS."""
    seats = Seat.objects.filter(
        sheet__table__round__evening__in=evenings,
        sheet__table__round__state__in=states,
        extra=extra,
    ).exclude(member=None, counts_for=None)
    for values in seats.values_list(*SEAT, *more):
        evening_id, member_id, counts_for_id, number, *figures = values[: len(SEAT)]
        score = RoundScore(number, *figures)
        yield SeatLine(
            evening_id, counts_for_id or member_id, score, *_progress(values[len(SEAT) :])
        )


def _progress(values: Sequence[Any]) -> tuple[Any, ...]:
    """The rest of a line: the sheet, the deals of the seat, and how far the sheet is."""
    if not values:
        return ()
    state, sheet, deals, entered, planned, target, *points = values
    if target is None:
        return sheet, deals, planned, state == CLOSED or entered == planned
    return sheet, deals, None, state == CLOSED or entered == planned or max(points) >= target


def _sum(first: RoundScore, second: RoundScore) -> RoundScore:
    """Two seats of the same person in one round."""
    return replace(
        first,
        score=first.score + second.score,
        pits=_known(first.pits, second.pits),
        roem=_known(first.roem, second.roem),
        nats=first.nats + second.nats,
    )


def _known(*figures: int | None) -> int | None:
    """Their sum; None if one of them is not known."""
    known = [figure for figure in figures if figure is not None]
    return sum(known) if len(known) == len(figures) else None


def _add_past_results(scores: dict[int, Scores]) -> None:
    results = PastResult.objects.filter(evening__in=scores, score__isnull=False)
    for result in results:
        number = result.round or WHOLE_EVENING
        by_round = scores[result.evening_id].setdefault(result.member_id, {})
        by_round[number] = RoundScore(number, result.score or 0, result.pits or 0, result.roem or 0)


def _add_sit_outs(evenings: dict[int, Evening], scores: dict[int, Scores]) -> None:
    _give_sit_outs(evenings, scores, _sitting_out(evenings), None)


class OutLine(NamedTuple):
    """Somebody who sits out a round that has started."""

    evening: int
    member: int
    number: int
    state: str


def _sitting_out(evenings: Iterable[int]) -> Iterator[OutLine]:
    out = Placement.objects.filter(
        round__evening__in=evenings, round__state__in=STARTED, table__isnull=True
    )
    values = out.values_list("round__evening_id", "member_id", "round__number", "round__state")
    return (OutLine(*line) for line in values)


def _give_sit_outs(
    evenings: Mapping[int, Evening],
    scores: dict[int, Scores],
    out: Iterable[OutLine],
    over: Collection[int] | None,
) -> None:
    """The score for sitting out a round that is closed, or one of these that are `over`."""
    for line in out:
        by_round = scores[line.evening].setdefault(line.member, {})
        if line.state == CLOSED if over is None else line.number in over:
            given = _given(line.number, evenings[line.evening].sit_out_score)
            by_round.setdefault(line.number, given)


def _add_missed_rounds(evenings: Iterable[Evening], scores: dict[int, Scores]) -> None:
    by_id = {evening.pk: evening for evening in evenings}
    over = Round.objects.filter(evening__in=by_id, state=Round.State.CLOSED) if by_id else ()
    for round_ in over:
        _give_missed(by_id[round_.evening_id], scores[round_.evening_id], round_.number)


def _give_missed(evening: Evening, scores: Scores, number: int) -> None:
    for by_round in scores.values():
        by_round.setdefault(number, _given(number, evening.missed_score))


def _given(number: int, score: int) -> RoundScore:
    return RoundScore(number, score, played=False)


HOLDER = (
    "sheet",
    f"{ROUND}__evening",
    "sheet__three_handed",
    "seat",
    "from_deal",
    "member",
    "counts_for",
)
PLAYED_DEAL = "sheet", "number", "current__written__declarer", "current__result__score"


def streaks_by_evening(evenings: Collection[Evening]) -> dict[int, dict[int, int]]:
    """By evening id and member id, how many deals in a row somebody's side declared and made at
    the most, in the order they were played; without people of whom a table handed in totals only.
    Two queries."""
    in_order = f"{ROUND}__number", "sheet"
    seats = Seat.objects.filter(
        sheet__table__round__evening__in=evenings,
        sheet__table__round__state__in=STARTED,
        extra=False,
    ).exclude(member=None, counts_for=None)
    deals = Deal.objects.filter(
        sheet__table__round__evening__in=evenings,
        sheet__table__round__state__in=STARTED,
        current__written__isnull=False,
        current__replayed=False,
    )
    return streaks_of(
        seats.order_by("from_deal").values_list(*HOLDER),
        deals.order_by(*in_order, "number").values_list(*PLAYED_DEAL),
    )


def streaks_of(
    seats: Iterable[tuple[Any, ...]], deals: Iterable[tuple[Any, ...]]
) -> dict[int, dict[int, int]]:
    """The same from rows: seats as in HOLDER with the first holder first, and the deals that count
    as in PLAYED_DEAL in order of time."""
    held: dict[int, list[tuple[str, int, int]]] = defaultdict(list)
    sheets: dict[int, tuple[int, bool]] = {}
    for sheet, evening, three_handed, seat, from_deal, member, counts_for in seats:
        held[sheet].append((seat, from_deal, counts_for or member))
        sheets[sheet] = evening, three_handed
    turns: dict[int, list[tuple[int, bool]]] = defaultdict(list)
    without = set(sheets)
    for sheet, number, declarer, score in deals:
        if declarer is None or sheet not in sheets:
            continue
        evening, three_handed = sheets[sheet]
        side = side_of(declarer)
        made = score[side] > score[other_side(side)]
        holders = {seat: person for seat, first, person in held[sheet] if first <= number}
        turns[evening].extend(
            (person, made)
            for seat, person in holders.items()
            if (seat == declarer if three_handed else side_of(seat) == side)  # type: ignore[arg-type]
        )
        without.discard(sheet)
    streaks: dict[int, dict[int, int]] = {}
    for sheet, (evening, _three_handed) in sheets.items():
        if evening not in streaks:
            streaks[evening] = longest_streak(turns[evening])
        for _seat, _first, person in held[sheet]:
            streaks[evening].setdefault(person, 0)
    for sheet in without:
        for _seat, _first, person in held[sheet]:
            streaks[sheets[sheet][0]].pop(person, None)
    return streaks


Rounds = dict[int, RoundScore]


@dataclass(frozen=True, slots=True)
class PairScore:
    """A pair's line in the standings of an evening. `rounds` maps a round's number to its score;
    `tie_breaks` has the figures that were compared because of a tie, in order."""

    number: int
    rank: int | None
    total: int
    rounds: Mapping[int, int]
    pits: int
    tie_breaks: Mapping[str, Points | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LivePair:
    """A pair's line while an evening is played: `pair` with the rounds that are over, and what is
    in `InterimRow` besides."""

    pair: PairScore
    deals: int
    average: Decimal | None
    running: Mapping[int, Running]


def pair_scores(
    evening: Evening, tie_breaks: tuple[str, ...], play_off: Mapping[str, int]
) -> dict[int, PairScore]:
    """The current score of each member's pair, by member id; members without a pair are left out.

    A pair has the score of its side and the corrections of both its people, also when a substitute
    played for them. For sitting out and for a missed round it has the evening's score once.
    `play_off` has people's scores in extra deals. At most four queries.
    """
    pair_of = _pairs(evening)
    scores = {
        number: {side.score.round: side.score for side in sides}
        for number, sides in _at_tables(evening, pair_of).items()
    }
    closed = evening.rounds.filter(state=CLOSED).values_list("number", flat=True)
    _add_fixed_scores(evening, pair_of, scores, list(closed))
    rows = rank_evening(
        _pair_entries(scores),
        tie_breaks=tie_breaks,
        play_off=_pair_extra(pair_of, play_off),
        lot=evening.slug,
    )
    ranked = {
        int(row.player_id): PairScore(
            int(row.player_id), row.rank, row.total, row.rounds, row.pits, row.tie_breaks
        )
        for row in rows
    }
    return {member: ranked[number] for member, number in pair_of.items() if number in ranked}


def live_pairs(
    evening: Evening,
    over: Collection[int],
    by: InterimBy,
    tie_breaks: tuple[str, ...],
    play_off: Mapping[str, int],
) -> dict[int, LivePair]:
    """As `pair_scores` while the evening is played, with these rounds `over` as in `live_scores`.
    At most as many queries."""
    pair_of = _pairs(evening)
    scores: dict[int, Rounds] = defaultdict(dict)
    running: dict[int, dict[int, Running]] = defaultdict(dict)
    for number, sides in _at_tables(evening, pair_of).items():
        scores[number] = {}
        for side in sides:
            at = side.score.round
            if at in over:
                scores[number][at] = side.score
            else:
                running[number][at] = Running(
                    side.score.score, side.deals, side.of, side.score.pits or 0
                )
    _add_fixed_scores(evening, pair_of, scores, sorted(over))
    rows = rank_interim(
        _pair_entries(scores),
        {str(number): _all(by_round) for number, by_round in running.items()},
        over=len(over),
        deals=evening.deals_per_round,
        by=by,
        tie_breaks=tie_breaks,
        play_off=_pair_extra(pair_of, play_off),
        lot=evening.slug,
    )
    ranked = {
        int(row.player_id): LivePair(
            PairScore(
                int(row.player_id), row.rank, row.total, row.rounds, row.pits, row.tie_breaks
            ),
            row.deals,
            row.average,
            running.get(int(row.player_id), {}),
        )
        for row in rows
    }
    return {member: ranked[number] for member, number in pair_of.items() if number in ranked}


def _all(by_round: Mapping[int, Running]) -> Running:
    return cast("Running", together(by_round.values()))


def _pairs(evening: Evening) -> dict[int, int]:
    """The number of each member's pair."""
    paired = evening.registrations.values_list("member_id", "pair")
    return {member: pair for member, pair in paired if pair is not None}


def _pair_entries(scores: Mapping[int, Rounds]) -> list[EveningEntry]:
    return [
        EveningEntry(str(number), f"{number:04}", tuple(by_round.values()))
        for number, by_round in scores.items()
    ]


def _pair_extra(pair_of: Mapping[int, int], play_off: Mapping[str, int]) -> dict[str, int]:
    return {
        str(pair_of[int(member_id)]): score
        for member_id, score in play_off.items()
        if int(member_id) in pair_of
    }


def pair_from_json(line: Mapping[str, Any] | None) -> PairScore | None:
    """A pair's line as a release stores it; `None` if it stores none."""
    if line is None:
        return None
    rounds = {int(number): score for number, score in line["rounds"].items()}
    return PairScore(**{**line, "rounds": rounds})


class SideLine(NamedTuple):
    """A side's figures in a round; `of` as in `SeatLine`."""

    score: RoundScore
    deals: int
    of: int | None


def _at_tables(evening: Evening, pair_of: Mapping[int, int]) -> dict[int, list[SideLine]]:
    """Each pair's rounds at a table. A side of a sheet belongs to the pair that sits there."""
    sides: dict[tuple[int, int, str], list[Seat]] = defaultdict(list)
    seats = Seat.objects.filter(
        sheet__table__round__evening=evening, sheet__table__round__state__in=STARTED
    ).select_related("sheet__table__round")
    for seat in seats.order_by("from_deal"):
        number = seat.sheet.table.round.number
        sides[number, seat.sheet_id, side_of(seat.seat)].append(seat)  # type: ignore[arg-type]
    lines: dict[int, dict[int, SideLine]] = defaultdict(dict)
    for (number, _sheet, side), held in sides.items():
        pairs = [pair_of.get(seat.counts_for_id or seat.member_id or 0) for seat in held]
        pair = next((candidate for candidate in pairs if candidate is not None), None)
        if pair is not None:
            lines[pair][number] = _side_line(number, side, held)
    return {pair: list(by_round.values()) for pair, by_round in lines.items()}


def _side_line(number: int, side: str, held: Sequence[Seat]) -> SideLine:
    """The side's score plus the corrections of each of its people."""
    by_seat: dict[str, list[Seat]] = defaultdict(list)
    for seat in held:
        written = seat.sheet.score_ns if side == "NS" else seat.sheet.score_ew
        by_seat[seat.seat].append(seat)
    holders = next(iter(by_seat.values()))
    corrections = sum(sum(seat.score for seat in seats) - written for seats in by_seat.values())
    score = RoundScore(
        number,
        written + corrections,
        _known(*(seat.pits for seat in holders)),
        _known(*(seat.roem for seat in holders)),
        sum(seat.nats for seat in holders),
    )
    sheet = held[0].sheet
    of = sheet.deals_planned if sheet.target is None else None
    return SideLine(score, sum(seat.deals for seat in holders), of)


def _add_fixed_scores(
    evening: Evening,
    pair_of: Mapping[int, int],
    scores: dict[int, Rounds],
    over: Sequence[int],
) -> None:
    """For sitting out, and for missing a round but not the evening, once the round is over."""
    out = Placement.objects.filter(
        round__evening=evening, round__number__in=over, table__isnull=True, member__in=pair_of
    )
    for member, number in out.values_list("member", "round__number"):
        given = RoundScore(number, evening.sit_out_score, played=False)
        scores.setdefault(pair_of[member], {}).setdefault(number, given)
    if evening.missed_score:
        for number in over:
            for by_round in scores.values():
                by_round.setdefault(number, RoundScore(number, evening.missed_score, played=False))
