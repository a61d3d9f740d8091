"""Roem that lies in the eight cards of a player, for that player's side or for a trick."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import Trump, evaluate, parse_regulation, trace
from scoring.rules.checks import least_points
from tests.scoring.rules.dealing import DECK, RANKS, SEATS, SUITS, House, replay, worth
from tests.scoring.rules.sheets import faults, faults_of
from tools.roem_table import hands

Combination = tuple[tuple[str, ...], int]
LOWEST = {"7": RANKS, "9": RANKS[2:], "10": RANKS[3:]}
HAND = parse_regulation({"roem_from": "hand", "no_trump": True})


def runs_of(hand: list[str]) -> list[Combination]:
    """Every run of three or four in a hand."""
    found = []
    for suit, (length, points) in product(SUITS, ((3, 20), (4, 50))):
        for low in range(9 - length):
            cards = tuple(rank + suit for rank in RANKS[low : low + length])
            if {*cards} <= {*hand}:
                found.append((cards, points))
    return found


def combinations_of(random: Random, hand: list[str], trump: str, lowest: str) -> list[Combination]:
    """Some way to announce what a hand holds: runs that share no card, fours, the stuk."""
    chosen: list[Combination] = []
    runs = runs_of(hand)
    for cards, points in random.sample(runs, len(runs)):
        if all({*cards}.isdisjoint(others) for others, _ in chosen):
            chosen.append((cards, random.choice([20, points])))
    stuk = ("Q" + trump, "K" + trump)
    if {*stuk} <= {*hand}:
        inside = [place for place, (cards, _) in enumerate(chosen) if {*stuk} <= {*cards}]
        if inside and random.random() < 0.5:
            cards, points = chosen[inside[0]]
            chosen[inside[0]] = cards, points + 20
        else:
            chosen.append((stuk, 20))
    for rank in LOWEST[lowest]:
        alike = tuple(rank + suit for suit in SUITS)
        if {*alike} <= {*hand}:
            chosen.append((alike, random.choice([100, 200]) if rank == "J" else 100))
    return chosen


def crowded_hands(random: Random, trump: str) -> list[list[str]]:
    """Four hands with as many combinations as chance allows."""
    suits = [[(rank + suit) for rank in RANKS] for suit in SUITS]
    every: list[list[str]] = [list(run) for suit in suits for run, _ in runs_of(suit)]
    every += [[rank + suit for suit in SUITS] for rank in RANKS]
    every.append(["Q" + trump, "K" + trump] if trump != "NT" else ["7C"])
    dealt: list[list[str]] = [[], [], [], []]
    taken: dict[str, int] = {}
    for cards in random.sample(every, len(every)):
        hand = random.randrange(4)
        new = [card for card in cards if card not in taken]
        free = all(taken.get(card, hand) == hand for card in cards)
        if free and len(dealt[hand]) + len(new) <= 8:
            dealt[hand] += new
            taken |= dict.fromkeys(new, hand)
    left = [card for card in random.sample(DECK, 32) if card not in taken]
    for hand_cards in dealt:
        while len(hand_cards) < 8:
            hand_cards.append(left.pop())
    return dealt


def laid(random: Random | None, dealt: list[list[str]], trump: str) -> tuple[list[str], str]:
    """The cards in some order of play, which need not have been allowed, and who led; without
    chance each hand as it is written."""
    first = leader = random.randrange(4) if random else 0
    held = [random.sample(hand, 8) if random else hand[::-1] for hand in dealt]
    cards: list[str] = []
    for _ in range(8):
        trick = [held[(leader + turn) % 4].pop() for turn in range(4)]
        heights = [_height(card, trick[0], trump) for card in trick]
        leader = (leader + heights.index(max(heights))) % 4
        cards += trick
    return cards, SEATS[first]


def _height(card: str, led: str, trump: str) -> tuple[int, int]:
    if card[1] == trump:
        return 2, "78QKTA9J".index(card[0])
    return int(card[1] == led[1]), "789JQKTA".index(card[0])


@given(
    seed=st.integers(0, 10**9),
    trump=st.sampled_from([*SUITS, "NT"]),
    lowest=st.sampled_from(["7", "9", "10"]),
    crowded=st.booleans(),
    mode=st.sampled_from(["hand", "hand_to_trick"]),
)
def test_roem_that_hands_hold_is_never_refused(
    seed: int, trump: str, lowest: str, crowded: bool, mode: str
) -> None:
    """However it was announced, and in whatever order the cards fell."""
    random = Random(seed)
    deck = random.sample(DECK, 32)
    dealt = crowded_hands(random, trump) if crowded else [deck[n::4] for n in range(4)]
    cards, leader = laid(random, dealt, trump)
    played = replay(cards, leader, trump, House())
    roem: dict[str, list[int]] = {"NS": [], "EW": []}
    for seat, hand in zip(SEATS, dealt, strict=True):
        for combination, points in combinations_of(random, hand, trump, lowest):
            trick = max(cards.index(card) for card in combination) // 4
            taker = seat if mode == "hand" else played.winners[trick]
            if random.random() < 0.9:
                roem["NS" if taker in "NS" else "EW"].append(points)
    pit = next((side for side, tricks in played.tricks.items() if tricks == 8), None)
    line: dict[str, Any] = {"trump": trump, "points": played.points, "roem": roem, "pit": pit}
    settings = {"roem_from": mode, "four_of_a_kind_from": lowest, "no_trump": True}
    assert faults(settings, **line) == []
    whole = {"declarer": "N", "trump": trump, "leader": leader, "cards": cards}
    assert faults_of(whole, settings) == []


# Hearts are trumps. East leads and takes every trick.
ORDER = [
    *("JH", "7C", "7H", "AH"),
    *("KH", "8C", "8H", "AC"),
    *("9H", "9C", "TH", "AD"),  # South has had 7-8-9 of clubs.
    *("QH", "8D", "QD", "AS"),  # East has had J-Q-K of trumps, North the four aces.
    *("KC", "9D", "KD", "7D"),
    *("QC", "TD", "JS", "7S"),
    *("TC", "JD", "QS", "8S"),  # South has had 8-9-10-J of diamonds.
    *("JC", "TS", "KS", "9S"),  # East: 10-J-Q-K of clubs; West: J-Q-K, North: 7-8-9 of spades.
]
LAID: dict[str, Any] = {"declarer": "E", "trump": "H", "leader": "E", "cards": ORDER}


@pytest.mark.parametrize(
    ("mode", "roem", "score"),
    [
        ("trick", {"NS": 0, "EW": 0}, {"NS": 0, "EW": 262}),
        ("hand", {"NS": 20 + 100 + 50 + 20, "EW": 40 + 50 + 20}, {"NS": 190, "EW": 262 + 110}),
        ("hand_to_trick", {"NS": 0, "EW": 300}, {"NS": 0, "EW": 562}),
    ],
)
def test_a_deal_card_by_card(mode: str, roem: dict[str, int], score: dict[str, int]) -> None:
    result = evaluate(LAID, parse_regulation({"roem_from": mode}))
    assert (result.pit, result.roem, result.score) == ("EW", roem, score)


def test_the_parts_that_were_announced() -> None:
    """The fourth trick completes 40 of East's and 100 of North's."""
    hand, to_trick = ({"roem_from": mode} for mode in ("hand", "hand_to_trick"))
    only_fourth = [False] * 3 + [True] + [False] * 4
    whole = evaluate({**LAID, "announced": only_fourth}, parse_regulation(hand))
    assert whole.deal.roem == {"NS": (100,), "EW": (40,)}
    for said, ours, theirs in ((120, (100,), (20,)), (100, (100,), ()), (40, (), (40,))):
        announced = [False] * 3 + [said] + [False] * 4
        result = evaluate({**LAID, "announced": announced}, parse_regulation(hand))
        roem = {"NS": ours, "EW": theirs}
        assert result.deal.roem == {side: items for side, items in roem.items() if items}
        all_theirs = evaluate({**LAID, "announced": announced}, parse_regulation(to_trick))
        assert all_theirs.deal.roem == {"EW": (*ours, *theirs)}
    announced = [False] * 3 + [50] + [False] * 4
    assert faults_of({**LAID, "announced": announced}, hand) == [("bad_value", "announced.3")]


@pytest.mark.parametrize(
    ("hand", "trump", "expected"),
    [
        ("7C 8C 9C TC JC 7D 8D 9D", "S", [50, 20]),
        ("7C 8C 9C TC JC QC KC AC", "S", [50, 50]),
        ("7C 8C 9C TC JC AC QC KC", "C", [50, 70]),
        ("8C 9C TC JC QC KC AC 7D", "S", [50, 20]),
        ("8C 9C TC JC AC QC KC 7D", "C", [20, 70]),
        ("9C TC JC QC KC 7D 9D JD", "C", [70]),
        ("KC AC QC 7D 8D TC 9S 7S", "C", [40]),
        ("KC QC 7D AC 8D TC 9S 7S", "C", [20, 20]),
        ("KC QC 7D 8D TC 9C 9S 7S", "C", [20]),
        ("KC KD KH KS QC QD QH QS", "C", [100, 100, 20]),
        ("JC JD JH JS QC KC 7D 8D", "C", [200, 40]),
        ("7C 7D 7H 7S 8C 9C TC AD", "NT", [100, 50]),
        ("7C 8C TC JC KC AC 7D 9D", "C", []),
    ],
)
def test_the_roem_of_a_hand(hand: str, trump: Trump, expected: list[int]) -> None:
    """A stuk is apart from its run where an earlier trick completes it."""
    own = hand.split()
    dealt = [own, *([card for card in DECK if card not in own][start::3] for start in range(3))]
    cards, leader = laid(None, dealt, trump)
    tricks = trace(cards, "N", trump, HAND).tricks
    assert leader == "N"
    held = [points for trick in tricks for seat, points in trick.held if seat == "N"]
    assert sorted(held) == sorted(expected)


def test_what_no_hands_hold_is_refused() -> None:
    nothing: list[tuple[str, str]] = []
    unreachable = [("roem_unreachable", "roem")]
    cases: list[tuple[str, dict[str, list[int]], list[tuple[str, str]]]] = [
        ("hand", {"NS": [100] * 4, "EW": [100] * 4}, nothing),
        ("hand", {"NS": [100] * 5}, unreachable),
        ("hand_to_trick", {"NS": [100] * 8}, nothing),
        ("hand_to_trick", {"NS": [100] * 9}, unreachable),
        ("hand", {"NS": [200], "EW": [200]}, unreachable),
        ("hand", {"NS": [40], "EW": [70]}, unreachable),
        ("hand", {"NS": [50] * 5}, unreachable),
        ("hand", {"NS": [50] * 4, "EW": [50] * 4}, nothing),
        ("hand_to_trick", {"NS": [50] * 5}, nothing),
        ("hand", {"NS": [20] * 6}, unreachable),
        # Four kings and two runs Q-K-A beside them, and the stuk apart.
        ("hand", {"NS": [100, 20, 20, 20]}, nothing),
        ("trick", {"NS": [20] * 4, "EW": [20] * 4 + [100]}, unreachable),
        ("hand", {"NS": [20] * 4, "EW": [20] * 4 + [100]}, nothing),
    ]
    for mode, roem, expected in cases:
        found = faults({"roem_from": mode}, points={"NS": 81}, roem=roem)
        assert (mode, roem, found) == (mode, roem, expected)


def test_a_side_without_a_trick_keeps_what_its_hands_held() -> None:
    def score(mode: str, roem: list[int], declarer: str = "EW") -> object:
        deal = {"declarer": declarer, "trump": "H", "pit": "EW", "roem": {"NS": roem}}
        found = faults_of(deal, {"roem_from": mode})
        return found or evaluate(deal, parse_regulation({"roem_from": mode})).score

    assert score("hand", [20]) == {"NS": 20, "EW": 262}
    assert score("hand", [100]) == {"NS": 100, "EW": 262}
    for mode in ("trick", "hand_to_trick"):
        assert score(mode, [20]) == [("roem_without_trick", "roem.NS")]
    # The jack of trumps takes a trick, and so do four jacks.
    assert score("hand", [70]) == [("roem_needs_points", "roem.NS")]
    assert score("hand", [200]) == [("roem_needs_points", "roem.NS")]
    # Roem does not undo a pit: more of it than all card points makes no deal of who took nothing.
    assert score("hand", [100, 100]) == {"NS": 200, "EW": 262}
    assert score("hand", [100, 100], "NS") == {"NS": 0, "EW": 462}
    nat = {"declarer": "NS", "trump": "H", "points": {"EW": 162}, "pit": "EW", "nat": True}
    assert faults_of({**nat, "roem": {"NS": [100, 100]}}, {"roem_from": "hand"}) == []


def test_roem_of_hands_says_nothing_of_the_points() -> None:
    line = {"declarer": "N", "trump": "H", "points": {"NS": 20}, "roem": {"NS": [100, 20]}}
    doubts = {
        mode: [
            fault.code for fault in evaluate(line, parse_regulation({"roem_from": mode})).warnings
        ]
        for mode in ("trick", "hand", "hand_to_trick")
    }
    assert doubts == {"trick": ["roem_with_few_points"], "hand": [], "hand_to_trick": []}


@pytest.mark.parametrize(
    ("mode", "settings", "items", "least", "no_trump"),
    [
        ("hand", {}, (100, 100, 100, 100), 0, False),
        # Of 10-J-Q-K or J-Q-K-A of trumps the jack takes a trick; two of the others can be beaten.
        ("hand", {}, (70,), 20 + 3, False),
        ("hand", {}, (70,), None, True),
        ("hand", {}, (200,), 20, False),
        ("hand", {}, (200, 50, 50), 0, True),
        ("hand_to_trick", {}, (50,), 0, False),
        ("hand_to_trick", {}, (40,), 3, False),
        # East held J-Q-K-A of trumps, and our ten takes the queen: had we held it, the jack alone
        # would have brought us 20.
        ("hand_to_trick", {}, (70,), 3 + 10, False),
        ("hand_to_trick", {}, (200,), 2, False),
        # Four queens, and four jacks that pass for any four.
        ("hand_to_trick", {"four_of_a_kind_from": "10"}, (100, 100), 2 + 3, False),
        # A queen completes four of them and the stuk at once.
        ("hand_to_trick", {"four_of_a_kind_from": "10"}, (100, 40), 3, False),
        # A second run of a suit is complete with its jack.
        ("hand_to_trick", {}, (20,) * 4, 0, False),
        ("hand_to_trick", {}, (20,) * 5, 2, False),
    ],
)
def test_the_fewest_points_by_hand(
    mode: str,
    settings: dict[str, object],
    items: tuple[int, ...],
    least: int | None,
    no_trump: bool,
) -> None:
    regulation = parse_regulation({"roem_from": mode, **settings})
    assert least_points(items, regulation, no_trump=no_trump) == least


@given(st.frozensets(st.integers(0, 7)), st.frozensets(st.integers(0, 7)))
def test_what_trumps_take_by_themselves(mine: frozenset[int], theirs: frozenset[int]) -> None:
    """Found by trying: each of the others' trumps falls on one trick of ours, or on none."""
    theirs -= mine
    power = ["78QKTA9J".index(rank) for rank in RANKS]
    points = [worth(rank + "H", "H") for rank in RANKS]
    others = [power[rank] for rank in range(8) if rank not in mine | theirs]

    def fewest(tricks: list[tuple[int, ...]], against: list[int]) -> int:
        if not tricks:
            return 0
        trick, *rest = tricks
        best = sum(points[rank] for rank in trick) + fewest(rest, against)
        higher = [one for one in against if one > max(power[rank] for rank in trick)]
        for one in higher:
            best = min(best, fewest(rest, [other for other in against if other != one]))
        return best

    def falls(ours: list[int], free: list[int]) -> Iterator[list[tuple[int, ...]]]:
        if not ours:
            yield [(rank,) for rank in free]
            return
        for rest in falls(ours[1:], free):
            yield [(ours[0],), *rest]
        for rank in free:
            for rest in falls(ours[1:], [other for other in free if other != rank]):
                yield [(ours[0], rank), *rest]

    if len(mine | theirs) <= 6:
        tried = min(fewest(tricks, others) for tricks in falls(sorted(mine), sorted(theirs)))
        assert hands.forced(mine, theirs) == tried


@pytest.mark.full
@pytest.mark.each_case
def test_the_table_is_what_the_script_works_out() -> None:
    assert hands.table_source() == hands.TABLE.read_text(encoding="utf-8")
