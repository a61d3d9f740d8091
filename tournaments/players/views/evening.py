"""Public pages of one evening of a player (where they sit, how they stand, every round), and of a
fixed pair or a team (who it is, and what it did)."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import cast

from django.db.models import Exists, OuterRef, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from clubs.access.permissions import owned, public_view
from clubs.merges.services import ids_today
from clubs.models import Club, Member
from scoring.display.words import pit_word
from tournaments.evenings.pages import evening_page_url, evening_view, member_url, public_name
from tournaments.models import Competitor, Evening, PastResult, Placement, Round, Season, Table
from tournaments.players.views.player import public_people, requested_season, seen_people
from tournaments.releases.lines import (
    OwnLine,
    own_line,
    own_lines_published,
    own_place,
    public_rows_and_lines,
)
from tournaments.releases.queries import (
    PublicRow,
    running_rounds,
    written_by_round,
)
from tournaments.results.standing import any_points
from tournaments.results.views.live import live_context, live_part
from tournaments.results.views.seating import Seated, seat_note, table_url
from tournaments.seasons.standings import (
    keeping_people,
    season_choices,
    season_results,
    standings_of,
)
from tournaments.standings.competitors import competitor_key
from tournaments.standings.core.places import next_place
from tournaments.standings.core.results import CountingRule, Ranks, Running, SeasonRow, together
from tournaments.standings.queries import interim_by
from tournaments.standings.texts import deals_words, gap_words, interim_words

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
    rows, lines = public_rows_and_lines(evening)
    own = own_line(member.pk, rows, lines) if any_points(rows) else None
    row = next((row for row in rows if row.member_id == member.pk), None) if own else None
    context: dict[str, object] = {
        "club": evening.club,
        "evening": evening,
        "member": member,
        "own": own,
        "row": own and own.line,
        "beside": _beside(evening, own),
        "players": own and own.lines,
        "standing": own and own_standing(evening, own.line, lines),
        "now": current_place(places),
        "lines": _lines(places, row),
        "sheets_open": evening.shows_sheets,
        "pit_word": pit_word(evening.club),
    }
    if evening.is_open:
        context |= live_context(evening)
    return render(request, template, context)


def _beside(evening: Evening, own: OwnLine | None) -> str:
    """Their own place beside that of their pair or team, where the club keeps that too."""
    return own_place(own) if own and keeping_people([evening]) else ""


# The card about a person that their own phone asks for, on the club's page.

CARD = "tournaments/players/player_now.html"


@require_safe
@public_view
def player_now(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Where somebody sits now, how they stand, their last evening and the club's next one; of
    people without a public page only that they have none. A merged guest is answered with the
    member they became, and 410 says that there is nobody any more. Http404 for people who are not
    on any public page."""
    today = ids_today([pk]).get(pk, pk)
    member = seen_people(club).filter(pk=today).first()
    if member is None:
        if Member.objects.of(club).filter(pk=today).exists():
            raise Http404
        return HttpResponse(status=410)
    if member.erased_at is not None:
        return HttpResponse(status=410)
    context: dict[str, object] = {"club": club, "member": member}
    if member.has_page:
        context |= _now(club, member) | _last(club, member)
    answer = render(request, CARD, context)
    answer.headers["Cache-Control"] = "no-cache"
    answer.headers["ETag"] = f'"{sha256(answer.content).hexdigest()[:32]}"'
    return cast(
        "HttpResponse", get_conditional_response(request, answer.headers["ETag"], response=answer)
    )


# Many phones of one hall ask for it, from one address.
player_now.is_polled = True  # type: ignore[attr-defined]


def _now(club: Club, member: Member) -> dict[str, object]:
    """The evening that is being played or is played today, with their seat and place, and the next
    one after it."""
    today = timezone.localdate()
    wanted = Q(state=Evening.State.RUNNING) | Q(state=Evening.State.PLANNED, date__gte=today)
    coming = list(Evening.objects.of(club).filter(wanted).order_by("date", "sequence")[:4])
    running = [evening for evening in coming if evening.state == Evening.State.RUNNING]
    evening = next(iter(running or [e for e in coming if e.date == today]), None)
    following = next((e for e in coming if e != evening and e.date >= today), None)
    if evening is None:
        return {"next": following}
    evening.club = club
    rows, lines = public_rows_and_lines(evening)
    own = own_line(member.pk, rows, lines) if any_points(rows) else None
    return {
        "evening": evening,
        "seat": current_place(seats_of(evening, member)),
        "own": own,
        "row": own and own.line,
        "beside": _beside(evening, own),
        "players": own and own.lines,
        "standing": own_standing(evening, own.line, lines) if own else None,
        "next": following,
    }


def _last(club: Club, member: Member) -> dict[str, object]:
    """Their last evening of which the result was published."""
    drawn = Placement.objects.filter(member=member, round__evening=OuterRef("pk"))
    past = PastResult.objects.filter(member=member, score__isnull=False, evening=OuterRef("pk"))
    played = Evening.objects.of(club).filter(state=Evening.State.CLOSED)
    last = played.filter(Exists(drawn) | Exists(past)).first()
    if last is None:
        return {}
    own = own_lines_published([last], member).get(last.pk)
    return {"last": last, "last_own": own, "last_beside": _beside(last, own)} if own else {}


@dataclass(frozen=True, slots=True)
class OwnStanding:
    """How somebody stands while rounds are being played: what that goes by, `after` which round
    their place is, what they have in the rounds that stand apart, from how many deals, and how far
    it is to the next place."""

    words: str
    after: int | None
    running: Running | None
    deals: str
    gap: str


def own_standing(evening: Evening, own: PublicRow, rows: Sequence[PublicRow]) -> OwnStanding | None:
    """None once nothing more is to be played."""
    if not evening.is_open:
        return None
    playing = running_rounds(rows)
    over = sorted({number for row in rows for number in row.rounds})
    if not playing and len(over) >= evening.rounds_planned:
        return None
    running = together(own.running.values())
    gap = next_place(own, rows, ties_share=evening.tie != Evening.Tie.TIE_BREAKS)
    by_average = interim_by(evening) == "average"
    return OwnStanding(
        words=interim_words(playing, over, interim_by(evening)) if playing else "",
        after=max(over) if over and playing and not by_average else None,
        running=running,
        deals=deals_words(running) if running else "",
        gap=gap_words(gap) if gap else "",
    )


def _lines(places: Sequence[SeatInRound], row: PublicRow | None) -> list[RoundLine]:
    """A line for each seat, with the score at the seat they were drawn for, and one for each round
    of which only the score is known."""
    scores = written_by_round(row) if row else {}
    seated = [
        RoundLine(place.round.number, place, scores.pop(place.round.number, None))
        for place in places
    ]
    known = [RoundLine(number, None, score) for number, score in scores.items()]
    return sorted([*seated, *known], key=lambda line: line.number)


# The page of a fixed pair or a team.


@dataclass(frozen=True, slots=True)
class CompetitorPerson:
    """Somebody of a pair or team by their public name, and when they were in it."""

    name: str
    url: str
    since: dt.date
    until: dt.date | None
    reserve: bool


@dataclass(frozen=True, slots=True)
class CompetitorEvening:
    """An evening with its points, None if they were absent, and whether these are dropped."""

    date: dt.date
    url: str
    points: int | None
    dropped: bool


@require_safe
@public_view
def competitor_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """A pair or team in its `?season=`, by default the newest it played in."""
    competitors = club.competitors.prefetch_related("people__member")
    competitor = get_object_or_404(competitors, pk=pk)
    seasons = list(_seasons(competitor))
    season = requested_season(request, seasons)
    number, row = _standing(competitor, season)
    context = {
        "club": club,
        "competitor": competitor,
        "name": public_name(competitor),
        "people": [
            CompetitorPerson(
                person.member.shown_name,
                member_url(club, person.member),
                person.since,
                person.until,
                person.reserve,
            )
            for person in competitor.people.all()
        ],
        "season": season,
        "seasons": seasons,
        "row": row,
        "query": f"?standing={number}" if number > 1 else f"?by={competitor.kind}",
        "evenings": _evenings(club, row),
    }
    return render(request, "tournaments/players/competitor.html", context)


def _seasons(competitor: Competitor) -> Sequence[Season]:
    """The seasons in which it has a result or an absence, newest first."""
    closed = competitor.club.evenings.filter(state=Evening.State.CLOSED)
    own = (
        closed.filter(evening_pairs__competitor=competitor)
        | closed.filter(registrations__team=competitor)
        | closed.filter(competitor_results__competitor=competitor)
    )
    return list(competitor.club.seasons.filter(pk__in=own.values("season")))


def _standing(competitor: Competitor, season: Season | None) -> tuple[int, SeasonRow | None]:
    """The first standing of the season that ranks its kind, and its line there; where none does,
    that of all evenings."""
    if season is None:
        return 1, None
    kind: Ranks = "pair" if competitor.kind == Competitor.Kind.PAIR else "team"
    choices = [choice for choice in season_choices(season) if choice.rule.ranks == kind]
    rule = choices[0].rule if choices else CountingRule(ranks=kind)
    evenings = list(season.evenings.filter(state=Evening.State.CLOSED).order_by("date", "sequence"))
    table = standings_of(evenings, rule, season_results(evenings, season, rule))
    key = competitor_key(competitor.pk)
    row = next((row for row in table.rows if row.player_id == key), None)
    return (choices[0].number if choices else 1), row


def _evenings(club: Club, row: SeasonRow | None) -> list[CompetitorEvening]:
    """Its evenings of the season, newest first."""
    return [
        CompetitorEvening(
            dt.date.fromisoformat(slug[:10]), evening_page_url(club, slug), cell.score, cell.dropped
        )
        for slug, cell in sorted(row.by_evening.items() if row else (), reverse=True)
    ]
