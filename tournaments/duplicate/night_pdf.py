"""The common ranking of a night on paper: the clubs, and below them all pairs."""

from collections.abc import Iterator, Sequence
from functools import partial

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.text.numbers import number
from scoring.pdf.paper import FELT, Paper
from tournaments.duplicate.core.nights import BEST_PAIRS
from tournaments.duplicate.core.scoring import Line
from tournaments.duplicate.night_results import NightResults, ShownPair
from tournaments.duplicate.texts import COMPARING, SHORT_LINES
from tournaments.printing.page import (
    HEAD_ROW,
    MARGIN,
    ListCell,
    ListColumn,
    ListHeading,
    ListRow,
    Piece,
    draw_columns_head,
    draw_list_foot,
    draw_list_heading,
    draw_row,
    in_flow,
    list_foot,
    list_room,
    width_between,
)

ROW, TITLE = 18.0, 38.0
"""The height of a row, and of the title of a list."""
FIGURE = 78.0


def night_pdf(results: NightResults, *, stale: bool = False) -> bytes:
    """A release on A4; `stale` where something came in since."""
    night, made = results.release.night, results.release
    heading = ListHeading(night.league, date_format(night.date, "l j F Y"), night.name)
    said = _("publication %(n)s of %(day)s") % {
        "n": made.number,
        "day": date_format(timezone.localtime(made.published_at), "j F Y"),
    }
    subtitle = _("%(list)s: a new result follows") % {"list": said} if stale else said
    paper = Paper(night.name, author=night.league.name)
    best = _(
        "A club has the mean of its best %(best)s pairs: what its North-South win, its own"
        " East-West lose."
    )
    comparing = f"{COMPARING[night.compare]} {_('All clubs are compared together.')}"
    foot = list_foot(paper, [comparing, best % {"best": BEST_PAIRS}], _seal_words(results))
    pieces = [*_clubs(results), *_pairs(results)]
    pages = in_flow(pieces, list_room(paper, foot.height))
    for page, on_page in enumerate(pages, 1):
        y = draw_list_heading(paper, heading, subtitle)
        for piece in on_page:
            piece.draw(paper, y)
            y -= piece.height
        draw_list_foot(paper, page, len(pages), foot)
        paper.next_page()
    return paper.finish()


def _seal_words(results: NightResults) -> str:
    words = {"seal": results.release.seal, "commitment": results.release.night.commitment}
    return _("Seal %(seal)s · commitment of the cards %(commitment)s") % words


def _clubs(results: NightResults) -> Iterator[Piece]:
    columns = [
        ListColumn(_("Place"), 44.0),
        ListColumn(_("Club"), _left_by(44.0, 60.0, FIGURE), align="left"),
        ListColumn(_("Pairs"), 60.0),
        _figures(results),
    ]
    rows = [[str(row.place), row.name, number(row.pairs), row.figure] for row in results.clubs()]
    return _list(_("The clubs"), columns, rows)


def _pairs(results: NightResults) -> Iterator[Piece]:
    columns = [
        ListColumn(_("Place"), 44.0),
        ListColumn(_("Pair"), _left_by(44.0, 150.0, 34.0, 50.0, FIGURE), align="left"),
        ListColumn(_("Club"), 150.0, align="left"),
        ListColumn(_("Line"), 34.0, align="left"),
        ListColumn(_("Folders"), 50.0),
        _figures(results),
    ]
    rows = [
        [str(row.place), row.names, row.club, _line(row), number(row.folders), row.figure]
        for row in results.pairs()
    ]
    return _list(_("All pairs"), columns, rows)


def _figures(results: NightResults) -> ListColumn:
    return ListColumn(_("Percentage") if results.by_percent else _("Points"), FIGURE, bold=True)


def _left_by(*widths: float) -> float:
    """What columns of these widths leave of the page."""
    return width_between(wide=False) - sum(widths)


def _line(pair: ShownPair) -> str:
    """`N/S`, or nothing of a pair that sat both ways."""
    line: Line | None = pair.row["line"]
    return str(SHORT_LINES[line]) if line else ""


def _list(
    title: str, columns: Sequence[ListColumn], rows: Sequence[Sequence[str]]
) -> Iterator[Piece]:
    """The title with the headings, and each row; the headings come again on the next page."""
    head = Piece(HEAD_ROW, partial(_draw_head, columns=columns))
    yield Piece(TITLE + HEAD_ROW, partial(_draw_title, title=title, columns=columns), holds=2 * ROW)
    for row in rows:
        cells = [ListCell(words) for words in row]
        yield Piece(ROW, partial(_draw_line, columns=columns, cells=cells), again=head)


def _draw_head(paper: Paper, top: float, *, columns: Sequence[ListColumn]) -> None:
    draw_columns_head(paper, (MARGIN, top), columns)


def _draw_title(paper: Paper, top: float, *, title: str, columns: Sequence[ListColumn]) -> None:
    paper.text(MARGIN, top - 28, title, size=14, bold=True, colour=FELT)
    _draw_head(paper, top - TITLE, columns=columns)


def _draw_line(paper: Paper, top: float, *, columns: Sequence[ListColumn], cells: ListRow) -> None:
    draw_row(paper, (MARGIN, top - ROW), columns, cells, height=ROW)
