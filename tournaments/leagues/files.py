"""The match days of a league as a calendar."""

import datetime as dt
from collections.abc import Iterable

from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from tournaments.desk.views.public import match_day_event
from tournaments.leagues.queries import ShownDay
from tournaments.models import League

ASK_AGAIN = dt.timedelta(hours=6)
YEAR = dt.timedelta(days=366)


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
