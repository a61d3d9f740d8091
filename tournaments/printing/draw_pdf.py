"""The printed draw: everybody by name with their table, then each table with its people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil

from django.utils.translation import gettext as _

from clubs.models import Club, Member
from clubs.text.names import sort_key
from scoring.display.words import short_names
from scoring.pdf.head import side_mark
from scoring.pdf.paper import RULE, SHADE, SOFT, Paper
from scoring.rules import SEATS, SIDES, THREE, TWO, Seat, partner, side_of
from tournaments.models import Evening, Placement, Round
from tournaments.printing.page import (
    MARGIN,
    draw_list_foot,
    draw_list_heading,
    evening_heading,
    in_pages,
    list_foot,
    list_room,
)

Four = dict[Seat, Member]
"""The people at a table; a table of three has nobody West, where the dummy's cards are, and a table
of two has North and East."""

SMALLEST_ROW, LARGEST_ROW = 32.0, 40.0
ONE_COLUMN = 16
GUTTER = 22.0
LETTER_WIDTH = 22.0
COLUMNS = 2
CARD_WIDTH, TABLE_GUTTER = 250.0, 15.0
NAME_LEADING, PAIR_LEADING = 17.0, 12.0
NUMBER_WIDTH = 58.0
LARGEST_SCALE = 1.4


@dataclass(frozen=True, slots=True)
class RoundSeating:
    """One round: the people at each table (by number), who sits out, and in `extra` the tables at
    which somebody plays beside their own."""

    number: int
    tables: dict[int, Four] = field(default_factory=dict)
    out: list[Member] = field(default_factory=list)
    extra: set[tuple[int, Member]] = field(default_factory=set)

    def same_tables(self, other: "RoundSeating") -> bool:
        """Whether every table has the same people in both rounds, whatever their seats."""
        return _people(self.tables) == _people(other.tables)


Block = Sequence[RoundSeating]
"""Consecutive rounds in which the tables stay together, usually one."""


def draw_pdf(evening: Evening, block: Block) -> bytes:
    """The two lists of a block of rounds, numbered together; `evening.club` is loaded."""
    rounds = _rounds_in_words(block)
    paper = Paper(_("The draw") + f", {rounds.lower()}", author=evening.club.name)
    names = name_pages(name_lines(evening.club, block), list_room(paper))
    foot = list_foot(paper, [*_chairs(block), *sit_out_words(evening.club, block)])
    room = list_room(paper, foot.height)
    tables = table_pages(block, room)
    pages = len(names) + len(tables)
    heading = evening_heading(evening, _("Where do I sit?"))
    for number, lines in enumerate(names, start=1):
        part = letters_of(lines) if len(names) > 1 else ""
        top = draw_list_heading(paper, heading, rounds, part)
        draw_names(paper, top, lines, list_room(paper))
        draw_list_foot(paper, number, pages)
        paper.next_page()
    heading = replace(heading, title=_("The tables"))
    for number, numbers in enumerate(tables, start=len(names) + 1):
        part = f"{numbers[0]} – {numbers[-1]}" if len(tables) > 1 else ""
        top = draw_list_heading(paper, heading, rounds, part)
        draw_tables(paper, top, block, numbers, room)
        draw_list_foot(paper, number, pages, foot)
        paper.next_page()
    return paper.finish()


def _rounds_in_words(block: Block) -> str:
    first, last = block[0].number, block[-1].number
    if first == last:
        return _("Round %(n)s") % {"n": first}
    return _("Rounds %(first)s to %(last)s") % {"first": first, "last": last}


def evening_seating(evening: Evening) -> list[RoundSeating]:
    """The rounds with a final draw, in order. Two queries.

    A substitute has the seat they took over; the person who left it is no longer listed.
    """
    final = evening.rounds.exclude(state=Round.State.DRAFT).order_by("number")
    rounds = {number: RoundSeating(number) for number in final.values_list("number", flat=True)}
    placements = (
        Placement.objects.filter(round__evening=evening, round__number__in=rounds)
        .select_related("member", "table", "round")
        .order_by("round__number", "table__number", "substitute", "pk")
    )
    for placement in placements:
        _place(rounds[placement.round.number], placement)
    return list(rounds.values())


def is_four(four: Four) -> bool:
    """Whether every seat of a table has somebody."""
    return len(four) == len(SEATS)


def is_three(four: Four) -> bool:
    """Whether three people sit at a table, with the dummy."""
    return len(four) == len(THREE)


def block_of(rounds: Sequence[RoundSeating], number: int) -> list[RoundSeating]:
    """Round `number` with its neighbours in which the tables stay together; usually one round."""
    at = next(index for index, seating in enumerate(rounds) if seating.number == number)
    start = end = at
    while start > 0 and rounds[start - 1].same_tables(rounds[at]):
        start -= 1
    while end + 1 < len(rounds) and rounds[end + 1].same_tables(rounds[at]):
        end += 1
    return list(rounds[start : end + 1])


def _place(seating: RoundSeating, placement: Placement) -> None:
    if placement.table is None:
        seating.out.append(placement.member)
    else:
        number = placement.table.number
        four = seating.tables.setdefault(number, {})
        if placement.substitute and placement.seat not in four:
            seating.extra.add((number, placement.member))
        four[placement.seat] = placement.member  # type: ignore[index]


def _people(tables: Mapping[int, Four]) -> dict[int, frozenset[int]]:
    return {
        number: frozenset(member.pk for member in four.values()) for number, four in tables.items()
    }


@dataclass(frozen=True, slots=True)
class SeatingLine:
    """A person on the list by name, with the initial they are under. `table` is empty if they sit
    out; `words` say so, or whom they play with. `side` is theirs on the score sheet, where it is
    known for all these rounds."""

    name: str
    letter: str
    table: str
    words: str
    side: str = ""


def name_lines(club: Club, block: Block) -> list[SeatingLine]:
    """A line for each person, sorted the Dutch way: Jan van der Meer under M.

    A person who plays at two tables has two lines, one of which says that it is beside their own.
    """
    too = _("plays here too")
    seated = [
        (member, table, f"{words}, {too}" if (table, member) in block[0].extra else words)
        for table in block[0].tables
        for member, words in _at_table([seating.tables[table] for seating in block])
    ]
    playing = {member for member, _table, _words in seated}
    out = {member for seating in block for member in seating.out} - playing
    word = str(club.get_sit_out_word_display())
    everybody = seated + [(member, 0, word) for member in out]
    everybody.sort(key=lambda line: (sort_key(line[0].hall_name), line[0].pk, line[1]))
    return [
        SeatingLine(
            member.hall_name,
            sort_key(member.hall_name)[:1].upper(),
            str(table) if table else "",
            words,
            _side(member, block, table),
        )
        for member, table, words in everybody
    ]


def _side(member: Member, block: Block, table: int) -> str:
    """The side of somebody on the score sheet; empty where sides change, or there are none."""
    four = block[0].tables.get(table, {})
    return side_of(_seat_of(member, four)) if len(block) == 1 and is_four(four) else ""


def name_pages(lines: Sequence[SeatingLine], room: float) -> list[Sequence[SeatingLine]]:
    """The lines of each page, in a size that can be read on a wall."""
    return in_pages(lines, 2 * int(room // SMALLEST_ROW))


def letters_of(lines: Sequence[SeatingLine]) -> str:
    """The initials that these lines are under: "B", or "B – D"."""
    first, last = lines[0].letter, lines[-1].letter
    return first if first == last else f"{first} – {last}"


def draw_names(paper: Paper, top: float, lines: Sequence[SeatingLine], room: float) -> None:
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
    paper: Paper, x: float, y: float, line: SeatingLine, *, width: float, height: float
) -> None:
    size, small, box = height * 0.46, height * 0.27, height * 1.35
    foot, start = y + height * 0.46, x + LETTER_WIDTH
    room = width - LETTER_WIDTH - box - 6
    paper.text(start, foot, line.name, size=size, bold=True, width=room)
    below = y + height * 0.15
    if line.side:
        high = small + 2.5
        side_mark(paper, start, below - 2.2, line.side, width=25, height=high, size=small)
        start, room = start + 30, room - 30
    paper.text(start, below, line.words, size=small, width=room)
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
    """The people at one table, who stay together in these rounds, with their partners in words."""
    return [(member, _with_whom(member, fours)) for member in fours[0].values()]


def _with_whom(member: Member, fours: Sequence[Four]) -> str:
    """The partner, or the partners in order of rounds: the dummy at a table of three, and at a
    table of two the opponent."""
    if len(fours[0]) == len(TWO):
        opponent = next(other for other in fours[0].values() if other != member)
        return _("against %(name)s") % {"name": opponent.hall_name}
    if len(fours) == 1:
        opposite = fours[0].get(partner(_seat_of(member, fours[0]))) if is_four(fours[0]) else None
        name = opposite.hall_name if opposite else _("a dummy")
        return _("with %(names)s") % {"names": name}
    names = [_partner_name(member, four) for four in fours] if is_four(fours[0]) else [_("a dummy")]
    return _("with %(names)s") % {"names": _(", then ").join(names)}


def _partner_name(member: Member, four: Four) -> str:
    names = short_names({seat: other.hall_name for seat, other in four.items()})
    return names[partner(_seat_of(member, four))]


def _seat_of(member: Member, four: Four) -> Seat:
    return next(seat for seat, other in four.items() if other == member)


def table_pages(block: Block, room: float) -> list[Sequence[int]]:
    """The numbers of the tables on each page."""
    most = COLUMNS * int(room // _card_height(block))
    return in_pages(sorted(block[0].tables), most, beside=COLUMNS)


def draw_tables(
    paper: Paper, top: float, block: Block, numbers: Sequence[int], room: float
) -> None:
    """Draw the cards of these tables, two in a row, as large as fits."""
    rows = ceil(len(numbers) / COLUMNS)
    scale = min(LARGEST_SCALE, room / (rows * _card_height(block)))
    height = _card_height(block) * scale
    for index, number in enumerate(numbers):
        row, column = divmod(index, COLUMNS)
        x, y = MARGIN + column * (CARD_WIDTH + TABLE_GUTTER), top - (row + 1) * height
        _draw_card(paper, x, y, number=number, block=block, scale=scale)


def sit_out_words(club: Club, block: Block) -> list[str]:
    """The people who sit out these rounds, in a sentence; none if nobody does."""
    names = sorted({member.hall_name for seating in block for member in seating.out})
    words = {"sit_out": club.get_sit_out_word_display(), "names": ", ".join(names)}
    return [_("%(sit_out)s: %(names)s") % words] if names else []


def _chairs(block: Block) -> list[str]:
    """How the colours and the order of names at a table are meant, where there are colours."""
    coloured = len(block) == 1 and any(is_four(four) for four in block[0].tables.values())
    words = _("Names go round the table clockwise; two of one colour play together.")
    return [words] if coloured else []


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
    coloured = len(block) == 1 and is_four(four)
    for index, (seat, name) in enumerate(_in_order(four)):
        foot = y + height - (18 + index * NAME_LEADING) * scale
        if coloured:
            side_mark(paper, start, foot - 2.6, side_of(seat), width=26, height=12.5, size=9)
        name_x = start + (32 if coloured else 0)
        paper.text(name_x, foot, name, size=13 * scale, bold=True, width=right - name_x)
    if is_three(four):
        foot = y + height - (18 + len(four) * NAME_LEADING) * scale
        paper.text(start, foot, _("with a dummy"), size=11 * scale, colour=SOFT)
        return
    for index, seating in enumerate(reversed(block) if len(block) > 1 else ()):
        foot, words = y + (7 + index * PAIR_LEADING) * scale, _pairs(seating.tables[number])
        paper.text(start, foot, str(seating.number), size=9, bold=True)
        paper.text(start + 12, foot, words, size=9 * scale, width=right - start - 12)


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
