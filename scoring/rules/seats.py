"""The four seats of a table, the two sides, and who deals."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

Seat = Literal["N", "E", "S", "W"]
Side = Literal["NS", "EW"]

SEATS: Final[tuple[Seat, ...]] = ("N", "E", "S", "W")
SIDES: Final[tuple[Side, ...]] = ("NS", "EW")

_SIDE_OF: Final[Mapping[str, Side]] = {
    "N": "NS",
    "S": "NS",
    "E": "EW",
    "W": "EW",
    "NS": "NS",
    "EW": "EW",
}
_PARTNER: Final[Mapping[Seat, Seat]] = {"N": "S", "S": "N", "E": "W", "W": "E"}
_OTHER: Final[Mapping[Side, Side]] = {"NS": "EW", "EW": "NS"}


def partner(seat: Seat) -> Seat:
    """The seat opposite.

    >>> partner("E")
    'W'
    """
    return _PARTNER[seat]


def side_of(seat: Seat | Side) -> Side:
    """The side a seat plays for; a side is its own side.

    >>> side_of("S"), side_of("EW")
    ('NS', 'EW')
    """
    return _SIDE_OF[seat]


def other_side(side: Side) -> Side:
    """The opponents of a side.

    >>> other_side("NS")
    'EW'
    """
    return _OTHER[side]


def forehand_of(dealer: Seat, people: Sequence[Seat] = SEATS) -> Seat:
    """The player left of the dealer, who leads to the first trick whoever made trump.

    >>> forehand_of("W"), forehand_of("S", people=("N", "E", "S"))
    ('N', 'N')
    """
    return dealer_of(dealer, 2, people)


def dealer_of(first_dealer: Seat, number: int, people: Sequence[Seat] = SEATS) -> Seat:
    """Who deals deal `number`, counted from 1: the deal passes clockwise, over seats where nobody
    of `people` sits.

    >>> [dealer_of("S", number) for number in (1, 2, 5)]
    ['S', 'W', 'S']
    """
    first = SEATS.index(first_dealer)
    turns = [seat for seat in (*SEATS[first:], *SEATS[:first]) if seat in people]
    return turns[(number - 1) % len(turns)]
