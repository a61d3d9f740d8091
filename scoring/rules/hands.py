"""Known cards: hands dealt beforehand, and what they cannot give.

Hands are kept as a text of 32 seats, one for each card in the order of the deck: whose card it is.
Only what no play can change is held against a deal, so that nothing that can be played is refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from scoring.rules.cards import DECK, NUMBERS, RANKS, SUITS, TABLES, TRUMP_ORDER
from scoring.rules.deal import (
    SEATS,
    Pair,
    Seat,
    Side,
    Trump,
    WrittenDeal,
    roem_sums,
    side_of,
    taken_points,
)
from scoring.rules.faults import Fault
from scoring.rules.regulation import RuleSet

HAND: Final = 8
_STUK: Final = ("Q", "K")
_STUK_ROEM: Final = 20


def holders_of_hands(hands: Mapping[Seat, Sequence[str]]) -> str:
    """Whose each card is, of four whole hands.

    >>> holders_of_hands(hands_of("NNNNNNNNEEEEEEEESSSSSSSSWWWWWWWW"))
    'NNNNNNNNEEEEEEEESSSSSSSSWWWWWWWW'
    """
    seat_of = {card: seat for seat, cards in hands.items() for card in cards}
    return "".join(seat_of[card] for card in DECK)


def hands_of(holders: str) -> dict[Seat, tuple[str, ...]]:
    """The cards of each seat, in the order of the deck.

    >>> hands_of("NNNNNNNNEEEEEEEESSSSSSSSWWWWWWWW")["E"]
    ('7D', '8D', '9D', 'TD', 'JD', 'QD', 'KD', 'AD')
    """
    return {
        seat: tuple(card for card, held in zip(DECK, holders, strict=True) if held == seat)
        for seat in SEATS
    }


def find_hand_faults(deal: WrittenDeal, holders: str, regulation: RuleSet) -> list[Fault]:
    """What these cards cannot give of a deal that is sound otherwise.

    Where the sheet does not say what was trump, it is enough that some suit explains it.
    """
    if not deal.stands(regulation):
        return []
    trumps: tuple[Trump, ...] = ("C", "D", "H", "S")
    if deal.trump is not None:
        trumps = (deal.trump,)
    elif regulation.no_trump:
        trumps = (*trumps, "NT")
    by_trump = [
        [
            *_point_faults(deal, holders, trump, regulation),
            *_roem_faults(deal, holders, trump, regulation),
        ]
        for trump in trumps
    ]
    return min(by_trump, key=len)


def sure_points(holders: str, trump: Trump) -> tuple[Side, int] | None:
    """The side that holds the highest trump, and the points that it takes whatever is played: those
    of the highest trumps, as far down as it holds them all. None in no-trump.

    >>> sure_points("NNNNNNNNEEEEEEEESSSSSSSSWWWWWWWW", "C")
    ('NS', 62)
    """
    if trump == "NT":
        return None
    highest_first = [NUMBERS[rank + trump] for rank in reversed(TRUMP_ORDER)]
    side = side_of(holders[highest_first[0]])  # type: ignore[arg-type]
    points = 0
    for card in highest_first:
        if side_of(holders[card]) != side:  # type: ignore[arg-type]
            break
        points += TABLES[trump].points[card]
    return side, points


def _point_faults(
    deal: WrittenDeal, holders: str, trump: Trump, regulation: RuleSet
) -> Iterator[Fault]:
    sure = sure_points(holders, trump)
    total = deal.card_points(no_trump_allowed=regulation.no_trump)
    taken = taken_points(deal, total)
    if sure is None or taken is None:
        return
    side, least = sure
    points = taken[0] if side == "NS" else taken[1]
    if points >= least:
        return
    if deal.pit and deal.pit != side:
        yield Fault("hands_points", "pit", {"why": "pit"})
    else:
        field = f"points.{side}" if side in deal.points else "points"
        yield Fault("hands_points", field, {"least": least, "points": points})


class _Trick(NamedTuple):
    """Cards that can fall in one trick, as bits, and the roem that they give."""

    points: int
    cards: int


def _roem_faults(
    deal: WrittenDeal, holders: str, trump: Trump, regulation: RuleSet
) -> Iterator[Fault]:
    """Roem is held against the cards as the sum of each side: paper has nothing else, and whoever
    parts 60 into pieces afterwards need not part it as it fell."""
    if regulation.roem_from != "trick":
        return
    ns, ew = roem_sums(deal)
    fours = [*_fours(holders, regulation)]
    runs = [[*_runs(suit, holders, trump)] for suit in SUITS]
    sides: tuple[tuple[Side, Pair], ...] = (("NS", (ns, 0)), ("EW", (0, ew)))
    alone = [side for side, wanted in sides if not _can_fall(wanted, fours, runs)]
    for side in alone:
        yield Fault("hands_roem", f"roem.{side}", {"points": ns if side == "NS" else ew})
    if not alone and not _can_fall((ns, ew), fours, runs):
        yield Fault("hands_roem", "roem", {"why": "together", "roem": f"{ns} + {ew}"})


def _can_fall(wanted: Pair, fours: Sequence[_Trick], runs: Sequence[Sequence[_Trick]]) -> bool:
    """Whether tricks that share no card give each side just this much. Suit by suit: only four of
    a kind takes cards of more than one."""
    for without_fours, used in _take(wanted, fours, 0):
        left = {without_fours}
        for of_suit in runs:
            left = {rest for one in left for rest, _used in _take(one, of_suit, used)}
        if (0, 0) in left:
            return True
    return False


def _take(wanted: Pair, tricks: Sequence[_Trick], used: int) -> Iterator[tuple[Pair, int]]:
    """Every way to give some of these tricks to the sides: what they still want after it, and the
    cards that are used."""
    yield wanted, used
    for place, trick in enumerate(tricks, start=1):
        if used & trick.cards:
            continue
        ns, ew = wanted
        for rest in ((ns - trick.points, ew), (ns, ew - trick.points)):
            if min(rest) >= 0:
                yield from _take(rest, tricks[place:], used | trick.cards)


def _fours(holders: str, regulation: RuleSet) -> Iterator[_Trick]:
    """Four of a kind in four hands; four jacks may pass for any four where that is worth less."""
    lowest = RANKS.index(regulation.four_of_a_kind_from.replace("10", "T"))
    for place, rank in enumerate(RANKS):
        alike = [NUMBERS[rank + suit] for suit in SUITS]
        if not _of_different_hands(alike, holders):
            continue
        if rank == "J":
            values = {regulation.four_jacks, min(regulation.four_jacks, regulation.four_of_a_kind)}
        else:
            values = {regulation.four_of_a_kind} if place >= lowest else set()
        yield from (_Trick(points, _bits(alike)) for points in values)


def _runs(suit: str, holders: str, trump: Trump) -> Iterator[_Trick]:
    """Three and four cards in a row, of different hands, and the stuk; with it a run gives more."""
    if suit == trump:
        yield from _of_cards(_STUK, suit, holders, (_STUK_ROEM,))
    for length, points in ((3, 20), (4, 50)):
        for first in range(HAND - length + 1):
            ranks = RANKS[first : first + length]
            has_stuk = suit == trump and _STUK in pairwise(ranks)
            values = (points, points + _STUK_ROEM) if has_stuk else (points,)
            yield from _of_cards(ranks, suit, holders, values)


def _of_cards(
    ranks: Sequence[str], suit: str, holders: str, values: Sequence[int]
) -> Iterator[_Trick]:
    cards = [NUMBERS[rank + suit] for rank in ranks]
    if _of_different_hands(cards, holders):
        yield from (_Trick(points, _bits(cards)) for points in values)


def _of_different_hands(cards: Sequence[int], holders: str) -> bool:
    return len({holders[card] for card in cards}) == len(cards)


def _bits(cards: Sequence[int]) -> int:
    return sum(1 << card for card in cards)
