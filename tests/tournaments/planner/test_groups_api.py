"""Groups in one hall through the API."""

import pytest

from clubs.models import Club, Member
from tests.api.caller import Caller, new_key
from tests.factories import TESTS, ClubFactory, director_of, scorekeeper_of
from tests.tournaments.planner.test_groups import here, planned
from tournaments.draw.services import draw_make
from tournaments.models import Evening

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def base(club: Club, evening: str = "2026-11-21") -> str:
    return f"/api/v1/clubs/{club.slug}/evenings/{evening}/"


def test_groups_are_made_chosen_and_joined(club: Club) -> None:
    planned(club, 8)
    api, key = Caller(director_of(club), base(club)), new_key()
    assert api.get("groups/") == {"groups": []}
    made = api.post("groups/", {"count": 2}, status=201, idempotency_key=key)
    assert api.post("groups/", {"count": 2}, status=201, idempotency_key=key) == made
    numbers = dict(Member.objects.values_list("pk", "number"))
    assert [
        sorted(numbers[person["member"]] or 0 for person in group["people"])
        for group in made["groups"]
    ] == [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert [
        {key: group[key] for key in ("letter", "evening", "name", "drawn")}
        for group in made["groups"]
    ] == [
        {"letter": "A", "evening": "2026-11-21", "name": "Groep A", "drawn": False},
        {"letter": "B", "evening": "2026-11-21-2", "name": "Groep B", "drawn": False},
    ]
    a, b = Evening.objects.order_by("sequence")
    ids = dict(Member.objects.values_list("number", "pk"))
    # By the address of another group too; who is no longer where they were seen stays.
    moves = [
        {"member": ids[1], "seen_in": "A", "to": "B"},
        {"member": ids[2], "seen_in": "B", "to": "A"},
    ]
    other = Caller(director_of(club), base(club, "2026-11-21-2"))
    other.ask("PATCH", "groups/", {"moves": moves})
    assert (here(a), here(b)) == ([2, 3, 4], [1, 5, 6, 7, 8])
    assert other.ask("DELETE", "groups/") == {"groups": []}
    assert here(Evening.objects.get()) == [1, 2, 3, 4, 5, 6, 7, 8]


def test_what_is_refused(club: Club) -> None:
    planned(club, 8)
    api = Caller(director_of(club), base(club))
    assert api.ask("DELETE", "groups/", status=422)["code"] == "no_groups"
    wrong = api.post("groups/", {"count": 1, "by": "age"}, status=422)
    assert {error["field"] for error in wrong["errors"]} == {"count", "by"}
    assert api.post("groups/", {"count": 3}, status=422)["code"] == "too_few_for_groups"
    api.post("groups/", {"count": 2, "by_strength": False}, status=201)
    assert api.post("groups/", {"count": 2}, status=422)["code"] == "groups_there"
    ids = dict(Member.objects.values_list("number", "pk"))
    move = {"member": ids[1], "seen_in": "A", "to": "C"}
    assert api.ask("PATCH", "groups/", {"moves": [move]}, status=422)["code"] == "no_such_group"
    nobody = {"member": 999_999, "seen_in": "A", "to": "B"}
    refused = api.ask("PATCH", "groups/", {"moves": [nobody]}, status=422)
    assert refused["code"] == "unknown_member"
    a, _b = Evening.objects.order_by("sequence")
    draw_make(evening_id=a.pk, actor=TESTS)
    assert [group["drawn"] for group in api.get("groups/")["groups"]] == [True, False]
    move["to"] = "B"
    assert api.ask("PATCH", "groups/", {"moves": [move]}, status=422)["code"] == "evening_drawn"
    assert api.ask("DELETE", "groups/", status=422)["code"] == "evening_drawn"
    assert here(a) == [1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.full
def test_who_may(club: Club) -> None:
    planned(club, 8)
    scorekeeper = Caller(scorekeeper_of(club), base(club))
    reader = Caller(director_of(club), base(club), scopes=("read",))
    for caller, path, status in ((scorekeeper, "GET", 403), (reader, "POST", 403)):
        caller.ask(path, "groups/", {"count": 2}, status=status)
    assert reader.get("groups/") == {"groups": []}
    Caller(None, base(club)).get("groups/", status=401)
