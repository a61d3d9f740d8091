"""A server of three hundred clubs that play in twenty leagues, each ten seasons old: what its pages
take, and that none asks the database more often than where there is one small league."""

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, product
from random import Random

from django.db import connection
from django.test import Client as Browser
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.models import Club, Role, User
from tests.load.bench.bench import Bench
from tests.load.bench.standings import taken
from tests.load.bench.table import Row
from tournaments.models import (
    Division,
    League,
    LeagueLeader,
    LeagueMatch,
    LeaguePlayer,
    LeagueSeason,
    LeagueTeam,
    MatchDay,
)

CLUBS, LEAGUES, SEASONS, DIVISIONS = 300, 20, 10, 3
TEAMS, PLAYERS, DAYS = 12, 6, 11
TIMES, BATCH = 5, 5_000
BEGAN = dt.timedelta(weeks=DAYS - 1)
"""So long ago a season began of which half is played."""
ROUNDS = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))
"""Everybody meets everybody in a group of four."""
CHANCE = Random(300)
KEPT = "a league", "a season", "a division"
"""The pages that are made once for all visitors."""


def rows(_bench: Bench) -> Iterator[Row]:
    """Each page of the last league that was made: first alone and small, then among all."""
    user = User.objects.create(email="leagues@example.org", name="Bench")
    clubs = _clubs(CLUBS)
    Role.objects.create(user=user, club=clubs[0], kind=Role.Kind.ORGANISER)
    small = _leagues(user, clubs, leagues=1, seasons=1, divisions=1, teams=4)
    before = {name: _queries(ask) for name, ask in _pages(small[0], clubs[0], user)}
    large = _leagues(user, clubs, leagues=LEAGUES)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    for name, ask in _pages(large[-1], clubs[0], user):
        yield Row(f"leagues: {name}", taken(ask, TIMES), "ms", 250, 80)
        more = _queries(ask) - before[name]
        yield Row(f"leagues: {name}, more than a small one", more, "queries", 0)
    # Bulk-made leagues have no trail, so that all of these were made anew.
    League.objects.filter(pk=large[-1].pk).update(chain_head="0" * 64)
    for name, ask in _pages(large[-1], clubs[0], user):
        if name in KEPT:
            yield Row(f"leagues: {name}, kept for visitors", taken(ask, TIMES), "ms", 20, 5)


def _pages(league: League, club: Club, user: User) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """What everybody can read of the latest season, and what its leader can."""
    season = league.seasons.all()[0]
    division = season.divisions.all()[0]
    team, day = division.teams.all()[0], division.days.all()[0]
    public, desk = f"/leagues/{league.slug}/", f"/leagues/{league.slug}/desk/"
    everybody, leader = Browser(SERVER_NAME="localhost"), Browser(SERVER_NAME="localhost")
    leader.force_login(user)
    for name, path in {
        "all leagues": "/leagues/",
        "a league": public,
        "a season": f"{public}seasons/{season.slug}/",
        "a division": f"{public}seasons/{season.slug}/{division.position}/",
        "a table on paper": f"{public}seasons/{season.slug}/{division.position}/table.pdf",
        "a team": f"{public}teams/{team.pk}/",
        "the calendar": f"{public}calendar.ics",
        "the feed": f"{public}feed/",
        "its rankings": f"{public}rankings/",
        "the calendar of a team": f"{public}teams/{team.pk}/calendar.ics",
    }.items():
        yield name, _asking(everybody, path)
    for name, path in {
        "those of a club, at the desk": f"/clubs/{club.slug}/desk/leagues/",
        "a league, at the desk": desk,
        "settings, at the desk": f"{desk}settings/",
        "what happened, at the desk": f"{desk}trail/",
        "a season, at the desk": f"{desk}seasons/{season.slug}/",
        "a rule, at the desk": f"{desk}seasons/{season.slug}/rule/",
        "a division, at the desk": f"{desk}divisions/{division.pk}/",
        "a team, at the desk": f"{desk}teams/{team.pk}/",
        "a match day, at the desk": f"{desk}days/{day.pk}/",
        "rankings, at the desk": f"{desk}rankings/",
        "moving a match day, at the desk": f"{desk}days/{day.pk}/move/",
    }.items():
        yield name, _asking(leader, path)


def _asking(browser: Browser, path: str) -> Callable[[], bytes]:
    def ask() -> bytes:
        response = browser.get(path)
        assert response.status_code == 200, (path, response.status_code)
        content: bytes = response.content
        return content

    return ask


def _queries(ask: Callable[[], bytes]) -> int:
    ask()
    with CaptureQueriesContext(connection) as asked:
        ask()
    return len(asked)


# The server, put straight into the database.


def _clubs(count: int) -> list[Club]:
    return Club.objects.bulk_create(
        Club(name=f"Club {number:03}", slug=f"bond-{number}") for number in range(count)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    seasons: int = SEASONS
    divisions: int = DIVISIONS
    teams: int = TEAMS
    days: int = DAYS


def _leagues(user: User, clubs: list[Club], *, leagues: int, **size: int) -> list[League]:
    """Leagues led by this user, in each of which the first club has a team."""
    made = League.objects.bulk_create(
        League(name=f"Bond {leagues}.{number:02}", slug=f"bond-{leagues}-{number}")
        for number in range(leagues)
    )
    LeagueLeader.objects.bulk_create(LeagueLeader(league=one, user=user) for one in made)
    _play(made, clubs, Size(**size))
    return made


def _play(leagues: list[League], clubs: list[Club], size: Size) -> None:
    seasons = LeagueSeason.objects.bulk_create(
        LeagueSeason(league=league, name=f"Seizoen {number}", slug=f"seizoen-{number}")
        for number, league in product(range(size.seasons), leagues)
    )
    divisions = Division.objects.bulk_create(
        Division(season=season, name=f"Klasse {position}", position=position, seed=1)
        for season in seasons
        for position in range(1, size.divisions + 1)
    )
    teams = [_teams(division, clubs, size) for division in divisions]
    LeagueTeam.objects.bulk_create(chain(*teams), batch_size=BATCH)
    LeaguePlayer.objects.bulk_create(
        (
            LeaguePlayer(team=team, name=f"Speler {place}", position=place)
            for team in chain(*teams)
            for place in range(1, PLAYERS + 1)
        ),
        batch_size=BATCH,
    )
    last = seasons[-len(leagues) :]
    for division, theirs in zip(divisions, teams, strict=True):
        division_over = size.days if division.season not in last else size.days // 2
        _days(division, theirs, size.days, division_over)


def _teams(division: Division, clubs: list[Club], size: Size) -> list[LeagueTeam]:
    """The first of the first club, the others of any."""
    of = [clubs[0], *CHANCE.sample(clubs[1:], size.teams - 1)]
    return [
        LeagueTeam(division=division, name=f"Team {number}", club=club.name, club_uuid=club.uuid)
        for number, club in enumerate(of, 1)
    ]


def _days(division: Division, teams: list[LeagueTeam], count: int, over: int) -> None:
    """The days of a division, of which so many are over: four teams meet at the first of them."""
    days, groups = [], []
    began = timezone.localdate() - BEGAN
    for number in range(1, count + 1):
        shuffled = CHANCE.sample(teams, len(teams))
        for group, first in enumerate(range(0, len(shuffled), 4), 1):
            four = shuffled[first : first + 4]
            date = began + dt.timedelta(weeks=2 * number)
            days.append(
                MatchDay(division=division, number=number, group=group, host=four[0], date=date)
            )
            groups.append(four)
    MatchDay.objects.bulk_create(days)
    LeagueMatch.objects.bulk_create(
        LeagueMatch(
            day=day,
            round=number,
            home=four[one],
            away=four[other],
            scores=_scores() if day.number <= over else [],
            binding=day.number <= over,
        )
        for day, four in zip(days, groups, strict=True)
        for number, pairs in enumerate(ROUNDS, 1)
        for one, other in pairs
    )


def _scores() -> list[list[int]]:
    """What two tables of sixteen deals may come to."""
    return [[CHANCE.randrange(900, 1_900), CHANCE.randrange(900, 1_900)] for _table in range(2)]
