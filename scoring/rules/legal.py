"""Which cards may be played, and why a card may not.

Following suit always binds. When trumps are led one must go over the highest trump if one can,
whoever heads the trick. What else binds who cannot follow is `must_trump`; in no-trump nothing.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from scoring.rules.cards import NUMBERS, SUIT_MASKS, TABLES, TrumpTable
from scoring.rules.deal import Trump
from scoring.rules.faults import Fault, InvalidDeal, shown
from scoring.rules.regulation import Regulation

Why = Literal["follow", "overtrump", "trump", "undertrump", "no_undertrump"]
"""What a player had to do: follow suit, go over, play a trump, a lower one, or no lower one."""


def legal_cards(
    hand: Iterable[str], trick: Iterable[str], trump: Trump, regulation: Regulation
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
    laid = card_numbers(trick, "trick")
    mask = sum(1 << number for number in set(numbers))
    legal = legal_mask(mask, laid, TABLES[trump], regulation)
    return tuple(card for card, number in zip(held, numbers, strict=True) if legal >> number & 1)


def card_numbers(cards: Iterable[str], field: str) -> list[int]:
    """The numbers of the cards; raises `InvalidDeal` with `card_unknown` at each that is none."""
    cards = tuple(cards)
    try:
        return [NUMBERS[card] for card in cards]
    except KeyError:
        raise InvalidDeal(
            Fault("card_unknown", f"{field}.{place}", {"value": shown(card)})
            for place, card in enumerate(cards)
            if card not in NUMBERS
        ) from None


def legal_mask(held: int, trick: Sequence[int], table: TrumpTable, regulation: Regulation) -> int:
    """The cards of the mask `held` that may follow the numbers `trick`, as a mask; never empty."""
    if not trick:
        return held
    led = trick[0] >> 3
    following = held & SUIT_MASKS[led]
    if following and led != table.suit:
        return following
    power = table.power[led]
    powers = [power[card] for card in trick]
    highest = max(powers)
    over = held & table.above[highest]
    if led == table.suit:
        return over or following or held
    return _legal_when_void(held, over, table.mask, powers[-2:-1] == [highest], regulation)


def _legal_when_void(
    held: int, over: int, trumps: int, partner_heads: bool, regulation: Regulation
) -> int:
    """What may be played without a card of the suit led, which is not trumps.

    `over` are the cards held that beat any trump in the trick. In no-trump there are no trumps,
    and every rule comes down to the whole hand.
    """
    if regulation.must_trump == "trump_only":
        return held & trumps or held
    if regulation.must_trump == "amsterdam" and partner_heads:
        return over | held & ~trumps or held
    if over:
        return over
    if regulation.must_trump == "rotterdam" or regulation.undertrump == "obligatory":
        return held & trumps or held
    return held & ~trumps or held


def reason(card: int, trick: Sequence[int], legal: int, table: TrumpTable) -> Why:
    """Why `card` was not allowed on `trick`, when the mask `legal` was."""
    led = trick[0] >> 3
    if card >> 3 == led:
        return "overtrump"
    if legal & SUIT_MASKS[led]:
        return "follow"
    if card >> 3 == table.suit:
        return "no_undertrump" if legal & ~table.mask else "overtrump"
    highest = max(table.power[led][laid] for laid in trick)
    if not legal & table.above[highest]:
        return "undertrump"
    return "overtrump" if table.above[highest] != table.mask else "trump"
