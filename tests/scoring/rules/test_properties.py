"""What holds of every deal."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from scoring.rules import PRESETS, InvalidDeal, evaluate, explain, fault_message, score_line
from tests.scoring.rules.counting import count_plainly
from tests.scoring.rules.dealing import SUITS, play

SEATS = st.sampled_from("NESW")
SIDES = st.sampled_from(["NS", "EW"])
TRUMPS = st.sampled_from(SUITS)
PRESET = st.sampled_from(sorted(PRESETS))
FLIPPED = {"N": "E", "E": "N", "S": "W", "W": "S", "NS": "EW", "EW": "NS"}

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
words = st.sampled_from(["N", "E", "S", "W", "NS", "EW", "C", "H", "NT", "made", "failed", "seat"])
amounts = st.sampled_from([-1, 0, 1, 20, 40, 50, 60, 65, 70, 81, 97, 100, 130, 161, 162, 163, 200])
pieces: st.SearchStrategy[Any] = st.recursive(
    words | amounts | st.none() | st.booleans() | json_values,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
by_side = st.dictionaries(SIDES, amounts | pieces, max_size=2)
regulations = PRESET | st.dictionaries(
    st.sampled_from(["preset", "nat", "reneging", "nil_bonus", "no_trump", "bidding"]), pieces
)
parts: dict[str, st.SearchStrategy[Any]] = {
    "regulation": regulations,
    "declarer": words,
    "trump": words | st.none(),
    "points": by_side,
    "roem": st.dictionaries(SIDES, st.lists(amounts) | pieces, max_size=2),
    "pit": SIDES | pieces,
    "nat": st.booleans() | pieces,
    "reneged": SEATS | pieces,
    "accused_wrongly_by": SEATS | pieces,
    "nil": words | pieces,
    "replayed": st.booleans() | pieces,
    "replays": st.integers(0, 3) | pieces,
    "corrections": st.lists(
        st.dictionaries(st.sampled_from(["seat", "side", "points", "reason"]), words | amounts)
    )
    | pieces,
    "dealer": SEATS | pieces,
    "seats": st.lists(SEATS) | pieces,
}
nearly_deals = st.fixed_dictionaries({}, optional=parts)


@given(json_values | nearly_deals)
def test_any_object_is_answered_and_the_answer_is_json(value: object) -> None:
    answer = score_line(value)
    json.dumps(answer, allow_nan=False).encode()
    assert answer["valid"] is ("errors" not in answer)
    if not answer["valid"]:
        errors: Any = answer["errors"]
        assert errors
        places = [(error["code"], error["field"]) for error in errors]
        assert len(set(places)) == len(places)
        assert all(error["message"] for error in errors)


@given(nearly_deals, st.permutations(sorted(parts)))
def test_the_order_of_the_keys_changes_nothing(deal: dict[str, object], order: list[str]) -> None:
    assert score_line({key: deal[key] for key in order if key in deal}) == score_line(deal)


@given(nearly_deals)
def test_every_fault_and_every_result_has_words_in_both_languages(deal: dict[str, object]) -> None:
    deal.pop("regulation", None)
    try:
        result = evaluate(deal, PRESETS["new-zealand"])
    except InvalidDeal as error:
        for fault in error.faults:
            assert fault_message(fault, "nl") != fault_message(fault, "en")
    else:
        assert len(explain(result, "nl")) == len(explain(result, "en")) > 0


written_deals = st.fixed_dictionaries(
    {
        "declarer": SEATS,
        "trump": TRUMPS,
        "points": st.integers(2, 160).map(lambda points: {"NS": points}),
    },
    optional={
        "roem": st.dictionaries(SIDES, st.lists(st.sampled_from([20, 50, 100]), max_size=4)),
        "reneged": SEATS,
        "accused_wrongly_by": SEATS,
        "replayed": st.booleans(),
        "replays": st.integers(0, 3),
        "corrections": st.lists(
            st.fixed_dictionaries({"seat": SEATS, "points": st.integers(-100, 100)})
            | st.fixed_dictionaries({"side": SIDES, "points": st.integers(-100, 100)}),
            max_size=3,
        ),
        "dealer": SEATS,
    },
)


@given(written_deals, st.none() | SIDES)
def test_a_line_comes_to_what_a_person_counts(deal: dict[str, Any], pit: str | None) -> None:
    ordinary = "declarer", "trump", "points", "roem"
    parts: dict[str, Any] = {key: part for key, part in deal.items() if key in ordinary}
    if pit:
        parts |= {"pit": pit, "points": {}}
    answer = score_line({"regulation": "amsterdam", **parts})
    assume(answer["valid"])
    answer.pop("warnings", None)
    assert answer == count_plainly(parts)


@given(written_deals, PRESET)
def test_the_sides_are_alike(deal: dict[str, Any], preset: str) -> None:
    assume(preset != "utrecht" or "dealer" not in deal)
    turned = score_line({"regulation": preset, **flipped(deal), "trump": deal["trump"]})
    assert in_any_order(turned) == in_any_order(flipped(score_line({"regulation": preset, **deal})))


def flipped(value: Any) -> Any:
    """The same with a quarter turn of the table."""
    if isinstance(value, Mapping):
        return {FLIPPED.get(key, key): flipped(item) for key, item in value.items()}
    if isinstance(value, list):
        return [flipped(item) for item in value]
    if not isinstance(value, str):
        return value
    return ".".join(FLIPPED.get(part, part) for part in value.split("."))


def in_any_order(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer with what is said of NS and of EW in no particular order."""
    message = {key: answer[key] for key in ("errors", "warnings") if key in answer}
    return answer | {key: sorted(map(str, faults)) for key, faults in message.items()}


@given(
    seed=st.integers(0, 10**9),
    trump=TRUMPS | st.just("NT"),
    declarer=SEATS,
    hoard=st.booleans(),
    one=SIDES,
)
def test_a_deal_that_was_played_is_accepted_and_worth_what_was_played(
    seed: int, trump: str, declarer: str, hoard: bool, one: str
) -> None:
    played = play(seed, trump, hoard=hoard)
    assert sum(played.points.values()) == (130 if trump == "NT" else 162)
    regulation = replace(PRESETS["amsterdam"], no_trump=True)
    pit = next((side for side, tricks in played.tricks.items() if tricks == 8), None)
    marks = {"pit": pit} if pit else {}
    deal = {"declarer": declarer, "trump": trump, "roem": played.roem, **marks}
    result = evaluate({**deal, "points": played.points}, regulation)
    assert result.points == played.points
    assert result.roem == {side: sum(items) for side, items in played.roem.items()}
    counted_once = {**deal, "points": {one: played.points[one]}}
    assert evaluate(counted_once, regulation).as_json() == result.as_json()


@given(st.lists(st.integers(0, 10**9), min_size=16, max_size=16), st.booleans())
def test_the_checksum_of_a_boompje(seeds: list[int], hoard: bool) -> None:
    """Together 162 a deal, all roem, 100 for a pit, and for reneging 262 and nothing else."""
    together = expected = 0
    for number, seed in enumerate(seeds):
        played = play(seed, SUITS[number % 4], hoard=hoard)
        pit = next((side for side, tricks in played.tricks.items() if tricks == 8), None)
        deal: dict[str, object] = {
            "declarer": "NESW"[number % 4],
            "trump": played.trump,
            "points": played.points,
            "roem": played.roem,
        }
        if number == 7:
            deal["reneged"] = "E"
            expected += 162 + 100
        else:
            expected += 162 + sum(map(sum, played.roem.values())) + (100 if pit else 0)
        if pit:
            deal["pit"] = pit
        together += sum(evaluate(deal, PRESETS["amsterdam"]).score.values())
    assert together == expected


@given(written_deals, st.sampled_from(["nat_roem", "nat_counts_roem", "nat"]))
def test_a_player_has_what_his_side_has_and_his_own(deal: dict[str, Any], setting: str) -> None:
    changed: dict[str, object] = {"nat_roem": "lost", "nat_counts_roem": False, "nat": False}
    settings = {"reneging": "culprit_fined", setting: changed[setting]}
    answer: Any = score_line({"regulation": settings, **deal})
    assume(answer["valid"])
    fined = None if deal.get("replayed") else deal.get("reneged")
    for seat, points in answer["players"].items():
        own = sum(
            item["points"] for item in deal.get("corrections", []) if item.get("seat") == seat
        )
        side = "NS" if seat in "NS" else "EW"
        assert points == answer["score"][side] + own - (100 if seat == fined else 0)
