"""Pairs and teams of a club, and whom people play for on an evening, through the API."""

from typing import Any

import pytest

from clubs.models import Club
from tests.api.caller import Caller, new_key
from tests.api.problems import wrong
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    director_of,
    scorekeeper_of,
)
from tournaments.models import Competitor, Evening
from tournaments.registration.check_in import presence_replace
from tournaments.registration.pairs import pair_make

pytestmark = pytest.mark.django_db

CLUB = "/api/v1/clubs/vrolijke-boer/"
NIGHT = "evenings/2026-11-21/"
NOBODY = "Nobody of this club has this id."


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def director(club: Club) -> Caller:
    return Caller(director_of(club), CLUB)


def people_in(answer: Any) -> list[tuple[str, str, str | None, bool]]:
    return [(row["name"], row["since"], row["until"], row["reserve"]) for row in answer["people"]]


def test_a_pair_is_made_renamed_and_its_people_change_over_time(
    club: Club, director: Caller
) -> None:
    jan, mia, piet = (MemberFactory.create(club=club, name=name) for name in ("Jan", "Mia", "Piet"))
    wanted = {"kind": "pair", "people": [jan.pk, mia.pk], "since": "2026-09-01"}
    key = new_key()
    made = director.post("competitors/", wanted, status=201, idempotency_key=key)
    assert (made["name"], made["version"]) == ("Jan & Mia", 1)
    assert director.post("competitors/", wanted, status=201, idempotency_key=key) == made
    here = f"competitors/{made['id']}/"
    named = director.ask("PATCH", here, {"name": "De Buren", "version": "1"})
    assert (named["name"], named["version"]) == ("De Buren", 2)
    late = director.ask("PATCH", here, {"name": "x", "version": "1"}, status=409)
    assert (late["code"], late["current"]["name"]) == ("competitor_outdated", "De Buren")
    missing = director.ask("PATCH", here, {"name": "x"}, status=422)
    assert missing["code"] == "version_missing"
    third = {"member": piet.pk, "since": "2026-10-01", "version": "2"}
    full = director.post(f"{here}people/", third, status=422)
    assert full["code"] == "pair_of_two"
    person = next(row["id"] for row in named["people"] if row["member"] == mia.pk)
    left = director.ask("PATCH", f"{here}people/{person}/", {"until": "2026-09-30", "version": "2"})
    joined = director.post(f"{here}people/", third | {"version": str(left["version"])}, status=201)
    assert people_in(joined) == [
        ("Jan", "2026-09-01", None, False),
        ("Mia", "2026-09-01", "2026-09-30", False),
        ("Piet", "2026-10-01", None, False),
    ]
    back = {"until": None, "version": str(joined["version"])}
    again = director.ask("PATCH", f"{here}people/{person}/", back, status=422)
    assert again["code"] == "pair_of_two"
    assert director.get(here) == joined
    assert director.send("GET", here, if_none_match=f'"{joined["version"]}"').status_code == 304
    assert [row["name"] for row in director.get("competitors/?kind=pair")["results"]] == [
        "De Buren"
    ]
    assert director.get("competitors/?kind=team")["count"] == 0
    assert director.send("DELETE", here).status_code == 204
    assert not Competitor.objects.exists()


def test_everything_that_is_wrong_is_said(club: Club, director: Caller) -> None:
    stranger = MemberFactory.create(club=ClubFactory.create())
    three = [MemberFactory.create(club=club).pk for _ in range(3)]
    wrong_ones: list[tuple[dict[str, Any], str]] = [
        ({"kind": "pair", "people": three}, "name_missing"),
        ({"kind": "pair", "name": "x", "people": three}, "pair_of_two"),
        ({"kind": "pair", "name": "x", "people": [stranger.pk]}, "unknown_member"),
        ({"kind": "team"}, "name_missing"),
        ({"kind": "team", "name": "x", "since": "1066-10-14"}, "competitor_dates"),
        ({"kind": "horde", "name": "x"}, "invalid"),
        ({"kind": "team", "name": "x", "size": 4}, "invalid"),
    ]
    for given, code in wrong_ones:
        assert director.post("competitors/", given, status=422)["code"] == code, given
    assert not Competitor.objects.exists()


@pytest.mark.full
def test_a_scorekeeper_reads_and_does_not_write(club: Club) -> None:
    keeper = Caller(scorekeeper_of(club), CLUB)
    assert keeper.get("competitors/")["results"] == []
    assert keeper.send("POST", "competitors/", {"kind": "team", "name": "x"}).status_code == 403
    assert Caller(None, CLUB).send("GET", "competitors/").status_code == 401


def test_people_play_for_a_team_this_evening(club: Club, director: Caller) -> None:
    evening = EveningFactory.create(club=club)
    jan, mia = (MemberFactory.create(club=club, name=name) for name in ("Jan", "Mia"))
    away = MemberFactory.create(club=club)
    presence_replace(evening_id=evening.pk, members=[jan, mia], actor=TESTS)
    team = director.post("competitors/", {"kind": "team", "name": "De Azen"}, status=201)["id"]
    pair = director.post("competitors/", {"kind": "pair", "name": "x"}, status=201)["id"]
    chosen = director.ask("PATCH", f"{NIGHT}teams/", {"teams": [{"member": jan.pk, "team": team}]})
    assert [(row["name"], row["team"]) for row in chosen["teams"]] == [("Jan", team), ("Mia", None)]
    wrong_ones = [
        {"member": away.pk, "team": team},
        {"member": jan.pk, "team": None},
        {"member": jan.pk, "team": pair},
    ]
    refused = director.ask("PATCH", f"{NIGHT}teams/", {"teams": wrong_ones}, status=422)
    assert [(error["field"], error["code"]) for error in refused["errors"]] == [
        ("teams.0.member", "unknown_member"),
        ("teams.2.member", "member_twice"),
        ("teams.2.team", "no_such_team"),
    ]
    assert director.get(f"{NIGHT}teams/") == chosen


@pytest.mark.full
def test_a_number_plays_for_a_pair_of_the_club(club: Club, director: Caller) -> None:
    evening = EveningFactory.create(club=club, method=Evening.Method.PAIRS)
    four = [MemberFactory.create(club=club) for _ in range(4)]
    presence_replace(evening_id=evening.pk, members=four, actor=TESTS)
    for one, two in (four[:2], four[2:]):
        pair_make(evening_id=evening.pk, one=one, two=two, actor=TESTS)
    known = director.post("competitors/", {"kind": "pair", "name": "De Buren"}, status=201)["id"]
    said = director.put(f"{NIGHT}pairs/1/", {"competitor": known})
    assert said["pairs"][0]["competitor"] == known
    taken = director.put(f"{NIGHT}pairs/2/", {"competitor": known}, status=422)
    assert taken["code"] == "competitor_taken"
    nothing = director.put(f"{NIGHT}pairs/1/", {"competitor": 999_999}, status=422)
    message = "No pair of this club has this id."
    assert nothing == wrong("competitor", "no_such_pair", message, whole="no_such_pair")
    third = {"one": four[0].pk, "two": MemberFactory.create(club=club).pk}
    assert director.post(f"{NIGHT}pairs/", third, status=422)["code"] == "pair_not_free"
    own = director.put(f"{NIGHT}pairs/1/", {"competitor": None})["pairs"][0]["competitor"]
    assert own not in (known, None)
