"""Who the players of a match day are among the people of the club that hosts, on this server and in
the documents of clubs on others: by their league number, or else by name.

A name says less than a number. One that may mean two people is left alone: nobody becomes somebody
else without a word.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q

from clubs.audit.services import Actor
from clubs.members.services import member_change
from clubs.models import Club, Member
from clubs.text.names import name_key
from tournaments.leagues.lineup_queries import Chosen, members_elsewhere, public_kind
from tournaments.leagues.matches import teams_of
from tournaments.leagues.people import is_code_of
from tournaments.leagues.teams import STRICTNESS
from tournaments.models import (
    Evening,
    League,
    LeaguePlayer,
    LeagueTeam,
    LineUpSeat,
    MatchDay,
    PersonLink,
)
from tournaments.registration.check_in import guests_ensure

Json = dict[str, Any]
Numbered = Mapping[str, set[str]]
"""The members of clubs that a participant of a document is, by their league number."""


class PeopleOfHost:
    """The people of a host, to be found for players of a match day; `sat` are the teams that each
    of them sat for in the rounds before, by the id of the member. Nobody is found twice."""

    def __init__(
        self, evening: Evening, day: MatchDay, wanted: Sequence[Chosen], sat: Mapping[int, set[int]]
    ) -> None:
        self.club, self._sat = evening.club, sat
        uuids = {person.member_uuid for person in wanted if person.member_uuid}
        people = Member.objects.of(self.club).filter(erased_at=None).order_by("pk")
        self._own = {member.uuid: member for member in people}
        self._numbers = numbers_of(day.division.season.league, self.club, uuids)
        self._by_number = {
            self._numbers[uuid]: member
            for uuid, member in self._own.items()
            if uuid in self._numbers
        }
        self._elsewhere = members_elsewhere(wanted)
        self._teams = _teams_by_uuid(day, uuids)
        self._listed = set(evening.registrations.values_list("member_id", flat=True))
        asked_for = {self._numbers.get(uuid) for uuid in uuids} - {None}
        self._guests: dict[str, list[Member]] = defaultdict(list)
        for member in self._own.values():
            is_told = member.uuid in uuids or self._numbers.get(member.uuid) in asked_for
            if member.kind == Member.Kind.GUEST and not is_told:
                self._guests[name_key(member.name)].append(member)

    def find(self, person: Chosen, team: int, actor: Actor) -> Member:
        """Who this player of a team is here, or a new guest; a guest is made public no more than
        their own club does it."""
        uuid = person.member_uuid
        if uuid and uuid in self._own:
            return self._own[uuid]
        shown = public_kind(person.name, self._elsewhere.get(uuid)) if uuid else None
        found = self._by_number.get(self._numbers.get(uuid, 0)) if uuid else None
        found = found or self._of_name(person, team)
        if found is None:
            made = guests_ensure(club=self.club, people=[person.name], actor=actor, public_as=shown)
            return Member.objects.get(pk=made[person.name])
        return _public_at_most(found, shown, actor)

    def _of_name(self, person: Chosen, team: int) -> Member | None:
        """The guest of this name who sat for this team, else one who sat for none; not somebody of
        whom the league knows a number, unless nothing is known of the player but a name."""
        uuid, namesakes = person.member_uuid, self._guests[name_key(person.name)]
        theirs = {team, *self._teams[uuid]} if uuid else {team}
        can_be = [
            guest
            for guest in namesakes
            if not (uuid and guest.uuid in self._numbers)
            and (guest.pk not in self._sat or self._sat[guest.pk] & theirs)
        ]
        can_be.sort(key=lambda guest: (guest.pk not in self._sat, guest.pk not in self._listed))
        if not can_be:
            return None
        namesakes.remove(can_be[0])
        return can_be[0]


def numbers_of(league: League, club: Club, uuids: set[UUID]) -> dict[UUID, int]:
    """The league numbers of the people of a club, and of these. One query."""
    links = PersonLink.objects.filter(Q(club_uuid=club.uuid) | Q(member_uuid__in=uuids))
    links = links.filter(league=league).exclude(person=None)
    return dict(links.values_list("member_uuid", "person__number"))


def _teams_by_uuid(day: MatchDay, uuids: set[UUID]) -> dict[UUID, set[int]]:
    """For which teams of a day these members play, as they are listed or named. Three queries."""
    teams: dict[UUID, set[int]] = defaultdict(set)
    players = LeaguePlayer.objects.filter(team__in=teams_of(day), member_uuid__in=uuids)
    for player in players:
        if player.member_uuid:
            teams[player.member_uuid].add(player.team_id)
    seats = LineUpSeat.objects.filter(line_up__match__day=day, member_uuid__in=uuids)
    for seat in seats.select_related("line_up__match"):
        if seat.member_uuid:
            teams[seat.member_uuid].add(seat.line_up.match.team_id_of(seat.line_up.side))
    return teams


def _public_at_most(member: Member, shown: str | None, actor: Actor) -> Member:
    is_guest = member.kind == Member.Kind.GUEST
    if not shown or not is_guest or STRICTNESS.index(shown) <= STRICTNESS.index(member.public_as):
        return member
    return member_change(
        member=member,
        seen_version=member.version,
        actor=actor,
        name=member.name,
        public_as=shown,
    )


# In the document of a club on another server.


@dataclass(frozen=True, slots=True)
class TeamsFound:
    """The teams of the participants of a document by their ids; and of how many participants the
    name may mean somebody else too."""

    teams: Mapping[str, LeagueTeam]
    unclear: int


def teams_in(day: MatchDay, document: Json, numbered: Numbered) -> TeamsFound:
    """The team of each participant who plays for one on this day: by the name of the team in the
    document, else by their league number, else as the league lists them."""
    teams = {team.pk: team for team in teams_of(day)}
    by_name = {name_key(team.name): team for team in teams.values()}
    listed: dict[str, set[int]] = defaultdict(set)
    named: dict[str, list[LeaguePlayer]] = defaultdict(list)
    there = {uuid for members in numbered.values() for uuid in members}
    for player in LeaguePlayer.objects.filter(team__in=teams):
        listed[str(player.member_uuid)].add(player.team_id)
        if str(player.member_uuid) not in there:
            named[name_key(player.name)].append(player)
    found, untold = {}, []
    for person in document["participants"]:
        ids = numbered.get(person["id"]) or {person["id"]}
        among = {team for uuid in ids for team in listed.get(uuid, ())}
        if person["team"] is not None:
            among = {team.pk for team in [by_name.get(name_key(person["team"]))] if team}
        elif not among:
            untold.append(person)
        if len(among) == 1:
            found[person["id"]] = teams[among.pop()]
    alike = Counter(name_key(person["name"]) for person in untold)
    unclear = 0
    for person in untold:
        name = name_key(person["name"])
        # Whose number leads to nobody here is at most one who was only typed.
        of_name = [
            each for each in named[name] if person["id"] not in numbered or not each.member_uuid
        ]
        of = {player.team_id for player in of_name}
        if len(of) > 1 or 0 < len(of_name) < alike[name]:
            unclear += 1
        elif of:
            found[person["id"]] = teams[of.pop()]
    return TeamsFound(found, unclear)


def visitors_in(day: MatchDay, document: Json, numbered: Numbered) -> dict[str, str]:
    """Who of the participants without a number is a player whom the league knows as a member of a
    club here, by a name that nobody else has there: the host has them as its guests."""
    teams = teams_in(day, document, numbered).teams
    there = {person["id"] for person in document["participants"]}
    there |= {uuid for members in numbered.values() for uuid in members}
    known: dict[tuple[int | None, str], set[object]] = defaultdict(set)
    for of_team, name, own in _players_of(day):
        known[of_team, name].add(own)
        known[None, name].add(own)
    untold = [person for person in document["participants"] if not person["number"]]
    at = {
        person["id"]: (teams[person["id"]].pk if person["id"] in teams else None)
        for person in untold
    }
    names = Counter((at[person["id"]], name_key(person["name"])) for person in untold)
    everywhere = Counter(name_key(person["name"]) for person in untold)
    found = {}
    for person in untold:
        team, name = at[person["id"]], name_key(person["name"])
        alone = (everywhere[name] if team is None else names[team, name] + names[None, name]) == 1
        among = known[team, name]
        member = next(iter(among)) if alone and len(among) == 1 else None
        if isinstance(member, UUID) and str(member) not in there:
            found[person["id"]] = str(member)
    return found


def _players_of(day: MatchDay) -> list[tuple[int, str, object]]:
    """Who plays on a day, as listed or named: team, name and what they are known by. Three
    queries."""
    players = LeaguePlayer.objects.filter(team__in=teams_of(day))
    found: list[tuple[int, str, object]] = [
        (player.team_id, name_key(player.name), player.member_uuid or player.team_id)
        for player in players
    ]
    seats = LineUpSeat.objects.filter(line_up__match__day=day).select_related("line_up__match")
    for seat in seats:
        team = seat.line_up.match.team_id_of(seat.line_up.side)
        found.append((team, name_key(seat.name), seat.member_uuid or seat.name))
    return found


def members_by_number(league: League, document: Json) -> Numbered:
    """The members of clubs that a participant is, by their league number with its code. Two
    queries."""
    numbers = [int(each["number"]) for each in document["participants"] if each["number"]]
    people = {
        person.number: person
        for person in league.people.filter(number__in=numbers).prefetch_related("links")
    }
    numbered: dict[str, set[str]] = {}
    for each in document["participants"]:
        person = people.get(int(each["number"] or 0))
        if person is not None and is_code_of(person, each["code"] or ""):
            numbered[each["id"]] = {str(link.member_uuid) for link in person.links.all()}
    return numbered
