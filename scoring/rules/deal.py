"""The seats of a table, a deal as a score sheet has it, and what the cards gave each side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from scoring.rules.regulation import NO_TRUMP_DEAL_POINTS, TRUMP_DEAL_POINTS, RuleSet

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


Trump = Literal["C", "D", "H", "S", "NT"]
Nil = Literal["made", "failed"]


class Correction(NamedTuple):
    """Points the director gives, or takes from, exactly one of a player and a side."""

    points: int
    seat: Seat | None = None
    side: Side | None = None
    reason: str = ""


@dataclass(slots=True)
class WrittenDeal:
    """What is written of one deal; a part the sheet says nothing of has its default.

    `points` are whole card points with the last trick, before nat, of the sides that were counted;
    `roem` the announcements of each side that made any; `replays` how often the deal was dealt
    again before because somebody reneged; `bid` what the declarers undertook to make.
    """

    declarer: Seat | Side = "NS"
    trump: Trump | None = None
    points: Mapping[Side, int] = field(default_factory=dict)
    roem: Mapping[Side, tuple[int, ...]] = field(default_factory=dict)
    pit: Side | None = None
    nat: bool = False
    reneged: Seat | None = None
    accused_wrongly_by: Seat | None = None
    nil: Nil | None = None
    replayed: bool = False
    replays: int = 0
    corrections: tuple[Correction, ...] = ()
    dealer: Seat | None = None
    bid: int | None = None
    seats: tuple[Seat, ...] = SEATS

    @property
    def declarers(self) -> Side:
        """The side that made trump."""
        return side_of(self.declarer)

    def card_points(self, *, no_trump_allowed: bool) -> int:
        """The card points of the whole deal: 162, in no-trump 130.

        A sheet that does not say what was trump means a trump deal, or no-trump where that is
        allowed and both sides were counted and add up to 130.
        """
        if self.trump == "NT":
            return NO_TRUMP_DEAL_POINTS
        unknown = no_trump_allowed and self.trump is None and len(self.points) == 2
        if unknown and sum(self.points.values()) == NO_TRUMP_DEAL_POINTS:
            return NO_TRUMP_DEAL_POINTS
        return TRUMP_DEAL_POINTS

    def is_void(self, regulation: RuleSet) -> bool:
        """Whether the deal is played again and scores nothing."""
        reneged = self.reneged is not None
        return self.replayed or (reneged and regulation.replays_reneging(self.replays))

    def is_lost_by_reneging(self, regulation: RuleSet) -> bool:
        """Whether reneging was proved and costs the culprit's side the deal."""
        loses = regulation.reneging in ("deal_lost", "deal_lost_with_roem")
        return self.reneged is not None and loses

    def losing_seat(self, regulation: RuleSet) -> Seat | None:
        """The player who lost the deal for their side: by reneging, or by an unproved accusation.

        Where a sheet names both, what was proved goes first.
        """
        if self.is_lost_by_reneging(regulation):
            return self.reneged
        return self.accused_wrongly_by if regulation.unproven_reneging == "deal_lost" else None

    def fined_seat(self, regulation: RuleSet) -> Seat | None:
        """Who alone pays for reneging, where the regulation says so and the deal is not void."""
        fined = regulation.reneging == "culprit_fined" and not self.is_void(regulation)
        return self.reneged if fined else None

    def stands(self, regulation: RuleSet) -> bool:
        """Whether what the cards gave counts."""
        return not self.is_void(regulation) and self.losing_seat(regulation) is None


Pair = tuple[int, int]
"""What NS has, then what EW has."""


def taken_points(deal: WrittenDeal, total: int) -> Pair | None:
    """The card points of both sides, as counted or else by the pit; None where there is neither.

    `total` is the deal's card points.
    """
    if deal.points or deal.pit is None:
        return counted_points(deal, total)
    return (total, 0) if deal.pit == "NS" else (0, total)


def counted_points(deal: WrittenDeal, total: int) -> Pair | None:
    """The card points of both sides, of which one may have counted; None if neither did."""
    points = deal.points
    if "NS" in points:
        return points["NS"], points["EW"] if "EW" in points else total - points["NS"]
    return (total - points["EW"], points["EW"]) if "EW" in points else None


def roem_sums(deal: WrittenDeal) -> Pair:
    """The roem of each side added up."""
    roem = deal.roem
    return sum(roem["NS"]) if "NS" in roem else 0, sum(roem["EW"]) if "EW" in roem else 0


def strengths(points: Pair, roem: Pair, regulation: RuleSet) -> Pair:
    """What each side brings when nat is decided: card points, and its roem where that counts."""
    if not regulation.nat_counts_roem:
        return points
    return points[0] + roem[0], points[1] + roem[1]


def needed_bid(deal: WrittenDeal, regulation: RuleSet) -> int:
    """What the declarers must have at least, by their bid; 0 where bids are not written."""
    return (deal.bid or 0) if regulation.asks_bid else 0
