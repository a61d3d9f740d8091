"""One number for the roem of a side, as paper has it, as announcements."""

from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scoring.rules import SIDES, RuleSet, announced_line, evaluate, roem_readings
from tests.scoring.rules.test_roem import crowded_line

AMSTERDAM = RuleSet()


def readings(amount: int, regulation: RuleSet = AMSTERDAM) -> list[list[int]]:
    line = {"roem": {"EW": [amount]}}
    return [reading["roem"]["EW"] for reading in roem_readings(line, regulation)]


def test_it_is_announced_at_once_if_it_can_be_and_else_without_a_stuk() -> None:
    assert readings(40) == [[40], [20, 20]]
    assert readings(60) == [[20, 20, 20], [40, 20]]
    assert readings(90) == [[50, 20, 20], [70, 20], [50, 40]]
    assert readings(70, RuleSet(four_of_a_kind=70))[:2] == [[70], [50, 20]]


def test_a_number_to_which_nothing_comes_stays() -> None:
    assert readings(30) == [[30]]


def test_what_was_announced_one_by_one_stays() -> None:
    line = {"trump": "H", "roem": {"NS": [20, 40], "EW": []}}
    assert list(roem_readings(line, AMSTERDAM)) == [line]
    assert list(roem_readings({"trump": "H"}, AMSTERDAM)) == [{"trump": "H"}]


@given(seed=st.integers(0, 10_000), trump=st.sampled_from(["H", "NT"]), cheaply=st.booleans())
def test_no_deal_is_refused_for_how_its_roem_is_written(
    seed: int, trump: str, cheaply: bool
) -> None:
    regulation = RuleSet(no_trump=True)
    played = crowded_line(Random(seed), trump, regulation, cheaply=cheaply)
    line = {"declarer": "NS", "trump": trump, **played}
    assume(sum(map(len, line["roem"].values())) <= 8)
    whole = evaluate(line, regulation)
    on_paper = {side: [sum(line["roem"][side])] if line["roem"][side] else [] for side in SIDES}
    announced, result = announced_line({**line, "roem": on_paper}, regulation)
    assert result is not None
    assert (evaluate(announced, regulation), result.score) == (result, whole.score)


LINE = {"declarer": "NS", "trump": "C", "points": {"NS": 100}, "roem": {"NS": [60]}}
LIKELIEST = {"NS": [20, 20, 20]}


@pytest.mark.parametrize("amount", [7, 5000])
def test_roem_that_no_cards_give_is_left_as_it_is_most_likely_meant(amount: int) -> None:
    line = {**LINE, "roem": {"NS": [amount]}}
    assert announced_line(line, AMSTERDAM) == (line, None)


def test_a_line_that_is_wrong_otherwise_is_announced_as_is_most_likely() -> None:
    line = {**LINE, "points": {"NS": 100, "EW": 50}}
    assert announced_line(line, AMSTERDAM) == ({**line, "roem": LIKELIEST}, None)


@pytest.mark.parametrize(
    ("declarer", "three", "score"),
    [
        ("NS", False, {"NS": 0, "EW": 232}),
        ("S", False, {"NS": 0, "EW": 232}),
        ("E", True, {"NS": 232, "EW": 0}),
    ],
)
def test_the_points_of_a_nat_may_be_what_it_comes_to(
    declarer: str, *, three: bool, score: dict[str, int]
) -> None:
    """Somebody who has roem of 50 has taken points, and lost them."""
    roem = {"NS": [50], "EW": [20]}
    line = {"declarer": declarer, "trump": "C", "nat": True, "roem": roem}
    on_paper = {**line, "points": {"NS": 0, "EW": 162}}
    announced, result = announced_line(on_paper, AMSTERDAM, three=three)
    assert (announced, result and result.score) == (line, score)
    taken = {**on_paper, "roem": {"NS": [20], "EW": []}}
    assert announced_line(taken, AMSTERDAM, three=three)[0] == taken


def test_points_of_whoever_did_not_play_are_no_nat() -> None:
    line = {"declarer": "NS", "trump": "C", "nat": True, "points": {"NS": 162, "EW": 0}}
    assert announced_line(line, AMSTERDAM) == (line, None)


def test_three_people_announce_as_their_sheet_has_it() -> None:
    announced, result = announced_line({**LINE, "declarer": "N"}, AMSTERDAM, three=True)
    assert announced == {**LINE, "declarer": "N", "roem": LIKELIEST}
    assert result is not None
    assert result.score == {"NS": 160, "EW": 62}
