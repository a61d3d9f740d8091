"""The roem of every four cards that there are."""

from collections import Counter
from itertools import combinations

import pytest

from scoring.rules import RuleSet, Trump
from scoring.rules.cards import BITS
from scoring.rules.tricks import roem_of_tricks
from tests.scoring.rules.dealing import DECK, House, roem_of
from tests.scoring.rules.houses import HOUSES, regulation_of

SETS = list(combinations(DECK, 4))


def roem_of_all(trump: Trump, regulation: RuleSet) -> list[int]:
    """The roem of each of the sets."""
    table = roem_of_tricks(trump, regulation)
    return [table.get(sum(BITS[card] for card in cards), 0) for cards in SETS]


@pytest.mark.parametrize("trump", ["C", "D", "H", "S"])
def test_how_often_four_cards_make_roem(trump: Trump) -> None:
    """With four of a kind from the 7 and 200 for four jacks; counted outside of this project."""
    assert len(SETS) == 35_960
    assert Counter(roem_of_all(trump, RuleSet())) == {
        0: 34_898,
        20: 979,
        40: 55,
        50: 18,
        70: 2,
        100: 7,
        200: 1,
    }


def test_in_no_trump_there_is_no_stuk() -> None:
    """A suit has six runs of three, with 29 cards to lie beside each, and five of four.

    A run of four is no run of three, though it holds two.
    """
    three = 4 * (6 * 29 - 2 * 5)
    counted = Counter(roem_of_all("NT", RuleSet()))
    assert counted == {0: 35_960 - three - 20 - 8, 20: three, 50: 20, 100: 7, 200: 1}


@pytest.mark.parametrize(("trump", "house"), [("H", HOUSES[2]), ("NT", HOUSES[3])])
def test_the_reference_finds_the_same(trump: Trump, house: House) -> None:
    made = roem_of_all(trump, regulation_of(house))
    assert made == [roem_of(cards, trump, house) for cards in SETS]


@pytest.mark.parametrize(
    ("lowest", "rank", "expected"),
    [
        ("7", "7", 100),
        ("7", "8", 100),
        ("9", "8", 0),
        ("9", "9", 100),
        ("10", "9", 0),
        ("10", "T", 100),
        ("10", "A", 100),
        ("10", "J", 200),
    ],
)
def test_the_rank_from_which_four_of_a_kind_counts(lowest: str, rank: str, expected: int) -> None:
    regulation = regulation_of(House(four_of_a_kind_from=lowest))
    table = roem_of_tricks("H", regulation)
    assert table.get(sum(BITS[rank + suit] for suit in "CDHS"), 0) == expected
