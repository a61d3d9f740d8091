"""The winners of each of a club's evenings, without reading whole standings."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models.fields.json import KT
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from icalendar import STATUS, TRANSP, Calendar, Event, vDuration, vText

from clubs.access.permissions import public_view
from clubs.files.exports import Cell, ListFile, list_response
from clubs.http.network import absolute_url
from clubs.merges.queries import people_today
from clubs.models import Club, Member
from tournaments.evenings.texts import length_line
from tournaments.models import Evening, Release, Season

FIRST_LINES = range(3)


def winners_of(club: Club) -> dict[int, str]:
    """The names of those in first place by evening id, as the public sees them today, from the
    latest release. Two queries for any number of evenings, three if a guest became a member."""
    firsts: dict[int, list[int]] = {}
    ranks = {f"rank_{line}": KT(f"standings__{line}__rank") for line in FIRST_LINES}
    members = {f"member_{line}": KT(f"standings__{line}__member") for line in FIRST_LINES}
    published = Release.objects.filter(evening__club=club, evening__state=Evening.State.CLOSED)
    for row in (
        published.order_by("number")
        .annotate(**ranks, **members)
        .values("evening_id", *ranks, *members)
    ):
        firsts[row["evening_id"]] = [
            int(row[f"member_{line}"]) for line in FIRST_LINES if str(row[f"rank_{line}"]) == "1"
        ]
    people = people_today(pk for first in firsts.values() for pk in first)
    return {evening: _in_words(first, people) for evening, first in firsts.items()}


def _in_words(first: Sequence[int], people: Mapping[int, Member]) -> str:
    names = [people[pk].shown_name for pk in first if pk in people]
    if len(names) > len(FIRST_LINES) - 1:
        return _("%(names)s and others") % {"names": ", ".join(names[:-1])}
    return _(" and ").join(names)


# A club's evenings as a calendar that telephones and computers subscribe to.

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


# When a club plays and has played: as a page, as a file, and as a calendar to subscribe to.


@dataclass(frozen=True, slots=True)
class Line:
    """An evening, and who won it; empty as long as there is no result."""

    evening: Evening
    won_by: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """The evenings of one season that are over, newest first; without a season the loose ones."""

    season: Season | None
    lines: Sequence[Line]


@require_safe
@public_view
def club_calendar(request: HttpRequest, club: Club) -> HttpResponse:
    """What is still to come, soonest first, and below it every season's evenings."""
    won = winners_of(club)
    lines = [Line(evening, won.get(evening.pk, "")) for evening in _evenings(club)]
    if file := list_response(request, lambda: _file(club, lines)):
        return file
    feed = absolute_url(club, reverse("club_ical", args=[club.slug]))
    context = {
        "club": club,
        "to_come": [line for line in reversed(lines) if is_to_come(line.evening)],
        "stretches": list(_stretches(line for line in lines if not is_to_come(line.evening))),
        "feed": feed,
        "subscribe": f"webcal:{feed.partition(':')[2]}",
    }
    return render(request, "tournaments/desk/calendar.html", context)


@require_safe
@public_view
def club_ical(request: HttpRequest, club: Club) -> HttpResponse:
    """Every evening of the club for a calendar program, which asks for it again by itself."""
    return HttpResponse(
        ical_of(club, _evenings(club)),
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": f'inline; filename="{club.slug}.ics"'},
    )


def is_to_come(evening: Evening) -> bool:
    """Whether an evening is being played, or is on a day that has not passed."""
    if evening.state == Evening.State.RUNNING:
        return True
    return evening.state != Evening.State.CLOSED and evening.date >= timezone.localdate()


def _evenings(club: Club) -> list[Evening]:
    """Newest first. One query."""
    return list(Evening.objects.of(club).select_related("season").order_by("-date", "-sequence"))


def _stretches(lines: Iterable[Line]) -> Iterable[Stretch]:
    """By season, in the order in which each was last played."""
    by_season: dict[int | None, list[Line]] = {}
    for line in lines:
        by_season.setdefault(line.evening.season_id, []).append(line)
    for found in by_season.values():
        yield Stretch(found[0].evening.season, found)


def _file(club: Club, lines: Sequence[Line]) -> ListFile:
    """Oldest first, as people keep a list of dates."""
    return ListFile(
        name=f"{club.name} {_('Calendar')}",
        columns={
            "date": _("Date"),
            "name": _("Name"),
            "season": _("Season"),
            "state": _("State"),
            "winner": _("Winner"),
            "url": _("Address"),
        },
        rows=[_cells(club, line.evening, line.won_by) for line in reversed(lines)],
    )


def _cells(club: Club, evening: Evening, won_by: str) -> list[Cell]:
    return [
        evening.date.isoformat(),
        evening.name,
        evening.season.name if evening.season else "",
        evening.state,
        won_by,
        absolute_url(club, reverse("evening_page", args=[club.slug, evening.slug])),
    ]
