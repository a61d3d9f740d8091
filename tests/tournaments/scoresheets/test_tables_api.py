"""Rounds and tables through the API."""

import pytest
from pytest_django import DjangoAssertNumQueries

from clubs.models import Member
from tests.api.caller import Caller, new_key
from tests.factories import (
    TESTS,
    ClubFactory,
    director_of,
    evening_with_draw,
    scorekeeper_of,
    table,
    write_deal,
)
from tournaments.evenings.services import evening_freeze
from tournaments.models import Evening

pytestmark = pytest.mark.django_db

EVENING = "/api/v1/clubs/vrolijke-boer/evenings/2026-11-21/"
ROUND = "rounds/1/"
TABLE = f"{ROUND}tables/1/"
NO_POINTS = {"score": 0, "roem": 0, "pits": 0, "nats": 0, "deals": 0}


def director(evening: Evening) -> Caller:
    return Caller(director_of(evening.club), EVENING)


@pytest.mark.full
def test_a_round_is_started_closed_and_opened_again() -> None:
    evening = evening_with_draw(players=4, started=False, deals_per_round=1)
    api = director(evening)
    drawn = {"round": 1, "state": "drawn", "tables": 1, "seal": ""}
    assert api.get("rounds/") == [drawn, drawn | {"round": 2}, drawn | {"round": 3}]
    assert api.get(ROUND) == drawn | {"sit_out": []}
    key = new_key()
    running = drawn | {"state": "running"}
    assert api.post(f"{ROUND}start/", idempotency_key=key) == running
    assert api.post(f"{ROUND}start/", idempotency_key=key) == running
    assert api.post(f"{ROUND}start/", status=422)["code"] == "round_state"
    assert api.post(f"{ROUND}close/", status=422)["code"] == "tables_unfinished"
    closed = api.post(f"{ROUND}close/", {"reason": "It is late"})
    assert (closed["state"], len(closed["seal"])) == ("closed", 64)
    assert api.post(f"{ROUND}reopen/") == running


@pytest.mark.full
def test_only_a_director_runs_rounds() -> None:
    evening = evening_with_draw(players=4)
    for caller, status in [
        (Caller(None, EVENING), 401),
        (Caller(scorekeeper_of(evening.club), EVENING), 403),
        (Caller(director_of(evening.club), EVENING, ("read", "deals", "members")), 403),
        (Caller(director_of(ClubFactory.create()), EVENING), 403),
    ]:
        for act in ("start", "close", "reopen"):
            caller.post(f"{ROUND}{act}/", status=status)
    assert evening.rounds.get(number=1).state == "running"


@pytest.mark.full
def test_who_sits_out_is_shown_by_the_name_the_reader_may_know() -> None:
    evening = evening_with_draw(players=5)
    out = evening.rounds.get(number=1).placements.get(table=None).member
    Member.objects.filter(pk=out.pk).update(public_as="hidden")
    full = [{"member": out.pk, "name": out.name}]
    assert director(evening).get(ROUND)["sit_out"] == full
    assert Caller(None, EVENING).get(ROUND)["sit_out"] == [{"member": None, "name": "Anonymous"}]


def test_a_table_shows_who_sits_there_and_its_whole_sheet() -> None:
    evening = evening_with_draw(players=4, deals_per_round=2)
    at = table(evening)
    write_deal(at, 1, roem={"NS": [20]})
    payload = director(evening).get(TABLE)
    north = at.placements.get(seat="N").member
    assert payload["seats"][0] == {
        "seat": "N",
        "member": north.pk,
        "name": north.name,
        "from_deal": 1,
        "counts_for": None,
        "extra": False,
        "figures": {"score": 110, "roem": 20, "pits": 0, "nats": 0, "deals": 1},
    }
    assert [seat["seat"] for seat in payload["seats"]] == ["N", "E", "S", "W"]
    sheet = payload["sheet"]
    assert (sheet["state"], sheet["version"], sheet["full"]) == ("open", 1, False)
    assert sheet["score"] == {"NS": 110, "EW": 72}
    assert [deal["version"] for deal in sheet["deals"]] == [1, 0]
    assert sheet["deals"][0]["written"]["roem"] == {"NS": [20]}
    assert sheet["regulation"]["must_trump"] == "amsterdam"
    assert sheet["totals"] is None


def test_the_hall_sees_no_points_while_they_are_hidden() -> None:
    evening = evening_with_draw(players=4)
    write_deal(table(evening), 1)
    evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS)
    public, desk = Caller(None, EVENING), Caller(scorekeeper_of(evening.club), EVENING)
    for path in (TABLE, f"{ROUND}tables/"):
        payload = public.get(path)
        [shown] = payload.get("results", [payload])
        assert shown["sheet"] is None
        assert [seat["figures"] for seat in shown["seats"]] == [None] * 4
    assert desk.get(TABLE)["sheet"]["score"] == {"NS": 90, "EW": 72}


def test_a_hidden_person_has_no_name_and_no_number_in_public() -> None:
    evening = evening_with_draw(players=4)
    north = table(evening).placements.get(seat="N").member
    Member.objects.filter(pk=north.pk).update(public_as="hidden")
    for path in (TABLE, f"{ROUND}tables/"):
        answer = Caller(None, EVENING).send("GET", path)
        assert north.name not in answer.content.decode()
        payload = answer.json()
        [shown] = payload.get("results", [payload])
        assert (shown["seats"][0]["member"], shown["seats"][0]["name"]) == (None, "Anonymous")


@pytest.mark.full
def test_an_unchanged_table_is_not_sent_again() -> None:
    evening = evening_with_draw(players=4)
    api = director(evening)
    tag = api.send("GET", TABLE)["ETag"]
    assert api.send("GET", TABLE, if_none_match=tag).status_code == 304
    write_deal(table(evening), 1)
    changed = api.send("GET", TABLE, if_none_match=tag)
    assert (changed.status_code, changed["ETag"][:3]) == (200, '"1.')


@pytest.mark.full
@pytest.mark.parametrize("path", ["rounds/4/", "rounds/1/tables/2/", f"rounds/{10**30}/"])
def test_what_is_not_there_is_not_found(path: str) -> None:
    evening_with_draw(players=4)
    assert Caller(None, EVENING).get(path, status=404)["code"] == "not_found"


@pytest.mark.parametrize("players", [4, 12])
def test_tables_take_as_many_queries_however_many_there_are(
    players: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    evening = evening_with_draw(players=players)
    for number in range(1, players // 4 + 1):
        write_deal(table(evening, number), 1)
    public = Caller(None, EVENING)
    public.get(f"{ROUND}tables/")
    with django_assert_num_queries(6):
        payload = public.get(f"{ROUND}tables/")
    assert [one["sheet"]["score"]["NS"] for one in payload["results"]] == [90] * (players // 4)
    with django_assert_num_queries(7):
        public.get(TABLE)
    with django_assert_num_queries(5):
        public.get(f"{ROUND}")
    with django_assert_num_queries(3):
        public.get("rounds/")
