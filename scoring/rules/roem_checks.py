"""Which roem a sheet can have, in the values of a regulation and with the card points beside it."""

from functools import lru_cache
from typing import Final

from scoring.rules.counting import Pair
from scoring.rules.deal import Deal
from scoring.rules.faults import Fault, shown
from scoring.rules.regulation import NO_TRUMP_DEAL_POINTS, Carre, Regulation
from scoring.rules.roem_least import least_points
from scoring.rules.seats import SIDES, other_side

_TRICKS: Final = 8
_WITH_STUK: Final = (40, 70)


def find_roem_faults(
    deal: Deal, regulation: Regulation, total: int, points: Pair | None
) -> list[Fault]:
    """Every fault of the roem of a deal.

    `total` is the deal's card points, `points` what each side took of them, None where that is not
    known.
    """
    ns, ew = deal.roem.get("NS", ()), deal.roem.get("EW", ())
    no_trump = total == NO_TRUMP_DEAL_POINTS
    without_trick = roem_without_trick(deal) if deal.pit else []
    if not without_trick and len(ns) + len(ew) <= _TRICKS:
        least = _least_of_sides(ns, ew, regulation.carre, no_trump)
        if least and (not points or (points[0] >= least[0] and points[1] >= least[1])):
            return []
    return _values_that_are_none(deal, regulation) or [
        *_unreachable(deal, regulation, no_trump=no_trump),
        *_short_of_points(deal, points, regulation, no_trump=no_trump),
        *without_trick,
    ]


def roem_without_trick(deal: Deal) -> list[Fault]:
    """The fault of roem of a side that took no trick, since the other made pit."""
    if deal.pit is None or not deal.roem.get(other_side(deal.pit)):
        return []
    return [Fault("roem_without_trick", f"roem.{other_side(deal.pit)}")]


@lru_cache(maxsize=4096)
def _least_of_sides(
    ns: tuple[int, ...], ew: tuple[int, ...], carre: Carre, no_trump: bool
) -> Pair | None:
    """The fewest card points each side must have; None where there is no such roem together."""
    lowest, four_of_a_kind, four_jacks = carre
    regulation = Regulation(
        four_of_a_kind_from=lowest, four_of_a_kind=four_of_a_kind, four_jacks=four_jacks
    )
    if not regulation.roem_values.issuperset(ns + ew):
        return None
    together, least_ns, least_ew = (
        least_points(items, regulation, no_trump=no_trump) for items in (ns + ew, ns, ew)
    )
    if together is None or least_ns is None or least_ew is None:
        return None
    return least_ns, least_ew


def _values_that_are_none(deal: Deal, regulation: Regulation) -> list[Fault]:
    values = ", ".join(map(str, sorted(regulation.roem_values)))
    return [
        Fault("roem_value", f"roem.{side}.{place}", {"points": shown(item), "values": values})
        for side, items in deal.roem.items()
        for place, item in enumerate(items)
        if item not in regulation.roem_values
    ]


def _unreachable(deal: Deal, regulation: Regulation, *, no_trump: bool) -> list[Fault]:
    """The fault of roem of both sides together that no eight tricks of the deck could hold."""
    items = tuple(item for announced in deal.roem.values() for item in announced)
    if least_points(items, regulation, no_trump=no_trump) is not None:
        return []
    return [Fault("roem_unreachable", "roem", _why(items, regulation, no_trump=no_trump))]


def _why(items: tuple[int, ...], regulation: Regulation, *, no_trump: bool) -> dict[str, object]:
    alike = (regulation.four_of_a_kind, regulation.four_jacks)
    with_stuk = [item for item in items if item in _WITH_STUK and item not in alike]
    if no_trump and with_stuk:
        return {"why": "no_trump", "points": with_stuk[0]}
    if len(with_stuk) > 1:
        return {"why": "second_stuk"}
    if len(items) > _TRICKS:
        return {"why": "tricks", "count": len(items)}
    return {}


def _short_of_points(
    deal: Deal, points: Pair | None, regulation: Regulation, *, no_trump: bool
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
