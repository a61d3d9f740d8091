"""Deals played out card by card, slowly and plainly, sharing nothing with the code under test."""

from dataclasses import dataclass
from itertools import product
from random import Random

RANKS = "789TJQKA"
SUITS = "CDHS"
DECK = [rank + suit for suit, rank in product(SUITS, RANKS)]
TRUMP_ORDER = "78QKTA9J"
PLAIN_ORDER = "789JQKTA"
TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3}
PLAIN_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}


@dataclass
class Played:
    """What the cards of one deal gave: points and roem per side, and how many tricks."""

    trump: str
    points: dict[str, int]
    roem: dict[str, list[int]]
    tricks: dict[str, int]


def play(seed: int, trump: str, *, hoard: bool = False) -> Played:
    """A deal played at random, only following suit; with `hoard` each hand is sorted by suit.

    Every deal that can be played under any must-trump rule can be played so.
    """
    random = Random(seed)
    deck = sorted(DECK, key=lambda card: card[1]) if hoard else random.sample(DECK, 32)
    hands = [deck[start : start + 8] for start in range(0, 32, 8)]
    played = Played(trump, {"NS": 0, "EW": 0}, {"NS": [], "EW": []}, {"NS": 0, "EW": 0})
    leader = random.randrange(4)
    for number in range(1, 9):
        trick: list[str] = []
        for turn in range(4):
            hand = hands[(leader + turn) % 4]
            following = [card for card in hand if trick and card[1] == trick[0][1]]
            trick.append(random.choice(following or hand))
            hand.remove(trick[-1])
        leader = (
            leader + trick.index(max(trick, key=lambda card: strength(card, trick[0], trump)))
        ) % 4
        side = "EW" if leader % 2 else "NS"
        played.tricks[side] += 1
        played.points[side] += sum(worth(card, trump) for card in trick) + 10 * (number == 8)
        if roem := roem_of(trick, trump):
            played.roem[side].append(roem)
    return played


def strength(card: str, led: str, trump: str) -> tuple[int, int]:
    """How high a card stands in its trick."""
    if card[1] == trump:
        return 2, TRUMP_ORDER.index(card[0])
    return int(card[1] == led[1]), PLAIN_ORDER.index(card[0])


def worth(card: str, trump: str) -> int:
    """The points of a card."""
    return (TRUMP_POINTS if card[1] == trump else PLAIN_POINTS).get(card[0], 0)


def roem_of(trick: list[str], trump: str, *, carre: int = 100, jacks: int = 200) -> int:
    """The roem of four cards."""
    if len({card[0] for card in trick}) == 1:
        return jacks if trick[0][0] == "J" else carre
    stuk = 20 if {"K" + trump, "Q" + trump} <= set(trick) else 0
    longest = 0
    for suit in SUITS:
        places = sorted(RANKS.index(card[0]) for card in trick if card[1] == suit)
        for length in (3, 4):
            for low in range(9 - length):
                if set(range(low, low + length)) <= set(places):
                    longest = max(longest, length)
    return stuk + {0: 0, 3: 20, 4: 50}[longest]
