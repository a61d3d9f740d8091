"""What known cards cannot give; and that nothing that can be played is refused by them."""

from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import SEATS, Seat, Trump, evaluate, fault_message, legal_cards, trace
from scoring.rules.cards import DECK
from scoring.rules.hands import find_hand_faults, hands_of, holders_of_hands, sure_points
from scoring.rules.parse import parse_regulation
from scoring.rules.sheet import sheet_line

AMSTERDAM = parse_regulation("amsterdam")
# North has the clubs, East the diamonds, South the hearts, West the spades.
BY_SUIT = "N" * 8 + "E" * 8 + "S" * 8 + "W" * 8
# The cards go round: the four sevens lie in four hands, and no suit in one.
ROUND = "".join(SEATS[(rank + suit) % 4] for suit in range(4) for rank in range(8))


def faults(holders: str, **line: Any) -> list[tuple[str, str]]:
    written = {"declarer": "NS", "trump": "C", **line}
    deal = evaluate(written, AMSTERDAM).deal
    return [(fault.code, fault.field) for fault in find_hand_faults(deal, holders, AMSTERDAM)]


def test_hands_are_written_as_whose_each_card_is() -> None:
    hands = hands_of(BY_SUIT)
    assert hands["S"] == ("7H", "8H", "9H", "TH", "JH", "QH", "KH", "AH")
    assert holders_of_hands(hands) == BY_SUIT


def test_the_highest_trumps_are_sure_points() -> None:
    assert sure_points(BY_SUIT, "C") == ("NS", 62)
    assert sure_points(BY_SUIT, "D") == ("EW", 62)
    assert sure_points(BY_SUIT, "NT") is None
    # Of clubs North has the jack, South the nine and West the ace.
    assert sure_points(ROUND, "C") == ("NS", 34)


def test_fewer_points_than_the_highest_trumps_are_refused() -> None:
    assert faults(BY_SUIT, points={"NS": 60}) == [("hands_points", "points.NS")]
    assert faults(BY_SUIT, points={"EW": 102}) == [("hands_points", "points")]
    assert faults(BY_SUIT, points={"NS": 62}) == []
    assert faults(BY_SUIT, pit="EW") == [("hands_points", "pit")]
    assert faults(BY_SUIT, trump=None, points={"NS": 60}) == []


def test_roem_needs_its_cards_in_different_hands() -> None:
    assert faults(BY_SUIT, points={"NS": 100}, roem={"NS": [20]}) == [("hands_roem", "roem.NS")]
    assert faults(ROUND, points={"NS": 100}, roem={"NS": [20]}) == []
    assert faults(BY_SUIT, points={"NS": 100}, roem={"NS": [100]}) == []
    assert faults(BY_SUIT, points={"NS": 100}, roem={"NS": [200]}) == []


def test_roem_is_held_against_the_cards_as_a_sum() -> None:
    """However 60 was parted on the sheet, the cards only have to give so much: 789 and the run of
    three with the stuk."""
    # Of clubs, trump, each hand has two in turn; of the other suits nothing lies in three hands.
    one = "NESWNESW" + "NNNNNNEE" + "SSSSEEEE" + "SSWWWWWW"
    for items in ([20, 20, 20], [20, 40], [50, 20, 20], [50, 70]):
        assert faults(one, points={"NS": 100}, roem={"NS": items}) == []
    assert faults(one, points={"NS": 100}, roem={"NS": [20, 20, 20, 20]}) == [
        ("hands_roem", "roem.NS")
    ]
    assert faults(one, points={"NS": 80}, roem={"NS": [50], "EW": [70]}) == []
    assert faults(one, points={"NS": 80}, roem={"NS": [50], "EW": [50, 20, 20]}) == [
        ("hands_roem", "roem")
    ]


def test_cards_do_not_speak_of_roem_that_lies_in_hands() -> None:
    rules = parse_regulation({"preset": "amsterdam", "roem_from": "hand"})
    line = {"declarer": "NS", "trump": "C", "points": {"NS": 100}, "roem": {"EW": [50]}}
    assert find_hand_faults(evaluate(line, rules).deal, BY_SUIT, rules) == []


def test_roem_that_only_fits_one_by_one_is_refused_together() -> None:
    # Only of hearts can a run of four fall in one trick, and there once.
    holders = list(BY_SUIT)
    for number, seat in ((16, "N"), (17, "E"), (18, "S"), (19, "W"), (0, "S"), (8, "S"), (24, "S")):
        holders[number] = seat
    one = "".join(holders)
    assert faults(one, points={"NS": 100}, roem={"NS": [50]}) == []
    assert faults(one, points={"NS": 100}, roem={"NS": [50], "EW": [50]}) == [
        ("hands_roem", "roem")
    ]


def test_a_deal_that_does_not_stand_is_not_held_against_the_cards() -> None:
    assert faults(BY_SUIT, replayed=True, points={"NS": 2}) == []
    assert faults(BY_SUIT, reneged="N") == []


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            {"points": {"NS": 60}},
            "Met de kaarten van deze map heeft deze kant minstens 62 punten; hier staan er 60.",
        ),
        (
            {"points": {"NS": 100}, "roem": {"NS": [20]}},
            "De kaarten van deze map geven geen roem van 20.",
        ),
    ],
)
def test_the_fault_in_words(line: dict[str, Any], words: str) -> None:
    deal = evaluate({"declarer": "NS", "trump": "C", **line}, AMSTERDAM).deal
    (fault,) = find_hand_faults(deal, BY_SUIT, AMSTERDAM)
    assert fault_message(fault, "nl") == words


@given(
    seed=st.integers(0, 10**9),
    trump=st.sampled_from(get_args(Trump)),
    preset=st.sampled_from(["amsterdam", "rotterdam", "thousand-and-one", "new-zealand"]),
    is_silent=st.booleans(),
)
def test_whatever_can_be_played_is_never_refused(
    seed: int, trump: Trump, preset: str, *, is_silent: bool
) -> None:
    random = Random(seed)
    regulation = parse_regulation({"preset": preset, "no_trump": True})
    seats = [seat for seat in SEATS for _card in range(8)]
    random.shuffle(seats)
    leader = random.choice(SEATS)
    cards = _play(random, dict(zip(DECK, seats, strict=True)), leader, trump, regulation)
    record = {"declarer": random.choice(SEATS), "trump": trump, "leader": leader, "cards": cards}
    line = sheet_line(evaluate(record, regulation))
    if is_silent:
        line = {**line, "trump": None}
    deal = evaluate(line, regulation).deal
    assert find_hand_faults(deal, "".join(seats), regulation) == []


def _play(
    random: Random, holders: dict[str, Seat], leader: Seat, trump: Trump, regulation: Any
) -> list[str]:
    """A whole deal of legal cards, chosen at random."""
    hands = {seat: [card for card in DECK if holders[card] == seat] for seat in SEATS}
    played: list[str] = []
    while len(played) < len(DECK):
        state = trace(played, leader, trump, regulation)
        seat = state.next_seat or leader
        card = random.choice(legal_cards(hands[seat], state.open, trump, regulation))
        hands[seat].remove(card)
        played.append(card)
    return played
