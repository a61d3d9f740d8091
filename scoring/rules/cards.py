"""The 32 cards as numbers, hands as bit masks, and how high each card is under each trump.

A card's number is eight times its suit plus its place in the order of roem, which is how the deck
below lists them; a hand is the sum of the bits `1 << number`. Tables are built once, at import.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from scoring.rules.deal import Trump
from scoring.rules.faults import MOST_NAMED, Fault, InvalidDeal, bad_type, shown

SUITS: Final = "CDHS"
RANKS: Final = "789TJQKA"

DECK: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""Every card by its number: rank then suit, clubs, diamonds, hearts, spades, from the 7 up."""

NUMBERS: Final[Mapping[str, int]] = {card: number for number, card in enumerate(DECK)}
BITS: Final[Mapping[str, int]] = {card: 1 << number for number, card in enumerate(DECK)}
DECK_MASK: Final = (1 << 32) - 1
SUIT_MASKS: Final = tuple(0xFF << 8 * suit for suit in range(4))

POWERS: Final = 24
"""No card stands so high: trumps have 16 to 23, the cards of a plain suit that was led 8 to 15."""

_FOLLOWS: Final = 8
_TRUMPED: Final = 16
PLAIN_ORDER: Final = "789JQKTA"
TRUMP_ORDER: Final = "78QKTA9J"
"""The ranks of a suit from the lowest up: a plain suit, and trumps."""

_PLAIN_POINTS: Final = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
_TRUMP_POINTS: Final = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3}


class TrumpTable(NamedTuple):
    """The cards when one suit, or none, is trump.

    `suit` is its place in `SUITS` (-1 in no-trump) and `mask` its cards. `power[led][card]` is how
    high a card stands in a trick to which the suit `led` was led: the highest takes it, and a card
    that neither follows nor trumps has 0. `above[power]` are the trumps that beat that power.
    `points` are those of each card.
    """

    suit: int
    mask: int
    power: tuple[tuple[int, ...], ...]
    above: tuple[int, ...]
    points: tuple[int, ...]


def _table(trump: str) -> TrumpTable:
    trumps = [(_power(card, "", trump), 1 << NUMBERS[card]) for card in DECK if card[1] == trump]
    return TrumpTable(
        suit=SUITS.find(trump),
        mask=sum(bit for _, bit in trumps),
        power=tuple(tuple(_power(card, led, trump) for card in DECK) for led in SUITS),
        above=tuple(sum(bit for own, bit in trumps if own > beaten) for beaten in range(POWERS)),
        points=tuple(
            (_TRUMP_POINTS if card[1] == trump else _PLAIN_POINTS).get(card[0], 0) for card in DECK
        ),
    )


def _power(card: str, led: str, trump: str) -> int:
    if card[1] == trump:
        return _TRUMPED + TRUMP_ORDER.index(card[0])
    return _FOLLOWS + PLAIN_ORDER.index(card[0]) if card[1] == led else 0


TABLES: Final[Mapping[Trump, TrumpTable]] = {
    trump: _table(trump) for trump in ("C", "D", "H", "S", "NT")
}


def card_numbers(cards: Sequence[str], field: str) -> list[int]:
    """The numbers of the cards; raises `InvalidDeal` with `card_unknown` and `card_twice`.

    >>> card_numbers(["7C", "AS"], "cards")
    [0, 31]
    """
    numbers = {NUMBERS.get(card, -1): None for card in cards}
    if -1 in numbers or len(numbers) < len(cards):
        raise InvalidDeal(find_card_faults(cards, field))
    return list(numbers)


def find_card_faults(cards: Iterable[object], field: str) -> list[Fault]:
    """`bad_type`, `card_unknown` or `card_twice` at each place where there is reason.

    >>> [(fault.code, fault.field) for fault in find_card_faults(["7C", "1C", "7C"], "cards")]
    [('card_unknown', 'cards.1'), ('card_twice', 'cards.2')]
    """
    faults = []
    seen = set()
    for place, card in enumerate(cards):
        if not isinstance(card, str):
            faults.append(bad_type(card, f"{field}.{place}"))
        elif card not in NUMBERS:
            faults.append(Fault("card_unknown", f"{field}.{place}", {"value": shown(card)}))
        elif card in seen:
            faults.append(Fault("card_twice", f"{field}.{place}", {"card": card}))
        else:
            seen.add(card)
    return faults


def find_deck_faults(cards: Sequence[object]) -> list[Fault]:
    """The faults of `cards` that should be the whole deck: those above, and `card_count`."""
    faults = find_card_faults(cards[:MOST_NAMED], "cards")
    if len(cards) != len(DECK):
        faults.append(Fault("card_count", "cards", {"count": len(cards)}))
    return faults


def mask_of(numbers: Iterable[int]) -> int:
    """The hand with these cards.

    >>> bin(mask_of([0, 7]))
    '0b10000001'
    """
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


def cards_of(mask: int) -> tuple[str, ...]:
    """The cards of a hand, in the order of the deck.

    >>> cards_of(0b1000_0001)
    ('7C', 'AC')
    """
    return tuple(card for number, card in enumerate(DECK) if mask >> number & 1)
