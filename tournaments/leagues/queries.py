"""What pages of leagues read: the table of a division, its days, and the people of a team."""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from uuid import UUID

from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from clubs.models import AuditEvent, Club
from tournaments.leagues.core.table import (
    Match,
    Penalty,
    Row,
    TableRule,
    WinPoints,
    league_table,
)
from tournaments.leagues.core.what_if import Left, Outlook, outlooks
from tournaments.models import (
    Division,
    Evening,
    League,
    LeagueMatch,
    LeaguePenalty,
    LeagueSeason,
    LeagueTeam,
    MatchDay,
    Round,
)

FORM = 5
"""How many matches a team's form shows."""
CARDS = 162


@dataclass(frozen=True, slots=True)
class TableLine:
    """A team's line in the table: `form` has its last results, newest last; `zone` says whether
    the place leads up or down."""

    row: Row
    team: LeagueTeam
    form: Sequence[str]
    zone: str = ""


@dataclass(frozen=True, slots=True)
class DivisionTable:
    """The table of a division as it stands. `gone` are the teams whose matches do not count;
    `penalties` are what the others lost, and why; `left` are the matches still to be played;
    `divisions` is how many the season has."""

    division: Division
    rule: TableRule
    lines: Sequence[TableLine]
    gone: Sequence[LeagueTeam]
    played: int
    of: int
    penalties: Sequence[LeaguePenalty]
    left: Sequence[Left]
    divisions: int

    @property
    def rows(self) -> list[Row]:
        """The rows as the rule made them, best first."""
        return [line.row for line in self.lines]

    @property
    def outlooks(self) -> list[Outlook]:
        """The places each team can still reach; empty unless few matches are left."""
        return outlooks({row.team: row.points for row in self.rows}, self.left, self.rule)


@dataclass(slots=True)
class _Season:
    """All that is read of divisions of a season, once for all of them."""

    teams: dict[int, list[LeagueTeam]] = field(default_factory=lambda: defaultdict(list))
    matches: dict[int, list[LeagueMatch]] = field(default_factory=lambda: defaultdict(list))
    penalties: list[LeaguePenalty] = field(default_factory=list)


def season_tables(season: LeagueSeason) -> list[DivisionTable]:
    """The tables of all divisions, the highest first. Four queries."""
    divisions = list(season.divisions.all())
    return _tables(season, divisions, divisions)


def division_table(division: Division) -> DivisionTable:
    """The table of one division. Four queries."""
    (table,) = _tables(division.season, list(division.season.divisions.all()), [division])
    return table


def _tables(
    season: LeagueSeason, divisions: Sequence[Division], shown: Sequence[Division]
) -> list[DivisionTable]:
    """The tables of the divisions `shown`, of all that the season has."""
    read = _read(shown)
    return [_table(season, division, len(divisions), read) for division in shown]


def _read(divisions: Sequence[Division]) -> _Season:
    read = _Season()
    for team in LeagueTeam.objects.filter(division__in=divisions):
        read.teams[team.division_id].append(team)
    by_id = {team.pk: team for teams in read.teams.values() for team in teams}
    matches = LeagueMatch.objects.filter(day__division__in=divisions).select_related("day")
    for match in matches.order_by("day__number", "day__group", "round", "pk"):
        match.home, match.away = by_id[match.home_id], by_id[match.away_id]
        read.matches[match.day.division_id].append(match)
    read.penalties = list(LeaguePenalty.objects.filter(team__in=by_id))
    for penalty in read.penalties:
        penalty.team = by_id[penalty.team_id]
    return read


def table_rule(season: LeagueSeason) -> TableRule:
    """The rule of a season as the core reads it."""
    return TableRule(
        match=season.points,  # type: ignore[arg-type]
        points=WinPoints(season.win, season.draw, season.loss),
        ties=tuple(season.ties),
        deals=season.deals,
    )


def _table(
    season: LeagueSeason, division: Division, divisions: int, read: _Season
) -> DivisionTable:
    teams, matches = read.teams[division.pk], read.matches[division.pk]
    gone = [team for team in teams if team.withdrawn_on and not team.results_stand]
    there = {team.pk: team for team in teams if team not in gone}
    to_count = [
        match
        for match in matches
        if match.home_id in there and match.away_id in there and not is_void(match)
    ]
    counted = counted_matches(season, to_count)
    rule = table_rule(season)
    taken = [penalty for penalty in read.penalties if penalty.team_id in there]
    off = [Penalty(each.team.name, each.points, each.reason) for each in taken]
    rows = league_table([team.name for team in there.values()], counted, rule, off)
    by_name = {team.name: team for team in there.values()}
    forms = _forms(counted)
    lines = [
        TableLine(
            row,
            by_name[row.team],
            forms[row.team][-FORM:],
            _zone(season.exchange, division.position, divisions, number, len(rows)),
        )
        for number, row in enumerate(rows, 1)
    ]
    left = [
        Left(
            (match.home.name, match.away.name),
            (match.day.number, match.day.group, match.round),
            season.tables,
        )
        for match in to_count
        if not match.is_over and absent_team(match) is None
    ]
    if rule.match == "rank_of_group" and {each.at for each in left} & {
        (each.day, each.group, each.round) for each in counted
    }:
        # What a round that is partly entered still gives, nobody can say.
        left = []
    return DivisionTable(
        division, rule, lines, gone, len(counted), len(to_count), taken, left, divisions
    )


def counted_matches(season: LeagueSeason, matches: Collection[LeagueMatch]) -> list[Match]:
    """The matches that have a result, as the core reads them. A team that did not appear, or
    withdrew before, scores 0, and its opponent the mean of what it scored itself."""
    scored: dict[int, list[int]] = defaultdict(list)
    for match in matches:
        if match.scores:
            for team, points in zip((match.home_id, match.away_id), match.totals, strict=True):
                scored[team].append(points)
    counted = []
    for match in matches:
        scores = [(one, two) for one, two in match.scores]
        absent = absent_team(match)
        if not scores and absent is None:
            continue
        if not scores:
            other = match.away_id if absent == match.home_id else match.home_id
            gained = mean_of(scored[other]) or CARDS * season.deals * season.tables // 2
            scores = [
                (0, part) if absent == match.home_id else (part, 0)
                for part in _parts(gained, season.tables)
            ]
        # A total for the whole match stands for all its tables.
        scores += [(0, 0)] * (season.tables - len(scores))
        names = match.home.name, match.away.name
        counted.append(Match(names, tuple(scores), match.day.number, match.day.group, match.round))
    return counted


def absent_team(match: LeagueMatch) -> int | None:
    """The id of the team that lost a match without playing it, if one did."""
    if match.walkover_id is not None:
        return match.walkover_id
    if match.scores:
        return None
    withdrawn = [team for team in (match.home, match.away) if team.withdrawn_on]
    return withdrawn[0].pk if len(withdrawn) == 1 else None


def is_void(match: LeagueMatch) -> bool:
    """Whether a match will never be played, as both teams withdrew before it."""
    both = match.home.withdrawn_on and match.away.withdrawn_on
    return bool(both) and not match.is_over


def mean_of(points: Sequence[int]) -> int:
    """The mean in whole points, half up; 0 of nothing."""
    if not points:
        return 0
    mean = Decimal(sum(points)) / len(points)
    return int(mean.quantize(Decimal(1), ROUND_HALF_UP))


def _parts(points: int, count: int) -> list[int]:
    """The points divided over so many tables."""
    return [points // count + (number < points % count) for number in range(count)]


def _forms(matches: Iterable[Match]) -> dict[str, list[str]]:
    """The outcomes of each team's matches in order: won, drawn or lost."""
    forms: dict[str, list[str]] = defaultdict(list)
    for match in matches:
        one, two = match.totals
        for team, own, other in ((match.teams[0], one, two), (match.teams[1], two, one)):
            forms[team].append("won" if own > other else "lost" if own < other else "drawn")
    return forms


def _zone(exchange: int, position: int, divisions: int, number: int, teams: int) -> str:
    if position > 1 and number <= exchange:
        return "up"
    return "down" if position < divisions and number > max(teams - exchange, 0) else ""


# Days with their matches.


@dataclass(frozen=True, slots=True)
class ShownDay:
    """A match day with its matches by round, and the teams that meet, the host first."""

    day: MatchDay
    rounds: Sequence[tuple[int, Sequence[LeagueMatch]]]
    teams: Sequence[LeagueTeam]

    @property
    def names(self) -> str:
        """The names of the teams."""
        return ", ".join(team.name for team in self.teams)

    @property
    def is_over(self) -> bool:
        """Whether every match has a result, or will have none."""
        return all(match.is_over or absent_team(match) or is_void(match) for match in self.matches)

    @property
    def begun(self) -> bool:
        """Whether any match has a result."""
        return any(match.is_over for match in self.matches)

    @property
    def matches(self) -> list[LeagueMatch]:
        """All matches in order."""
        return [match for _round, matches in self.rounds for match in matches]

    @property
    def unconfirmed(self) -> bool:
        """Whether a result waits for the leader to make it binding."""
        return any(match.is_over and not match.binding for match in self.matches)


def shown_days(days: QuerySet[MatchDay], *, team: LeagueTeam | None = None) -> list[ShownDay]:
    """These days with their matches, or only the matches of a team. Three queries."""
    matches = LeagueMatch.objects.filter(day__in=days)
    if team is not None:
        matches = matches.filter(Q(home=team) | Q(away=team))
    found = days.select_related("division__season__league").order_by("number", "group", "pk")
    return _with_matches(list(found), matches)


def _with_matches(found: Sequence[MatchDay], matches: QuerySet[LeagueMatch]) -> list[ShownDay]:
    by_day: dict[int, list[LeagueMatch]] = defaultdict(list)
    for match in matches.order_by("round", "pk"):
        by_day[match.day_id].append(match)
    # Each team once: in a season every one of them plays dozens of matches.
    everybody = [match for of_day in by_day.values() for match in of_day]
    ids = {pk for match in everybody for pk in (match.home_id, match.away_id)}
    teams = LeagueTeam.objects.in_bulk(ids | {day.host_id for day in found if day.host_id})
    shown = []
    for day in found:
        if day.host_id:
            day.host = teams[day.host_id]
        for match in by_day[day.pk]:
            match.day, match.home, match.away = day, teams[match.home_id], teams[match.away_id]
            if match.walkover_id:
                match.walkover = teams[match.walkover_id]
        shown.append(ShownDay(day, _by_round(by_day[day.pk]), _teams(day, by_day[day.pk])))
    return shown


def _by_round(matches: Iterable[LeagueMatch]) -> list[tuple[int, list[LeagueMatch]]]:
    rounds: dict[int, list[LeagueMatch]] = defaultdict(list)
    for match in matches:
        rounds[match.round].append(match)
    return sorted(rounds.items())


def _teams(day: MatchDay, matches: Iterable[LeagueMatch]) -> list[LeagueTeam]:
    teams = {team.pk: team for match in matches for team in (match.home, match.away)}
    return sorted(teams.values(), key=lambda team: (team.pk != day.host_id, team.name))


def byes_of(division: Division, days: Iterable[ShownDay]) -> dict[int, list[str]]:
    """The names of the teams without a match on a day, by the number of the day. One query."""
    playing: dict[int, set[int]] = defaultdict(set)
    for shown in days:
        playing[shown.day.number] |= {team.pk for team in shown.teams}
    teams = [team for team in division.teams.all() if team.withdrawn_on is None]
    return {
        number: [team.name for team in teams if team.pk not in there]
        for number, there in playing.items()
    }


def overdue_days(season: LeagueSeason, today: dt.date | None = None) -> list[ShownDay]:
    """The days whose results should have been in by now. Two queries."""
    today = today or timezone.localdate()
    days = _to_be_played(MatchDay.objects.filter(division__season=season, date__lt=today))
    return [
        shown
        for shown in shown_days(days)
        if (due := shown.day.due_by(season.deadline_hours)) and due < today and not shown.is_over
    ]


def _to_be_played(days: QuerySet[MatchDay]) -> QuerySet[MatchDay]:
    """Those of which a match has no result: of years of days all but a few."""
    matches = LeagueMatch.objects.filter(day=OuterRef("pk"), scores=[], walkover=None)
    return days.filter(Exists(matches.order_by()))


def leagues_of_club(club: Club) -> list[League]:
    """The leagues in which teams of this club play. One query."""
    playing = League.objects.filter(seasons__divisions__teams__club_uuid=club.uuid)
    return list(playing.distinct())


def league_events(league: League) -> QuerySet[AuditEvent]:
    """What happened in a league, which is in the trail of no club."""
    return AuditEvent.objects.filter(chain=league.chain_name)


def evening_of(day: MatchDay) -> Evening | None:
    """The evening that was made of a match day, as long as it is on this server."""
    if day.evening_uuid is None:
        return None
    return Evening.objects.select_related("club").filter(uuid=day.evening_uuid).first()


def latest_teams_of(club: Club) -> list[LeagueTeam]:
    """The teams of a club in the latest season of each league that it plays in. One query."""
    teams = LeagueTeam.objects.filter(club_uuid=club.uuid)
    by_league = teams.order_by().values("division__season__league")
    latest = by_league.annotate(last=Max("division__season")).values("last")
    playing = teams.filter(division__season__in=latest).order_by("-division__season_id", "pk")
    return list(playing.select_related("division__season__league"))


def rounds_begun(evening: Evening | None) -> set[int]:
    """The numbers of the rounds of an evening that have begun; none without one."""
    if evening is None:
        return set()
    begun = evening.rounds.filter(state__in=(Round.State.RUNNING, Round.State.CLOSED))
    return set(begun.values_list("number", flat=True))


def have_an_evening(days: QuerySet[MatchDay]) -> bool:
    """Whether there still is an evening that was made of one of these days."""
    uuids = days.exclude(evening_uuid=None).values("evening_uuid")
    return Evening.objects.filter(uuid__in=uuids).exists()


def hosted_days(club: Club) -> list[tuple[ShownDay, Evening | None]]:
    """The match days that teams of this club host, at two tables a match, and that are not over,
    by date, each with its evening. Five queries."""
    days = _to_be_played(
        MatchDay.objects.filter(host__club_uuid=club.uuid, division__season__tables=2)
    )
    found = list(days.order_by("number", "group", "pk"))
    # Each division once: they are of any league.
    divisions = Division.objects.select_related("season__league").in_bulk(
        {day.division_id for day in found}
    )
    for day in found:
        day.division = divisions[day.division_id]
    matches = LeagueMatch.objects.filter(day__in=found)
    shown = [each for each in _with_matches(found, matches) if not each.is_over]
    shown.sort(key=lambda each: each.day.date or dt.date.max)
    uuids = [day.day.evening_uuid for day in shown]
    known = Evening.objects.of(club).filter(uuid__in=[uuid for uuid in uuids if uuid])
    evenings: dict[UUID | None, Evening] = {evening.uuid: evening for evening in known}
    return [(day, evenings.get(uuid)) for day, uuid in zip(shown, uuids, strict=True)]
