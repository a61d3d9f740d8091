"""Short ways to put a line of a sheet to the rules, in the words of the contract."""

from typing import Any

from scoring.rules import DealResult, InvalidDeal, evaluate, parse_regulation

PLAIN: dict[str, object] = {"declarer": "N", "trump": "H"}


def worked_out(regulation: object = "amsterdam", **deal: object) -> DealResult:
    """The result of a deal that N declares in hearts unless it says otherwise."""
    return evaluate({**PLAIN, **deal}, parse_regulation(regulation))


def score(regulation: object = "amsterdam", **deal: object) -> tuple[int, int]:
    """What NS and EW write."""
    written = worked_out(regulation, **deal).score
    return written["NS"], written["EW"]


def faults(regulation: object = "amsterdam", **deal: object) -> list[tuple[str, str]]:
    """Code and field of every fault, in order; empty for a deal that can be."""
    return faults_of({**PLAIN, **deal}, regulation)


def faults_of(deal: dict[str, Any], regulation: object = "amsterdam") -> list[tuple[str, str]]:
    """Code and field of every fault of exactly this deal."""
    try:
        evaluate(deal, parse_regulation(regulation))
    except InvalidDeal as error:
        return [(fault.code, fault.field) for fault in error.faults]
    return []
