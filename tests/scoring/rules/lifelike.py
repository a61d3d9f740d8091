"""Deals as people play them: who makes trump has the cards for it, and partners help each other.

Nobody is clever here. Everybody values each card he may play by what the trick is likely to bring
his side and by what the card is worth keeping, with some chance in it. That gives deals whose
points, roem, nat and pit are about as frequent as on the sheets of clubs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random

from scoring.rules import SEATS, RuleSet, Seat, Side
from tests.scoring.rules.dealing import (
    DECK,
    RANKS,
    SUITS,
    House,
    legal,
    roem_of,
    strength,
    winning_place,
    worth,
)

TRUMP_MAKER = dict(zip(RANKS, (1, 1, 7, 4, 12, 2, 2, 5), strict=True))
"""What a card is worth to who makes its suit trump."""

SIDE_ACE = 5
TAKE_ON = 24
KEEP_TRUMP = dict(zip(RANKS, (4, 4, 9, 5, 12, 4, 4, 6), strict=True))
KEEP_PLAIN = dict(zip(RANKS, (0, 0, 0, 4, 1, 1, 2, 6), strict=True))
"""What a card is worth in a later trick."""


@dataclass
class Deal:
    """What was played: card points and roem per side, and the number of tricks."""

    declarer: Seat
    trump: str
    points: dict[Side, int] = field(default_factory=lambda: {"NS": 0, "EW": 0})
    roem: dict[Side, list[int]] = field(default_factory=lambda: {"NS": [], "EW": []})
    tricks: dict[Side, int] = field(default_factory=lambda: {"NS": 0, "EW": 0})

    @property
    def pit(self) -> Side | None:
        """The side that took every trick."""
        return next((side for side, taken in self.tricks.items() if taken == 8), None)


def deal_and_play(
    random: Random, regulation: RuleSet, *, no_trump: float = 0.0, careless: bool = False
) -> Deal:
    """One deal by a regulation; `no_trump` is the share of deals played without trumps.

    The careless make any suit trump, whoever they are, and play any card that is allowed.
    """
    cards = random.sample(DECK, 32)
    hands = [cards[seat::4] for seat in range(4)]
    forehand = random.randrange(4)
    declarer, suit = _bid(random, hands, forehand, must=regulation.bidding == "forehand_must")
    if careless:
        declarer, suit = random.randrange(4), random.choice(SUITS)
    deal = Deal(SEATS[declarer], "NT" if random.random() < no_trump else suit)
    _Table(random, _house(regulation), hands, deal, careless=careless).play(forehand)
    return deal


def _house(regulation: RuleSet) -> House:
    return House(
        regulation.must_trump,
        regulation.undertrump,
        regulation.four_of_a_kind_from,
        regulation.four_of_a_kind,
        regulation.four_jacks,
    )


def _bid(
    random: Random, hands: Sequence[Sequence[str]], forehand: int, *, must: bool
) -> tuple[int, str]:
    """Who makes which suit trump: the first with cards for it, or else the forehand."""
    for turn in range(4):
        seat = (forehand + turn) % 4
        value, suit = max((_value_as_trump(hands[seat], suit), suit) for suit in SUITS)
        if must or value + random.gauss(0, 3) > TAKE_ON:
            return seat, suit
    return forehand, max(SUITS, key=lambda suit: _value_as_trump(hands[forehand], suit))


def _value_as_trump(hand: Sequence[str], trump: str) -> int:
    own = sum(TRUMP_MAKER[card[0]] for card in hand if card[1] == trump)
    return own + SIDE_ACE * sum(card[0] == "A" and card[1] != trump for card in hand)


@cache
def _higher(trump: str) -> Mapping[str, frozenset[str]]:
    """Of each card those of its suit that beat it."""
    height = {card: strength(card, card, trump) for card in DECK}
    return {
        card: frozenset(x for x in DECK if x[1] == card[1] and height[x] > height[card])
        for card in DECK
    }


class _Table:
    """Four hands that are played out, and what everybody has seen."""

    def __init__(
        self, random: Random, house: House, hands: list[list[str]], deal: Deal, *, careless: bool
    ) -> None:
        self.random = random
        self.house = house
        self.hands = hands
        self.deal = deal
        self.trump = deal.trump
        self.careless = careless
        self.declarer = SEATS.index(deal.declarer)
        self.higher = _higher(deal.trump)
        self.unplayed = set(DECK)

    def play(self, leader: int) -> None:
        """Eight tricks, counted into the deal."""
        for number in range(8):
            trick: list[str] = []
            for turn in range(4):
                seat = (leader + turn) % 4
                trick.append(self._choose(seat, trick))
                self.hands[seat].remove(trick[-1])
                self.unplayed.remove(trick[-1])
            leader = (leader + winning_place(trick, self.trump)) % 4
            self._count("EW" if leader % 2 else "NS", trick, 10 if number == 7 else 0)

    def _count(self, side: Side, trick: Sequence[str], last: int) -> None:
        self.deal.tricks[side] += 1
        self.deal.points[side] += sum(worth(card, self.trump) for card in trick) + last
        if roem := roem_of(trick, self.trump, self.house):
            self.deal.roem[side].append(roem)

    def _choose(self, seat: int, trick: Sequence[str]) -> str:
        hand = self.hands[seat]
        cards = legal(hand, list(trick), self.trump, self.house)
        if len(cards) == 1 or self.careless:
            return self.random.choice(cards)
        unseen = self.unplayed.difference(hand)
        value = self._follow_value if trick else self._lead_value
        gauss = self.random.gauss
        return max(cards, key=lambda card: value(seat, card, trick, unseen) + gauss(0, 2.5))

    def _lead_value(self, seat: int, card: str, _trick: Sequence[str], unseen: set[str]) -> float:
        master = unseen.isdisjoint(self.higher[card])
        if card[1] == self.trump:
            drawing = (seat - self.declarer) % 2 == 0 and any(c[1] == self.trump for c in unseen)
            return (22 if master else 4) if drawing else -12
        return 15 if master else -worth(card, self.trump)

    def _follow_value(self, _seat: int, card: str, trick: Sequence[str], unseen: set[str]) -> float:
        laid = [*trick, card]
        stake = sum(worth(each, self.trump) for each in laid)
        head = winning_place(trick, self.trump)
        partner_heads = head == len(trick) - 2
        beats = winning_place(laid, self.trump) == len(trick)
        if len(laid) == 4:
            stake += roem_of(laid, self.trump, self.house)
            chance = 1.0 if beats or partner_heads else 0.0
        else:
            stake += self._nearly_roem(card, trick)
            stays = unseen.isdisjoint(self.higher[card if beats else trick[head]])
            chance = self._chance(len(laid), beats=beats, partner_heads=partner_heads, stays=stays)
        keep = KEEP_TRUMP if card[1] == self.trump else KEEP_PLAIN
        return (2 * chance - 1) * stake - keep[card[0]]

    def _chance(self, laid: int, *, beats: bool, partner_heads: bool, stays: bool) -> float:
        """How likely the trick goes to who lays this card, or to his partner."""
        if beats:
            return 0.9 if stays else 0.45
        if partner_heads:
            return 0.85 if stays else 0.5
        return 0.3 if laid == 2 else 0.15

    def _nearly_roem(self, card: str, trick: Sequence[str]) -> int:
        """Points for cards beside each other, which the next may make a run."""
        place = RANKS.index(card[0])
        beside = sum(x[1] == card[1] and abs(RANKS.index(x[0]) - place) <= 2 for x in trick)
        stuk = {card, *trick} >= {"K" + self.trump, "Q" + self.trump}
        return 4 * beside + 8 * stuk
