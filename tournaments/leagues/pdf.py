"""A league on paper: the table of a division, a whole season, and the forms of a match day."""

from collections.abc import Callable, Mapping, Sequence

from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.text.numbers import number, signed
from scoring.pdf.paper import FELT, RULE, SHADE, SOFT, Paper
from tournaments.leagues.queries import DivisionTable, ShownDay, TableLine
from tournaments.leagues.texts import match_points, penalty_words, ties_words
from tournaments.models import League, LeagueMatch, MatchDay
from tournaments.printing.page import (
    MARGIN,
    ListCell,
    ListColumn,
    ListHeading,
    Piece,
    draw_list_foot,
    draw_list_heading,
    draw_ruled,
    in_chunks,
    in_flow,
    list_foot,
    list_room,
    width_between,
)

Page = Callable[[Paper, int, int], None]
"""Draws a page, given its number and how many there are."""
LineUps = Mapping[tuple[int, int], Sequence[str]]
"""Who plays for a team in a round: by round and the id of the team."""

ROW = 22.0
ON_A_PAGE = 20
ZONES = {"up": "↑", "down": "↓"}


def table_pdf(table: DivisionTable) -> bytes:
    """The table of a division on A4, and below it what decides between equal teams."""
    return _pages_pdf(table.division.name, table.division.season.league, _table_pages(table))


def _pages_pdf(title: str, league: League, pages: Sequence[Page]) -> bytes:
    paper = Paper(title, author=league.name)
    for number_, page in enumerate(pages, 1):
        page(paper, number_, len(pages))
        paper.next_page()
    return paper.finish()


def _table_pages(table: DivisionTable) -> list[Page]:
    season = table.division.season
    heading = ListHeading(season.league, season.name, table.division.name)
    said = _("%(played)s of %(of)s matches played") % {"played": table.played, "of": table.of}

    def page_of(lines: Sequence[TableLine]) -> Page:
        def draw(paper: Paper, page: int, pages: int) -> None:
            words = [*_zone_words(table), *penalty_words(table), ties_words(season)]
            foot = list_foot(paper, words)
            top = draw_list_heading(paper, heading, said)
            draw_ruled(paper, top, _columns(), [_row(table, line) for line in lines], ROW)
            draw_list_foot(paper, page, pages, foot)

        return draw

    return [page_of(lines) for lines in in_chunks(table.lines, ON_A_PAGE)]


def _columns() -> list[ListColumn]:
    widths = [
        (_("Place"), 44.0),
        (_("Played"), 52.0),
        (_("Won"), 44.0),
        (_("Drawn"), 48.0),
        (_("Lost"), 48.0),
        (_("Match points"), 74.0),
        (_("Difference"), 70.0),
    ]
    columns = [ListColumn(label, width) for label, width in widths]
    name = width_between(wide=False) - sum(width for _label, width in widths)
    columns[-2] = ListColumn(widths[-2][0], widths[-2][1], bold=True)
    return [columns[0], ListColumn(_("Team"), name, align="left"), *columns[1:]]


def _row(table: DivisionTable, line: TableLine) -> list[ListCell]:
    row = line.row
    name = f"{row.team} {ZONES.get(line.zone, '')}".strip()
    figures = [row.played, row.won, row.drawn, row.lost]
    return [
        ListCell(str(row.place)),
        ListCell(name),
        *(ListCell(number(figure)) for figure in figures),
        ListCell(match_points(row.points, table.rule)),
        ListCell(signed(row.difference)),
    ]


def _zone_words(table: DivisionTable) -> list[str]:
    counts = [sum(line.zone == zone for line in table.lines) for zone in ZONES]
    up = ngettext("↑ %(n)s team goes up", "↑ %(n)s teams go up", counts[0]) % {"n": counts[0]}
    down = ngettext("↓ %(n)s team goes down", "↓ %(n)s teams go down", counts[1])
    said = [up if counts[0] else "", down % {"n": counts[1]} if counts[1] else ""]
    return [", ".join(words for words in said if words)] if any(said) else []


# A whole season.

DAY_HEAD, RESULT = 30.0, 15.0
BESIDE = 2


def season_pdf(tables: Sequence[DivisionTable], days: Sequence[ShownDay]) -> bytes:
    """The tables of all divisions, each followed by its match days with the results."""
    season = tables[0].division.season
    pages: list[Page] = []
    for table in tables:
        own = [shown for shown in days if shown.day.division_id == table.division.pk]
        pages += [*_table_pages(table), *_day_pages(table, own)]
    return _pages_pdf(f"{season.league.name} {season.name}", season.league, pages)


def _day_pages(table: DivisionTable, days: Sequence[ShownDay]) -> list[Page]:
    season = table.division.season
    heading = ListHeading(season.league, season.name, table.division.name)
    pieces = [_day_piece(shown) for shown in days]

    def page_of(on_page: Sequence[Piece]) -> Page:
        def draw(paper: Paper, page: int, pages: int) -> None:
            y = draw_list_heading(paper, heading, _("Match days"))
            for piece in on_page:
                piece.draw(paper, y)
                y -= piece.height
            draw_list_foot(paper, page, pages)

        return draw

    room = list_room(Paper("", author=""))
    return [page_of(on_page) for on_page in in_flow(pieces, room) if on_page]


def _day_piece(shown: ShownDay) -> Piece:
    matches = shown.matches
    rows = -(-len(matches) // BESIDE)

    def draw(paper: Paper, top: float) -> None:
        paper.text(
            MARGIN, top - 14, _day_words(shown.day), size=11, bold=True, width=paper.width - 80
        )
        column = (paper.width - 2 * MARGIN) / BESIDE
        for place, match in enumerate(matches):
            x = MARGIN + column * (place // rows)
            y = top - 30 - RESULT * (place % rows)
            paper.text(x, y, f"{match.round}. {match}", size=10, width=column - 110)
            paper.text(x + column - 16, y, _result(match), size=10, align="right", width=92)
        paper.line(MARGIN, top - 20, paper.width - MARGIN, top - 20, colour=RULE)

    return Piece(DAY_HEAD + RESULT * rows, draw)


def _day_words(day: MatchDay) -> str:
    """Which day it is, when and where."""
    when = date_format(day.date, "l j F Y") if day.date else _("The date is not known yet")
    if day.date and day.starts_at:
        when += f", {time_format(day.starts_at, 'H:i')}"
    where = _("%(name)s hosts") % {"name": day.host.name} if day.host else _("central")
    name = _("Match day %(n)s") % {"n": day.number}
    place = day.place if day.host is None or day.place != day.host.name else ""
    return " · ".join(part for part in (name, when, where, place) if part)


def _result(match: LeagueMatch) -> str:
    if match.walkover:
        return _("%(name)s did not appear") % {"name": match.walkover.name}
    if not match.scores:
        return ""
    one, two = match.totals
    return f"{number(one)} – {number(two)}"


# The forms of a match day.

MATCH_HEAD, TABLE_HEAD, TABLE, TOTAL, SIGN = 26.0, 20.0, 50.0, 28.0, 96.0
POINTS = 74.0


def match_forms_pdf(shown: ShownDay, line_ups: LineUps) -> bytes:
    """A page for each round of a match day: its matches with who sits at each table, room for the
    points and for substitutes, and the signatures of both captains."""
    day = shown.day
    season = day.division.season
    pages = [
        _form_page(shown, round_, on_page, line_ups)
        for round_, matches in shown.rounds
        for on_page in _fitting(matches, season.tables)
    ]
    title = _("Match form")
    return _pages_pdf(f"{title} {_day_words(day)}", season.league, pages)


def _match_height(tables: int) -> float:
    return MATCH_HEAD + TABLE_HEAD + TABLE * tables + TOTAL + SIGN


def _fitting(matches: Sequence[LeagueMatch], tables: int) -> list[list[tuple[int, LeagueMatch]]]:
    """The matches over pages, each with its place in the round."""
    each = max(1, int(list_room(Paper("", author="")) // _match_height(tables)))
    placed = list(enumerate(matches))
    return [placed[start : start + each] for start in range(0, len(placed), each)]


def _form_page(
    shown: ShownDay,
    round_: int,
    matches: Sequence[tuple[int, LeagueMatch]],
    line_ups: LineUps,
) -> Page:
    day = shown.day
    season = day.division.season
    when = date_format(day.date, "l j F Y") if day.date else day.division.name
    heading = ListHeading(season.league, f"{day.division.name} · {when}", _("Match form"))
    said = _("match day %(n)s, round %(round)s") % {"n": day.number, "round": round_}

    def draw(paper: Paper, page: int, pages: int) -> None:
        y = draw_list_heading(paper, heading, said)
        for place, match in matches:
            _draw_match(
                paper,
                y,
                match,
                first=place * season.tables,
                tables=season.tables,
                line_ups=line_ups,
            )
            y -= _match_height(season.tables)
        draw_list_foot(paper, page, pages)

    return draw


def _draw_match(
    paper: Paper, top: float, match: LeagueMatch, *, first: int, tables: int, line_ups: LineUps
) -> None:
    """One match from `top` down; its tables are numbered on from `first`."""
    left, right = MARGIN, paper.width - MARGIN
    paper.text(left, top - 18, str(match), size=16, heading=True, width=right - left, colour=FELT)
    y = top - MATCH_HEAD
    side = (right - left - 50 - 2 * POINTS) / 2
    columns = [50.0, side, side, POINTS, POINTS]
    labels = [
        _("Table"),
        f"{_('N–S')}: {match.home.name}",
        f"{_('E–W')}: {match.away.name}",
        match.home.name,
        match.away.name,
    ]
    paper.box(left, y - TABLE_HEAD, right - left, TABLE_HEAD, fill=SHADE)
    x = left
    for label, width in zip(labels, columns, strict=True):
        paper.text(x + 4, y - 14, label, size=9, bold=True, width=width - 8)
        x += width
    y -= TABLE_HEAD
    for table in range(tables):
        _draw_table(paper, y, (first, table), match, columns=columns, line_ups=line_ups)
        y -= TABLE
    paper.text(right - 2 * POINTS - 8, y - 18, _("Total"), size=11, bold=True, align="right")
    for step in (2, 1):
        paper.box(right - step * POINTS, y - TOTAL, POINTS, TOTAL, thick=1.2)
    _draw_signatures(paper, y - TOTAL, match)


def _draw_table(
    paper: Paper,
    top: float,
    place: tuple[int, int],
    match: LeagueMatch,
    *,
    columns: Sequence[float],
    line_ups: LineUps,
) -> None:
    """The row of one table: the names of both pairs, and room for the points."""
    first, table = place
    x = MARGIN
    for index, width in enumerate(columns):
        paper.box(x, top - TABLE, width, TABLE, thick=0.6, edge=SOFT)
        if index == 0:
            words = str(first + table + 1)
            paper.text(x + width / 2, top - 31, words, size=16, bold=True, align="centre")
        elif index < 3:
            team = match.home_id if index == 1 else match.away_id
            four = line_ups.get((match.round, team), ())
            pair = [*four[2 * table : 2 * table + 2], "", ""][:2]
            for line, name in enumerate(pair):
                foot = top - 20 - 22 * line
                paper.text(x + 5, foot + 1, name, size=11, width=width - 10)
                paper.line(x + 4, foot - 3, x + width - 4, foot - 3, colour=RULE)
        x += width


def _draw_signatures(paper: Paper, top: float, match: LeagueMatch) -> None:
    left, right = MARGIN, paper.width - MARGIN
    said = _("Substitutes, and from which deal")
    paper.text(left, top - 16, said, size=9, colour=SOFT)
    paper.line(left + 170, top - 18, right, top - 18, colour=RULE)
    half = (right - left - 20) / 2
    for place, team in enumerate((match.home.name, match.away.name)):
        x = left + place * (half + 20)
        words = _("Signature of the captain of %(team)s") % {"team": team}
        paper.line(x, top - 62, x + half, top - 62)
        paper.text(x, top - 73, words, size=9, width=half, colour=SOFT)
