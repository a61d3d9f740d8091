"""The teams of a division and who plays for them; a team that withdraws in mid-season."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.models import Club, Member
from clubs.text.errors import DomainError
from clubs.text.names import name_key, tidy_name
from tournaments.leagues.core.fixtures import MOST_TEAMS
from tournaments.leagues.queries import have_an_evening
from tournaments.leagues.services import (
    about,
    league_audit,
    league_lock,
    require_name,
    require_undrawn,
    row_write,
)
from tournaments.models import Division, LeaguePlayer, LeagueTeam

MOST_PLAYERS = 30
LONGEST_REASON = 200
STRICTNESS: Sequence[str] = (
    Member.PublicAs.NAME,
    Member.PublicAs.INITIALS,
    Member.PublicAs.HIDDEN,
)
"""How somebody is public, the strictest last."""


@dataclass(frozen=True, slots=True)
class TeamLine:
    """A team as it is typed, pasted or sent, tidied: its name, and its club where that is said."""

    name: str
    club: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", tidy_name(self.name))
        object.__setattr__(self, "club", tidy_name(self.club))


def team_lines(text: str) -> list[TeamLine]:
    """The teams in pasted lines: name and club, with a tab, a semicolon or a comma in between.

    >>> team_lines("De Azen 1; De Azen\\n\\nZuid")
    [TeamLine(name='De Azen 1', club='De Azen'), TeamLine(name='Zuid', club='')]
    """
    lines = []
    for line in text.splitlines():
        mark = next((mark for mark in "\t;," if mark in line), None)
        name, _mark, club = line.partition(mark) if mark else (line, "", "")
        if tidy_name(line):
            lines.append(TeamLine(name, club))
    return lines


@transaction.atomic
def teams_add(*, division: Division, lines: Sequence[TeamLine], actor: Actor) -> list[LeagueTeam]:
    """Add teams to a division, all of them or none.

    Raises DomainError `fixtures_drawn`, or `bad_teams` that names every fault with its line.
    """
    league = league_lock(division.season.league_id)
    require_undrawn(division)
    faults = list(_line_faults(division, lines))
    if faults:
        raise DomainError("bad_teams", " ".join(faults), lines=faults)
    clubs = _clubs()
    teams = []
    for line in lines:
        club, club_uuid = club_of_line(line, clubs)
        team = LeagueTeam(division=division, name=line.name, club=club, club_uuid=club_uuid)
        team.save()
        teams.append(team)
        league_audit(league, actor, "league_team_added", about(team), texts={"name": team.name})
    return teams


def _clubs() -> dict[str, Club]:
    return {name_key(club.name): club for club in Club.objects.listed()}


def club_of_line(
    line: TeamLine, clubs: Mapping[str, Club] | None = None
) -> tuple[str, UUID | None]:
    """The name of the club that a line means, and its UUID if it is one of this server."""
    clubs = _clubs() if clubs is None else clubs
    club = clubs.get(name_key(line.club)) if line.club else _club_in(line.name, clubs)
    return (club.name, club.uuid) if club else (line.club, None)


def _club_in(name: str, clubs: Mapping[str, Club]) -> Club | None:
    """The club that a team's name begins with, such as of "De Azen 2"; the longest that fits."""
    key = name_key(name)
    fitting = [known for known in clubs if key == known or key.startswith(f"{known} ")]
    return clubs[max(fitting, key=len)] if fitting else None


def _line_faults(division: Division, lines: Sequence[TeamLine]) -> Iterable[str]:
    if not lines:
        yield _("Type at least one team.")
    known = {
        name_key(name): where
        for name, where in LeagueTeam.objects.filter(
            division__season=division.season_id
        ).values_list("name", "division__name")
    }
    times = Counter(name_key(line.name) for line in lines)
    for number, line in enumerate(lines, 1):
        words = {"n": number, "name": line.name}
        if not line.name:
            yield _("Line %(n)s has no name of a team.") % words
        elif len(line.name) > 60 or len(line.club) > 100:
            yield _("Line %(n)s: “%(name)s” is too long.") % words
        elif name_key(line.name) in known:
            words["division"] = known[name_key(line.name)]
            yield _("Line %(n)s: %(name)s is in %(division)s already.") % words
        elif times[name_key(line.name)] > 1:
            yield _("Line %(n)s: %(name)s is there more than once.") % words
    if division.teams.count() + len(lines) > MOST_TEAMS:
        yield _("A division has at most %(n)s teams.") % {"n": MOST_TEAMS}


@transaction.atomic
def team_change(
    *,
    team: LeagueTeam,
    name: str,
    club: str,
    players: Sequence[str],
    reserves: Sequence[str],
    version: int,
    actor: Actor,
) -> LeagueTeam:
    """Change a team's name, club and players. While the club's text stays, the club stays linked
    whatever it is called by now, and so are its people.

    Raises DomainError `name_missing`, `name_too_long`, `team_exists`, `evening_is_made` where the
    club would be another, `bad_players` that names all faults, and VersionConflict.
    """
    season = team.division.season
    league = league_lock(season.league_id)
    name, club = tidy_name(name), tidy_name(club)
    players, reserves = _tidied(players), _tidied(reserves)
    require_name(name, 60)
    others = LeagueTeam.objects.filter(division__season=season).exclude(pk=team.pk)
    if any(name_key(other) == name_key(name) for other in others.values_list("name", flat=True)):
        raise DomainError("team_exists", _("There is already a team called %s.") % name)
    before, now = team.club_uuid, _club_uuid(team, club)
    if before != now and have_an_evening(team.days_at_home.all()):
        message = _("An evening was made of a match day that %s hosts, so its club stays.")
        raise DomainError("evening_is_made", message % team.name)
    _require_players(team, club, now, [*players, *reserves])
    row_write(team, version, name=name, club=club, club_uuid=now)
    _players_replace(team, players, reserves, keep=before == now)
    data = {"players": len(players), "reserves": len(reserves)}
    league_audit(league, actor, "league_team_changed", about(team), data=data, texts={"name": name})
    return team


def _tidied(names: Sequence[str]) -> list[str]:
    return [tidy for name in names if (tidy := tidy_name(name))]


def _club_uuid(team: LeagueTeam, club: str) -> UUID | None:
    """Which club of this server is meant, if it is one."""
    if club == team.club and team.club_uuid:
        return team.club_uuid
    listed = Club.objects.listed()
    return next((known.uuid for known in listed if name_key(known.name) == name_key(club)), None)


def _require_players(
    team: LeagueTeam, club: str, club_uuid: UUID | None, names: Sequence[str]
) -> None:
    """Everybody once in a team, and in one team of the season only as a fixed player or reserve."""
    faults = []
    times = Counter(name_key(name) for name in names)
    twice = {name for name in names if times[name_key(name)] > 1}
    faults += [_("%s is there more than once.") % name for name in sorted(twice)]
    faults += [_("“%s” is too long.") % name for name in names if len(name) > 100]
    if len(names) > MOST_PLAYERS:
        faults.append(_("A team has at most %(n)s players.") % {"n": MOST_PLAYERS})
    elsewhere = LeaguePlayer.objects.filter(team__division__season=team.division.season_id)
    for player in elsewhere.exclude(team=team.pk).select_related("team"):
        one_club = name_key(player.team.club) == name_key(club) or (
            club_uuid is not None and player.team.club_uuid == club_uuid
        )
        if name_key(player.name) in times and one_club:
            words = {"name": player.name, "team": player.team.name}
            faults.append(_("%(name)s plays for %(team)s already.") % words)
    if faults:
        raise DomainError("bad_players", " ".join(faults), lines=faults)


def _players_replace(
    team: LeagueTeam, players: Sequence[str], reserves: Sequence[str], *, keep: bool
) -> None:
    """Who is a member of the team's club here is named as the club does on public pages; with
    `keep`, whoever was linked by this name stays so, also when the club calls them otherwise."""
    members = members_by_name(team.club_uuid, [*players, *reserves])
    if keep:
        linked = team.players.exclude(member_uuid=None)
        members |= {name_key(player.name): player.member_uuid for player in linked}
    team.players.all().delete()
    LeaguePlayer.objects.bulk_create(
        LeaguePlayer(
            team=team,
            name=name,
            position=position,
            is_reserve=position > len(players),
            member_uuid=members.get(name_key(name)),
        )
        for position, name in enumerate([*players, *reserves], 1)
    )


def members_by_name(club_uuid: UUID | None, names: Sequence[str]) -> dict[str, UUID | None]:
    """Who of a club these names are; of namesakes the one who is public least."""
    if club_uuid is None:
        return {}
    wanted = {name_key(name) for name in names}
    found: dict[str, Member] = {}
    for member in Member.objects.filter(club__uuid=club_uuid, erased_at=None).order_by("pk"):
        key = name_key(member.name)
        if key in wanted and (key not in found or _strictness(member) > _strictness(found[key])):
            found[key] = member
    return {key: member.uuid for key, member in found.items()}


def _strictness(member: Member) -> tuple[int, bool]:
    return STRICTNESS.index(member.public_as), bool(member.public_name)


@transaction.atomic
def team_remove(*, team: LeagueTeam, actor: Actor) -> None:
    """Remove a team before there are fixtures. Raises DomainError `fixtures_drawn`."""
    league = league_lock(team.division.season.league_id)
    require_undrawn(team.division)
    if LeagueTeam.objects.filter(pk=team.pk).exists():
        league_audit(league, actor, "league_team_removed", about(team), texts={"name": team.name})
        team.delete()


@transaction.atomic
def team_withdraw(
    *, team: LeagueTeam, reason: str, results_stand: bool, version: int, actor: Actor
) -> LeagueTeam:
    """A team plays no more. Either what it played stands and the rest is a walkover for the others,
    or all its matches go from the table. Nothing is deleted: `team_reinstate` undoes it.

    Raises DomainError `reason_missing`, `reason_too_long` or `team_withdrawn`, and VersionConflict.
    """
    league = league_lock(team.division.season.league_id)
    reason = reason_read(reason)
    if team.withdrawn_on is not None:
        raise DomainError("team_withdrawn", _("%s has withdrawn already.") % team.name)
    today = timezone.localdate()
    columns = {"withdrawn_on": today, "withdrawn_why": reason, "results_stand": results_stand}
    row_write(team, version, **columns)
    league_audit(
        league,
        actor,
        "league_team_withdrawn",
        about(team),
        data={"results_stand": results_stand},
        texts={"name": team.name, "reason": reason},
    )
    return team


@transaction.atomic
def team_reinstate(*, team: LeagueTeam, actor: Actor) -> LeagueTeam:
    """A team that withdrew plays on: everything counts as before. Doing it twice is harmless."""
    league = league_lock(team.division.season.league_id)
    team = LeagueTeam.objects.select_related("division__season").get(pk=team.pk)
    if team.withdrawn_on is None:
        return team
    team.withdrawn_on, team.withdrawn_why, team.results_stand = None, "", True
    team.save_changes("withdrawn_on", "withdrawn_why", "results_stand")
    league_audit(league, actor, "league_team_reinstated", about(team), texts={"name": team.name})
    return team


def reason_read(reason: str) -> str:
    """The reason in one line, without letters that cannot be seen. Raises DomainError
    `reason_missing` or `reason_too_long`."""
    reason = tidy_name(reason)
    if not reason:
        raise DomainError("reason_missing", _("Say why."))
    if len(reason) > LONGEST_REASON:
        raise DomainError("reason_too_long", _("The reason may have at most 200 characters."))
    return reason
