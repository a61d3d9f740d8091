"""What roem needs: tricks that hold it, and their card points."""

from itertools import combinations_with_replacement
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scoring.rules import InvalidDeal, RuleSet, fault_message, parse_regulation
from scoring.rules.checks import least_points
from tests.scoring.rules.dealing import worth
from tests.scoring.rules.packing import ALL_RANKS, crowded_deal, fewest, roem_tricks, written
from tests.scoring.rules.sheets import faults, worked_out
from tools.roem_table import derive, phone

VALUES = (20, 40, 50, 70, 100, 200)
NEEDED: list[tuple[str, str]] = [("roem_needs_points", "roem.NS")]
UNREACHABLE: list[tuple[str, str]] = [("roem_unreachable", "roem")]


@pytest.fixture(scope="module", autouse=True)
def tricks_looked_at() -> None:
    """Looking at every four cards takes a second, which no single example should pay for."""
    roem_tricks("H"), roem_tricks("NT")


def test_the_table_is_what_the_script_works_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, written = derive.TABLE, tmp_path / "roem_table.py"
    monkeypatch.setattr(derive, "TABLE", written)
    derive.main()
    assert written.read_text(encoding="utf-8") == table.read_text(encoding="utf-8")


def test_what_roem_needs_on_the_phone_is_what_the_script_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, written = phone.MODULE, tmp_path / "roem-table.js"
    monkeypatch.setattr(phone, "MODULE", written)
    phone.main()
    assert written.read_text(encoding="utf-8") == kept.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("trump", "lowest", "carres"),
    [("H", "7", ALL_RANKS), ("H", "10", "TJQKA"), ("NT", "9", "9TJQKA")],
)
def test_trying_every_four_cards_finds_the_same(trump: str, lowest: str, carres: str) -> None:
    regulation = parse_regulation({"four_of_a_kind_from": lowest})
    for size in (1, 2, 3):
        for items in combinations_with_replacement(VALUES, size):
            least = least_points(items, regulation, no_trump=trump == "NT")
            assert (items, least) == (items, fewest(items, trump, carres))


@pytest.mark.parametrize(
    ("settings", "no_trump", "items", "least"),
    [
        # 7-8-9 of all plain suits, and beside them the 7 and 8 of trumps and a jack.
        ({}, False, (20, 20, 20), 2),
        # 7-8-9 of a plain suit and another 8; four 7s; 7-8-9-10; Q-K-A of trumps and a 7.
        ({}, False, (20,), 0),
        ({}, False, (100,), 0),
        ({}, False, (50,), 10),
        ({}, False, (40,), 3 + 4 + 11),
        # 10-J-Q-K of trumps; four jacks, one of them of trumps.
        ({}, False, (70,), 10 + 20 + 3 + 4),
        ({}, False, (200,), 20 + 3 * 2),
        ({}, True, (200,), 4 * 2),
        # From the 9 the cheapest are the queens, then the nines, of which one is of trumps.
        ({"four_of_a_kind_from": "9"}, False, (100,), 12),
        ({"four_of_a_kind_from": "9"}, False, (100, 100), 12 + 14),
        ({"four_of_a_kind_from": "10"}, False, (100, 100), 12 + 16),
        # Four jacks announced as any four of a kind; four of a kind is not announced as jacks.
        ({"four_of_a_kind_from": "10"}, False, (100,) * 5, 12 + 16 + 26 + 40 + 44),
        ({"four_of_a_kind_from": "10"}, False, (100,) * 6, None),
        ({"four_of_a_kind_from": "10", "four_jacks": 50}, False, (100,) * 5, None),
        ({"four_jacks": 100}, False, (100,) * 8, 162),
        ({}, False, (100,) * 7 + (200,), 162),
        ({}, False, (200, 200), None),
        # Eight runs are the whole deck, and so is what they are worth.
        ({}, False, (20,) * 7 + (40,), 162),
        ({}, False, (50,) * 8, 162),
        ({}, True, (50,) * 8, 130),
        ({}, False, (20,) * 9, None),
        # With the stuk apart seven tricks hold it; the other may be J and 9 of trumps and two aces.
        ({}, False, (20,) * 8, 152 - 20 - 14 - 11 - 11),
        ({}, True, (20,) * 8, 130),
        ({}, False, (50, 20, 40), 10 + 18),
        ({}, False, (50, 50, 50, 50, 50, 50, 50, 70), 162),
        ({}, False, (40, 70), None),
        ({}, True, (40,), None),
        # A value that two kinds share is read as the cheaper.
        ({"four_of_a_kind": 70}, False, (70,), 0),
        ({"four_of_a_kind": 40}, True, (40, 40), 0),
        ({"four_jacks": 40}, False, (40, 40), 18 + 26),
        # Four of a kind that is worth nothing needs nothing, written or not.
        ({"four_of_a_kind": 0, "four_of_a_kind_from": "10"}, False, (0, 0), 0),
        ({}, False, (), 0),
    ],
)
def test_the_fewest_points_by_hand(
    settings: dict[str, object], no_trump: bool, items: tuple[int, ...], least: int | None
) -> None:
    assert least_points(items, parse_regulation(settings), no_trump=no_trump) == least


@given(
    st.lists(st.sampled_from(VALUES), max_size=8), st.sampled_from(["7", "9", "10"]), st.booleans()
)
def test_less_roem_never_needs_more(items: list[int], lowest: str, no_trump: bool) -> None:
    regulation = parse_regulation({"four_of_a_kind_from": lowest})
    least = least_points(tuple(items), regulation, no_trump=no_trump)
    for place in range(len(items)):
        fewer = least_points((*items[:place], *items[place + 1 :]), regulation, no_trump=no_trump)
        assert least is None or (fewer is not None and fewer <= least)


@pytest.mark.parametrize(
    ("roem", "dutch", "english"),
    [
        (
            {"NS": [20, 50]},
            "Voor 20 + 50 roem zijn minstens 10 punten nodig; deze partij heeft er 9.",
            "Roem of 20 + 50 takes at least 10 card points; this side has 9.",
        ),
        (
            {"NS": [200], "EW": [200]},
            "Deze roem past niet in één spel: er zijn geen acht slagen waar dit alles in zit.",
            "This roem does not fit in one deal: no eight tricks hold all of it.",
        ),
    ],
)
def test_what_cannot_be_is_said_in_plain_words(
    roem: dict[str, list[int]], dutch: str, english: str
) -> None:
    with pytest.raises(InvalidDeal) as caught:
        worked_out(points={"EW": 153}, roem=roem)
    fault = caught.value.faults[0]
    assert (fault_message(fault, "nl"), fault_message(fault, "en")) == (dutch, english)


def test_every_fault_of_roem_is_named_at_once() -> None:
    assert faults(points={"NS": 5, "EW": 157}, roem={"NS": [70], "EW": [40, 200]}) == [
        ("roem_unreachable", "roem"),
        ("roem_needs_points", "roem.NS"),
    ]
    assert faults(pit="NS", roem={"EW": [50]}) == [
        ("roem_needs_points", "roem.EW"),
        ("roem_without_trick", "roem.EW"),
    ]


SETTINGS: list[dict[str, object]] = [
    {},
    {"four_of_a_kind_from": "9"},
    {"four_of_a_kind_from": "10", "four_jacks": 100},
    {"four_of_a_kind": 20, "four_jacks": 50},
    {"four_of_a_kind": 40, "four_jacks": 70},
    {"four_of_a_kind": 70, "four_jacks": 20},
    {"four_of_a_kind": 80, "four_jacks": 40, "four_of_a_kind_from": "9"},
]
LOWEST = {"7": ALL_RANKS, "9": "9TJQKA", "10": "TJQKA"}


@given(
    seed=st.integers(0, 10**9),
    trump=st.sampled_from(["H", "NT"]),
    settings=st.sampled_from(SETTINGS),
    cheaply=st.booleans(),
    sides=st.sampled_from([("NS",), ("EW",), ("NS", "EW")]),
)
def test_roem_that_tricks_hold_is_never_refused(
    seed: int, trump: str, settings: dict[str, object], cheaply: bool, sides: tuple[str, ...]
) -> None:
    """Crowded deals: many runs, all fours of a kind, announced whole, in part or in pieces."""
    regulation = parse_regulation({**settings, "no_trump": True})
    line = crowded_line(Random(seed), trump, regulation, cheaply=cheaply)
    assume(sum(map(len, line["roem"].values())) <= 8)
    written_of = {side: line["points"][side] for side in sides}
    ways = [
        {"trump": trump, "points": written_of},
        {"trump": None, "points": line["points"]},
        {"trump": trump, "points": {}, "nat": "pit" not in line},
    ]
    for way in ways:
        assert faults(regulation.as_settings(), **{**line, **way}) == []


def crowded_line(
    random: Random, trump: str, regulation: RuleSet, *, cheaply: bool
) -> dict[str, Any]:
    """What each side took and announced; `cheaply`: one of them only the tricks with roem."""
    tricks = crowded_deal(random, trump)
    takers = [random.choice(["NS", "EW"]) for _ in tricks]
    if cheaply:
        takers = ["NS" if written(trick, trump) else "EW" for trick in tricks]
    points, roem = {"NS": 0, "EW": 0}, {"NS": list[int](), "EW": list[int]()}
    for taker, trick in zip(takers, tricks, strict=True):
        points[taker] += sum(worth(card, trump) for card in trick)
        roem[taker] += random.choice(announced(trick, trump, regulation))
    points["EW" if "EW" in takers else "NS"] += 10
    pit = {"pit": takers[0]} if len(set(takers)) == 1 else {}
    return {"points": points, "roem": roem, **pit}


def announced(trick: list[str], trump: str, regulation: RuleSet) -> list[tuple[int, ...]]:
    """The ways to write the roem of a trick under a regulation, not at all among them."""
    alike = len({card[0] for card in trick}) == 1
    if alike and trick[0][0] not in LOWEST[regulation.four_of_a_kind_from]:
        return [()]
    carre, jacks = regulation.four_of_a_kind, regulation.four_jacks
    return [(), *written(trick, trump, carre=carre, jacks=jacks)]
