"""What a deal on a sheet can be. A deal that can be played by the rules passes every check here."""

from collections.abc import Mapping
from typing import Final

from scoring.rules.counting import Pair, counted_points, roem_sums, strengths, taken_points
from scoring.rules.deal import Deal
from scoring.rules.faults import Fault, shown
from scoring.rules.regulation import NO_TRUMP_DEAL_POINTS, TRUMP_DEAL_POINTS, Regulation
from scoring.rules.roem_checks import find_roem_faults, roem_without_trick
from scoring.rules.seats import Seat, Side, forehand_of, side_of

_MARKS: Final = ("pit", "nat", "reneged", "accused_wrongly_by", "nil", "replayed")
_DECIDING: Final = {"declarer", "trump", "points", "roem", *_MARKS}
_UNUSABLE: Final = {"points_range", "points_unreachable"}
_MISCOUNTED: Final = {*_UNUSABLE, "points_sum", "roem_value"}
_NOTHING: Final[frozenset[str]] = frozenset()
_ALWAYS_ROEM: Final = frozenset({20, 40, 50, 70})
_REACHABLE: Final[Mapping[int, frozenset[int]]] = {
    total: frozenset({0, *range(2, total - 1), total})
    for total in (TRUMP_DEAL_POINTS, NO_TRUMP_DEAL_POINTS)
}


def find_faults(deal: Deal, regulation: Regulation, shape: list[Fault]) -> list[Fault]:
    """Every fault of a deal under a regulation.

    `shape` holds the faults found in reading it: what rests on a part that could not be read is
    not judged.
    """
    unread = frozenset(fault.root for fault in shape) if shape else _NOTHING
    total = deal.card_points(no_trump_allowed=regulation.no_trump)
    if deal.points:
        faults = _point_faults(deal.points, total)
    else:
        faults = _missing_points(deal, regulation, unread)
    if deal.trump == "NT" and not regulation.no_trump:
        faults.append(Fault("no_trump_not_allowed", "trump"))
    if deal.roem:
        points = _usable_points(deal, total, unread, faults)
        faults += find_roem_faults(deal, regulation, total, points)
    if deal.pit:
        faults += _pit_faults(deal, total, unread, faults)
    if deal.nat:
        faults += _nat_faults(deal, regulation, total, unread, faults)
    if deal.nil and regulation.nil_bonus is None:
        faults.append(Fault("nil_not_allowed", "nil"))
    if deal.dealer and "declarer" not in unread:
        faults += _bidding_faults(deal, deal.dealer, regulation)
    if deal.corrections:
        faults += _correction_faults(deal)
    return faults


def find_plain_faults(deal: Deal, shape: list[Fault]) -> list[Fault]:
    """The faults that a deal has under any regulation, for when the regulation itself is faulty."""
    unread = frozenset(fault.root for fault in shape)
    total = deal.card_points(no_trump_allowed=True)
    marked = any(getattr(deal, mark) or mark in unread for mark in _MARKS)
    faults = [] if marked else _points_left_out(deal, unread)
    faults += _point_faults(deal.points, total)
    if all(_ALWAYS_ROEM.issuperset(items) for items in deal.roem.values()):
        faults += roem_without_trick(deal)
    if deal.pit:
        faults += _pit_faults(deal, total, unread, faults)
    return faults + _correction_faults(deal)


def _points_left_out(deal: Deal, unread: frozenset[str]) -> list[Fault]:
    return [] if deal.points or "points" in unread else [Fault("missing", "points")]


def _missing_points(deal: Deal, regulation: Regulation, unread: frozenset[str]) -> list[Fault]:
    if deal.pit or deal.nat or deal.nil or not unread.isdisjoint(_MARKS):
        return []
    return _points_left_out(deal, unread) if deal.stands(regulation) else []


def _point_faults(points: Mapping[Side, int], total: int) -> list[Fault]:
    if not _REACHABLE[total].issuperset(points.values()):
        return _impossible_points(points, total)
    if len(points) < 2 or points["NS"] + points["EW"] == total:
        return []
    return [Fault("points_sum", "points", {"total": total, "sum": points["NS"] + points["EW"]})]


def _impossible_points(points: Mapping[Side, int], total: int) -> list[Fault]:
    outside = [
        Fault("points_range", f"points.{side}", {"points": shown(taken), "total": total})
        for side, taken in points.items()
        if not 0 <= taken <= total
    ]
    return outside or [
        Fault("points_unreachable", f"points.{side}", {"points": taken, "almost_all": total - 1})
        for side, taken in points.items()
        if taken in (1, total - 1)
    ]


def _usable_points(
    deal: Deal, total: int, unread: frozenset[str], found: list[Fault]
) -> Pair | None:
    """What each side took, as far as roem can be held against it."""
    if unread and not unread.isdisjoint(("trump", "points", "roem", "pit")):
        return None
    if found and any(fault.code in _UNUSABLE for fault in found):
        return None
    return taken_points(deal, total)


def _pit_faults(deal: Deal, total: int, unread: frozenset[str], found: list[Fault]) -> list[Fault]:
    faults = []
    if deal.points and "trump" not in unread:
        wrong = any(taken != total * (side == deal.pit) for side, taken in deal.points.items())
        if wrong and all(fault.code != "points_range" for fault in found):
            faults.append(Fault("pit_points", "points", {"total": total}))
    if deal.nat and "declarer" not in unread and deal.pit == deal.declarers:
        faults.append(Fault("pit_contradicts_nat", "pit"))
    return faults


def _nat_faults(
    deal: Deal, regulation: Regulation, total: int, unread: frozenset[str], found: list[Fault]
) -> list[Fault]:
    if not regulation.nat:
        return [Fault("nat_not_played", "nat")]
    points = counted_points(deal, total)
    if not points or deal.nil or not deal.stands(regulation):
        return []
    if not unread.isdisjoint(_DECIDING) or any(fault.code in _MISCOUNTED for fault in found):
        return []
    ns, ew = strengths(points, roem_sums(deal), regulation)
    mine, theirs = (ns, ew) if deal.declarers == "NS" else (ew, ns)
    if mine <= theirs:
        return []
    return [Fault("nat_contradicts_points", "nat", {"declarers": mine, "defenders": theirs})]


def _bidding_faults(deal: Deal, dealer: Seat, regulation: Regulation) -> list[Fault]:
    if regulation.bidding not in ("forehand_must", "dealer_must"):
        return []
    seat = dealer if regulation.bidding == "dealer_must" else forehand_of(dealer)
    while seat not in deal.seats:
        seat = forehand_of(seat)
    if deal.declarer in (seat, side_of(seat)):
        return []
    return [Fault("bidding", "declarer", {"why": regulation.bidding, "seat": seat})]


def _correction_faults(deal: Deal) -> list[Fault]:
    return [
        Fault("bad_value", f"corrections.{place}.seat", {"why": "empty_seat", "value": item.seat})
        for place, item in enumerate(deal.corrections)
        if item.seat is not None and item.seat not in deal.seats
    ]
