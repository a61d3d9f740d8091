"""Who plays in matches, by what name, and what visitors say of results."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from clubs.models import Member
from clubs.text.names import initials, name_key
from tournaments.models import (
    AWAY,
    HOME,
    LeagueMatch,
    LeaguePlayer,
    LeagueSeason,
    LineUp,
    LineUpSeat,
)

# Line-ups, and what visitors say of results.

OTHER_CLUB, HIGHER_TEAM, FIXED_HIGHER, TOO_OFTEN = (
    "other_club",
    "higher_team",
    "fixed_higher",
    "too_often",
)
"""What is said of somebody in a line-up: they play for a team of another club in this season, use a
turn in a higher team than their own, are a fixed player of a higher team, have no turn left."""
NEEDS_A_VERDICT = frozenset({OTHER_CLUB, FIXED_HIGHER, TOO_OFTEN})


@dataclass(frozen=True, slots=True)
class Chosen:
    """Somebody who is to play: a player of the team's list, or a `substitute`."""

    name: str
    member_uuid: UUID | None = None
    substitute: bool = False

    @property
    def keys(self) -> list[object]:
        """What this person is known by, the surest first."""
        return [*([self.member_uuid] if self.member_uuid else []), name_key(self.name)]


def line_up_places(season: LeagueSeason) -> list[tuple[int, int]]:
    """The places of a line-up in order: table and partner."""
    return [(table, partner) for table in range(1, season.tables + 1) for partner in (1, 2)]


def side_of_team(match: LeagueMatch, team_id: int) -> str:
    """Whether a team of this match is its `home` or its `away` team."""
    return HOME if match.home_id == team_id else AWAY


def fixed_players(team: int, places: int) -> list[Chosen | None]:
    """The first fixed players of a team, in the order of the places; None where there are fewer."""
    fixed = LeaguePlayer.objects.filter(team=team, is_reserve=False)[:places]
    people: list[Chosen | None] = [Chosen(player.name, player.member_uuid) for player in fixed]
    return people + [None] * (places - len(people))


def line_up_of(match: LeagueMatch, side: str) -> LineUp | None:
    """The line-up of one of the teams of a match, if there is one."""
    return match.line_ups.filter(side=side).prefetch_related("seats").first()


def line_ups_of(matches: Iterable[LeagueMatch]) -> dict[tuple[int, str], LineUp]:
    """The line-ups of these matches by match and side, with their seats. Two queries."""
    by_id = {match.pk: match for match in matches}
    found = {}
    for line_up in LineUp.objects.filter(match__in=by_id).prefetch_related("seats"):
        line_up.match = by_id[line_up.match_id]
        found[line_up.match_id, line_up.side] = line_up
    return found


def people_of(line_up: LineUp, season: LeagueSeason) -> list[Chosen | None]:
    """Who plays, in the order of the places; None where nobody does."""
    seats = {(seat.table, seat.partner): seat for seat in line_up.seats.all()}
    return [
        Chosen(seat.name, seat.member_uuid, seat.substitute) if seat else None
        for seat in map(seats.get, line_up_places(season))
    ]


def line_ups_to_judge(season: LeagueSeason) -> list[LineUp]:
    """The line-ups with somebody who perhaps may not play, about which nothing is decided. One
    query."""
    seats = LineUpSeat.objects.filter(line_up__match__day__division__season=season)
    marked = seats.filter(line_up__verdict="").exclude(marks=[]).order_by("line_up", "pk")
    related = "line_up__match__home", "line_up__match__away", "line_up__match__day"
    found: dict[int, LineUp] = {}
    for seat in marked.select_related(*related):
        if NEEDS_A_VERDICT.intersection(seat.marks):
            found.setdefault(seat.line_up_id, seat.line_up)
    return list(found.values())


def visitors_of(match: LeagueMatch, host_id: int | None) -> list[str]:
    """The sides that are asked whether a result is right: whoever is not the host."""
    return [
        side for side, team in ((HOME, match.home_id), (AWAY, match.away_id)) if team != host_id
    ]


def answer_due(match: LeagueMatch, season: LeagueSeason) -> dt.datetime | None:
    """Until when visitors can say something of a result; None while there is none."""
    if match.written_at is None:
        return None
    return match.written_at + dt.timedelta(hours=season.answer_hours)


def matches_objected_to(season: LeagueSeason) -> list[LeagueMatch]:
    """The matches whose result visitors object to and that is not binding yet."""
    objected = LeagueMatch.objects.filter(day__division__season=season, binding=False)
    objected = objected.filter(answers__agrees=False).distinct()
    return list(objected.select_related("home", "away", "day"))


# People, and clubs in leagues.


def player_names(players: Sequence[LeaguePlayer]) -> list[tuple[str, bool]]:
    """The names of players as the public reads them, and whether each is a reserve: members of a
    club here as `public_kind` says. One query."""
    members = members_elsewhere(players)
    return [
        (
            _public_name(player.name, members.get(player.member_uuid))
            if player.member_uuid
            else player.name,
            player.is_reserve,
        )
        for player in players
    ]


def members_elsewhere(players: Iterable["LeaguePlayer | Chosen"]) -> dict[UUID | None, Member]:
    """The members of clubs here that these players are, by UUID. One query."""
    uuids = [player.member_uuid for player in players if player.member_uuid]
    return {member.uuid: member for member in Member.objects.filter(uuid__in=uuids, erased_at=None)}


def public_kind(name: str, member: Member | None) -> str:
    """How a player who was typed under this name and is that member may be public: as their club
    shows them, but by initials where it shows another name, since a league must not tell who is
    behind that name. Whom their club no longer has is hidden."""
    if member is None:
        return Member.PublicAs.HIDDEN
    other = name_key(member.public_name or member.name) != name_key(name)
    if other and member.public_as == Member.PublicAs.NAME:
        return Member.PublicAs.INITIALS
    return str(member.public_as)


def _public_name(name: str, member: Member | None) -> str:
    kind = public_kind(name, member)
    if member is None:
        return Member(public_as=kind).shown_name
    return member.shown_name if kind == member.public_as else initials(name)
