"""Works a deal out: nat, pit, penalties, what each side gets, and what is unlikely about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from scoring.rules.deal import (
    SEATS,
    SIDES,
    Pair,
    Seat,
    Side,
    WrittenDeal,
    needed_bid,
    other_side,
    partner,
    roem_sums,
    side_of,
    strengths,
    taken_points,
)
from scoring.rules.faults import Fault, fault_json
from scoring.rules.regulation import RuleSet
from scoring.rules.texts import Language
from scoring.rules.tricks import Played

MUCH_ROEM: Final = 200
MUCH_ROEM_OF_A_SIDE: Final = 170
"""From this much the roem of both sides together, and of one side, is rare."""

OFTEN_ROEM: Final = 7
OFTEN_ROEM_OF_A_SIDE: Final = 6
"""From this many announcements; a stuk may be written apart from its run."""

FEW_POINTS: Final = ((140, 93), (120, 61), (100, 43), (70, 24), (40, 9))
"""Roem of a side, and the card points up to which so much is rare."""

_LEAST_MUCH: Final = 20 * OFTEN_ROEM_OF_A_SIDE
_LEAST_FOR_FEW: Final = FEW_POINTS[-1][0]
_MOST_OF_FEW: Final = FEW_POINTS[0][1]


def unlikely(
    deal: WrittenDeal,
    points: Mapping[Side, int | None],
    roem: Mapping[Side, int],
    *,
    in_tricks: bool = True,
) -> list[Fault]:
    """What to ask about a deal that can be: `no_points`, `much_roem`, `often_roem`,
    `roem_with_few_points`, `nil_with_points`, `dummy_seat`.

    `points` are the card points each side took (none where nobody counted), `roem` what counted;
    roem says something of the points where it lies `in_tricks`.
    """
    doubts = []
    if deal.pit is None and deal.nil is None and 0 in points.values():
        doubts.append(Fault("no_points", "pit"))
    if roem["NS"] + roem["EW"] >= _LEAST_MUCH:
        doubts += _much_roem(deal, roem)
    if in_tricks and (roem["NS"] >= _LEAST_FOR_FEW or roem["EW"] >= _LEAST_FOR_FEW):
        doubts += _few_points(points, roem)
    if deal.nil is not None:
        doubts += _nil_with_points(deal, points[deal.declarers])
    if len(deal.seats) == 3 and _dummy_is_elsewhere(deal):
        doubts.append(Fault("dummy_seat", "seats"))
    return doubts


def _much_roem(deal: WrittenDeal, roem: Mapping[Side, int]) -> list[Fault]:
    together, most = roem["NS"] + roem["EW"], max(roem["NS"], roem["EW"])
    doubts = []
    if together >= MUCH_ROEM or most >= MUCH_ROEM_OF_A_SIDE:
        doubts.append(Fault("much_roem", "roem", {"points": together}))
    counts = [len(deal.roem.get(side, ())) for side in SIDES if roem[side]]
    if sum(counts) >= OFTEN_ROEM or max(counts) >= OFTEN_ROEM_OF_A_SIDE:
        doubts.append(Fault("often_roem", "roem", {"count": sum(counts)}))
    return doubts


def _few_points(points: Mapping[Side, int | None], roem: Mapping[Side, int]) -> list[Fault]:
    doubts = []
    for side, made in roem.items():
        taken = points.get(side)
        if taken is not None and taken <= _MOST_OF_FEW and taken <= _few_for(made):
            params = {"roem": made, "points": taken}
            doubts.append(Fault("roem_with_few_points", f"roem.{side}", params))
    return doubts


def _few_for(roem: int) -> int:
    return next((few for much, few in FEW_POINTS if roem >= much), -1)


def _nil_with_points(deal: WrittenDeal, points: int | None) -> list[Fault]:
    if points is None or (deal.nil == "made") == (points == 0):
        return []
    return [Fault("nil_with_points", "nil", {"why": deal.nil, "points": points})]


def _dummy_is_elsewhere(deal: WrittenDeal) -> bool:
    declarer = next((seat for seat in SEATS if seat == deal.declarer), None)
    return declarer is not None and partner(declarer) in deal.seats


Verdict = Literal[
    "void",
    "reneged",
    "unproven",
    "nil_made",
    "nil_failed",
    "counter_pit",
    "pit",
    "nat",
    "made",
    "failed",
]
"""What decided the deal; `failed` is not enough points where nat is not played."""

Share = tuple[int, int, int, int]
"""What a side gets: the points of cards, what comes on top for reneging, roem, a bonus."""

TermKind = Literal["points", "roem", "pit", "shutout", "nil"]

_BONUS: Final[Mapping[Verdict, TermKind]] = {"pit": "pit", "counter_pit": "pit", "nil_made": "nil"}


class Term(NamedTuple):
    """One thing a side's score is made of: `points` of cards, `roem`, or a bonus."""

    kind: TermKind
    points: int


@dataclass(slots=True)
class DealResult:
    """A deal worked out under a regulation.

    `taken` (None where nobody counted or the deal does not stand) and `announced` are the card
    points and the roem of NS and of EW before nat; `shares` is what each then gets. Everything that
    follows from these is worked out when it is asked for.
    """

    verdict: Verdict
    nat: bool
    pit: Side | None
    taken: Pair | None
    announced: Pair
    shares: tuple[Share, Share]
    deal: WrittenDeal
    regulation: RuleSet
    played: Played | None = None

    @property
    def points(self) -> dict[Side, int | None]:
        """The card points each side took; None where nobody counted or the deal does not stand."""
        ns, ew = self.taken or (None, None)
        return {"NS": ns, "EW": ew}

    @property
    def roem(self) -> dict[Side, int]:
        """The roem each side made."""
        return {"NS": self.announced[0], "EW": self.announced[1]}

    @property
    def score(self) -> dict[Side, int]:
        """What goes on the sheet per side: its share and the director's corrections."""
        score: dict[Side, int] = {"NS": sum(self.shares[0]), "EW": sum(self.shares[1])}
        for correction in self.deal.corrections:
            if correction.side:
                score[correction.side] += correction.points
        return score

    @property
    def players(self) -> dict[Seat, int]:
        """What everyone who sits at the table gets: their side's score, fines and corrections."""
        return self._players_of(self.score)

    @property
    def terms(self) -> dict[Side, tuple[Term, ...]]:
        """What makes up the score of each side before corrections, by name; nothing of 0."""
        kinds: tuple[TermKind, ...] = "points", "roem", "roem", _BONUS.get(self.verdict, "shutout")
        ns, ew = (
            tuple(Term(kind, points) for kind, points in zip(kinds, share, strict=True) if points)
            for share in self.shares
        )
        return {"NS": ns, "EW": ew}

    @property
    def warnings(self) -> tuple[Fault, ...]:
        """What is legal but unlikely, and every card that was not allowed."""
        in_tricks = self.regulation.roem_from == "trick"
        doubts = unlikely(self.deal, self.points, self.roem, in_tricks=in_tricks)
        if self.played is None:
            return tuple(doubts)
        # The cards leave no doubt about what was counted.
        doubts = [fault for fault in doubts if fault.root not in ("points", "roem", "pit")]
        return (*doubts, *self.played.warnings())

    def as_json(self, language: Language = "en") -> dict[str, object]:
        """The answer as the contract writes it; `warnings` only where there are any."""
        score = self.score
        answer: dict[str, object] = {
            "valid": True,
            "nat": self.nat,
            "pit": self.pit,
            "points": self.points,
            "roem": self.roem,
            "score": score,
            "players": self._players_of(score),
        }
        if warnings := self.warnings:
            answer["warnings"] = [fault_json(fault, language) for fault in warnings]
        return answer if self.played is None else answer | self.played.as_json()

    def _players_of(self, score: Mapping[Side, int]) -> dict[Seat, int]:
        deal = self.deal
        ns, ew = score["NS"], score["EW"]
        players: dict[Seat, int] = {"N": ns, "E": ew, "S": ns, "W": ew}
        if len(deal.seats) < 4:
            players = {seat: players[seat] for seat in SEATS if seat in deal.seats}
        culprit = deal.fined_seat(self.regulation)
        if culprit in players:
            players[culprit] -= self.regulation.reneging_fine
        for correction in deal.corrections:
            if correction.seat:
                players[correction.seat] += correction.points
        return players


_NORTH_SOUTH: Final = frozenset({"N", "S", "NS"})
_UNCOUNTED: Final[Pair] = (0, 0)
_NOTHING: Final[Share] = (0, 0, 0, 0)


def settle(deal: WrittenDeal, regulation: RuleSet) -> DealResult:
    """What a deal without faults comes to under the regulation it was checked against."""
    total = deal.card_points(no_trump_allowed=regulation.no_trump)
    if deal.reneged or deal.accused_wrongly_by or deal.replayed:
        if deal.is_void(regulation):
            shares = _NOTHING, _NOTHING
            return DealResult("void", False, None, None, (0, 0), shares, deal, regulation)
        loser = deal.losing_seat(regulation)
        if loser is not None:
            return _penalty(deal, regulation, total, other_side(side_of(loser)))
    if deal.nil is not None:
        return _nil(deal, regulation, total)
    return _count(deal, regulation, total)


def _penalty(deal: WrittenDeal, regulation: RuleSet, total: int, winners: Side) -> DealResult:
    proven = deal.is_lost_by_reneging(regulation)
    keeps_roem = proven and regulation.reneging == "deal_lost_with_roem"
    ns, ew = roem_sums(deal) if keeps_roem else (0, 0)
    roem = (ns, 0) if winners == "NS" else (0, ew)
    shares = _all_to(winners, (total, regulation.reneging_roem, sum(roem), 0))
    verdict: Verdict = "reneged" if proven else "unproven"
    return DealResult(verdict, False, None, None, roem, shares, deal, regulation)


def _nil(deal: WrittenDeal, regulation: RuleSet, total: int) -> DealResult:
    points, roem = taken_points(deal, total), roem_sums(deal)
    if deal.nil == "made":
        shares = _all_to(deal.declarers, (0, 0, 0, regulation.nil_bonus or 0))
        return DealResult("nil_made", False, deal.pit, points, roem, shares, deal, regulation)
    shares = _all_to(other_side(deal.declarers), (total, 0, sum(roem), 0))
    return DealResult("nil_failed", False, deal.pit, points, roem, shares, deal, regulation)


def _count(deal: WrittenDeal, regulation: RuleSet, total: int) -> DealResult:
    taken, roem = taken_points(deal, total), roem_sums(deal)
    points = taken or _UNCOUNTED
    us, them = (0, 1) if deal.declarer in _NORTH_SOUTH else (1, 0)
    counts = strengths(points, roem, regulation)
    # Roem that a side held itself does not undo the tricks: who made pit made the deal.
    enough = counts[us] > counts[them] and counts[us] >= needed_bid(deal, regulation)
    if deal.pit is not None:
        enough = deal.pit == deal.declarers
    enough = enough and not deal.nat
    verdict, bonus = _verdict(deal, regulation, enough, left=points[them] + roem[them])
    nat = regulation.nat and not enough
    if nat:
        lost = roem[us] if regulation.nat_roem == "opponents" else 0
        mine, theirs = _NOTHING, (total, 0, roem[them] + lost, bonus)
    else:
        mine = points[us], 0, roem[us], bonus if enough else 0
        theirs = points[them], 0, roem[them], 0 if enough else bonus
    shares = (mine, theirs) if us == 0 else (theirs, mine)
    return DealResult(verdict, nat, deal.pit, taken, roem, shares, deal, regulation)


def _verdict(
    deal: WrittenDeal, regulation: RuleSet, enough: bool, left: int
) -> tuple[Verdict, int]:
    """What decides, and the bonus of who wins; `left` is what the defenders took."""
    if deal.pit is not None:
        if enough:
            return "pit", regulation.pit_bonus
        return "counter_pit", regulation.counter_pit_bonus
    if enough:
        return "made", 0 if left else regulation.shutout_bonus
    return "nat" if regulation.nat else "failed", 0


def _all_to(side: Side, share: Share) -> tuple[Share, Share]:
    return (share, _NOTHING) if side == "NS" else (_NOTHING, share)
