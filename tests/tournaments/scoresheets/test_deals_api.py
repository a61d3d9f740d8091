"""Deals through the API: written once, corrected with a reason, taken back, refused in full."""

from typing import Any

import pytest

from clubs.models import ApiAnswer
from scoring.models import DealEntry
from tests.api.caller import Caller, Json, new_key
from tests.factories import (
    TESTS,
    ClubFactory,
    director_of,
    evening_with_draw,
    organiser_of,
    scorekeeper_of,
    table,
    write_deal,
)
from tournaments.evenings.services import evening_freeze
from tournaments.models import Evening
from tournaments.rounds.services import round_close

pytestmark = pytest.mark.django_db

AT_TABLE = "rounds/1/tables/1/"
DEAL = f"{AT_TABLE}deals/1/"
PLAIN = {"declarer": "N", "trump": "H", "points": {"EW": 65}, "roem": {"NS": [20, 50]}}
EVENING = "/api/v1/clubs/vrolijke-boer/evenings/2026-11-21/"


@pytest.fixture
def evening() -> Evening:
    return evening_with_draw(players=4)


@pytest.fixture
def writer(evening: Evening) -> Caller:
    """A scorekeeper's program, which may do nothing but write deals."""
    return Caller(scorekeeper_of(evening.club), EVENING, ("read", "deals"))


def put(
    writer: Caller,
    version: int = 0,
    status: int = 200,
    key: str = "",
    path: str = DEAL,
    **given: Any,
) -> Any:
    """Write a deal; the answer. Under a new key unless there is one."""
    body = {"version": version, "written": PLAIN} | given
    return writer.put(path, body, status=status, idempotency_key=key or new_key())


@pytest.mark.full
def test_a_deal_is_written_and_shows_what_it_comes_to(writer: Caller) -> None:
    payload = put(writer)
    assert payload == {
        "number": 1,
        "version": 1,
        "dealer": "E",
        "written": PLAIN,
        "result": {
            "nat": False,
            "pit": None,
            "points": {"NS": 97, "EW": 65},
            "roem": {"NS": 70, "EW": 0},
            "score": {"NS": 167, "EW": 65},
            "players": {"N": 167, "E": 65, "S": 167, "W": 65},
        },
        "warnings": [],
        "counts": True,
        "reason": "",
        "sheet": {
            "state": "open",
            "version": 1,
            "people": ["N", "E", "S", "W"],
            "first_dealer": "E",
            "deals_planned": 16,
            "deals_entered": 1,
            "target": None,
            "full": False,
            "score": {"NS": 167, "EW": 65},
        },
    }
    assert writer.get(DEAL) == payload


@pytest.mark.full
def test_a_blank_line_has_version_0(writer: Caller) -> None:
    payload = writer.get(DEAL)
    assert (payload["version"], payload["written"], payload["result"]) == (0, None, None)
    assert (payload["counts"], payload["dealer"], payload["warnings"]) == (False, "E", [])


@pytest.mark.full
def test_what_is_unlikely_is_written_and_said(writer: Caller) -> None:
    payload = put(writer, written={"declarer": "N", "trump": "H", "points": {"NS": 162}})
    assert payload["counts"]
    assert [(one["code"], one["field"]) for one in payload["warnings"]] == [("no_points", "pit")]
    assert payload["warnings"][0]["message"]


def test_what_cannot_be_is_refused_with_every_fault_of_the_contract(writer: Caller) -> None:
    wrong = {"declarer": "Q", "trump": "H", "points": {"EW": 1}, "roem": {"NS": [20, 30]}, "x": 1}
    payload = put(writer, 0, 422, written=wrong)
    assert (payload["code"], payload["status"]) == ("invalid_deal", 422)
    assert {(one["code"], one["field"]) for one in payload["errors"]} == {
        ("bad_value", "declarer"),
        ("points_unreachable", "points.EW"),
        ("roem_value", "roem.NS.1"),
        ("unknown_key", "x"),
    }
    assert all(one["message"] for one in payload["errors"])
    assert writer.get(DEAL)["version"] == 0


@pytest.mark.full
def test_a_deal_without_a_key_is_refused(writer: Caller) -> None:
    payload = writer.put(DEAL, {"version": 0, "written": PLAIN}, status=400)
    assert payload["code"] == "key_missing"
    payload = writer.put(DEAL, {"version": 0, "written": PLAIN}, status=400, idempotency_key="7")
    assert payload["code"] == "bad_key"
    assert writer.ask("DELETE", f"{DEAL}", status=400, if_match='"1"')["code"] == "key_missing"
    assert not DealEntry.objects.exists()


@pytest.mark.full
def test_the_same_key_again_gets_the_first_answer_and_writes_nothing(writer: Caller) -> None:
    key = new_key()
    body = {"version": 0, "written": PLAIN}
    first = writer.send("PUT", DEAL, body, idempotency_key=key)
    put(writer, 1, written=PLAIN | {"points": {"EW": 70}}, reason="miscounted")
    again = writer.send("PUT", DEAL, body, idempotency_key=key)
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json() == first.json()
    assert (first.get("Idempotent-Replayed"), again.get("Idempotent-Replayed")) == (None, "true")
    assert (first["ETag"], again["ETag"]) == ('"1"', '"1"')
    assert DealEntry.objects.count() == 2
    assert writer.get(DEAL)["version"] == 2


@pytest.mark.full
def test_the_same_key_with_other_content_is_refused(writer: Caller) -> None:
    key = new_key()
    put(writer, key=key)
    payload = put(writer, 0, 422, key, written=PLAIN | {"points": {"EW": 70}})
    assert payload["code"] == "key_reused"
    payload = put(writer, 0, 422, key, path=f"{AT_TABLE}deals/2/")
    assert payload["code"] == "key_reused"
    assert DealEntry.objects.count() == 1


@pytest.mark.full
def test_a_key_is_one_callers_and_one_sheets(evening: Evening, writer: Caller) -> None:
    key = new_key()
    put(writer, key=key)
    other = Caller(director_of(evening.club), EVENING)
    payload = put(other, 1, 200, key, written=PLAIN | {"points": {"EW": 70}}, reason="other")
    assert payload["version"] == 2
    assert ApiAnswer.objects.count() == 2


@pytest.mark.full
def test_a_key_is_free_again_after_a_refusal(writer: Caller) -> None:
    key = new_key()
    put(writer, 0, 422, key, written=PLAIN | {"points": {"EW": 1}})
    assert put(writer, key=key)["version"] == 1


@pytest.mark.full
def test_an_older_version_is_told_what_stands(writer: Caller) -> None:
    stands = put(writer)
    payload = put(writer, 0, 409, written=PLAIN | {"points": {"EW": 70}})
    assert (payload["code"], payload["current"]) == ("version_conflict", stands)
    payload = writer.ask("DELETE", DEAL, status=409, if_match='"0"', idempotency_key=new_key())
    assert payload["current"] == stands


@pytest.mark.parametrize("version", [-1, 2**31, "x", None, 1.5, True])
def test_a_version_that_cannot_be_is_refused(writer: Caller, version: object) -> None:
    payload = writer.put(
        DEAL, {"version": version, "written": PLAIN}, status=422, idempotency_key=new_key()
    )
    assert [error["field"] for error in payload["errors"]] == ["version"]


@pytest.mark.full
def test_the_version_may_be_in_if_match(writer: Caller) -> None:
    first = writer.send("GET", DEAL)
    payload = writer.put(
        DEAL, {"written": PLAIN}, idempotency_key=new_key(), if_match=first["ETag"]
    )
    assert payload["version"] == 1
    payload = writer.put(DEAL, {"written": PLAIN}, status=422, idempotency_key=new_key())
    assert payload["code"] == "version_missing"


@pytest.mark.full
def test_a_correction_needs_a_reason(writer: Caller) -> None:
    put(writer)
    better = PLAIN | {"points": {"EW": 70}}
    assert put(writer, 1, 422, written=better)["code"] == "reason_needed"
    payload = put(writer, 1, written=better, reason="miscounted")
    assert (payload["version"], payload["reason"], payload["result"]["points"]) == (
        2,
        "miscounted",
        {"NS": 92, "EW": 70},
    )


@pytest.mark.full
def test_a_deal_is_taken_back(writer: Caller) -> None:
    put(writer)
    key = new_key()
    payload = writer.ask("DELETE", DEAL, if_match='"1"', idempotency_key=key)
    assert (payload["version"], payload["written"], payload["sheet"]["deals_entered"]) == (
        2,
        None,
        0,
    )
    assert writer.ask("DELETE", DEAL, if_match='"1"', idempotency_key=key) == payload
    payload = writer.ask("DELETE", DEAL, status=422, if_match='"2"', idempotency_key=new_key())
    assert payload["code"] == "nothing_to_undo"


@pytest.mark.full
def test_a_closed_round_takes_corrections_from_a_director_only(
    evening: Evening, writer: Caller
) -> None:
    put(writer)
    round_close(round_id=evening.rounds.get(number=1).pk, unfinished_reason="late", actor=TESTS)
    better: Json = {"written": PLAIN | {"points": {"EW": 70}}, "reason": "miscounted"}
    assert put(writer, 1, 422, **better)["code"] == "sheet_closed"
    director = Caller(director_of(evening.club), EVENING, ("deals",))
    assert put(director, 1, **better)["version"] == 2


def test_a_deal_card_by_card_is_kept_with_its_cards(writer: Caller) -> None:
    """South has all the trumps and leads: a pit, and four eights and four sevens in a trick."""
    cards = [
        card
        for ranks in zip("JTAK9Q87", "AKQJT987", strict=True)
        for card in (f"{ranks[0]}S", f"{ranks[1]}D", f"{ranks[1]}H", f"{ranks[1]}C")
    ]
    laid = {"declarer": "S", "trump": "S", "leader": "S", "cards": cards}
    payload = put(writer, written=laid)
    assert payload["written"]["pit"] == "NS"
    assert payload["result"]["score"] == {"NS": 162 + 100 + 100 + 100, "EW": 0}
    entry = DealEntry.objects.get()
    assert entry.record == laid
    payload = put(writer, 0, 422, path=f"{AT_TABLE}deals/2/", written=laid | {"cards": cards[:31]})
    assert [(one["code"], one["field"]) for one in payload["errors"]] == [("card_count", "cards")]


def test_nobody_writes_without_the_task_and_the_scope(evening: Evening) -> None:
    body = {"version": 0, "written": PLAIN}
    stranger, other = Caller(None, EVENING), Caller(organiser_of(ClubFactory.create()), EVENING)
    reads_only = Caller(director_of(evening.club), EVENING, ("read", "evening", "members"))
    for caller, status, code in [
        (stranger, 401, "not_authenticated"),
        (other, 403, "not_allowed"),
        (reads_only, 403, "scope_missing"),
    ]:
        payload = caller.put(DEAL, body, status=status, idempotency_key=new_key())
        assert payload["code"] == code
        assert caller.ask("DELETE", DEAL, status=status, idempotency_key=new_key())["code"] == code
    assert not DealEntry.objects.exists()


@pytest.mark.full
@pytest.mark.parametrize(
    "path",
    [
        f"{AT_TABLE}deals/17/",
        f"{AT_TABLE}deals/0/",
        "rounds/1/tables/2/deals/1/",
        "rounds/4/tables/1/deals/1/",
        f"{AT_TABLE}deals/{10**30}/",
    ],
)
def test_what_is_not_there_is_not_found(writer: Caller, path: str) -> None:
    assert writer.get(path, status=404)["code"] == "not_found"
    payload = writer.put(
        path, {"version": 0, "written": PLAIN}, status=404, idempotency_key=new_key()
    )
    assert payload["code"] == "not_found"


def test_the_public_reads_deals_without_remarks_unless_points_are_hidden(evening: Evening) -> None:
    fine = [{"seat": "E", "points": -50, "reason": "Mia was rude"}]
    write_deal(table(evening), 1, corrections=fine)
    write_deal(table(evening), 1, corrections=fine)
    public, desk = Caller(None, EVENING), Caller(scorekeeper_of(evening.club), EVENING)
    payload = public.get(DEAL)
    assert (payload["reason"], payload["written"]["corrections"]) == (
        "",
        [{"seat": "E", "points": -50}],
    )
    assert desk.get(DEAL)["written"]["corrections"] == fine
    evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS)
    assert public.get(DEAL, status=404)["code"] == "not_found"
    assert desk.get(DEAL)["reason"] == "test"


@pytest.mark.full
def test_an_unchanged_deal_is_not_sent_again(writer: Caller) -> None:
    put(writer)
    tag = writer.send("GET", DEAL)["ETag"]
    assert writer.send("GET", DEAL, if_none_match=tag).status_code == 304
    put(writer, 1, written=PLAIN | {"points": {"EW": 70}}, reason="x")
    assert writer.send("GET", DEAL, if_none_match=tag).status_code == 200


@pytest.mark.full
def test_a_key_that_means_nothing_is_reported(writer: Caller) -> None:
    """Such as the deal itself, where it belongs under `written`."""
    beside: dict[str, Any] = PLAIN
    payload = put(writer, status=422, **beside)
    assert {(one["field"], one["code"]) for one in payload["errors"]} == {
        ("declarer", "unknown_key"),
        ("trump", "unknown_key"),
        ("points", "unknown_key"),
        ("roem", "unknown_key"),
    }
