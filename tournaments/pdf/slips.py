"""A card for each table, A6, four on a page: its number and the QR code of its link."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.pdf import Paper
from scoring.pdf.paper import INK, RULE, SOFT
from tournaments.models import Evening

A_PAGE = 4
QR_SIZE = 190.0


class Line(NamedTuple):
    """Words in the middle of the card, their foot `down` points from its top."""

    down: float
    words: str
    size: float
    bold: bool = False


def slips_pdf(evening: Evening, links: Mapping[int, str]) -> bytes:
    """The cards of these tables, to cut along the dashed lines; `links` by table number."""
    paper = Paper(_("Cards for the tables"), author=evening.club.name)
    width, height = paper.width / 2, paper.height / 2
    tables = sorted(links.items())
    for start in range(0, len(tables), A_PAGE):
        paper.line(width, 0, width, paper.height, colour=RULE, dashes=(4, 4))
        paper.line(0, height, paper.width, height, colour=RULE, dashes=(4, 4))
        for place, (number, link) in enumerate(tables[start : start + A_PAGE]):
            row, column = divmod(place, 2)
            middle, top = (column + 0.5) * width, paper.height - row * height
            _draw_slip(paper, middle, top, link, _lines(evening, number))
        paper.next_page()
    return paper.finish()


def _draw_slip(paper: Paper, middle: float, top: float, link: str, lines: Sequence[Line]) -> None:
    for line in lines:
        paper.text(
            middle,
            top - line.down,
            line.words,
            size=line.size,
            bold=line.bold,
            align="centre",
            width=250,
            colour=INK if line.bold else SOFT,
        )
    paper.qr(middle - QR_SIZE / 2, top - 130 - QR_SIZE, QR_SIZE, link)


def _lines(evening: Evening, number: int) -> list[Line]:
    return [
        Line(40, evening.club.name, 12),
        Line(56, date_format(evening.date, "l j F Y"), 10),
        Line(118, _("Table %(n)s") % {"n": number}, 54, bold=True),
        Line(340, _("Scan this code with your phone"), 12, bold=True),
        Line(357, _("and write the deals of this table."), 11),
    ]
