"""Public pages of who met whom in a season: for one player, and for everybody."""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access.permissions import may, owned, public_view
from clubs.api.requests import content_hash
from clubs.files.exports import ListFile, list_format, list_response
from clubs.models import Club, Member
from tournaments.draw.core.explain import TimesTogether
from tournaments.evenings.permissions import SEE_EVENING
from tournaments.evenings.public_pages import people_by_name
from tournaments.models import Evening, Placement, Round, Season
from tournaments.players.encounters import (
    Encounters,
    Met,
    couples_met,
    encounters_in_words,
    everybody,
    met_by,
    played_evenings,
    rounds_there,
    season_encounters,
    times_together,
    turns_at_three,
    turns_out,
)
from tournaments.players.views.player import public_people, requested_season
from tournaments.results.views.live import visitors_page
from tournaments.seasons.shown import Kept
from tournaments.seasons.views.public import season_list_response
from tournaments.standings.scores import STARTED

MOST_PEOPLE = 80
"""With more people a table of everybody against everybody becomes unreadable."""
SHADES = 4
LAG = 600


@dataclass(frozen=True, slots=True)
class MetLine:
    """Somebody who was met, how often and when last."""

    member: Member
    met: Met


@require_safe
@public_view
def player_met(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """The people somebody met in `?season=`, by default the newest they played in, and those they
    have not met: of the people here tonight, or else of all who played.

    Http404 for people without a public page, unless the reader leads evenings.
    """
    leads = may(request, SEE_EVENING, club)
    member = get_object_or_404(club.members if leads else public_people(club), pk=pk)
    seasons = list(_seasons(club, member))
    season = requested_season(request, seasons)
    played = played_evenings(club, season)
    tonight = [drawn for drawn in played if drawn.evening.state == Evening.State.RUNNING]
    met = met_by(member.pk, played)
    met_ids = {encounter.member_id for encounter in met}
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
        "not_met": [other for other in people if other.pk in here - met_ids - {member.pk}],
    }
    return render(request, "tournaments/players/player_met.html", context)


def _seasons(club: Club, member: Member) -> QuerySet[Season]:
    """The seasons with a started round that this person was there for, newest first."""
    there = owned(club, Placement).filter(member=member, round__state__in=STARTED)
    return club.seasons.filter(Exists(there.filter(round__evening__season=OuterRef("pk"))))


def _lines(met: Iterable[Met], people: Iterable[Member]) -> list[MetLine]:
    """Most often first, and by surname among those met equally often."""
    turn = {member: place for place, member in enumerate(people)}
    members = {member.pk: member for member in turn}
    lines = [MetLine(members[encounter.member_id], encounter) for encounter in met]
    return sorted(lines, key=lambda line: (-line.met.times, turn[line.member]))


def _file(member: Member, lines: Iterable[MetLine]) -> ListFile:
    """The people they met: `player, partners, opponents, last`."""
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


@dataclass(frozen=True, slots=True)
class EncounterCell:
    """How often two people met, as partners and as opponents, empty for never; `shade` runs from 0
    for never to 4 for the most."""

    words: str
    shade: int


@dataclass(frozen=True, slots=True)
class EncounterRow:
    """A member's row: a cell for everybody, None for themselves."""

    member: Member
    cells: Sequence[EncounterCell | None]


@require_safe
@visitors_page
@public_view
def season_met(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """How often everybody played with and against everybody else. With many people only the
    summary is shown; the file lists every couple that met."""
    season: Season = get_object_or_404(club.seasons.select_related("club"), slug=season_slug)
    kind, version = list_format(request), _version(season)
    if kind and _large.get(version, lambda: _is_large(season)):
        return season_list_response(
            request,
            season,
            title=_("Who played with whom"),
            name=_season_file_name(season),
            kind=kind,
            version=version,
            make=lambda: _season_file(season),
        )
    if file := list_response(request, lambda: _season_file(season)):
        return file
    met = _met.get(f"{version} {get_language()}", lambda: _season_met(club, season))
    context = {
        "club": club,
        "season": season,
        "people": met.people,
        "rows": met.rows,
        "summary": met.summary,
        "most_people": MOST_PEOPLE,
        "made_aside": len(met.people) > MOST_PEOPLE,
    }
    return render(request, "tournaments/seasons/season_met.html", context)


@dataclass(frozen=True, slots=True)
class SeasonMet:
    """Who met whom in a season: the people in order, a row for each unless they are too many, and
    a sentence."""

    people: Sequence[Member]
    rows: Sequence[EncounterRow]
    summary: str


_met: Kept[SeasonMet] = Kept(most=4)
_large: Kept[bool] = Kept(most=50)


def _season_met(club: Club, season: Season) -> SeasonMet:
    played = played_evenings(club, season)
    encounters = season_encounters(played)
    people = people_by_name(club, everybody(played))
    fits = len(people) <= MOST_PEOPLE
    return SeasonMet(
        people=people,
        rows=list(_rows(people, encounters)) if fits else [],
        summary=encounters_in_words(people, encounters, len(played)),
    )


def _rows(people: Sequence[Member], encounters: Encounters) -> Iterator[EncounterRow]:
    most = max(
        (times_together(times) for row in encounters.values() for times in row.values()), default=0
    )
    for member in people:
        met = encounters[member.pk]
        yield EncounterRow(
            member,
            [None if other == member else _cell(met.get(other.pk), most) for other in people],
        )


def _cell(together: TimesTogether | None, most: int) -> EncounterCell:
    if together is None:
        return EncounterCell("", 0)
    words = f"{together.partners}·{together.opponents}"
    return EncounterCell(words, -(-times_together(together) * SHADES // most))


def _is_large(season: Season) -> bool:
    """Whether so many played that the file takes seconds."""
    seated = Placement.objects.filter(round__evening__season=season, round__state__in=STARTED)
    return seated.values("member").distinct().count() > MOST_PEOPLE


def _version(season: Season) -> str:
    """Changes with the draws and names in it. While people play, each deal changes the evening:
    then only a round that begins counts at once, a change in its seats after ten minutes."""
    evenings = [
        (pk, state, int(time.time()) // LAG if state == Evening.State.RUNNING else revision)
        for pk, state, revision in season.evenings.order_by("pk").values_list(
            "pk", "state", "revision"
        )
    ]
    rounds = Round.objects.filter(evening__season=season, state__in=STARTED).order_by("pk")
    started = list(rounds.values_list("pk", flat=True))
    return content_hash([evenings, started, season.club.members.fingerprint()])


def _season_file_name(season: Season) -> str:
    return f"{season.club.name} {season.slug} {_('Who played with whom')}"


def _season_file(season: Season) -> ListFile:
    """Every couple that met, once: `player, other, partners, opponents`."""
    played = played_evenings(season.club, season)
    people = people_by_name(season.club, everybody(played))
    couples = couples_met(people, season_encounters(played))
    return ListFile(
        name=_season_file_name(season),
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
