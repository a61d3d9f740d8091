"""A club's public page with its picture, and its calendar as a page and as a file."""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Count, F, Q
from django.db.models.fields.json import KT
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access.permissions import public_view
from clubs.files.exports import ListFile, list_response
from clubs.files.spreadsheet import Cell
from clubs.http.network import absolute_url
from clubs.merges.services import people_today
from clubs.models import Club
from clubs.text.numbers import number
from tournaments.entries.queries import Entering, entering_among
from tournaments.evenings.pages import (
    ClubMatchDay,
    match_days_of,
    player_url,
    public_name,
    shown_people,
)
from tournaments.evenings.texts import length_line
from tournaments.models import Evening, MatchDay, Release, Season
from tournaments.prizes.views import public_cups
from tournaments.releases.lines import public_lines
from tournaments.releases.queries import PublicRow
from tournaments.releases.services import stale_release
from tournaments.results.link_previews import LINES, TopLine, card_response, club_preview
from tournaments.results.standing import StandingLine, podium, standing_lines
from tournaments.seasons.standings import season_leaders, season_rule
from tournaments.seasons.texts import minimum_line
from tournaments.standings.core.results import Points

if TYPE_CHECKING:
    from icalendar import Event

TOP = 5
EARLIER = 6
PLAYED = Q(evenings__state=Evening.State.CLOSED)
PLANNED, RUNNING = Evening.State.PLANNED, Evening.State.RUNNING


@dataclass(frozen=True, slots=True)
class Leader:
    """One of the season's leaders; `total` is the value that decides the place, which is None where
    nobody has one yet. `move` is how many places they went up by the last evening, `scores` what
    they scored on each."""

    rank: int | None
    name: str
    url: str
    total: Points
    move: int | None
    scores: Sequence[int | None]


@require_safe
@public_view
def club_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Tonight or the next evening, the top five of the last one and of the season, and links."""
    return render(request, "tournaments/desk/club.html", club_context(club))


def club_context(club: Club) -> dict[str, Any]:
    """The context of a club's page."""
    now = evenings_now(club)
    closed = list(Evening.objects.of(club).filter(state=Evening.State.CLOSED)[:EARLIER])
    seasons = _seasons(club)
    season = _shown_of(seasons)
    rows = _last_rows(closed)
    steps = podium(rows, partial(player_url, club))
    last_top = standing_lines(
        [row for row in rows if row.rank is not None and row.rank <= TOP],
        partial(player_url, club),
    )
    season_lines = season_top(club, season, TOP) if season else []
    lines = _with_entering(now, {})
    return {
        "club": club,
        "preview": club_preview(
            club, next(iter(now), None), _top_lines(last_top), _top_lines(season_lines)
        ),
        "today": timezone.localdate(),
        "now": lines[:1],
        "later": lines[1:],
        "last": closed[0] if closed else None,
        "last_top": [line for line in last_top if not steps or (line.rank or 0) > steps[-1].place],
        "podium": steps,
        "stale": bool(stale_release(closed[0])) if closed else False,
        "earlier": closed[1:],
        "season": season,
        "season_top": season_lines,
        "season_scale": _scale(season_lines),
        "minimum": _minimum(season) if not any(line.rank for line in season_lines) else "",
        "seasons": seasons,
        "cups": public_cups(club),
    }


@require_safe
@public_view
def club_standing(request: HttpRequest, club: Club) -> HttpResponse:
    """The standing of the season of now, to which the menu leads without knowing which it is."""
    season = season_of(club)
    return redirect("season_page", club.slug, season.slug) if season else redirect(club)


def _seasons(club: Club) -> list[Season]:
    counted = club.seasons.annotate(played=Count("evenings", filter=PLAYED))
    # Annotating with a count drops the model's own order.
    return list(counted.order_by(F("starts").desc(nulls_last=True), "-pk"))


def season_of(club: Club) -> Season | None:
    """The season that the club's page shows: the last with a played evening, else the last that has
    begun, else the first to come."""
    return _shown_of(_seasons(club))


def _shown_of(seasons: Sequence[Season]) -> Season | None:
    played = (season for season in seasons if getattr(season, "played", 0))
    today = timezone.localdate()
    begun = (season for season in seasons if season.starts is None or season.starts <= today)
    return next(played, next(begun, seasons[-1] if seasons else None))


def _top_lines(top: Iterable[StandingLine | Leader]) -> list[TopLine]:
    """The first places as a link preview shows them."""
    return [
        TopLine(line.rank, line.name, number(line.total))
        for line in top
        if line.rank and line.rank <= LINES
    ]


def evenings_now(club: Club) -> list[Evening]:
    """At most four evenings: those being played, then those to come."""
    wanted = Q(state=RUNNING) | Q(state=PLANNED, date__gte=timezone.localdate())
    evenings = Evening.objects.of(club).filter(wanted).order_by("date", "sequence")[:4]
    return sorted(evenings, key=lambda evening: evening.state != RUNNING)


def _last_rows(closed: Sequence[Evening]) -> list[PublicRow]:
    return public_lines(closed[0]) if closed else []


def season_top(club: Club, season: Season, places: int) -> list[Leader]:
    """The first places of a season, under public names."""
    leaders = season_leaders(season, places)
    people = shown_people(club, (leader.player_id for leader in leaders))
    return [
        Leader(
            leader.rank,
            people[leader.player_id].name,
            people[leader.player_id].url,
            leader.value,
            leader.before - leader.rank if leader.before and leader.rank else None,
            leader.scores,
        )
        for leader in leaders
    ]


def _minimum(season: Season | None) -> str:
    return minimum_line(season_rule(season)) if season else ""


def _scale(leaders: Iterable[Leader]) -> tuple[int, int]:
    """The lowest and the highest score, between which all their lines are drawn."""
    scores = [score for leader in leaders for score in leader.scores if score is not None]
    return (min(scores), max(scores)) if scores else (0, 0)


@require_safe
@public_view
def club_card(request: HttpRequest, club: Club) -> HttpResponse:
    """The picture for links to a club."""
    return card_response(club, club_context(club)["preview"])


# When a club plays and has played: as a page, a file and a calendar to subscribe to.

FIRST_LINES = range(3)
WON_BY = (
    ("rank", "standings", "rank"),
    ("member", "standings", "member"),
    ("ranked", "competitors", "ranked"),
    ("team_rank", "competitors", "rank"),
    ("team", "competitors", "competitor"),
)
"""What is read of each of those: its name here, its list in a release, and its key there."""
ASK_AGAIN = dt.timedelta(hours=6)
LENGTH = dt.timedelta(hours=4)
"""The assumed length of an evening: no end is known."""
YEAR = dt.timedelta(days=366)
CANCELLED = Evening.State.CANCELLED
TO_PLAY = Evening.State.PLANNED, Evening.State.RUNNING


def winners_of(club: Club) -> dict[int, str]:
    """The public names of those in first place in the last release, by evening id: teams, or pairs,
    where the evening ranked these.

    Reads only the first lines of each standing. Two queries for any number of evenings, three if a
    guest became a member, and two more if teams or pairs won.
    """
    firsts: dict[int, list[int]] = {}
    teams: dict[int, list[str]] = {}
    columns = {
        f"{name}_{line}": KT(f"{path}__{line}__{key}")
        for line in FIRST_LINES
        for name, path, key in WON_BY
    }
    published = Release.objects.filter(evening__club=club, evening__state=Evening.State.CLOSED)
    lines = published.order_by("number").annotate(**columns).values("evening_id", *columns)
    for row in lines:
        firsts[row["evening_id"]] = [
            int(row[f"member_{line}"]) for line in FIRST_LINES if str(row[f"rank_{line}"]) == "1"
        ]
        teams[row["evening_id"]] = [
            row[f"team_{line}"]
            for line in FIRST_LINES
            if str(row[f"ranked_{line}"]) in ("1", "true")
            and str(row[f"team_rank_{line}"]) == "1"
            and row[f"team_{line}"]
        ]
    people = people_today(pk for first in firsts.values() for pk in first)
    called = _teams_called(club, {uuid for first in teams.values() for uuid in first})
    return {
        evening: _in_words(
            [called[uuid] for uuid in teams[evening] if uuid in called]
            or [people[pk].shown_name for pk in first if pk in people]
        )
        for evening, first in firsts.items()
    }


def _teams_called(club: Club, uuids: Collection[str]) -> dict[str, str]:
    """The public names of these teams and pairs. Two queries, and none for none."""
    chosen = club.competitors.filter(uuid__in=uuids).prefetch_related("people__member")
    return {str(team.uuid): public_name(team) for team in chosen} if uuids else {}


def _in_words(names: Sequence[str]) -> str:
    if len(names) > len(FIRST_LINES) - 1:
        return _("%(names)s and others") % {"names": ", ".join(names[:-1])}
    return _(" and ").join(names)


def ical_of(
    club: Club, evenings: Iterable[Evening], match_days: Iterable[ClubMatchDay] = ()
) -> bytes:
    """The evenings and match days as an iCalendar file, each under a permanent UID.

    An evening without a known start takes a whole day. One that was called off stays in the file,
    marked, so that subscribers' calendars drop it.
    """
    from icalendar import Calendar, vDuration, vText

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
    timed = []
    for evening in evenings:
        calendar.add_component(_event(club, evening, stamp))
        if evening.starts_at:
            timed.append(evening.date)
    for day in match_days:
        address = absolute_url(club, day.url)
        event = match_day_event(day.match_day, day.teams, stamp=stamp, address=address)
        calendar.add_component(event)
        if day.match_day.starts_at and day.match_day.date:
            timed.append(day.match_day.date)
    if timed:
        calendar.add_missing_timezones(min(timed) - YEAR, max(timed) + YEAR)
    return bytes(calendar.to_ical())


def _event(club: Club, evening: Evening, stamp: dt.datetime) -> "Event":
    from icalendar import STATUS, TRANSP, Event

    off = evening.state == CANCELLED
    start, end = _from_till(evening.date, evening.starts_at)
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


def match_day_event(
    day: MatchDay, teams: Iterable[str], *, stamp: dt.datetime, address: str
) -> "Event":
    """A match day of a league, under the same UID in every calendar that has it."""
    from icalendar import STATUS, TRANSP, Event

    league = day.division.season.league
    words = {"division": day.division.name, "n": day.number, "teams": ", ".join(teams)}
    start, end = _from_till(day.date or dt.date.min, day.starts_at)
    return Event.new(
        uid=f"{league.uuid}-{day.pk}@klaverclub",
        summary=_("%(division)s, match day %(n)s: %(teams)s") % words,
        description=_("Moved: %(why)s") % {"why": day.moved_why} if day.moved_why else None,
        location=day.place or (day.host.name if day.host else None),
        start=start,
        end=end,
        status=STATUS.CONFIRMED,
        transparency=TRANSP.TRANSPARENT,
        sequence=day.version,
        stamp=stamp,
        url=address,
    )


def _from_till(date: dt.date, starts_at: dt.time | None) -> tuple[dt.date, dt.date]:
    """The start and the end; days if no time is known."""
    if starts_at is None:
        return date, date + dt.timedelta(days=1)
    zone = ZoneInfo(settings.TIME_ZONE)
    start = dt.datetime.combine(date, starts_at, zone)
    # Added in UTC: when the clock changes during the evening, four hours stay four.
    return start, (start.astimezone(dt.UTC) + LENGTH).astimezone(zone)


def _summary(club: Club, evening: Evening, *, off: bool) -> str:
    what = evening.name or _("Klaverjas evening")
    words = {"what": what, "club": club.name}
    return (_("Called off: %(what)s, %(club)s") if off else _("%(what)s, %(club)s")) % words


@dataclass(frozen=True, slots=True)
class CalendarLine:
    """An evening, and its winners; empty as long as there is no result. `entering` says what room
    there is, where people can enter for it now."""

    evening: Evening
    won_by: str
    entering: Entering | None = None


def _with_entering(evenings: Sequence[Evening], won: Mapping[int, str]) -> list[CalendarLine]:
    open_now = {
        pk: entering for pk, entering in entering_among(evenings).items() if not entering.is_over
    }
    return [CalendarLine(each, won.get(each.pk, ""), open_now.get(each.pk)) for each in evenings]


@dataclass(frozen=True, slots=True)
class SeasonEvenings:
    """The past evenings of one season, or of none, newest first."""

    season: Season | None
    lines: Sequence[CalendarLine]


@require_safe
@public_view
def club_calendar(request: HttpRequest, club: Club) -> HttpResponse:
    """The evenings to come, soonest first, and below them every season's past evenings."""
    lines = _with_entering(_evenings(club), winners_of(club))
    if file := list_response(request, lambda: _file(club, lines)):
        return file
    feed = absolute_url(club, reverse("club_ical", args=[club.slug]))
    context = {
        "club": club,
        "to_come": _to_come(club, lines),
        "by_season": list(_by_season(line for line in lines if not is_to_come(line.evening))),
        "feed": feed,
        "subscribe": f"webcal:{feed.partition(':')[2]}",
    }
    return render(request, "tournaments/desk/calendar.html", context)


def _to_come(club: Club, lines: Sequence[CalendarLine]) -> list[CalendarLine | ClubMatchDay]:
    """The evenings and the match days of leagues to come, soonest first."""
    evenings = [line for line in reversed(lines) if is_to_come(line.evening)]
    days = match_days_of(club, since=timezone.localdate())
    return sorted([*evenings, *days], key=_day_of)


def _day_of(line: CalendarLine | ClubMatchDay) -> dt.date:
    if isinstance(line, CalendarLine):
        return line.evening.date
    return line.match_day.date or dt.date.max


@require_safe
@public_view
def club_ical(request: HttpRequest, club: Club) -> HttpResponse:
    """Every evening and match day of the club, for calendar programs that subscribe to it."""
    return HttpResponse(
        ical_of(club, _evenings(club), match_days_of(club)),
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


def _by_season(lines: Iterable[CalendarLine]) -> Iterable[SeasonEvenings]:
    """By season, in the order in which each was last played."""
    by_season: dict[int | None, list[CalendarLine]] = {}
    for line in lines:
        by_season.setdefault(line.evening.season_id, []).append(line)
    for season_lines in by_season.values():
        yield SeasonEvenings(season_lines[0].evening.season, season_lines)


def _file(club: Club, lines: Sequence[CalendarLine]) -> ListFile:
    """The calendar as a file, oldest first."""
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
