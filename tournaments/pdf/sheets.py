"""The score sheets of a round."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.models import Club
from scoring.models import Scoresheet
from scoring.pdf import (
    Heading,
    PaperSheet,
    Partners,
    PhoneCode,
    SpareView,
    sheet_views,
    sheets_pdf,
)
from scoring.rules import SEATS
from scoring.services.sheets import lines_needed
from tournaments.links import TableLink, pin_address
from tournaments.models import Evening, Round, Table
from tournaments.pdf.page import club_logo
from tournaments.pdf.seating import Four, RoundSeating, block_of, evening_seating, is_four
from tournaments.services.evening_rules import sheet_rules

LATER_ROUND = 2
"""Any but the first, whose first deal may have a trump of its own."""


def round_sheets_pdf(
    round_: Round,
    tables: Sequence[Table],
    *,
    links: Sequence[TableLink],
    filled: bool,
    halved: bool = False,
) -> bytes:
    """A page or more for each of these tables of the round, `filled` or to write on; `halved` has
    two tables on a page.

    `round_` has its evening and club at hand, the tables their sheet with regulation and club.
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
    """A sheet by the rules of this evening without any names, or two of them on a page; the evening
    has its club and a regulation at hand."""
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
    """The links that stand on its sheet: of three people none is we or they, so one is enough."""
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
        partners=[_partners(one, number, round_.number) for one in block] if block[1:] else [],
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


def _partners(seating: RoundSeating, number: int, now: int) -> Partners:
    four = seating.tables[number]
    sides = ("NS", "EW") if is_four(four) else ("NES", "")
    ns, ew = (_together(four, seats) for seats in sides)
    return Partners(
        label=_("Round %(n)s") % {"n": seating.number},
        ns=ns,
        ew=ew,
        now=seating.number == now,
    )


def _together(four: Four, seats: str) -> str:
    return " – ".join(four[seat].name for seat in SEATS if seat in seats and seat in four)
