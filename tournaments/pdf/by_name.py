"""Everybody in order of surname: which table, and with whom."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from django.utils.translation import gettext as _

from clubs.models import Club, Member
from clubs.names import sort_key
from clubs.words import SEAT_NAMES
from scoring.pdf.paper import RULE, SHADE, SOFT, Paper
from scoring.rules import TWO, Seat, partner
from scoring.words import short_names
from tournaments.pdf.page import MARGIN, in_pages
from tournaments.pdf.seating import Four, RoundSeating, is_four

SMALLEST_ROW, LARGEST_ROW = 32.0, 40.0
ONE_COLUMN = 16
GUTTER = 22.0
LETTER_WIDTH = 22.0


@dataclass(frozen=True, slots=True)
class NameLine:
    """Somebody on the list, and the letter he is under. `table` is a number, or empty for who sits
    out; `words` say so, or with whom he plays."""

    name: str
    letter: str
    table: str
    words: str


def name_lines(club: Club, block: Sequence[RoundSeating]) -> list[NameLine]:
    """One line for each person of these rounds, the Dutch way: Jan van der Meer under M.

    Who plays at two tables has two, and it says which of them is beside his own.
    """
    too = _("plays here too")
    seated = [
        (who, table, f"{words}, {too}" if (table, who) in block[0].extra else words)
        for table in block[0].tables
        for who, words in _at_table([one.tables[table] for one in block])
    ]
    playing = {who for who, _table, _words in seated}
    out = {who for one in block for who in one.out} - playing
    word = str(club.get_sit_out_word_display())
    found = seated + [(who, 0, word) for who in out]
    ordered = sorted(found, key=lambda line: (sort_key(line[0].hall_name), line[0].pk, line[1]))
    return [
        NameLine(
            who.hall_name, sort_key(who.hall_name)[:1].upper(), str(table) if table else "", words
        )
        for who, table, words in ordered
    ]


def name_pages(lines: Sequence[NameLine], room: float) -> list[Sequence[NameLine]]:
    """The lines over as few pages as they need at a size that reads on a wall."""
    return in_pages(lines, 2 * int(room // SMALLEST_ROW))


def letters_of(lines: Sequence[NameLine]) -> str:
    """Under which letters these people are: "B", or "B – D"."""
    first, last = lines[0].letter, lines[-1].letter
    return first if first == last else f"{first} – {last}"


def draw_names(paper: Paper, top: float, lines: Sequence[NameLine], room: float) -> None:
    """Draw one page of the list, down the first column and then down the second."""
    columns = 1 if len(lines) <= ONE_COLUMN else 2
    rows = ceil(len(lines) / columns)
    height = min(LARGEST_ROW, room / rows)
    width = (paper.width - 2 * MARGIN - (columns - 1) * GUTTER) / columns
    for index, line in enumerate(lines):
        column, row = divmod(index, rows)
        x, y = MARGIN + column * (width + GUTTER), top - (row + 1) * height
        if row == 0 or line.letter != lines[index - 1].letter:
            paper.text(
                x,
                y + height * 0.4,
                line.letter,
                size=height * 0.5,
                bold=True,
                width=LETTER_WIDTH - 5,
                colour=SOFT,
            )
        _draw_line(paper, x, y, line, width=width, height=height)


def _draw_line(
    paper: Paper, x: float, y: float, line: NameLine, *, width: float, height: float
) -> None:
    size, small, box = height * 0.46, height * 0.27, height * 1.35
    foot, start = y + height * 0.46, x + LETTER_WIDTH
    room = width - LETTER_WIDTH - box - 6
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


def _at_table(fours: Sequence[Four]) -> list[tuple[Member, str]]:
    """The people at one table, who stay together in these rounds, and what is said of each."""
    return [(who, _with_whom(who, fours)) for who in fours[0].values()]


def _with_whom(who: Member, fours: Sequence[Four]) -> str:
    """The partner, or the partners in order of rounds; at a table of three each has the dummy, and
    at one of two nobody, but whom he plays against."""
    if len(fours[0]) == len(TWO):
        other = next(member for member in fours[0].values() if member != who)
        return _("against %(name)s") % {"name": other.hall_name}
    if len(fours) == 1:
        seat = _seat_of(who, fours[0])
        opposite = fours[0].get(partner(seat)) if is_four(fours[0]) else None
        name = opposite.hall_name if opposite else _("a dummy")
        return _("%(seat)s, with %(name)s") % {"seat": SEAT_NAMES[seat], "name": name}
    names = [_partner_name(who, four) for four in fours] if is_four(fours[0]) else [_("a dummy")]
    return _("with %(names)s") % {"names": _(", then ").join(names)}


def _partner_name(who: Member, four: Four) -> str:
    names = short_names({seat: member.hall_name for seat, member in four.items()})
    return names[partner(_seat_of(who, four))]


def _seat_of(who: Member, four: Four) -> Seat:
    return next(seat for seat, member in four.items() if member == who)
