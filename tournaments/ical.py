"""A club's evenings as a calendar that telephones and computers subscribe to."""

import datetime as dt
from collections.abc import Iterable

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
CANCELLED = Evening.State.CANCELLED
TO_PLAY = Evening.State.PLANNED, Evening.State.RUNNING


def ical_of(club: Club, evenings: Iterable[Evening]) -> bytes:
    """The evenings as an iCalendar file, each a whole day under a UID that it keeps for ever.

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
    for evening in evenings:
        calendar.add_component(_event(club, evening, stamp))
    return bytes(calendar.to_ical())


def _event(club: Club, evening: Evening, stamp: dt.datetime) -> Event:
    off = evening.state == CANCELLED
    return Event.new(
        uid=f"{evening.uuid}@klaverclub",
        summary=_summary(club, evening, off=off),
        description=length_line(evening) if evening.state in TO_PLAY else None,
        start=evening.date,
        end=evening.date + dt.timedelta(days=1),
        status=STATUS.CANCELLED if off else STATUS.CONFIRMED,
        transparency=TRANSP.TRANSPARENT,
        sequence=evening.revision,
        stamp=stamp,
        url=absolute_url(club, reverse("evening_page", args=[club.slug, evening.slug])),
    )


def _summary(club: Club, evening: Evening, *, off: bool) -> str:
    what = evening.name or _("Klaverjas evening")
    words = {"what": what, "club": club.name}
    return (_("Called off: %(what)s, %(club)s") if off else _("%(what)s, %(club)s")) % words
