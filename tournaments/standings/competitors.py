"""Fixed pairs and teams: what each scored on an evening, whoever played for it, and its places.

A pair has the score of its side once. A team has the sum of its sides, each once, or of its best
members. What a season needs of that is stored with the evening.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import permutations
from operator import attrgetter
from typing import Any, NamedTuple

from django.db.models import Q

from clubs.models import Member
from tournaments.models import (
    Competitor,
    CompetitorMember,
    Evening,
    EveningSummary,
    PastResult,
    PlayOffScore,
    Registration,
)
from tournaments.standings.core import (
    Encounter,
    EveningEntry,
    EveningRow,
    RoundScore,
    rank_evening,
)
from tournaments.standings.pairs import (
    Rounds,
    SideHeld,
    pair_extra,
    pair_rounds,
    pairs_of_members,
    sides_held,
)
from tournaments.standings.scores import (
    CORRECTION,
    WHOLE_EVENING,
    Scores,
    evening_scores,
    known_sum,
)

PLAYER, PAIR, TEAM = Evening.Ranks.PLAYER, Evening.Ranks.PAIR, Evening.Ranks.TEAM
UNNAMED = "unnamed-"
"""Before the number of a pair that is no pair of the club yet."""


def competitor_key(competitor_id: int) -> str:
    """The id of a pair or team in a standing, which is nobody's."""
    return f"competitor-{competitor_id}"


def competitor_id_of(key: str) -> int | None:
    """The id of the pair or team that `competitor_key` made this of; None for another."""
    number = key.removeprefix("competitor-")
    return int(number) if number != key else None


def competitor_people(keys: Collection[str]) -> dict[str, tuple[int, ...]]:
    """The members of these pairs and teams today, by key, without reserves. One query."""
    ids = {pk for key in keys if (pk := competitor_id_of(key)) is not None}
    people = CompetitorMember.objects.filter(competitor__in=ids, until=None, reserve=False)
    of: dict[str, tuple[int, ...]] = {competitor_key(pk): () for pk in ids}
    for pk, member in people.order_by("pk").values_list("competitor", "member"):
        of[competitor_key(pk)] += (member,)
    return of


class CompetitorsOf:
    """The pairs and teams of an evening and their scores, each read when it is needed; of the
    rounds that are `over`, if that is given."""

    def __init__(self, evening: Evening, over: Collection[int] | None = None) -> None:
        self.evening = evening
        self._over = over

    @cached_property
    def pair_of(self) -> Mapping[int, int]:
        """The number of each member's pair."""
        return pairs_of_members(self.evening)

    @cached_property
    def team_of(self) -> Mapping[int, int]:
        """The id of each member's team."""
        listed = self.evening.registrations.exclude(team=None)
        return {member: team or 0 for member, team in listed.values_list("member_id", "team_id")}

    @cached_property
    def pair_ids(self) -> Mapping[int, int]:
        """The id of the pair with each number; numbers that are no pair of the club have none."""
        return dict(self.evening.evening_pairs.values_list("number", "competitor_id"))

    @cached_property
    def sides(self) -> Sequence[SideHeld]:
        sides = sides_held(self.evening)
        return [side for side in sides if self._counts(side.line.score.round)]

    @cached_property
    def persons(self) -> Scores:
        return {
            member: {number: score for number, score in by_round.items() if self._counts(number)}
            for member, by_round in evening_scores(self.evening).items()
        }

    def _counts(self, number: int) -> bool:
        return self._over is None or number in self._over or number == CORRECTION

    @cached_property
    def past(self) -> Mapping[str, Mapping[int, Rounds]]:
        """By kind and id, what is known of an evening from before."""
        past: dict[str, dict[int, Rounds]] = {PAIR: {}, TEAM: {}}
        results = self.evening.competitor_results.filter(score__isnull=False)
        for result in results.select_related("competitor"):
            number = result.round or WHOLE_EVENING
            by_round = past[result.competitor.kind].setdefault(result.competitor_id, {})
            by_round[number] = RoundScore(
                number, result.score or 0, result.pits or 0, result.roem or 0
            )
        return past

    def rounds(self, by: str, best: int | None = None) -> dict[str, Rounds]:
        """The score of each pair or team in each round, by its key in a standing; WHOLE_EVENING if
        only the total of the evening is known."""
        past = {competitor_key(pk): rounds for pk, rounds in self.past[by].items()}
        return past | (self._pairs() if by == PAIR else self._teams(best))

    def _pairs(self) -> dict[str, Rounds]:
        if not self.pair_of:
            return {}
        return {
            self.pair_key(pair): {n: score for n, score in rounds.items() if self._counts(n)}
            for pair, rounds in pair_rounds(self.evening, self.pair_of).items()
        }

    def pair_key(self, number: int) -> str:
        """The key of the pair with this number."""
        known = self.pair_ids.get(number)
        return f"{UNNAMED}{number}" if known is None else competitor_key(known)

    def _teams(self, best: int | None) -> dict[str, Rounds]:
        teams = sorted(set(self.team_of.values()))
        make = self._sum if best is None else self._best_of
        return {competitor_key(team): rounds for team in teams if (rounds := make(team, best or 0))}

    def members_of(self, team: int) -> list[int]:
        """Who play for this team, highest total first; of equal ones who came into the club
        first."""
        people = [pk for pk, of in self.team_of.items() if of == team and pk in self.persons]
        return sorted(people, key=lambda pk: (-_total(self.persons[pk]), pk))

    def _best_of(self, team: int, best: int) -> Rounds:
        """The sum of the best so many members."""
        counted = self.members_of(team)[:best]
        return _added(score for pk in counted for score in self.persons[pk].values())

    def _sum(self, team: int, _best: int) -> Rounds:
        """The sum of the sides that play for the team, and of its pairs that sit out or miss a
        round; a pair is two people where it has no number."""
        played = [
            side.line.score
            for side in self.sides
            if any(self.team_of.get(pk) == team for pk in side.people)
        ]
        out: dict[int, list[RoundScore]] = defaultdict(list)
        in_pairs: set[tuple[int, int]] = set()
        for pk in self.members_of(team):
            for number, score in self.persons[pk].items():
                if number == CORRECTION:
                    played.append(score)
                if score.played or number == CORRECTION:
                    continue
                pair = self.pair_of.get(pk)
                if pair is None:
                    out[number].append(score)
                elif (number, pair) not in in_pairs:
                    in_pairs.add((number, pair))
                    played.append(score)
        played += [score for scores in out.values() for score in scores[::2]]
        return _added(played)

    def encounters(self, by: str) -> Mapping[str, Sequence[Encounter]]:
        """By key, the points of a pair or team and of its opponents at each table; of a match that
        ended equal with the four deals more that decided it."""
        tables: dict[int, list[tuple[str, int]]] = defaultdict(list)
        for side in self.sides:
            for key in self._keys_of(side, by)[:1]:
                tables[side.sheet].append((key, side.line.score.score + side.more))
        met: dict[str, list[Encounter]] = defaultdict(list)
        for there in tables.values():
            for (own, scored), (other, conceded) in permutations(there, 2):
                if own != other:
                    met[own].append(Encounter(other, scored, conceded))
        return met

    def _keys_of(self, side: SideHeld, by: str) -> list[str]:
        if by == PAIR:
            return [self.pair_key(self.pair_of[pk]) for pk in side.people if pk in self.pair_of]
        return [competitor_key(self.team_of[pk]) for pk in side.people if pk in self.team_of]

    def names_of_sides(self) -> dict[tuple[int, str], dict[str, str]]:
        """By sheet and side, the names of the pair and the team whose side it is."""
        known = set(self.pair_ids.values()) | set(self.team_of.values())
        names = competitor_names(known) if known else {}
        return {
            (side.sheet, side.side): {
                kind: names[key]
                for kind in (PAIR, TEAM)
                if (key := next(iter(self._keys_of(side, kind)), "")) in names
            }
            for side in (self.sides if names else ())
        }

    def names(self, keys: Iterable[str]) -> dict[str, str]:
        """What these pairs or teams are called: a pair without a name by its people."""
        ids = {pk for key in keys if (pk := competitor_id_of(key)) is not None}
        names = competitor_names(ids)
        unnamed = {self.pair_key(number) for number in self.pair_of.values()} - names.keys()
        if unnamed:
            people = Member.objects.filter(pk__in=self.pair_of).order_by("sort_name", "pk")
            called = people.desk_names()
            for member, number in self.pair_of.items():
                key = self.pair_key(number)
                if key in unnamed:
                    before = names.get(key)
                    names[key] = f"{before} & {called[member]}" if before else called[member]
        return names

    def lots(self, by: str) -> dict[str, str]:
        """What the lot of each is drawn from: the number of a pair, as people's lots are."""
        if by == PAIR:
            return {self.pair_key(number): str(number) for number in self.pair_of.values()}
        uuids = Competitor.objects.filter(pk__in=self.team_of.values()).values_list("pk", "uuid")
        return {competitor_key(pk): str(uuid) for pk, uuid in uuids}


def _total(by_round: Mapping[int, RoundScore]) -> int:
    whole, correction = by_round.get(WHOLE_EVENING), by_round.get(CORRECTION)
    if whole:
        return whole.score + (correction.score if correction else 0)
    return sum(score.score for score in by_round.values())


def _added(scores: Iterable[RoundScore]) -> Rounds:
    """These scores added up by round."""
    rounds: Rounds = {}
    for score in scores:
        before = rounds.get(score.round)
        rounds[score.round] = (
            score
            if before is None
            else replace(
                score,
                score=before.score + score.score,
                pits=known_sum(before.pits, score.pits),
                roem=known_sum(before.roem, score.roem),
                nats=before.nats + score.nats,
                played=before.played or score.played,
            )
        )
    return dict(sorted(rounds.items()))


def competitor_names(ids: Collection[int]) -> dict[str, str]:
    """The names of these pairs and teams, by key."""
    named = Competitor.objects.filter(pk__in=ids).values_list("pk", "name")
    return {competitor_key(pk): name for pk, name in named}


def evening_by(
    evening: Evening, by: str, best: int | None = None, over: Collection[int] | None = None
) -> tuple[EveningRow, ...]:
    """The standing of an evening by pair or by team, of the rounds that are `over` if that is
    given; of a team the best so many members, or what the evening says."""
    of = CompetitorsOf(evening, over)
    rounds = of.rounds(by, (best or evening.team_best) if by == TEAM else None)
    ties = tuple(evening.tie_breaks) if evening.tie == Evening.Tie.TIE_BREAKS else ()
    names = of.names(rounds)
    met = of.encounters(by) if "head_to_head" in ties else {}
    lots = of.lots(by) if "lot" in ties else {}
    last = max((number for by_round in rounds.values() for number in by_round), default=0)
    return rank_evening(
        [
            _entry(key, names[key], by_round, last, met=met.get(key, ()), lot=lots.get(key, ""))
            for key, by_round in rounds.items()
        ],
        tie_breaks=ties,
        play_off=_extra(of) if by == PAIR else None,
        lot=evening.slug,
    )


def _extra(of: CompetitorsOf) -> dict[str, int]:
    """By key, what pairs scored in extra deals."""
    if of.evening.tie != Evening.Tie.PLAY_OFF:
        return {}
    scores = PlayOffScore.objects.filter(evening=of.evening).values_list("member_id", "score")
    by_number = pair_extra(of.pair_of, {str(pk): score for pk, score in scores})
    return {of.pair_key(int(number)): score for number, score in by_number.items()}


def _entry(
    key: str,
    name: str,
    by_round: Mapping[int, RoundScore],
    last: int,
    *,
    met: Sequence[Encounter] = (),
    lot: str = "",
) -> EveningEntry:
    whole = by_round.get(WHOLE_EVENING)
    apart = WHOLE_EVENING, CORRECTION
    known = [score for number, score in sorted(by_round.items()) if number not in apart]
    own = by_round.get(last)
    correction = by_round.get(CORRECTION)
    return EveningEntry(
        player_id=key,
        name=name,
        rounds=known,
        whole=whole.score if whole else None,
        pits=(whole.pits or 0) if whole else 0,
        roem=(whole.roem or 0) if whole else 0,
        last_round=own.score if own and own.played and not whole else None,
        encounters=met,
        lot=lot,
        correction=correction.score if correction else 0,
    )


# What a season needs, stored with the evening.


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
            entry = _entry(key, "", by_round, last)
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
    absent = _absences(evening, played)
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


def _absences(evening: Evening, played: Collection[int]) -> dict[int, str]:
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


def season_encounters(
    evenings: Iterable[Evening], by: str
) -> dict[tuple[str, str], Sequence[Encounter]]:
    """By evening and key, the points of a pair or team and of its opponents."""
    return {
        (evening.slug, key): met
        for evening in evenings
        for key, met in CompetitorsOf(evening).encounters(by).items()
    }
