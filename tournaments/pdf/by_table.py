"""Each table with its people, and who partners whom in each round."""

from collections.abc import Sequence
from math import ceil

from django.utils.translation import gettext as _

from clubs.models import Club
from clubs.templatetags.ui import SEAT_NAMES
from scoring.pdf.paper import SHADE, SOFT, Paper
from scoring.rules import SEATS, SIDES, Seat, side_of
from scoring.words import short_names
from tournaments.pdf.page import MARGIN
from tournaments.pdf.seating import Four, RoundSeating

Block = Sequence[RoundSeating]

COLUMNS = 2
GUTTER = 16.0
NAME_LEADING, PAIR_LEADING = 17.0, 12.0
NUMBER_WIDTH = 58.0


def table_pages(block: Block, room: float) -> list[list[int]]:
    """The numbers of the tables on each page."""
    numbers = sorted(block[0].tables)
    most = COLUMNS * int(room // _card_height(block))
    pages = max(1, ceil(len(numbers) / most))
    size = ceil(len(numbers) / pages / COLUMNS) * COLUMNS
    return [numbers[start : start + size] for start in range(0, len(numbers), size)]


def draw_tables(paper: Paper, top: float, block: Block, numbers: Sequence[int]) -> None:
    """Draw the cards of these tables, two beside each other."""
    height = _card_height(block)
    width = (paper.width - 2 * MARGIN - GUTTER) / COLUMNS
    for index, number in enumerate(numbers):
        row, column = divmod(index, COLUMNS)
        x = MARGIN + column * (width + GUTTER)
        y, size = top - (row + 1) * height, (width, height - 10)
        _draw_card(paper, x, y, number=number, size=size, block=block)


def sit_out_words(club: Club, block: Block) -> str:
    """Who sits out these rounds, as one line; empty when nobody does."""
    names = sorted({who.shown_name for one in block for who in one.out})
    if not names:
        return ""
    words = {"sit_out": club.get_sit_out_word_display(), "names": ", ".join(names)}
    return _("%(sit_out)s: %(names)s") % words


def _card_height(block: Block) -> float:
    pairs = len(block) * PAIR_LEADING + 6 if len(block) > 1 else 0
    return len(SEATS) * NAME_LEADING + pairs + 24


def _draw_card(
    paper: Paper, x: float, y: float, *, number: int, size: tuple[float, float], block: Block
) -> None:
    width, height = size
    paper.box(x, y, NUMBER_WIDTH, height, fill=SHADE)
    paper.box(x, y, width, height, thick=1)
    _draw_number(paper, x + NUMBER_WIDTH / 2, y + height, number)
    start, room = x + NUMBER_WIDTH + 8, width - NUMBER_WIDTH - 14
    for index, (seat, who) in enumerate(_in_order(block[0].tables[number])):
        foot = y + height - 18 - index * NAME_LEADING
        paper.text(start, foot, str(SEAT_NAMES[seat]), size=8, width=34, colour=SOFT)
        paper.text(start + 36, foot, who, size=13, bold=True, width=room - 36)
    if len(block) > 1:
        for index, one in enumerate(reversed(block)):
            words = f"{one.number}   {_pairs(one.tables[number])}"
            paper.text(start, y + 7 + index * PAIR_LEADING, words, size=9, width=room, smallest=6)


def _draw_number(paper: Paper, middle: float, top: float, number: int) -> None:
    width = NUMBER_WIDTH - 8
    paper.text(middle, top - 18, _("table"), size=9, align="centre", width=width, colour=SOFT)
    paper.text(middle, top - 54, str(number), size=34, bold=True, align="centre", width=width)


def _in_order(four: Four) -> list[tuple[Seat, str]]:
    return [(seat, four[seat].shown_name) for seat in SEATS if seat in four]


def _pairs(four: Four) -> str:
    names = short_names(dict(_in_order(four)))
    ns, ew = (" – ".join(names[seat] for seat in SEATS if side_of(seat) == side) for side in SIDES)
    return _("%(ns)s against %(ew)s") % {"ns": ns, "ew": ew}
