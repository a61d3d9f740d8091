"""The 32 cards as numbers, hands as bit masks, cards as people type and read them, and which of
them may be played.

A card's number is eight times its suit plus its place in the order of roem, which is how the deck
below lists them; a hand is the sum of the bits `1 << number`. Tables are built once, at import.

People write the suit first: s h r k (Dutch), s h d c (English) or the sign; then the rank: 7 8 9,
10 or T, and the picture cards by the letters of Dutch packs (B V H A) or English ones (J Q K A).

Following suit binds first. For who cannot, or when trumps are led, the rest of the deck falls into
sets, and nobody may play from one set who holds a card of an earlier one. In no-trump only
following suit binds: there are no trumps to be in a set.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, NamedTuple

from scoring.rules.deal import Trump
from scoring.rules.faults import MOST_NAMED, Fault, InvalidDeal, bad_type, shown
from scoring.rules.play_settings import MustTrump, Undertrump
from scoring.rules.regulation import RuleSet
from scoring.rules.texts import SUIT_SIGNS, Language, card_name

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


_TYPED_SUITS: Final[Mapping[str, str]] = {
    **dict(zip("shrkdc", "SHDCDC", strict=True)),
    **{sign: suit for suit, sign in SUIT_SIGNS.items()},
}
_TYPED_RANKS: Final[Mapping[str, str]] = {
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
    suit, rank = _TYPED_SUITS.get(typed[:1]), _TYPED_RANKS.get(typed[1:])
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
        if (fault := _word_fault(words[at], at + 1, card, cards[:at])) is not None
    ]
    sound = cards[: faults[0].place - 1] if faults else cards
    return CardsRead(tuple(card for card in sound if card), tuple(faults))


def card_typed(card: str, language: Language) -> str:
    """A card as it is typed.

    >>> card_typed("TH", "nl"), card_typed("JC", "nl"), card_typed("JC", "en")
    ('h10', 'kb', 'cj')
    """
    return _SUIT_KEYS[language][card[1]] + card_name(card, language)[1:].lower()


def _word_fault(
    word: str, place: int, card: str | None, before: list[str | None]
) -> WordFault | None:
    if card is None:
        return WordFault(word, place)
    return WordFault(word, place, before.index(card) + 1) if card in before else None


Why = Literal["follow", "overtrump", "trump", "no_undertrump"]
"""What a player had to do: follow suit, go over, play a trump, or play no lower trump."""

Sets = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lead:
    """What binds when one suit was led.

    `power` is how high each card stands. `follow` are the cards that may always be played by who
    has one: the suit led, unless that is trumps. The sets for who has none stand by the highest
    power in the trick: `bound` when an opponent heads it, `relieved` when the partner does.
    """

    power: tuple[int, ...]
    follow: int
    bound: tuple[Sets, ...]
    relieved: tuple[Sets, ...]


def legal_cards(
    hand: Iterable[str], trick: Sequence[str], trump: Trump, regulation: RuleSet
) -> tuple[str, ...]:
    """The cards of a hand that may be played now, in the order of the hand.

    `trick` are the cards played to it so far, none to three. Raises `InvalidDeal` with
    `card_unknown` or `card_twice`.

    >>> legal_cards(["8S", "QS", "AC"], ["TS"], "H", RuleSet())
    ('8S', 'QS')
    >>> legal_cards(["8H", "AC"], ["TS", "9H"], "H", RuleSet(must_trump="rotterdam"))
    ('8H',)
    """
    held = tuple(hand)
    mask = sum([BITS.get(card, 0) for card in held])
    laid = [NUMBERS.get(card, -1) for card in trick]
    if mask.bit_count() < len(held) or -1 in laid:
        raise InvalidDeal([*find_card_faults(held, "hand"), *find_card_faults(trick, "trick")])
    legal = legal_mask(mask, laid, leads_of(trump, regulation))
    return tuple([card for card in held if legal & BITS[card]])


def leads_of(trump: Trump, regulation: RuleSet) -> tuple[Lead, ...]:
    """What binds a player under a regulation, by the suit led: the work of `legal_mask`."""
    return leads_under(trump, regulation.must_trump, regulation.undertrump)


def legal_mask(held: int, trick: Sequence[int], leads: Sequence[Lead]) -> int:
    """`legal_cards` for who plays many deals: a hand as a mask, and the numbers of a trick's cards.

    >>> bin(legal_mask(0b1000_0001_0000_0001, [2], leads_of("H", RuleSet())))
    '0b1'
    """
    if not trick:
        return held
    lead = leads[trick[0] >> 3]
    legal = held & lead.follow
    if legal:
        return legal
    highest = since = 0
    for card in trick:
        since += 1
        if lead.power[card] > highest:
            highest, since = lead.power[card], 0
    for cards in (lead.relieved if since == 1 else lead.bound)[highest]:
        legal = held & cards
        if legal:
            break
    return legal


def reason(card: int, trick: Sequence[int], legal: int, table: TrumpTable) -> Why:
    """Why a card was not allowed on a trick, when the mask `legal` was."""
    led = trick[0] >> 3
    if card >> 3 != led and legal & SUIT_MASKS[led]:
        return "follow"
    if card >> 3 == table.suit:
        return "no_undertrump" if legal & ~table.mask else "overtrump"
    over = table.above[max(table.power[led][laid] for laid in trick)]
    return "trump" if over == table.mask or legal & ~over else "overtrump"


@cache
def leads_under(trump: Trump, must_trump: MustTrump, undertrump: Undertrump) -> tuple[Lead, ...]:
    """`leads_of` these settings."""
    rule = _Rule(TABLES[trump], must_trump, undertrump)
    return tuple(rule.lead(suit) for suit in range(4))


class _Rule(NamedTuple):
    table: TrumpTable
    must_trump: MustTrump
    undertrump: Undertrump

    def lead(self, suit: int) -> Lead:
        highest = range(POWERS)
        return Lead(
            power=self.table.power[suit],
            follow=0 if suit == self.table.suit else SUIT_MASKS[suit],
            bound=tuple(self.sets(suit, height, partner_heads=False) for height in highest),
            relieved=tuple(self.sets(suit, height, partner_heads=True) for height in highest),
        )

    def sets(self, suit: int, highest: int, *, partner_heads: bool) -> Sets:
        """The deck for who has no card of a plain suit that was led, or when trumps were led."""
        trumps = self.table.mask
        over = self.table.above[highest]
        lower, others = trumps & ~over, DECK_MASK & ~trumps
        if suit == self.table.suit or self.must_trump == "rotterdam":
            return over, lower, others
        if self.must_trump == "trump_only":
            return trumps, others
        if partner_heads:
            return over | others, lower
        if self.undertrump == "obligatory":
            return over, lower, others
        return over, others, lower
