"""Totals in place of deals, the paper held against them, substitutes and the first dealer."""

import pytest

from clubs.models import Member
from tests.api.caller import Caller, Json, new_key
from tests.factories import (
    TESTS,
    ClubFactory,
    MemberFactory,
    director_of,
    evening_with_draw,
    scorekeeper_of,
    table,
    write_deal,
)
from tournaments.closing.services import evening_close, evening_reopen
from tournaments.models import Evening
from tournaments.rounds.services import round_close, round_reopen

pytestmark = pytest.mark.django_db

EVENING = "/api/v1/clubs/vrolijke-boer/evenings/2026-11-21/"
TABLE = "rounds/1/tables/1/"
TOTALS, CONTROL = f"{TABLE}totals/", f"{TABLE}control/"
TWO_DEALS: Json = {"NS": {"points": 200, "roem": 40}, "EW": {"points": 124, "pits": 0}}


@pytest.fixture
def evening() -> Evening:
    return evening_with_draw(players=4, deals_per_round=2, rounds=1, method="lottery")


@pytest.fixture
def api(evening: Evening) -> Caller:
    return Caller(director_of(evening.club), EVENING)


def test_totals_are_handed_in_and_taken_off(api: Caller) -> None:
    body = {"version": 0, "totals": TWO_DEALS}
    key = new_key()
    payload = api.put(TOTALS, body, idempotency_key=key)
    figures = {"points": 200, "roem": 40, "pits": 0, "correction": 0, "total": None}
    assert payload["sheet"]["totals"]["NS"] == figures
    assert (payload["sheet"]["score"], payload["sheet"]["full"]) == ({"NS": 240, "EW": 124}, True)
    assert [seat["figures"]["score"] for seat in payload["seats"]] == [240, 124, 240, 124]
    assert api.put(TOTALS, body, idempotency_key=key) == payload
    stale = api.put(TOTALS, body, status=409)
    assert (stale["code"], stale["current"]) == ("sheet_moved_on", payload)
    payload = api.ask("DELETE", TOTALS, if_match='"1"')
    assert (payload["sheet"]["totals"], payload["sheet"]["deals_entered"]) == (None, 0)


@pytest.mark.full
def test_totals_that_cannot_be_are_refused_with_every_fault(api: Caller) -> None:
    totals = {"NS": {"points": 200, "roem": 30}, "EW": {"points": 120}}
    payload = api.put(TOTALS, {"version": 0, "totals": totals}, status=422)
    assert payload["code"] == "totals_refused"
    assert [(one["field"], one["code"], one["message"]) for one in payload["errors"]] == [
        ("totals.NS", "totals_refused", "No roem adds up to 30."),
        (
            "totals",
            "totals_refused",
            "The card points of both sides together are 320; they should be 324.",
        ),
    ]


@pytest.mark.full
def test_two_totals_are_enough(api: Caller) -> None:
    totals = {"NS": {"total": 240}, "EW": {"total": 124, "pits": 0}}
    payload = api.put(TOTALS, {"version": 0, "totals": totals})
    unknown = {"points": None, "roem": None, "correction": 0}
    assert payload["sheet"]["totals"] == {
        "NS": {**unknown, "pits": None, "total": 240},
        "EW": {**unknown, "pits": 0, "total": 124},
    }
    assert payload["sheet"]["totals_warnings"] == []
    figures = [(seat["figures"]["roem"], seat["figures"]["pits"]) for seat in payload["seats"]]
    assert figures == [(None, None), (None, 0)] * 2


def test_an_unlikely_total_is_written_with_a_warning(api: Caller) -> None:
    totals = {"NS": {"total": 100}, "EW": {"total": 62}}
    payload = api.put(TOTALS, {"version": 0, "totals": totals})
    assert (payload["sheet"]["deals_entered"], payload["sheet"]["full"]) == (1, False)
    assert payload["sheet"]["totals_warnings"] == [
        (
            "Together this is 162. That fits 1 deal, and there are 2 on the sheet. Were there "
            "really fewer?"
        )
    ]


@pytest.mark.full
@pytest.mark.each_case
@pytest.mark.parametrize(
    ("totals", "fields"),
    [
        ({}, ["totals.NS", "totals.EW"]),
        ({"NS": {"points": 1}, "N": {"points": 1}}, ["totals.N", "totals.EW"]),
        ({"NS": {}, "EW": {"points": -1}}, ["totals.NS.total", "totals.EW.points"]),
        ([], ["totals"]),
    ],
)
def test_each_side_hands_in(api: Caller, totals: object, fields: list[str]) -> None:
    payload = api.put(TOTALS, {"version": 0, "totals": totals}, status=422)
    assert [one["field"] for one in payload["errors"]] == fields


def test_after_a_result_is_published_totals_need_a_reason(evening: Evening, api: Caller) -> None:
    payload = api.put(TOTALS, {"version": 0, "totals": TWO_DEALS})
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    evening_reopen(evening_id=evening.pk, actor=TESTS)
    round_reopen(round_id=evening.rounds.get().pk, actor=TESTS)
    body = {"version": payload["sheet"]["version"], "totals": TWO_DEALS}
    assert api.put(TOTALS, body, status=422)["code"] == "reason_needed"
    api.put(TOTALS, body | {"reason": "miscounted"})


@pytest.mark.full
def test_the_paper_is_held_against_the_deals(evening: Evening, api: Caller) -> None:
    for number in (1, 2):
        write_deal(table(evening), number)
    keeper = Caller(scorekeeper_of(evening.club), EVENING)
    paper = {"NS": {"points": 180, "roem": 20}, "EW": {"points": 144, "roem": 0}}
    payload = keeper.put(CONTROL, {"paper": paper})
    assert payload["paper"]["NS"] == {"points": 180, "roem": 20, "pits": None, "total": None}
    assert [one["message"] for one in payload["differences"]] == [
        "Roem, we: 20 on the paper and 0 here, 20 fewer."
    ]
    assert (payload["agrees"], payload["accepted"], payload["version"]) == (False, False, 2)
    assert keeper.get(CONTROL) == payload
    stale = keeper.post(f"{CONTROL}accept/", {"version": 1}, status=409)
    assert stale["code"] == "sheet_moved_on"
    payload = keeper.post(f"{CONTROL}accept/", {"version": 2, "reason": "never announced"})
    assert (payload["agrees"], payload["accepted"]) == (False, True)
    assert keeper.put(CONTROL, {"paper": {}})["paper"] == {}


def test_a_substitute_takes_over(evening: Evening, api: Caller) -> None:
    write_deal(table(evening), 1)
    east = table(evening).placements.get(seat="E").member
    guest = api.post("registrations/", {"name": "Ans Vrij"}, status=201)["member"]
    body = {"seat": "E", "member": guest, "from_deal": 2, "for_himself": False}
    payload = api.post(f"{TABLE}substitutes/", body)
    held = [seat for seat in payload["seats"] if seat["seat"] == "E"]
    assert [(one["member"], one["from_deal"]) for one in held] == [(east.pk, 1), (guest, 2)]
    assert held[1]["counts_for"] == {"member": east.pk, "name": east.name}
    again = api.post(f"{TABLE}substitutes/", body | {"seat": "N"}, status=422)
    assert again["code"] == "already_seated"
    other = MemberFactory.create(club=ClubFactory.create())
    payload = api.post(f"{TABLE}substitutes/", body | {"member": other.pk}, status=422)
    assert [one["field"] for one in payload["errors"]] == ["member"]


def test_the_first_dealer_is_said_where_that_is_drawn() -> None:
    evening = evening_with_draw(players=4, first_dealer="drawn")
    keeper = Caller(scorekeeper_of(evening.club), EVENING)
    assert keeper.get(TABLE)["sheet"]["first_dealer"] is None
    payload = keeper.put(f"{TABLE}first-dealer/", {"version": 0, "seat": "S"})
    assert payload["sheet"]["first_dealer"] == "S"
    assert [deal["dealer"] for deal in payload["sheet"]["deals"][:5]] == ["S", "W", "N", "E", "S"]
    stale = keeper.put(f"{TABLE}first-dealer/", {"version": 0, "seat": "N"}, status=409)
    assert stale["current"] == payload


@pytest.mark.full
def test_the_first_dealer_is_answered_alike_when_it_is_asked_again() -> None:
    evening = evening_with_draw(players=4, first_dealer="drawn")
    keeper = Caller(scorekeeper_of(evening.club), EVENING)
    Evening.objects.update(first_dealer="left")
    asked, key = {"version": 0, "seat": "S"}, new_key()
    payload = [keeper.put(f"{TABLE}first-dealer/", asked, idempotency_key=key) for _ in range(2)]
    assert payload[0] == payload[1]
    assert payload[0]["sheet"]["first_dealer"] == "S"


@pytest.mark.full
def test_elsewhere_nobody_says_who_deals_first(api: Caller) -> None:
    payload = api.put(f"{TABLE}first-dealer/", {"version": 0, "seat": "S"}, status=422)
    assert payload["code"] == "bad_seat"


@pytest.mark.full
def test_only_whose_task_it_is_does_so(evening: Evening) -> None:
    member = Member.objects.all()[0].pk
    substitute = {"seat": "E", "member": member, "from_deal": 2, "for_himself": True}
    for caller, status in [
        (Caller(None, EVENING), 401),
        (Caller(scorekeeper_of(evening.club), EVENING), 403),
        (Caller(director_of(ClubFactory.create()), EVENING), 403),
    ]:
        caller.put(TOTALS, {"version": 0, "totals": TWO_DEALS}, status=status)
        caller.ask("DELETE", TOTALS, status=status)
        caller.post(f"{TABLE}substitutes/", substitute, status=status)
    stranger = Caller(None, EVENING)
    stranger.get(CONTROL, status=401)
    stranger.put(CONTROL, {"paper": {}}, status=401)
    stranger.post(f"{CONTROL}accept/", {"version": 0}, status=401)
    stranger.put(f"{TABLE}first-dealer/", {"version": 0, "seat": "S"}, status=401)
