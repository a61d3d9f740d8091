"""Captains, numbers and rankings by the API: what each link opens, who may do what, and that each
value is explained result by result."""

import datetime as dt
from typing import Any

import pytest

from clubs.models import ApiAnswer, Club
from tests.api.caller import Caller, new_key
from tests.factories import ClubFactory, MemberFactory, organiser_of
from tests.tournaments.leagues import division_of, league_of
from tests.tournaments.leagues.test_captains import match_in, team_of
from tests.tournaments.leagues.test_captains import played as played_day
from tests.tournaments.leagues.test_evenings_of_leagues import made, ready
from tests.tournaments.leagues.test_rankings import club_in, four, known, played
from tournaments.models import (
    CaptainLink,
    League,
    LeagueMatch,
    LeaguePerson,
    LeagueTeam,
    LineUp,
    Placement,
    RankingList,
)

pytestmark = pytest.mark.django_db

RULE = {
    "name": "Beste spelers",
    "family": "amsterdam-16",
    "ranks": "player",
    "minimum_rounds": 3,
    "event_players": 4,
}


def leader_of(league: League) -> Caller:
    return Caller(league.leaders.all()[0].user, f"/api/v1/leagues/{league.slug}/")


def anybody(league: League) -> Caller:
    return Caller(None, f"/api/v1/leagues/{league.slug}/")


def captain_of(team: LeagueTeam) -> Caller:
    """Whoever has a new link of this team's captain."""
    league = team.division.season.league
    link = leader_of(league).put(f"teams/{team.pk}/captain/", {"renew": True})
    assert link["link"].endswith(f"/captain/{link['captain']}/")
    return Caller(None, f"/api/v1/captain/{link['captain']}/")


@pytest.mark.both
def test_a_captain_says_who_plays_and_the_seats_follow() -> None:
    _desk, _day, evening = made()
    division = _day.division
    team = team_of(division, "Vrouwen")
    captain, match = captain_of(team), match_in(division, "Vrouwen", 1)
    shown = captain.get("")
    assert (shown["name"], len(shown["players"]), len(shown["matches"])) == ("Vrouwen", 4, 3)
    first = shown["matches"][0]
    assert (first["id"], first["line_up"], first["answers"]) == (match.pk, None, True)
    four_of_them = [f"Vrouwen {number}" for number in (4, 3, 2)]
    given = {"people": [*four_of_them, "Een Invaller"], "version": "0"}
    line_up = captain.put(f"matches/{match.pk}/line-up/", given)
    assert line_up["people"] == given["people"]
    seated = Placement.objects.filter(round__evening=evening).exclude(table=None)
    names = set(seated.values_list("member__name", flat=True))
    assert {"Een Invaller", *four_of_them} <= names
    assert "Vrouwen 1" not in names
    told = captain.put(f"matches/{match.pk}/line-up/", given, status=409)
    assert told["current"]["version"] == line_up["version"]
    twice = {"people": ["Vrouwen 1", "Vrouwen 1", "", ""], "version": line_up["version"]}
    assert captain.put(f"matches/{match.pk}/line-up/", twice, status=422)["code"] == "bad_line_up"
    assert captain.get("")["matches"][0]["line_up"] == line_up
    other = match_in(division, "Boeren", 1)
    if other.pk == match.pk:
        other = match_in(division, "Negens", 1)
    assert captain.put(f"matches/{other.pk}/line-up/", given, status=404)["code"] == "not_found"


def test_visitors_confirm_or_object_by_the_api() -> None:
    day, _evening, match, _page, _side = played_day()
    captain = captain_of(team_of(day.division, "Negens"))
    url = f"matches/{match.pk}/answer/"
    match.refresh_from_db()
    version = str(match.version)
    refused = captain.put(url, {"agrees": False, "version": version}, status=422)
    assert refused["code"] == "words_missing"
    given = {"agrees": False, "words": "Tafel 2 was 1.340", "version": version}
    said = captain.put(url, given)
    assert (said["answer"], said["version"]) == (
        {"agrees": False, "words": "Tafel 2 was 1.340"},
        str(match.version + 1),
    )
    told = captain.put(url, {"agrees": True, "version": version}, status=409)
    assert told["current"]["version"] == said["version"]
    assert captain.put(url, {"agrees": True, "version": said["version"]})["answer"]["agrees"]
    host = captain_of(team_of(day.division, "Boeren"))
    told = host.put(url, {"agrees": True, "version": said["version"]}, status=422)
    assert told["code"] == "not_visitors"


def test_a_link_that_is_renewed_or_ended_opens_nothing() -> None:
    club, division, _day = ready()
    team = team_of(division, "Boeren")
    first = captain_of(team)
    second = captain_of(team)
    assert first.get("", status=404)["code"] == "not_found"
    assert second.get("")["team"] == team.pk
    leader = leader_of(division.season.league)
    assert leader.send("DELETE", f"teams/{team.pk}/captain/").status_code == 204
    assert second.get("", status=404)["code"] == "not_found"
    assert Caller(None, f"/api/v1/captain/{'x' * 20}/").get("", status=404)
    # A club has those of its own teams only.
    LeagueTeam.objects.filter(pk=team.pk).update(club_uuid=club.uuid)
    desk = Caller(organiser_of(club), f"/api/v1/clubs/{club.slug}/leagues/")
    link = desk.put(f"teams/{team.pk}/captain/", {})
    assert desk.put(f"teams/{team.pk}/captain/", {}) == link
    other = team_of(division, "Negens")
    assert desk.put(f"teams/{other.pk}/captain/", {}, status=404)
    assert desk.send("DELETE", f"teams/{team.pk}/captain/").status_code == 204
    assert not CaptainLink.objects.filter(revoked_at=None).exists()


def test_the_host_says_for_a_team_who_plays_and_the_leader_decides() -> None:
    club, division, day = ready()
    LeagueTeam.objects.filter(name="Boeren").update(club="Boeren", club_uuid=club.uuid)
    LeagueTeam.objects.filter(name="Negens").update(club="Negens")
    team, match = team_of(division, "Negens"), match_in(division, "Negens", 1)
    host = Caller(organiser_of(club), f"/api/v1/clubs/{club.slug}/leagues/")
    people = ["Negens 1", "Negens 2", "Negens 3", "Boeren 1"]
    url = f"matches/{match.pk}/line-ups/{team.pk}/"
    line_up = host.put(url, {"people": people, "version": "0"})
    assert line_up["marked"] == [{"name": "Boeren 1", "marks": ["other_club"]}]
    elsewhere = ClubFactory.create()
    stranger = Caller(organiser_of(elsewhere), f"/api/v1/clubs/{elsewhere.slug}/leagues/")
    assert stranger.put(url, {"people": people, "version": "1"}, status=404)
    third = next(each for each in (match.home, match.away) if each.pk != team.pk)
    absent = next(each for each in division.teams.all() if each not in (team, third))
    not_in_it = f"matches/{match.pk}/line-ups/{absent.pk}/"
    assert host.put(not_in_it, {"people": people, "version": "0"}, status=404)
    leader = leader_of(division.season.league)
    assert leader.get(f"days/{day.pk}/line-ups/") == [line_up]
    verdict = {"verdict": "not_allowed", "reason": "Van Boeren", "version": line_up["version"]}
    decided = leader.put(f"line-ups/{line_up['id']}/verdict/", verdict)
    assert (decided["verdict"], decided["verdict_why"]) == ("not_allowed", "Van Boeren")
    told = leader.put(f"line-ups/{line_up['id']}/verdict/", verdict, status=409)
    assert told["current"] == decided


def test_a_host_whose_day_another_club_plays_types_no_line_up() -> None:
    """As on its page: the evening is another club's, and its seats would follow."""
    desk, day, _evening = made()
    team, match = team_of(day.division, "Negens"), match_in(day.division, "Negens", 1)
    other = ClubFactory.create()
    LeagueTeam.objects.filter(name="Boeren").update(club_uuid=other.uuid)
    host = Caller(organiser_of(other), f"/api/v1/clubs/{other.slug}/leagues/")
    given = {"people": [f"Negens {number}" for number in (4, 3, 2, 1)], "version": "0"}
    assert host.put(f"matches/{match.pk}/line-ups/{team.pk}/", given, status=404)
    assert not LineUp.objects.exists()
    assert desk.get(f"/clubs/boeren/desk/leagues/{day.pk}/").status_code == 404


@pytest.mark.both
def test_a_ranking_from_its_making_to_a_list_that_explains_each_value() -> None:
    league = league_of()
    division_of(league, drawn=False)
    club = club_in(league, "De Azen")
    people = four(club)
    person = known(league, people[0])
    hidden = MemberFactory.create(club=club, public_as="hidden")
    known(league, hidden)
    totals = dict.fromkeys([*people, hidden], 4500)
    played(league, club, dt.date(2026, 1, 4), totals)
    played(league, club, dt.date(2026, 2, 4), {**totals, people[0]: 4800})
    api, public = leader_of(league), anybody(league)
    refused = api.post("rankings/", {**RULE, "family": ""}, status=422)
    assert refused["code"] == "mixed_rules"
    ranking = api.post("rankings/", RULE, status=201)
    assert public.get("rankings/")["results"] == [ranking]
    here = f"rankings/{ranking['slug']}/"
    change = {"months": 12, "version": ranking["version"]}
    assert api.ask("PATCH", here, change)["months"] == 12
    assert api.ask("PATCH", here, change, status=409)["current"]["months"] == 12
    preview = api.get(f"{here}preview/?on=2026-11-22")
    assert api.get(f"{here}preview/?on=gisteren", status=400)["errors"][0]["field"] == "on"
    key, publish = new_key(), {"on": "2026-11-22", "seen": preview["seen"]}
    made = api.post(f"{here}lists/", publish, status=201, idempotency_key=key)
    assert api.post(f"{here}lists/", publish, status=201, idempotency_key=key) == made
    stale = {**publish, "seen": "0" * 64}
    assert api.post(f"{here}lists/", stale, status=409)["code"] == "changed_meanwhile"
    assert [each["number"] for each in public.get(f"{here}lists/")["results"]] == [1]
    listed = public.get(f"{here}lists/1/")
    assert (listed, RankingList.objects.get().seal) == (made, listed["seal"])
    first, second = listed["rows"]
    result = {"club": "De Azen", "rounds": 3, "players": 5, "share": 100.0}
    assert first == {
        "place": 1,
        "name": people[0].name,
        "number": person.number,
        "value": "1550.00",
        "rounds": 6,
        "low": None,
        "high": None,
        "results": [
            {**result, "date": "2026-01-04", "total": 4500, "value": "4500"},
            {**result, "date": "2026-02-04", "total": 4800, "value": "4800"},
        ],
    }
    assert (second["name"], second["number"], second["results"]) == ("Anonymous", None, [])
    shown = public.get(f"people/{person.number}/")
    (place,) = shown["places"]
    assert (place["ranking"], place["list"], place["value"]) == (ranking["slug"], 1, "1550.00")
    assert [(each["total"], each["value"]) for each in shown["results"]] == [
        (4800, "100.00"),
        (4500, "50.00"),
    ]
    assert public.get(f"people/{LeaguePerson.objects.order_by('-number')[0].number}/", status=404)


def test_numbers_are_confirmed_by_their_link_and_ended() -> None:
    league = league_of()
    division_of(league, drawn=False)
    azen, boeren = club_in(league, "De Azen"), club_in(league, "Boeren")
    member = MemberFactory.create(club=azen, name="Mia Smit")
    desk = Caller(organiser_of(azen), f"/api/v1/clubs/{azen.slug}/leagues/{league.slug}/people/")
    key = new_key()
    made = desk.post("", {"member": member.pk}, status=201, idempotency_key=key)
    assert (made["name"], made["number"]) == ("Mia Smit", None)
    assert desk.post("", {"member": member.pk}, status=201, idempotency_key=key) == made
    assert desk.get("")["results"] == [made]
    own = Caller(None, f"/api/v1{path_of(made)}")
    assert own.get("") == {"number": None, "code": "", "shown": ""}
    missing = own.put("", {"code": "AAAAA-AAAAA"}, status=422)
    assert missing["code"] == "number_missing"
    yes = own.put("", {})
    assert (yes["number"], yes["shown"]) == (1, "Mia Smit")
    assert own.put("", {}) == own.put("", {"number": 1, "code": yes["code"]}) == yes
    refused = own.put("", {"number": 2, "code": yes["code"]}, status=422)
    assert refused["code"] == "other_number"
    assert LeaguePerson.objects.count() == 1
    other = MemberFactory.create(club=boeren, name="M. Smit")
    there = Caller(
        organiser_of(boeren), f"/api/v1/clubs/{boeren.slug}/leagues/{league.slug}/people/"
    )
    second = Caller(None, f"/api/v1{path_of(there.post('', {'member': other.pk}, status=201))}")
    wrong = {"number": 1, "code": "AAAAA-AAAAA"}
    assert second.put("", wrong, status=422)["code"] == "wrong_code"
    assert second.put("", {"number": 1, "code": yes["code"]})["number"] == 1
    assert own.send("DELETE", "").status_code == 204
    assert own.get("", status=404)["code"] == "not_found"
    assert LeaguePerson.objects.get().links.count() == 1
    given = leader_of(league).post("people/", status=201, idempotency_key=new_key())
    assert leader_of(league).get("people/")["results"] == [given]
    assert leader_of(league).send("DELETE", f"people/{given['number']}/").status_code == 204
    assert not ApiAnswer.objects.exists()  # a link and a code are kept nowhere


def path_of(made: Any) -> str:
    """The address of a link in the API, which is that of its page."""
    return "/leagues/" + str(made["link"]).partition("/leagues/")[2]


@pytest.mark.full
def test_who_may_do_what() -> None:
    club, division, day = ready()
    league = division.season.league
    LeagueTeam.objects.filter(name="Boeren").update(club="Boeren", club_uuid=club.uuid)
    match, team = match_in(division, "Negens", 1), team_of(division, "Negens")
    captain = captain_of(team)
    captain.put(
        f"matches/{match.pk}/line-up/",
        {"people": [f"Negens {number}" for number in range(1, 5)], "version": "0"},
    )
    line_up = LineUp.objects.get()
    tries = {
        "a list of rankings": ("POST", "rankings/", RULE),
        "a number": ("POST", "people/", {}),
        "a captain's link": ("PUT", f"teams/{team.pk}/captain/", {}),
        "a verdict": (
            "PUT",
            f"line-ups/{line_up.pk}/verdict/",
            {"verdict": "allowed", "reason": "x", "version": "1"},
        ),
        "the line-ups of a day": ("GET", f"days/{day.pk}/line-ups/", None),
        "the numbers": ("GET", "people/", None),
    }
    base = f"/api/v1/leagues/{league.slug}/"
    host, leader = organiser_of(club), league.leaders.all()[0].user
    callers = {
        "nobody": Caller(None, base),
        "the organiser of a club": Caller(host, base),
        "a token for something else": Caller(leader, base, ("read", "members")),
    }
    told = {
        (who, what): caller.send(method, path, body).status_code
        for who, caller in callers.items()
        for what, (method, path, body) in tries.items()
    }
    assert told == {
        (who, what): 401 if who == "nobody" else 403 for who in callers for what in tries
    }
    of_club = f"/api/v1/clubs/{club.slug}/leagues/"
    url = f"matches/{match.pk}/line-ups/{team.pk}/"
    given = {"people": [f"Negens {number}" for number in range(1, 5)], "version": "1"}
    for path, body in ((url, given), (f"teams/{team.pk}/captain/", {})):
        assert Caller(None, of_club).put(path, body, status=401)
        assert Caller(leader, of_club).put(path, body, status=403)
    # A login beside a link adds nothing to it, and takes nothing away.
    captain_too = Caller(host, captain.base)
    assert captain_too.get("")["team"] == team.pk


@pytest.mark.full
@pytest.mark.parametrize("count", [1, 3])
def test_lists_ask_no_more_for_more(count: int, django_assert_num_queries: Any) -> None:
    league = league_of()
    division_of(league, drawn=False)
    club = club_in(league, "De Azen")
    people = four(club)
    for member in people[:count]:
        known(league, member)
    for month in range(1, count + 1):
        played(league, club, dt.date(2026, month, 4), dict.fromkeys(people, 4500))
    api, public = leader_of(league), anybody(league)
    for number in range(count):
        ranking = api.post("rankings/", {**RULE, "name": f"Lijst {number}"}, status=201)
        here = f"rankings/{ranking['slug']}/"
        seen = api.get(f"{here}preview/")
        for _time in range(count):
            api.post(f"{here}lists/", {"on": seen["on"], "seen": seen["seen"]}, status=201)
        api.post("people/", status=201)
    public.get("")
    for path, queries in {
        "rankings/": 3,
        f"{here}lists/": 4,
        f"{here}lists/1/": 5,
        "people/1/": 24,
    }.items():
        with django_assert_num_queries(queries):
            public.get(path)
    desk = Caller(organiser_of(club), f"/api/v1/clubs/{club.slug}/leagues/{league.slug}/people/")
    desk.get("")
    with django_assert_num_queries(8):
        assert desk.get("")["count"] == count
    with django_assert_num_queries(7):
        assert api.get("people/")["count"] == count


@pytest.mark.parametrize("teams", [4, 16])
def test_a_captain_asks_no_more_for_more(teams: int, django_assert_num_queries: Any) -> None:
    names = tuple(f"Team {number}" for number in range(teams))
    division = division_of(league_of(), names)
    captain = captain_of(team_of(division, "Team 0"))
    with django_assert_num_queries(13):
        assert len(captain.get("")["matches"]) == (3 if teams == 4 else 15)
    assert LeagueMatch.objects.count() == (6 if teams == 4 else 120)
    assert Club.objects.count() == 1
