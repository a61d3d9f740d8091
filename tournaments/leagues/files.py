"""What of a league leaves the pages: tables, seasons, rankings and forms on paper, days."""

import datetime as dt
from collections.abc import Callable, Iterable, Sequence

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.text.numbers import number, signed
from scoring.pdf.paper import RULE, Paper
from tournaments.desk.views.public import match_day_event
from tournaments.leagues.queries import DivisionTable, ShownDay, TableLine
from tournaments.leagues.results import LiveMatch
from tournaments.leagues.texts import match_points, penalty_words, ties_words
from tournaments.models import (
    League,
    LeagueMatch,
    LeagueRanking,
    LeagueSeason,
    MatchDay,
    RankingList,
)
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


def ranking_pdf(
    ranking: LeagueRanking,
    made: RankingList,
    lines: Sequence[tuple[str, str, str, str]],
    words: Sequence[str],
) -> bytes:
    """An official list of a ranking on A4; of each line place, name, number and value."""
    day = date_format(made.on, "j F Y")
    heading = ListHeading(ranking.league, ranking.name, day)
    said = _("List %(n)s, published on %(day)s") % {
        "n": made.number,
        "day": date_format(timezone.localtime(made.published_at), "j F Y"),
    }
    paper = Paper(ranking.name, author=ranking.league.name)
    foot = list_foot(paper, words[:2])
    columns = [ListColumn(_("Place"), 50.0), ListColumn(_("Number"), 60.0)]
    value = ListColumn(_("Value"), 80.0, bold=True)
    name = width_between(wide=False) - sum(column.width for column in (*columns, value))
    columns = [columns[0], ListColumn(_("Name"), name, align="left"), columns[1], value]
    pages = in_chunks(lines, ON_A_PAGE)
    for page, rows in enumerate(pages, 1):
        top = draw_list_heading(paper, heading, said)
        draw_ruled(paper, top, columns, [[ListCell(text) for text in row] for row in rows], ROW)
        draw_list_foot(paper, page, len(pages), foot)
        paper.next_page()
    return paper.finish()


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


FORM_ROW = 34.0
ASK_AGAIN = dt.timedelta(hours=6)
YEAR = dt.timedelta(days=366)


def match_forms_pdf(day: MatchDay, matches: Sequence[LiveMatch]) -> bytes:
    """The match forms of a day, one a page: who sits at which table, room for the points, and for
    the signatures of both captains."""
    season = day.division.season
    when = date_format(day.date, "l j F Y") if day.date else _("the date is not known yet")
    paper = Paper(_("Match forms"), author=season.league.name)
    foot = list_foot(
        paper,
        [
            ngettext(
                "Signed by both captains. The visitors can object within %(n)s hour.",
                "Signed by both captains. The visitors can object within %(n)s hours.",
                season.answer_hours,
            )
            % {"n": season.answer_hours}
        ],
    )
    for page, live in enumerate(matches, 1):
        match = live.match
        heading = ListHeading(season.league, f"{day.division.name} · {when}", _("Match form"))
        said = _("match day %(n)s, round %(round)s") % {"n": day.number, "round": match.round}
        top = draw_list_heading(paper, heading, said)
        rows = _form_rows(season, live)
        draw_ruled(paper, top, _form_columns(match), rows, FORM_ROW)
        y = top - FORM_ROW * (len(rows) + 2)
        for x, team in ((MARGIN, match.home), (paper.width / 2 + 8, match.away)):
            paper.text(x, y, _("Captain of %s:") % team.name, size=11, width=220)
            paper.line(x, y - 52, x + 220, y - 52)
        draw_list_foot(paper, page, len(matches), foot)
        paper.next_page()
    return paper.finish()


def _form_columns(match: LeagueMatch) -> list[ListColumn]:
    points = 72.0
    name = (width_between(wide=False) - 52.0 - 2 * points) / 2
    return [
        ListColumn(_("Table"), 52.0, align="left"),
        ListColumn(match.home.name, name, align="left"),
        ListColumn(_("Points"), points),
        ListColumn(match.away.name, name, align="left"),
        ListColumn(_("Points"), points),
    ]


def _form_rows(season: LeagueSeason, live: LiveMatch) -> list[list[ListCell]]:
    """Two rows a table, a partner in each; what was played already has its points."""
    rows = []
    for nth in range(season.tables):
        table = live.tables[nth] if nth < len(live.tables) else None
        score = live.match.scores[nth] if nth < len(live.match.scores) else None
        for partner in (0, 1):
            home, away = (
                side[partner] if table and partner < len(side) else ""
                for side in ((table.home, table.away) if table else ((), ()))
            )
            points = [number(each) for each in score] if score and partner == 0 else ["", ""]
            label = str(table.number if table and table.number else nth + 1)
            rows.append(
                [
                    ListCell(label if partner == 0 else ""),
                    ListCell(home),
                    ListCell(points[0]),
                    ListCell(away),
                    ListCell(points[1]),
                ]
            )
    blank = ListCell("")
    rows.append([ListCell(_("Total")), blank, blank, blank, blank])
    return rows


def league_ical(league: League, days: Iterable[ShownDay], *, base: str, name: str) -> bytes:
    """Match days with a date as an iCalendar file, each under a permanent UID. `base` is the
    address of this server."""
    from icalendar import Calendar, vDuration, vText

    known = [shown for shown in days if shown.day.date]
    calendar = Calendar.new(
        prodid="-//Klaverclub//Klaverclub//NL",
        language=league.language,
        uid=f"{league.uuid}@klaverclub",
        url=f"{base}{league.get_absolute_url()}",
    )
    calendar.add("NAME", vText(name))
    calendar.add("X-WR-CALNAME", vText(name))
    calendar.add("REFRESH-INTERVAL", ASK_AGAIN, {"VALUE": "DURATION"})
    calendar.add("X-PUBLISHED-TTL", vDuration(ASK_AGAIN))
    calendar.add("X-WR-TIMEZONE", settings.TIME_ZONE)
    stamp = timezone.now()
    for shown in known:
        day = shown.day
        place = [league.slug, day.division.season.slug, day.division.position]
        address = f"{base}{reverse('league_division', args=place)}"
        teams = [team.name for team in shown.teams]
        calendar.add_component(match_day_event(day, teams, stamp=stamp, address=address))
    timed = [shown.day.date for shown in known if shown.day.starts_at and shown.day.date]
    if timed:
        calendar.add_missing_timezones(min(timed) - YEAR, max(timed) + YEAR)
    return bytes(calendar.to_ical())
