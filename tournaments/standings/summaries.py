"""The result of each person, pair and team on each evening, stored so that a season's standing does
not have to be added up from its sheets for every request."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from django.db.models import Q

from tournaments.models import (
    CompetitorMember,
    Evening,
    EveningSummary,
    PastResult,
    Registration,
)
from tournaments.standings.competitors import (
    PAIR,
    TEAM,
    CompetitorsOf,
    competitor_id_of,
    entry_of,
)
from tournaments.standings.core.results import RoundScore
from tournaments.standings.pairs import Rounds
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


# The same of pairs and teams.


class CompetitorsEvening(NamedTuple):
    """The result of a pair or a team on one evening, as `PersonsEvening` has a person's.

    A team has a line for the sum of its pairs, with `best` 0, and one for each number of members
    that can count. Stored and read by position, so that a new field goes last.
    """

    kind: str
    competitor_id: int
    best: int
    score: int | None
    boompjes: int = 1
    pits: int = 0
    roem: int | None = 0
    nats: int = 0
    best_round: int | None = None
    last_round: int | None = None
    absence: str = ""


def competitor_lines(evening: Evening) -> list[CompetitorsEvening]:
    """The results of all pairs and teams of an evening, from the sheets; none of pairs that are no
    pair of the club."""
    of = CompetitorsOf(evening)
    lines = [*_lines_of(PAIR, 0, of.rounds(PAIR)), *_lines_of(TEAM, 0, of.rounds(TEAM))]
    largest = max((len(of.members_of(team)) for team in set(of.team_of.values())), default=0)
    for best in range(1, largest + 1):
        lines += _lines_of(TEAM, best, of.rounds(TEAM, best))
    there = {line.competitor_id for line in lines}
    lines += (
        line for line in _absent(evening, of.persons.keys()) if line.competitor_id not in there
    )
    return sorted(lines, key=lambda line: line[:3])


def _lines_of(kind: str, best: int, rounds: Mapping[str, Rounds]) -> Iterator[CompetitorsEvening]:
    last = max((number for by_round in rounds.values() for number in by_round), default=0)
    for key, by_round in rounds.items():
        competitor_id = competitor_id_of(key)
        if competitor_id is not None and by_round:
            entry = entry_of(key, "", by_round, last)
            known = [score for score in by_round.values() if score.roem is None]
            yield CompetitorsEvening(
                kind,
                competitor_id,
                best,
                score=entry.total,
                boompjes=max(len(entry.rounds), 1),
                pits=entry.all_pits,
                roem=None if known else entry.all_roem,
                nats=entry.nats,
                best_round=entry.best_round,
                last_round=entry.last_round,
            )


def _absent(evening: Evening, played: Collection[int]) -> Iterator[CompetitorsEvening]:
    """Pairs and teams of which nobody played and all are recorded as absent: with notice where
    somebody gave it. Reserves need not be."""
    for result in evening.competitor_results.exclude(absence="").select_related("competitor"):
        kind, pk = result.competitor.kind, result.competitor_id
        yield CompetitorsEvening(kind, pk, 0, None, absence=result.absence)
    absent = _not_there(evening, played)
    if not absent:
        return
    today = Q(until=None) | Q(until__gte=evening.date)
    people = CompetitorMember.objects.filter(
        today, competitor__club=evening.club_id, since__lte=evening.date, reserve=False
    )
    of: dict[tuple[str, int], list[str]] = defaultdict(list)
    for kind, pk, member in people.order_by("pk").values_list(
        "competitor__kind", "competitor", "member"
    ):
        of[kind, pk].append(absent.get(member, ""))
    notice, none = Registration.Absence.NOTICE, Registration.Absence.NONE
    for (kind, pk), absences in of.items():
        if all(absences):
            absence = notice if notice in absences else none
            yield CompetitorsEvening(kind, pk, 0, None, absence=absence.value)


def _not_there(evening: Evening, played: Collection[int]) -> dict[int, str]:
    absences: dict[int, str] = {}
    for model in (Registration, PastResult):
        rows = model.objects.filter(evening=evening).exclude(absence="")
        absences |= dict(rows.values_list("member_id", "absence"))
    return {member: absence for member, absence in absences.items() if member not in played}


Lines = dict[int, list[CompetitorsEvening]]


def competitor_summaries(evenings: Collection[Evening]) -> Lines:
    """The current results of pairs and teams by evening id. One query if the stored ones are all up
    to date."""
    revisions = {evening.pk: evening.revision for evening in evenings}
    stored = EveningSummary.objects.filter(evening__in=revisions, competitors__isnull=False)
    known = {
        evening_id: lines_read(lines or ())
        for evening_id, revision, lines in stored.values_list(
            "evening_id", "revision", "competitors"
        )
        if revision == revisions[evening_id]
    }
    missing = (evening for evening in evenings if evening.pk not in known)
    return known | {evening.pk: competitor_lines(evening) for evening in missing}


def lines_read(lines: Iterable[Sequence[Any]]) -> list[CompetitorsEvening]:
    """The lines from how they are stored."""
    return [CompetitorsEvening(*line) for line in lines]


def lines_for(
    lines: Iterable[CompetitorsEvening], by: str, best: int | None
) -> list[CompetitorsEvening]:
    """Of each pair or team its one line: of a team that of so many members, or of all it has."""
    chosen: dict[int, CompetitorsEvening] = {}
    for line in sorted(lines, key=attrgetter("best")):
        fits = line.best == 0 or (best is not None and line.best <= best)
        if line.kind == by and fits:
            chosen[line.competitor_id] = line
    return [chosen[pk] for pk in sorted(chosen)]


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
