"""Which cards may be played, and why a card may not.

Following suit binds first. For who cannot, or when trumps are led, the rest of the deck falls into
sets, and nobody may play from one set who holds a card of an earlier one. In no-trump only
following suit binds: there are no trumps to be in a set.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

from scoring.rules.cards import (
    BITS,
    DECK_MASK,
    NUMBERS,
    POWERS,
    SUIT_MASKS,
    TABLES,
    TrumpTable,
    find_card_faults,
)
from scoring.rules.deal import Trump
from scoring.rules.faults import InvalidDeal
from scoring.rules.play_settings import MustTrump, Undertrump
from scoring.rules.regulation import RuleSet

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
