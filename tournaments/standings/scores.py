"""Everybody's scores by evening, member and round, from the figures stored with the sheets. While
an evening is played, what is over and what is still being written are kept apart."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, NamedTuple, cast

from scoring.models import Deal, Seat
from scoring.rules import other_side, side_of
from tournaments.models import Evening, PastResult, PersonCorrection, Placement, Round
from tournaments.standings.core.results import (
    RoundScore,
    Running,
    longest_streak,
    settle_waiting,
    together,
)

CLOSED = Round.State.CLOSED
STARTED = [Round.State.RUNNING, Round.State.CLOSED]
WHOLE_EVENING, CORRECTION = 0, -1
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
"""By member id and round number; WHOLE_EVENING if only the evening's total is known, CORRECTION for
what the director gave or took off."""


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
    one more if any of them allows that, or has corrections of people.
    """
    scores: dict[int, Scores] = {evening.pk: {} for evening in evenings}
    _add_seats(scores)
    _add_past_results(scores)
    _add_sit_outs({evening.pk: evening for evening in evenings}, scores)
    _replace_lowest([evening for evening in evenings if evening.twice_replaces], scores)
    _add_missed_rounds(evenings, scores)
    for evening_id, people in corrections_of(evenings).items():
        add_corrections(scores[evening_id], people)
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
    people = scores[evening.pk]
    for sitting in out:
        people.setdefault(sitting.member, {})
    resting = [(one.member, one.number) for one in out if one.number in over]
    give_sit_outs(evening, people, resting)
    if evening.twice_replaces:
        _replace_lowest([evening], scores, over)
    give_missed(evening, people, over, here=running)
    add_corrections(people, corrections_of([evening]).get(evening.pk, {}))
    return LiveScores(over, people, running)


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
        own = [given for given in by_round.values() if given.waits is None]
        lowest = min(own, key=attrgetter("score", "round"), default=None)
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
        pits=known_sum(first.pits, second.pits),
        roem=known_sum(first.roem, second.roem),
        nats=first.nats + second.nats,
    )


def known_sum(*figures: int | None) -> int | None:
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
    out: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for line in _sitting_out(evenings):
        scores[line.evening].setdefault(line.member, {})
        if line.state == CLOSED:
            out[line.evening].append((line.member, line.number))
    for evening_id, people in out.items():
        give_sit_outs(evenings[evening_id], scores[evening_id], people)


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


def give_sit_outs(evening: Evening, scores: Scores, out: Iterable[tuple[int, int]]) -> None:
    """The score for sitting out, of whoever sat out which round. Unless it is a fixed one it waits
    for `give_missed`, which settles it."""
    for who, number in out:
        given = _given(number, evening.sit_out_score, evening.sit_out_pits)
        if evening.sit_out_as == Evening.SitOutAs.LOWEST:
            given = replace(given, score=0, waits="fill")
        elif evening.sit_out_as == Evening.SitOutAs.NOTHING:
            given = replace(_given(number, 0), waits="nothing")
        scores.setdefault(who, {}).setdefault(number, given)


def _add_missed_rounds(evenings: Collection[Evening], scores: dict[int, Scores]) -> None:
    by_id = {evening.pk: evening for evening in evenings if _gives_missed(evening)}
    over: dict[int, list[int]] = defaultdict(list)
    for round_ in Round.objects.filter(evening__in=by_id, state=CLOSED) if by_id else ():
        over[round_.evening_id].append(round_.number)
    for evening in evenings:
        give_missed(evening, scores[evening.pk], over[evening.pk])


def _gives_missed(evening: Evening) -> bool:
    return bool(evening.missed_score) or evening.leaving == Evening.Leaving.LOWEST


def give_missed(
    evening: Evening, scores: Scores, over: Collection[int], here: Collection[int] = ()
) -> None:
    """The score for the rounds that are over and that somebody missed, and of whoever left halfway
    if the evening has one for that; people who are `here` have not. Also what waited."""
    if evening.leaving == Evening.Leaving.LOWEST and over:
        last = max(over)
        for who, by_round in scores.items():
            if who not in here and last not in by_round and any(at > 0 for at in by_round):
                gone = max(by_round)
                by_round |= {
                    number: replace(_given(number, 0), waits="leave")
                    for number in sorted(over)
                    if number > gone
                }
    if evening.missed_score:
        for number in sorted(over):
            for by_round in scores.values():
                by_round.setdefault(number, _given(number, evening.missed_score))
    if evening.leaving == Evening.Leaving.LOWEST or evening.sit_out_as != Evening.SitOutAs.FIXED:
        settle_waiting(scores)


def _given(number: int, score: int, pits: int = 0) -> RoundScore:
    return RoundScore(number, score, pits, played=False)


def corrections_of(evenings: Iterable[Evening]) -> dict[int, dict[int, int]]:
    """What the director gave people, or took off, for an evening as a whole, by evening id and
    member id. A query if there is any."""
    corrected = [evening.pk for evening in evenings if evening.corrected]
    given: dict[int, dict[int, int]] = {}
    if corrected:
        rows = PersonCorrection.objects.filter(evening__in=corrected)
        for evening_id, member_id, points in rows.values_list("evening", "member", "points"):
            people = given.setdefault(evening_id, {})
            people[member_id] = people.get(member_id, 0) + points
    return given


def add_corrections(scores: Scores, people: Mapping[int, int]) -> None:
    """Give or take off these points, of people who have a score."""
    for who, points in people.items():
        if who in scores and points:
            scores[who][CORRECTION] = _given(CORRECTION, points)


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
