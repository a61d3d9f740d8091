"""Whom somebody met in a season, how often, and whom not yet."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access.permissions import public_view
from clubs.access.roles import may
from clubs.access.scoping import owned
from clubs.files.exports import ListFile, list_response
from clubs.models import Club, Member
from tournaments.draw.core.explain import TimesTogether
from tournaments.evenings.permissions import SEE_EVENING
from tournaments.evenings.public_pages import people_by_name
from tournaments.models import Evening, Placement, Season
from tournaments.players.encounters import (
    Couple,
    Meetings,
    Met,
    couples_met,
    everybody,
    meetings_in_words,
    met_by,
    played_evenings,
    rounds_there,
    season_meetings,
    times_together,
    turns_at_three,
    turns_out,
)
from tournaments.players.views import asked_season, public_people
from tournaments.standings.scores import STARTED


@dataclass(frozen=True, slots=True)
class MetLine:
    """Somebody who was met, how often and when last."""

    member: Member
    met: Met


@require_safe
@public_view
def player_met(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Whom somebody met, by `?season=` or in the newest season he played in, and whom not yet of
    those who are here tonight, or else of all who played.

    Http404 for who has never been on a page that everybody may read; of who is not to be read
    about, only who leads evenings sees it.
    """
    leads = may(request, SEE_EVENING, club)
    member = get_object_or_404(club.members if leads else public_people(club), pk=pk)
    seasons = list(_seasons(club, member))
    season = asked_season(request, seasons)
    played = played_evenings(club, season)
    tonight = [one for one in played if one.evening.state == Evening.State.RUNNING]
    met = met_by(member.pk, played)
    met_ids = {one.member_id for one in met}
    here = everybody(tonight or played)
    people = people_by_name(club, here | met_ids)
    lines = _lines(met, people)
    if file := list_response(request, lambda: _file(member, lines)):
        return file
    context = {
        "club": club,
        "member": member,
        "season": season,
        "seasons": seasons,
        "lines": lines,
        "rounds": rounds_there(member.pk, played),
        "out": turns_out(member.pk, played),
        "threes": turns_at_three(member.pk, played),
        "tonight": bool(tonight),
        "not_met": [who for who in people if who.pk in here - met_ids - {member.pk}],
    }
    return render(request, "tournaments/players/player_met.html", context)


def _seasons(club: Club, member: Member) -> QuerySet[Season]:
    """The seasons in which this person was there for a round that was started, newest first."""
    there = owned(club, Placement).filter(member=member, round__state__in=STARTED)
    return club.seasons.filter(Exists(there.filter(round__evening__season=OuterRef("pk"))))


def _lines(met: Iterable[Met], people: Iterable[Member]) -> list[MetLine]:
    """Most often first, and by surname among those met equally often."""
    turn = {who: place for place, who in enumerate(people)}
    members = {who.pk: who for who in turn}
    lines = [MetLine(members[one.member_id], one) for one in met]
    return sorted(lines, key=lambda line: (-line.met.times, turn[line.member]))


def _file(member: Member, lines: Iterable[MetLine]) -> ListFile:
    """Whom he met: `player, partners, opponents, last`."""
    return ListFile(
        name=f"{member.shown_name} {_('Who played with whom')}",
        columns={
            "player": _("Name"),
            "partners": _("As partners"),
            "opponents": _("As opponents"),
            "last": _("Date"),
        },
        rows=[
            [
                line.member.shown_name,
                line.met.partners,
                line.met.opponents,
                line.met.last.date.isoformat(),
            ]
            for line in lines
        ],
    )


# Who met whom in a season: a table of everybody against everybody.

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
    if file := list_response(request, lambda: _season_file(season, couples_met(people, meetings))):
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
    return render(request, "tournaments/seasons/season_met.html", context)


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


def _season_file(season: Season, couples: Iterable[Couple]) -> ListFile:
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
