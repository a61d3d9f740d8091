"""Each table with its people, and who partners whom in each round."""

from collections.abc import Sequence
from math import ceil

from django.utils.translation import gettext as _

from clubs.models import Club
from clubs.words import SEAT_NAMES
from scoring.pdf.paper import SHADE, SOFT, Paper
from scoring.rules import SEATS, SIDES, Seat, side_of
from scoring.words import short_names
from tournaments.pdf.page import MARGIN, in_pages
from tournaments.pdf.seating import Four, RoundSeating, is_three

Block = Sequence[RoundSeating]

COLUMNS = 2
CARD_WIDTH, GUTTER = 250.0, 15.0
NAME_LEADING, PAIR_LEADING = 17.0, 12.0
NUMBER_WIDTH = 58.0
LARGEST_SCALE = 1.4


def table_pages(block: Block, room: float) -> list[Sequence[int]]:
    """The numbers of the tables on each page."""
    most = COLUMNS * int(room // _card_height(block))
    return in_pages(sorted(block[0].tables), most, beside=COLUMNS)


def draw_tables(
    paper: Paper, top: float, block: Block, numbers: Sequence[int], room: float
) -> None:
    """Draw the cards of these tables, two beside each other, as large as there is room for."""
    rows = ceil(len(numbers) / COLUMNS)
    scale = min(LARGEST_SCALE, room / (rows * _card_height(block)))
    height = _card_height(block) * scale
    for index, number in enumerate(numbers):
        row, column = divmod(index, COLUMNS)
        x, y = MARGIN + column * (CARD_WIDTH + GUTTER), top - (row + 1) * height
        _draw_card(paper, x, y, number=number, block=block, scale=scale)


def sit_out_words(club: Club, block: Block) -> str:
    """Who sits out these rounds, as one line; empty when nobody does."""
    names = sorted({who.hall_name for one in block for who in one.out})
    if not names:
        return ""
    words = {"sit_out": club.get_sit_out_word_display(), "names": ", ".join(names)}
    return _("%(sit_out)s: %(names)s") % words


def _card_height(block: Block) -> float:
    pairs = len(block) * PAIR_LEADING + 6 if len(block) > 1 else 0
    return len(SEATS) * NAME_LEADING + pairs + 24


def _draw_card(
    paper: Paper, x: float, y: float, *, number: int, block: Block, scale: float
) -> None:
    height = (_card_height(block) - 10) * scale
    paper.box(x, y, NUMBER_WIDTH, height, fill=SHADE)
    paper.box(x, y, CARD_WIDTH, height, thick=1)
    _draw_number(paper, x + NUMBER_WIDTH / 2, y + height, number)
    start, right = x + NUMBER_WIDTH + 8, x + CARD_WIDTH - 6
    four = block[0].tables[number]
    for index, (seat, who) in enumerate(_in_order(four)):
        foot = y + height - (18 + index * NAME_LEADING) * scale
        name_x = start + 36
        paper.text(start, foot, str(SEAT_NAMES[seat]), size=8, width=34, colour=SOFT)
        paper.text(name_x, foot, who, size=13 * scale, bold=True, width=right - name_x, smallest=8)
    if is_three(four):
        foot = y + height - (18 + len(four) * NAME_LEADING) * scale
        paper.text(start + 36, foot, _("with a dummy"), size=11 * scale, colour=SOFT)
        return
    for index, one in enumerate(reversed(block) if len(block) > 1 else ()):
        foot, words = y + (7 + index * PAIR_LEADING) * scale, _pairs(one.tables[number])
        paper.text(start, foot, str(one.number), size=9, bold=True)
        paper.text(start + 12, foot, words, size=9 * scale, width=right - start - 12, smallest=6)


def _draw_number(paper: Paper, middle: float, top: float, number: int) -> None:
    width = NUMBER_WIDTH - 8
    paper.text(middle, top - 18, _("table"), size=9, align="centre", width=width, colour=SOFT)
    paper.text(middle, top - 54, str(number), size=34, bold=True, align="centre", width=width)


def _in_order(four: Four) -> list[tuple[Seat, str]]:
    return [(seat, four[seat].hall_name) for seat in SEATS if seat in four]


def _pairs(four: Four) -> str:
    names = short_names(dict(_in_order(four)))
    ns, ew = (
        " – ".join(name for seat, name in names.items() if side_of(seat) == side) for side in SIDES
    )
    return _("%(ns)s against %(ew)s") % {"ns": ns, "ew": ew}
