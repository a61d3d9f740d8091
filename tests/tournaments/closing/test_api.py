"""What is done to an evening as a whole through the API, and what is published of it."""

import pytest

from tests.api.caller import Caller, new_key
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    director_of,
    evening_with_draw,
    scorekeeper_of,
    table,
    write_deal,
)
from tournaments.closing.services import evening_close
from tournaments.models import Evening
from tournaments.rounds.services import round_close

pytestmark = pytest.mark.django_db

EVENING = "/api/v1/clubs/vrolijke-boer/evenings/2026-11-21/"
DEAL = "rounds/1/tables/1/deals/1/"


def director(evening: Evening) -> Caller:
    return Caller(director_of(evening.club), EVENING)


def played() -> Evening:
    """An evening of one deal, of which the round is closed: NS 90, EW 72."""
    evening = evening_with_draw(players=4, rounds=1, method="lottery", deals_per_round=1)
    write_deal(table(evening), 1)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    return evening


def published() -> Evening:
    evening = played()
    evening_close(evening_id=evening.pk, actor=TESTS)
    return evening


def totals(rows: list[dict[str, int]]) -> list[int]:
    return [row["total"] for row in rows]


def test_points_are_hidden_and_shown() -> None:
    evening = played()
    api, public = director(evening), Caller(None, EVENING)
    assert api.post("freeze/")["frozen"] is True
    assert public.get("standing/")["rows"] == []
    assert totals(api.get("standing/")["rows"]) == [90, 90, 72, 72]
    assert api.post("unfreeze/")["frozen"] is False
    assert totals(public.get("standing/")["rows"]) == [90, 90, 72, 72]


@pytest.mark.full
def test_an_evening_is_closed_once_and_opened_again() -> None:
    evening = played()
    api, key = director(evening), new_key()
    payload = api.post("close/", idempotency_key=key)
    assert payload["state"] == "closed"
    assert api.post("close/", idempotency_key=key) == payload
    assert api.post("close/", status=422)["code"] == "evening_state"
    assert evening.releases.count() == 1
    assert api.post("reopen/")["state"] == "running"
    assert api.post("reopen/", status=422)["code"] == "evening_state"


@pytest.mark.full
def test_an_evening_is_called_off_and_planned_again() -> None:
    evening = EveningFactory.create()
    api = director(evening)
    assert api.post("cancel/")["state"] == "cancelled"
    assert api.post("cancel/", status=422)["code"] == "evening_state"
    assert api.post("restore/")["state"] == "planned"


@pytest.mark.full
def test_a_running_evening_with_deals_cannot_be_called_off() -> None:
    assert director(played()).post("cancel/", status=422)["code"] == "deals_written"


@pytest.mark.full
def test_a_correction_is_published_with_who_moved() -> None:
    evening = published()
    api = director(evening)
    assert api.post("releases/", {"reason": "x"}, status=422)["code"] == "nothing_corrected"
    better = {"declarer": "NS", "trump": "H", "points": {"NS": 60}}
    api.put(
        DEAL,
        {"version": 1, "written": better, "reason": "miscounted"},
        idempotency_key=new_key(),
    )
    assert totals(Caller(None, EVENING).get("standing/")["rows"]) == [90, 90, 72, 72]
    key = new_key()
    payload = api.post("releases/", {"reason": "Deal 1"}, status=201, idempotency_key=key)
    assert (payload["number"], payload["reason"]) == (2, "Deal 1")
    assert totals(payload["rows"]) == [162, 162, 0, 0]
    assert [(move["old_rank"], move["rank"]) for move in payload["moves"]] == [
        (1, 3),
        (1, 3),
        (3, 1),
        (3, 1),
    ]
    again = api.post("releases/", {"reason": "Deal 1"}, status=201, idempotency_key=key)
    assert again == payload
    assert api.get("releases/2/") == payload
    assert [one["number"] for one in api.get("releases/")["results"]] == [2, 1]
    assert totals(api.get("releases/1/")["rows"]) == [90, 90, 72, 72]


@pytest.mark.full
def test_a_result_is_published_anew_only_with_a_reason_and_when_closed() -> None:
    api = director(played())
    assert api.post("releases/", {"reason": "x"}, status=422)["code"] == "evening_state"
    payload = api.post("releases/", {}, status=422)
    assert [one["field"] for one in payload["errors"]] == ["reason"]


@pytest.mark.full
def test_only_a_director_does_so() -> None:
    evening = published()
    for caller, status in [
        (Caller(None, EVENING), 401),
        (Caller(scorekeeper_of(evening.club), EVENING), 403),
        (Caller(director_of(evening.club), EVENING, ("read", "deals", "members")), 403),
        (Caller(director_of(ClubFactory.create()), EVENING), 403),
    ]:
        for act in ("close", "reopen", "freeze", "unfreeze", "cancel", "restore", "releases"):
            caller.post(f"{act}/", {"reason": "x"}, status=status)
    evening.refresh_from_db()
    assert (evening.state, evening.releases.count()) == ("closed", 1)
