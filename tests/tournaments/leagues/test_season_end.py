"""Match points off, a club that leaves, and the next season made of this one."""

import datetime as dt
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from clubs.audit.services import chain_faults
from clubs.models import Club
from tests.factories import TESTS, ClubFactory, EveningFactory
from tests.pdfs import page_texts
from tests.tournaments.desk import desk_of, messages_in
from tests.tournaments.leagues import division_of, leader_client, league_of, match_of, play
from tests.tournaments.leagues.test_desk_leagues import division_url, table_of
from tests.tournaments.leagues.test_what_leagues_keep import filled_in
from tests.tournaments.public_pages import get, words
from tournaments.leagues.lineups import line_up_write
from tournaments.leagues.matches import fixtures_draw
from tournaments.leagues.services import division_add
from tournaments.leagues.teams import TeamLine, teams_add
from tournaments.models import (
    Division,
    League,
    LeagueMatch,
    LeaguePenalty,
    LeagueSeason,
    LeagueTeam,
    MatchDay,
)

pytestmark = pytest.mark.django_db

UPPER, LOWER = ("A1", "A2", "A3", "A4"), ("B1", "B2", "B3", "B4")


def play_in_order(division: Division) -> None:
    """Each team beats all whose name comes later."""
    teams = list(division.teams.values_list("name", flat=True))
    for place, one in enumerate(teams):
        for two in teams[place + 1 :]:
            play(division, one, two, (1500, 1200), (1500, 1200))


def two_divisions(*, played: bool = True) -> League:
    """A season of two divisions of four, of which one goes up and down."""
    league = league_of()
    upper = division_of(league, UPPER, exchange=1)
    lower = division_add(season=upper.season, name="Klasse 2", actor=TESTS)
    teams_add(division=lower, lines=[TeamLine(name) for name in LOWER], actor=TESTS)
    fixtures_draw(division=lower, seed=2, actor=TESTS)
    if played:
        for division in (upper, Division.objects.select_related("season__league").get(pk=lower.pk)):
            play_in_order(division)
    return league


def next_url(league: League) -> str:
    return f"/leagues/{league.slug}/desk/seasons/2026-2027/next/"


def teams_in(season: LeagueSeason) -> list[list[str]]:
    return [
        sorted(division.teams.values_list("name", flat=True)) for division in season.divisions.all()
    ]


def given_by(leader: Client, url: str, **others: object) -> dict[str, Any]:
    """The page's form as it is filled in, with the plan that it shows."""
    page = leader.get(url)
    return {**filled_in(leader, url), "seen": page.context["plan"].seen, **others}


def test_match_points_are_taken_off_and_given_back(client: Client) -> None:
    division = division_of(league_of())
    league, team = division.season.league, division.teams.get(name="De Azen")
    play_in_order(division)
    leader, desk = leader_client(league), f"/leagues/{league.slug}/desk/"
    page = leader.post(f"{desk}teams/{team.pk}/penalties/", {"points": "0", "reason": "Te laat"})
    assert page.status_code == 422
    assert "Strafpunten" in words(page)
    given = {"points": "1.5", "reason": "Te laat"}
    assert leader.post(f"{desk}teams/{team.pk}/penalties/", given).status_code == 302
    line = next(row for row in table_of(client, division) if row[1].startswith("De Azen"))
    assert line[2] == "2,5"
    said = words(get(client, division_url(division)))
    assert "De Azen: strafpunten: 1,50. Te laat" in said
    assert "na 1,5 strafpunten (Te laat)" in said
    penalty = LeaguePenalty.objects.get()
    url = f"{desk}penalties/{penalty.pk}/remove/"
    assert leader.post(url, {"reason": ""}).status_code == 422
    leader.post(url, {"reason": "Het was overmacht"})
    line = next(row for row in table_of(client, division) if row[1].startswith("De Azen"))
    assert line[2] == "4"
    said = words(get(leader, f"{desk}trail/"))
    assert "Strafpunten kwijtgescholden voor De Azen: 1.5" in said
    assert "Reden: Het was overmacht" in said


def test_a_penalty_needs_points_and_a_reason() -> None:
    team = division_of(league_of()).teams.all()[0]
    for columns in ({"points": 0, "reason": "x"}, {"points": 1, "reason": ""}):
        with pytest.raises(IntegrityError), transaction.atomic():
            LeaguePenalty.objects.create(team=team, **columns)


def test_the_next_season_is_shown_made_made_again_and_undone() -> None:
    league = two_divisions()
    leader, url = leader_client(league), next_url(league)
    said = words(get(leader, url))
    assert "B1 komt omhoog uit Klasse 2: was daar eerste" in said
    assert "A4 komt omlaag uit Klasse 1: was daar laatste" in said
    assert LeagueSeason.objects.count() == 1
    given = given_by(leader, url)
    assert given["name"] == "2027-2028"
    page = leader.post(url, given, follow=True)
    assert messages_in(page) == ["Het seizoen 2027-2028 is er, met zijn teams."]
    made = league.seasons.all()[0]
    expected = [["A1", "A2", "A3", "B1"], ["A4", "B2", "B3", "B4"]]
    assert (made.name, teams_in(made), made.exchange) == ("2027-2028", expected, 1)
    rows = list(LeagueTeam.objects.filter(division__season=made).values_list("pk", flat=True))
    events = league_events(league)
    # Once more: the same teams, and nothing new in the trail.
    assert leader.post(url, given_by(leader, url)).status_code == 302
    assert list(LeagueTeam.objects.filter(division__season=made).values_list("pk", flat=True)) == (
        rows
    )
    assert league_events(league) == events
    leader.post(f"{url}undo/")
    assert LeagueSeason.objects.count() == 1
    assert leader.post(f"{url}undo/").status_code == 302
    league.refresh_from_db()
    assert chain_faults(league) == ()


def league_events(league: League) -> int:
    league.refresh_from_db()
    return league.chain_length


def test_a_correction_afterwards_is_followed_as_long_as_nothing_is_drawn() -> None:
    league = two_divisions()
    leader, url = leader_client(league), next_url(league)
    old = given_by(leader, url)
    leader.post(url, old)
    made = league.seasons.all()[0]
    upper = Division.objects.select_related("season__league").get(
        name="Klasse 1", season__name="2026-2027"
    )
    for other in UPPER[:3]:
        play(upper, "A4", other, (2000, 900), (2000, 900), why="Verwisseld")
    page = leader.post(url, old)
    assert page.status_code == 422
    assert "intussen gewijzigd" in words(page)
    leader.post(url, given_by(leader, url))
    assert teams_in(made) == [["A1", "A2", "A4", "B1"], ["A3", "B2", "B3", "B4"]]
    first = made.divisions.select_related("season__league")[0]
    fixtures_draw(division=first, seed=1, actor=TESTS)
    play(upper, "A3", "A2", (3000, 100), (3000, 100), why="Nog eens")
    page = leader.post(url, given_by(leader, url))
    assert page.status_code == 422
    assert "is het speelschema gemaakt" in words(page)
    first = made.divisions.select_related("season__league")[0]
    play(first, "A1", "B1", (1500, 1200), (1500, 1200))
    page = leader.post(f"{url}undo/", follow=True)
    assert messages_in(page) == ["Van 2027-2028 is al iets gespeeld, dus het blijft."]
    assert LeagueSeason.objects.count() == 2


@pytest.mark.full
def test_who_stops_and_who_is_new_counts_and_players_go_along() -> None:
    league = two_divisions()
    teams = {team.name: team for team in LeagueTeam.objects.all()}
    teams["A1"].players.create(name="Jan Bos", position=1)
    teams["A1"].players.create(name="Mia Smit", position=2, is_reserve=True)
    leader, url = leader_client(league), next_url(league)
    upper = teams["A1"].division_id
    given = given_by(leader, url, stop=[teams["A2"].pk])
    given |= {f"enter_{upper}": "Zwaluwen; Club Z", "preview": "1"}
    page = leader.post(url, given)
    assert "Zwaluwen is nieuw in de competitie" in words(page)
    assert "Zij stoppen: A2." in words(page)
    del given["preview"]
    leader.post(url, {**given, "seen": page.context["plan"].seen})
    made = league.seasons.all()[0]
    assert teams_in(made) == [["A1", "A3", "B1", "Zwaluwen"], ["A4", "B2", "B3", "B4"]]
    on = LeagueTeam.objects.get(division__season=made, name="A1")
    assert list(on.players.values_list("name", "position", "is_reserve")) == [
        ("Jan Bos", 1, False),
        ("Mia Smit", 2, True),
    ]
    assert on.continues_id == teams["A1"].pk
    again = given_by(leader, url)
    assert again[f"enter_{upper}"] == "Zwaluwen; Club Z"
    leader.post(url, again)
    assert teams_in(made) == [["A1", "A3", "B1", "Zwaluwen"], ["A4", "B2", "B3", "B4"]]


def test_all_faults_of_a_next_season_are_named_and_nothing_is_lost() -> None:
    league = two_divisions()
    leader, url = leader_client(league), next_url(league)
    upper = league.seasons.get().divisions.all()[0]
    typed = "a1\nNieuw\nnieuw"
    page = leader.post(url, {**given_by(leader, url), f"enter_{upper.pk}": typed})
    assert page.status_code == 422
    said = words(page)
    assert "Klasse 1: a1 speelt al mee" in said
    assert "Klasse 1: nieuw speelt al mee" in said
    assert typed in page.content.decode()
    assert LeagueSeason.objects.count() == 1


def test_without_all_results_the_next_season_is_asked_for_twice() -> None:
    league = two_divisions(played=False)
    leader, url = leader_client(league), next_url(league)
    assert "12 wedstrijden hebben nog geen uitslag" in words(get(leader, url))
    page = leader.post(url, given_by(leader, url, although_open=""))
    assert page.status_code == 422
    assert leader.post(url, given_by(leader, url, although_open="on")).status_code == 302


def test_a_team_goes_on_once() -> None:
    team, other, third = division_of(league_of()).teams.all()[:3]
    LeagueTeam.objects.filter(pk=other.pk).update(continues=team)
    with pytest.raises(IntegrityError), transaction.atomic():
        LeagueTeam.objects.filter(pk=third.pk).update(continues=team)
    season = team.division.season
    for name in ("1", "2"):
        LeagueSeason.objects.create(league=season.league, name=name, slug=name)
    LeagueSeason.objects.filter(name="1").update(rolled_from=season)
    with pytest.raises(IntegrityError), transaction.atomic():
        LeagueSeason.objects.filter(name="2").update(rolled_from=season)


def test_a_club_leaves_with_all_its_teams(client: Client) -> None:
    league = league_of()
    division = division_of(league, drawn=False)
    division.teams.filter(name__in=["De Azen", "Boeren"]).update(club="Oost")
    fixtures_draw(division=division, seed=1, first=dt.date(2026, 12, 4), actor=TESTS)
    division.refresh_from_db()
    MatchDay.objects.update(host=division.teams.get(name="Boeren"))
    leader = leader_client(league)
    url = f"/leagues/{league.slug}/desk/seasons/2026-2027/leaves/"
    page = leader.post(url, {"club": "Oost", "results_stand": "yes", "reason": ""})
    assert page.status_code == 422
    given = {"club": "Oost", "results_stand": "yes", "reason": "De zaal is dicht"}
    (said,) = messages_in(leader.post(url, given, follow=True))
    assert said.startswith("2 teams hebben zich teruggetrokken: Boeren, De Azen.")
    assert "Kies een andere ontvanger" in said
    desk = words(get(leader, f"/leagues/{league.slug}/desk/seasons/2026-2027/"))
    assert "De ontvanger van deze speeldagen trok zich terug" in desk
    play(division, "Negens", "Vrouwen", (1500, 1200), (1500, 1200))
    # Each of the others won against both; the match of the two is nobody's.
    assert {row[1]: row[2] for row in table_of(client, division)} == {
        "Negens": "6",
        "Vrouwen": "4",
        "Boeren": "0",
        "De Azen": "0",
    }
    assert match_of(division, "De Azen", "Boeren").is_over is False
    page = leader.post(url, given)
    assert page.status_code == 422  # no longer one of the clubs to choose from


@pytest.mark.full
def test_a_whole_season_and_the_forms_of_a_day_are_printed(client: Client) -> None:
    league = two_divisions()
    for team in LeagueTeam.objects.all():
        for position in range(1, 6):
            team.players.create(name=f"{team.name} speler {position}", position=position)
    answer = get(client, f"/leagues/{league.slug}/seasons/2026-2027/season.pdf")
    said = " ".join(page_texts(answer.content))
    for line in ("Klasse 1", "Klasse 2", "A1 – A2", "3.000 – 2.400", "Speeldag 1"):
        assert line in said
    day = MatchDay.objects.filter(division__name="Klasse 1").get()
    url = f"/leagues/{league.slug}/desk/days/{day.pk}/forms.pdf"
    LeagueMatch.objects.filter(day=day).update(scores=[], binding=False)
    match = next(
        one
        for one in LeagueMatch.objects.filter(day=day, round=1).select_related(
            "home__division", "away__division", "day__division__season__league"
        )
        if "A1" in (one.home.name, one.away.name)
    )
    people = [f"A1 speler {n}" for n in (5, 1, 2, 3)]
    side = "home" if match.home.name == "A1" else "away"
    line_up_write(match=match, side=side, people=people, version=0, actor=TESTS)
    pages = page_texts(get(leader_client(league), url).content)
    assert len(pages) == 6
    said = " ".join(pages)
    assert [said.count(f"A1 speler {n}") for n in (1, 2, 3, 4, 5)] == [3, 3, 3, 0, 3]
    assert said.count("Aanvoerder van A1:") == 3
    assert client.get(url).status_code == 302


@pytest.mark.parametrize("days", [1, 5])
def test_match_days_are_in_the_calendar_of_each_club(
    client: Client, days: int, django_assert_num_queries: Any
) -> None:
    club = ClubFactory.create(name="Oost", slug="oost")
    league = league_of()
    division = division_of(league, tuple(f"Team {n}" for n in range(16)), drawn=False)
    division.teams.filter(name="Team 3").update(club="Oost", club_uuid=club.uuid)
    today = timezone.localdate()
    fixtures_draw(division=division, seed=1, first=today, starts_at=dt.time(20), actor=TESTS)
    own = MatchDay.objects.filter(matches__home__name="Team 3") | MatchDay.objects.filter(
        matches__away__name="Team 3"
    )
    chosen = list(own.distinct().order_by("number").values_list("pk", flat=True)[:days])
    MatchDay.objects.exclude(pk__in=chosen).update(date=None)
    MatchDay.objects.filter(pk=chosen[0]).update(moved_why="Zaal bezet")
    with django_assert_num_queries(4):
        page = get(client, "/clubs/oost/calendar/")
    said = words(page)
    assert said.count("Competitie Noord, speeldag") == days
    assert "Team 3" in said
    with django_assert_num_queries(3):
        feed = get(client, "/clubs/oost/calendar.ics").content
    events = list(Calendar.from_ical(feed).events)
    assert len(events) == days
    assert events[0]["UID"] == f"{league.uuid}-{chosen[0]}@klaverclub"
    assert events[0]["DESCRIPTION"] == "Verplaatst: Zaal bezet"
    desk = words(get(desk_of(club), "/clubs/oost/desk/"))
    assert "Speeldagen in competities" in desk
    assert desk.count("Competitie Noord") == min(days, 3)
    # The day is an evening of the club by now, and there once.
    evening = EveningFactory.create(club=club, date=today)
    MatchDay.objects.filter(pk=chosen[0]).update(evening_uuid=evening.uuid)
    assert words(get(client, "/clubs/oost/calendar/")).count("speeldag") == days - 1
    # Whoever withdrew plays no more.
    division.teams.filter(name="Team 3").update(withdrawn_on=today, withdrawn_why="Te weinig")
    assert "speeldag" not in words(get(client, "/clubs/oost/calendar/"))


@pytest.mark.full
def test_captains_go_on_in_the_next_season_with_a_new_link(client: Client) -> None:
    league = two_divisions()
    club = ClubFactory.create(name="Oost", slug="oost")
    LeagueTeam.objects.filter(name="A1").update(club="Oost", club_uuid=club.uuid)
    leader, url = leader_client(league), next_url(league)
    of_club = "/clubs/oost/desk/leagues/"
    first = LeagueTeam.objects.get(name="A1")
    desk_of(club).post(f"{of_club}teams/{first.pk}/link/", {"do": "make"})
    old = link_of(club)
    leader.post(url, given_by(leader, url))
    made = league.seasons.all()[0]
    # The old link works as long as there is no new one, and says where to go.
    assert "Uw team speelt verder in seizoen 2027-2028" in words(get(client, old))
    season = f"/leagues/{league.slug}/desk/seasons/{made.slug}/"
    assert "1 aanvoerder heeft nog de link van het vorige seizoen" in words(get(leader, season))
    page = leader.post(f"{season}links/", follow=True)
    (said,) = messages_in(page)
    assert said.startswith("1 aanvoerder heeft een nieuwe link; die van het vorige seizoen werkt")
    assert "van het vorige seizoen" not in words(page).partition("Klassen")[2]
    new = link_of(club)
    assert new != old
    gone = client.get(old)
    assert gone.status_code == 410
    assert "Uw team speelt verder in seizoen 2027-2028" in words(gone)
    assert "Aanvoerder van A1" in words(get(client, new))
    # Once more: nothing is left to renew, and the link stays.
    leader.post(f"{season}links/")
    assert link_of(club) == new
    # A club that makes the link itself ends the old one, too.
    leader.post(f"{url}undo/")
    desk_of(club).post(f"{of_club}teams/{first.pk}/link/", {"do": "make"})
    again = link_of(club)
    leader.post(url, given_by(leader, url))
    second = LeagueTeam.objects.get(continues=first)
    desk_of(club).post(f"{of_club}teams/{second.pk}/link/", {"do": "make"})
    assert client.get(again).status_code == 410


def link_of(club: Club) -> str:
    """The address of the captain of the club's only team in the latest season."""
    ((_team, address),) = desk_of(club).get(f"/clubs/{club.slug}/desk/leagues/").context["teams"]
    return "/captain/" + str(address).partition("/captain/")[2]
