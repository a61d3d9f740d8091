"""What a deal on a sheet can be. A deal that can be played by the rules passes every check here.

What roem costs in card points is in roem_table.py and, of roem held in hands, hand_roem_table.py;
`python -m tools.roem_table` works them out.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Final, Literal

from scoring.rules.deal import (
    SIDES,
    Pair,
    Seat,
    Side,
    WrittenDeal,
    counted_points,
    forehand_of,
    needed_bid,
    other_side,
    roem_sums,
    side_of,
    strengths,
    taken_points,
)
from scoring.rules.faults import Fault, shown
from scoring.rules.play_settings import LowestCarre, RoemFrom
from scoring.rules.regulation import (
    NO_TRUMP_DEAL_POINTS,
    TRUMP_DEAL_POINTS,
    Carre,
    RuleSet,
)

if TYPE_CHECKING:
    from scoring.rules.roem_table import Costs

_Kind = Literal["three", "stuk", "three_and_stuk", "four", "four_and_stuk", "four_alike", "jacks"]

_KINDS_OF: Final[Mapping[int, tuple[_Kind, ...]]] = {
    20: ("three", "stuk"),
    40: ("three_and_stuk",),
    50: ("four",),
    70: ("four_and_stuk",),
}
_COLUMNS: Final[tuple[LowestCarre, ...]] = ("7", "9", "10")
_TRICKS: Final = 8


def least_points(
    items: tuple[int, ...], regulation: RuleSet, *, no_trump: bool = False
) -> int | None:
    """The fewest card points of a side with this roem; None where no side can have it.

    Roem of tricks: those of eight tricks that hold it. A trick may have been announced in part (20
    of a run of four, the 100 of any four of a kind for four jacks), and a stuk apart from its run.
    More announcements than tricks are never held. Roem of a player's hand: what the trumps in it
    take by themselves; where it goes to a trick, the cards that complete it.

    >>> [least_points(items, RuleSet()) for items in [(20,), (50,), (70,), (200,), (40, 70)]]
    [0, 10, 37, 26, None]
    >>> [least_points(items, RuleSet(roem_from="hand")) for items in [(50,), (70,), (100,) * 5]]
    [0, 23, None]
    """
    if regulation.roem_from == "trick" and len(items) > _TRICKS:
        return None
    return _least(tuple(sorted(items)), regulation.carre, no_trump=no_trump)


def _fits(items: tuple[int, ...], regulation: RuleSet, *, no_trump: bool) -> bool:
    """Whether one deal can hold roem, whoever has it."""
    if regulation.roem_from == "hand":
        regulation = replace(regulation, roem_from="hand_to_trick")
    return least_points(items, regulation, no_trump=no_trump) is not None


@lru_cache(maxsize=4096)
def _least(items: tuple[int, ...], carre: Carre, *, no_trump: bool) -> int | None:
    lowest, four_of_a_kind, four_jacks, roem_from = carre
    costs = _costs(roem_from, no_trump=no_trump)
    column = _COLUMNS.index(lowest)
    figures = (
        columns[column][others]
        for key, others in _demands(items, four_of_a_kind, four_jacks)
        if not (no_trump and key[0])
        and (columns := costs.get(key))
        and others < len(columns[column])
    )
    least = min(figures, default=None)
    # Without trumps no card has to take a trick.
    return 0 if least is not None and no_trump and roem_from == "hand" else least


def _costs(roem_from: RoemFrom, *, no_trump: bool) -> "Costs":
    # The tables are most of what importing the rules would take, and few programs ask for them.
    if roem_from == "trick":
        from scoring.rules.roem_table import NO_TRUMP, TRUMP

        return NO_TRUMP if no_trump else TRUMP
    from scoring.rules.hand_roem_table import ALL_NO_TRUMP, ALL_TRUMP, SIDE

    if roem_from == "hand":
        return SIDE
    return ALL_NO_TRUMP if no_trump else ALL_TRUMP


def _demands(
    items: tuple[int, ...], four_of_a_kind: int, four_jacks: int
) -> Iterator[tuple[tuple[int, int, int, int], int]]:
    """Every way to read the items: a row of the table, and the number of fours beside jacks."""
    readings = [
        combinations_with_replacement(_kinds(value, four_of_a_kind, four_jacks), count)
        for value, count in Counter(items).items()
        if value
    ]
    for reading in product(*readings):
        kinds = Counter(kind for chosen in reading for kind in chosen)
        for stuk, threes, fours in _stuk_places(kinds):
            yield (stuk, threes, fours, kinds["jacks"]), kinds["four_alike"]


def _kinds(value: int, four_of_a_kind: int, four_jacks: int) -> tuple[_Kind, ...]:
    kinds = _KINDS_OF.get(value, ())
    if value == four_of_a_kind:
        kinds += ("four_alike",)
    if value == four_jacks or value == four_of_a_kind < four_jacks:
        kinds += ("jacks",)
    return kinds


def _stuk_places(kinds: Counter[_Kind]) -> Iterator[tuple[int, int, int]]:
    """Where the stuk can be, as the table numbers it, and the runs of three and four without it."""
    threes, fours = kinds["three"], kinds["four"]
    with_three, with_four, alone = kinds["three_and_stuk"], kinds["four_and_stuk"], kinds["stuk"]
    if with_three + with_four + alone == 0:
        yield 0, threes, fours
    elif with_three + with_four + alone == 1:
        if alone:
            yield 1, threes, fours
        if with_three or (alone and threes):
            yield 2, threes - alone, fours
        if with_four or (alone and fours):
            yield 3, threes, fours - alone


HIGHEST_BID: Final = 500
"""Nobody bids more; above it a value is a slip."""

_WITH_STUK: Final = (40, 70)


def find_roem_faults(
    deal: WrittenDeal, regulation: RuleSet, total: int, points: Pair | None
) -> list[Fault]:
    """Every fault of the roem of a deal.

    `total` is the deal's card points, `points` what each side took of them, None where that is not
    known.
    """
    ns, ew = deal.roem.get("NS", ()), deal.roem.get("EW", ())
    no_trump = total == NO_TRUMP_DEAL_POINTS
    in_hand = regulation.roem_from == "hand"
    without_trick = roem_without_trick(deal) if deal.pit and not in_hand else []
    if not without_trick and (regulation.roem_from != "trick" or len(ns) + len(ew) <= _TRICKS):
        least = _least_of_sides(ns, ew, regulation.carre, no_trump)
        if least and (not points or (points[0] >= least[0] and points[1] >= least[1])):
            return []
    return _values_that_are_none(deal, regulation) or [
        *_unreachable(deal, regulation, no_trump=no_trump),
        *_short_of_points(deal, points, regulation, no_trump=no_trump),
        *without_trick,
    ]


def roem_without_trick(deal: WrittenDeal) -> list[Fault]:
    """The fault of roem of a side that took no trick, since the other made pit."""
    if deal.pit is None or not deal.roem.get(other_side(deal.pit)):
        return []
    return [Fault("roem_without_trick", f"roem.{other_side(deal.pit)}")]


@lru_cache(maxsize=4096)
def _least_of_sides(
    ns: tuple[int, ...], ew: tuple[int, ...], carre: Carre, no_trump: bool
) -> Pair | None:
    """The fewest card points each side must have; None where there is no such roem together."""
    lowest, four_of_a_kind, four_jacks, roem_from = carre
    regulation = RuleSet(
        roem_from=roem_from,
        four_of_a_kind_from=lowest,
        four_of_a_kind=four_of_a_kind,
        four_jacks=four_jacks,
    )
    if not regulation.roem_values.issuperset(ns + ew):
        return None
    if not _fits(ns + ew, regulation, no_trump=no_trump):
        return None
    least_ns, least_ew = (least_points(items, regulation, no_trump=no_trump) for items in (ns, ew))
    return None if least_ns is None or least_ew is None else (least_ns, least_ew)


def _values_that_are_none(deal: WrittenDeal, regulation: RuleSet) -> list[Fault]:
    values = ", ".join(map(str, sorted(regulation.roem_values)))
    return [
        Fault("roem_value", f"roem.{side}.{place}", {"points": shown(item), "values": values})
        for side, items in deal.roem.items()
        for place, item in enumerate(items)
        if item not in regulation.roem_values
    ]


def _unreachable(deal: WrittenDeal, regulation: RuleSet, *, no_trump: bool) -> list[Fault]:
    """The fault of roem that no eight tricks of the deck, or no four hands, could hold."""
    items = tuple(item for announced in deal.roem.values() for item in announced)
    in_hand = regulation.roem_from == "hand"
    sides = tuple(deal.roem.values()) if in_hand else ()
    if _fits(items, regulation, no_trump=no_trump) and all(
        least_points(own, regulation, no_trump=no_trump) is not None for own in sides
    ):
        return []
    return [Fault("roem_unreachable", "roem", _why(items, regulation, no_trump=no_trump))]


def _why(items: tuple[int, ...], regulation: RuleSet, *, no_trump: bool) -> dict[str, object]:
    alike = (regulation.four_of_a_kind, regulation.four_jacks)
    with_stuk = [item for item in items if item in _WITH_STUK and item not in alike]
    if no_trump and with_stuk:
        return {"why": "no_trump", "points": with_stuk[0]}
    if len(with_stuk) > 1:
        return {"why": "second_stuk"}
    if regulation.roem_from != "trick":
        return {"why": "hands"}
    if len(items) > _TRICKS:
        return {"why": "tricks", "count": len(items)}
    return {}


def _short_of_points(
    deal: WrittenDeal, points: Pair | None, regulation: RuleSet, *, no_trump: bool
) -> list[Fault]:
    """The fault of each side that took fewer card points than its roem needs."""
    faults = []
    for side, taken in zip(SIDES, points or (), strict=False):
        items = deal.roem.get(side, ())
        least = least_points(items, regulation, no_trump=no_trump)
        if least is not None and taken < least:
            named = " + ".join(map(str, items))
            params = {"roem": named, "least": least, "points": taken}
            faults.append(Fault("roem_needs_points", f"roem.{side}", params))
    return faults


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


def find_faults(deal: WrittenDeal, regulation: RuleSet, shape: list[Fault]) -> list[Fault]:
    """Every fault of a deal under a regulation.

    `shape` holds the faults found in reading it: what rests on a part that could not be read is
    not judged.
    """
    if regulation.game != "klaverjas":
        return [Fault("other_game", "declarer")]
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
    if deal.dealer or deal.bid is not None or regulation.asks_bid:
        faults += _trump_maker_faults(deal, regulation, unread)
    if deal.corrections:
        faults += _correction_faults(deal)
    return faults


def find_plain_faults(deal: WrittenDeal, shape: list[Fault]) -> list[Fault]:
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


def _points_left_out(deal: WrittenDeal, unread: frozenset[str]) -> list[Fault]:
    return [] if deal.points or "points" in unread else [Fault("missing", "points")]


def _missing_points(deal: WrittenDeal, regulation: RuleSet, unread: frozenset[str]) -> list[Fault]:
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
    deal: WrittenDeal, total: int, unread: frozenset[str], earlier: list[Fault]
) -> Pair | None:
    """What each side took, as far as roem can be held against it."""
    if unread and not unread.isdisjoint(("trump", "points", "roem", "pit")):
        return None
    if earlier and any(fault.code in _UNUSABLE for fault in earlier):
        return None
    return taken_points(deal, total)


def _pit_faults(
    deal: WrittenDeal, total: int, unread: frozenset[str], earlier: list[Fault]
) -> list[Fault]:
    faults = []
    if deal.points and "trump" not in unread:
        wrong = any(taken != total * (side == deal.pit) for side, taken in deal.points.items())
        if wrong and all(fault.code != "points_range" for fault in earlier):
            faults.append(Fault("pit_points", "points", {"total": total}))
    if deal.nat and "declarer" not in unread and deal.pit == deal.declarers:
        faults.append(Fault("pit_contradicts_nat", "pit"))
    return faults


def _nat_faults(
    deal: WrittenDeal, regulation: RuleSet, total: int, unread: frozenset[str], earlier: list[Fault]
) -> list[Fault]:
    if not regulation.nat:
        return [Fault("nat_not_played", "nat")]
    points = counted_points(deal, total)
    if not points or deal.nil or not deal.stands(regulation):
        return []
    if deal.pit == other_side(deal.declarers):
        return []
    if not unread.isdisjoint(_DECIDING) or any(fault.code in _MISCOUNTED for fault in earlier):
        return []
    ns, ew = strengths(points, roem_sums(deal), regulation)
    mine, theirs = (ns, ew) if deal.declarers == "NS" else (ew, ns)
    if mine <= theirs or mine < needed_bid(deal, regulation):
        return []
    return [Fault("nat_contradicts_points", "nat", {"declarers": mine, "defenders": theirs})]


def _trump_maker_faults(
    deal: WrittenDeal, regulation: RuleSet, unread: frozenset[str]
) -> list[Fault]:
    faults = _bid_faults(deal, regulation, unread)
    if deal.dealer and "declarer" not in unread:
        faults += _bidding_faults(deal, deal.dealer, regulation)
    return faults


def _bid_faults(deal: WrittenDeal, regulation: RuleSet, unread: frozenset[str]) -> list[Fault]:
    """A bid where none is written or that nobody makes, and none where the points need one."""
    if not regulation.asks_bid:
        return [] if deal.bid is None else [Fault("bid_not_allowed", "bid")]
    if deal.bid is not None and not 1 <= deal.bid <= HIGHEST_BID:
        params = {"bid": shown(deal.bid), "highest": HIGHEST_BID}
        return [Fault("bid_range", "bid", params)]
    decided = deal.pit or deal.nat or deal.nil or not deal.stands(regulation)
    if deal.bid is not None or decided or not unread.isdisjoint({"bid", *_MARKS}):
        return []
    return [Fault("missing", "bid")]


def _bidding_faults(deal: WrittenDeal, dealer: Seat, regulation: RuleSet) -> list[Fault]:
    if regulation.bidding not in ("forehand_must", "dealer_must"):
        return []
    seat = dealer if regulation.bidding == "dealer_must" else forehand_of(dealer)
    while seat not in deal.seats:
        seat = forehand_of(seat)
    if deal.declarer in (seat, side_of(seat)):
        return []
    return [Fault("bidding", "declarer", {"why": regulation.bidding, "seat": seat})]


def _correction_faults(deal: WrittenDeal) -> list[Fault]:
    return [
        Fault("bad_value", f"corrections.{place}.seat", {"why": "empty_seat", "value": item.seat})
        for place, item in enumerate(deal.corrections)
        if item.seat is not None and item.seat not in deal.seats
    ]
