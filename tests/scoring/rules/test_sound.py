"""A deal that can be played by the rules is never refused, however it was written."""

from itertools import combinations_with_replacement
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import PRESETS, SIDES, Side, parse_regulation
from scoring.rules.checks import least_points
from tests.scoring.rules.dealing import RANKS, SEATS, SUITS, House, play, replay, winning_place
from tests.scoring.rules.lifelike import deal_and_play
from tests.scoring.rules.sheets import faults

WRITTEN: dict[int, list[tuple[int, ...]]] = {
    20: [(20,), ()],
    40: [(40,), (20, 20), (20,), ()],
    50: [(50,), (20,), ()],
    70: [(70,), (50, 20), (50,), (20,), ()],
    100: [(100,), ()],
    200: [(200,), (100,), ()],
}
"""The ways to write the roem of a trick: whole, in pieces, in part, not at all."""


@given(
    seed=st.integers(0, 10**9),
    preset=st.sampled_from(sorted(PRESETS)),
    careless=st.booleans(),
    sides=st.sampled_from([SIDES[:1], SIDES[1:], SIDES, ()]),
    named=st.booleans(),
)
def test_deals_as_people_play_them(
    seed: int, preset: str, careless: bool, sides: tuple[Side, ...], named: bool
) -> None:
    random = Random(seed)
    no_trump = 0.5 if PRESETS[preset].no_trump else 0
    deal = deal_and_play(random, PRESETS[preset], no_trump=no_trump, careless=careless)
    ways = {side: [random.choice(WRITTEN[item]) for item in deal.roem[side]] for side in SIDES}
    line: dict[str, Any] = {
        "declarer": random.choice([deal.declarer, "NS" if deal.declarer in "NS" else "EW"]),
        "trump": deal.trump if named or len(sides) == 1 else None,
        "points": {side: deal.points[side] for side in sides},
        "roem": {side: [item for way in ways[side] for item in way] for side in SIDES},
    }
    if deal.pit:
        line["pit"] = deal.pit
    elif not sides:
        line["nat"] = PRESETS[preset].nat
        line["replayed"] = not PRESETS[preset].nat
    assert faults(preset, **line) == []


@given(
    seed=st.integers(0, 10**9),
    trump=st.sampled_from([*SUITS, "NT"]),
    apart=st.booleans(),
    one=st.sampled_from(SIDES),
)
def test_hands_of_one_suit(seed: int, trump: str, apart: bool, one: str) -> None:
    played = play(seed, trump, hoard=True)
    pit = next((side for side, tricks in played.tricks.items() if tricks == 8), None)
    roem = {
        side: [part for item in items for part in WRITTEN[item][apart and item in (40, 70)]]
        for side, items in played.roem.items()
    }
    line: dict[str, Any] = {"trump": trump, "roem": roem, "pit": pit}
    assert faults({"no_trump": True}, **line, points=played.points) == []
    assert faults({"no_trump": True}, **line, points={one: played.points[one]}) == []


@pytest.mark.parametrize("settings", [{}, {"four_jacks": 100}, {"four_of_a_kind_from": "10"}])
@pytest.mark.parametrize("trump", ["H", "NT"])
def test_all_fours_of_a_kind_in_one_deal(settings: dict[str, Any], trump: str) -> None:
    """Each hand is one suit, and everybody plays the rank that was led."""
    random = Random(5)
    for _ in range(100):
        played = replay(*every_rank_in_turn(random, trump), trump, House(**settings))
        assert played.reneges == []
        line: dict[str, Any] = {"trump": trump, "points": played.points, "roem": played.roem}
        line["pit"] = next((side for side, won in played.tricks.items() if won == 8), None)
        assert faults({**settings, "no_trump": True}, **line) == []


def every_rank_in_turn(random: Random, trump: str) -> tuple[list[str], str]:
    """The cards of such a deal, and who led."""
    first = leader = random.randrange(4)
    cards: list[str] = []
    for rank in random.sample(RANKS, 8):
        trick = [rank + SUITS[(leader + turn) % 4] for turn in range(4)]
        leader = (leader + winning_place(trick, trump)) % 4
        cards += trick
    return cards, SEATS[first]


@pytest.mark.parametrize("settings", [{}, {"four_of_a_kind_from": "10"}])
def test_roem_is_accepted_from_its_fewest_points_and_refused_below(
    settings: dict[str, object],
) -> None:
    regulation = parse_regulation(settings)
    for size in (1, 2, 3, 4):
        for items in combinations_with_replacement((20, 40, 50, 70, 100, 200), size):
            least = least_points(items, regulation)
            if least is None:
                assert faults(settings, nat=True, roem={"EW": list(items)}) == [
                    ("roem_unreachable", "roem")
                ]
            elif 3 <= least <= 160:
                enough: dict[str, Any] = {"roem": {"EW": list(items)}, "points": {"EW": least}}
                assert faults(settings, **enough) == []
                short = {**enough, "points": {"NS": 162 - least + 1}}
                assert faults(settings, **short) == [("roem_needs_points", "roem.EW")]
