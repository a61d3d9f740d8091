"""The standings of an evening as a printed list."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import ceil
from operator import attrgetter
from typing import NamedTuple

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Club
from clubs.text.numbers import NO_VALUE, number
from scoring.display.words import pit_word
from scoring.pdf.paper import BRONZE, GOLD, INK, RULE, SHADE, SILVER, Paper
from tournaments.evenings.texts import tie_decided_line
from tournaments.models import Evening, Release
from tournaments.printing.page import (
    MARGIN,
    draw_list_foot,
    draw_list_heading,
    evening_heading,
    list_foot,
    list_room,
)
from tournaments.releases.queries import PublicRow, has_broken_ties, running_rounds
from tournaments.results.link_previews import lines_counted
from tournaments.results.standing import places_by
from tournaments.standings.core.places import InterimBy
from tournaments.standings.core.results import together
from tournaments.standings.texts import deals_words, interim_heading, interim_words

SMALLEST_ROW, LARGEST_ROW = 20.0, 27.0
HEAD_ROW = 24.0
UPRIGHT_ROUNDS = 6
RANK_WIDTH, NAME_WIDTH, PITS_WIDTH, TOTAL_WIDTH = 40.0, 170.0, 48.0, 74.0
NARROW_NAME, NARROW_PITS, NARROW_TOTAL = 136.0, 28.0, 46.0
MANY_ROUNDS = 12
BETWEEN = 3.0
WIDEST_ROUND = 66.0
MEDALS = {1: GOLD, 2: SILVER, 3: BRONZE}


@dataclass(frozen=True, slots=True)
class FigureColumn:
    """A column of figures, `width` points wide, its right edge at `edge`."""

    label: str
    figure: Callable[[PublicRow], int | str | Decimal | None]
    edge: float
    width: float
    bold: bool = False


def standings_pdf(
    evening: Evening,
    rows: Sequence[PublicRow],
    *,
    release: Release | None,
    stale: bool = False,
) -> bytes:
    """Everybody in order of place, with headings on every page; `evening.club` is loaded.

    Every page has the `release`'s number and seal, or says that the list is provisional. `stale`
    says that something was corrected since. If equal totals have different places, it says what
    decided.
    """
    rounds = sorted({number for row in rows for number in row.rounds})
    playing, by = running_rounds(rows), places_by(evening, rows)
    title = _("Final standings") if release else _("Standings so far")
    paper = Paper(title, author=evening.club.name, wide=len(rounds) > UPRIGHT_ROUNDS)
    people = _how_many(rows)
    if stale:
        people = f"{people}. {_('A new result follows.')}"
    columns = _columns(paper, evening.club, rounds, _interim_columns(rows, playing, by))
    tie_line = tie_decided_line(evening) if has_broken_ties(rows) else ""
    until = interim_words(playing, rounds, by) if playing else ""
    words = [tie_line, until, _authority(release)]
    foot = list_foot(paper, words, _seal(release))
    room = list_room(paper, foot.height) - HEAD_ROW
    pages = _pages(rows, room)
    heading = evening_heading(evening, title)
    for page, shown in enumerate(pages, start=1):
        top = draw_list_heading(paper, heading, people)
        height = min(LARGEST_ROW, room / len(pages[0]))
        _draw_head(paper, top, columns)
        for index, row in enumerate(shown):
            y = top - HEAD_ROW - (index + 1) * height
            _draw_row(paper, y, row, columns, height=height, final=release is not None)
        draw_list_foot(paper, page, len(pages), foot)
        paper.next_page()
    return paper.finish()


def _how_many(rows: Sequence[PublicRow]) -> str:
    if rows[0].pair is not None:
        return ngettext("%(n)s pair", "%(n)s pairs", len(rows)) % {"n": len(rows)}
    return lines_counted(rows)


def _pages(rows: Sequence[PublicRow], room: float) -> list[Sequence[PublicRow]]:
    most = int(room // SMALLEST_ROW)
    size = ceil(len(rows) / ceil(len(rows) / most))
    return [rows[start : start + size] for start in range(0, len(rows), size)]


class InterimColumn(NamedTuple):
    """A column that is only there while rounds are being played."""

    label: str
    figure: Callable[[PublicRow], int | str | Decimal | None]


def _interim_columns(
    rows: Sequence[PublicRow], playing: Sequence[int], by: InterimBy
) -> list[InterimColumn]:
    """What is written in the rounds that stand apart, from how many deals; and the average."""
    if not playing:
        return []
    heading = interim_heading(playing)
    columns = [
        InterimColumn(heading[:1].lower() + heading[1:], _running_points),
        InterimColumn(_("deals"), _running_deals),
    ]
    if by == "average":
        columns.append(InterimColumn(_("per deal"), attrgetter("average")))
    return columns


def _running_points(row: PublicRow) -> int | None:
    running = together(row.running.values())
    return running and running.points


def _running_deals(row: PublicRow) -> str | None:
    running = together(row.running.values())
    return running and deals_words(running)


def _columns(
    paper: Paper, club: Club, rounds: Sequence[int], interim: Sequence[InterimColumn] = ()
) -> list[FigureColumn]:
    """A column for each round, the pits and the total, from the right edge of the page."""
    edge, many = paper.width - MARGIN, len(rounds) > MANY_ROUNDS
    name, pits, total = NAME_WIDTH, PITS_WIDTH, TOTAL_WIDTH
    if many:
        name, pits, total = NARROW_NAME, NARROW_PITS, NARROW_TOTAL
    elif interim:
        name = NARROW_NAME
    fixed = RANK_WIDTH + name + pits + total
    width = min(WIDEST_ROUND, (edge - MARGIN - fixed) / max(1, len(rounds) + len(interim)))
    label = _("round %(n)s") if len(rounds) <= UPRIGHT_ROUNDS else _("r. %(n)s")
    first = edge - total - pits - width * (len(rounds) + len(interim))
    by_round = [
        FigureColumn(label % {"n": number}, _round_score(number), first + width * place, width)
        for place, number in enumerate(rounds, start=1)
    ]
    beside = first + width * len(rounds)
    now = [
        FigureColumn(column.label, column.figure, beside + width * place, width)
        for place, column in enumerate(interim, start=1)
    ]
    return [
        *by_round,
        *now,
        FigureColumn(pit_word(club), attrgetter("pits"), edge - total, pits),
        FigureColumn(_("total"), attrgetter("total"), edge, total, bold=True),
    ]


def _round_score(number: int) -> Callable[[PublicRow], int | None]:
    return lambda row: row.rounds.get(number)


def _draw_head(paper: Paper, top: float, columns: Sequence[FigureColumn]) -> None:
    y = top - HEAD_ROW
    paper.box(MARGIN, y, paper.width - 2 * MARGIN, HEAD_ROW, fill=SHADE)
    paper.text(MARGIN + RANK_WIDTH - 12, y + 8, _("place"), size=9, align="right", width=26)
    paper.text(MARGIN + RANK_WIDTH, y + 8, _("name"), size=9)
    for column in columns:
        room = column.width - BETWEEN
        paper.text(column.edge - 3, y + 8, column.label, size=9, align="right", width=room)


def _draw_row(
    paper: Paper,
    y: float,
    row: PublicRow,
    columns: Sequence[FigureColumn],
    *,
    height: float,
    final: bool,
) -> None:
    """Draw a line; on a `final` list the first three places have their medal."""
    size = height * 0.5
    foot = y + height / 2 - size * 0.36
    name_room = columns[0].edge - columns[0].width - MARGIN - RANK_WIDTH - 4
    rank = NO_VALUE if row.rank is None else str(row.rank)
    if final and row.rank in MEDALS:
        x, medal = MARGIN + RANK_WIDTH - 15, MEDALS[row.rank]
        paper.disc(x, y + height / 2, height * 0.42, fill=medal)
        paper.text(x, foot, rank, size=size, bold=True, align="centre", colour=INK)
    else:
        x = MARGIN + RANK_WIDTH - 12
        paper.text(x, foot, rank, size=size, bold=True, align="right")
    paper.text(MARGIN + RANK_WIDTH, foot, row.name, size=size, bold=True, width=name_room)
    for column in columns:
        paper.text(
            column.edge - 3,
            foot,
            _written(column.figure(row)),
            size=size,
            bold=column.bold,
            align="right",
            width=column.width - BETWEEN,
        )
    paper.line(MARGIN, y, paper.width - MARGIN, y, colour=RULE)


def _written(figure: int | str | Decimal | None) -> str:
    if isinstance(figure, str):
        return figure
    return number(figure, 2 if isinstance(figure, Decimal) else None)


def _authority(release: Release | None) -> str:
    """The release's number, or that the list is provisional."""
    if release is None:
        return _("Provisional: these standings have not been published yet.")
    when = date_format(timezone.localtime(release.published_at), "j F Y H:i")
    return _("Result %(n)s, published %(when)s.") % {"n": release.number, "when": when}


def _seal(release: Release | None) -> str:
    """The seal, and what it is for."""
    if release is None:
        return ""
    seal = " ".join(release.seal[at : at + 8] for at in range(0, len(release.seal), 8))
    return _("Seal, which shows that nothing in this result was changed: %(seal)s") % {"seal": seal}
