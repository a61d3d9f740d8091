"""The public page of playing strengths."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access.permissions import public_view
from clubs.files.exports import ListFile, list_response
from clubs.models import Club, Member
from tournaments.evenings.pages import member_url
from tournaments.ratings.services import ENOUGH_EVENINGS, PlayerStrength, places, strengths_now


@dataclass(frozen=True, slots=True)
class RatingLine:
    """A player in the list, under their public name."""

    place: int
    name: str
    url: str
    rated: PlayerStrength


@require_safe
@public_view
def ratings_page(request: HttpRequest, club: Club) -> HttpResponse:
    """The club's public players, strongest first; those with too few evenings are apart."""
    everybody = strengths_now(club)
    members = _members(club, everybody)
    shown = [player for player in everybody if player.member_id in members]
    known = [player for player in shown if player.is_known]
    lines = [
        _line(club, place, player, members[player.member_id]) for place, player in places(known)
    ]
    if file := list_response(request, lambda: _file(club, lines)):
        return file
    newer = [
        _line(club, 0, player, members[player.member_id]) for player in shown if not player.is_known
    ]
    context = {
        "club": club,
        "lines": lines,
        "newer": sorted(newer, key=lambda line: members[line.rated.member_id].sort_name),
        "enough": ENOUGH_EVENINGS,
    }
    return render(request, "tournaments/ratings/ratings.html", context)


def _members(club: Club, everybody: Sequence[PlayerStrength]) -> Mapping[int, Member]:
    """The present members with a public page. One query."""
    shown = Member.objects.of(club).active().with_page()
    return shown.in_bulk([player.member_id for player in everybody])


def _line(club: Club, place: int, rated: PlayerStrength, member: Member) -> RatingLine:
    return RatingLine(place, member.shown_name, member_url(club, member), rated)


def _file(club: Club, lines: Sequence[RatingLine]) -> ListFile:
    """The list as a file."""
    return ListFile(
        name=_("Playing strength %(club)s") % {"club": club.name},
        columns={
            "rank": _("Place"),
            "player": _("Name"),
            "strength": _("Strength"),
            "low": _("At least"),
            "high": _("At most"),
            "evenings": _("Evenings"),
        },
        rows=[
            (
                line.place,
                line.name,
                line.rated.strength,
                line.rated.low,
                line.rated.high,
                line.rated.evenings,
            )
            for line in lines
        ],
    )
