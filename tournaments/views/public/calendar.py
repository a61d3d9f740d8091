"""When a club plays and has played: as a page, as a file, and as a calendar to subscribe to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.exports import Cell, ListFile, list_response
from clubs.links import absolute_url
from clubs.models import Club
from clubs.permissions import public_view
from tournaments.ical import ical_of
from tournaments.models import Evening, Season
from tournaments.winners import winners_of


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
    return render(request, "tournaments/public/calendar.html", context)


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
