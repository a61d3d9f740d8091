"""The roem that the four cards of one trick make, under each trump."""

from collections.abc import Mapping
from functools import cache
from itertools import combinations
from typing import Final

from scoring.rules.cards import NUMBERS, RANKS, SUITS, mask_of
from scoring.rules.deal import Trump
from scoring.rules.regulation import LowestCarre, Regulation

_STUK: Final = 20
_RUNS: Final = ((3, 20), (4, 50))
_JACK: Final = RANKS.index("J")
_LOWEST_RANK: Final[Mapping[LowestCarre, int]] = {"7": 0, "9": 2, "10": 3}


def roem_of_tricks(trump: Trump, regulation: Regulation) -> Mapping[int, int]:
    """The roem of each set of four cards, as a mask, that makes any.

    Runs of three (20) and of four (50) in a suit, king and queen of trumps (20), four of a kind.
    """
    return roem_under(
        trump,
        regulation.four_of_a_kind_from,
        regulation.four_of_a_kind,
        regulation.four_jacks,
    )


@cache
def roem_under(
    trump: Trump, lowest: LowestCarre, four_of_a_kind: int, four_jacks: int
) -> Mapping[int, int]:
    """`roem_of_tricks` under these settings."""
    table = _runs()
    if trump != "NT":
        stuk = mask_of([NUMBERS["K" + trump], NUMBERS["Q" + trump]])
        for pair in _pairs_beside(stuk):
            table[stuk | pair] = table.get(stuk | pair, 0) + _STUK
    for rank in range(_LOWEST_RANK[lowest], 8):
        carre = 0x01010101 << rank
        table[carre] = four_jacks if rank == _JACK else four_of_a_kind
    return table


def _runs() -> dict[int, int]:
    table = {}
    for length, points in _RUNS:
        for lowest in range(9 - length):
            for suit in range(len(SUITS)):
                run = ((1 << length) - 1) << lowest + 8 * suit
                for rest in _beside(run) if length == 3 else (0,):
                    table[run | rest] = points
    return table


def _beside(cards: int) -> list[int]:
    return [1 << number for number in range(32) if not cards >> number & 1]


def _pairs_beside(cards: int) -> list[int]:
    return [one | other for one, other in combinations(_beside(cards), 2)]
