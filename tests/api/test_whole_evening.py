"""An evening of twelve people, from the list of members to its result, by the API alone."""

from typing import Any

import pytest
from django.core.management import call_command

from clubs.models import Role
from clubs.profile.services import club_create, role_grant
from tests.api.caller import Caller, Json, evening_lines, evening_standing
from tests.factories import TESTS, UserFactory

pytestmark = pytest.mark.django_db

EVENING = "evenings/2026-09-05/"


@pytest.fixture
def api() -> Caller:
    """A program of the organiser of a new club."""
    club = club_create(slug="de-vier-azen", name="De Vier Azen", actor=TESTS)
    user = UserFactory.create()
    role_grant(club=club, email=user.email, kind=Role.Kind.ORGANISER, actor=TESTS)
    return Caller(user, "/api/v1/clubs/de-vier-azen/")


@pytest.mark.full
def test_a_whole_evening_is_run_by_the_api_alone(api: Caller) -> None:
    people = _members(api)
    planned = api.post(
        "evenings/",
        {"date": "2026-09-05", "preset": "rotterdam", "method": "typed_in"},
        status=201,
    )
    assert (planned["slug"], planned["state"]) == ("2026-09-05", "planned")
    here = api.ask("PATCH", f"{EVENING}registrations/", {"arrived": list(people.values())})
    assert here == {"present": 12}
    for number in (1, 2, 3):
        _round(api, number, people)
    assert api.post(f"{EVENING}close/")["state"] == "closed"
    assert _standing(api.get(f"{EVENING}standing/")["rows"]) == evening_standing()
    [release] = api.get(f"{EVENING}releases/")["results"]
    assert _standing(api.get(f"{EVENING}releases/{release['number']}/")["rows"]) == (
        evening_standing()
    )
    call_command("verify")


def _members(api: Caller) -> dict[str, int]:
    """Everybody by name, with his id."""
    names = dict.fromkeys(
        name for *_place, seats, _deal in evening_lines() for name in seats.values()
    )
    return {name: api.post("members/", {"name": name}, status=201)["id"] for name in names}


def _round(api: Caller, number: int, people: dict[str, int]) -> None:
    lines = [line for line in evening_lines() if line[0] == number]
    seatings = {table: seats for _round, table, _deal, seats, _written in lines}
    tables = [{seat: people[who] for seat, who in seatings[n].items()} for n in sorted(seatings)]
    draft = api.put(f"{EVENING}draw/", {"tables": tables})
    assert draft["state"] == "draft"
    drawn = [
        {seat["seat"]: seat["member"] for seat in table["seats"]}
        for table in draft["rounds"][0]["tables"]
    ]
    assert drawn == tables
    final = api.post(f"{EVENING}draw/publish/", {"version": draft["version"]})
    assert final["state"] == "final"
    at = f"{EVENING}rounds/{number}/"
    assert api.post(f"{at}start/") == {"round": number, "state": "running", "tables": 3, "seal": ""}
    for _number, table, deal, _seats, written in lines:
        payload = api.write(f"{at}tables/{table}/deals/{deal}/", written)
        assert (payload["number"], payload["version"], payload["sheet"]["deals_entered"]) == (
            deal,
            1,
            deal,
        )
    closed = api.post(f"{at}close/")
    assert (closed["state"], len(closed["seal"])) == ("closed", 64)


def _standing(rows: list[Json]) -> list[list[str]]:
    """As the file has it: rank, player, total, rounds, pits."""
    return [
        [str(one) for one in (row["rank"], row["player"], row["total"], *_rounds(row), row["pits"])]
        for row in rows
    ]


def _rounds(row: Json) -> list[Any]:
    return [row["rounds"][number] for number in ("1", "2", "3")]
