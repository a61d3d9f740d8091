"""Works a deal out: nat, pit, penalties, and what each side gets."""

from typing import Final

from scoring.rules.counting import Pair, roem_sums, strengths, taken_points
from scoring.rules.deal import Deal
from scoring.rules.regulation import Regulation
from scoring.rules.result import DealResult, Share, Verdict
from scoring.rules.seats import Side, other_side, side_of

_NORTH_SOUTH: Final = frozenset({"N", "S", "NS"})
_UNCOUNTED: Final[Pair] = (0, 0)
_NOTHING: Final[Share] = (0, 0, 0, 0)


def settle(deal: Deal, regulation: Regulation) -> DealResult:
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


def _penalty(deal: Deal, regulation: Regulation, total: int, winners: Side) -> DealResult:
    proven = deal.is_lost_by_reneging(regulation)
    kept = proven and regulation.reneging == "deal_lost_with_roem"
    ns, ew = roem_sums(deal) if kept else (0, 0)
    roem = (ns, 0) if winners == "NS" else (0, ew)
    shares = _all_to(winners, (total, regulation.reneging_roem, sum(roem), 0))
    verdict: Verdict = "reneged" if proven else "unproven"
    return DealResult(verdict, False, None, None, roem, shares, deal, regulation)


def _nil(deal: Deal, regulation: Regulation, total: int) -> DealResult:
    points, roem = taken_points(deal, total), roem_sums(deal)
    if deal.nil == "made":
        shares = _all_to(deal.declarers, (0, 0, 0, regulation.nil_bonus or 0))
        return DealResult("nil_made", False, deal.pit, points, roem, shares, deal, regulation)
    shares = _all_to(other_side(deal.declarers), (total, 0, sum(roem), 0))
    return DealResult("nil_failed", False, deal.pit, points, roem, shares, deal, regulation)


def _count(deal: Deal, regulation: Regulation, total: int) -> DealResult:
    taken, roem = taken_points(deal, total), roem_sums(deal)
    points = taken or _UNCOUNTED
    us, them = (0, 1) if deal.declarer in _NORTH_SOUTH else (1, 0)
    counts = strengths(points, roem, regulation)
    enough = counts[us] > counts[them] and not deal.nat
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


def _verdict(deal: Deal, regulation: Regulation, enough: bool, left: int) -> tuple[Verdict, int]:
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
