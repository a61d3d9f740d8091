"""What of a league leaves the pages: the table of a division on paper, match days as a calendar."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.text.numbers import number, signed
from scoring.pdf.paper import Paper
from tournaments.leagues.queries import DivisionTable, ShownDay, TableLine
from tournaments.leagues.results import LiveMatch
from tournaments.leagues.texts import match_points, ties_words
from tournaments.models import AWAY, HOME, League, LeagueMatch, LeagueSeason, MatchDay
from tournaments.printing.page import (
    MARGIN,
    ListCell,
    ListColumn,
    ListHeading,
    draw_list_foot,
    draw_list_heading,
    draw_ruled,
    in_chunks,
    list_foot,
    width_between,
)

if TYPE_CHECKING:
    from icalendar import Event

ROW = 22.0
FORM_ROW = 34.0
ON_A_PAGE = 24
ASK_AGAIN = dt.timedelta(hours=6)
LENGTH = dt.timedelta(hours=4)
YEAR = dt.timedelta(days=366)
ZONES = {"up": "↑", "down": "↓"}


def table_pdf(table: DivisionTable) -> bytes:
    """The table of a division on A4, and below it what decides between equal teams."""
    season = table.division.season
    heading = ListHeading(season.league, season.name, table.division.name)
    said = _("%(played)s of %(of)s matches played") % {"played": table.played, "of": table.of}
    paper = Paper(table.division.name, author=season.league.name)
    foot = list_foot(paper, [*_zone_words(table), ties_words(season)])
    pages = in_chunks(table.lines, ON_A_PAGE)
    for page, lines in enumerate(pages, 1):
        top = draw_list_heading(paper, heading, said)
        draw_ruled(paper, top, _columns(), [_row(table, line) for line in lines], ROW)
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


def match_forms_pdf(
    day: MatchDay, matches: Sequence[LiveMatch], named: Mapping[tuple[int, str], Sequence[str]]
) -> bytes:
    """The match forms of a day, one a page: who sits at which table, room for the points, and for
    the signatures of both captains. Before a round is seated it has who was `named`, by match and
    side."""
    season = day.division.season
    when = date_format(day.date, "l j F Y") if day.date else _("the date is not known yet")
    paper = Paper(_("Match forms"), author=season.league.name)
    foot = list_foot(
        paper,
        [
            _("Signed by both captains. The visitors can object within %(n)s hours.")
            % {"n": season.answer_hours}
        ],
    )
    for page, live in enumerate(matches, 1):
        match = live.match
        heading = ListHeading(season.league, f"{day.division.name} · {when}", _("Match form"))
        said = _("match day %(n)s, round %(round)s") % {"n": day.number, "round": match.round}
        top = draw_list_heading(paper, heading, said)
        rows = _form_rows(season, live, named)
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


def _form_rows(
    season: LeagueSeason, live: LiveMatch, named: Mapping[tuple[int, str], Sequence[str]]
) -> list[list[ListCell]]:
    """Two rows a table, a partner in each; what was played already has its points."""
    rows = []
    chosen = [named.get((live.match.pk, side), ()) for side in (HOME, AWAY)]
    for nth in range(season.tables):
        part = slice(2 * nth, 2 * nth + 2)
        table = live.tables[nth] if nth < len(live.tables) else None
        score = live.match.scores[nth] if nth < len(live.match.scores) else None
        sides = (table.home, table.away) if table else [people[part] for people in chosen]
        for partner in (0, 1):
            home, away = (side[partner] if partner < len(side) else "" for side in sides)
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
        calendar.add_component(_event(league, shown, stamp, base))
    timed = [shown.day.date for shown in known if shown.day.starts_at and shown.day.date]
    if timed:
        calendar.add_missing_timezones(min(timed) - YEAR, max(timed) + YEAR)
    return bytes(calendar.to_ical())


def _event(league: League, shown: ShownDay, stamp: dt.datetime, base: str) -> "Event":
    from icalendar import STATUS, TRANSP, Event

    day = shown.day
    season = day.division.season
    start, end = _from_till(day.date or dt.date.min, day.starts_at)
    teams = ", ".join(team.name for team in shown.teams)
    said = _("%(division)s, match day %(n)s: %(teams)s")
    place = [league.slug, season.slug, day.division.position]
    return Event.new(
        uid=f"{league.uuid}-{day.pk}@klaverclub",
        summary=said % {"division": day.division.name, "n": day.number, "teams": teams},
        description=_("Moved: %(why)s") % {"why": day.moved_why} if day.moved_why else None,
        location=day.place or (day.host.name if day.host else None),
        start=start,
        end=end,
        status=STATUS.CONFIRMED,
        transparency=TRANSP.TRANSPARENT,
        sequence=day.version,
        stamp=stamp,
        url=f"{base}{reverse('league_division', args=place)}",
    )


def _from_till(date: dt.date, starts_at: dt.time | None) -> tuple[dt.date, dt.date]:
    """The start and the end of a day; whole days if no time is known."""
    if starts_at is None:
        return date, date + dt.timedelta(days=1)
    zone = ZoneInfo(settings.TIME_ZONE)
    start = dt.datetime.combine(date, starts_at, zone)
    return start, (start.astimezone(dt.UTC) + LENGTH).astimezone(zone)
