"""Which cards may be played, and why a card may not.

Every card says what its player does not hold: who discards when hearts were led has no heart. So
the rules stand here once, as what a play denies (`_denied`). A card is allowed when its player
holds nothing that it denies, and was not when he lays such a card later.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, Literal, NamedTuple

from scoring.rules.cards import (
    FOLLOWS,
    SUIT_MASKS,
    TABLES,
    TRUMPED,
    TrumpTable,
    card_numbers,
    mask_of,
)
from scoring.rules.deal import Trump
from scoring.rules.regulation import MustTrump, Regulation, Undertrump

Why = Literal["follow", "overtrump", "trump", "undertrump", "no_undertrump"]
"""What a player had to do: follow suit, go over, play a trump, a lower one, or no lower one."""

Denials = tuple[tuple[int, ...], ...]
"""The mask of what a play denies, by the highest power in the trick and the power of the card."""

Lead = tuple[tuple[int, ...], Denials, Denials]
"""When one suit is led: the power of each card, what plays deny when an opponent heads the trick,
and what they deny when the partner does."""

_DECK_MASK: Final = (1 << 32) - 1
_POWERS: Final = 24


def legal_cards(
    hand: Iterable[str], trick: Sequence[str], trump: Trump, regulation: Regulation
) -> tuple[str, ...]:
    """The cards of a hand that may be played now, in the order of the hand.

    `trick` are the cards played to it so far, none to three. Raises `InvalidDeal` with
    `card_unknown` for what is no card.

    >>> legal_cards(["8S", "QS", "AC"], ["TS"], "H", Regulation())
    ('8S', 'QS')
    >>> legal_cards(["8H", "AC"], ["TS", "9H"], "H", Regulation(must_trump="rotterdam"))
    ('8H',)
    """
    held = tuple(hand)
    numbers = card_numbers(held, "hand")
    if not trick:
        return held
    power, denied = duty(card_numbers(trick, "trick"), leads_of(trump, regulation))
    mask = mask_of(numbers)
    return tuple(
        [
            card
            for card, number in zip(held, numbers, strict=True)
            if not denied[power[number]] & mask
        ]
    )


def leads_of(trump: Trump, regulation: Regulation) -> tuple[Lead, ...]:
    """What binds a player under a regulation, by the suit led."""
    return _leads(trump, regulation.must_trump, regulation.undertrump)


def duty(trick: Sequence[int], leads: Sequence[Lead]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What binds who plays on a trick of one to three cards.

    The power of each card, and the mask of what a play denies by the power of its card.
    """
    power, bound, relieved = leads[trick[0] >> 3]
    powers = [power[number] for number in trick]
    highest = max(powers)
    partner_heads = powers[-2:-1] == [highest]
    return power, (relieved if partner_heads else bound)[highest]


def legal_of(held: int, power: Sequence[int], denied: Sequence[int]) -> int:
    """The cards of a hand that `duty` lets its player play, as a mask; never empty."""
    return mask_of(
        number for number in range(32) if held >> number & 1 and not denied[power[number]] & held
    )


def reason(card: int, trick: Sequence[int], legal: int, table: TrumpTable) -> Why:
    """Why a card was not allowed on a trick, when the mask `legal` was."""
    led = trick[0] >> 3
    over = table.above[max(table.power[led][laid] for laid in trick)]
    if card >> 3 != led and legal & SUIT_MASKS[led]:
        return "follow"
    if card >> 3 == table.suit and legal & ~table.mask:
        return "no_undertrump"
    if not legal & over:
        return "undertrump"
    return "trump" if over == table.mask else "overtrump"


@cache
def _leads(trump: Trump, must_trump: MustTrump, undertrump: Undertrump) -> tuple[Lead, ...]:
    rule = _Rule(TABLES[trump], must_trump, undertrump)
    return tuple(
        (power, rule.denials(led, partner_heads=False), rule.denials(led, partner_heads=True))
        for led, power in enumerate(rule.table.power)
    )


class _Rule(NamedTuple):
    table: TrumpTable
    must_trump: MustTrump
    undertrump: Undertrump

    def denials(self, led: int, *, partner_heads: bool) -> Denials:
        """By the highest power: as long as no trump lies there, whatever it is."""
        rows = [
            tuple(self.denied(power, highest, led, partner_heads) for power in range(_POWERS))
            for highest in range(TRUMPED - 1, _POWERS)
        ]
        return (rows[0],) * TRUMPED + tuple(rows[1:])

    def denied(self, power: int, highest: int, led: int, partner_heads: bool) -> int:
        """The cards that who plays a card of this power must not hold beside it."""
        if power & FOLLOWS:
            return 0
        if led == self.table.suit:
            return 0 if power > highest else self.not_over(power, highest)
        if power > highest:
            return SUIT_MASKS[led]
        return SUIT_MASKS[led] | self.denied_by_void(power, highest, partner_heads)

    def not_over(self, power: int, highest: int) -> int:
        """For a lower trump the higher ones; for a discard every trump."""
        return self.table.above[highest] if power else self.table.mask

    def denied_by_void(self, power: int, highest: int, partner_heads: bool) -> int:
        """What a lower trump or a discard denies when a plain suit was led and cannot be followed.

        An avoidable lower trump denies whatever is no lower trump.
        """
        over = self.table.above[highest]
        avoidable = over | _DECK_MASK & ~self.table.mask
        if self.must_trump == "trump_only":
            return 0 if power else self.table.mask
        if self.must_trump == "rotterdam":
            return self.not_over(power, highest)
        if partner_heads:
            return avoidable if power else 0
        if self.undertrump == "obligatory":
            return self.not_over(power, highest)
        return avoidable if power else over
