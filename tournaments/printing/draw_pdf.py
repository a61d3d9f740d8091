"""Who sits where in each round, as lists on paper want it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil

from django.utils.translation import gettext as _

from clubs.models import Club, Member
from clubs.text.names import sort_key
from clubs.text.numbers import SEAT_NAMES
from scoring.display.words import short_names
from scoring.pdf.paper import RULE, SHADE, SOFT, Paper
from scoring.rules import SEATS, SIDES, THREE, TWO, Seat, partner, side_of
from tournaments.models import Evening, Placement, Round
from tournaments.printing.page import (
    MARGIN,
    draw_list_foot,
    draw_list_heading,
    evening_heading,
    in_pages,
    list_room,
)

Four = dict[Seat, Member]
"""Who sits where at a table; a table of three has nobody West, where the dummy's cards are, and
one of two has North and East."""


@dataclass(frozen=True, slots=True)
class RoundSeating:
    """One round: by table number who sits where now, and who sits out; `extra` is at which table
    somebody plays beside his own."""

    number: int
    tables: dict[int, Four] = field(default_factory=dict)
    out: list[Member] = field(default_factory=list)
    extra: set[tuple[int, Member]] = field(default_factory=set)

    def same_tables(self, other: "RoundSeating") -> bool:
        """Whether every table has the same people in both rounds, in whatever seats."""
        return _people(self.tables) == _people(other.tables)


def evening_seating(evening: Evening) -> list[RoundSeating]:
    """The rounds whose draw is final, in order. Two queries.

    Where a substitute took over, the seat is his; who left is no longer listed.
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
    """Round `number` with its neighbours in which the tables stay together; mostly one round."""
    at = next(index for index, one in enumerate(rounds) if one.number == number)
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
    return {number: frozenset(who.pk for who in four.values()) for number, four in tables.items()}


# Everybody in order of surname: which table, and with whom.

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


# Each table with its people, and who partners whom in each round.

Block = Sequence[RoundSeating]

COLUMNS = 2
CARD_WIDTH, TABLE_GUTTER = 250.0, 15.0
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
        x, y = MARGIN + column * (CARD_WIDTH + TABLE_GUTTER), top - (row + 1) * height
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


# The draw for the wall: by name first, then by table.


def draw_pdf(evening: Evening, block: Sequence[RoundSeating]) -> bytes:
    """Everybody in order of surname with his table, and then each table with its people.

    `block` are rounds in which the tables stay together, mostly one; `evening` has its club at
    hand. The pages of the two lists are numbered together.
    """
    rounds = _rounds_in_words(block)
    paper = Paper(_("The draw") + f", {rounds.lower()}", author=evening.club.name)
    names = name_pages(name_lines(evening.club, block), list_room(paper))
    tables = table_pages(block, list_room(paper))
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
        draw_tables(paper, top, block, numbers, list_room(paper))
        draw_list_foot(paper, number, pages, sit_out_words(evening.club, block))
        paper.next_page()
    return paper.finish()


def _rounds_in_words(block: Sequence[RoundSeating]) -> str:
    first, last = block[0].number, block[-1].number
    if first == last:
        return _("Round %(n)s") % {"n": first}
    return _("Rounds %(first)s to %(last)s") % {"first": first, "last": last}
