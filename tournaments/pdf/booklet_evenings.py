"""The evenings of a season booklet: who won, and what everybody scored."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from math import ceil

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.words import number
from scoring.pdf.paper import RULE, SOFT, Paper
from tournaments.pdf.leaf import Leaf
from tournaments.pdf.page import FOOT_HEIGHT, HEADING_HEIGHT, MARGIN, ListHeading, draw_list_heading
from tournaments.pdf.ruled import (
    LONG_SIDE,
    Cell,
    Column,
    Line,
    draw_ruled,
    in_chunks,
    room_below,
    width_between,
)
from tournaments.published import PublicRow

COLUMNS = 2
GUTTER = 24.0
ROW, TITLE = 16.0, 36.0
ROOM = LONG_SIDE - 2 * 28 - HEADING_HEIGHT - FOOT_HEIGHT
WINNER_ROW = 22.0


@dataclass(frozen=True, slots=True)
class EveningResult:
    """An evening with its standing, from the top."""

    date: dt.date
    name: str
    rows: Sequence[PublicRow]

    @property
    def title(self) -> str:
        """Its day, and its name where it has one."""
        return " · ".join(filter(None, [date_format(self.date, "l j F Y"), self.name]))


@dataclass(frozen=True, slots=True)
class CupWon:
    """A challenge cup that somebody won, and when."""

    cup: str
    name: str
    date: dt.date


@dataclass(slots=True)
class _Block:
    """Lines of one evening that stand together, and whether they begin it."""

    evening: EveningResult
    rows: Sequence[PublicRow]
    begins: bool

    @property
    def height(self) -> float:
        return TITLE + ceil(len(self.rows) / COLUMNS) * ROW


@dataclass(slots=True)
class _Sheet:
    """A page being filled with blocks."""

    blocks: list[_Block] = field(default_factory=list)

    def has_room_for(self, block: _Block) -> bool:
        return sum(one.height for one in self.blocks) + block.height <= ROOM


def winner_leaves(heading: ListHeading, evenings: Sequence[EveningResult]) -> list[Leaf]:
    """A line for each evening: how many played, who won, with how many points."""
    columns = [
        Column(_("evening"), 190, "left"),
        Column(_("players"), 56),
        Column(_("winner"), width_between(wide=False) - 316, "left", bold=True),
        Column(_("points"), 70, bold=True),
    ]
    lines: list[Line] = [
        [Cell(one.title), Cell(str(len(one.rows))), Cell(_winners(one)), Cell(_best(one))]
        for one in evenings
    ]
    chunks = in_chunks(lines, int(room_below(wide=False) // WINNER_ROW))
    return [Leaf(partial(_draw_winners, heading, columns, chunk)) for chunk in chunks]


def cup_leaves(heading: ListHeading, won: Sequence[CupWon]) -> list[Leaf]:
    """A line for each cup that was won."""
    columns = [
        Column(_("cup"), 190, "left"),
        Column(_("winner"), width_between(wide=False) - 340, "left", bold=True),
        Column(_("won on"), 150, "left"),
    ]
    lines: list[Line] = [
        [Cell(one.cup), Cell(one.name), Cell(date_format(one.date, "j F Y"))] for one in won
    ]
    chunks = in_chunks(lines, int(room_below(wide=False) // WINNER_ROW))
    return [Leaf(partial(_draw_winners, heading, columns, chunk)) for chunk in chunks]


def evening_leaves(heading: ListHeading, evenings: Sequence[EveningResult]) -> list[Leaf]:
    """Place, name and points of everybody, evening after evening.

    An evening that fits on a page is not split; one that does not goes on with its day again.
    """
    sheets = [_Sheet()]
    for block in (block for evening in evenings for block in _blocks(evening)):
        if not sheets[-1].has_room_for(block):
            sheets.append(_Sheet())
        sheets[-1].blocks.append(block)
    return [
        Leaf(
            partial(_draw_evenings, heading, sheet.blocks),
            marks=[block.evening.title for block in sheet.blocks if block.begins],
        )
        for sheet in sheets
    ]


def _blocks(evening: EveningResult) -> list[_Block]:
    most = COLUMNS * int((ROOM - TITLE) // ROW)
    chunks = in_chunks(evening.rows, most)
    return [_Block(evening, chunk, begins=chunk is chunks[0]) for chunk in chunks]


def _draw_winners(
    heading: ListHeading, columns: Sequence[Column], lines: Sequence[Line], paper: Paper
) -> None:
    draw_ruled(paper, draw_list_heading(paper, heading, ""), columns, lines, WINNER_ROW)


def _draw_evenings(heading: ListHeading, blocks: Sequence[_Block], paper: Paper) -> None:
    top = draw_list_heading(paper, heading, "")
    for block in blocks:
        title = block.evening.title
        shown = title if block.begins else _("%(evening)s, continued") % {"evening": title}
        paper.text(MARGIN, top - 16, shown[:1].upper() + shown[1:], size=13, bold=True, width=515)
        _draw_rows(paper, top - 20, block.rows)
        top -= block.height


def _draw_rows(paper: Paper, top: float, rows: Sequence[PublicRow]) -> None:
    """Down the first column and then down the second."""
    down = ceil(len(rows) / COLUMNS) or 1
    width = (paper.width - 2 * MARGIN - GUTTER) / COLUMNS
    for index, row in enumerate(rows):
        column, line = divmod(index, down)
        x, y = MARGIN + column * (width + GUTTER), top - (line + 1) * ROW
        paper.text(x + 20, y + 4, number(row.rank), size=9, align="right", width=20, colour=SOFT)
        paper.text(x + 26, y + 4, row.name, size=11, width=width - 84)
        paper.text(x + width, y + 4, number(row.total), size=11, bold=True, align="right")
        paper.line(x, y, x + width, y, colour=RULE, thick=0.3)


def _winners(evening: EveningResult) -> str:
    return ", ".join(row.name for row in evening.rows if row.rank == 1)


def _best(evening: EveningResult) -> str:
    return number(evening.rows[0].total) if evening.rows else ""
