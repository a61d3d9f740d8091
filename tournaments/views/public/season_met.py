"""Who met whom in a season: a table of everybody against everybody."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.exports import ListFile, list_response
from clubs.models import Club, Member
from clubs.permissions import public_view
from tournaments.draw.core.explain import TimesTogether
from tournaments.meeting_words import (
    Couple,
    Meetings,
    couples_met,
    meetings_in_words,
    times_together,
)
from tournaments.meetings import everybody, played_evenings, season_meetings
from tournaments.models import Season
from tournaments.views.public.common import people_by_name

MOST_PEOPLE = 80
"""Beyond this a table of everybody with everybody can no longer be read."""
SHADES = 4


@dataclass(frozen=True, slots=True)
class MeetingCell:
    """How often two people met, as partners and as opponents, empty for never; `shade` runs from 0
    for never to 4 for the most."""

    words: str
    shade: int


@dataclass(frozen=True, slots=True)
class MeetingRow:
    """A member's row: a cell for everybody, None for themselves."""

    member: Member
    cells: Sequence[MeetingCell | None]


@require_safe
@public_view
def season_met(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """How often everybody played with and against everybody else. With many people only the
    summary is shown; the file lists every couple that met."""
    season = get_object_or_404(club.seasons, slug=season_slug)
    played = played_evenings(club, season)
    meetings = season_meetings(played)
    people = people_by_name(club, everybody(played))
    if file := list_response(request, lambda: _file(season, couples_met(people, meetings))):
        return file
    fits = len(people) <= MOST_PEOPLE
    context = {
        "club": club,
        "season": season,
        "people": people,
        "rows": list(_rows(people, meetings)) if fits else [],
        "summary": meetings_in_words(people, meetings, len(played)),
        "most_people": MOST_PEOPLE,
    }
    return render(request, "tournaments/public/season_met.html", context)


def _rows(people: Sequence[Member], meetings: Meetings) -> Iterator[MeetingRow]:
    most = max(
        (times_together(times) for row in meetings.values() for times in row.values()), default=0
    )
    for member in people:
        met = meetings[member.pk]
        yield MeetingRow(
            member,
            [None if other == member else _cell(met.get(other.pk), most) for other in people],
        )


def _cell(together: TimesTogether | None, most: int) -> MeetingCell:
    if together is None:
        return MeetingCell("", 0)
    words = f"{together.partners}·{together.opponents}"
    return MeetingCell(words, -(-times_together(together) * SHADES // most))


def _file(season: Season, couples: Iterable[Couple]) -> ListFile:
    """Every couple that met, once: `player, other, partners, opponents`."""
    words = _("Who played with whom")
    return ListFile(
        name=f"{season.club.name} {season.slug} {words}",
        columns={
            "player": _("Name"),
            "other": _("With"),
            "partners": _("As partners"),
            "opponents": _("As opponents"),
        },
        rows=[
            [member.shown_name, other.shown_name, together.partners, together.opponents]
            for member, other, together in couples
        ],
    )
