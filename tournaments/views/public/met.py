"""Whom somebody met in a season, how often, and whom not yet."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import may
from clubs.exports import ListFile, list_response
from clubs.models import Club, Member
from clubs.permissions import public_view
from clubs.scoping import owned
from tournaments.meetings import (
    Met,
    everybody,
    met_by,
    played_evenings,
    rounds_there,
    turns_at_three,
    turns_out,
)
from tournaments.models import Evening, Placement, Season
from tournaments.permissions import SEE_EVENING
from tournaments.scores import STARTED
from tournaments.views.public.common import people_by_name
from tournaments.views.public.player import asked_season, public_people


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
    return render(request, "tournaments/public/player_met.html", context)


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
