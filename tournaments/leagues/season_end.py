"""The end of a season and what may come before it: match points taken off a team, a club that
leaves, and the next season made of this one."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from django.db import IntegrityError, transaction
from django.db.models import Count
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.text.errors import DomainError, VersionConflict
from clubs.text.names import name_key, tidy_name
from tournaments.leagues.core.fixtures import MOST_TEAMS
from tournaments.leagues.core.ranking import Division as CoreDivision
from tournaments.leagues.core.ranking import Move, NextSeason, roll_over
from tournaments.leagues.queries import DivisionTable, have_an_evening, season_tables
from tournaments.leagues.services import (
    about,
    league_audit,
    league_lock,
    league_season_create,
)
from tournaments.leagues.teams import TeamLine, club_of_line, reason_read, team_withdraw
from tournaments.models import (
    Division,
    LeagueMatch,
    LeaguePenalty,
    LeaguePlayer,
    LeagueSeason,
    LeagueTeam,
    MatchDay,
)
from tournaments.models.leagues import MOST_MATCH_POINTS

# Match points off.


@transaction.atomic
def penalty_give(*, team: LeagueTeam, points: Decimal, reason: str, actor: Actor) -> LeaguePenalty:
    """Take match points off a team; the table says why.

    Raises DomainError `bad_penalty`, `reason_missing` or `reason_too_long`.
    """
    league = league_lock(team.division.season.league_id)
    reason = reason_read(reason)
    if not 0 < points <= MOST_MATCH_POINTS or points != round(points, 2):
        message = _("Match points that are taken off are more than 0 and at most %(most)s.")
        raise DomainError("bad_penalty", message % {"most": MOST_MATCH_POINTS})
    penalty = LeaguePenalty.objects.create(team=team, points=points, reason=reason)
    texts = {"name": team.name, "reason": reason}
    data = {"points": f"{points.normalize():f}"}
    league_audit(league, actor, "league_penalty_given", about(penalty), data=data, texts=texts)
    return penalty


@transaction.atomic
def penalty_take_back(*, penalty: LeaguePenalty, reason: str, actor: Actor) -> None:
    """Give the match points back. Doing it twice is harmless. Raises DomainError like
    `penalty_give`."""
    league = league_lock(penalty.team.division.season.league_id)
    reason = reason_read(reason)
    gone = LeaguePenalty.objects.filter(pk=penalty.pk).first()
    if gone is None:
        return
    texts = {"name": penalty.team.name, "reason": reason}
    data = {"points": f"{gone.points.normalize():f}"}
    league_audit(league, actor, "league_penalty_taken_back", about(gone), data=data, texts=texts)
    gone.delete()


# A club that leaves.


@transaction.atomic
def club_leave(
    *, season: LeagueSeason, club: str, reason: str, results_stand: bool, actor: Actor
) -> list[LeagueTeam]:
    """All teams of a club withdraw from the season at once, as `team_withdraw` does it.

    Raises DomainError `no_such_club`, `reason_missing` or `reason_too_long`.
    """
    league_lock(season.league_id)
    teams = teams_of_club(season, club)
    if not teams:
        raise DomainError("no_such_club", _("No team of %s plays in this season now.") % club)
    for team in teams:
        team_withdraw(
            team=team,
            reason=reason,
            results_stand=results_stand,
            version=team.version,
            actor=actor,
        )
    return teams


def teams_of_club(season: LeagueSeason, club: str) -> list[LeagueTeam]:
    """The teams of the club of this name that still play. One query."""
    playing = LeagueTeam.objects.filter(division__season=season, withdrawn_on=None)
    teams = playing.select_related("division__season").order_by("division__position", "name")
    return [team for team in teams if team.club and name_key(team.club) == name_key(club)]


def clubs_in(season: LeagueSeason) -> list[str]:
    """The clubs of which teams still play in a season. One query."""
    playing = LeagueTeam.objects.filter(division__season=season, withdrawn_on=None)
    return sorted({club for club in playing.values_list("club", flat=True) if club})


def days_without_host(season: LeagueSeason) -> list[MatchDay]:
    """The days still to be played whose host withdrew. One query."""
    days = MatchDay.objects.filter(division__season=season, evening_uuid=None)
    left = days.filter(host__withdrawn_on__isnull=False)
    played = LeagueMatch.objects.filter(day__division__season=season).exclude(scores=[])
    still = left.exclude(pk__in=played.values("day"))
    return list(still.select_related("division__season__league", "host").order_by("number", "pk"))


# The next season.


@dataclass(frozen=True, slots=True)
class NextWishes:
    """What the leader says about the next season: the ids of the teams that stop, new teams by
    division, and how many teams each division is to have. Divisions by their id."""

    stop: frozenset[int] = frozenset()
    enter: Mapping[int, Sequence[TeamLine]] = field(default_factory=dict)
    sizes: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NextTeam:
    """A team of the next season: what it was in this one, if anything, and why it moves."""

    name: str
    before: LeagueTeam | None
    move: Move | None = None


@dataclass(frozen=True, slots=True)
class NextPlan:
    """The divisions of the next season with their teams, who stops, and how many matches of this
    season have no result yet."""

    divisions: Sequence[tuple[Division, Sequence[NextTeam]]]
    stop: Sequence[Move]
    open_matches: int

    @property
    def seen(self) -> str:
        """What this plan comes to, to notice that it became another one meanwhile."""
        lines = [
            f"{division.pk} {team.before.pk if team.before else name_key(team.name)}"
            for division, teams in self.divisions
            for team in teams
        ]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:20]


def next_season_of(season: LeagueSeason) -> LeagueSeason | None:
    """The season that was made of this one. One query."""
    return LeagueSeason.objects.filter(rolled_from=season).select_related("league").first()


def usual_wishes(season: LeagueSeason) -> NextWishes:
    """What is filled in to begin with: teams that withdrew stop, divisions keep their size; once
    the next season is made, as it was made."""
    made = next_season_of(season)
    divisions = season.divisions.annotate(count=Count("teams"))
    sizes = {division.pk: division.count for division in divisions}
    teams = LeagueTeam.objects.filter(division__season=season)
    if made is None:
        gone = teams.exclude(withdrawn_on=None)
        return NextWishes(frozenset(gone.values_list("pk", flat=True)), {}, sizes)
    gone = teams.exclude(continued_by__division__season=made)
    position = {division.position: division.pk for division in divisions}
    enter: dict[int, list[TeamLine]] = {}
    for division in made.divisions.prefetch_related("teams"):
        if division.position in position:
            pk, now = position[division.position], list(division.teams.all())
            sizes[pk] = len(now)
            enter[pk] = [TeamLine(team.name, team.club) for team in now if not team.continues_id]
    return NextWishes(frozenset(gone.values_list("pk", flat=True)), enter, sizes)


def next_plan(season: LeagueSeason, wishes: NextWishes) -> NextPlan:
    """The next season as the final tables and these wishes make it. Nothing is written.

    Raises DomainError `bad_next_season` that names every fault.
    """
    tables = season_tables(season)
    teams = {table.division.pk: _in_order(table) for table in tables}
    faults = list(_wish_faults(tables, teams, wishes))
    if faults:
        raise DomainError("bad_next_season", " ".join(faults), lines=faults)
    by_id = {str(team.pk): team for of_division in teams.values() for team in of_division}
    made = roll_over(
        [
            CoreDivision(
                str(table.division.pk),
                tuple(str(team.pk) for team in teams[table.division.pk]),
                wishes.sizes.get(table.division.pk, len(teams[table.division.pk])),
            )
            for table in tables
        ],
        season.exchange,
        entering=[
            (str(division), f"new {line.name}")
            for division, lines in wishes.enter.items()
            for line in lines
        ],
        withdrawn=[str(pk) for pk in wishes.stop if str(pk) in by_id],
    )
    return NextPlan(
        [(table.division, _next_teams(made, str(table.division.pk), by_id)) for table in tables],
        [move for move in made.moves if move.target is None],
        sum(table.of - table.played for table in tables),
    )


def _in_order(table: DivisionTable) -> list[LeagueTeam]:
    """All teams of a division by their place; those whose results do not count come last."""
    return [*(line.team for line in table.lines), *table.gone]


def _next_teams(made: NextSeason, division: str, by_id: Mapping[str, LeagueTeam]) -> list[NextTeam]:
    moves = {move.team: move for move in made.moves}
    return [
        NextTeam(
            by_id[key].name if key in by_id else key.removeprefix("new "),
            by_id.get(key),
            moves.get(key),
        )
        for name, keys in made.divisions
        if name == division
        for key in keys
    ]


def _wish_faults(
    tables: Sequence[DivisionTable],
    teams: Mapping[int, Sequence[LeagueTeam]],
    wishes: NextWishes,
) -> Iterable[str]:
    stay = [team for each in teams.values() for team in each if team.pk not in wishes.stop]
    known = {name_key(team.name) for team in stay}
    for table in tables:
        division = table.division
        size = wishes.sizes.get(division.pk, 0)
        if not 0 <= size <= MOST_TEAMS:
            words = {"name": division.name, "n": MOST_TEAMS}
            yield _("%(name)s: a division has at most %(n)s teams.") % words
        for line in wishes.enter.get(division.pk, ()):
            words = {"name": line.name, "division": division.name}
            if not line.name:
                yield _("%(division)s: a new team has no name.") % words
            elif len(line.name) > 60 or len(line.club) > 100:
                yield _("%(division)s: “%(name)s” is too long.") % words
            elif name_key(line.name) in known:
                yield _("%(division)s: %(name)s plays already, or is there twice.") % words
            known.add(name_key(line.name))
    if not stay and not any(wishes.enter.values()):
        yield _("No team would be left for the next season.")


@transaction.atomic
def season_roll_over(
    *,
    season: LeagueSeason,
    name: str,
    wishes: NextWishes,
    seen: str,
    actor: Actor,
    although_open: bool = False,
) -> LeagueSeason:
    """Make the next season of this one: its rule, its divisions, and its teams with their players.
    Done again it gives the same, or follows results that were corrected since, as long as no
    fixtures are drawn; teams that were added by hand stay.

    Raises DomainError `bad_next_season`, `season_exists` and such of its name, `results_missing`
    unless it is wanted `although_open`, `fixtures_drawn`, `divisions_changed` or `team_exists`;
    VersionConflict where the plan is no longer the one that was `seen`.
    """
    league = league_lock(season.league_id)
    season = LeagueSeason.objects.select_related("league").get(pk=season.pk)
    plan = next_plan(season, wishes)
    if plan.seen != seen:
        message = _("Results or teams changed meanwhile. Look at the plan again, then make it.")
        raise VersionConflict("plan_changed", message)
    if plan.open_matches and not although_open:
        message = _("Some matches have no result yet. Say that you want to go on all the same.")
        raise DomainError("results_missing", message)
    made = next_season_of(season)
    if made is None:
        made = league_season_create(league=league, name=name, actor=actor, before=season)
        made.rolled_from = season
        made.save_changes("rolled_from")
    elif name_key(made.name) != name_key(tidy_name(name)):
        message = _("The next season is there already: %s. Undo that first for another name.")
        raise DomainError("season_exists", message % made.name)
    try:
        with transaction.atomic():
            is_changed = _teams_place(made, plan, wishes)
    except IntegrityError as error:
        message = _(
            "Two teams of one division of the next season would have the same name. Rename one of"
            " them, then make it again."
        )
        raise DomainError("team_exists", message) from error
    if not is_changed:
        return made
    moved = sum(team.move is not None for _division, teams in plan.divisions for team in teams)
    league_audit(
        league,
        actor,
        "league_rolled_over",
        about(made),
        data={"from": season.pk, "teams": _count(plan), "moves": moved + len(plan.stop)},
        texts={"name": season.name, "next": made.name},
    )
    return made


def _count(plan: NextPlan) -> int:
    return sum(len(teams) for _division, teams in plan.divisions)


def _teams_place(made: LeagueSeason, plan: NextPlan, wishes: NextWishes) -> bool:
    """Put the teams into the divisions of the next season; whether anything changed."""
    divisions = {division.position: division for division in made.divisions.all()}
    if set(divisions) != {division.position for division, _teams in plan.divisions}:
        message = _("The divisions of the next season were changed. Undo it first, or go on there.")
        raise DomainError("divisions_changed", message)
    there = list(LeagueTeam.objects.filter(division__season=made))
    by_before = {team.continues_id: team for team in there if team.continues_id}
    by_name = {name_key(team.name): team for team in there if not team.continues_id}
    clubs = {name_key(line.name): line for lines in wishes.enter.values() for line in lines}
    kept: set[int] = {team.pk for team in by_name.values()}
    moved: list[tuple[LeagueTeam, Division]] = []
    new: list[tuple[NextTeam, Division]] = []
    for before, teams in plan.divisions:
        target = divisions[before.position]
        for team in teams:
            found = (
                by_before.get(team.before.pk) if team.before else by_name.get(name_key(team.name))
            )
            if found is None:
                new.append((team, target))
                continue
            kept.add(found.pk)
            if found.division_id != target.pk:
                moved.append((found, target))
    gone = [team for team in there if team.pk not in kept]
    if not (new or moved or gone):
        return False
    require_nothing_drawn(made)
    LeagueTeam.objects.filter(pk__in=[team.pk for team in gone]).delete()
    for placed, target in moved:
        placed.division = target
        placed.save_changes("division")
    for planned, target in new:
        _team_make(planned, target, clubs.get(name_key(planned.name)))
    return True


def _team_make(planned: NextTeam, division: Division, line: TeamLine | None) -> None:
    before = planned.before
    if before is None:
        name, club_uuid = club_of_line(line or TeamLine(planned.name))
        LeagueTeam(division=division, name=planned.name, club=name, club_uuid=club_uuid).save()
        return
    team = LeagueTeam(
        division=division,
        name=before.name,
        club=before.club,
        club_uuid=before.club_uuid,
        continues=before,
    )
    team.save()
    players_copy(before, team)


def players_copy(before: LeagueTeam, team: LeagueTeam) -> None:
    """The players of a team become those of the same team in the next season."""
    columns = [
        column.attname
        for column in LeaguePlayer._meta.concrete_fields
        if not column.primary_key and column.name != "team"
    ]
    LeaguePlayer.objects.bulk_create(
        LeaguePlayer(team=team, **{name: getattr(player, name) for name in columns})
        for player in before.players.all()
    )


def require_nothing_drawn(season: LeagueSeason) -> None:
    """Raises DomainError `fixtures_drawn`."""
    if season.divisions.exclude(seed=None).exists():
        message = _(
            "The fixtures of %s are drawn, so its teams stay. Take the fixtures back first."
        )
        raise DomainError("fixtures_drawn", message % season.name)


@transaction.atomic
def roll_over_undo(*, season: LeagueSeason, actor: Actor) -> None:
    """Take the next season away that was made of this one, as long as nothing of it was played.
    Doing it twice is harmless. Raises DomainError `results_are_there`."""
    league = league_lock(season.league_id)
    made = next_season_of(season)
    if made is None:
        return
    matches = LeagueMatch.objects.filter(day__division__season=made)
    played = any(match.is_over for match in matches)
    if played or have_an_evening(MatchDay.objects.filter(division__season=made)):
        message = _("Something of %s was played already, so it stays.")
        raise DomainError("results_are_there", message % made.name)
    league_audit(
        league,
        actor,
        "league_roll_over_undone",
        about(made),
        data={"teams": LeagueTeam.objects.filter(division__season=made).count()},
        texts={"name": made.name},
    )
    made.delete()


def years_later(name: str) -> str:
    """The name of a season with its years one later, to begin with.

    >>> years_later("2026-2027"), years_later("Winter 2026"), years_later("Proef")
    ('2027-2028', 'Winter 2027', 'Proef 2')
    """
    words, digits = "", ""
    for sign in f"{name} ":
        if sign.isdecimal():
            digits += sign
            continue
        words += str(int(digits) + 1) if len(digits) == 4 else digits
        words, digits = words + sign, ""
    later = words[:-1]
    return later if later != name else f"{name[:58]} 2"
