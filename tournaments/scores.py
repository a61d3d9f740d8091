"""What everybody scored: per evening, member and round, from the figures the sheets keep."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from operator import attrgetter

from scoring.models import Seat
from tournaments.models import Evening, PastResult, Placement, Round
from tournaments.standings.core import RoundScore

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
"""Per member (id) and round (number; WHOLE_EVENING where only the evening is known)."""


def evening_scores(evening: Evening) -> Scores:
    """What everybody scored on one evening, as it is now."""
    return scores_by_evening([evening])[evening.pk]


def scores_by_evening(evenings: Collection[Evening]) -> dict[int, Scores]:
    """Per evening (id) what everybody scored; rounds count once they have started.

    Who sat out has the evening's score for that, and who played that evening but missed a round
    the score for a missed round, where the evening gives one: both once the round is closed, for
    before that they would lead the standing over everybody who is still playing. A round that
    somebody played once more for others takes the place of the lowest of his own where the evening
    says so and it is higher; else it is nobody's. Four queries, however many evenings, and one for
    those that say so.
    """
    scores: dict[int, Scores] = {evening.pk: {} for evening in evenings}
    _add_seats(scores)
    _add_past_results(scores)
    _add_sit_outs({evening.pk: evening for evening in evenings}, scores)
    _replace_lowest([evening for evening in evenings if evening.twice_replaces], scores)
    _add_missed_rounds([evening for evening in evenings if evening.missed_score], scores)
    return scores


def _add_seats(scores: dict[int, Scores]) -> None:
    for (evening_id, member_id, number), one in _seats(scores, STARTED, extra=False).items():
        scores[evening_id].setdefault(member_id, {})[number] = one


def _replace_lowest(evenings: Collection[Evening], scores: dict[int, Scores]) -> None:
    """Put what a substitute's second round came to in the place of the lowest of his own, of equal
    ones the first."""
    twice = _seats({one.pk for one in evenings}, [CLOSED], extra=True) if evenings else {}
    for (evening_id, member_id, _number), one in twice.items():
        by_round = scores[evening_id].get(member_id, {})
        lowest = min(by_round.values(), key=attrgetter("score", "round"), default=None)
        if lowest is not None and one.score > lowest.score:
            by_round[lowest.round] = replace(one, round=lowest.round)


def _seats(
    evenings: Iterable[int], states: Sequence[str], *, extra: bool
) -> dict[tuple[int, int, int], RoundScore]:
    """Per evening (id), person (id) and round (number) what his seats came to.

    Added up here: the database takes three times as long for a thousand sums of one line each.
    """
    seats = Seat.objects.filter(
        sheet__table__round__evening__in=evenings,
        sheet__table__round__state__in=states,
        extra=extra,
    ).exclude(member=None, counts_for=None)
    found: dict[tuple[int, int, int], RoundScore] = {}
    for evening_id, member_id, counts_for_id, number, *figures in seats.values_list(*SEAT):
        key = evening_id, counts_for_id or member_id, number
        one = RoundScore(number, *figures)
        found[key] = _together(found[key], one) if key in found else one
    return found


def _together(one: RoundScore, other: RoundScore) -> RoundScore:
    """Two seats of the same person in one round."""
    return replace(
        one,
        score=one.score + other.score,
        pits=one.pits + other.pits,
        roem=one.roem + other.roem,
        nats=one.nats + other.nats,
    )


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
