"""What is put right through the API: pairs, a draft, who comes late, whole sheets, a tie."""

import pytest

from clubs.models import Member
from tests.api.caller import Caller, Json
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    director_of,
    evening_with_draw,
    scorekeeper_of,
    table,
    write_deal,
)
from tournaments.models import Competitor, Evening
from tournaments.registration.check_in import presence_replace, presence_set
from tournaments.rounds.services import round_close

pytestmark = pytest.mark.django_db

EVENING = "/api/v1/clubs/vrolijke-boer/evenings/2026-11-21/"
TABLE = "rounds/1/tables/1/"


def director(evening: Evening) -> Caller:
    return Caller(director_of(evening.club), EVENING)


def planned(players: int, method: str) -> Evening:
    evening = EveningFactory.create(method=method)
    members = [MemberFactory.create(club=evening.club) for _ in range(players)]
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    return evening


def named(number: int) -> Json:
    """The member of this number, as the desk reads of him."""
    member = Member.objects.get(number=number)
    return {"member": member.pk, "name": member.name}


def test_pairs_are_made_and_taken_apart() -> None:
    api = director(planned(4, "pairs"))
    jan, mia, piet, truus = (named(number) for number in (1, 2, 3, 4))
    # In order of surname: Bakker, van der Meer, Visser, de Vries.
    assert api.get("pairs/") == {"pairs": [], "alone": [jan, mia, piet, truus]}
    made = api.post("pairs/", {"one": jan["member"], "two": piet["member"]}, status=201)
    own = Competitor.objects.get()
    assert made == {
        "pairs": [{"pair": 1, "competitor": own.pk, "people": [jan, piet], "gone": []}],
        "alone": [mia, truus],
    }
    payload = api.post("pairs/", {"one": jan["member"], "two": mia["member"]}, status=422)
    assert payload["code"] == "pair_not_free"
    assert api.ask("DELETE", "pairs/1/")["pairs"] == []
    assert api.ask("DELETE", f"pairs/{10**30}/")["pairs"] == []
    assert api.post("pairs/as-before/")["pairs"] == []


@pytest.mark.full
def test_an_evening_without_pairs_has_none_to_make() -> None:
    api = director(planned(4, "lottery"))
    body = {"one": named(1)["member"], "two": named(2)["member"]}
    assert api.post("pairs/", body, status=422)["code"] == "no_fixed_pairs"
    assert api.post("pairs/as-before/", status=422)["code"] == "no_fixed_pairs"


def test_two_of_a_draft_change_places() -> None:
    api = director(planned(8, "lottery"))
    draft = api.post("draw/", status=201)
    one, other = (
        next(seat["member"] for seat in table["seats"] if seat["seat"] == "N")
        for table in draft["rounds"][0]["tables"]
    )
    body = {"round": 1, "one": one, "other": other, "version": draft["version"]}
    payload = api.post("draw/swap/", body)
    assert [table["seats"][0]["member"] for table in payload["rounds"][0]["tables"]] == [other, one]
    stale = api.post("draw/swap/", body, status=409)
    assert (stale["code"], stale["current"]) == ("draw_moved_on", payload)


def test_the_draw_follows_who_comes_late() -> None:
    evening = evening_with_draw(players=4, started=False)
    api, late = director(evening), MemberFactory.create(club=evening.club)
    assert api.post("draw/adapt/", status=422)["code"] == "nothing_to_change"
    presence_set(evening_id=evening.pk, member=late, present=True, actor=TESTS)
    payload = api.post("draw/adapt/", {"members": [late.pk]})
    assert [one["member"] for one in payload["rounds"][0]["sit_out"]] == [late.pk]
    assert payload["newcomers"] == []


@pytest.mark.full
def test_the_sides_of_a_sheet_are_swapped() -> None:
    evening = evening_with_draw(players=4)
    write_deal(table(evening), 1)
    api = director(evening)
    payload = api.post(f"{TABLE}swap/", {}, status=422)
    assert [one["field"] for one in payload["errors"]] == ["reason"]
    payload = api.post(f"{TABLE}swap/", {"reason": "upside down"})
    assert payload["sheet"]["score"] == {"NS": 72, "EW": 90}


def test_a_sheet_moves_to_the_table_it_belongs_to() -> None:
    evening = evening_with_draw(players=8)
    write_deal(table(evening), 1)
    api = director(evening)
    payload = api.post(f"{TABLE}move/", {"table": 2, "reason": "wrong table"})
    assert payload["sheet"]["score"] == {"NS": 0, "EW": 0}
    assert api.get("rounds/1/tables/2/")["sheet"]["score"] == {"NS": 90, "EW": 72}
    for number in (1, 3):
        payload = api.post(f"{TABLE}move/", {"table": number, "reason": "x"}, status=422)
        assert [one["field"] for one in payload["errors"]] == ["table"]


def test_extra_deals_decide_who_is_first() -> None:
    evening = evening_with_draw(
        players=4, rounds=1, deals_per_round=1, method="typed_in", tie="play_off"
    )
    write_deal(table(evening), 1)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    api, jan, piet = director(evening), named(1), named(3)
    assert api.get("play-off/") == {"rivals": [jan | {"score": None}, piet | {"score": None}]}
    scores = [{"member": jan["member"], "score": 264}, {"member": piet["member"], "score": 384}]
    assert api.put("play-off/", {"rivals": scores})["rivals"][0] == piet | {"score": 384}
    assert [row["rank"] for row in api.get("standing/")["rows"]] == [1, 2, 3, 3]
    payload = api.put("play-off/", {"rivals": scores[:1]}, status=422)
    assert payload["code"] == "tie_moved_on"


def test_three_at_a_table_play_each_for_himself() -> None:
    evening = evening_with_draw(players=7, leftover="three_handed", method="lottery")
    number = evening.rounds.get(number=1).tables.get(sheet__three_handed=True).number
    at = f"rounds/1/tables/{number}/"
    keeper = Caller(scorekeeper_of(evening.club), EVENING)
    payload = keeper.get(at)
    assert [seat["seat"] for seat in payload["seats"]] == ["N", "E", "S"]
    assert payload["sheet"]["score"] == {"N": 0, "E": 0, "S": 0}
    line = {"declarer": "N", "trump": "H", "points": {"NS": 100}, "seats": ["N", "E", "W"]}
    payload = keeper.write(f"{at}deals/1/", line)
    assert payload["sheet"]["score"] == {"N": 100, "E": 62, "S": 62}
    for seats in ([1, "N", {}], ["N", "N", "E"], "NEW", None):
        payload = keeper.write(f"{at}deals/2/", line | {"seats": seats}, status=422)
        assert ("seats", "bad_value") in [(one["field"], one["code"]) for one in payload["errors"]]


@pytest.mark.full
def test_only_a_director_does_so() -> None:
    evening = evening_with_draw(players=8)
    for caller, status in [
        (Caller(None, EVENING), 401),
        (Caller(scorekeeper_of(evening.club), EVENING), 403),
        (Caller(director_of(ClubFactory.create()), EVENING), 403),
    ]:
        caller.get("pairs/", status=status)
        for path in ("pairs/", "pairs/as-before/", "draw/swap/", "draw/adapt/"):
            caller.post(path, {}, status=status)
        for act in ("swap/", "move/"):
            caller.post(f"{TABLE}{act}", {}, status=status)
        caller.ask("DELETE", "pairs/1/", status=status)
        caller.put("play-off/", {"rivals": []}, status=status)
