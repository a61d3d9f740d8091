"""Fixed pairs and teams: what each scored on an evening, whoever played for it, and its places.

A pair has the score of its side once. A team has the sum of its sides, each once, or of its best
members.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import permutations

from clubs.models import Member
from tournaments.models import (
    Competitor,
    CompetitorMember,
    Evening,
    PlayOffScore,
)
from tournaments.standings.core.places import EveningRow, rank_evening
from tournaments.standings.core.results import (
    Encounter,
    EveningEntry,
    RoundScore,
    Running,
    together,
)
from tournaments.standings.pairs import (
    Rounds,
    SideHeld,
    pair_extra,
    pair_rounds,
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
    def _listed(self) -> Sequence[tuple[int, int | None, int | None]]:
        return list(self.evening.registrations.values_list("member_id", "pair", "team_id"))

    @property
    def are_any(self) -> bool:
        """Whether there are pairs or teams at all. One query, two of an evening from before."""
        if any(pair or team for _member, pair, team in self._listed):
            return True
        return self.evening.is_history and any(self.past.values())

    @cached_property
    def pair_of(self) -> Mapping[int, int]:
        """The number of each member's pair."""
        return {member: pair for member, pair, _team in self._listed if pair is not None}

    @cached_property
    def team_of(self) -> Mapping[int, int]:
        """The id of each member's team."""
        return {member: team for member, _pair, team in self._listed if team is not None}

    @cached_property
    def pair_ids(self) -> Mapping[int, int]:
        """The id of the pair with each number; numbers that are no pair of the club have none."""
        return dict(self.evening.evening_pairs.values_list("number", "competitor_id"))

    @cached_property
    def _all_sides(self) -> Sequence[SideHeld]:
        return sides_held(self.evening)

    @cached_property
    def sides(self) -> Sequence[SideHeld]:
        return [side for side in self._all_sides if self._counts(side.line.score.round)]

    def running(self, by: str) -> dict[str, dict[int, Running]]:
        """By key and round, what is written in the rounds that are not over."""
        playing: dict[str, dict[int, list[Running]]] = defaultdict(lambda: defaultdict(list))
        for side in self._all_sides:
            score = side.line.score
            if not self._counts(score.round):
                run = Running(score.score, side.line.deals, side.line.of, score.pits or 0)
                for key in dict.fromkeys(self._keys_of(side, by)):
                    playing[key][score.round].append(run)
        return {
            key: {number: both for number, runs in by_round.items() if (both := together(runs))}
            for key, by_round in playing.items()
        }

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

    def people(self, by: str) -> dict[str, list[int]]:
        """By key, who play for each pair or team this evening; of an evening from before who are
        of it today."""
        played: dict[str, list[int]] = defaultdict(list)
        if by == PAIR:
            for member, number in self.pair_of.items():
                played[self.pair_key(number)].append(member)
        else:
            for team in sorted(set(self.team_of.values())):
                played[competitor_key(team)] = self.members_of(team)
        before = [key for pk in self.past[by] if (key := competitor_key(pk)) not in played]
        return played | {key: [*pks] for key, pks in competitor_people(before).items()}

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
    return ranked_by(CompetitorsOf(evening, over), by, best)


def ranked_by(of: CompetitorsOf, by: str, best: int | None = None) -> tuple[EveningRow, ...]:
    """The same of pairs and teams that are read already."""
    evening = of.evening
    return rank_evening(
        entries_by(of, by, best),
        tie_breaks=_ties(evening),
        play_off=_extra(of) if by == PAIR else None,
        lot=evening.slug,
    )


def entries_by(of: CompetitorsOf, by: str, best: int | None = None) -> list[EveningEntry]:
    """The figures of each pair or team, for its place and for side prizes."""
    rounds = of.rounds(by, (best or of.evening.team_best) if by == TEAM else None)
    names = of.names(rounds)
    ties = _ties(of.evening)
    met = of.encounters(by) if "head_to_head" in ties else {}
    lots = of.lots(by) if "lot" in ties else {}
    last = max((number for by_round in rounds.values() for number in by_round), default=0)
    return [
        entry_of(key, names[key], by_round, last, met=met.get(key, ()), lot=lots.get(key, ""))
        for key, by_round in rounds.items()
    ]


def _ties(evening: Evening) -> tuple[str, ...]:
    return tuple(evening.tie_breaks) if evening.tie == Evening.Tie.TIE_BREAKS else ()


def _extra(of: CompetitorsOf) -> dict[str, int]:
    """By key, what pairs scored in extra deals."""
    if of.evening.tie != Evening.Tie.PLAY_OFF:
        return {}
    scores = PlayOffScore.objects.filter(evening=of.evening).values_list("member_id", "score")
    by_number = pair_extra(of.pair_of, {str(pk): score for pk, score in scores})
    return {of.pair_key(int(number)): score for number, score in by_number.items()}


def entry_of(
    key: str,
    name: str,
    by_round: Mapping[int, RoundScore],
    last: int,
    *,
    met: Sequence[Encounter] = (),
    lot: str = "",
) -> EveningEntry:
    """The figures of a pair or team on an evening of which `last` is the last round."""
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


def season_encounters(
    evenings: Iterable[Evening], by: str
) -> dict[tuple[str, str], Sequence[Encounter]]:
    """By evening and key, the points of a pair or team and of its opponents."""
    return {
        (evening.slug, key): met
        for evening in evenings
        for key, met in CompetitorsOf(evening).encounters(by).items()
    }
