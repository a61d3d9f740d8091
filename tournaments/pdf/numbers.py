"""A large number to stand on each table, two on a page, to fold or to cut."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from scoring.pdf.paper import RULE, SOFT, Paper
from tournaments.models import Evening
from tournaments.pdf.page import club_logo

A_PAGE = 2


def numbers_pdf(evening: Evening, numbers: Sequence[int]) -> bytes:
    """These numbers, to be read from across the hall; `evening` has its club at hand."""
    paper = Paper(_("Numbers for the tables"), author=evening.club.name)
    logo, half, middle = club_logo(evening.club), paper.height / 2, paper.width / 2
    for start in range(0, len(numbers), A_PAGE):
        paper.line(0, half, paper.width, half, colour=RULE, dashes=(4, 4))
        for place, number in enumerate(numbers[start : start + A_PAGE]):
            foot = half * (1 - place)
            paper.text(middle, foot + 340, _("table"), size=36, align="centre", colour=SOFT)
            paper.text(
                middle, foot + 110, str(number), size=260, bold=True, align="centre", width=480
            )
            paper.text(middle, foot + 40, evening.club.name, size=16, align="centre", width=380)
            if logo:
                paper.logo(40, foot + 84, logo, width=90, height=56)
        paper.next_page()
    return paper.finish()
