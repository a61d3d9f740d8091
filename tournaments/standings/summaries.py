"""Each person's result on each evening, stored so that a season's standing does not have to be
added up from its sheets for every request."""

from collections.abc import Collection, Iterable, Mapping
from operator import attrgetter
from typing import NamedTuple

from tournaments.models import Evening, EveningSummary, PastResult, Registration
from tournaments.standings.competitors import competitor_lines
from tournaments.standings.core import RoundScore
from tournaments.standings.scores import (
    WHOLE_EVENING,
    Scores,
    scores_by_evening,
    streaks_by_evening,
)


class PersonsEvening(NamedTuple):
    """A person's result on one evening. `score` is None if they were absent; `absence` then says
    how. `best_round` is their highest round and `last_round` the last of the evening, None if they
    did not play it or rounds are not known. `pits` has those that are known; `roem` is None unless
    that of every round is. `streak` is how many deals in a row their side declared and made at the
    most, None where deals are not known.

    Stored and read by position, so that a new field goes last. Evenings closed before have its
    default until a migration empties `EveningSummary`.
    """

    member_id: int
    score: int | None
    boompjes: int = 1
    pits: int = 0
    roem: int | None = 0
    nats: int = 0
    best_round: int | None = None
    last_round: int | None = None
    absence: str = ""
    streak: int | None = None


Summaries = dict[int, list[PersonsEvening]]


def evening_summaries(evenings: Collection[Evening]) -> Summaries:
    """Everybody's current results by evening id, ordered by member.

    One query if the stored ones are all up to date; eight more if any has to be computed.
    """
    stored = _stored(evenings)
    missing = [evening for evening in evenings if evening.pk not in stored]
    return stored | (summaries_worked_out(missing) if missing else {})


def summaries_worked_out(evenings: Collection[Evening]) -> Summaries:
    """The same, computed from the sheets."""
    scores = scores_by_evening(evenings)
    absences = _absences(evenings)
    streaks = streaks_by_evening(evenings)
    return {
        evening.pk: _people(
            scores[evening.pk], absences.get(evening.pk, {}), streaks.get(evening.pk, {})
        )
        for evening in evenings
    }


def summary_as_json(people: Iterable[PersonsEvening]) -> list[list[object]]:
    """The results as they are stored."""
    return [list(person) for person in people]


def _stored(evenings: Collection[Evening]) -> Summaries:
    revisions = {evening.pk: evening.revision for evening in evenings}
    summaries = EveningSummary.objects.filter(evening__in=revisions)
    return {
        evening_id: [PersonsEvening(*line) for line in results]
        for evening_id, revision, results in summaries.values_list(
            "evening_id", "revision", "results"
        )
        if revision == revisions[evening_id]
    }


def _people(
    scores: Scores, absences: Mapping[int, str], streaks: Mapping[int, int]
) -> list[PersonsEvening]:
    last = max((number for by_round in scores.values() for number in by_round), default=0)
    present = [
        _played(member_id, by_round, last, streaks.get(member_id))
        for member_id, by_round in scores.items()
    ]
    absent = [
        PersonsEvening(member_id, None, absence=absence)
        for member_id, absence in absences.items()
        if member_id not in scores
    ]
    return sorted([*present, *absent], key=attrgetter("member_id"))


def _played(
    member_id: int, by_round: Mapping[int, RoundScore], last: int, streak: int | None
) -> PersonsEvening:
    whole = by_round.get(WHOLE_EVENING)
    known = {number: score for number, score in by_round.items() if number > WHOLE_EVENING}
    own = {number: score.score for number, score in known.items() if score.played}
    played = by_round.values()
    return PersonsEvening(
        member_id,
        score=sum(
            score.score for number, score in by_round.items() if not whole or number not in known
        ),
        boompjes=max(len(known), 1),
        pits=sum(score.pits or 0 for score in played),
        roem=None
        if any(score.roem is None for score in played)
        else sum(score.roem or 0 for score in played),
        nats=sum(score.nats for score in played),
        best_round=max(own.values(), default=None),
        last_round=own.get(last),
        streak=streak,
    )


def _absences(evenings: Iterable[Evening]) -> dict[int, dict[int, str]]:
    absences: dict[int, dict[int, str]] = {}
    for model in (Registration, PastResult):
        rows = model.objects.filter(evening__in=evenings).exclude(absence="")
        for evening_id, member_id, absence in rows.values_list(
            "evening_id", "member_id", "absence"
        ):
            absences.setdefault(evening_id, {})[member_id] = absence
    return absences


def summary_store(evening_id: int) -> None:
    """Store the result of everybody, of pairs and of teams on this evening as it is now.

    The revision is read first, so that a write in between makes the summary stale, never wrong.
    """
    evening = Evening.objects.get(pk=evening_id)
    people = summaries_worked_out([evening])[evening_id]
    EveningSummary.objects.update_or_create(
        evening=evening,
        defaults={
            "revision": evening.revision,
            "results": summary_as_json(people),
            "competitors": [list(line) for line in competitor_lines(evening)],
        },
    )
