"""Everybody in order of surname: which table, and with whom."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from django.utils.translation import gettext as _

from clubs.models import Club, Member
from clubs.names import sort_key
from clubs.words import SEAT_NAMES
from scoring.pdf.paper import RULE, SHADE, SOFT, Paper
from scoring.rules import Seat, partner
from scoring.words import short_names
from tournaments.pdf.page import MARGIN
from tournaments.pdf.seating import Four, RoundSeating

SMALLEST_ROW, LARGEST_ROW = 27.0, 40.0
ONE_COLUMN = 16
GUTTER = 22.0
LETTER_WIDTH = 18.0


@dataclass(frozen=True, slots=True)
class NameLine:
    """Somebody on the list. `table` is a number, or empty for who sits out; `words` say so, or
    with whom he plays. `letter` stands before the first of those whose surname starts with it."""

    name: str
    table: str
    words: str
    letter: str = ""


def name_lines(club: Club, block: Sequence[RoundSeating]) -> list[NameLine]:
    """One line for each person of these rounds, the Dutch way: Jan van der Meer under M."""
    words: dict[Member, tuple[str, str]] = {
        who: ("", str(club.get_sit_out_word_display())) for one in block for who in one.out
    }
    for number in block[0].tables:
        words |= _at_table(number, [one.tables[number] for one in block])
    ordered = sorted(words, key=lambda who: (sort_key(who.shown_name), who.pk))
    letters = [sort_key(who.shown_name)[:1].upper() for who in ordered]
    return [
        NameLine(who.shown_name, *words[who], letter if letter != before else "")
        for who, letter, before in zip(ordered, letters, ["", *letters], strict=False)
    ]


def name_pages(lines: Sequence[NameLine], room: float) -> list[Sequence[NameLine]]:
    """The lines over as few pages as they need at a size that reads on a wall."""
    most = 2 * int(room // SMALLEST_ROW)
    pages = max(1, ceil(len(lines) / most))
    size = ceil(len(lines) / pages)
    return [lines[start : start + size] for start in range(0, len(lines), size)]


def draw_names(paper: Paper, top: float, lines: Sequence[NameLine], room: float) -> None:
    """Draw one page of the list, down the first column and then down the second."""
    columns = 1 if len(lines) <= ONE_COLUMN else 2
    rows = ceil(len(lines) / columns)
    height = min(LARGEST_ROW, room / rows)
    width = (paper.width - 2 * MARGIN - (columns - 1) * GUTTER) / columns
    for index, line in enumerate(lines):
        column, row = divmod(index, rows)
        x = MARGIN + column * (width + GUTTER)
        _draw_line(paper, x, top - (row + 1) * height, line, width=width, height=height)


def _draw_line(
    paper: Paper, x: float, y: float, line: NameLine, *, width: float, height: float
) -> None:
    size, small, box = height * 0.46, height * 0.27, height * 1.35
    foot, start = y + height * 0.46, x + LETTER_WIDTH
    room = width - LETTER_WIDTH - box - 6
    paper.text(x, foot, line.letter, size=size * 0.8, bold=True, colour=SOFT)
    paper.text(start, foot, line.name, size=size, bold=True, width=room, smallest=9)
    paper.text(start, y + height * 0.15, line.words, size=small, width=room, smallest=6)
    if line.table:
        paper.box(x + width - box, y + 2, box, height - 4, fill=SHADE)
        paper.text(
            x + width - box / 2,
            y + height * 0.28,
            line.table,
            size=height * 0.62,
            bold=True,
            align="centre",
            width=box - 6,
        )
    paper.line(x, y, x + width, y, colour=RULE)


def _at_table(number: int, fours: Sequence[Four]) -> dict[Member, tuple[str, str]]:
    """What the list says of the people at one table, who stay together in these rounds."""
    return {who: (str(number), _with_whom(who, fours)) for who in fours[0].values()}


def _with_whom(who: Member, fours: Sequence[Four]) -> str:
    """The partner, or the partners in order of rounds."""
    if len(fours) == 1:
        seat = _seat_of(who, fours[0])
        opposite = fours[0].get(partner(seat))
        words = {"seat": SEAT_NAMES[seat], "name": opposite.shown_name if opposite else ""}
        return _("%(seat)s, with %(name)s") % words if opposite else str(SEAT_NAMES[seat])
    names = [_partner_name(who, four) for four in fours]
    return _("with %(names)s") % {"names": _(", then ").join(names)}


def _partner_name(who: Member, four: Four) -> str:
    names = short_names({seat: member.shown_name for seat, member in four.items()})
    return names.get(partner(_seat_of(who, four)), _("nobody"))


def _seat_of(who: Member, four: Four) -> Seat:
    return next(seat for seat, member in four.items() if member == who)
