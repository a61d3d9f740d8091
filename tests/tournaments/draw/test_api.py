"""The draw through the API: made, typed in, made final, undone."""

import pytest
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club, Member
from tests.api.caller import Caller, Json, new_key
from tests.api.problems import wrong
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    director_of,
    evening_with_draw,
    scorekeeper_of,
)
from tournaments.models import Evening
from tournaments.registration.check_in import presence_replace, presence_set
from tournaments.registration.competitors import competitor_create, teams_choose

pytestmark = pytest.mark.django_db

EVENING = "/api/v1/clubs/vrolijke-boer/evenings/2026-11-21/"
NOTHING: Json = {
    "state": "none",
    "version": "",
    "by_hand": False,
    "seed": 0,
    "drawing": None,
    "rounds": [],
    "sentences": [],
    "warnings": [],
    "newcomers": [],
    "leavers": [],
}


def planned(players: int, method: str = "rotation", **plan: object) -> Evening:
    """An evening with so many people who are here: Jan Bakker, Mia van der Meer, Piet Visser …"""
    club = ClubFactory.create()
    evening = EveningFactory.create(club=club, method=method, **plan)
    members = [MemberFactory.create(club=club) for _ in range(players)]
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    return evening


def director(evening: Evening) -> Caller:
    return Caller(director_of(evening.club), EVENING)


def seated(payload: Json, number: int = 0) -> list[dict[str, int]]:
    """Who sits at each table of a round of the draw, by seat."""
    tables = payload["rounds"][number]["tables"]
    return [{seat["seat"]: seat["member"] for seat in table["seats"]} for table in tables]


@pytest.mark.full
def test_before_the_draw_there_is_none() -> None:
    api = director(planned(4))
    assert api.get("draw/") == NOTHING
    assert api.ask("DELETE", "draw/", status=422)["code"] == "no_draft"
    assert api.post("draw/publish/", status=422)["code"] == "no_draft"


@pytest.mark.full
def test_a_rotation_is_drawn_whole_and_tells_how_fair_it_is() -> None:
    evening = planned(5)
    api = director(evening)
    payload = api.post("draw/", status=201)
    ids = set(Member.objects.values_list("pk", flat=True))
    assert (payload["state"], payload["by_hand"], payload["drawing"]) == ("draft", False, 1)
    assert payload["seed"] == 202611211
    assert [one["round"] for one in payload["rounds"]] == [1, 2, 3]
    for one in payload["rounds"]:
        [table], [out] = one["tables"], one["sit_out"]
        assert {seat["member"] for seat in table["seats"]} | {out["member"]} == ids
        assert [seat["seat"] for seat in table["seats"]] == ["N", "E", "S", "W"]
        assert out["name"] == Member.objects.get(pk=out["member"]).name
        assert out["why"]
    assert payload["sentences"]
    assert api.get("draw/") == payload
    assert set(evening.rounds.values_list("state", flat=True)) == {"draft"}


@pytest.mark.full
def test_the_same_seed_draws_alike() -> None:
    api = director(planned(12, "lottery"))
    first = api.post("draw/", {"seed": 7}, status=201)
    other = api.post("draw/", {"seed": 8}, status=201)
    again = api.post("draw/", {"seed": 7}, status=201)
    assert seated(first) == seated(again) != seated(other)
    assert (first["seed"], first["drawing"]) == (7, None)


@pytest.mark.full
def test_a_draft_is_replaced_only_by_who_saw_it() -> None:
    api = director(planned(8, "lottery"))
    first = api.post("draw/", status=201)
    second = api.post("draw/", {"version": first["version"]}, status=201)
    payload = api.post("draw/", {"version": first["version"]}, status=409)
    assert (payload["code"], payload["current"]) == ("draw_moved_on", second)
    payload = api.post("draw/publish/", {"version": first["version"]}, status=409)
    assert payload["current"] == second
    tag = f'"{second["version"]}"'
    assert api.post("draw/publish/", if_match=tag)["state"] == "final"


def test_a_final_draw_is_seen_and_undone_once() -> None:
    evening = planned(4)
    api = director(evening)
    api.post("draw/", status=201)
    key = new_key()
    payload = api.post("draw/publish/", idempotency_key=key)
    assert (payload["state"], payload["version"]) == ("final", "")
    assert api.post("draw/publish/", idempotency_key=key) == payload
    assert api.post("draw/", status=422)["code"] == "draw_final"
    assert [one["state"] for one in api.get("rounds/")] == ["drawn"] * 3
    assert api.ask("DELETE", "draw/", status=204) is None
    assert api.get("draw/") == NOTHING | {"seed": payload["seed"]}
    assert api.get("rounds/") == []


@pytest.mark.full
def test_who_came_and_who_left_since_is_shown() -> None:
    evening = planned(5, leftover="sit_out")
    api = director(evening)
    api.post("draw/", status=201)
    newcomer, leaver = MemberFactory.create(club=evening.club), Member.objects.get(number=1)
    presence_set(evening_id=evening.pk, member=newcomer, present=True, actor=TESTS)
    presence_set(evening_id=evening.pk, member=leaver, present=False, actor=TESTS)
    payload = api.get("draw/")
    assert payload["newcomers"] == [{"member": newcomer.pk, "name": newcomer.name}]
    assert payload["leavers"] == [{"member": leaver.pk, "name": "Jan Bakker"}]
    assert api.post("draw/publish/", status=422)["code"] == "draw_outdated"


@pytest.mark.full
def test_a_draw_by_hand_is_typed_in() -> None:
    evening = planned(5, "typed_in")
    a, b, c, d, e = Member.objects.order_by("number").values_list("pk", flat=True)
    api = director(evening)
    assert api.post("draw/", status=422)["code"] == "draw_typed_in"
    payload = api.put("draw/", {"tables": [{"N": a, "E": b, "S": c, "W": d}], "sit_out": [e]})
    assert (payload["state"], payload["by_hand"], payload["drawing"]) == ("draft", True, None)
    assert seated(payload) == [{"N": a, "E": b, "S": c, "W": d}]
    assert [out["member"] for out in payload["rounds"][0]["sit_out"]] == [e]


@pytest.mark.full
def test_every_fault_of_a_typed_draw_is_reported() -> None:
    evening = planned(8, "typed_in")
    a, b, c, d, e, f, g, _h = Member.objects.order_by("number").values_list("pk", flat=True)
    tables = [{"N": a, "E": b, "S": c, "W": d}, {"N": e, "E": f, "S": g, "W": a}]
    payload = director(evening).put("draw/", {"tables": tables}, status=422)
    assert payload["code"] == "draw_faults"
    assert [(one["field"], one["message"]) for one in payload["errors"]] == [
        ("", "Jan Bakker is placed twice."),
        ("", "Riet van den Berg is not placed yet."),
    ]


def test_who_is_not_of_this_club_cannot_be_seated() -> None:
    evening = planned(4, "typed_in")
    a, b, c, _d = Member.objects.order_by("number").values_list("pk", flat=True)
    other = MemberFactory.create(club=ClubFactory.create())
    body = {"tables": [{"N": a, "E": b, "S": c, "W": other.pk}]}
    assert director(evening).put("draw/", body, status=422) == wrong(
        "tables.0.W", "unknown_member", "Nobody of this club has this id.", whole="unknown_member"
    )


@pytest.mark.full
@pytest.mark.parametrize(
    "body",
    [
        {},
        {"tables": {}},
        {"tables": [[]]},
        {"tables": [{"N": "x"}]},
        {"tables": [{"N": 10**30, "E": 1}]},
        [],
        "x",
    ],
)
def test_what_is_no_draw_is_refused(body: object) -> None:
    payload = director(planned(4, "typed_in")).put("draw/", body, status=422)
    assert payload["code"] == "invalid"
    assert payload["errors"]


@pytest.mark.full
def test_only_a_director_sees_a_draft() -> None:
    evening = planned(4)
    director(evening).post("draw/", status=201)
    for caller, status in [
        (Caller(None, EVENING), 401),
        (Caller(scorekeeper_of(evening.club), EVENING), 403),
        (Caller(director_of(ClubFactory.create()), EVENING), 403),
    ]:
        caller.get("draw/", status=status)
        caller.post("draw/", status=status)
        caller.put("draw/", {"tables": []}, status=status)
        caller.ask("DELETE", "draw/", status=status)
        caller.post("draw/publish/", status=status)
        assert caller.get("rounds/") == []
        caller.get("rounds/1/", status=404)


@pytest.mark.full
def test_an_unchanged_draw_is_not_sent_again() -> None:
    api = director(planned(4))
    tag = api.send("POST", "draw/", {})["ETag"]
    assert api.get("draw/")["version"] == tag.strip('"')
    tag = api.send("GET", "draw/")["ETag"]
    assert api.send("GET", "draw/", if_none_match=tag).status_code == 304


@pytest.mark.parametrize("players", [4, 12])
def test_the_draw_takes_as_many_queries_however_many_tables(
    players: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    evening = evening_with_draw(players=players, started=False)
    api = director(evening)
    api.get("draw/")
    with django_assert_num_queries(19):
        assert len(seated(api.get("draw/"))) == players // 4


def test_another_clubs_evening_is_its_own() -> None:
    evening = planned(4)
    other: Club = ClubFactory.create()
    Caller(director_of(other), f"/api/v1/clubs/{other.slug}/evenings/2026-11-21/").get(
        "draw/", status=404
    )
    assert evening.club != other


def test_a_program_does_not_set_a_team_against_itself_either() -> None:
    evening = planned(8, "lottery", rounds_planned=1)
    api, people = director(evening), [*Member.objects.order_by("number")]
    team = competitor_create(
        club=evening.club, kind="team", name="De Azen", since=evening.date, actor=TESTS
    )
    ours = {people[at].pk: team for at in (0, 5)}
    teams_choose(evening_id=evening.pk, wanted=ours, actor=TESTS)
    ids = [member.pk for member in people]
    apart = [dict(zip("NESW", ids[first : first + 4], strict=True)) for first in (0, 4)]
    api.put("draw/", {"tables": apart})
    swap = {"round": 1, "one": ids[1], "other": ids[5]}
    assert api.post("draw/swap/", swap, status=422)["code"] == "team_against_itself"
    apart[0]["E"], apart[1]["E"] = apart[1]["E"], apart[0]["E"]
    refused = api.put("draw/", {"tables": apart}, status=422)
    assert refused["code"] == "draw_faults"
    assert len(refused["errors"]) == 1
    assert seated(api.get("draw/"))[0]["E"] == ids[1]
