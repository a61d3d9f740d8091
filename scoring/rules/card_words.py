"""Cards as people type and read them: the suit first, then the rank.

Suits are typed as s h r k (Dutch) or s h d c (English), or with their own sign; ranks as 7 8 9,
10 or T, and the picture cards by the letters of Dutch packs (B V H A) or English ones (J Q K A).
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from scoring.rules.messages import SUIT_SIGNS, Language, card_name

_SUITS: Final[Mapping[str, str]] = {
    **dict(zip("shrkdc", "SHDCDC", strict=True)),
    **{sign: suit for suit, sign in SUIT_SIGNS.items()},
}
_RANKS: Final[Mapping[str, str]] = {
    "10": "T",
    **dict(zip("789tbjvqhka", "789TJJQQKKA", strict=True)),
}
_SUIT_KEYS: Final[Mapping[Language, Mapping[str, str]]] = {
    "nl": {"C": "k", "D": "r", "H": "h", "S": "s"},
    "en": {"C": "c", "D": "d", "H": "h", "S": "s"},
}


class WordFault(NamedTuple):
    """A word that cannot stay: no card, or a card that lies there already.

    `place` counts the words from 1; `first` is where the card lay before, 0 where it is no card.
    """

    word: str
    place: int
    first: int = 0


class CardsRead(NamedTuple):
    """The cards before the first word that cannot stay, and every such word."""

    cards: tuple[str, ...]
    faults: tuple[WordFault, ...]


def parse_card(word: str) -> str | None:
    """The card that was typed, as rank and suit; None when it is no card.

    >>> parse_card("h10"), parse_card("hT"), parse_card("sb"), parse_card("SJ"), parse_card("♣H")
    ('TH', 'TH', 'JS', 'JS', 'KC')
    >>> parse_card("10h") is None
    True
    """
    typed = word.lower()
    suit, rank = _SUITS.get(typed[:1]), _RANKS.get(typed[1:])
    return rank + suit if rank and suit else None


def read_cards(text: str) -> CardsRead:
    """The cards in a text with spaces, commas or new lines between them, in the order they fell.

    >>> read_cards("h10 sb, kv").cards
    ('TH', 'JS', 'QC')
    >>> read_cards("h10 x9 ht s7").faults
    (WordFault(word='x9', place=2, first=0), WordFault(word='ht', place=3, first=1))
    """
    words = text.replace(",", " ").split()
    cards = [parse_card(word) for word in words]
    faults = [
        fault
        for at, card in enumerate(cards)
        if (fault := _fault(words[at], at + 1, card, cards[:at])) is not None
    ]
    sound = cards[: faults[0].place - 1] if faults else cards
    return CardsRead(tuple(card for card in sound if card), tuple(faults))


def card_typed(card: str, language: Language) -> str:
    """A card as it is typed.

    >>> card_typed("TH", "nl"), card_typed("JC", "nl"), card_typed("JC", "en")
    ('h10', 'kb', 'cj')
    """
    return _SUIT_KEYS[language][card[1]] + card_name(card, language)[1:].lower()


def _fault(word: str, place: int, card: str | None, before: list[str | None]) -> WordFault | None:
    if card is None:
        return WordFault(word, place)
    return WordFault(word, place, before.index(card) + 1) if card in before else None
