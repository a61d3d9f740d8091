"""Totals handed in for a whole sheet, checked by the checksum of a boompje."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit import Actor
from clubs.errors import DomainError
from scoring.models import Scoresheet, SideTotal
from scoring.rules import SIDES, Side
from scoring.services.deals import require_open, sheet_lock, sheet_touch

CARD_POINTS, CARD_POINTS_NO_TRUMP = 162, 130


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What one side hands in: card points after nat, roem, number of pits, a correction."""

    points: int
    roem: int = 0
    pits: int = 0
    correction: int = 0


class TotalsRefused(DomainError):
    """The totals cannot be right: `faults` has per fault the side (or "") and a sentence."""

    def __init__(self, faults: list[tuple[str, str]]) -> None:
        super().__init__("totals_refused", _("These totals cannot be right. Nothing was written."))
        self.faults = faults


@transaction.atomic
def side_totals_write(
    *, sheet_id: int, totals: Mapping[Side, HandedIn], actor: Actor, reason: str = ""
) -> Scoresheet:
    """Write the totals of both sides in place of the sheet's deals.

    Raises TotalsRefused with everything that cannot be, and DomainError `sheet_closed` or
    `deals_written` when the sheet already has deals.
    """
    sheet = sheet_lock(sheet_id)
    require_open(sheet)
    if sheet.deals.filter(current__written__isnull=False).exists():
        raise DomainError(
            "deals_written", _("Deals were written on this sheet, so it adds up by itself.")
        )
    if faults := totals_faults(sheet, totals):
        raise TotalsRefused(faults)
    for side in SIDES:
        handed_in = totals[side]
        SideTotal.objects.update_or_create(
            sheet=sheet,
            side=side,
            defaults={
                "points": handed_in.points,
                "roem": handed_in.roem,
                "pits": handed_in.pits,
                "correction": handed_in.correction,
            },
        )
    data = {side: [t.points, t.roem, t.pits, t.correction] for side, t in totals.items()}
    sheet_touch(sheet, actor=actor, action="totals_written", data=data, texts={"reason": reason})
    return sheet


@transaction.atomic
def side_totals_clear(*, sheet_id: int, actor: Actor) -> Scoresheet:
    """Take the handed-in totals off the sheet, so that deals can be written."""
    sheet = sheet_lock(sheet_id)
    require_open(sheet)
    sheet.side_totals.all().delete()
    sheet_touch(sheet, actor=actor, action="totals_cleared")
    return sheet


def totals_faults(sheet: Scoresheet, totals: Mapping[Side, HandedIn]) -> list[tuple[str, str]]:
    """Everything that cannot be about these totals: what the checksum of a boompje shows.

    Both sides' card points add up to 162 for each deal (130 in no-trump, nothing for a nil that
    was made), and a side with a pit leaves the other none of that deal's points.
    """
    regulation, deals = sheet.regulation.rules, sheet.deals_planned
    faults: list[tuple[str, str]] = []
    for side in SIDES:
        other = totals["EW" if side == "NS" else "NS"]
        if totals[side].roem % 10:
            faults.append((side, _("Roem ends in a nought.")))
        if totals[side].points > CARD_POINTS * (deals - other.pits):
            faults.append((side, _("More card points than the deals can give.")))
    if totals["NS"].pits + totals["EW"].pits > deals:
        faults.append(("", _("More pits than deals.")))
    faults += _sum_faults(
        sum(totals[side].points for side in SIDES),
        deals * CARD_POINTS,
        exact=not regulation.no_trump and regulation.nil_bonus is None,
        least=0 if regulation.nil_bonus is not None else deals * CARD_POINTS_NO_TRUMP,
    )
    return faults


def _sum_faults(found: int, wanted: int, *, exact: bool, least: int) -> list[tuple[str, str]]:
    if found == wanted or (not exact and least <= found < wanted):
        return []
    sentence = _("The card points of both sides together are %(found)s; they should be %(wanted)s.")
    return [("", sentence % {"found": found, "wanted": wanted})]
