"""A card for each link of a table, A6, four on a page: its number, its QR code and its PIN."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.words import seat_name
from scoring.pdf import Paper
from scoring.pdf.paper import INK, RULE, SOFT
from tournaments.links import TableLink, pin_address
from tournaments.models import Evening

A_PAGE = 4
QR_SIZE = 190.0


class Line(NamedTuple):
    """Words in the middle of the card, their foot `down` points from its top."""

    down: float
    words: str
    size: float
    bold: bool = False


def slips_pdf(evening: Evening, links: Sequence[TableLink]) -> bytes:
    """The cards of these links, to cut along the dashed lines."""
    paper = Paper(_("Cards for the tables"), author=evening.club.name)
    width, height = paper.width / 2, paper.height / 2
    for start in range(0, len(links), A_PAGE):
        paper.line(width, 0, width, paper.height, colour=RULE, dashes=(4, 4))
        paper.line(0, height, paper.width, height, colour=RULE, dashes=(4, 4))
        for place, link in enumerate(links[start : start + A_PAGE]):
            row, column = divmod(place, 2)
            middle, top = (column + 0.5) * width, paper.height - row * height
            _draw_slip(paper, middle, top, link.url, _lines(evening, link))
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
    paper.qr(middle - QR_SIZE / 2, top - 120 - QR_SIZE, QR_SIZE, link)


def _lines(evening: Evening, link: TableLink) -> list[Line]:
    table = _("Table %(n)s") % {"n": link.number}
    address = pin_address(evening.club)
    return [
        Line(36, evening.club.name, 12),
        Line(51, date_format(evening.date, "l j F Y"), 10),
        Line(108, " · ".join(filter(None, [table, link.side_name])), 48, bold=True),
        Line(330, _("Scan this code with your phone"), 12, bold=True),
        Line(346, _whose(link), 11),
        Line(372, _("Not scanning? Go to %(address)s") % {"address": address}, 11),
        Line(
            392, _("Table %(n)s, PIN %(pin)s") % {"n": link.number, "pin": link.pin}, 14, bold=True
        ),
    ]


def _whose(link: TableLink) -> str:
    """Who scans it: a printed draw says where one sits, and not who are we and they."""
    if not link.side:
        return _("and write the deals of this table.")
    one, other = map(seat_name, link.side)
    return _("For who sits %(one)s or %(other)s.") % {"one": one, "other": other}
