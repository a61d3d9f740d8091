"""Deals as people play them: who makes trump has the cards for it, and partners help each other.

Nobody is clever here. Everybody values each card he may play by what the trick is likely to bring
his side and by what the card is worth keeping, with some chance in it. That gives deals whose
points, roem, nat and pit are about as frequent as on the sheets of clubs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random

from scoring.rules import SEATS, Regulation, Seat, Side, side_of
from scoring.rules.cards import TABLES, mask_of
from scoring.rules.deal import Trump
from scoring.rules.legal import duty, leads_of
from scoring.rules.trick_roem import roem_of_tricks

SUITS: tuple[Trump, ...] = ("C", "D", "H", "S")
DECK = (1 << 32) - 1
TRUMP_MAKER = (1, 1, 7, 4, 12, 2, 2, 5)
"""What a card is worth to who makes its suit trump, from the 7 to the ace."""
SIDE_ACE = 5
TAKE_ON = 24
KEEP_TRUMP = (4, 4, 9, 5, 12, 4, 4, 6)
KEEP_PLAIN = (0, 0, 0, 4, 1, 1, 2, 6)


@dataclass
class Deal:
    """What was played: seats by number, points and announced roem per side, tricks per side."""

    declarer: Seat
    trump: Trump
    points: dict[Side, int] = field(default_factory=lambda: {"NS": 0, "EW": 0})
    roem: dict[Side, list[int]] = field(default_factory=lambda: {"NS": [], "EW": []})
    tricks: dict[Side, int] = field(default_factory=lambda: {"NS": 0, "EW": 0})

    @property
    def pit(self) -> Side | None:
        """The side that took every trick."""
        return next((side for side, taken in self.tricks.items() if taken == 8), None)


def deal_and_play(
    random: Random, regulation: Regulation, *, no_trump: float = 0.0, careless: bool = False
) -> Deal:
    """One deal by a regulation; `no_trump` is the share of deals played without trumps.

    The careless make any suit trump, whoever they are, and play any card that is allowed.
    """
    cards = random.sample(range(32), 32)
    hands = [mask_of(cards[seat::4]) for seat in range(4)]
    forehand = random.randrange(4)
    declarer, suit = _bid(random, hands, forehand, regulation)
    if careless:
        declarer, suit = random.randrange(4), random.randrange(4)
    deal = Deal(SEATS[declarer], "NT" if random.random() < no_trump else SUITS[suit])
    _Table(random, regulation, hands, deal, careless=careless).play(forehand)
    return deal


def _bid(
    random: Random, hands: Sequence[int], forehand: int, regulation: Regulation
) -> tuple[int, int]:
    """Who makes which suit trump: the first with cards for it, or else the forehand."""
    for turn in range(4):
        seat = (forehand + turn) % 4
        strength, suit = max((_strength(hands[seat], suit), suit) for suit in range(4))
        if regulation.bidding == "forehand_must" or strength + random.gauss(0, 3) > TAKE_ON:
            return seat, suit
    return forehand, max(range(4), key=lambda suit: _strength(hands[forehand], suit))


def _strength(hand: int, trump: int) -> int:
    held = hand >> 8 * trump & 0xFF
    own = sum(worth for rank, worth in enumerate(TRUMP_MAKER) if held >> rank & 1)
    return own + SIDE_ACE * sum(hand >> 8 * suit + 7 & 1 for suit in range(4) if suit != trump)


@cache
def _higher(trump: Trump) -> tuple[int, ...]:
    """Of each card those of its suit that beat it."""
    power = [TABLES[trump].power[card >> 3][card] for card in range(32)]
    return tuple(
        mask_of(other for other in range(32) if other >> 3 == card >> 3 and power[other] > own)
        for card, own in enumerate(power)
    )


class _Table:
    """Four hands that are played out, and what everybody has seen."""

    def __init__(
        self,
        random: Random,
        regulation: Regulation,
        hands: list[int],
        deal: Deal,
        *,
        careless: bool,
    ) -> None:
        self.random = random
        self.hands = hands
        self.deal = deal
        self.careless = careless
        self.declarer = SEATS.index(deal.declarer)
        self.table = TABLES[deal.trump]
        self.higher = _higher(deal.trump)
        self.leads = leads_of(deal.trump, regulation)
        self.roem = roem_of_tricks(deal.trump, regulation)
        self.seen = 0

    def play(self, leader: int) -> None:
        """Eight tricks, counted into the deal."""
        for number in range(8):
            trick: list[int] = []
            for turn in range(4):
                seat = (leader + turn) % 4
                trick.append(self._choose(seat, trick))
                self.hands[seat] ^= 1 << trick[-1]
                self.seen |= 1 << trick[-1]
            power = self.table.power[trick[0] >> 3]
            leader = (leader + max(range(4), key=lambda turn: power[trick[turn]])) % 4
            self._count(side_of(SEATS[leader]), trick, 10 if number == 7 else 0)

    def _count(self, side: Side, trick: Sequence[int], last: int) -> None:
        self.deal.tricks[side] += 1
        self.deal.points[side] += sum(self.table.points[card] for card in trick) + last
        roem = self.roem.get(mask_of(trick), 0)
        if roem:
            self.deal.roem[side].append(roem)

    def _choose(self, seat: int, trick: Sequence[int]) -> int:
        hand = self.hands[seat]
        cards = [card for card in range(32) if hand >> card & 1]
        if trick:
            power, denied = duty(trick, self.leads)
            cards = [card for card in cards if not denied[power[card]] & hand]
        if len(cards) == 1 or self.careless:
            return self.random.choice(cards)
        unseen = DECK & ~self.seen & ~hand
        value = self._follow_value if trick else self._lead_value
        gauss = self.random.gauss
        return max(cards, key=lambda card: value(seat, card, trick, unseen) + gauss(0, 2.5))

    def _lead_value(self, seat: int, card: int, trick: Sequence[int], unseen: int) -> float:
        master = not self.higher[card] & unseen
        if card >> 3 == self.table.suit:
            drawing = (seat - self.declarer) % 2 == 0 and unseen & self.table.mask
            return (22 if master else 4) if drawing else -12
        return 15 if master else -self.table.points[card]

    def _follow_value(self, seat: int, card: int, trick: Sequence[int], unseen: int) -> float:
        power = self.table.power[trick[0] >> 3]
        powers = [power[laid] for laid in trick]
        best = max(powers)
        partner = powers[-2:-1] == [best]
        stake = self.table.points[card] + sum(self.table.points[laid] for laid in trick)
        if len(trick) == 3:
            cards = mask_of([*trick, card])
            stake += self.roem.get(cards, 0)
            chance = 1.0 if partner or power[card] > best else 0.0
        else:
            stake += self._nearly_roem(card, trick)
            chance = self._chance(card, trick, unseen, partner=partner)
        return (2 * chance - 1) * stake - self._keep(card)

    def _chance(self, card: int, trick: Sequence[int], unseen: int, *, partner: bool) -> float:
        """How likely the trick goes to who lays this card, or to his partner."""
        power = self.table.power[trick[0] >> 3]
        head = max(trick, key=lambda laid: power[laid])
        if power[card] > power[head]:
            return 0.45 if self.higher[card] & unseen else 0.9
        if partner:
            return 0.5 if self.higher[head] & unseen else 0.85
        return 0.3 if len(trick) == 1 else 0.15

    def _nearly_roem(self, card: int, trick: Sequence[int]) -> int:
        """Points for cards beside each other, which the next may make a run."""
        beside = sum(laid >> 3 == card >> 3 and abs(laid - card) <= 2 for laid in trick)
        stuk = card >> 3 == self.table.suit and {card % 8, *(x % 8 for x in trick)} >= {5, 6}
        return 4 * beside + 8 * stuk

    def _keep(self, card: int) -> float:
        keep = KEEP_TRUMP if card >> 3 == self.table.suit else KEEP_PLAIN
        return keep[card % 8]
