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


def _doubts(sheet: Scoresheet, number: int, result: DealResult) -> Iterator[Doubt]:
    trump = result.deal.trump
    if number == 1 and sheet.first_trump and trump not in (None, sheet.first_trump):
        words = _("In the first deal %(suit)s are trump. Is this right?")
        yield Doubt("first_trump", words % {"suit": suit_name(sheet.first_trump)})
