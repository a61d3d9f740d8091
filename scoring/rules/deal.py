"""A deal as a score sheet has it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from scoring.rules.regulation import NO_TRUMP_DEAL_POINTS, TRUMP_DEAL_POINTS, Regulation
from scoring.rules.seats import SEATS, Seat, Side, side_of

Trump = Literal["C", "D", "H", "S", "NT"]
Nil = Literal["made", "failed"]


class Correction(NamedTuple):
    """Points the director gives, or takes from, exactly one of a player and a side."""

    points: int
    seat: Seat | None = None
    side: Side | None = None
    reason: str = ""


@dataclass(slots=True)
class Deal:
    """What is written of one deal; a part the sheet says nothing of has its default.

    `points` are whole card points with the last trick, before nat, of the sides that were counted;
    `roem` the announcements of each side that made any.
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
    corrections: tuple[Correction, ...] = ()
    dealer: Seat | None = None
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

    def is_void(self, regulation: Regulation) -> bool:
        """Whether the deal is played again and scores nothing."""
        return self.replayed or (self.reneged is not None and regulation.reneging == "replay")

    def is_lost_by_reneging(self, regulation: Regulation) -> bool:
        """Whether reneging was proved and costs the culprit's side the deal."""
        loses = regulation.reneging in ("deal_lost", "deal_lost_with_roem")
        return self.reneged is not None and loses

    def losing_seat(self, regulation: Regulation) -> Seat | None:
        """Who lost the deal for his side by reneging, or by an accusation he could not prove.

        What was proved goes before what was not, where a sheet names both.
        """
        if self.is_lost_by_reneging(regulation):
            return self.reneged
        return self.accused_wrongly_by if regulation.unproven_reneging == "deal_lost" else None

    def fined_seat(self, regulation: Regulation) -> Seat | None:
        """Who alone pays for reneging, where the regulation says so and the deal is not void."""
        fined = regulation.reneging == "culprit_fined" and not self.replayed
        return self.reneged if fined else None

    def stands(self, regulation: Regulation) -> bool:
        """Whether what the cards gave counts."""
        return not self.is_void(regulation) and self.losing_seat(regulation) is None
