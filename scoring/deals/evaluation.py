"""What a line comes to on its sheet: the result, what refuses it, and what is unlikely about it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from django.utils.translation import gettext as _

from clubs.text.numbers import suit_name
from scoring import rules
from scoring.display.words import DealRefused
from scoring.models import Deal, Scoresheet
from scoring.rules import THREE, DealResult, Fault, chairs_taken
from scoring.rules.hands import find_hand_faults

Written = Mapping[str, object]


class Reads(IntEnum):
    """What the writer of a deal may be told of cards that were dealt beforehand."""

    NOTHING = 0
    """A table: only that they cannot give what is written, and of no cards but those it has."""
    WHETHER = 1
    """Somebody at the desk: only that they cannot give it."""
    WHY = 2
    """A director: what they give at least."""


def evaluated(
    sheet: Scoresheet, written: Written, deal: Deal | None = None, *, reads: Reads = Reads.NOTHING
) -> rules.DealResult:
    """The result of a deal on this sheet, and of what `deal` has cards for, by those. Raises
    DealRefused."""
    faults = seating_faults(sheet, written)
    try:
        result = rules.evaluate(written, sheet.regulation.rules)
    except rules.InvalidDeal as invalid:
        raise DealRefused(rules.InvalidDeal([*faults, *invalid.faults])) from invalid
    if deal is not None and deal.folder is not None and deal.folder.hands:
        faults += _hand_faults(sheet, deal, result, reads)
    if faults:
        raise DealRefused(rules.InvalidDeal(faults))
    return result


def _hand_faults(
    sheet: Scoresheet, deal: Deal, result: DealResult, reads: Reads
) -> Sequence[Fault]:
    """What the cards of the deal cannot give, as far as the writer may know: who tries scores must
    not learn from the answers what others hold, or what can be made of cards still to be played."""
    holders = deal.folder.hands if deal.folder else ""
    faults = find_hand_faults(result.deal, holders, sheet.regulation.rules)
    if not faults or reads == Reads.WHY:
        return faults
    if reads == Reads.NOTHING and not _is_in_hand(sheet, deal):
        return ()
    return [Fault("hands_cannot", "")]


def _is_in_hand(sheet: Scoresheet, deal: Deal) -> bool:
    """Whether the table plays this deal or has played it: everything before it is written."""
    earlier = Deal.objects.filter(sheet=sheet, number__lt=deal.number)
    return not earlier.filter(current__written__isnull=True).exists()


def seating_faults(sheet: Scoresheet, written: Written) -> list[Fault]:
    """What is wrong with the seats a line names. At a table of three one of the three must be the
    declarer, and the people must sit as `chairs_taken` has it."""
    if not sheet.three_handed:
        return []
    declarer = written.get("declarer")
    if declarer not in THREE:
        return [Fault("bad_value", "declarer", {"why": "not_of_three"})]
    seats, taken = written.get("seats"), chairs_taken(declarer)
    given = seats if isinstance(seats, list | tuple) else ()
    if len(given) != len(taken) or any(chair not in given for chair in taken):
        return [Fault("bad_value", "seats", {"why": "dummy_opposite"})]
    return []


@dataclass(frozen=True, slots=True)
class DealDoubt:
    """Something unlikely that the writer should check before saving."""

    code: str
    words: str


def sheet_doubts(sheet: Scoresheet, number: int, result: DealResult) -> tuple[DealDoubt, ...]:
    """What is unlikely about deal `number` on this sheet, in the reader's language."""
    return tuple(_doubts(sheet, number, result))


def first_trump_doubt(sheet: Scoresheet, number: int) -> DealDoubt | None:
    """The doubt for a deal with another trump suit than the evening's rules fix for the first deal;
    None where they fix nothing for this deal."""
    if number != 1 or not sheet.first_trump:
        return None
    words = _("In the first deal %(suit)s are trump. Is this right?")
    return DealDoubt("first_trump", words % {"suit": suit_name(sheet.first_trump)})


def _doubts(sheet: Scoresheet, number: int, result: DealResult) -> Iterator[DealDoubt]:
    doubt = first_trump_doubt(sheet, number)
    if doubt and result.deal.trump not in (None, sheet.first_trump):
        yield doubt
