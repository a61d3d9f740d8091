"""A deal that was worked out, as a line of a score sheet again."""

from scoring.rules.deal import Correction
from scoring.rules.result import DealResult
from scoring.rules.seats import SEATS

_MARKS = ("pit", "nat", "reneged", "accused_wrongly_by", "nil", "replayed", "dealer")


def sheet_line(result: DealResult) -> dict[str, object]:
    """The object of the contract that a score sheet has for this deal.

    `evaluate` gives it the same score under the same regulation; a deal card by card has the points
    and the announced roem of both sides in it. What the deal says nothing of is left out.

    >>> from scoring.rules.lines import evaluate
    >>> from scoring.rules.regulation import Regulation
    >>> deal = {"declarer": "N", "trump": "H", "points": {"EW": 65}, "roem": {"NS": [20]}}
    >>> sheet_line(evaluate(deal, Regulation())) == deal
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
