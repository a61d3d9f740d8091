"""What is unlikely on this sheet, though the game allows it."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from clubs.words import suit_name
from scoring.models import Scoresheet
from scoring.rules import DealResult


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something to look at once more before it is written."""

    code: str
    words: str


def sheet_doubts(sheet: Scoresheet, number: int, result: DealResult) -> tuple[Doubt, ...]:
    """What is unlikely about deal `number` on this sheet, in the reader's language."""
    return tuple(_doubts(sheet, number, result))


def first_trump_doubt(sheet: Scoresheet, number: int) -> Doubt | None:
    """What to ask where another suit than the evening's rules say is trump in the first deal; None
    where they say nothing of this deal."""
    if number != 1 or not sheet.first_trump:
        return None
    words = _("In the first deal %(suit)s are trump. Is this right?")
    return Doubt("first_trump", words % {"suit": suit_name(sheet.first_trump)})


def _doubts(sheet: Scoresheet, number: int, result: DealResult) -> Iterator[Doubt]:
    doubt = first_trump_doubt(sheet, number)
    if doubt and result.deal.trump not in (None, sheet.first_trump):
        yield doubt
