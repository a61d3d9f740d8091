"""The bottom of a score sheet: how to write it, or what came of it, and who agrees."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from scoring.pdf.check_row import can_be_checked, draw_check
from scoring.pdf.checksum import checksum
from scoring.pdf.layout import BOTTOM, LEFT, RIGHT, WIDTH
from scoring.pdf.legend import check_rule, legend
from scoring.pdf.paper import INK, SOFT, Colour, Paper
from scoring.pdf.remarks import agreement, signatory
from scoring.pdf.typeface import REGULAR, composed, wrap
from scoring.sheet_view import SheetView

SIZE, LEADING = 8.6, 11.2
SIGN_HEIGHT = 34.0
GAP = 11.0


def lines_of(sentences: Sequence[str]) -> list[str]:
    """Sentences as lines that fit the width of the sheet."""
    return [line for words in sentences for line in wrap(composed(words), REGULAR, SIZE, WIDTH)]


def foot_lines(view: SheetView, *, filled: bool) -> list[str]:
    """What stands under the totals of every page, the check first; nothing in its place where a
    row is left to work it out in."""
    if filled:
        return lines_of([checksum(view)])
    if can_be_checked(view.sheet):
        return ["", *lines_of(legend(view.sheet))]
    return lines_of([check_rule(view.sheet), *legend(view.sheet)])


def foot_height(lines: int) -> float:
    """How much of the page so many lines and the place to sign take, in points."""
    return GAP + lines * LEADING + SIGN_HEIGHT


def draw_foot(
    paper: Paper, top: float, view: SheetView, lines: Sequence[str], *, filled: bool
) -> None:
    """Draw the lines from `top` down, the check first and the legend soft, and at the foot of the
    page the place to sign."""
    below = top - GAP - LEADING
    if not filled and can_be_checked(view.sheet):
        draw_check(paper, below + 4, view.sheet)
        below -= 5
    draw_lines(paper, top - GAP, lines[:1])
    draw_lines(paper, below, lines[1:], colour=INK if filled else SOFT)
    _draw_signatures(paper, view, filled=filled)


def draw_lines(paper: Paper, top: float, lines: Sequence[str], *, colour: Colour = INK) -> None:
    """Small print from `top` down."""
    for index, words in enumerate(lines):
        foot = top - (index + 1) * LEADING + 3
        paper.text(LEFT, foot, words, size=SIZE, width=WIDTH, colour=colour)


def _draw_signatures(paper: Paper, view: SheetView, *, filled: bool) -> None:
    sides = view.sheet.signatories
    labels = [(signatory(view, side), agreement(view, side) if filled else "") for side in sides]
    if not (filled and view.people):
        labels.append((_("scorekeeper"), ""))
    width = (RIGHT - LEFT) / len(labels)
    for column, (label, agreed) in enumerate(labels):
        x = LEFT + column * width
        words = _("Agreed, %(who)s:") % {"who": label}
        start = x + paper.text(x, BOTTOM + 8, words, size=9) + 6
        if agreed:
            paper.text(start, BOTTOM + 8, agreed, size=9, bold=True, width=x + width - start - 8)
        else:
            paper.line(start, BOTTOM + 5, x + width - 12, BOTTOM + 5)
