"""What people of a league scored over its clubs, and the ranking that makes on a day.

Everybody who confirmed their number is ranked by their results on match days of the league, and on
evenings that a club entered. Results of other disciplines, and for a mean of other rules, do not
count.
"""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from operator import attrgetter
from typing import Any, cast
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

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
from tournaments.ratings.services import BOOMPJE, NEWCOMER, Game, Strength, games_by_evening, rate
from tournaments.standings.summaries import evening_summaries

TRUMPING: Mapping[str, Any] = {
    "amsterdam": gettext_lazy("Amsterdam rules"),
    "rotterdam": gettext_lazy("Rotterdam rules"),
    "trump_only": gettext_lazy("always trump, higher only when trumps are led"),
    "other": gettext_lazy("another game"),
}
TEAM = LeagueRanking.Discipline.TEAM
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
    said = ngettext(
        "%(rules)s, %(n)s deal a round", "%(rules)s, %(n)s deals a round", int(deals or 0)
    )
    return said % {"rules": TRUMPING[name], "n": deals}


# What counts.


@dataclass(frozen=True, slots=True)
class _Scored:
    """What somebody scored on an evening; `key` is what they are known by there."""

    key: Hashable
    total: int
    rounds: int


@dataclass(frozen=True, slots=True)
class _Event:
    """An evening that counts, with the result of everybody there, and which of them are persons of
    the league. It is an `evening` of this server, or came from a club with this `club_uuid` on
    another one: then it has a `document`."""

    uuid: UUID
    date: dt.date
    club: str
    of_league: bool
    discipline: str
    family: str
    scored: Sequence[_Scored] = ()
    persons: Mapping[Hashable, str] = field(default_factory=dict)
    evening: Evening | None = None
    club_uuid: UUID | None = None
    document: Mapping[str, Any] = field(default_factory=dict)

    def results(self) -> Iterator[EventResult]:
        for each in self.scored:
            if each.key in self.persons:
                yield EventResult(
                    event=str(self.uuid),
                    day=self.date,
                    players=len(self.scored),
                    rounds=each.rounds,
                    player=self.persons[each.key],
                    total=each.total,
                    of_league=self.of_league,
                )

    def counted(self, result: EventResult, value: object, share: float = 100) -> Counted:
        return Counted(
            evening=result.event,
            date=result.day.isoformat(),
            club=self.club,
            rounds=result.rounds,
            players=result.players,
            total=result.total,
            value=str(value),
            share=share,
        )

    @property
    def totals(self) -> list[int]:
        return [each.total for each in self.scored]


def ranked_families(league: League) -> set[str]:
    """The families of rules of all that may count. Four queries."""
    return {event.family for event in [*_here(league), *_from_elsewhere(league)]}


def _counting(league: League, wanted: Callable[[_Event], bool]) -> list[_Event]:
    """The evenings that may count for a league and are wanted, oldest first: those of match days,
    those that clubs entered, and those that clubs on other servers gave."""
    here = _here(league)
    known = {event.uuid for event in here}
    elsewhere = [event for event in _from_elsewhere(league) if event.uuid not in known]
    links = PersonLink.objects.filter(league=league).exclude(person=None)
    rows = list(links.values_list("member_uuid", "club_uuid", "person__uuid"))
    person_of = {member: str(person) for member, _club, person in rows}
    club_of = {member: club for member, club, _person in rows}
    events = [
        *_scored_here(league, list(filter(wanted, here)), person_of),
        *_scored_elsewhere(league, list(filter(wanted, elsewhere)), person_of, club_of),
    ]
    return sorted(events, key=attrgetter("date"))


def _here(league: League) -> list[_Event]:
    """The closed evenings of this server that count, oldest first. Three queries."""
    days = MatchDay.objects.filter(division__season__league=league).exclude(evening_uuid=None)
    of_days = {day.evening_uuid for day in days.only("evening_uuid") if day.evening_uuid}
    entered = set(league.ranked_evenings.values_list("evening_uuid", flat=True))
    evenings = Evening.objects.filter(
        uuid__in=of_days | entered, state=Evening.State.CLOSED
    ).select_related("club", "regulation")
    return [
        _Event(
            uuid=evening.uuid,
            date=evening.date,
            club=evening.club.name,
            of_league=evening.uuid in of_days,
            discipline=TEAM if evening.uuid in of_days else evening.ranks,
            family=evening_family(evening),
            evening=evening,
        )
        for evening in evenings.order_by("date", "sequence", "pk")
    ]


def _from_elsewhere(league: League) -> list[_Event]:
    """The evenings that clubs on other servers gave, oldest first, without their documents. One
    query."""
    rows = league.events.order_by("date", "pk").values_list(
        *("event_uuid", "date", "club", "day_id", "club_uuid"),
        *("document__event__discipline", "document__event__family"),
    )
    return [
        _Event(uuid, date, club, bool(day), TEAM if day else ranks, family, club_uuid=club_uuid)
        for uuid, date, club, day, club_uuid, ranks, family in rows
    ]


def _scored_elsewhere(
    league: League,
    events: Sequence[_Event],
    person_of: Mapping[UUID, str],
    club_of: Mapping[UUID, UUID],
) -> Iterator[_Event]:
    """With who played: somebody of the club itself by their number, and a visitor of a match day by
    the player they are. A club says nothing of who is of another. One query."""
    chosen = league.events.filter(event_uuid__in=[event.uuid for event in events])
    documents = dict(chosen.values_list("event_uuid", "document"))
    for event in events:
        document = documents[event.uuid]
        played = [each for each in document["participants"] if each["rounds"]]
        persons: dict[Hashable, str] = {}
        for each in played:
            if club_of.get(UUID(each["id"])) == event.club_uuid:
                persons[each["id"]] = person_of[UUID(each["id"])]
        for each in played:
            person = person_of.get(UUID(each["member"])) if each.get("member") else None
            if person and each["id"] not in persons and person not in persons.values():
                persons[each["id"]] = person
        scored = [_Scored(each["id"], each["total"], each["rounds"]) for each in played]
        yield replace(event, scored=scored, persons=persons, document=document)


def _scored_here(
    league: League, events: Sequence[_Event], person_of: Mapping[UUID, str]
) -> Iterator[_Event]:
    """With who played: a member by their own link, and a guest of a match day by that of the player
    they were made of. Where two of a name may be meant, it is nobody's."""
    summaries = evening_summaries([event.evening for event in events if event.evening])
    there = {one.member_id for people in summaries.values() for one in people}
    known = Member.objects.filter(pk__in=there, erased_at=None).only("uuid", "name", "kind")
    members: dict[Hashable, Member] = {member.pk: member for member in known}
    visitors = _visitors(league)
    for event in events:
        people = summaries[event.evening.pk] if event.evening else []
        scored = [
            _Scored(one.member_id, one.score, one.boompjes)
            for one in people
            if one.score is not None
        ]
        of_day = visitors.get(event.uuid, {})
        present = [members[one.key] for one in scored if one.key in members]
        guests = Counter(name_key(one.name) for one in present if one.kind == Member.Kind.GUEST)
        found: dict[Hashable, str] = {
            one.pk: person_of[one.uuid] for one in present if one.uuid in person_of
        }
        for one in present:
            name = name_key(one.name)
            if one.pk in found or one.kind != Member.Kind.GUEST or guests[name] > 1:
                continue
            own = of_day.get(name, set())
            person = person_of.get(cast("UUID", next(iter(own)))) if len(own) == 1 else None
            if person and person not in found.values():
                found[one.pk] = person
        yield replace(event, scored=scored, persons=found)


def _is_of(family: str, own: str) -> bool:
    return own == family if family else bool(own) and not own.startswith("other")


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
        team = match.team_id_of(seat.line_up.side)
        if seat.member_uuid or seat.substitute or name not in players[team]:
            found[evening_uuid][name].add(seat.member_uuid or (team, name, seat.substitute))
    return found


# The ranking of a day.


def ranking_on(ranking: LeagueRanking, on: dt.date) -> list[RankingRow]:
    """The ranking as it is on a day, best first, then who has too few rounds."""
    events = _counting(
        ranking.league,
        lambda event: (
            event.discipline == ranking.ranks
            and event.date <= on
            and _is_of(ranking.family, event.family)
        ),
    )
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
        season = season_of(event.date)
        totals = event.totals
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
    games = games_by_evening([event.evening for event in events if event.evening])
    known: dict[int, Strength] = {}
    rounds: dict[str, int] = defaultdict(int)
    made_of: dict[str, list[Counted]] = defaultdict(list)
    ids: dict[Hashable, int] = {}
    for event in events:
        after = rate(known, _games(event, games, ids))
        known |= after
        for result in event.results():
            strength = after.get(ids.get(result.player, 0))
            if strength is not None:
                rounds[result.player] += result.rounds
                made_of[result.player].append(event.counted(result, round(strength.mu)))
    enough = {person for person in made_of if rounds[person] >= ranking.minimum_rounds}
    values = {person: round(known[ids[person]].mu) for person in made_of}
    order = sorted(made_of, key=lambda person: (person not in enough, -values[person], person))
    return [
        _strength_row(
            person,
            1 + sum(values[other] > values[person] for other in enough)
            if person in enough
            else None,
            known[ids[person]],
            rounds[person],
            made_of[person],
        )
        for person in order
    ]


def _games(
    event: _Event, here: Mapping[int, Sequence[Game]], ids: dict[Hashable, int]
) -> Iterator[Game]:
    """The games of an evening in order, with a number for everybody: one and the same for a person
    of the league. Of a document a table where one side is a person short is left out, and one of
    three, whose points are not in it."""

    def numbers(side: Iterable[Hashable]) -> list[int]:
        return [ids.setdefault(event.persons.get(one, one), len(ids) + 1) for one in side]

    if event.evening:
        for game in here[event.evening.pk]:
            yield replace(game, sides=[numbers(side) for side in game.sides])
        return
    deals = event.document["event"]["deals"] or BOOMPJE
    for session in event.document["sessions"]:
        for table in session["tables"]:
            players, points = table["players"], table["points"]
            sides = [[players[seat] for seat in side if seat in players] for side in ("NS", "EW")]
            if points and sides[0] and len(sides[0]) == len(sides[1]):
                yield Game(list(map(numbers, sides)), [points["NS"], points["EW"]], deals)


def _strength_row(
    person: str, place: int | None, strength: Strength, rounds: int, results: Sequence[Counted]
) -> RankingRow:
    low, high = round(strength.mu - 2 * strength.sigma), round(strength.mu + 2 * strength.sigma)
    value = round(strength.mu - NEWCOMER.mu)
    return RankingRow(person, place, str(value), rounds, results, low, high)


# What is known of one person.


def person_results(league: League, person: str) -> list[tuple[Counted, str]]:
    """All results of somebody over the clubs, newest first, each with its discipline."""
    disciplines = dict(LeagueRanking.Discipline.choices)
    return [
        (
            event.counted(result, percentage(result.total, event.totals)),
            str(disciplines[event.discipline]),
        )
        for event in reversed(_counting(league, lambda _event: True))
        for result in event.results()
        if result.player == person
    ]
