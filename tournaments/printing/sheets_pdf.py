"""What lies on the tables: score sheets, cards with the table's code, and table numbers; and the
code for the wall with which the hall follows the standing."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import urlsplit

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.http.network import absolute_url
from clubs.models import Club, ClubLogo
from clubs.models.club import PaperSheet
from scoring.display.words import short_names
from scoring.models import Scoresheet
from scoring.pdf.head import Heading, PhoneCode, RoundPartners
from scoring.pdf.paper import FELT, INK, ON_FELT, RULE, SOFT, WHITE, WOOD, Colour, Paper
from scoring.pdf.reading_sheet import ReadableSheet, readable_sheets_pdf, sheet_form
from scoring.pdf.sheet import PaperSheet as WritingSheet
from scoring.pdf.sheet import SpareView, sheets_pdf
from scoring.reading.layout import layouts_of
from scoring.rules import SEATS, SIDES
from scoring.sheets.services import sheet_views
from tournaments.evenings.pages import evening_page_url
from tournaments.models import Evening, Table
from tournaments.printing.draw_pdf import Four, RoundSeating, block_of, evening_seating, is_four
from tournaments.printing.page import club_logo, draw_suits
from tournaments.seating.store import page_code, spare_sheet
from tournaments.table_links.services import TableLink, pin_address

SLIPS_A_PAGE = 4
QR_SIZE = 186.0
BAND, TITLE_DOWN, LOGO_ROOM = 96.0, 82.0, 56.0
NUMBERS_A_PAGE = 2


def evening_sheets_pdf(
    evening: Evening,
    tables: Sequence[Table],
    *,
    links: Sequence[TableLink],
    filled: bool,
    halved: bool = False,
) -> bytes:
    """The sheets of these tables of one or more rounds, `filled` or to write on; `halved` puts two
    on a page.

    `evening.club` is loaded, the tables with their round, sheet, regulation and club. A table
    without a link among `links` gets no code.
    """
    seating = evening_seating(evening)
    numbers = dict.fromkeys(table.round.number for table in tables)
    blocks = {number: block_of(seating, number) for number in numbers}
    views = sheet_views([table.sheet for table in tables])
    logo = club_logo(evening.club)
    sheets = [
        WritingSheet(
            view,
            replace(
                _heading(evening, table, blocks[table.round.number], _of_table(table, links)),
                logo=logo,
            ),
            filled,
            plays_off=_plays_off(evening, table.sheet),
        )
        for table, view in zip(tables, views, strict=True)
    ]
    return sheets_pdf(sheets, title=_title_of(blocks), author=evening.club.name, halved=halved)


def _title_of(rounds: Collection[int]) -> str:
    """The title of the sheets of these rounds."""
    if len(rounds) == 1:
        return _("Score sheets of round %(n)s") % {"n": next(iter(rounds))}
    return _("Score sheets")


def can_be_read(tables: Sequence[Table]) -> bool:
    """Whether the sheet for reading has a box for all that is written at these tables."""
    return all(is_readable(table.sheet) for table in tables)


def is_readable(sheet: Scoresheet) -> bool:
    """Whether the sheet for reading has a box for all that is written on this one."""
    rules = sheet.regulation.rules
    return rules.game == "klaverjas" and not rules.asks_bid and not sheet.two_handed


def readable_pdf(
    evening: Evening,
    tables: Sequence[Table],
    *,
    links: Sequence[TableLink],
    halved: bool = False,
) -> bytes:
    """The sheets of these tables, to write on and then to read from a photograph; what is loaded is
    as `evening_sheets_pdf` has it, and so is `halved`."""
    seating, logo = evening_seating(evening), club_logo(evening.club)
    numbers = dict.fromkeys(table.round.number for table in tables)
    blocks = {number: block_of(seating, number) for number in numbers}
    views = sheet_views([table.sheet for table in tables])
    sheets = [
        ReadableSheet(
            view,
            replace(
                _heading(evening, table, blocks[table.round.number], _of_table(table, links)),
                logo=logo,
            ),
            _codes(table.sheet, evening, halved=halved),
        )
        for table, view in zip(tables, views, strict=True)
    ]
    title, author = _title_of(numbers), evening.club.name
    return readable_sheets_pdf(sheets, title=title, author=author, compact=halved)


def spare_sheets_pdf(evening: Evening, *, halved: bool = False, three: bool = False) -> bytes:
    """A sheet without names by the rules of this evening, or two of them on a page, for a table of
    four or of `three`; the evening's club and regulation are loaded. It can be read from a
    photograph where the club prints such sheets."""
    sheet = spare_sheet(evening, three=three)
    if sheet is None:
        raise ValueError("a sheet needs a regulation")
    view, title, author = SpareView(sheet), _("Spare sheet"), evening.club.name
    heading = Heading(
        title=_("Table ___"),
        subtitle=_("Round ___"),
        occasion=_occasion(evening),
        logo=club_logo(evening.club),
    )
    copies = 2 if halved else 1
    if evening.club.paper_sheet == PaperSheet.READING and is_readable(sheet):
        codes = _codes(sheet, evening, halved=halved)
        readable = ReadableSheet(view, replace(heading, title=title, subtitle=""), codes)
        return readable_sheets_pdf([readable] * copies, title=title, author=author, compact=halved)
    spare = [WritingSheet(view, heading, plays_off=_plays_off(evening, sheet))]
    return sheets_pdf(spare * copies, title=title, author=author, halved=halved)


def _codes(sheet: Scoresheet, evening: Evening, *, halved: bool) -> list[str]:
    """The code of each page of a sheet for reading."""
    pages = layouts_of(sheet_form(sheet)._replace(compact=halved))
    return [page_code(sheet, page.page, evening, compact=halved) for page in pages]


def _plays_off(evening: Evening, sheet: Scoresheet) -> bool:
    """Whether a match on this sheet that ends equal is decided by four more deals."""
    is_ours = sheet.regulation.rules.game == "klaverjas"
    return evening.match_play_off and is_ours and len(sheet.people) == len(SEATS)


def _occasion(evening: Evening) -> str:
    return " · ".join(filter(None, [evening.name, date_format(evening.date, "l j F Y")]))


def _of_table(table: Table, links: Sequence[TableLink]) -> list[TableLink]:
    """The links on its sheet; a table of three has no sides, so one is enough."""
    own = [link for link in links if link.number == table.number]
    return [replace(own[0], side="")] if table.sheet.three_handed and own else own


def _heading(
    evening: Evening, table: Table, block: Sequence[RoundSeating], links: Sequence[TableLink]
) -> Heading:
    return Heading(
        title=_("Table %(n)s") % {"n": table.number},
        subtitle=_("Round %(n)s") % {"n": table.round.number},
        occasion=_occasion(evening),
        codes=[PhoneCode(link.url, _scan_words(link)) for link in links],
        unscanned=_unscanned(evening.club, links) if links else "",
        partners=[_partners(seating, table, now=table.round.number) for seating in block]
        if block[1:]
        else [],
    )


def _scan_words(link: TableLink) -> str:
    if not link.side:
        return _("write on your phone")
    return _("%(colour)s: scan this one") % {"colour": link.colour}


def _unscanned(club: Club, links: Sequence[TableLink]) -> str:
    pins = ", ".join(f"{link.colour} {link.pin}".strip() for link in links)
    return _("Without scanning: %(address)s, PIN %(pins)s") % {
        "address": pin_address(club),
        "pins": pins,
    }


def _partners(seating: RoundSeating, table: Table, *, now: int) -> RoundPartners:
    """Who plays with whom, by first name where that tells them apart: the full names stand above
    it."""
    four = seating.tables[table.number]
    sides = ("NS", "EW") if is_four(four) else ("NES", "")
    ns, ew = (_together(four, seats) for seats in sides)
    return RoundPartners(
        label=_("Round %(n)s") % {"n": seating.number},
        ns=ns,
        ew=ew,
        now=seating.number == now,
    )


def _together(four: Four, seats: str) -> str:
    alike = Counter(member.name for member in four.values())
    names = short_names(
        {
            seat: member.desk_name if alike[member.name] > 1 else member.name
            for seat, member in four.items()
        }
    )
    return " – ".join(names[seat] for seat in SEATS if seat in seats and seat in four)


class Card(NamedTuple):
    """A card of A6: a band with a title, a code, and the words around it. `colour` is that of the
    band."""

    title: str
    link: str
    do: str
    then: str
    otherwise: str
    pin: str = ""
    colour: Colour = FELT


def slips_pdf(evening: Evening, links: Sequence[TableLink]) -> bytes:
    """A card (A6, four on a page) with number, QR code and PIN for each link, to cut out; what is
    left of the last page has the code to follow the standing. A query if the club has a logo."""
    paper = Paper(_("Cards for the tables"), author=evening.club.name)
    cards = [_table_card(evening, link) for link in links]
    cards += [follow_card(evening)] * (-len(cards) % SLIPS_A_PAGE)
    _draw_cards(paper, evening, cards)
    return paper.finish()


def _draw_cards(paper: Paper, evening: Evening, cards: Sequence[Card]) -> None:
    """Draw pages of four cards, to cut out. A query if the club has a logo."""
    logo, width, height = club_logo(evening.club), paper.width / 2, paper.height / 2
    for start in range(0, len(cards), SLIPS_A_PAGE):
        for place, card in enumerate(cards[start : start + SLIPS_A_PAGE]):
            row, column = divmod(place, 2)
            corner = column * width, paper.height - (row + 1) * height
            _draw_card(paper, corner, card, evening=evening, logo=logo)
        paper.line(width, 0, width, paper.height, colour=RULE, dashes=(4, 4))
        paper.line(0, height, paper.width, height, colour=RULE, dashes=(4, 4))
        paper.next_page()


def _table_card(evening: Evening, link: TableLink) -> Card:
    table = _("Table %(n)s") % {"n": link.number}
    address = pin_address(evening.club)
    return Card(
        title=" · ".join(filter(None, [table, link.colour])),
        link=link.url,
        do=_("Scan this code with your phone"),
        then=_whose(link),
        otherwise=_("Not scanning? Go to %(address)s") % {"address": address},
        pin=_("Table %(n)s, PIN %(pin)s") % {"n": link.number, "pin": link.pin},
        colour=WOOD if link.side == SIDES[1] else FELT,
    )


def _whose(link: TableLink) -> str:
    if not link.side:
        return _("and write the deals of this table.")
    return _("For the two in the %(colour)s box of the score sheet.") % {"colour": link.colour}


def follow_card(evening: Evening) -> Card:
    """The code with which everybody in the hall follows the evening; `evening.club` is loaded."""
    url = absolute_url(evening.club, evening_page_url(evening.club, evening.slug))
    shown = urlsplit(url)
    return Card(
        title=_("Follow the standings"),
        link=url,
        do=_("Scan this code with your phone"),
        then=_("Standing, tables and result, all evening."),
        otherwise=f"{shown.netloc}{shown.path.rstrip('/')}",
    )


def follow_pdf(evening: Evening) -> bytes:
    """The code to follow the evening: a page for the wall, then four cards. Takes an evening whose
    club is loaded."""
    card, logo = follow_card(evening), club_logo(evening.club)
    paper = Paper(card.title, author=evening.club.name)
    middle, room = paper.width / 2, paper.width - 100
    paper.box(0, paper.height - 190, paper.width, 190, fill=FELT)
    if logo:
        _draw_plate(paper, 34, paper.height - 26, logo, width=126, height=66)
    lines = [
        (66.0, evening.club.name, 20.0, False, ON_FELT),
        (152.0, card.title, 50.0, True, ON_FELT),
        (262.0, card.do, 24.0, True, INK),
        (708.0, card.then, 20.0, False, INK),
        (744.0, card.otherwise, 14.0, False, SOFT),
        (766.0, _occasion(evening), 14.0, False, SOFT),
    ]
    for down, words, size, bold, colour in lines:
        y = paper.height - down
        paper.text(
            middle,
            y,
            words,
            size=size,
            bold=bold,
            heading=size == 50,
            align="centre",
            width=room - (240 if down == 66 else 0),
            colour=colour,
        )
    paper.qr(middle - 200, paper.height - 680, 400, card.link)
    draw_suits(paper, middle, paper.height - 806, size=22)
    paper.next_page()
    _draw_cards(paper, evening, [card] * SLIPS_A_PAGE)
    return paper.finish()


def _draw_card(
    paper: Paper,
    corner: tuple[float, float],
    card: Card,
    *,
    evening: Evening,
    logo: ClubLogo | None,
) -> None:
    """Draw a quarter of a page from its lower left corner."""
    width, height = paper.width / 2, paper.height / 2
    x, top = corner[0], corner[1] + height
    middle = x + width / 2
    paper.box(x, top - BAND, width, BAND, fill=card.colour)
    beside = LOGO_ROOM if logo else 0.0
    for line in _card_lines(evening, card):
        aside = beside if line.down < TITLE_DOWN else 0
        paper.text(
            middle + aside / 2,
            top - line.down,
            line.words,
            size=line.size,
            bold=line.bold,
            heading=line.heading,
            align="centre",
            width=width - 40 - aside,
            colour=line.colour,
        )
    if logo:
        _draw_plate(paper, x + 14, top - 10, logo, width=58, height=32)
    paper.qr(middle - QR_SIZE / 2, top - BAND - 8 - QR_SIZE, QR_SIZE, card.link)


def _draw_plate(
    paper: Paper, x: float, top: float, logo: ClubLogo, *, width: float, height: float
) -> None:
    """Draw the logo on a white plate that fits it, since the band is dark."""
    edge = height / 9
    scale = min((width - 2 * edge) / logo.width, (height - 2 * edge) / logo.height)
    wide, high = logo.width * scale, logo.height * scale
    foot = top - high - 2 * edge
    paper.box(x, foot, wide + 2 * edge, high + 2 * edge, fill=WHITE, round_=edge)
    paper.logo(x + edge, top - edge, logo, width=wide, height=high)


class CardLine(NamedTuple):
    """A centred line of text on a card, its baseline `down` points from the top."""

    down: float
    words: str
    size: float
    colour: Colour = INK
    bold: bool = False
    heading: bool = False


def _card_lines(evening: Evening, card: Card) -> Iterator[CardLine]:
    yield CardLine(24, evening.club.name, 12, ON_FELT)
    yield CardLine(38, date_format(evening.date, "l j F Y"), 10, ON_FELT)
    yield CardLine(TITLE_DOWN, card.title, 42 if card.pin else 30, ON_FELT, heading=True)
    yield CardLine(308, card.do, 13, bold=True)
    yield CardLine(326, card.then, 12)
    yield CardLine(352, card.otherwise, 12, SOFT)
    yield CardLine(376, card.pin, 17, bold=True)


def numbers_pdf(evening: Evening, numbers: Sequence[int]) -> bytes:
    """A large number for each table, two on a page to fold or cut; `evening.club` is loaded."""
    paper = Paper(_("Numbers for the tables"), author=evening.club.name)
    logo, half, middle = club_logo(evening.club), paper.height / 2, paper.width / 2
    for start in range(0, len(numbers), NUMBERS_A_PAGE):
        paper.line(0, half, paper.width, half, colour=RULE, dashes=(4, 4))
        for place, number in enumerate(numbers[start : start + NUMBERS_A_PAGE]):
            foot = half * (1 - place)
            paper.text(middle, foot + 346, _("table"), size=36, align="centre", colour=SOFT)
            paper.text(
                middle,
                foot + 112,
                str(number),
                size=260,
                heading=True,
                align="centre",
                width=480,
                colour=FELT,
            )
            draw_suits(paper, middle, foot + 62, size=22)
            paper.text(middle, foot + 32, evening.club.name, size=16, align="centre", width=380)
            if logo:
                paper.logo(40, foot + 84, logo, width=90, height=56)
        paper.next_page()
    return paper.finish()
