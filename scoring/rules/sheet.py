"""Lines of a score sheet: those of three people at a table, and those of deals worked out.

With three at a table everybody plays alone: the declarer has the dummy opposite, against the other
two. A line of such a sheet is an ordinary line in which people are seated anew for each deal. An
entry says who declared and what the declarer and the others took: side NS is the declarer, EW the
other two, and a seat stands for a person.
"""

from collections.abc import Mapping
from typing import Any, Final

from scoring.rules.deal import SEATS, SIDES, Correction, Seat, Side, other_side, partner, side_of
from scoring.rules.score import DealResult

THREE: Final[tuple[Seat, ...]] = ("N", "E", "S")
"""The seats of the three people; West is left free, for the dummy or whoever makes room for it."""

TWO: Final[tuple[Seat, ...]] = ("N", "E")
"""The seats of two people at a table, one a side; nobody is opposite them."""

_CHAIRS: Final[Mapping[Seat, Mapping[Seat, Seat]]] = {
    declarer: {seat: "W" if seat == partner(declarer) else seat for seat in THREE}
    for declarer in THREE
}


def chairs_of(declarer: Seat) -> Mapping[Seat, Seat]:
    """On which chair each of the three sits in the deal that `declarer` plays: on their own, but
    whoever has the seat opposite moves to West, so that the dummy can lie there.

    >>> chairs_of("N"), chairs_of("E")["S"]
    ({'N': 'N', 'E': 'E', 'S': 'W'}, 'S')
    """
    return _CHAIRS[declarer]


def chairs_taken(declarer: Seat) -> list[Seat]:
    """The chairs with a person on them, in the order of SEATS: the contract's `seats`.

    >>> chairs_taken("S")
    ['E', 'S', 'W']
    """
    return [seat for seat in SEATS if seat in _CHAIRS[declarer].values()]


def sides_of(declarer: Seat) -> tuple[Side, Side]:
    """The side of who plays, and the other one."""
    own = side_of(declarer)
    return own, other_side(own)


def line_of_three(entry: Mapping[str, Any]) -> dict[str, Any]:
    """What three people enter of a deal as a line that `evaluate` reads; `entry["declarer"]` is
    one of THREE."""
    declarer = entry["declarer"]
    names: dict[Any, str] = dict(zip(SIDES, sides_of(declarer), strict=True))
    names.update(_CHAIRS[declarer])
    return {**_renamed(entry, names), "seats": chairs_taken(declarer)}


def entry_of_three(line: Mapping[str, Any]) -> dict[str, Any]:
    """What three people entered to come to such a line."""
    declarer = line["declarer"]
    names: dict[Any, str] = dict(zip(sides_of(declarer), SIDES, strict=True))
    names.update({chair: seat for seat, chair in _CHAIRS[declarer].items()})
    entry = _renamed(line, names)
    del entry["seats"]
    return entry


def _renamed(line: Mapping[str, Any], names: Mapping[Any, str]) -> dict[str, Any]:
    """The line with another name for each side and seat but the declarer's, which stays."""
    renamed = dict(line)
    for key in ("points", "roem"):
        if key in line:
            renamed[key] = {names[side]: figures for side, figures in line[key].items()}
    for key in ("pit", "reneged", "accused_wrongly_by", "dealer"):
        if line.get(key):
            renamed[key] = names[line[key]]
    if line.get("corrections"):
        renamed["corrections"] = [
            {key: names[value] if key in ("seat", "side") else value for key, value in one.items()}
            for one in line["corrections"]
        ]
    return renamed


_MARKS = ("pit", "nat", "reneged", "accused_wrongly_by", "nil", "replayed", "replays", "dealer")


def sheet_line(result: DealResult) -> dict[str, object]:
    """The object of the contract that a score sheet has for this deal.

    `evaluate` gives it the same score under the same regulation; a deal card by card has the points
    and the announced roem of both sides in it. What the deal says nothing of is left out.

    >>> from scoring.rules.lines import evaluate
    >>> from scoring.rules.regulation import RuleSet
    >>> deal = {"declarer": "N", "trump": "H", "points": {"EW": 65}, "roem": {"NS": [20]}}
    >>> sheet_line(evaluate(deal, RuleSet())) == deal
    True
    """
    deal = result.deal
    line: dict[str, object] = {"declarer": deal.declarer, "trump": deal.trump}
    if deal.points:
        line["points"] = dict(deal.points)
    if deal.roem:
        line["roem"] = {side: list(items) for side, items in deal.roem.items()}
    line |= {mark: getattr(deal, mark) for mark in _MARKS if getattr(deal, mark)}
    if deal.corrections:
        line["corrections"] = [_correction(correction) for correction in deal.corrections]
    if deal.seats != SEATS:
        line["seats"] = list(deal.seats)
    return line


def _correction(correction: Correction) -> dict[str, object]:
    whose = {"seat": correction.seat} if correction.seat else {"side": correction.side}
    return {**whose, "points": correction.points, "reason": correction.reason}
