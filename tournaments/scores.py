"""What everybody scored: per evening, member and round, from the figures the sheets keep."""

from collections.abc import Collection, Iterable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from django.db.models import Sum
from django.db.models.functions import Coalesce

from scoring.models import Seat
from tournaments.models import Evening, PastResult, Placement, Round
from tournaments.ranking import RoundScore

if TYPE_CHECKING:
    from django.db.models import QuerySet

CLOSED = Round.State.CLOSED
STARTED = [Round.State.RUNNING, Round.State.CLOSED]
WHOLE_EVENING = 0

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
    seats = _seats(scores, STARTED).filter(extra=False)
    for evening_id, member_id, number, score, pits, roem, nats in seats:
        by_round = scores[evening_id].setdefault(member_id, {})
        by_round[number] = RoundScore(number, score, pits, roem, nats)


def _replace_lowest(evenings: Collection[Evening], scores: dict[int, Scores]) -> None:
    """Put what a substitute's second round came to in the place of the lowest of his own."""
    twice = _seats({one.pk for one in evenings}, [CLOSED]).filter(extra=True) if evenings else ()
    for evening_id, member_id, _number, score, pits, roem, nats in twice:
        by_round = scores[evening_id].get(member_id, {})
        lowest = min(by_round.values(), key=attrgetter("score"), default=None)
        if lowest is not None and score > lowest.score:
            by_round[lowest.round] = RoundScore(lowest.round, score, pits, roem, nats)


def _seats(evenings: Iterable[int], states: Sequence[str]) -> "QuerySet[Seat, tuple[int, ...]]":
    """Per evening, person and round what his seats came to: score, pits, roem and nats."""
    return (
        Seat.objects.filter(
            sheet__table__round__evening__in=evenings, sheet__table__round__state__in=states
        )
        .annotate(who=Coalesce("counts_for", "member"))
        .filter(who__isnull=False)
        .values_list("sheet__table__round__evening", "who", "sheet__table__round__number")
        .annotate(Sum("score"), Sum("pits"), Sum("roem"), Sum("nats"))
        .order_by()
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
