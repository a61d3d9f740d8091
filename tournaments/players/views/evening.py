"""A player's public page of one evening: where they sit, how they stand, every round."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from clubs.access.permissions import owned
from clubs.models import Member
from scoring.display.words import pit_word
from tournaments.evenings.public_pages import evening_view
from tournaments.models import Evening, Placement, Round, Table
from tournaments.players.views.player import public_people
from tournaments.releases.queries import PublicRow, by_pair, public_standings
from tournaments.results.views.live import live_context, live_part
from tournaments.results.views.seating import Seated, seat_note, table_url

PAGE = "tournaments/players/evening_player.html"
LIVE = "tournaments/players/evening_player_live.html"
"""The part of the page that changes while people play."""


@dataclass(frozen=True, slots=True)
class SeatInRound:
    """Where somebody sits in a round. `table` is None if they sit out; `url` is the table's page;
    at a table of three `partner` says "a dummy". `note` is that of their `NameLine`."""

    round: Round
    table: Table | None
    url: str
    partner: str
    opponents: Sequence[str]
    note: str


def seats_of(evening: Evening, member: Member) -> list[SeatInRound]:
    """Somebody's seats in the rounds with a final draw, in order; if they play at two tables in a
    round, the extra seat last. One query."""
    own = (
        owned(evening.club, Placement)
        .filter(round__evening=evening, member=member)
        .exclude(round__state=Round.State.DRAFT)
    )
    around = Q(pk__in=own) | Q(table__in=own.filter(table__isnull=False).values("table"))
    tables = (
        owned(evening.club, Placement)
        .filter(around)
        .select_related("member", "round", "table__sheet")
    )
    placements = list(tables.order_by("round__number", "table__number", "pk"))
    seated = Seated(placements)
    places = [
        _place(evening, placement, seated)
        for placement in placements
        if placement.member_id == member.pk
    ]
    return sorted(places, key=lambda place: (place.round.number, place.note != ""))


def current_place(places: Sequence[SeatInRound]) -> SeatInRound | None:
    """Their seat in the round that is being played, else in the next one."""
    running = [place for place in places if place.round.state == Round.State.RUNNING]
    waiting = [place for place in places if place.round.state == Round.State.DRAWN]
    return next(iter(running or waiting), None)


def _place(evening: Evening, placement: Placement, seated: Seated) -> SeatInRound:
    placement.round.evening = evening
    table = placement.table
    return SeatInRound(
        round=placement.round,
        table=table,
        url=table_url(evening.club, placement.round, table) if table else "",
        partner=seated.partner_name(placement),
        opponents=seated.opponent_names(placement),
        note=seat_note(placement, seated),
    )


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round of the player's evening. `score` is None while it is not public; `place` is None if
    only the score is known."""

    number: int
    place: SeatInRound | None
    score: int | None


@require_safe
def evening_player(request: HttpRequest, slug: str, evening_slug: str, pk: int) -> HttpResponse:
    """One person's evening, which updates itself while people play. If they were not there, the
    page says so. Http404 for people without a public page."""
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
    places = seats_of(evening, member)
    rows = public_standings(evening)
    begun = any(row.total for row in rows)
    row = next((row for row in rows if begun and row.member_id == member.pk), None)
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


def _lines(places: Sequence[SeatInRound], row: PublicRow | None) -> list[RoundLine]:
    """A line for each seat, with the score at the seat they were drawn for, and one for each round
    of which only the score is known."""
    scores = dict(row.rounds) if row else {}
    seated = [
        RoundLine(place.round.number, place, scores.pop(place.round.number, None))
        for place in places
    ]
    known = [RoundLine(number, None, score) for number, score in scores.items()]
    return sorted([*seated, *known], key=lambda line: line.number)
