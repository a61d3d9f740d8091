"""What people of a league scored over its clubs, and the ranking that makes on a day.

Everybody who confirmed their number is ranked by their results on match days of the league, and on
evenings that a club entered. Results of other disciplines, and for a mean of other rules, do not
count.
"""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, cast
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Member
from clubs.text.names import name_key
from tournaments.leagues.core.ranking import (
    EventResult,
    MeanRule,
    best_shares,
    percentage,
    rank_by_best,
    rank_by_mean,
)
from tournaments.models import (
    Evening,
    League,
    LeagueMatch,
    LeaguePlayer,
    LeagueRanking,
    LineUpSeat,
    MatchDay,
    PersonLink,
)
from tournaments.models.lineups import HOME
from tournaments.ratings.services import NEWCOMER, Strength, games_by_evening, rate
from tournaments.standings.summaries import PersonsEvening, evening_summaries

TRUMPING: Mapping[str, Any] = {
    "amsterdam": gettext_lazy("Amsterdam rules"),
    "rotterdam": gettext_lazy("Rotterdam rules"),
    "trump_only": gettext_lazy("always trump, higher only when trumps are led"),
    "other": gettext_lazy("another game"),
}
SEASON_STARTS = 9
"""The month in which a season of `best_of` begins."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A result of somebody, and what it is worth in the ranking: `value` counts for `share`
    percent. Without a share it does not count."""

    evening: str
    date: str
    club: str
    rounds: int
    players: int
    total: int
    value: str
    share: float = 100

    @property
    def day(self) -> dt.date:
        """Its date."""
        return dt.date.fromisoformat(self.date)

    @property
    def figure(self) -> Decimal:
        """The value as a number."""
        return Decimal(self.value)


@dataclass(frozen=True, slots=True)
class RankingRow:
    """Somebody in a ranking, with the results it is made of. `place` is None of who has too few
    rounds; `low` and `high` are between what a strength lies."""

    person: str
    place: int | None
    value: str
    rounds: int
    results: Sequence[Counted] = ()
    low: int | None = None
    high: int | None = None

    @property
    def figure(self) -> Decimal:
        """The value as a number."""
        return Decimal(self.value or 0)


@dataclass(frozen=True, slots=True)
class _Event:
    """An evening that counts, with the result of everybody there by their person's UUID."""

    evening: Evening
    everybody: Sequence[PersonsEvening]
    persons: Mapping[int, str] = field(default_factory=dict)
    of_league: bool = False

    def results(self) -> Iterator[EventResult]:
        for person in self.everybody:
            if person.member_id in self.persons:
                yield EventResult(
                    event=str(self.evening.uuid),
                    day=self.evening.date,
                    players=len(self.everybody),
                    rounds=person.boompjes,
                    player=self.persons[person.member_id],
                    total=person.score or 0,
                    of_league=self.of_league,
                )

    def counted(self, result: EventResult, value: object, share: float = 100) -> Counted:
        return Counted(
            evening=result.event,
            date=result.day.isoformat(),
            club=self.evening.club.name,
            rounds=result.rounds,
            players=result.players,
            total=result.total,
            value=str(value),
            share=share,
        )


def evening_family(evening: Evening) -> str:
    """The family of the rules of an evening, such as `rotterdam-16`."""
    rules = evening.regulation.rules if evening.regulation else None
    if rules is None:
        return ""
    name = "other" if rules.game == "other" else rules.must_trump
    return f"{name}-{'to' if evening.target else ''}{evening.target or evening.deals_per_round}"


def family_words(family: str) -> str:
    """A family of rules as it is read."""
    if not family:
        return _("all rules of klaverjas")
    name, _dash, deals = family.partition("-")
    if deals.startswith("to"):
        return _("%(rules)s, to %(n)s points") % {"rules": TRUMPING[name], "n": deals[2:]}
    return _("%(rules)s, %(n)s deals a round") % {"rules": TRUMPING[name], "n": deals}


# What counts.


def ranked_evenings(league: League) -> list[tuple[Evening, str]]:
    """The closed evenings of match days and those that clubs entered, oldest first, each with its
    discipline. Three queries."""
    days = MatchDay.objects.filter(division__season__league=league).exclude(evening_uuid=None)
    of_days = {day.evening_uuid for day in days.only("evening_uuid") if day.evening_uuid}
    entered = set(league.ranked_evenings.values_list("evening_uuid", flat=True))
    evenings = Evening.objects.filter(
        uuid__in=of_days | entered, state=Evening.State.CLOSED
    ).select_related("club", "regulation")
    return [
        (evening, LeagueRanking.Discipline.TEAM if evening.uuid in of_days else evening.ranks)
        for evening in evenings.order_by("date", "sequence", "pk")
    ]


def _events(ranking: LeagueRanking, on: dt.date) -> list[_Event]:
    """The evenings that a ranking takes in up to a day, oldest first. Nine queries."""
    chosen = [
        evening
        for evening, discipline in ranked_evenings(ranking.league)
        if discipline == ranking.ranks and evening.date <= on and _is_of(ranking.family, evening)
    ]
    summaries = evening_summaries(chosen)
    events = [
        _Event(evening, [one for one in summaries[evening.pk] if one.score is not None])
        for evening in chosen
    ]
    return list(_with_persons(ranking.league, events))


def _is_of(family: str, evening: Evening) -> bool:
    own = evening_family(evening)
    return own == family if family else bool(own) and not own.startswith("other")


def _with_persons(league: League, events: Sequence[_Event]) -> Iterator[_Event]:
    """Who of the people of each evening is which person of the league: a member by their own link,
    and a guest of a match day by that of the player they were made of. Where two of a name may be
    meant, it is nobody's."""
    links = PersonLink.objects.filter(league=league).exclude(person=None)
    person_of: dict[UUID, str] = {
        member: str(person) for member, person in links.values_list("member_uuid", "person__uuid")
    }
    there = {one.member_id for event in events for one in event.everybody}
    members = {
        member.pk: member
        for member in Member.objects.filter(pk__in=there, erased_at=None).only(
            "uuid", "name", "kind"
        )
    }
    visitors = _visitors(league)
    for event in events:
        of_day = visitors.get(event.evening.uuid, {})
        present = [members[one.member_id] for one in event.everybody if one.member_id in members]
        guests = Counter(name_key(one.name) for one in present if one.kind == Member.Kind.GUEST)
        found = {one.pk: person_of[one.uuid] for one in present if one.uuid in person_of}
        for one in present:
            name = name_key(one.name)
            if one.pk in found or one.kind != Member.Kind.GUEST or guests[name] > 1:
                continue
            own = of_day.get(name, set())
            person = person_of.get(cast("UUID", next(iter(own)))) if len(own) == 1 else None
            if person and person not in found.values():
                found[one.pk] = person
        yield replace(event, persons=found, of_league=event.evening.uuid in visitors)


def _visitors(league: League) -> dict[UUID, dict[str, set[Hashable]]]:
    """By the evening of each match day who play there, by name: the host has them as guests under
    that name. Members of a club are there by their UUID; who was only typed, and a substitute, is
    somebody of their own."""
    days = LeagueMatch.objects.filter(day__division__season__league=league).exclude(
        day__evening_uuid=None
    )
    teams: dict[UUID, set[int]] = defaultdict(set)
    for evening, home, away in days.values_list("day__evening_uuid", "home", "away"):
        teams[cast("UUID", evening)] |= {home, away}
    players: dict[int, dict[str, set[Hashable]]] = defaultdict(lambda: defaultdict(set))
    rows = LeaguePlayer.objects.filter(team__division__season__league=league)
    for team, name, uuid in rows.values_list("team", "name", "member_uuid"):
        players[team][name_key(name)].add(uuid or (team, name_key(name)))
    found: dict[UUID, dict[str, set[Hashable]]] = {}
    for evening, there in teams.items():
        named: dict[str, set[Hashable]] = defaultdict(set)
        for team in there:
            for name, own in players[team].items():
                named[name] |= own
        found[evening] = named
    seats = LineUpSeat.objects.filter(line_up__match__day__division__season__league=league)
    for seat in seats.select_related("line_up__match__day"):
        match, name = seat.line_up.match, name_key(seat.name)
        evening_uuid = match.day.evening_uuid
        if evening_uuid not in found:
            continue
        team = match.home_id if seat.line_up.side == HOME else match.away_id
        if seat.member_uuid or seat.substitute or name not in players[team]:
            found[evening_uuid][name].add(seat.member_uuid or (team, name, seat.substitute))
    return found


# The ranking of a day.


def ranking_on(ranking: LeagueRanking, on: dt.date) -> list[RankingRow]:
    """The ranking as it is on a day, best first, then who has too few rounds."""
    events = _events(ranking, on)
    by_system = {"mean": _by_mean, "best_of": _by_best, "strength": _by_strength}
    return by_system[ranking.system](ranking, events, on)


def _by_mean(ranking: LeagueRanking, events: Sequence[_Event], on: dt.date) -> list[RankingRow]:
    rule = MeanRule(
        ranking.months, ranking.minimum_rounds, ranking.event_players, ranking.event_rounds
    )
    results = [(event, result) for event in events for result in event.results()]
    made_of: dict[str, list[Counted]] = defaultdict(list)
    for event, result in results:
        if rule.counts(result, on):
            made_of[result.player].append(event.counted(result, result.total))
    ranked, short = rank_by_mean([result for _event, result in results], rule, on)
    return [
        *(
            RankingRow(row.player, row.place, str(row.value), row.rounds or 0, made_of[row.player])
            for row in ranked
        ),
        *(RankingRow(player, None, "", rounds, made_of[player]) for player, rounds in short),
    ]


def season_of(day: dt.date) -> str:
    """The season that a day is in, from September to August, such as `2025-2026`."""
    first = day.year if day.month >= SEASON_STARTS else day.year - 1
    return f"{first}-{first + 1}"


def _by_best(ranking: LeagueRanking, events: Sequence[_Event], on: dt.date) -> list[RankingRow]:
    """Only seasons that are over count, each by the percentage of the field that was beaten."""
    now = season_of(on)
    own: dict[tuple[str, str], list[tuple[_Event, EventResult, Decimal]]] = defaultdict(list)
    for event in events:
        season = season_of(event.evening.date)
        totals = [one.score or 0 for one in event.everybody]
        if season < now and len(totals) > 1:
            for result in event.results():
                points = percentage(result.total, totals)
                own[season, result.player].append((event, result, points))
    weights = [Decimal(weight) for weight in ranking.weights]
    latest = sorted({season for season, _player in own}, reverse=True)
    weight_of = dict(zip(latest, ranking.weights, strict=False))
    made_of: dict[str, list[Counted]] = defaultdict(list)
    for (season, player), lines in sorted(own.items()):
        shares = best_shares([points for *_rest, points in lines], ranking.full, ranking.half)
        for (event, result, points), share in zip(lines, shares, strict=True):
            counts = share * weight_of.get(season, 0) / 100
            made_of[player].append(event.counted(result, points, counts))
    ranked = rank_by_best(
        [
            (season, player, points)
            for (season, player), lines in own.items()
            for *_rest, points in lines
        ],
        full=ranking.full,
        half=ranking.half,
        seasons=weights,
    )
    return [
        RankingRow(
            row.player,
            row.place,
            str(row.value),
            sum(counted.rounds for counted in made_of[row.player] if counted.share),
            made_of[row.player],
        )
        for row in ranked
    ]


def _by_strength(
    ranking: LeagueRanking, events: Sequence[_Event], _on: dt.date
) -> list[RankingRow]:
    """Everybody at a table counts as an opponent; only who is known has a place."""
    games = games_by_evening([event.evening for event in events])
    known: dict[int, Strength] = {}
    rounds: dict[str, int] = defaultdict(int)
    made_of: dict[str, list[Counted]] = defaultdict(list)
    ids: dict[str, int] = {}
    for event in events:
        for person in event.persons.values():
            ids.setdefault(person, -len(ids) - 1)
        aliases = {member: ids[person] for member, person in event.persons.items()}
        played = [
            replace(
                game,
                sides=[[aliases.get(member, member) for member in side] for side in game.sides],
            )
            for game in games[event.evening.pk]
        ]
        after = rate(known, played)
        known |= after
        for result in event.results():
            if (strength := after.get(ids[result.player])) is not None:
                rounds[result.player] += result.rounds
                made_of[result.player].append(event.counted(result, round(strength.mu)))
    enough = {person for person in made_of if rounds[person] >= ranking.minimum_rounds}
    values = {person: round(known[ids[person]].mu) for person in made_of}
    order = sorted(made_of, key=lambda person: (person not in enough, -values[person], person))
    return [
        _strength_row(person, known[ids[person]], rounds[person], made_of[person])
        if person not in enough
        else replace(
            _strength_row(person, known[ids[person]], rounds[person], made_of[person]),
            place=1 + sum(values[other] > values[person] for other in enough),
        )
        for person in order
    ]


def _strength_row(
    person: str, strength: Strength, rounds: int, results: Sequence[Counted]
) -> RankingRow:
    low, high = round(strength.mu - 2 * strength.sigma), round(strength.mu + 2 * strength.sigma)
    value = round(strength.mu - NEWCOMER.mu)
    return RankingRow(person, None, str(value), rounds, results, low, high)


# What is known of one person.


def person_results(league: League, person: str) -> list[tuple[Counted, str]]:
    """All results of somebody over the clubs, newest first, each with its discipline."""
    disciplines = dict(LeagueRanking.Discipline.choices)
    ranked = ranked_evenings(league)
    of = {evening.pk: str(disciplines[discipline]) for evening, discipline in ranked}
    summaries = evening_summaries([evening for evening, _discipline in ranked])
    events = [
        _Event(evening, [one for one in summaries[evening.pk] if one.score is not None])
        for evening, _discipline in ranked
    ]
    found = []
    for event in _with_persons(league, events):
        totals = [one.score or 0 for one in event.everybody]
        for result in event.results():
            if result.player == person:
                beaten = percentage(result.total, totals)
                found.append((event.counted(result, beaten), of[event.evening.pk]))
    return found[::-1]
