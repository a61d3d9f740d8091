"""The 32 cards as numbers, hands as bit masks, and what each card is worth under each trump.

A card's number is eight times its suit plus its place in the order of roem, which is how the deck
below lists them; a hand is the sum of the bits `1 << number`. Tables are built once, at import.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from scoring.rules.deal import Trump

SUITS: Final = "CDHS"
RANKS: Final = "789TJQKA"

DECK: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""Every card by its number: rank then suit, clubs, diamonds, hearts, spades, from the 7 up."""

NUMBERS: Final[Mapping[str, int]] = {card: number for number, card in enumerate(DECK)}
SUIT_MASKS: Final = tuple(0xFF << 8 * suit for suit in range(4))

_PLAIN_ORDER: Final = "789JQKTA"
_TRUMP_ORDER: Final = "78QKTA9J"
_PLAIN_POINTS: Final = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
_TRUMP_POINTS: Final = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3}
_LED: Final = 8
_TRUMPED: Final = 16


@dataclass(frozen=True, slots=True)
class TrumpTable:
    """The cards when one suit, or none, is trump.

    `suit` is its place in `SUITS` (-1 in no-trump) and `mask` its cards. `power[led][card]` is how
    high a card stands in a trick in which the suit `led` was led: the highest takes it, and a card
    of a third suit has 0. `above[power]` are the trumps that beat a card of that power. `worth`
    are the points of each card.
    """

    suit: int
    mask: int
    power: tuple[tuple[int, ...], ...]
    above: tuple[int, ...]
    worth: tuple[int, ...]


def _table(trump: str) -> TrumpTable:
    suit = SUITS.find(trump)
    power = tuple(tuple(_power(card, led, trump) for card in DECK) for led in SUITS)
    trumps = [(_TRUMPED + _TRUMP_ORDER.index(card[0]), 1 << NUMBERS[card]) for card in _of(trump)]
    return TrumpTable(
        suit=suit,
        mask=sum(bit for _power, bit in trumps),
        power=power,
        above=tuple(sum(bit for own, bit in trumps if own > beaten) for beaten in range(24)),
        worth=tuple(
            (_TRUMP_POINTS if card[1] == trump else _PLAIN_POINTS).get(card[0], 0) for card in DECK
        ),
    )


def _of(suit: str) -> tuple[str, ...]:
    return tuple(card for card in DECK if card[1] == suit)


def _power(card: str, led: str, trump: str) -> int:
    if card[1] == trump:
        return _TRUMPED + _TRUMP_ORDER.index(card[0])
    return _LED + _PLAIN_ORDER.index(card[0]) if card[1] == led else 0


TABLES: Final[Mapping[Trump, TrumpTable]] = {
    "C": _table("C"),
    "D": _table("D"),
    "H": _table("H"),
    "S": _table("S"),
    "NT": _table("NT"),
}


def cards_of(mask: int) -> tuple[str, ...]:
    """The cards of a hand, in the order of the deck.

    >>> cards_of(0b1000_0001)
    ('7C', 'AC')
    """
    return tuple(card for number, card in enumerate(DECK) if mask >> number & 1)
