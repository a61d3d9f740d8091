"""A season in which two teams meet, at home and away, through pages: each meeting an evening of its
host, both legs, and the table that comes of it."""

import datetime as dt

import pytest
from django.test import Client

from clubs.models import Club
from tests.factories import TESTS, ClubFactory, MemberFactory, regulation_of
from tests.tournaments.desk import desk_of, messages_in
from tests.tournaments.leagues import leader_client, league_of
from tests.tournaments.leagues.test_captains import captain_of, name_people
from tests.tournaments.leagues.test_desk_leagues import table_of
from tests.tournaments.leagues.test_evenings_of_leagues import play_round
from tests.tournaments.leagues.test_what_leagues_keep import filled_in
from tests.tournaments.public_pages import get, words
from tournaments.closing.services import evening_close
from tournaments.models import (
    Division,
    Evening,
    LeagueMatch,
    LeagueTeam,
    MatchDay,
)

pytestmark = pytest.mark.django_db

NAMES = ("De Azen", "Boeren", "Negens", "Vrouwen")


def season_of_two() -> tuple[Client, str, Division]:
    """The leader makes a season of meetings of two, twice with everybody, of four clubs here."""
    league = league_of()
    for name in NAMES:
        club = ClubFactory.create(name=name, slug=name.lower().replace(" ", "-"))
        regulation_of(club)
        for number in range(1, 5):
            MemberFactory.create(club=club, name=f"{name} {number}")
    leader, desk = leader_client(league), f"/leagues/{league.slug}/desk/"
    leader.post(desk, {"name": "2026-2027"})
    rule = f"{desk}seasons/2026-2027/rule/"
    given = filled_in(leader, rule) | {"meeting": "two", "cycles": "2"}
    assert leader.post(rule, given).status_code == 302
    division = Division.objects.select_related("season__league").get()
    leader.post(f"{desk}divisions/{division.pk}/", {"teams": "\n".join(NAMES)})
    for team in LeagueTeam.objects.all():
        url = f"{desk}teams/{team.pk}/"
        people = "\n".join(f"{team.name} {number}" for number in range(1, 5))
        assert leader.post(url, filled_in(leader, url) | {"players": people}).status_code == 302
    fixtures = {"seed": "3", "first": "2026-09-04", "weeks": "1", "starts_at": "19:30"}
    leader.post(f"{desk}divisions/{division.pk}/fixtures/", fixtures)
    return leader, desk, division


@pytest.mark.full
def test_both_legs_are_evenings_of_their_hosts(client: Client) -> None:
    leader, desk, division = season_of_two()
    days = list(MatchDay.objects.order_by("number", "group"))
    assert [day.number for day in days] == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]
    legs = [
        (match.home.name, match.away.name)
        for match in LeagueMatch.objects.select_related("home", "away")
    ]
    assert sorted(legs) == sorted((one, two) for one in NAMES for two in NAMES if one != two)
    assert all(day.matches.get().home_id == day.host_id for day in days)
    said = words(get(client, f"/leagues/{division.season.league.slug}/"))
    assert "Op een speeldag spelen twee teams tegen elkaar, uit en thuis" in said
    wins = dict.fromkeys(NAMES, 0)
    for day in days:
        match = day.matches.select_related("home", "away").get()
        host = Club.objects.get(uuid=str(match.home.club_uuid))
        page = desk_of(host).post(f"/clubs/{host.slug}/desk/leagues/{day.pk}/", follow=True)
        assert messages_in(page) == ["De avond is gemaakt en ronde 1 staat klaar."]
        evening = Evening.objects.filter(club=host).latest("pk")
        assert evening.date == day.date
        assert (evening.rounds_planned, evening.rounds.get().tables.count()) == (1, 2)
        play_round(evening, 1)
        evening_close(evening_id=evening.pk, actor=TESTS)
        match.refresh_from_db()
        assert match.scores == [[1310, 1282], [1320, 1272]]
        wins[match.home.name] += 1
        bind = {f"bind_{match.pk}": match.version}
        assert leader.post(f"{desk}days/{day.pk}/binding/", bind).status_code == 302
    # Everybody won at home and lost away: all are equal in everything.
    assert wins == dict.fromkeys(NAMES, 3)
    assert {(row[2], row[3]) for row in table_of(client, division)} == {("6", "0")}
    answer = get(client, f"/leagues/{division.season.league.slug}/seasons/2026-2027/season.pdf")
    assert answer.content[:4] == b"%PDF"


@pytest.mark.full
def test_a_meeting_moves_and_its_captains_say_who_plays(client: Client) -> None:
    leader, desk, division = season_of_two()
    day = MatchDay.objects.order_by("number", "group")[0]
    match = LeagueMatch.objects.select_related(
        "home__division", "away__division", "day__division__season__league"
    ).get(day=day)
    move = f"{desk}days/{day.pk}/move/"
    given = filled_in(leader, move) | {"date": "2026-09-11", "reason": "Zaal bezet"}
    page = leader.post(move, given, follow=True)
    assert messages_in(page)[0].startswith("Speeldag 1 is nu op vrijdag 11 september 2026")
    away = captain_of(match.away)
    said = words(get(client, away))
    assert f"Ronde 1: {match.home.name} – {match.away.name}" in said
    url = f"{away}matches/{match.pk}/line-up/"
    people = [f"{match.away.name} {number}" for number in (4, 3, 2)]
    assert name_people(client, url, *people, "Een Invaller").status_code == 302
    host = Club.objects.get(uuid=str(match.home.club_uuid))
    desk_of(host).post(f"/clubs/{host.slug}/desk/leagues/{day.pk}/")
    evening = Evening.objects.get()
    assert evening.date == dt.date(2026, 9, 11)
    live = words(get(client, f"/leagues/{division.season.league.slug}/days/{day.pk}/"))
    assert "Een Invaller" in live
    play_round(evening, 1)
    evening_close(evening_id=evening.pk, actor=TESTS)
    match.refresh_from_db()
    answer = f"{away}matches/{match.pk}/answer/"
    assert "Uitslagen om na te kijken" in words(get(client, away))
    home = captain_of(match.home)
    assert "Uitslagen om na te kijken" not in words(get(client, home))
    assert client.post(answer, {"do": "confirm", "version": match.version}).status_code == 302
    assert f"{match.away.name} zegt dat het klopt" in words(get(leader, f"{desk}days/{day.pk}/"))


def test_a_team_of_three_starts_and_one_that_is_not_there_loses() -> None:
    season_of_two()
    day, other = MatchDay.objects.order_by("number", "group")[:2]
    match = LeagueMatch.objects.select_related("home", "away").get(day=day)
    host = Club.objects.get(uuid=str(match.home.club_uuid))
    of_host = f"/clubs/{host.slug}/desk/leagues/{day.pk}/"
    url = f"{of_host}line-ups/{match.pk}/{match.away_id}/"
    three = [f"{match.away.name} {number}" for number in (1, 2, 3)]
    assert name_people(desk_of(host), url, *three, "").status_code == 302
    desk_of(host).post(of_host)
    evening = Evening.objects.get()
    assert evening.rounds.get().tables.count() == 1
    play_round(evening, 1)
    evening_close(evening_id=evening.pk, actor=TESTS)
    match.refresh_from_db()
    assert match.scores == [[1310, 1282], [1310, 0]]
    absent = other.matches.select_related("home", "away").get()
    there = Club.objects.get(uuid=str(absent.home.club_uuid))
    away = f"/clubs/{there.slug}/desk/leagues/{other.pk}/absent/{absent.away_id}/"
    desk_of(there).post(away, {"reason": "Autopech"})
    absent.refresh_from_db()
    assert (absent.walkover_id, absent.binding) == (absent.away_id, False)
