"""Known cards: hands dealt beforehand, and what they cannot give.

Hands are kept as a text of 32 seats, one for each card in the order of the deck: whose card it is.
Only what no play can change is held against a deal, so that nothing that can be played is refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from scoring.rules.cards import DECK, NUMBERS, RANKS, SUITS, TABLES, TRUMP_ORDER
from scoring.rules.deal import SEATS, Seat, Side, Trump, WrittenDeal, side_of, taken_points
from scoring.rules.faults import Fault
from scoring.rules.regulation import RuleSet

HAND: Final = 8
_STUK: Final = ("Q", "K")


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
    """Cards that can fall in one trick, as bits. `stuk` says that what is announced of it has the
    stuk in it, `alone` that it is nothing else."""

    cards: int
    stuk: bool = False
    alone: bool = False


def _roem_faults(
    deal: WrittenDeal, holders: str, trump: Trump, regulation: RuleSet
) -> Iterator[Fault]:
    if regulation.roem_from != "trick":
        return
    chosen: list[tuple[str, list[_Trick]]] = []
    sound = True
    for side, items in deal.roem.items():
        for place, value in enumerate(items):
            tricks = [*_tricks(value, holders, trump, regulation)]
            if not tricks:
                sound = False
                yield Fault("hands_roem", f"roem.{side}.{place}", {"points": value})
            chosen.append((side, tricks))
    chosen.sort(key=lambda item: (len(item[1]), item[0]))
    if sound and not _fit(chosen, ()):
        words = " + ".join(str(value) for items in deal.roem.values() for value in items)
        yield Fault("hands_roem", "roem", {"why": "together", "roem": words})


def _fit(wanted: Sequence[tuple[str, list[_Trick]]], laid: tuple[tuple[str, _Trick], ...]) -> bool:
    """Whether every announcement can have cards of its own; a stuk may lie in the run of its own
    side."""
    if not wanted:
        return True
    (side, tricks), rest = wanted[0], wanted[1:]
    return any(
        all(_apart(side, trick, *other) for other in laid)
        and _fit(_after(side, trick, tricks, rest), (*laid, (side, trick)))
        for trick in tricks
    )


def _after(
    side: str, trick: _Trick, tricks: list[_Trick], rest: Sequence[tuple[str, list[_Trick]]]
) -> Sequence[tuple[str, list[_Trick]]]:
    """What is still wanted. The next announcement of the same kind only looks further on, since
    their order makes no difference; but for a stuk, which may lie in a run."""
    if trick.alone or not rest or rest[0] != (side, tricks):
        return rest
    return [(side, tricks[tricks.index(trick) + 1 :]), *rest[1:]]


def _apart(side: str, trick: _Trick, other_side: str, other: _Trick) -> bool:
    if trick.stuk and other.stuk:
        return False
    together = (trick.alone or other.alone) and side == other_side
    return together or not trick.cards & other.cards


def _tricks(value: int, holders: str, trump: Trump, regulation: RuleSet) -> Iterator[_Trick]:
    """The cards that can be announced for so many points in a trick: those of different hands."""
    for suit in SUITS:
        if value == 20 or (value == 40 and suit == trump):
            yield from _runs(3, suit, holders, with_stuk=value == 40)
        if value == 50 or (value == 70 and suit == trump):
            yield from _runs(4, suit, holders, with_stuk=value == 70)
        if value == 20 and suit == trump:
            stuk = [NUMBERS[rank + suit] for rank in _STUK]
            if _of_different_hands(stuk, holders):
                yield _Trick(_bits(stuk), stuk=True, alone=True)
    lowest = RANKS.index(regulation.four_of_a_kind_from.replace("10", "T"))
    for place, rank in enumerate(RANKS):
        alike = [NUMBERS[rank + suit] for suit in SUITS]
        if rank == "J":
            part = value == regulation.four_of_a_kind < regulation.four_jacks
            counts = value == regulation.four_jacks or part
        else:
            counts = value == regulation.four_of_a_kind and place >= lowest
        if counts and _of_different_hands(alike, holders):
            yield _Trick(_bits(alike))


def _runs(length: int, suit: str, holders: str, *, with_stuk: bool) -> Iterator[_Trick]:
    for first in range(HAND - length + 1):
        ranks = RANKS[first : first + length]
        run = [NUMBERS[rank + suit] for rank in ranks]
        if (not with_stuk or _STUK in pairwise(ranks)) and _of_different_hands(run, holders):
            yield _Trick(_bits(run), stuk=with_stuk)


def _of_different_hands(cards: Sequence[int], holders: str) -> bool:
    return len({holders[card] for card in cards}) == len(cards)


def _bits(cards: Sequence[int]) -> int:
    return sum(1 << card for card in cards)
