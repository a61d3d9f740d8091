"""Deals from a seed that anybody can check, and hands typed or read from a file."""

import json
from collections import Counter
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.cards import DECK
from scoring.rules.hands import hands_of
from tournaments.duplicate.core.dealing import (
    CardMoved,
    HandFault,
    cards_moved,
    commitment_of,
    dealer_of_folder,
    dealt,
    hand_in_suits,
    hands_json,
    hands_text,
    read_hands,
    seed_draw,
)

SEED = "5e" * 32
SEEDS = st.binary(min_size=32, max_size=32).map(bytes.hex)
NUMBERS = st.integers(1, 99)


def checked(seed: str, number: int) -> str:
    """The deal as somebody else works it out, who has only read how it is done."""
    stream = b"".join(sha256(f"{seed}:{number}:{n}".encode()).digest() for n in range(9))
    deck, at = list(DECK), 0
    for size in range(32, 1, -1):
        while stream[at] >= 256 // size * size:
            at += 1
        place = stream[at] % size
        deck[size - 1], deck[place] = deck[place], deck[size - 1]
        at += 1
    whose = {card: "NESW"[place // 8] for place, card in enumerate(deck)}
    return "".join(whose[card] for card in DECK)


@given(seed=SEEDS, number=NUMBERS)
def test_everybody_gets_eight_cards_and_anybody_can_check_them(seed: str, number: int) -> None:
    holders = dealt(seed, number)
    assert Counter(holders) == {"N": 8, "E": 8, "S": 8, "W": 8}
    assert holders == checked(seed, number)


def test_a_deal_stays_what_it_was() -> None:
    """Of seeds that were published it must still be possible to work out the cards."""
    assert dealt("00" * 32, 1) == checked("00" * 32, 1)
    assert len({dealt(SEED, number) for number in range(1, 100)}) == 99


@pytest.mark.full
def test_each_card_is_dealt_to_each_seat_as_often() -> None:
    seats = Counter(dealt(f"{turn:064x}", 1)[card] for turn in range(4000) for card in (0, 13, 31))
    assert all(2800 < times < 3200 for times in seats.values())


def test_the_commitment_is_a_hash_of_evening_and_seed() -> None:
    assert commitment_of(SEED, "e") == sha256(f"klaverclub:e:{SEED}".encode()).hexdigest()
    assert len(seed_draw()) == 64
    assert seed_draw() != seed_draw()


def test_dealers_go_round() -> None:
    assert "".join(dealer_of_folder(number) for number in range(1, 9)) == "NESWNESW"


def test_a_hand_by_suit() -> None:
    assert hand_in_suits(("7C", "TC", "AS")) == [("S", "A"), ("H", ""), ("D", ""), ("C", "T7")]


@given(folders=st.dictionaries(NUMBERS, SEEDS, min_size=1, max_size=4))
def test_files_give_back_the_same_hands(folders: dict[int, str]) -> None:
    hands = {number: dealt(seed, number) for number, seed in folders.items()}
    for text in (hands_text(hands), hands_json(hands, commitment="c", seed="")):
        read = read_hands(text)
        assert (read.folders, read.faults) == (hands, [])


def test_the_text_is_that_of_bridge_programs() -> None:
    by_suit = "N" * 8 + "E" * 8 + "S" * 8 + "W" * 8
    assert hands_text({2: by_suit}) == (
        '[Board "2"]\n[Dealer "E"]\n[Deal "N:...AKQJT987 ..AKQJT987. .AKQJT987.. AKQJT987..."]\n'
    )


def typed(number: int, holders: str, *, without: str = "") -> str:
    hands = hands_of(holders)
    return "\n".join(
        f"{number} {seat} {' '.join(card[1] + card[0] for card in cards)}"
        for seat, cards in hands.items()
        if seat not in without
    ).replace(" C", " K")


def test_hands_are_typed_as_people_say_them() -> None:
    by_suit = "N" * 8 + "E" * 8 + "S" * 8 + "W" * 8
    lines = [
        "1 N k7 k8 k9 k10 kb kv kh ka",
        "1 O r7, r8, r9, r10, rb, rv, rh, ra",
        "1: Z h7 h8 h9 h10 hb hv hh ha",
    ]
    assert read_hands("\n".join(lines)).folders == {1: by_suit}


def test_every_fault_is_told_at_once() -> None:
    lines = [
        "1 N k7 k8 k9 k10 kb kv kh ka",
        "1 E r7 r8 r9 r10 rb rv rh ra",
        "1 S h7 h8 h9 h10 hb hv hh h7",
        "1 W s7 s8 s9 s10 sb sv sh x9",
        "nonsense",
        "100 N k7",
    ]
    assert read_hands("\n".join(lines)).faults == [
        HandFault("line", 0, {"line": 5, "words": "nonsense"}),
        HandFault("card_unknown", 1, {"card": "x9"}),
        HandFault("card_twice", 1, {"card": "7H"}),
        HandFault("cards_missing", 1, {"count": 30, "cards": ("AH", "AS")}),
        HandFault("number", 100, {"most": 99}),
    ]


def test_thirty_one_cards() -> None:
    text = typed(3, dealt(SEED, 3))
    read = read_hands(text.rsplit(" ", 1)[0])
    assert [fault.code for fault in read.faults] == ["hand_size", "cards_missing"]
    assert read.faults[0] == HandFault("hand_size", 3, {"seat": "W", "count": 7})
    assert read.faults[1].params["count"] == 31
    assert read.folders == {}


def test_what_is_no_file_of_hands() -> None:
    assert [fault.code for fault in read_hands("{}").faults] == ["json"]
    assert [fault.code for fault in read_hands("").faults] == ["nothing"]
    assert [fault.code for fault in read_hands(json.dumps({"boards": [7]})).faults] == ["json"]
    twice = typed(1, dealt(SEED, 1)) + "\n" + typed(1, dealt(SEED, 1), without="ESW")
    assert [fault.code for fault in read_hands(twice).faults] == ["seat_twice"]


@pytest.mark.parametrize(
    "number", ["1e999", "-1e999", "1.5", "true", "null", '"1"', "1" + "0" * 40]
)
def test_a_folder_with_a_number_that_is_none(number: str) -> None:
    text = f'{{"boards": [{{"board": {number}, "hands": {{}}}}]}}'
    assert read_hands(text).faults == [HandFault("json")]


def test_a_file_that_has_a_folder_twice() -> None:
    board = json.loads(hands_json({1: dealt(SEED, 1)}, commitment="", seed=""))["boards"][0]
    read = read_hands(json.dumps({"boards": [board, board]}))
    assert read.faults == [HandFault("folder_twice", 1)]


def test_cards_that_lie_elsewhere() -> None:
    before = dealt(SEED, 1)
    first, other = 0, next(card for card in range(32) if before[card] != before[0])
    after = list(before)
    after[first], after[other] = before[other], before[first]
    assert cards_moved(before, before) == []
    assert cards_moved(before, "".join(after)) == [
        CardMoved(DECK[first], before[first], before[other]),  # type: ignore[arg-type]
        CardMoved(DECK[other], before[other], before[first]),  # type: ignore[arg-type]
    ]
