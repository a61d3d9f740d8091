"""Everybody's scores by evening, member and round, from the figures stored with the sheets; and
those of fixed pairs, with their places."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any

from scoring.models import Deal, Seat
from scoring.rules import other_side, side_of
from tournaments.models import Evening, PastResult, Placement, Round
from tournaments.standings.core import (
    EveningEntry,
    Points,
    RoundScore,
    longest_streak,
    rank_evening,
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


def _add_seats(scores: dict[int, Scores]) -> None:
    for (evening_id, member_id, number), score in _seats(scores, STARTED, extra=False).items():
        scores[evening_id].setdefault(member_id, {})[number] = score


def _replace_lowest(evenings: Collection[Evening], scores: dict[int, Scores]) -> None:
    """Let the score of a second seat replace the player's lowest, the earliest of equal ones."""
    evening_ids = {evening.pk for evening in evenings}
    extra = _seats(evening_ids, [CLOSED], extra=True) if evenings else {}
    for (evening_id, member_id, _number), score in extra.items():
        by_round = scores[evening_id].get(member_id, {})
        lowest = min(by_round.values(), key=attrgetter("score", "round"), default=None)
        if lowest is not None and score.score > lowest.score:
            by_round[lowest.round] = replace(score, round=lowest.round)


def _seats(
    evenings: Iterable[int], states: Sequence[str], *, extra: bool
) -> dict[tuple[int, int, int], RoundScore]:
    """The score of a person's seats, by evening id, member id and round number.

    Added up in Python: the database takes three times as long for a thousand sums of one row each.
    """
    seats = Seat.objects.filter(
        sheet__table__round__evening__in=evenings,
        sheet__table__round__state__in=states,
        extra=extra,
    ).exclude(member=None, counts_for=None)
    scores: dict[tuple[int, int, int], RoundScore] = {}
    for evening_id, member_id, counts_for_id, number, *figures in seats.values_list(*SEAT):
        key = evening_id, counts_for_id or member_id, number
        score = RoundScore(number, *figures)
        scores[key] = _sum(scores[key], score) if key in scores else score
    return scores


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
    out = Placement.objects.filter(
        round__evening__in=evenings, round__state__in=STARTED, table__isnull=True
    )
    for evening_id, member_id, number, state in out.values_list(
        "round__evening_id", "member_id", "round__number", "round__state"
    ):
        by_round = scores[evening_id].setdefault(member_id, {})
        if state == Round.State.CLOSED:
            by_round.setdefault(number, _given(number, evenings[evening_id].sit_out_score))


def _add_missed_rounds(evenings: Iterable[Evening], scores: dict[int, Scores]) -> None:
    by_id = {evening.pk: evening for evening in evenings}
    over = Round.objects.filter(evening__in=by_id, state=Round.State.CLOSED) if by_id else ()
    for round_ in over:
        for by_round in scores[round_.evening_id].values():
            missed = _given(round_.number, by_id[round_.evening_id].missed_score)
            by_round.setdefault(round_.number, missed)


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
    rank: int
    total: int
    rounds: Mapping[int, int]
    pits: int
    tie_breaks: Mapping[str, Points | None] = field(default_factory=dict)


def pair_scores(
    evening: Evening, tie_breaks: tuple[str, ...], play_off: Mapping[str, int]
) -> dict[int, PairScore]:
    """The current score of each member's pair, by member id; members without a pair are left out.

    A pair has the score of its side and the corrections of both its people, also when a substitute
    played for them. For sitting out and for a missed round it has the evening's score once.
    `play_off` has people's scores in extra deals. At most four queries.
    """
    paired = evening.registrations.values_list("member_id", "pair")
    pair_of = {member: pair for member, pair in paired if pair is not None}
    scores = _at_tables(evening, pair_of)
    _add_fixed_scores(evening, pair_of, scores)
    extra = {
        str(pair_of[int(member_id)]): score
        for member_id, score in play_off.items()
        if int(member_id) in pair_of
    }
    entries = [
        EveningEntry(str(number), f"{number:04}", tuple(by_round.values()))
        for number, by_round in scores.items()
    ]
    rows = rank_evening(entries, tie_breaks=tie_breaks, play_off=extra, lot=evening.slug)
    ranked = {
        int(row.player_id): PairScore(
            int(row.player_id), row.rank, row.total, row.rounds, row.pits, row.tie_breaks
        )
        for row in rows
    }
    return {member: ranked[number] for member, number in pair_of.items() if number in ranked}


def pair_from_json(line: Mapping[str, Any] | None) -> PairScore | None:
    """A pair's line as a release stores it; `None` if it stores none."""
    if line is None:
        return None
    rounds = {int(number): score for number, score in line["rounds"].items()}
    return PairScore(**{**line, "rounds": rounds})


def _at_tables(evening: Evening, pair_of: Mapping[int, int]) -> dict[int, Rounds]:
    """Each pair's rounds at a table. A side of a sheet belongs to the pair that sits there."""
    sides: dict[tuple[int, int, str], list[Seat]] = defaultdict(list)
    seats = Seat.objects.filter(
        sheet__table__round__evening=evening, sheet__table__round__state__in=STARTED
    ).select_related("sheet__table__round")
    for seat in seats.order_by("from_deal"):
        number = seat.sheet.table.round.number
        sides[number, seat.sheet_id, side_of(seat.seat)].append(seat)  # type: ignore[arg-type]
    scores: dict[int, Rounds] = defaultdict(dict)
    for (number, _sheet, side), held in sides.items():
        pairs = [pair_of.get(seat.counts_for_id or seat.member_id or 0) for seat in held]
        pair = next((candidate for candidate in pairs if candidate is not None), None)
        if pair is not None:
            scores[pair][number] = _side_score(number, side, held)
    return scores


def _side_score(number: int, side: str, held: Iterable[Seat]) -> RoundScore:
    """The side's score plus the corrections of each of its people."""
    by_seat: dict[str, list[Seat]] = defaultdict(list)
    for seat in held:
        written = seat.sheet.score_ns if side == "NS" else seat.sheet.score_ew
        by_seat[seat.seat].append(seat)
    holders = next(iter(by_seat.values()))
    corrections = sum(sum(seat.score for seat in seats) - written for seats in by_seat.values())
    return RoundScore(
        number,
        written + corrections,
        _known(*(seat.pits for seat in holders)),
        _known(*(seat.roem for seat in holders)),
        sum(seat.nats for seat in holders),
    )


def _add_fixed_scores(
    evening: Evening, pair_of: Mapping[int, int], scores: dict[int, Rounds]
) -> None:
    """For sitting out, and for missing a round but not the evening, once the round is closed."""
    over = evening.rounds.filter(state=Round.State.CLOSED)
    out = Placement.objects.filter(round__in=over, table__isnull=True, member__in=pair_of)
    for member, number in out.values_list("member", "round__number"):
        given = RoundScore(number, evening.sit_out_score, played=False)
        scores.setdefault(pair_of[member], {}).setdefault(number, given)
    if evening.missed_score:
        for number in over.values_list("number", flat=True):
            for by_round in scores.values():
                by_round.setdefault(number, RoundScore(number, evening.missed_score, played=False))
