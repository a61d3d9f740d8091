"""What lies on the tables: score sheets, cards with the table's code, table numbers, and cards
with the code to follow the evening."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.http.network import absolute_url, base_url
from clubs.models import Club
from clubs.text.numbers import seat_name
from scoring.models import Scoresheet
from scoring.pdf.head import Heading, PhoneCode, RoundPartners
from scoring.pdf.paper import INK, RULE, SOFT, Paper
from scoring.pdf.sheet import PaperSheet, SpareView, sheets_pdf
from scoring.rules import SEATS
from scoring.sheets.services import lines_needed, sheet_views
from tournaments.evenings.public_pages import evening_url
from tournaments.models import Evening, Round, Table
from tournaments.printing.draw_pdf import Four, RoundSeating, block_of, evening_seating, is_four
from tournaments.printing.page import MARGIN, club_logo
from tournaments.seating.store import sheet_rules
from tournaments.table_links.services import TableLink, pin_address

LATER_ROUND = 2
"""Any round but the first, whose first deal may have a trump of its own."""
SLIPS_A_PAGE = 4
SLIP_WIDTH = 250.0
QR_SIZE = 190.0
POSTER_QR_SIZE = 410.0
NUMBERS_A_PAGE = 2


def round_sheets_pdf(
    round_: Round,
    tables: Sequence[Table],
    *,
    links: Sequence[TableLink],
    filled: bool,
    halved: bool = False,
) -> bytes:
    """The sheets of these tables, `filled` or to write on; `halved` puts two on a page.

    `round_` is loaded with its evening and club, the tables with their sheet, regulation and club.
    A table without a link among `links` gets no code.
    """
    block = block_of(evening_seating(round_.evening), round_.number)
    views = sheet_views([table.sheet for table in tables])
    logo = club_logo(round_.evening.club)
    sheets = [
        PaperSheet(
            view,
            replace(_heading(round_, table.number, block, _of_table(table, links)), logo=logo),
            filled,
        )
        for table, view in zip(tables, views, strict=True)
    ]
    title = _("Score sheets of round %(n)s") % {"n": round_.number}
    return sheets_pdf(sheets, title=title, author=round_.evening.club.name, halved=halved)


def spare_sheets_pdf(evening: Evening, *, halved: bool = False) -> bytes:
    """A sheet without names by the rules of this evening, or two of them on a page; the evening's
    club and regulation are loaded."""
    regulation, target = evening.regulation, evening.target
    if regulation is None:
        raise ValueError("a sheet needs a regulation")
    sheet = Scoresheet(
        club=evening.club,
        regulation=regulation,
        deals_planned=lines_needed(target, regulation) if target else evening.deals_per_round,
        target=target,
        **sheet_rules(evening, LATER_ROUND),
    )
    heading = Heading(
        title=_("Table ___"),
        subtitle=_("Round ___"),
        occasion=_occasion(evening),
        logo=club_logo(evening.club),
    )
    spare = [PaperSheet(SpareView(sheet), heading)] * (2 if halved else 1)
    return sheets_pdf(spare, title=_("Spare sheet"), author=evening.club.name, halved=halved)


def _occasion(evening: Evening) -> str:
    return " · ".join(filter(None, [evening.name, date_format(evening.date, "l j F Y")]))


def _of_table(table: Table, links: Sequence[TableLink]) -> list[TableLink]:
    """The links on its sheet; a table of three has no sides, so one is enough."""
    own = [link for link in links if link.number == table.number]
    return [replace(own[0], side="")] if table.sheet.three_handed and own else own


def _heading(
    round_: Round, number: int, block: Sequence[RoundSeating], links: Sequence[TableLink]
) -> Heading:
    evening = round_.evening
    return Heading(
        title=_("Table %(n)s") % {"n": number},
        subtitle=_("Round %(n)s") % {"n": round_.number},
        occasion=_occasion(evening),
        codes=[PhoneCode(link.url, _scan_words(link)) for link in links],
        unscanned=_unscanned(evening.club, links) if links else "",
        partners=[_partners(seating, number, round_.number) for seating in block]
        if block[1:]
        else [],
    )


def _scan_words(link: TableLink) -> str:
    if not link.side:
        return _("scan: write on your phone")
    return _("%(side)s scan this one") % {"side": link.side_name}


def _unscanned(club: Club, links: Sequence[TableLink]) -> str:
    pins = ", ".join(f"{link.side_name} {link.pin}".strip() for link in links)
    return _("Without scanning: %(address)s, PIN %(pins)s") % {
        "address": pin_address(club),
        "pins": pins,
    }


def _partners(seating: RoundSeating, number: int, now: int) -> RoundPartners:
    four = seating.tables[number]
    sides = ("NS", "EW") if is_four(four) else ("NES", "")
    ns, ew = (_together(four, seats) for seats in sides)
    return RoundPartners(
        label=_("Round %(n)s") % {"n": seating.number},
        ns=ns,
        ew=ew,
        now=seating.number == now,
    )


def _together(four: Four, seats: str) -> str:
    """Who play together; where two of this table share their name, with what tells them apart."""
    names = Counter(member.name for member in four.values())
    together = [four[seat] for seat in SEATS if seat in seats and seat in four]
    return " – ".join(
        member.desk_name if names[member.name] > 1 else member.name for member in together
    )


class CardText(NamedTuple):
    """A centred line of text on a card, its baseline `down` points from the top."""

    down: float
    words: str
    size: float
    bold: bool = False


def slips_pdf(evening: Evening, links: Sequence[TableLink]) -> bytes:
    """A card (A6, four on a page) with number, QR code and PIN for each link, to cut out."""
    paper = Paper(_("Cards for the tables"), author=evening.club.name)
    _draw_slips(paper, [(link.url, _lines(evening, link)) for link in links])
    return paper.finish()


def _draw_slips(paper: Paper, cards: Sequence[tuple[str, Sequence[CardText]]]) -> None:
    """Draw pages of four cards, each with its QR code and its lines, to cut out."""
    width, height = paper.width / 2, paper.height / 2
    for start in range(0, len(cards), SLIPS_A_PAGE):
        paper.line(width, 0, width, paper.height, colour=RULE, dashes=(4, 4))
        paper.line(0, height, paper.width, height, colour=RULE, dashes=(4, 4))
        for place, (link, lines) in enumerate(cards[start : start + SLIPS_A_PAGE]):
            row, column = divmod(place, 2)
            middle, top = (column + 0.5) * width, paper.height - row * height
            _draw_lines(paper, middle, top, lines, SLIP_WIDTH)
            paper.qr(middle - QR_SIZE / 2, top - 120 - QR_SIZE, QR_SIZE, link)
        paper.next_page()


def _draw_lines(
    paper: Paper, middle: float, top: float, lines: Sequence[CardText], width: float
) -> None:
    for line in lines:
        paper.text(
            middle,
            top - line.down,
            line.words,
            size=line.size,
            bold=line.bold,
            align="centre",
            width=width,
            colour=INK if line.bold else SOFT,
        )


def _lines(evening: Evening, link: TableLink) -> list[CardText]:
    table = _("Table %(n)s") % {"n": link.number}
    address = pin_address(evening.club)
    return [
        *_occasion_lines(evening),
        CardText(108, " · ".join(filter(None, [table, link.side_name])), 48, bold=True),
        CardText(330, _("Scan this code with your phone"), 12, bold=True),
        CardText(346, _whose(link), 11),
        CardText(372, _("Not scanning? Go to %(address)s") % {"address": address}, 11),
        CardText(
            392, _("Table %(n)s, PIN %(pin)s") % {"n": link.number, "pin": link.pin}, 14, bold=True
        ),
    ]


def _whose(link: TableLink) -> str:
    """Who scans it: the printed draw shows compass seats, not "we" and "they"."""
    if not link.side:
        return _("and write the deals of this table.")
    seat, partner_seat = map(seat_name, link.side)
    return _("For the players in seats %(one)s and %(other)s.") % {
        "one": seat,
        "other": partner_seat,
    }


def numbers_pdf(evening: Evening, numbers: Sequence[int]) -> bytes:
    """A large number for each table, two on a page to fold or cut; `evening.club` is loaded."""
    paper = Paper(_("Numbers for the tables"), author=evening.club.name)
    logo, half, middle = club_logo(evening.club), paper.height / 2, paper.width / 2
    for start in range(0, len(numbers), NUMBERS_A_PAGE):
        paper.line(0, half, paper.width, half, colour=RULE, dashes=(4, 4))
        for place, number in enumerate(numbers[start : start + NUMBERS_A_PAGE]):
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


def follow_pdf(evening: Evening) -> bytes:
    """The code of the evening's page: a large one for the wall, and on a second page four small
    ones (A6) to lie on the tables; `evening.club` is loaded."""
    paper = Paper(_("Follow the standings"), author=evening.club.name)
    link = absolute_url(evening.club, evening_url(evening.club, evening.slug))
    _draw_poster(paper, evening, link)
    paper.next_page()
    _draw_slips(paper, [(link, _follow_lines(evening))] * SLIPS_A_PAGE)
    return paper.finish()


def _draw_poster(paper: Paper, evening: Evening, link: str) -> None:
    middle, top, width = paper.width / 2, paper.height, paper.width - 2 * MARGIN
    logo = club_logo(evening.club)
    beside = 2 * paper.logo(MARGIN, top - 36, logo, width=110, height=64) + 20 if logo else 0
    _draw_lines(paper, middle, top, _occasion_lines(evening, 1.5), width - beside)
    large = [
        CardText(180, _("Follow the standings"), 48, bold=True),
        CardText(660, _("Scan this code with your phone"), 26, bold=True),
        CardText(694, _("and see the standings, your table and your deals."), 18),
        CardText(740, _or_type(evening.club), 16),
    ]
    _draw_lines(paper, middle, top, large, width)
    paper.qr(middle - POSTER_QR_SIZE / 2, top - 206 - POSTER_QR_SIZE, POSTER_QR_SIZE, link)


def _follow_lines(evening: Evening) -> list[CardText]:
    return [
        *_occasion_lines(evening),
        CardText(102, _("Follow the standings"), 26, bold=True),
        CardText(330, _("Scan this code with your phone"), 12, bold=True),
        CardText(346, _("and see the standings, your table and your deals."), 11),
        CardText(380, _or_type(evening.club), 11),
    ]


def _or_type(club: Club) -> str:
    """An address short enough to type: the first page there leads on."""
    return _("Not scanning? Go to %(address)s") % {"address": base_url(club).partition("://")[2]}


def _occasion_lines(evening: Evening, scale: float = 1) -> list[CardText]:
    date = date_format(evening.date, "l j F Y")
    return [
        CardText(36 * scale, evening.club.name, 12 * scale),
        CardText(51 * scale, date, 10 * scale),
    ]
