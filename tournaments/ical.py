"""A club's evenings as a calendar that telephones and computers subscribe to."""

import datetime as dt
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from icalendar import STATUS, TRANSP, Calendar, Event, vDuration, vText

from clubs.links import absolute_url
from clubs.models import Club
from tournaments.evening_words import length_line
from tournaments.models import Evening

ASK_AGAIN = dt.timedelta(hours=6)
LENGTH = dt.timedelta(hours=4)
YEAR = dt.timedelta(days=366)
CANCELLED = Evening.State.CANCELLED
TO_PLAY = Evening.State.PLANNED, Evening.State.RUNNING


def ical_of(club: Club, evenings: Iterable[Evening]) -> bytes:
    """The evenings as an iCalendar file, each under a UID that it keeps for ever: from its start
    in the time zone that goes along, or a whole day where no start is known. Nobody says when an
    evening ends, so that four hours are assumed.

    An evening that was called off stays in it, marked, so that it goes from who has it already.
    """
    name = vText(_("Klaverjassen, %(club)s") % {"club": club.name})
    calendar = Calendar.new(
        prodid="-//Klaverclub//Klaverclub//NL",
        language=club.language,
        uid=f"{club.slug}@klaverclub",
        url=absolute_url(club, reverse("club_calendar", args=[club.slug])),
    )
    calendar.add("NAME", name)
    calendar.add("X-WR-CALNAME", name)
    calendar.add("REFRESH-INTERVAL", ASK_AGAIN, {"VALUE": "DURATION"})
    calendar.add("X-PUBLISHED-TTL", vDuration(ASK_AGAIN))
    calendar.add("X-WR-TIMEZONE", settings.TIME_ZONE)
    stamp = timezone.now()
    told = list(evenings)
    for evening in told:
        calendar.add_component(_event(club, evening, stamp))
    if timed := [evening.date for evening in told if evening.starts_at]:
        calendar.add_missing_timezones(min(timed) - YEAR, max(timed) + YEAR)
    return bytes(calendar.to_ical())


def _event(club: Club, evening: Evening, stamp: dt.datetime) -> Event:
    off = evening.state == CANCELLED
    start, end = _from_till(evening)
    return Event.new(
        uid=f"{evening.uuid}@klaverclub",
        summary=_summary(club, evening, off=off),
        description=length_line(evening) if evening.state in TO_PLAY else None,
        start=start,
        end=end,
        status=STATUS.CANCELLED if off else STATUS.CONFIRMED,
        transparency=TRANSP.TRANSPARENT,
        sequence=evening.revision,
        stamp=stamp,
        url=absolute_url(club, reverse("evening_page", args=[club.slug, evening.slug])),
    )


def _from_till(evening: Evening) -> tuple[dt.date, dt.date]:
    """The moments between which an evening is; the days where no time is known."""
    if evening.starts_at is None:
        return evening.date, evening.date + dt.timedelta(days=1)
    zone = ZoneInfo(settings.TIME_ZONE)
    start = dt.datetime.combine(evening.date, evening.starts_at, zone)
    # Counted in UTC: in the night that the clock changes four hours stay four.
    return start, (start.astimezone(dt.UTC) + LENGTH).astimezone(zone)


def _summary(club: Club, evening: Evening, *, off: bool) -> str:
    what = evening.name or _("Klaverjas evening")
    words = {"what": what, "club": club.name}
    return (_("Called off: %(what)s, %(club)s") if off else _("%(what)s, %(club)s")) % words
