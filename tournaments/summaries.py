"""What each evening brings to its season: per person one line, kept so that a season of them need
not be added up from its sheets each time it is looked at."""

from collections.abc import Collection, Iterable, Mapping
from operator import attrgetter
from typing import NamedTuple

from tournaments.models import Evening, EveningSummary, PastResult, Registration
from tournaments.scores import WHOLE_EVENING, Scores, scores_by_evening
from tournaments.standings.core import RoundScore


class PersonsEvening(NamedTuple):
    """What somebody made of one evening; `score` is None for who was absent, with `absence` saying
    how. `best_round` is his highest round and `last_round` the one the evening ended with, None
    where he played none or rounds are not known."""

    member_id: int
    score: int | None
    boompjes: int = 1
    pits: int = 0
    roem: int = 0
    nats: int = 0
    best_round: int | None = None
    last_round: int | None = None
    absence: str = ""


Summaries = dict[int, list[PersonsEvening]]


def evening_summaries(evenings: Collection[Evening]) -> Summaries:
    """Per evening (id) what everybody made of it, as it is now, in order of member.

    One query where all were kept as they are; six more for those that were not.
    """
    kept = _kept(evenings)
    missing = [evening for evening in evenings if evening.pk not in kept]
    return kept | (summaries_worked_out(missing) if missing else {})


def summaries_worked_out(evenings: Collection[Evening]) -> Summaries:
    """The same from the sheets, whatever is kept."""
    scores = scores_by_evening(evenings)
    absences = _absences(evenings)
    return {
        evening.pk: _people(scores[evening.pk], absences.get(evening.pk, {}))
        for evening in evenings
    }


def summary_as_json(people: Iterable[PersonsEvening]) -> list[list[object]]:
    """As it is kept."""
    return [list(one) for one in people]


def _kept(evenings: Collection[Evening]) -> Summaries:
    revisions = {evening.pk: evening.revision for evening in evenings}
    stored = EveningSummary.objects.filter(evening__in=revisions)
    return {
        evening_id: [PersonsEvening(*line) for line in results]
        for evening_id, revision, results in stored.values_list("evening_id", "revision", "results")
        if revision == revisions[evening_id]
    }


def _people(scores: Scores, absences: Mapping[int, str]) -> list[PersonsEvening]:
    last = max((number for by_round in scores.values() for number in by_round), default=0)
    there = [_played(who, by_round, last) for who, by_round in scores.items()]
    absent = [
        PersonsEvening(who, None, absence=how) for who, how in absences.items() if who not in scores
    ]
    return sorted([*there, *absent], key=attrgetter("member_id"))


def _played(member_id: int, by_round: Mapping[int, RoundScore], last: int) -> PersonsEvening:
    whole = by_round.get(WHOLE_EVENING)
    known = {number: one for number, one in by_round.items() if number != WHOLE_EVENING}
    own = {number: one.score for number, one in known.items() if one.played}
    played = by_round.values()
    return PersonsEvening(
        member_id,
        score=whole.score if whole else sum(one.score for one in played),
        boompjes=max(len(known), 1),
        pits=sum(one.pits for one in played),
        roem=sum(one.roem for one in played),
        nats=sum(one.nats for one in played),
        best_round=max(own.values(), default=None),
        last_round=own.get(last),
    )


def _absences(evenings: Iterable[Evening]) -> dict[int, dict[int, str]]:
    found: dict[int, dict[int, str]] = {}
    for model in (Registration, PastResult):
        rows = model.objects.filter(evening__in=evenings).exclude(absence="")
        for evening_id, member_id, absence in rows.values_list(
            "evening_id", "member_id", "absence"
        ):
            found.setdefault(evening_id, {})[member_id] = absence
    return found
