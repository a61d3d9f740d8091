"""Which cards may be played, case by case, and why a card may not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import InvalidDeal, RuleSet, Trump, legal_cards
from tests.scoring.rules.dealing import DECK, House, legal
from tests.scoring.rules.houses import HOUSES, TRUMPS, regulation_of

AMSTERDAM = RuleSet()
OBLIGATORY = RuleSet(undertrump="obligatory")
ROTTERDAM = RuleSet(must_trump="rotterdam")
TRUMP_ONLY = RuleSet(must_trump="trump_only")


def may_play(hand: str, trick: str, regulation: RuleSet, trump: Trump = "H") -> str:
    return " ".join(legal_cards(hand.split(), trick.split(), trump, regulation))


@pytest.mark.parametrize(
    ("hand", "trick", "expected"),
    [
        # Who leads, and who can follow a plain suit, is bound by nothing else.
        ("7C 8H AS", "", ["7C 8H AS"] * 4),
        ("7C 8C JH", "AC 9H", ["7C 8C"] * 4),
        # When trumps are led one goes over the highest, also when the partner laid it.
        ("7H 9H AC", "TH", ["9H"] * 4),
        ("7H 9H AC", "TH KH", ["9H"] * 4),
        ("7H 8H AC", "TH", ["7H 8H"] * 4),
        ("AC 7S", "TH", ["AC 7S"] * 4),
        # Void, an opponent heads with a plain card: any trump.
        ("7H 9H AC", "TS", ["7H 9H"] * 4),
        ("AC 7D", "TS", ["AC 7D"] * 4),
        # Void, the partner heads with a plain card.
        ("7H 9H AC", "TS 7S", ["7H 9H AC", "7H 9H AC", "7H 9H", "7H 9H"]),
        # Void, an opponent heads with a trump that can be beaten.
        ("7H 9H AC", "TS TH", ["9H", "9H", "9H", "7H 9H"]),
        # … that cannot be beaten.
        ("7H 8H AC", "TS TH", ["AC", "7H 8H", "7H 8H", "7H 8H"]),
        ("7H 8H", "TS TH", ["7H 8H"] * 4),
        # Void, the partner heads with a trump that can be beaten, that cannot, with trumps alone.
        ("7H 9H AC", "TS TH 7S", ["9H AC", "9H AC", "9H", "7H 9H"]),
        ("7H 8H AC", "TS TH 7S", ["AC", "AC", "7H 8H", "7H 8H"]),
        ("7H 9H", "TS TH 7S", ["9H", "9H", "9H", "7H 9H"]),
        ("7H 8H", "TS TH 7S", ["7H 8H"] * 4),
        # The partner trumped and was overtrumped.
        ("9H 7H AC", "TS TH AH", ["9H", "9H", "9H", "9H 7H"]),
    ],
)
def test_what_may_be_played(hand: str, trick: str, expected: list[str]) -> None:
    """Under Amsterdam, with obligatory undertrumping, under Rotterdam, and when height is free."""
    rules = [AMSTERDAM, OBLIGATORY, ROTTERDAM, TRUMP_ONLY]
    assert [may_play(hand, trick, regulation) for regulation in rules] == expected


@pytest.mark.parametrize("regulation", [AMSTERDAM, OBLIGATORY, ROTTERDAM, TRUMP_ONLY])
def test_without_trumps_only_following_suit_binds(regulation: RuleSet) -> None:
    assert may_play("7C JC AH", "9C", regulation, "NT") == "7C JC"
    assert may_play("JD AH 7S", "9C JC", regulation, "NT") == "JD AH 7S"


def test_who_has_no_cards_can_play_none() -> None:
    assert may_play("", "TS 8H", AMSTERDAM) == may_play("", "", AMSTERDAM) == ""


def test_what_is_no_card_and_what_lies_in_a_hand_twice() -> None:
    with pytest.raises(InvalidDeal) as caught:
        legal_cards(["7C", "1C", "7C"], ["AS", "as"], "H", AMSTERDAM)
    assert [(fault.code, fault.field) for fault in caught.value.faults] == [
        ("card_unknown", "hand.1"),
        ("card_twice", "hand.2"),
        ("card_unknown", "trick.1"),
    ]


@given(
    cards=st.permutations(DECK),
    sizes=st.tuples(st.integers(1, 8), st.integers(0, 3)),
    trump=st.sampled_from(TRUMPS),
    house=st.sampled_from(HOUSES),
)
def test_the_reference_allows_the_same(
    cards: list[str], sizes: tuple[int, int], trump: Trump, house: House
) -> None:
    hand, trick = cards[: sizes[0]], cards[8 : 8 + sizes[1]]
    allowed = legal_cards(hand, trick, trump, regulation_of(house))
    assert set(allowed) == set(legal(hand, trick, trump, house))
    assert allowed == tuple(card for card in hand if card in allowed) != ()
