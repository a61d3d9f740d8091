"""Deals played out card by card on strings, plainly, sharing nothing with the code under test."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random

RANKS = "789TJQKA"
SUITS = "CDHS"
SEATS = "NESW"
DECK = [rank + suit for suit, rank in product(SUITS, RANKS)]
TRUMP_ORDER = "78QKTA9J"
PLAIN_ORDER = "789JQKTA"
TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3}
PLAIN_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}


@dataclass(frozen=True)
class House:
    """What of a regulation touches the cards."""

    must_trump: str = "amsterdam"
    undertrump: str = "avoid"
    four_of_a_kind_from: str = "7"
    four_of_a_kind: int = 100
    four_jacks: int = 200


@dataclass
class Played:
    """What the cards of one deal gave: points and roem per side, and how many tricks.

    `reneges` are the trick (from 1), the seat, the card, and what was allowed.
    """

    trump: str
    leader: str
    cards: list[str]
    winners: list[str]
    points: dict[str, int]
    roem: dict[str, list[int]]
    tricks: dict[str, int]
    reneges: list[tuple[int, str, str, list[str]]]


AMSTERDAM = House()


def play(seed: int, trump: str, *, hoard: bool = False, house: House = AMSTERDAM) -> Played:
    """A deal played at random, only following suit; with `hoard` each hand is sorted by suit.

    Every deal that can be played under any must-trump rule can be played so.
    """
    return replay(*play_at_random(seed, trump, following, hoard=hoard), trump, house)


def play_legally(seed: int, trump: str, house: House, *, hoard: bool = False) -> Played:
    """A deal in which everybody plays any card that is allowed."""

    def allowed(hand: list[str], trick: list[str]) -> list[str]:
        return legal(hand, trick, trump, house)

    return replay(*play_at_random(seed, trump, allowed, hoard=hoard), trump, house)


def following(hand: list[str], trick: list[str]) -> list[str]:
    """The cards that follow suit, or all."""
    return [card for card in hand if trick and card[1] == trick[0][1]] or hand


def play_at_random(
    seed: int,
    trump: str,
    choices: Callable[[list[str], list[str]], list[str]],
    *,
    hoard: bool = False,
) -> tuple[list[str], str]:
    """The 32 cards of a deal in the order played, and who led first."""
    random = Random(seed)
    deck = sorted(DECK, key=lambda card: card[1]) if hoard else random.sample(DECK, 32)
    hands = [deck[start : start + 8] for start in range(0, 32, 8)]
    first = leader = random.randrange(4)
    cards: list[str] = []
    for _ in range(8):
        trick: list[str] = []
        for turn in range(4):
            hand = hands[(leader + turn) % 4]
            card = random.choice(choices(hand, trick))
            hand.remove(card)
            trick.append(card)
        leader = (leader + winning_place(trick, trump)) % 4
        cards += trick
    return cards, SEATS[first]


def replay(cards: list[str], leader: str, trump: str, house: House = AMSTERDAM) -> Played:
    """What the cards of a whole deal gave, and which were not allowed."""
    played = Played(
        trump, leader, cards, [], {"NS": 0, "EW": 0}, {"NS": [], "EW": []}, {"NS": 0, "EW": 0}, []
    )
    tricks = [cards[start : start + 4] for start in range(0, 32, 4)]
    hands: dict[str, list[str]] = {seat: [] for seat in SEATS}
    seats = []
    for trick in tricks:
        start = SEATS.index(leader)
        order = SEATS[start:] + SEATS[:start]
        seats.append(order)
        for seat, card in zip(order, trick, strict=True):
            hands[seat].append(card)
        leader = order[winning_place(trick, trump)]
        side = "NS" if leader in "NS" else "EW"
        played.winners.append(leader)
        played.tricks[side] += 1
        played.points[side] += sum(worth(card, trump) for card in trick)
        if roem := roem_of(trick, trump, house):
            played.roem[side].append(roem)
    played.points[side] += 10
    for number, (order, trick) in enumerate(zip(seats, tricks, strict=True), start=1):
        for turn, seat in enumerate(order):
            allowed = legal(hands[seat], trick[:turn], trump, house)
            if trick[turn] not in allowed:
                played.reneges.append((number, seat, trick[turn], allowed))
            hands[seat].remove(trick[turn])
    return played


def legal(hand: list[str], trick: list[str], trump: str, house: House = AMSTERDAM) -> list[str]:
    """The cards of a hand that may be played on a trick."""
    if not trick:
        return hand
    led = trick[0][1]
    follow = [card for card in hand if card[1] == led]
    if led != trump:
        return follow or legal_when_void(hand, trick, trump, house)
    height = highest_trump(trick, trump)
    return [card for card in follow if TRUMP_ORDER.index(card[0]) > height] or follow or hand


def legal_when_void(hand: list[str], trick: list[str], trump: str, house: House) -> list[str]:
    """The cards that may be played when a plain suit was led and cannot be followed."""
    height = highest_trump(trick, trump)
    trumps = [card for card in hand if card[1] == trump]
    higher = [card for card in trumps if TRUMP_ORDER.index(card[0]) > height]
    others = [card for card in hand if card[1] != trump]
    if house.must_trump == "trump_only":
        return trumps or others
    if house.must_trump == "rotterdam":
        return higher or trumps or others
    if len(trick) >= 2 and winning_place(trick, trump) == len(trick) - 2:
        return higher + others or trumps
    if house.undertrump == "obligatory":
        return higher or trumps or others
    return higher or others or trumps


def highest_trump(trick: list[str], trump: str) -> int:
    """The place in the order of trumps of the highest that lies there, -1 for none."""
    return max((TRUMP_ORDER.index(card[0]) for card in trick if card[1] == trump), default=-1)


def winning_place(trick: Sequence[str], trump: str) -> int:
    """The place in the trick of the card that heads it."""
    strengths = [strength(card, trick[0], trump) for card in trick]
    return strengths.index(max(strengths))


def strength(card: str, led: str, trump: str) -> tuple[int, int]:
    """How high a card stands in its trick."""
    if card[1] == trump:
        return 2, TRUMP_ORDER.index(card[0])
    return int(card[1] == led[1]), PLAIN_ORDER.index(card[0])


def worth(card: str, trump: str) -> int:
    """The points of a card."""
    return (TRUMP_POINTS if card[1] == trump else PLAIN_POINTS).get(card[0], 0)


def roem_of(trick: Sequence[str], trump: str, house: House = AMSTERDAM) -> int:
    """The roem of four cards."""
    ranks = {card[0] for card in trick}
    if len(ranks) == 1:
        return four_alike(trick[0][0], house)
    stuk = 20 if "K" + trump in trick and "Q" + trump in trick else 0
    return stuk + run_points(trick)


def four_alike(rank: str, house: House) -> int:
    """The roem of four of a rank."""
    if rank == "J":
        return house.four_jacks
    lowest = {"7": "7", "9": "9", "10": "T"}[house.four_of_a_kind_from]
    return house.four_of_a_kind if RANKS.index(rank) >= RANKS.index(lowest) else 0


def run_points(trick: Sequence[str]) -> int:
    """What the longest run in a suit is worth; three of four are the lowest or the highest."""
    suits = [card[1] for card in trick]
    suit = max(suits, key=suits.count)
    places = sorted(RANKS.index(card[0]) for card in trick if card[1] == suit)
    if len(places) < 3:
        return 0
    if places[-1] - places[0] == 3 and len(places) == 4:
        return 50
    return 20 if places[2] - places[0] == 2 or places[-1] - places[-3] == 2 else 0
