"""Three people and a dummy: where each sits in a deal, and what they tell of it as a line."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import (
    PRESETS,
    THREE,
    Seat,
    chairs_of,
    chairs_taken,
    dealer_of,
    entry_of_three,
    evaluate,
    forehand_of,
    line_of_three,
)

SIDES = st.sampled_from(["NS", "EW"])
SEATS = st.sampled_from(THREE)


@st.composite
def stories(draw: st.DrawFn) -> dict[str, Any]:
    """What three people may tell of a deal."""
    rare = {
        "pit": SIDES,
        "reneged": SEATS,
        "accused_wrongly_by": SEATS,
        "dealer": SEATS,
        "points": st.dictionaries(SIDES, st.integers(2, 160), min_size=1),
        "roem": st.dictionaries(SIDES, st.lists(st.sampled_from([20, 50]), min_size=1)),
        "corrections": st.lists(
            st.fixed_dictionaries({"seat": SEATS, "points": st.integers(-9, 9)})
            | st.fixed_dictionaries({"side": SIDES, "points": st.integers(-9, 9)}),
            min_size=1,
        ),
    }
    always = {"declarer": SEATS, "trump": st.sampled_from("CDHS")}
    return draw(st.fixed_dictionaries(always, optional=rare))


@pytest.mark.parametrize(
    ("declarer", "chairs"),
    [
        ("N", {"N": "N", "E": "E", "S": "W"}),
        ("E", {"N": "N", "E": "E", "S": "S"}),
        ("S", {"N": "W", "E": "E", "S": "S"}),
    ],
)
def test_whoever_sits_opposite_makes_room_for_the_dummy(
    declarer: Seat, chairs: dict[Seat, Seat]
) -> None:
    assert chairs_of(declarer) == chairs


@pytest.mark.parametrize("declarer", THREE)
def test_who_plays_is_alone_against_two(declarer: Seat) -> None:
    found = {"declarer": declarer, "trump": "H", "points": {"NS": 100}, "roem": {"NS": [20]}}
    result = evaluate(line_of_three(found), PRESETS["amsterdam"])
    chairs = chairs_of(declarer)
    assert {seat: result.players[chairs[seat]] for seat in THREE} == {
        seat: 120 if seat == declarer else 62 for seat in THREE
    }
    assert result.warnings == ()


def test_the_line_of_a_deal_that_east_plays() -> None:
    found = {
        "declarer": "E",
        "trump": "C",
        "points": {"NS": 70, "EW": 92},
        "roem": {"EW": [20]},
        "reneged": "S",
        "corrections": [{"seat": "N", "points": 10}, {"side": "NS", "points": -5}],
    }
    assert line_of_three(found) == {
        "declarer": "E",
        "trump": "C",
        "points": {"EW": 70, "NS": 92},
        "roem": {"NS": [20]},
        "reneged": "S",
        "corrections": [{"seat": "N", "points": 10}, {"side": "EW", "points": -5}],
        "seats": ["N", "E", "S"],
    }


def test_the_line_of_a_deal_that_north_plays() -> None:
    found = {"declarer": "N", "trump": "C", "pit": "EW", "reneged": "S"}
    assert line_of_three(found) == {
        "declarer": "N",
        "trump": "C",
        "pit": "EW",
        "reneged": "W",
        "seats": ["N", "E", "W"],
    }


@given(stories())
def test_the_line_tells_the_same_again(found: dict[str, Any]) -> None:
    assert entry_of_three(line_of_three(found)) == found


@given(stories())
def test_only_three_chairs_are_taken_and_the_dummy_lies_opposite(found: dict[str, Any]) -> None:
    seats = line_of_three(found)["seats"]
    opposite = {"N": "S", "E": "W", "S": "N"}[found["declarer"]]
    assert sorted([*seats, opposite]) == ["E", "N", "S", "W"]
    assert seats == chairs_taken(found["declarer"])


def test_the_deal_goes_round_three_people() -> None:
    assert [dealer_of("E", number, THREE) for number in range(1, 6)] == ["E", "S", "N", "E", "S"]
    assert [forehand_of(seat, THREE) for seat in THREE] == ["E", "S", "N"]


@pytest.mark.parametrize("dealer", THREE)
def test_forehand_leads_on_the_chairs_too(dealer: Seat) -> None:
    """Where forehand must play, a line that names the dealer is right by the four chairs."""
    declarer = forehand_of(dealer, THREE)
    found = {"declarer": declarer, "trump": "H", "points": {"NS": 100}, "dealer": dealer}
    assert evaluate(line_of_three(found), PRESETS["utrecht"]).score
