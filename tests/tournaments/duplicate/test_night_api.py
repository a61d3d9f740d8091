"""Nights of several clubs for programs, at the league and at a club; a season's percentages."""

import datetime as dt
import json
from typing import Any

import pytest

from clubs.models import Club, Member
from tests.api.caller import Caller, new_key
from tests.factories import TESTS, ClubFactory, director_of, organiser_of, scorekeeper_of
from tests.tournaments.duplicate.nights import brought, made, played
from tests.tournaments.duplicate.played import TODAY, play_all, started, with_pairs
from tests.tournaments.duplicate.test_night_releases import correct
from tests.tournaments.leagues import league_of
from tournaments.closing.services import evening_close
from tournaments.duplicate.night_results import night_results
from tournaments.duplicate.nights import night_file
from tournaments.duplicate.published import season_percentages
from tournaments.leagues.event_documents import event_document
from tournaments.models import Evening, League, SharedNight
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db
GIVEN = {"name": "Samen", "date": "2026-11-21", "clubs": 2, "folders": 6}


def leader_of(league: League) -> Caller:
    user = league.leaders.select_related("user").all()[0].user
    return Caller(user, f"/api/v1/leagues/{league.slug}/")


def anybody(league: League) -> Caller:
    return Caller(None, f"/api/v1/leagues/{league.slug}/")


def of_evening(club: Club, evening: Evening) -> Caller:
    return Caller(
        director_of(club), f"/api/v1/clubs/{club.slug}/evenings/{evening.slug}/folders/night/"
    )


@pytest.mark.both
def test_a_night_from_its_making_to_its_ranking() -> None:
    league = league_of()
    leader, reader = leader_of(league), anybody(league)
    key = new_key()
    made_ = leader.post("nights/", GIVEN, status=201, idempotency_key=key)
    assert leader.post("nights/", GIVEN, status=201, idempotency_key=key) == made_
    night = SharedNight.objects.select_related("league").get()
    assert (made_["seed"], made_["opened_at"], made_["clubs_in"]) == (None, None, [])
    assert made_["commitment"] == night.commitment
    (listed,) = reader.get("nights/")["results"]
    assert listed == {name: made_[name] for name in listed}
    assert listed["seed"] is None

    # The clubs play; one sends its evening by the API.
    url = f"nights/{night.pk}/"
    one, two = played(night, "een"), played(night, "twee", 2)
    document = event_document(one, league.slug)
    assert leader.post("events/", document, status=201)["changed"]
    assert reader.get(url)["clubs_in"] == ["Een"]
    refused = leader.put(f"{url}opening/", {"version": made_["version"]}, status=422)
    assert refused["code"] == "night_not_over"
    assert leader.put(f"{url}opening/", {}, status=422)["code"] == "version_missing"
    brought(night, two)
    assert leader.put(f"{url}opening/", {"version": "9"}, status=409)["current"]["version"] == "1"
    opened = leader.put(f"{url}opening/", {"version": made_["version"]})
    assert (opened["seed"], opened["stale"]) == (night.seed, False)
    assert leader.put(f"{url}opening/", {"version": "1"}) == opened
    assert reader.get(url) == opened

    # Everybody reads what was published, and a correction counts when it is published anew.
    (release,) = reader.get(f"{url}releases/")["results"]
    ranking = reader.get(f"{url}releases/1/")
    assert {name: ranking[name] for name in release} == release
    results = night_results(night.releases.get())
    assert [(row["place"], row["names"], row["value"]) for row in ranking["pairs"]] == [
        (row.place, row.names, f"{row.value:.2f}") for row in results.pairs()
    ]
    assert [(row["club"], row["number"]) for row in ranking["clubs"]] == [
        (row.name, 1) for row in results.clubs()
    ]
    current = leader.post(f"{url}releases/", {"version": opened["version"]}, status=422)
    assert current["code"] == "night_is_current"
    brought(night, correct(one))
    assert reader.get(url)["stale"]
    anew = leader.post(f"{url}releases/", {"version": opened["version"]})
    assert (anew["number"], reader.get(f"{url}releases/2/")) == (2, anew)
    brought(night, correct(two))
    refused = leader.post(f"{url}releases/", {"version": "2"}, status=409)
    assert (refused["code"], refused["current"]["version"]) == ("version_conflict", "3")
    assert reader.get(f"{url}releases/3/", status=404)["code"] == "not_found"


def test_every_fault_of_a_night_is_named() -> None:
    leader = leader_of(league_of())
    given = {"name": "", "date": "x", "clubs": 0, "folders": 100, "compare": "y", "more": 1}
    answer = leader.post("nights/", given, status=422)
    assert sorted(error["field"] for error in answer["errors"]) == sorted(given)
    assert not SharedNight.objects.exists()


def test_who_does_not_lead_the_league_only_reads() -> None:
    night = made()
    league = night.league
    other = Caller(organiser_of(ClubFactory.create()), f"/api/v1/leagues/{league.slug}/")
    url = f"nights/{night.pk}/"
    for caller, status in ((other, 403), (anybody(league), 401)):
        caller.post("nights/", GIVEN, status=status)
        caller.post(f"{url}cards/", status=status)
        caller.put(f"{url}opening/", {"version": "1", "anyway": True}, status=status)
        caller.post(f"{url}releases/", {"version": "1"}, status=status)
        assert caller.get(url)["opened_at"] is None
    elsewhere = leader_of(league_of("Elders"))
    assert elsewhere.get(url, status=404)["code"] == "not_found"


def test_a_club_takes_the_cards_and_opens_its_evening() -> None:
    night = made()
    leader = leader_of(night.league)
    file = leader.post(f"nights/{night.pk}/cards/")
    assert [board["board"] for board in file["boards"]] == [*range(1, 7)]
    evening = with_pairs(4)
    club = evening.club
    api = of_evening(club, evening)
    assert api.get("") == {"night": None, "folders": 24, "commitment": "", "locked": False}
    refused = api.put("", {**file, "date": "2026-11-22"}, status=422)
    assert refused["code"] == "bad_night"
    assert "22 November 2026" in refused["detail"]
    others: list[Any] = [[], {}, {**file, "net": 3}]
    for other in others:
        assert api.put("", other, status=422)["code"] == "bad_night"
    taken = api.put("", file)
    assert taken == {
        "night": str(night.uuid),
        "folders": 6,
        "commitment": night.commitment,
        "locked": True,
    }
    assert api.get("") == taken
    assert api.put("seed/", {}, status=422)["code"] == "evening_state"
    Evening.objects.update(state=Evening.State.CLOSED)
    assert api.put("seed/", {}, status=422)["code"] == "night_not_open"
    assert api.put("seed/", {"seed": "0" * 64}, status=422)["code"] == "seed_wrong"
    assert api.put("seed/", {"seed": 5, "x": 1}, status=422)["code"] == "invalid"
    assert not api.put("seed/", {"seed": night.seed})["locked"]
    assert not api.put("seed/", {})["locked"]
    keeper = Caller(scorekeeper_of(club), api.base)
    keeper.get("", status=403)
    keeper.put("", file, status=403)
    keeper.put("seed/", {"seed": night.seed}, status=403)


def test_an_evening_without_folders_has_no_night() -> None:
    evening = with_pairs(4)
    Evening.objects.update(pair_movement=Evening.PairMovement.BY_PROGRAM)
    api = of_evening(evening.club, evening)
    api.get("", status=404)
    api.put("", {}, status=404)
    api.put("seed/", {}, status=404)


def test_a_file_by_the_api_is_the_file_of_the_page() -> None:
    night = made()
    file = leader_of(night.league).post(f"nights/{night.pk}/cards/")
    assert file == json.loads(night_file(night=night, actor=TESTS))


# The percentages of a season.


def season_of_two() -> tuple[Club, Any]:
    club = ClubFactory.create()
    season = season_create(club=club, name="2026-2027", actor=TESTS)
    for day in range(2):
        evening = play_all(started(4, folders=6, club=club, date=TODAY + dt.timedelta(days=day)))
        Evening.objects.filter(pk=evening.pk).update(season=season)
        evening_close(evening_id=evening.pk, actor=TESTS)
    return club, season


def test_a_seasons_percentages() -> None:
    club, season = season_of_two()
    reader = Caller(None, f"/api/v1/clubs/{club.slug}/seasons/{season.slug}/folders/")
    answer = reader.get("")
    rows = season_percentages(season)
    assert answer["count"] == len(rows) == 16
    assert answer["results"] == [
        {
            "place": row.place,
            "person": {"member": row.member.pk, "name": row.member.shown_name},
            "percentage": f"{row.mean:.2f}",
            "evenings": {slug: f"{percent:.2f}" for slug, percent in row.by_evening.items()},
        }
        for row in rows
    ]
    assert reader.get("?page_size=5&page=4")["results"] == answer["results"][15:]
    reader.get("?page=9", status=404)
    member = rows[0].member
    Member.objects.filter(pk=member.pk).update(public_as="hidden")
    first = reader.get("")["results"][0]["person"]
    assert first["member"] is None
    assert first["name"] != member.name
    desk = Caller(director_of(club), reader.base)
    assert desk.get("")["results"][0]["person"] == {"member": member.pk, "name": member.name}
    elsewhere = Caller(None, f"/api/v1/clubs/{club.slug}/seasons/elders/folders/")
    elsewhere.get("", status=404)
