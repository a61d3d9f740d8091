"""What a deal on a sheet can be. A deal that can be played by the rules passes every check here."""

from scoring.rules.counting import counted_points, is_enough, strength
from scoring.rules.deal import Deal
from scoring.rules.faults import Fault, shown
from scoring.rules.regulation import NO_TRUMP_DEAL_POINTS, Regulation
from scoring.rules.seats import Seat, forehand_of, other_side, side_of

_WITH_STUK = (40, 70)
_TRICKS = 8
_MARKS = ("pit", "nat", "reneged", "accused_wrongly_by", "nil", "replayed")
_DECIDING = {"declarer", "trump", "points", "roem", *_MARKS}
_MISCOUNTED = {"points_range", "points_unreachable", "points_sum", "roem_value"}


def find_faults(deal: Deal, regulation: Regulation, shape: list[Fault]) -> list[Fault]:
    """Every fault of a deal under a regulation.

    `shape` holds the faults found in reading it: what rests on a part that could not be read is
    not judged.
    """
    unread = {fault.root for fault in shape}
    total = deal.card_points(no_trump_allowed=regulation.no_trump)
    faults = _missing_points(deal, regulation, unread) + _point_faults(deal, total)
    if deal.trump == "NT" and not regulation.no_trump:
        faults.append(Fault("no_trump_not_allowed", "trump"))
    if deal.roem:
        faults += _roem_faults(deal, regulation, total)
    if deal.pit:
        faults += _pit_faults(deal, total, unread, faults)
    if deal.nat:
        faults += _nat_faults(deal, regulation, total, unread, faults)
    if deal.nil and regulation.nil_bonus is None:
        faults.append(Fault("nil_not_allowed", "nil"))
    if deal.dealer and "declarer" not in unread:
        faults += _bidding_faults(deal, deal.dealer, regulation)
    return faults + _correction_faults(deal)


def find_plain_faults(deal: Deal, shape: list[Fault]) -> list[Fault]:
    """The faults that a deal has under any regulation, for when the regulation itself is faulty."""
    unread = {fault.root for fault in shape}
    total = deal.card_points(no_trump_allowed=True)
    marked = any(getattr(deal, mark) or mark in unread for mark in _MARKS)
    faults = [] if marked else _points_left_out(deal, unread)
    faults += _point_faults(deal, total)
    if deal.pit:
        faults += _pit_faults(deal, total, unread, faults)
    return faults + _correction_faults(deal)


def _points_left_out(deal: Deal, unread: set[str]) -> list[Fault]:
    return [] if deal.points or "points" in unread else [Fault("missing", "points")]


def _missing_points(deal: Deal, regulation: Regulation, unread: set[str]) -> list[Fault]:
    if deal.points or deal.pit or deal.nat or deal.nil or not unread.isdisjoint(_MARKS):
        return []
    return _points_left_out(deal, unread) if deal.stands(regulation) else []


def _point_faults(deal: Deal, total: int) -> list[Fault]:
    points = deal.points
    outside = [
        Fault("points_range", f"points.{side}", {"points": shown(taken), "total": total})
        for side, taken in points.items()
        if not 0 <= taken <= total
    ]
    if outside:
        return outside
    unreachable = [
        Fault("points_unreachable", f"points.{side}", {"points": taken, "almost_all": total - 1})
        for side, taken in points.items()
        if taken in (1, total - 1)
    ]
    if unreachable or len(points) < 2 or sum(points.values()) == total:
        return unreachable
    return [Fault("points_sum", "points", {"total": total, "sum": sum(points.values())})]


def _roem_faults(deal: Deal, regulation: Regulation, total: int) -> list[Fault]:
    values = regulation.roem_values
    wrong = [
        Fault(
            "roem_value",
            f"roem.{side}.{place}",
            {"points": shown(item), "values": ", ".join(map(str, values))},
        )
        for side, items in deal.roem.items()
        for place, item in enumerate(items)
        if item not in values
    ]
    return wrong or _unreachable_roem(deal, regulation, total) + _roem_without_trick(deal)


def _unreachable_roem(deal: Deal, regulation: Regulation, total: int) -> list[Fault]:
    items = [item for announced in deal.roem.values() for item in announced]
    carres = (regulation.four_of_a_kind, regulation.four_jacks)
    with_stuk = [item for item in items if item in _WITH_STUK and item not in carres]
    why: dict[str, object] = {}
    if total == NO_TRUMP_DEAL_POINTS and with_stuk:
        why = {"why": "no_trump", "points": with_stuk[0]}
    elif len(with_stuk) > 1:
        why = {"why": "second_stuk"}
    elif len(items) > _TRICKS:
        why = {"why": "tricks", "count": len(items)}
    return [Fault("roem_unreachable", "roem", why)] if why else []


def _roem_without_trick(deal: Deal) -> list[Fault]:
    if deal.pit is None or not deal.roem.get(other_side(deal.pit)):
        return []
    return [Fault("roem_without_trick", f"roem.{other_side(deal.pit)}")]


def _pit_faults(deal: Deal, total: int, unread: set[str], found: list[Fault]) -> list[Fault]:
    faults = []
    clear = "trump" not in unread and all(fault.code != "points_range" for fault in found)
    if clear and any(
        taken != (total if side == deal.pit else 0) for side, taken in deal.points.items()
    ):
        faults.append(Fault("pit_points", "points", {"total": total}))
    if deal.nat and "declarer" not in unread and deal.pit == deal.declarers:
        faults.append(Fault("pit_contradicts_nat", "pit"))
    return faults


def _nat_faults(
    deal: Deal, regulation: Regulation, total: int, unread: set[str], found: list[Fault]
) -> list[Fault]:
    if not regulation.nat:
        return [Fault("nat_not_played", "nat")]
    unclear = not unread.isdisjoint(_DECIDING) or any(f.code in _MISCOUNTED for f in found)
    points = counted_points(deal, total)
    if unclear or not points or deal.nil or not deal.stands(regulation):
        return []
    if not is_enough(deal, points, regulation):
        return []
    mine = strength(deal, deal.declarers, points, regulation)
    theirs = strength(deal, other_side(deal.declarers), points, regulation)
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
