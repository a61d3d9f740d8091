"""A row on a sheet to write on, in which the table works out whether it adds up."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from clubs.words import number
from scoring.models import Scoresheet
from scoring.pdf.layout import LEFT, RIGHT
from scoring.pdf.paper import Paper
from scoring.words import pit_word

SIZE = 10.0
GAP = 5.0
LONG, SHORT = 48.0, 30.0

Part = str | float
"""Words, or how wide a place to write in is."""


def can_be_checked(sheet: Scoresheet) -> bool:
    """Whether both sides together must come to a sum that is known before the round."""
    return sheet.target is None and not sheet.three_handed


def draw_check(paper: Paper, y: float, sheet: Scoresheet) -> None:
    """Draw the row, with its foot at `y`, from the left edge of the sheet on."""
    x = LEFT
    for part in _parts(sheet):
        if isinstance(part, str):
            x += paper.text(x, y, part, size=SIZE, bold=x == LEFT, width=RIGHT - x) + GAP
        else:
            paper.line(x, y - 2, x + part, y - 2)
            x += part + GAP


def _parts(sheet: Scoresheet) -> Iterator[Part]:
    """162 for each deal, the roem, the pits, what that is, and what we and they have together."""
    deals, bonus = sheet.deals_planned, sheet.regulation.rules.pit_bonus
    yield _("Check")
    yield f"{deals} × 162 = {number(deals * 162)}"
    yield _("+ roem")
    yield LONG
    if bonus:
        yield f"+ {bonus} ×"
        yield SHORT
        yield pit_word(sheet.club)
    yield "="
    yield LONG
    yield _("we + they")
    yield LONG
