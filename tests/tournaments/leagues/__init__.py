"""What the tests of leagues share: a league with its leader, and a division to play in."""

from django.test import Client

from clubs.models import Club
from tests.factories import TESTS, ClubFactory, organiser_of
from tournaments.leagues.matches import fixtures_draw, results_write
from tournaments.leagues.services import league_create, league_season_create
from tournaments.leagues.teams import TeamLine, teams_add
from tournaments.models import Division, League, LeagueMatch

FIRST = ("De Azen", "Boeren", "Negens", "Vrouwen")


def league_of(name: str = "Competitie Noord", club: Club | None = None) -> League:
    """A league led by the organiser of a club."""
    leader = organiser_of(club or ClubFactory.create())
    return league_create(name=name, leader=leader, actor=TESTS)


def leader_client(league: League) -> Client:
    """The browser of the league's first leader."""
    client = Client()
    client.force_login(league.leaders.all()[0].user)
    return client


def division_of(
    league: League, teams: tuple[str, ...] = FIRST, *, drawn: bool = True, **rule: object
) -> Division:
    """The first division of a new season with these teams, and its fixtures."""
    season = league_season_create(league=league, name="2026-2027", actor=TESTS)
    if rule:
        type(season).objects.filter(pk=season.pk).update(**rule)
    division = season.divisions.select_related("season__league").get()
    division.season.refresh_from_db()
    teams_add(division=division, lines=[TeamLine(name) for name in teams], actor=TESTS)
    if drawn:
        fixtures_draw(division=division, seed=1, actor=TESTS)
        division.refresh_from_db()
    return division


def match_of(division: Division, one: str, two: str) -> LeagueMatch:
    """The match of these two teams, whoever is named first in it."""
    return next(
        match
        for match in LeagueMatch.objects.filter(day__division=division).select_related(
            "home", "away", "day__division__season"
        )
        if {match.home.name, match.away.name} == {one, two}
    )


def play(division: Division, one: str, two: str, *tables: tuple[int, int], why: str = "") -> None:
    """Write the result of a match, the points of `one` first."""
    match = match_of(division, one, two)
    scores = [score if match.home.name == one else (score[1], score[0]) for score in tables]
    results_write(
        day=match.day,
        results={match.pk: scores},
        versions={match.pk: match.version},
        actor=TESTS,
        reason=why,
    )
