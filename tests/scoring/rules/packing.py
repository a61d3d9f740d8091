"""Which tricks of the deck can hold roem, found by trying, for a second opinion.

A trick is a set of four cards of the deck, whoever plays which. Nothing here is taken from the code
under test, nor is its way of counting: it looks at every four cards.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from random import Random
from typing import NamedTuple

from tests.scoring.rules.dealing import DECK, roem_of, worth

ALL_RANKS = "789TJQKA"
PARTS: dict[int, list[tuple[int, ...]]] = {
    0: [],
    20: [(20,)],
    40: [(40,), (20, 20), (20,)],
    50: [(50,), (20,)],
    70: [(70,), (50, 20), (50,), (40,), (20, 20), (20,)],
}


def written(
    cards: list[str], trump: str, *, carre: int = 100, jacks: int = 200
) -> list[tuple[int, ...]]:
    """The ways to write the roem of a trick: whole, in pieces, in part."""
    if len({card[0] for card in cards}) > 1:
        return PARTS[roem_of(cards, trump)]
    if cards[0][0] != "J":
        return [(carre,)]
    return [(jacks,), (carre,)] if carre < jacks else [(jacks,)]


class Trick(NamedTuple):
    """Four cards that hold roem, as a set of bits, their points, and ways to write the roem.

    `carre` is the rank where all four have the same.
    """

    cards: int
    points: int
    written: list[tuple[int, ...]]
    carre: str


@cache
def roem_tricks(trump: str) -> list[Trick]:
    """Every trick with roem, cheapest first."""
    found = []
    for places in combinations(range(32), 4):
        cards = [DECK[place] for place in places]
        if ways := written(cards, trump):
            points = sum(worth(card, trump) for card in cards)
            carre = cards[0][0] if roem_of(cards, trump) >= 100 else ""
            found.append(Trick(sum(1 << place for place in places), points, ways, carre))
    return sorted(found, key=lambda trick: trick.points)


def fewest(items: tuple[int, ...], trump: str, carres: str = ALL_RANKS) -> int | None:
    """The fewest points of tricks that share no card and in which all the items are written.

    Four of a kind counts of the ranks in `carres`. The 10 of the last trick is left out.
    """
    best: int | None = None
    tricks = [trick for trick in roem_tricks(trump) if trick.carre in carres]

    def search(wanted: tuple[int, ...], taken: int, points: int) -> None:
        nonlocal best
        if not wanted:
            best = points
            return
        for trick in tricks:
            if best is not None and points + trick.points >= best:
                return
            if not trick.cards & taken:
                for rest in _rests(wanted, trick.written):
                    search(rest, taken | trick.cards, points + trick.points)

    search(tuple(sorted(items, reverse=True)), 0, 0)
    return best


def _rests(wanted: tuple[int, ...], ways: list[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """What is still to be held after a trick that holds the first of the items."""
    for part in ways:
        rest = list(wanted)
        try:
            for item in part:
                rest.remove(item)
        except ValueError:
            continue
        if wanted[0] in part:
            yield tuple(rest)


def crowded_deal(random: Random, trump: str) -> list[list[str]]:
    """Eight tricks, as many with roem as chance allows; cards that make none come last."""
    tricks = roem_tricks(trump)
    dear = [trick for trick in tricks if random.random() < 0.1 or trick.written[0][0] >= 50]
    taken = 0
    chosen = []
    for trick in random.sample(dear, len(dear)):
        if not trick.cards & taken:
            taken |= trick.cards
            chosen.append([card for place, card in enumerate(DECK) if trick.cards >> place & 1])
    left = [card for place, card in enumerate(DECK) if not taken >> place & 1]
    random.shuffle(left)
    return chosen + [left[start : start + 4] for start in range(0, len(left), 4)]
