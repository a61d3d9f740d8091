"""The players of a season booklet: for each his place and every evening's points."""

from collections.abc import Sequence
from functools import partial
from itertools import groupby
from math import ceil

from django.utils.translation import gettext as _

from clubs.names import sort_key
from clubs.words import NO_VALUE, number
from scoring.pdf.paper import INK, RULE, SOFT, Paper
from tournaments.pdf.leaf import Leaf
from tournaments.pdf.page import FOOT_HEIGHT, HEADING_HEIGHT, MARGIN, ListHeading, draw_list_heading
from tournaments.pdf.ruled import LONG_SIDE
from tournaments.pdf.season import PaperStanding, points_words
from tournaments.standings.core import SeasonRow

ROOM = LONG_SIDE - 2 * 28 - HEADING_HEIGHT - FOOT_HEIGHT
BESIDE = 6
CELL, ROW, TITLE = 86.0, 15.5, 38.0


def player_leaves(heading: ListHeading, standing: PaperStanding) -> list[Leaf]:
    """Everybody in order of surname, with his evenings under each other; nobody is split."""
    names = standing.names
    rows = sorted(
        standing.table.rows, key=lambda row: (sort_key(names[row.player_id]), row.player_id)
    )
    pages: list[list[SeasonRow]] = [[]]
    for row in rows:
        if sum(map(_height, pages[-1])) + _height(row) > ROOM:
            pages.append([])
        pages[-1].append(row)
    return [Leaf(partial(_draw, heading, standing, page)) for page in pages]


def _height(row: SeasonRow) -> float:
    return TITLE + ceil(len(row.by_evening) / BESIDE) * ROW


def _draw(
    heading: ListHeading, standing: PaperStanding, rows: Sequence[SeasonRow], paper: Paper
) -> None:
    names = [standing.names[row.player_id] for row in rows]
    letters = [letter for letter, _same in groupby(sort_key(name)[:1].upper() for name in names)]
    corner = " – ".join(dict.fromkeys((letters[0], letters[-1]))) if letters else ""
    top = draw_list_heading(paper, heading, "", corner)
    for row in rows:
        _draw_player(paper, top, standing, row)
        top -= _height(row)


def _draw_player(paper: Paper, top: float, standing: PaperStanding, row: SeasonRow) -> None:
    right = paper.width - MARGIN
    words = _sums(standing, row)
    start = right - paper.text(right, top - 14, words, size=9.5, align="right", colour=SOFT)
    name = standing.names[row.player_id]
    paper.text(MARGIN, top - 14, name, size=12, bold=True, width=start - MARGIN - 10)
    paper.line(MARGIN, top - 19, right, top - 19, colour=RULE)
    own = [(label, slug) for slug, label in standing.evenings if slug in row.by_evening]
    for index, (label, slug) in enumerate(own):
        down, across = divmod(index, BESIDE)
        x, y = MARGIN + across * CELL, top - 33 - down * ROW
        cell = row.by_evening[slug]
        paper.text(x, y, label, size=9, width=36, colour=SOFT)
        points = f"({points_words(cell)})" if cell.dropped else points_words(cell)
        colour = SOFT if cell.dropped else INK
        drawn = paper.text(x + 76, y, points, size=10.5, align="right", width=42, colour=colour)
        if cell.dropped:
            paper.line(x + 76 - drawn, y + 3.5, x + 76, y + 3.5, thick=0.7, colour=SOFT)


def _sums(standing: PaperStanding, row: SeasonRow) -> str:
    words = {
        "place": NO_VALUE if row.rank is None else number(row.rank),
        "value": number(row.value, standing.decimals),
        "figure": standing.figure,
        "total": number(row.total),
        "evenings": row.evenings,
        "pits": row.pits,
        "pit": standing.pit_word,
    }
    return (
        _(
            "place %(place)s · %(figure)s %(value)s · plain sum %(total)s · evenings %(evenings)s "
            "· %(pit)s %(pits)s"
        )
        % words
    )
