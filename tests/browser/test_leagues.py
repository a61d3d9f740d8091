"""Every page of leagues keeps nobody out: for visitors, captains, clubs and leaders, on a phone."""

import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, reverse
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club, User
from tests.browser.test_axe import look
from tests.factories import TESTS, MemberFactory, organiser_of
from tests.tournaments.leagues.test_captains import captain_of, match_in, name_people, team_of
from tests.tournaments.leagues.test_evenings_of_leagues import made, play_round
from tests.tournaments.leagues.test_rankings import four, known, published
from tests.tournaments.leagues.test_rankings import played as played_here
from tournaments.leagues import urls
from tournaments.leagues.event_notes import note
from tournaments.leagues.lineups import captain_link_withdraw
from tournaments.leagues.matches import fixtures_draw, results_write
from tournaments.leagues.people import link_path, person_link_make, person_number_give
from tournaments.leagues.pulling import pull_link_make
from tournaments.leagues.season_end import penalty_give
from tournaments.leagues.services import division_add, leader_add
from tournaments.leagues.teams import TeamLine, teams_add
from tournaments.models import (
    EventSource,
    League,
    LeagueEvent,
    LeaguePerson,
    LeagueTeam,
    LineUp,
    MatchDay,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Axe = Callable[[Page], None]
NO_PAGES = {
    # What is only sent, or is a file, a feed or a part of a page.
    *"league_links_renew league_team_link league_team_reinstate match_day_take".split(),
    *"match_day_final league_number_give match_day_forms club_team_link club_match_forms".split(),
    *"league_calendar league_team_calendar league_feed league_day_live captain_answer".split(),
    *"league_ranking_pdf league_season_pdf league_table_pdf".split(),
}


@dataclass(frozen=True, slots=True)
class World:
    """A league with everything in it: one division is played, of the other one round of a day at
    the club that hosts."""

    club: Club
    league: League
    names: dict[str, Any]
    captain: str
    withdrawn: str
    asked: str
    confirmed: str


def world() -> World:
    """It, with what clubs and captains said, and events that came in."""
    _desk, day, evening = made()
    league, club = day.division.season.league, evening.club
    captain = captain_of(team_of(day.division, "Vrouwen"))
    match = match_in(day.division, "Vrouwen", 2)
    LeagueTeam.objects.filter(name="Vrouwen").update(club="Vrouwen")
    people = "Vrouwen 1", "Vrouwen 2", "Vrouwen 3", "Boeren 1"
    name_people(Client(), f"{captain}matches/{match.pk}/line-up/", *people)
    play_round(evening, 1)
    second_division(league)
    penalty = penalty_give(
        team=team_of(day.division, "Negens"), points=Decimal(1), reason="Te laat", actor=TESTS
    )
    leader = leader_add(league=league, email="bea@example.org", actor=TESTS)
    gone = captain_of(team_of(day.division, "Negens"))
    captain_link_withdraw(team=team_of(day.division, "Negens"), actor=TESTS)
    members = four(club)
    person = known(league, members[0])
    played_here(league, club, dt.date(2026, 1, 4), dict.fromkeys(members, 4500))
    published(league, "2026-11-22", minimum_rounds="3")
    ranking = league.rankings.get()
    person_number_give(league=league, actor=TESTS)
    source = events(league, day)
    pull_link_make(club=club, league="elders", actor=TESTS)
    confirmed = person_link_make(league=league, member=members[0], actor=TESTS)
    asked = person_link_make(league=league, member=MemberFactory.create(club=club), actor=TESTS)
    names = {
        "league": league.slug,
        "slug": club.slug,
        "captain": captain.strip("/").rpartition("/")[2],
        "league_season": day.division.season.slug,
        "position": day.division.position,
        "division": day.division_id,
        "team": match.home_id,
        "match": match.pk,
        "day": day.pk,
        "penalty": penalty.pk,
        "leader": leader.pk,
        "source": source.pk,
        "line_up": LineUp.objects.get().pk,
        "person": person.number,
        "ranking_pk": ranking.pk,
        "ranking": ranking.slug,
        "number": 1,
    }
    return World(club, league, names, captain, gone, link_path(asked), link_path(confirmed))


def second_division(league: League) -> None:
    """It is played but for one match, so that it is said what can still happen."""
    division = division_add(season=league.seasons.get(), name="Klasse 2", actor=TESTS)
    names = ("Harten", "Ruiten", "Klaveren", "Schoppen")
    teams_add(division=division, lines=[TeamLine(name) for name in names], actor=TESTS)
    (day,) = fixtures_draw(division=division, seed=1, first=dt.date(2026, 11, 6), actor=TESTS)
    matches = list(day.matches.order_by("round", "pk"))[:-1]
    results_write(
        day=day,
        results={match.pk: [(1400, 1300), (1250, 1400)] for match in matches},
        versions={match.pk: match.version for match in matches},
        actor=TESTS,
    )


def events(league: League, day: MatchDay) -> EventSource:
    """Where events come from, with a fault, and an event of the day that had something to say."""
    source = EventSource.objects.create(
        league=league,
        address="https://klaver.example/events/x/",
        fault="2026-12-04: De server antwoordt niet.",
    )
    LeagueEvent.objects.create(
        league=league,
        club_uuid="00000000-0000-4000-8000-000000000000",
        club="Zuid",
        event_uuid="00000000-0000-4000-8000-000000000001",
        number=1,
        date=dt.date(2026, 12, 4),
        digest="0" * 64,
        document={"event": {"discipline": "team", "family": ""}, "participants": []},
        day=day,
        notes=[
            note("says_itself", day=day.number),
            note("tables_missing", round=1, match="Boeren – Vrouwen", n=1, tables=2),
        ],
    )
    return source


def pages(patterns: Iterable[URLPattern], names: dict[str, Any]) -> list[str]:
    """The addresses of all pages among these."""
    return [
        reverse(pattern.name, kwargs={name: names[name] for name in needed(pattern, names)})
        for pattern in patterns
        if pattern.name and pattern.name not in NO_PAGES
    ]


def needed(pattern: URLPattern, names: dict[str, Any]) -> set[str]:
    """The names in this address, and in what it stands below."""
    of_league, of_club = pattern in (*urls.desk, *urls.public), pattern in urls.club
    above = {"league"} if of_league else {"slug"} if of_club else {"captain"}
    return {*pattern.pattern.converters, *above}


def log_in_as(page: Page, user: User, address: str) -> None:
    """Give this browser the session of somebody."""
    client = Client()
    client.force_login(user)
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": address}])


@pytest.mark.full
def test_every_page_keeps_nobody_out(phone: Page, axe: Axe, live_server: LiveServer) -> None:
    found = world()
    links = [each for each in urls.public if "uuid" not in each.pattern.converters]
    almost_over = reverse("league_division", args=[found.league.slug, "2026-2027", 2])
    visited = ["/leagues/", *pages(links, found.names), almost_over]
    look(phone, axe, [*visited, found.asked, found.confirmed, f"{found.confirmed}end/"])
    look(phone, axe, pages(urls.captain, found.names))
    look(phone, axe, [found.withdrawn], status=410)
    log_in_as(phone, found.league.leaders.all()[0].user, live_server.url)
    elsewhere = LeaguePerson.objects.get(links=None)
    look(phone, axe, pages(urls.desk, {**found.names, "person": elsewhere.number}))
    log_in_as(phone, organiser_of(found.club), live_server.url)
    desk = f"/clubs/{found.club.slug}/desk/"
    own = [f"{desk}events/", f"{desk}leagues/{found.league.slug}/people/"]
    look(phone, axe, [*pages(urls.club, found.names), *own])
