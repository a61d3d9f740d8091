"""What a club does in leagues by the API: the match days it hosts, and evenings that count."""

import datetime as dt

import pytest
from django.test import Client

from clubs.models import Club, Member
from tests.api.caller import Caller, new_key
from tests.factories import ClubFactory, director_of, organiser_of
from tests.tournaments.leagues import division_of, league_of
from tests.tournaments.leagues.test_captains import team_of
from tests.tournaments.leagues.test_evenings_of_leagues import play_round, ready
from tests.tournaments.leagues.test_events_of_clubs import played as published_day
from tests.tournaments.leagues.test_rankings import club_in, four, known, played
from tournaments.leagues.event_documents import event_document
from tournaments.models import Evening, LeagueMatch, PersonLink, Placement

pytestmark = pytest.mark.django_db


def host_of(club: Club) -> Caller:
    return Caller(organiser_of(club), f"/api/v1/clubs/{club.slug}/leagues/")


@pytest.mark.both
def test_a_host_makes_the_evening_and_seats_each_round() -> None:
    club, division, day = ready()
    api = host_of(club)
    (hosted,) = api.get("days/")["results"]
    assert (hosted["league"], hosted["evening"], hosted["day"]["id"]) == (
        division.season.league.slug,
        None,
        day.pk,
    )
    url, key = f"days/{day.pk}/seating/", new_key()
    made = api.post(url, status=201, idempotency_key=key)
    assert made == {"evening": "2026-12-04", "round": 1}
    assert api.post(url, status=201, idempotency_key=key) == made
    evening = Evening.objects.get()
    assert api.get("days/")["results"][0]["evening"] == evening.slug
    for number in (2, 3):
        play_round(evening, number - 1)
        assert api.post(url, status=201) == {**made, "round": number}
    assert Placement.objects.filter(round__evening=evening).exclude(table=None).count() == 48
    play_round(evening, 3)
    assert api.post(url, status=422)["code"] == "all_seated"
    other = host_of(ClubFactory.create())
    assert other.post(url, status=404)["code"] == "not_found"


def test_a_host_says_that_a_team_did_not_appear() -> None:
    club, division, day = ready()
    api, team = host_of(club), team_of(division, "Vrouwen")
    url = f"days/{day.pk}/absent/{team.pk}/"
    assert api.put(url, {}, status=422)["errors"][0]["field"] == "reason"
    told = api.put(url, {"reason": "Autopech"})
    absent = [match for match in told["matches"] if match["walkover"] == team.pk]
    assert [match["binding"] for match in absent] == [False] * 3
    assert LeagueMatch.objects.filter(walkover=team).count() == 3
    assert api.put(url, {"reason": "Autopech"}, status=422)["code"] == "absent_already"
    elsewhere = team_of(division_of(league_of("Competitie Zuid")), "Negens")
    assert api.put(f"days/{day.pk}/absent/{elsewhere.pk}/", {"reason": "x"}, status=404)


def test_an_evening_counts_for_the_rankings_and_no_more() -> None:
    league = league_of()
    division_of(league, drawn=False)
    club = club_in(league, "De Azen")
    evening = played(league, club, dt.date(2026, 11, 4), dict.fromkeys(four(club), 4500))
    api = host_of(club)
    url = f"{league.slug}/evenings/"
    (listed,) = api.get(url)["results"]
    assert (listed["evening"], listed["counts"]) == (evening.slug, True)
    for _time in range(2):
        assert api.send("DELETE", f"{url}{evening.slug}/").status_code == 204
        assert not league.ranked_evenings.exists()
    for _time in range(2):
        assert api.send("PUT", f"{url}{evening.slug}/").status_code == 204
        assert league.ranked_evenings.count() == 1
    Evening.objects.update(state="running")
    assert api.send("PUT", f"{url}{evening.slug}/").status_code == 404
    stranger = host_of(ClubFactory.create())
    assert stranger.get(url, status=422)["code"] == "not_in_the_league"


@pytest.mark.full
def test_a_club_ends_the_link_of_a_member() -> None:
    league = league_of()
    division_of(league, drawn=False)
    club = club_in(league, "De Azen")
    member = four(club)[0]
    known(league, member)
    url = f"{league.slug}/people/{member.pk}/"
    assert host_of(ClubFactory.create()).send("DELETE", url).status_code == 404
    for _time in range(2):
        assert host_of(club).send("DELETE", url).status_code == 204
        assert not PersonLink.objects.exists()


@pytest.mark.full
def test_who_may_do_what() -> None:
    club, _division, day = ready()
    league = day.division.season.league.slug
    director = Caller(director_of(club), f"/api/v1/clubs/{club.slug}/leagues/")
    nobody = Caller(None, director.base)
    tries = {
        ("GET", "days/"): 200,
        ("POST", f"days/{day.pk}/seating/"): 201,
        ("GET", f"{league}/evenings/"): 403,
        ("PUT", f"{league}/evenings/2026-12-04/"): 403,
        ("DELETE", f"{league}/people/1/"): 403,
    }
    for (method, path), status in tries.items():
        assert nobody.send(method, path, None).status_code == 401, path
        assert director.send(method, path, None).status_code == status, path


def test_a_club_gives_a_league_elsewhere_its_evening_a_link_and_a_number(client: Client) -> None:
    club, _day, evening = published_day()
    api = Caller(organiser_of(club), f"/api/v1/clubs/{club.slug}/events/")
    member = Member.objects.get(club=club, name="Boeren 1")
    given = {"league": "Elders", "member": member.pk, "number": 7, "code": "abcde fghij"}
    noted = api.put("numbers/", given)
    assert noted == {"id": noted["id"], "league": "elders", "member": member.pk, "number": 7}
    assert api.put("numbers/", given) == noted
    assert api.get("numbers/")["results"] == [noted]
    assert api.put("numbers/", {**given, "code": "kort"}, status=422)["code"] == "wrong_code"
    url = f"{evening.slug}/"
    assert api.get(url, status=400)["errors"][0]["field"] == "league"
    Evening.objects.update(state="running")
    assert api.get(f"{url}?league=Elders", status=422)["code"] == "not_published"
    Evening.objects.update(state="closed")
    document = api.get(f"{url}?league=Elders")
    assert document == event_document(evening, "elders")
    assert {each["number"] for each in document["participants"]} == {None, "7"}
    made = api.post("links/", {"league": "elders"}, status=201)
    path = "/" + made.pop("address").split("/", 3)[3]
    assert api.get("links/")["results"] == [made]
    assert client.get(f"{path}{evening.uuid}/").json() == document
    other = ClubFactory.create()
    stranger = Caller(organiser_of(other), f"/api/v1/clubs/{other.slug}/events/")
    assert stranger.send("DELETE", f"links/{made['id']}/").status_code == 404
    assert api.send("DELETE", f"links/{made['id']}/").status_code == 204
    assert client.get(path).status_code == 404
    assert api.send("DELETE", f"numbers/{noted['id']}/").status_code == 204
    assert api.get("numbers/")["results"] == []
