"""How strong the people of a club are thought to be, and how sure that is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access.permissions import public_view
from clubs.files.exports import ListFile, list_response
from clubs.models import Club, Member
from tournaments.evenings.public_pages import member_url
from tournaments.ratings.queries import ENOUGH_EVENINGS, Rated, places, strengths_now


@dataclass(frozen=True, slots=True)
class Line:
    """Somebody in the list, under the name that the public reads."""

    place: int
    name: str
    url: str
    rated: Rated


@require_safe
@public_view
def ratings_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Who plays at the club and may be read about, strongest first; who has played too few
    evenings apart."""
    everybody = strengths_now(club)
    members = _members(club, everybody)
    shown = [one for one in everybody if one.member_id in members]
    known = [one for one in shown if one.is_known]
    lines = [_line(club, place, one, members[one.member_id]) for place, one in places(known)]
    if file := list_response(request, lambda: _file(club, lines)):
        return file
    newer = [_line(club, 0, one, members[one.member_id]) for one in shown if not one.is_known]
    context = {
        "club": club,
        "lines": lines,
        "newer": sorted(newer, key=lambda line: members[line.rated.member_id].sort_name),
        "enough": ENOUGH_EVENINGS,
    }
    return render(request, "tournaments/ratings/ratings.html", context)


def _members(club: Club, everybody: Sequence[Rated]) -> Mapping[int, Member]:
    """Those who still play here and of whom there is a page. One query."""
    found = Member.objects.of(club).active().with_page()
    return found.in_bulk([one.member_id for one in everybody])


def _line(club: Club, place: int, rated: Rated, member: Member) -> Line:
    return Line(place, member.shown_name, member_url(club, member), rated)


def _file(club: Club, lines: Sequence[Line]) -> ListFile:
    """The list to take away."""
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
