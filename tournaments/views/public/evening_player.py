"""Somebody's evening: where he sits now, how he stands, and every round with its table."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from scoring.words import pit_word
from tournaments.models import Evening
from tournaments.published import PublicRow, by_pair, public_standings
from tournaments.views.public.common import evening_view
from tournaments.views.public.live import live_context, live_part
from tournaments.views.public.places import Place, current_place, places_of
from tournaments.views.public.player import public_people

PAGE = "tournaments/public/evening_player.html"
LIVE = "tournaments/public/evening_player_live.html"
"""The part of the page that changes while people play."""


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round of his evening. `score` is None while the public may not see one; `place` is None
    where all that is known is the score."""

    number: int
    place: Place | None
    score: int | None


@require_safe
def evening_player(request: HttpRequest, slug: str, evening_slug: str, pk: int) -> HttpResponse:
    """One person's evening, which keeps itself up to date while people play.

    Http404 for who was never on a page that everybody may read. Who was not there that evening
    reads so.
    """
    view = _live if "live" in request.GET else _whole
    return view(request, slug, evening_slug, pk)


@evening_view
def _whole(request: HttpRequest, evening: Evening, pk: int) -> HttpResponse:
    return _page(request, evening, pk, PAGE)


@live_part
def _live(request: HttpRequest, evening: Evening, pk: int) -> HttpResponse:
    return _page(request, evening, pk, LIVE)


def _page(request: HttpRequest, evening: Evening, pk: int, template: str) -> HttpResponse:
    member = get_object_or_404(public_people(evening.club), pk=pk)
    places = places_of(evening, member)
    rows = public_standings(evening)
    begun = any(one.total for one in rows)
    row = next((one for one in rows if begun and one.member_id == member.pk), None)
    context: dict[str, object] = {
        "club": evening.club,
        "evening": evening,
        "member": member,
        "row": row and by_pair([row])[0],
        "players": len(by_pair(rows)),
        "now": current_place(places),
        "lines": _lines(places, row),
        "sheets_open": evening.shows_scores,
        "pit_word": pit_word(evening.club),
    }
    if evening.is_open:
        context |= live_context(evening)
    return render(request, template, context)


def _lines(places: Sequence[Place], row: PublicRow | None) -> list[RoundLine]:
    """A line for each place, the score at the seat that was drawn for him; and one for each round
    of which there is nothing but a score."""
    scores = dict(row.rounds) if row else {}
    seated = [
        RoundLine(place.round.number, place, scores.pop(place.round.number, None))
        for place in places
    ]
    known = [RoundLine(number, None, score) for number, score in scores.items()]
    return sorted([*seated, *known], key=lambda line: line.number)
