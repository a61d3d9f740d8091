"""Totals handed in for a whole sheet instead of deals, with the check that they add up."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.text.errors import DomainError
from clubs.text.numbers import number
from scoring.deals.entries import require_open, sheet_lock, sheet_touch
from scoring.deals.totals import deals_handed_in, possible_sums, side_score, sums_of_three
from scoring.display.words import pit_word
from scoring.models import Scoresheet, SideTotal
from scoring.rules import NO_TRUMP_DEAL_POINTS, SIDES, TRUMP_DEAL_POINTS, RuleSet, other_side

LARGEST_CORRECTION = 10_000


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What one side, or one of three people, hands in: card points after nat, roem, number of pits,
    and a correction."""

    points: int
    roem: int = 0
    pits: int = 0
    correction: int = 0


class TotalsRefused(DomainError):
    """The totals cannot be right. Each of `faults` is a pair: the side or seat it is about (empty
    for the whole sheet), and a sentence."""

    def __init__(self, faults: list[tuple[str, str]]) -> None:
        super().__init__("totals_refused", _("These totals are not possible. Nothing was written."))
        self.faults = faults

    def field_errors(self) -> Iterator[tuple[str, str, str]]:
        """Every fault as a field, a code and a sentence."""
        for side, sentence in self.faults:
            yield f"totals.{side}" if side else "totals", self.code, sentence


@transaction.atomic
def side_totals_write(
    *, sheet_id: int, totals: Mapping[str, HandedIn], actor: Actor, reason: str = ""
) -> Scoresheet:
    """Write the totals of both sides, or of each of three people by seat, instead of deals.

    Raises TotalsRefused with everything that is impossible, and DomainError `sheet_gone`,
    `sheet_closed`, `sheet_not_started`, or `deals_written` when the sheet already has deals.
    """
    sheet = sheet_lock(sheet_id)
    require_open(sheet)
    if sheet.deals.filter(current__written__isnull=False).exists():
        raise DomainError(
            "deals_written", _("Deals were written on this sheet, so it adds up by itself.")
        )
    find_faults = totals_faults_of_three if sheet.three_handed else totals_faults
    if faults := find_faults(sheet, totals):
        raise TotalsRefused(faults)
    _put(sheet, totals)
    data: dict[str, object] = {side: asdict(total) for side, total in totals.items()}
    sheet_touch(sheet, actor=actor, action="totals_written", data=data, texts={"reason": reason})
    return sheet


@transaction.atomic
def side_totals_clear(*, sheet_id: int, actor: Actor, reason: str = "") -> Scoresheet:
    """Take the handed-in totals off the sheet, so that deals can be written."""
    sheet = sheet_lock(sheet_id)
    require_open(sheet)
    _put(sheet, {})
    sheet_touch(sheet, actor=actor, action="totals_cleared", texts={"reason": reason})
    return sheet


def totals_mirror(sheet: Scoresheet) -> None:
    """Swap what the two sides handed in; the sheet must be locked and is left to the caller."""
    handed_in = _handed_in(sheet)
    _put(sheet, {other_side(side): handed_in[side] for side in SIDES if side in handed_in})


def totals_exchange(first: Scoresheet, second: Scoresheet) -> None:
    """Exchange what was handed in on two sheets; both must be locked and are left to the caller."""
    contents = _handed_in(first), _handed_in(second)
    _put(first, contents[1])
    _put(second, contents[0])


def totals_faults(sheet: Scoresheet, totals: Mapping[str, HandedIn]) -> list[tuple[str, str]]:
    """Everything that is impossible about these totals.

    Both sides' card points add up to 162 for each deal (130 in no-trump, nothing for a nil that
    was made), and a side with a pit leaves the other none of that deal's points. Where a target
    ends the round, one of the sides must have reached it.
    """
    regulation = sheet.regulation.rules
    points = sum(totals[side].points for side in SIDES)
    deals = deals_handed_in(sheet, points)
    pit = pit_word(sheet.club)
    faults: list[tuple[str, str]] = [
        (side, sentence)
        for side in SIDES
        for sentence in _side_faults(totals[side], totals[other_side(side)], deals, regulation, pit)
    ]
    if totals["NS"].pits + totals["EW"].pits > deals:
        faults.append(("", _("More often %(pit)s than there are deals.") % {"pit": pit}))
    if wrong := totals_sum_fault(sheet, points):
        faults.append(("", wrong))
    if sheet.target and max(_score(totals[side], regulation) for side in SIDES) < sheet.target:
        sentence = _("Neither side has the %(points)s points that end a round.")
        faults.append(("", sentence % {"points": number(sheet.target)}))
    return faults


def totals_faults_of_three(
    sheet: Scoresheet, totals: Mapping[str, HandedIn]
) -> list[tuple[str, str]]:
    """Everything that is impossible about the totals of three people. Two of them score the same in
    each deal, so only limits are known for what they have together."""
    regulation, pit = sheet.regulation.rules, pit_word(sheet.club)
    points = sum(total.points for total in totals.values())
    deals = deals_handed_in(sheet, points)
    faults: list[tuple[str, str]] = [
        (seat, sentence)
        for seat, total in totals.items()
        for sentence in _side_faults(total, HandedIn(0), deals, regulation, pit)
    ]
    if max(total.pits for total in totals.values()) > deals:
        faults.append(("", _("More often %(pit)s than there are deals.") % {"pit": pit}))
    if wrong := totals_sum_fault(sheet, points):
        faults.append(("", wrong))
    if sheet.target and max(_score(total, regulation) for total in totals.values()) < sheet.target:
        sentence = _("Nobody has the %(points)s points that end a round.")
        faults.append(("", sentence % {"points": number(sheet.target)}))
    return faults


def totals_sum_fault(sheet: Scoresheet, points: int) -> str:
    """What is wrong with this sum of everybody's card points; empty where it is possible."""
    regulation, deals = sheet.regulation.rules, deals_handed_in(sheet, points)
    if not sheet.three_handed:
        fits = points in possible_sums(deals, regulation)
        return "" if fits else _wrong_sum(points, None if sheet.target else deals)
    sums = sums_of_three(deals, regulation)
    return "" if points in sums else _wrong_sum_of_three(points, sums)


def _score(total: HandedIn, regulation: RuleSet) -> int:
    return side_score(SideTotal(**asdict(total)), regulation.pit_bonus)


def _side_faults(
    own: HandedIn, other: HandedIn, deals: int, regulation: RuleSet, pit: str
) -> Iterator[str]:
    least = NO_TRUMP_DEAL_POINTS if regulation.no_trump else TRUMP_DEAL_POINTS
    if min(own.points, own.roem, own.pits) < 0:
        yield _("Points, roem and %(pit)s cannot be negative.") % {"pit": pit}
    if own.points > TRUMP_DEAL_POINTS * (deals - other.pits):
        yield _("More card points than the deals can give.")
    if own.pits > 0 and own.points < least * own.pits:
        yield _("Fewer card points than %(pit)s brings.") % {"pit": pit}
    if own.roem in (10, 30) or own.roem % 10:
        yield _("No roem adds up to %(n)s.") % {"n": own.roem}
    if own.roem > deals * most_roem(regulation):
        yield _("More roem than the deals can give.")
    if abs(own.correction) > LARGEST_CORRECTION:
        yield _("The correction is too large.")


def most_roem(regulation: RuleSet) -> int:
    """The most roem of any deal: four of a kind in each of its eight tricks."""
    return 7 * max(regulation.four_of_a_kind, 50) + max(regulation.four_jacks, 70)


def _wrong_sum(points: int, deals: int | None) -> str:
    if deals is None:
        return _(
            "The card points of both sides together are %(found)s; no number of deals gives that."
        ) % {"found": points}
    sentence = _("The card points of both sides together are %(found)s; they should be %(wanted)s.")
    return sentence % {"found": points, "wanted": deals * TRUMP_DEAL_POINTS}


def _wrong_sum_of_three(points: int, sums: range) -> str:
    sentence = _(
        "The card points of the three together are %(found)s; they should lie between %(least)s "
        "and %(most)s."
    )
    words = {"found": points, "least": sums[0], "most": sums[-1]}
    return sentence % {key: number(value) for key, value in words.items()}


def _handed_in(sheet: Scoresheet) -> dict[str, HandedIn]:
    return {
        row.side: HandedIn(row.points, row.roem, row.pits, row.correction)
        for row in sheet.side_totals.order_by("pk")
    }


def _put(sheet: Scoresheet, totals: Mapping[str, HandedIn]) -> None:
    sheet.side_totals.all().delete()
    SideTotal.objects.bulk_create(
        SideTotal(sheet=sheet, side=side, **asdict(total)) for side, total in totals.items()
    )
