"""By the API: who leads a league, match points off, a club that leaves, the next season, and where
results and events come from."""

from typing import Any

import pytest

from scoring.audit.verify import trail_faults
from tests.api.caller import Caller, new_key
from tests.factories import ClubFactory, organiser_of
from tests.tournaments.leagues import division_of, leader_client, league_of, play
from tests.tournaments.leagues.test_api_of_captains_and_rankings import anybody, leader_of
from tests.tournaments.leagues.test_events_of_clubs import played
from tests.tournaments.leagues.test_season_end import teams_in
from tournaments.models import (
    Division,
    EventSource,
    League,
    LeagueMatch,
    LeaguePenalty,
    LeagueSeason,
    LeagueTeam,
    MatchDay,
)

pytestmark = pytest.mark.django_db
AGAIN = "seasons/2026-2027/next/"


def finished() -> tuple[League, Division]:
    """A season of one division that was played: De Azen, Boeren, Negens, Vrouwen."""
    league = league_of()
    division = division_of(league)
    order = ("De Azen", "Boeren", "Negens", "Vrouwen")
    for place, one in enumerate(order):
        for two in order[place + 1 :]:
            play(division, one, two, (1400, 1300), (1400, 1300))
    return league, division


def test_leaders_are_added_and_removed_but_for_the_last() -> None:
    league = league_of()
    api = leader_of(league)
    (first,) = api.get("leaders/")["results"]
    second = api.post("leaders/", {"email": "bea@example.org"}, status=201)
    assert api.post("leaders/", {"email": "bea@example.org"}, status=201) == second
    assert api.post("leaders/", {"email": "bea"}, status=422)["errors"][0]["field"] == "email"
    assert api.get("leaders/")["results"] == [first, second]
    assert api.send("DELETE", f"leaders/{second['id']}/").status_code == 204
    told = api.ask("DELETE", f"leaders/{first['id']}/", status=422)
    assert told["code"] == "last_leader"
    elsewhere = leader_of(league_of("Competitie Zuid"))
    assert elsewhere.ask("DELETE", f"leaders/{first['id']}/", status=404)


def test_match_points_are_taken_off_once_and_given_back() -> None:
    league, division = finished()
    api, team = leader_of(league), LeagueTeam.objects.get(name="De Azen")
    url, given = f"teams/{team.pk}/penalties/", {"points": "2.5", "reason": "Te laat"}
    faulty = api.post(url, {"points": "-1", "why": ""}, status=422)
    assert sorted((each["field"], each["code"]) for each in faulty["errors"]) == [
        ("points", "min_value"),
        ("reason", "required"),
        ("why", "unknown_key"),
    ]
    assert api.post(url, {**given, "points": "0"}, status=422)["code"] == "bad_penalty"
    key = new_key()
    made = api.post(url, given, status=201, idempotency_key=key)
    assert api.post(url, given, status=201, idempotency_key=key) == made
    assert anybody(league).get(url)["results"] == [made]
    assert (made["points"], made["reason"]) == ("2.50", "Te laat")
    (row,) = [
        each
        for each in anybody(league).get(f"divisions/{division.pk}/table/")["rows"]
        if each["name"] == "De Azen"
    ]
    assert row["points"] == "3.5"
    back = f"penalties/{made['id']}/"
    assert api.ask("DELETE", back, {}, status=422)["errors"][0]["field"] == "reason"
    assert api.send("DELETE", back, {"reason": "Toch op tijd"}).status_code == 204
    assert not LeaguePenalty.objects.exists()
    assert list(trail_faults()) == []


def test_a_club_that_leaves_takes_all_its_teams_along() -> None:
    league, division = finished()
    LeagueTeam.objects.filter(name__in=["Boeren", "Negens"]).update(club="De Hoek")
    api = leader_of(league)
    given = {"club": "De Hoek", "reason": "De zaal is dicht", "results_stand": True}
    gone = api.post("seasons/2026-2027/leaves/", given)
    assert sorted(team["name"] for team in gone) == ["Boeren", "Negens"]
    assert None not in [team["withdrawn_on"] for team in gone]
    told = api.post("seasons/2026-2027/leaves/", given, status=422)
    assert told["code"] == "no_such_club"
    assert division.teams.filter(withdrawn_on=None).count() == 2


@pytest.mark.both
def test_the_next_season_is_planned_tried_made_and_undone() -> None:
    league, division = finished()
    api = leader_of(league)
    plan = api.get(AGAIN)
    (shown,) = plan["divisions"]
    names = ["De Azen", "Boeren", "Negens", "Vrouwen"]
    assert (shown["division"], sorted(team["name"] for team in shown["teams"])) == (
        division.pk,
        sorted(names),
    )
    assert (plan["stop"], plan["open_matches"]) == ([], 0)
    last = division.teams.get(name="Vrouwen")
    wishes = {
        "stop": [last.pk],
        "enter": [{"division": division.pk, "name": "Zevens", "club": "De Hoek"}],
    }
    unseen = {"enter": [{"division": division.pk, "name": "Zevens\u202e", "club": ""}]}
    (planned,) = api.post(AGAIN, unseen)["divisions"]
    assert [team["name"] for team in planned["teams"] if team["team"] is None] == ["Zevens"]
    tried = api.post(AGAIN, wishes)
    assert tried["stop"] == [last.pk]
    new = [team for team in tried["divisions"][0]["teams"] if team["team"] is None]
    assert [(team["name"], team["why"]) for team in new] == [("Zevens", "is new in the league")]
    assert LeagueSeason.objects.count() == 1
    make: dict[str, Any] = {"name": "2027-2028", **wishes}
    stale = api.put(AGAIN, {**make, "seen": plan["seen"]}, status=409)
    assert (stale["code"], stale["current"]) == ("plan_changed", tried)
    season = api.put(AGAIN, {**make, "seen": tried["seen"]})
    assert api.put(AGAIN, {**make, "seen": tried["seen"]}) == season
    made = LeagueSeason.objects.get(slug=season["slug"])
    assert teams_in(made) == [["Boeren", "De Azen", "Negens", "Zevens"]]
    assert api.send("DELETE", AGAIN).status_code == 204
    assert LeagueSeason.objects.count() == 1
    assert list(trail_faults()) == []


@pytest.mark.both
def test_all_captains_of_the_next_season_get_a_link_at_once() -> None:
    league, division = finished()
    api = leader_of(league)
    stay, goes = (division.teams.get(name=name) for name in ("Boeren", "Vrouwen"))
    old = {team.pk: api.put(f"teams/{team.pk}/captain/", {})["captain"] for team in (stay, goes)}
    stop = {"stop": [goes.pk]}
    seen = api.post(AGAIN, stop)["seen"]
    made = api.put(AGAIN, {"name": "2027-2028", **stop, "seen": seen})
    here = f"seasons/{made['slug']}/captains/"
    (due,) = api.get(here)["results"]
    assert (due["name"], due["id"] == stay.pk) == ("Boeren", False)
    (link,) = api.post(here)
    assert (link["team"], api.get(here)["results"], api.post(here)) == (due["id"], [], [])
    assert api.put(f"teams/{due['id']}/captain/", {}) == link
    opens = Caller(None, "/api/v1/captain/")
    assert opens.get(f"{link['captain']}/")["season"] == "2027-2028"
    assert opens.send("GET", f"{old[stay.pk]}/").status_code == 404
    assert opens.get(f"{old[goes.pk]}/")["season"] == "2026-2027"


@pytest.mark.both
def test_leaders_read_the_log_as_its_page_has_it(django_assert_num_queries: Any) -> None:
    league, division = finished()
    api, team = leader_of(league), division.teams.get(name="Boeren")
    api.post(f"teams/{team.pk}/penalties/", {"points": "1", "reason": "Te laat"}, status=201)
    told = api.get("trail/")
    newest = told["results"][0]
    assert {name: newest[name] for name in ("action", "what", "reason")} == {
        "action": "league_penalty_given",
        "what": "Match points off for Boeren: 1",
        "reason": "Te laat",
    }
    assert told["results"][-1]["action"] == "league_created"
    with django_assert_num_queries(6):
        assert len(api.get("trail/?page_size=2")["results"]) == 2
    page = leader_client(league).get(f"/leagues/{league.slug}/desk/trail/")
    assert len(page.context["trail"].lines) == told["count"]


def test_faults_of_a_next_season_are_all_named() -> None:
    league, division = finished()
    other = division_of(league_of("Competitie Zuid"))
    api = leader_of(league)
    wrong = {"sizes": [{"division": other.pk, "teams": 4}]}
    assert api.post(AGAIN, wrong, status=422)["code"] == "not_found"
    strange = {"stop": [other.teams.all()[0].pk]}
    assert api.post(AGAIN, strange, status=422)["code"] == "not_found"
    twice = [{"division": division.pk, "name": name} for name in ("Boeren", "Boeren")]
    told = api.post(AGAIN, {"enter": twice}, status=422)
    assert told["code"] == "bad_next_season"
    open_ = LeagueMatch.objects.filter(day__division=division)[0]
    LeagueMatch.objects.filter(pk=open_.pk).update(scores=[])
    plan = api.get(AGAIN)
    assert plan["open_matches"] == 1
    make = {"name": "2027-2028", "seen": plan["seen"]}
    assert api.put(AGAIN, make, status=422)["code"] == "results_missing"
    assert api.put(AGAIN, {**make, "although_open": True})["name"] == "2027-2028"


def test_results_are_taken_over_from_the_evening() -> None:
    _club, day, evening = played()
    MatchDay.objects.update(evening_uuid=evening.uuid)
    api = leader_of(League.objects.get())
    told = api.post(f"days/{day.pk}/take-over/")
    assert (told["taken"], told["seated_otherwise"], told["day"]["id"]) == (6, [], day.pk)
    assert api.post(f"days/{day.pk}/take-over/")["taken"] == 0
    MatchDay.objects.update(evening_uuid=None)
    assert api.post(f"days/{day.pk}/take-over/", status=422)["code"] == "evening_is_open"


def test_sources_are_added_and_removed_and_keep_their_secret() -> None:
    league = league_of()
    api = leader_of(league)
    given = {"address": "https://klaver.example/events/geheim/"}
    refused = api.post("sources/", {"address": "http://klaver.example/"}, status=422)
    assert refused["code"] == "bad_address"
    made = api.post("sources/", given, status=201)
    assert api.post("sources/", given, status=201) == made
    assert api.get("sources/")["results"] == [made]
    assert (made["host"], "geheim" in str(made)) == ("klaver.example", False)
    assert api.send("DELETE", f"sources/{made['id']}/").status_code == 204
    assert not EventSource.objects.exists()


@pytest.mark.full
def test_only_leaders_do_it() -> None:
    league, division = finished()
    team = division.teams.all()[0]
    tries = {
        ("GET", "leaders/"): None,
        ("POST", "leaders/"): {"email": "bea@example.org"},
        ("POST", f"teams/{team.pk}/penalties/"): {"points": "1", "reason": "x"},
        ("POST", "seasons/2026-2027/leaves/"): {"club": "x", "reason": "x", "results_stand": True},
        ("GET", AGAIN): None,
        ("POST", AGAIN): {},
        ("PUT", AGAIN): {"name": "x", "seen": "x"},
        ("DELETE", AGAIN): None,
        ("GET", "sources/"): None,
        ("GET", "trail/"): None,
        ("GET", "seasons/2026-2027/captains/"): None,
        ("POST", "seasons/2026-2027/captains/"): None,
        ("POST", "sources/"): {"address": "https://klaver.example/"},
    }
    stranger = Caller(organiser_of(ClubFactory.create()), f"/api/v1/leagues/{league.slug}/")
    for (method, path), body in tries.items():
        assert anybody(league).send(method, path, body).status_code == 401, path
        assert stranger.send(method, path, body).status_code == 403, path
