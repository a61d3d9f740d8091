"""Leagues by the API: a season from its making to its table, who may do what, what is refused."""

from collections import Counter
from typing import Any

import pytest

from clubs.accounts.services import token_make
from clubs.audit.services import Actor
from clubs.models import Club, User
from tests.api.caller import Caller, new_key
from tests.factories import ClubFactory, MemberFactory, organiser_of
from tests.tournaments.leagues import FIRST, division_of, league_of, play
from tests.tournaments.leagues.test_events_of_clubs import (
    document_of,
    elsewhere,
    played,
    the_league,
)
from tournaments.models import League, LeagueMatch, LeagueTeam, MatchDay

pytestmark = pytest.mark.django_db


def leader_of(league: League) -> Caller:
    return Caller(league.leaders.all()[0].user, f"/api/v1/leagues/{league.slug}/")


def anybody(league: League) -> Caller:
    return Caller(None, f"/api/v1/leagues/{league.slug}/")


@pytest.mark.both
def test_a_season_from_its_making_to_its_table() -> None:
    club = ClubFactory.create(slug="azen", name="De Azen")
    api = Caller(organiser_of(club))
    made = api.post("clubs/azen/leagues/", {"name": "Competitie Noord"}, status=201)
    names = {"slug": "competitie-noord", "name": "Competitie Noord", "language": "nl"}
    assert made == {**names, "version": made["version"]}
    api.base += "leagues/competitie-noord/"
    season = api.post("seasons/", {"name": "2026-2027"}, status=201)
    rule = {"version": season["version"], "win": "3", "points": "win_draw", "ties": ["for"]}
    objecting = {"answer_hours": 24, "higher_turns": 3}
    season = api.ask("PATCH", "seasons/2026-2027/", {**rule, **objecting})
    assert {name: season[name] for name in objecting} == objecting
    assert (season["win"], season["ties"], season["meeting"]) == ("3.00", ["for"], "four")
    (division,) = season["divisions"]
    here = f"divisions/{division['id']}/"
    teams = [api.post(f"{here}teams/", {"name": name}, status=201) for name in FIRST]
    assert [team["club"] for team in teams] == ["De Azen", "", "", ""]
    players = {"players": ["Jan Bakker"], "version": teams[0]["version"]}
    team = api.ask("PATCH", f"teams/{teams[0]['id']}/", players)
    assert (team["players"], team["reserves"]) == (["Jan Bakker"], [])
    key = new_key()
    drawn = {"seed": 1, "first": "2026-10-02", "starts_at": "20:00"}
    days = api.post(f"{here}days/", drawn, status=201, idempotency_key=key)
    assert api.post(f"{here}days/", drawn, status=201, idempotency_key=key) == days
    assert api.post(f"{here}days/", drawn, status=422)["code"] == "fixtures_drawn"
    (day,) = days
    host = teams[1]["id"]
    move = {"date": "2026-10-09", "host": host, "reason": "zaal bezet", "version": day["version"]}
    day = api.ask("PATCH", f"days/{day['id']}/", move)
    assert (day["date"], day["host"], day["moved_why"]) == ("2026-10-09", host, "zaal bezet")
    results = [
        {"match": each["id"], "version": each["version"], "scores": [[1400, 1300], [1350, 1242]]}
        for each in day["matches"]
    ]
    day = api.put(f"days/{day['id']}/results/", {"results": results})
    assert {each["binding"] for each in day["matches"]} == {True}
    table = anybody(League.objects.get()).get(f"{here}table/")
    assert (table["played"], table["of"]) == (6, 6)
    won = Counter(each["home"] for each in day["matches"])
    assert {row["team"]: row["points"] for row in table["rows"]} == {
        team["id"]: str(3 * won[team["id"]]) for team in teams
    }
    first, last = day["matches"][0], day["matches"][-1]
    reason = {"reason": "verkeerd om", "version": first["version"]}
    assert api.ask("DELETE", f"matches/{first['id']}/", reason)["scores"] == []
    gone = {"team": last["away"], "reason": "kwamen niet", "version": last["version"]}
    walkover = api.put(f"matches/{last['id']}/walkover/", gone)
    assert (walkover["walkover"], walkover["scores"]) == (last["away"], [])
    left = {"reason": "te weinig spelers", "results_stand": True, "version": team["version"]}
    team = api.put(f"teams/{team['id']}/withdrawal/", left)
    assert team["withdrawn_on"]
    assert api.ask("DELETE", f"teams/{team['id']}/withdrawal/")["withdrawn_on"] is None


def test_only_leaders_write_and_a_token_must_be_for_it() -> None:
    league = league_of()
    division = division_of(league)
    leader = league.leaders.all()[0].user
    base = f"/api/v1/leagues/{league.slug}/"
    path, name = f"divisions/{division.pk}/", {"name": "A", "version": str(division.version)}

    def codes(caller: Caller) -> tuple[int, str]:
        answer = caller.send("PATCH", path, name)
        return answer.status_code, answer.json().get("code", "")

    assert codes(Caller(None, base)) == (401, "not_authenticated")
    assert codes(Caller(organiser_of(ClubFactory.create()), base)) == (403, "not_allowed")
    assert codes(Caller(leader, base, ("read", "members"))) == (403, "scope_missing")
    club = Club.objects.get(roles__user=leader)
    assert codes(limited(leader, club, base)) == (403, "not_allowed")
    assert codes(Caller(leader, base, ("leagues",))) == (200, "")
    assert Caller(None, base).get("events/", status=401)["code"] == "not_authenticated"


def limited(user: User, club: Club, base: str) -> Caller:
    """With a token of every kind for one club only."""
    scopes = ["read", "leagues"]
    made = token_make(user=user, name="x", scopes=scopes, club=club, actor=Actor.of_user(user))
    caller = Caller(None, base)
    caller._headers = {"Authorization": f"Token {made.secret}"}  # noqa: SLF001
    return caller


@pytest.mark.full
def test_who_saw_an_older_version_is_told_what_stands() -> None:
    league = league_of()
    division = division_of(league)
    play(division, "De Azen", "Boeren", (1400, 1300), (1400, 1300))
    api, match = leader_of(league), LeagueMatch.objects.exclude(scores=[]).get()
    old = {"match": match.pk, "version": "1", "scores": [[1, 2], [3, 4]]}
    told = api.put(f"days/{match.day_id}/results/", {"results": [old]}, status=409)
    (stands,) = (each for each in told["current"]["matches"] if each["id"] == match.pk)
    assert (stands["scores"], stands["version"]) == (match.scores, str(match.version))
    other = {**old, "version": str(match.version)}
    refused = api.put(f"days/{match.day_id}/results/", {"results": [other]}, status=422)
    assert refused["code"] == "reason_missing"
    day = api.put(f"days/{match.day_id}/results/", {"results": [other], "reason": "geteld"})
    assert [each["scores"] for each in day["matches"] if each["id"] == match.pk] == [
        [[1, 2], [3, 4]]
    ]
    assert api.ask("PATCH", "", {"name": "Zuid"}, status=422)["code"] == "version_missing"


def test_every_fault_is_named_and_nothing_is_written() -> None:
    league = league_of()
    division = division_of(league)
    api, day = leader_of(league), MatchDay.objects.get()
    one, two = day.matches.all()[:2]
    sent = [
        {"match": one.pk, "version": str(one.version), "scores": [[1, 2], [3, 4]]},
        {"match": two.pk, "version": str(two.version), "scores": [[1, 2, 3], ["x", -1]]},
        {"match": 0, "version": "1", "scores": [], "colour": "red"},
    ]
    told = api.put(f"days/{day.pk}/results/", {"results": sent}, status=422)
    assert sorted((each["field"], each["code"]) for each in told["errors"]) == [
        ("results.1.scores.0", "max_length"),
        ("results.1.scores.1.0", "invalid"),
        ("results.1.scores.1.1", "min_value"),
        ("results.2.colour", "unknown_key"),
        ("results.2.match", "min_value"),
    ]
    elsewhere_match = {**sent[0], "match": one.pk + 1000}
    told = api.put(f"days/{day.pk}/results/", {"results": [sent[0], elsewhere_match]}, status=422)
    assert [each["field"] for each in told["errors"]] == ["results.1.match"]
    bind = f"days/{day.pk}/binding/"
    seen = [{"match": each["match"], "version": "1" * 5000} for each in (sent[0], elsewhere_match)]
    told = api.post(bind, {"results": seen}, status=422)
    assert [each["field"] for each in told["errors"]] == ["results.1.match"]
    long = {**sent[0], "version": "1" * 5000}
    assert "current" in api.put(f"days/{day.pk}/results/", {"results": [long]}, status=409)
    told = api.post(bind, {"results": seen[:1] * 65}, status=422)
    assert [each["code"] for each in told["errors"]] == ["max_length"]
    assert not LeagueMatch.objects.exclude(scores=[]).exists()
    for path in (f"divisions/{division.pk}/", f"teams/{LeagueTeam.objects.all()[0].pk}/"):
        assert Caller(api_user(league), "/api/v1/leagues/anders/").get(path, status=404)
    assert api.send("DELETE", f"divisions/{division.pk}/").json()["code"] == "fixtures_drawn"


@pytest.mark.full
def test_names_are_kept_as_pages_keep_them() -> None:
    league = league_of()
    division = division_of(league, drawn=False)
    api = leader_of(league)
    seen = {"name": "Ruiten\u202e  Vier ", "club": "De\u200b Hoek"}
    team = api.post(f"divisions/{division.pk}/teams/", seen, status=201)
    assert (team["name"], team["club"]) == ("Ruiten Vier", "De Hoek")
    players = {"players": ["Piet\u202e  Smit", "\u202e"], "version": team["version"]}
    changed = api.ask("PATCH", f"teams/{team['id']}/", players)
    assert changed["players"] == ["Piet Smit"]
    unseen = api.post(f"divisions/{division.pk}/teams/", {"name": "\u202e"}, status=422)
    assert (unseen["code"], division.teams.count()) == ("bad_teams", 5)


def api_user(league: League) -> User:
    return league.leaders.all()[0].user


@pytest.mark.full
def test_the_public_reads_players_as_their_club_shows_them() -> None:
    club = ClubFactory.create(name="De Azen")
    MemberFactory.create(club=club, name="Jan Bakker", public_as="hidden")
    league = league_of(club=club)
    division_of(league)
    team, leader = LeagueTeam.objects.get(name="De Azen"), leader_of(league)
    given = {"players": ["Jan Bakker", "Mia Visser"], "version": str(team.version)}
    assert leader.ask("PATCH", f"teams/{team.pk}/", given)["players"] == given["players"]
    assert anybody(league).get(f"teams/{team.pk}/")["players"] == ["Anonymous", "Mia Visser"]


@pytest.mark.full
def test_what_is_the_same_is_not_sent_again() -> None:
    league = league_of()
    division = division_of(league)
    table, day = f"divisions/{division.pk}/table/", f"days/{MatchDay.objects.get().pk}/"
    for path in ("", "seasons/2026-2027/", table, day):
        answer = anybody(league).send("GET", path)
        again = anybody(league).send("GET", path, if_none_match=answer["ETag"])
        assert (answer.status_code, again.status_code) == (200, 304), path


def test_an_event_of_a_club_comes_in() -> None:
    club, _day, evening = played()
    document = document_of(evening)
    elsewhere(club)
    api = leader_of(the_league())
    told = api.post("events/", document, status=201)
    assert (told["changed"], told["results"]) == (True, 6)
    assert [note.partition(",")[0] for note in told["event"]["notes"]] == [
        "That match day 1 was played there"
    ]
    assert api.post("events/", document)["changed"] is False
    (listed,) = api.get("events/")["results"]
    assert listed == told["event"]
    document["event"]["rounds"] = 4
    refused = api.post("events/", document, status=422)
    assert refused["code"] == "bad_event"
    assert "signature is not right" in refused["detail"]


@pytest.mark.full
@pytest.mark.parametrize("size", [4, 16])
def test_lists_ask_no_more_for_more(size: int, django_assert_num_queries: Any) -> None:
    league = league_of()
    division = division_of(league, tuple(f"Team {n}" for n in range(size)))
    api = anybody(league)
    api.get("")
    for path, queries in {
        "": 2,
        "seasons/": 4,
        "seasons/2026-2027/": 3,
        f"divisions/{division.pk}/teams/": 4,
        f"divisions/{division.pk}/days/": 5,
        f"divisions/{division.pk}/table/": 6,
    }.items():
        with django_assert_num_queries(queries):
            api.get(path)
