"""The match days of a league as a calendar."""

import datetime as dt
from collections.abc import Iterable, Sequence

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.text.numbers import number
from scoring.pdf.paper import Paper
from tournaments.desk.views.public import match_day_event
from tournaments.leagues.queries import ShownDay
from tournaments.leagues.results import LiveMatch
from tournaments.models import League, LeagueMatch, LeagueSeason, MatchDay
from tournaments.printing.page import (
    MARGIN,
    ListCell,
    ListColumn,
    ListHeading,
    draw_list_foot,
    draw_list_heading,
    draw_ruled,
    list_foot,
    width_between,
)

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
            _("Signed by both captains. The visitors can object within %(n)s hours.")
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
