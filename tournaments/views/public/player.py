"""A player's season: every evening with place and points, what counts, with whom it goes best."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from clubs.models import Club, Member, MemberQuerySet
from clubs.permissions import public_view
from scoring.words import pit_word
from tournaments.models import Evening, PastResult, Placement, Round, Season
from tournaments.outdated import evenings_outdated
from tournaments.partners import Partners, WithPartner, partners_of
from tournaments.published import published_places
from tournaments.season_choice import Standing, season_choices
from tournaments.season_standings import season_results, standings_of
from tournaments.standings.core import (
    CountingRule,
    EveningResult,
    SeasonCell,
    SeasonRow,
    SeasonTable,
    whole_mean,
)
from tournaments.strengths import strength_over_time
from tournaments.views.public.common import Shown, evening_url, shown_people
from tournaments.views.public.player_charts import season_chart, strength_chart
from tournaments.views.public.season import Cell, cell, column_of

MOST_PARTNERS = 5


@dataclass(frozen=True, slots=True)
class EveningLine:
    """One evening of the player. `rank` is his place in what was published, None where he was
    absent, and `players` how many lines that has; `mean` is what everybody scored on average, None
    where nobody did."""

    date: dt.date
    url: str
    rank: int | None
    players: int
    mean: int | None
    cell: Cell
    best_round: int | None
    pits: int


@dataclass(frozen=True, slots=True)
class PartnerLine:
    """A partner, what was scored with him a round, and in how many."""

    person: Shown
    found: WithPartner


@require_safe
@public_view
def player_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Somebody's season, by `?season=` or the newest one he played in.

    Http404 for who has never been on a page that everybody may read.
    """
    member = get_object_or_404(public_people(club), pk=pk)
    seasons = list(_seasons(club, member))
    season = asked_season(request, seasons)
    evenings = _evenings(club, season)
    results = season_results(evenings)
    standings = season_choices(season) if season else [Standing(1, "", CountingRule())]
    rows = [
        _row_of(member, standings_of(evenings, standing.rule, results)) for standing in standings
    ]
    row, rule = rows[0], standings[0].rule
    own = [result for result in results if result.player_id == str(member.pk)]
    there = _played(evenings, own)
    places = published_places(there, member)
    lines = _lines(club, own, results, row.by_evening if row else {}, places)
    partners = partners_of(member.pk, evenings)
    context = {
        "club": club,
        "member": member,
        "season": season,
        "seasons": seasons,
        "outdated": [column_of(club, one) for one in evenings_outdated(there, results)],
        "row": row,
        "others": _others(standings, rows),
        "by_average": rule.aggregate != "sum",
        "lines": lines[::-1],
        "best": _best(row, lines),
        "season_chart": season_chart(lines),
        "was_drawn": not there or not all(evening.is_history for evening in there),
        "partners": partners,
        "partner_lines": _partner_lines(club, partners),
        "cup_wins": list(member.cup_wins.select_related("cup")),
        "pit_word": pit_word(club),
        **_strength_of(member),
    }
    return render(request, "tournaments/public/player.html", context)


def public_people(club: Club) -> MemberQuerySet:
    """Those who have been in a final draw or in a result, and may be read about."""
    drawn = Placement.objects.filter(member=OuterRef("pk")).exclude(round__state=Round.State.DRAFT)
    past = PastResult.objects.filter(member=OuterRef("pk"))
    return Member.objects.of(club).with_page().filter(Exists(drawn) | Exists(past))


def _seasons(club: Club, member: Member) -> QuerySet[Season]:
    """The seasons in which this player is in a closed evening, newest first."""
    closed = Evening.objects.filter(season=OuterRef("pk"), state=Evening.State.CLOSED)
    played = closed.filter(rounds__placements__member=member)
    past = closed.filter(past_results__member=member)
    return club.seasons.filter(Exists(played) | Exists(past))


def asked_season(request: HttpRequest, seasons: Sequence[Season]) -> Season | None:
    """The one of these seasons that `?season=` names, or the first; None where there are none.

    Http404 for another one.
    """
    asked = request.GET.get("season", "")
    if not asked:
        return seasons[0] if seasons else None
    for season in seasons:
        if season.slug == asked:
            return season
    raise Http404


def _evenings(club: Club, season: Season | None) -> list[Evening]:
    """The closed evenings of the season; without one, those of no season."""
    closed = Evening.objects.of(club).filter(season=season, state=Evening.State.CLOSED)
    return list(closed.order_by("date", "sequence"))


def _played(evenings: Iterable[Evening], own: Iterable[EveningResult]) -> list[Evening]:
    scored = {result.evening for result in own if result.score is not None}
    return [evening for evening in evenings if evening.slug in scored]


def _row_of(member: Member, table: SeasonTable) -> SeasonRow | None:
    return next((row for row in table.rows if row.player_id == str(member.pk)), None)


def _others(
    standings: Sequence[Standing], rows: Sequence[SeasonRow | None]
) -> list[tuple[Standing, int | None]]:
    """The season's other standings, each with his place there, if he has one."""
    found = zip(standings, rows, strict=True)
    return [(standing, row.rank if row else None) for standing, row in list(found)[1:]]


def _lines(
    club: Club,
    own: Sequence[EveningResult],
    results: Sequence[EveningResult],
    counting: Mapping[str, SeasonCell],
    places: Mapping[str, tuple[int, int]],
) -> list[EveningLine]:
    """His evenings, in order."""
    scores: dict[str, list[int]] = defaultdict(list)
    for result in results:
        if result.score is not None:
            scores[result.evening].append(result.score)
    return [
        _line(club, result, scores[result.evening], counting.get(result.evening), places)
        for result in own
    ]


def _line(
    club: Club,
    result: EveningResult,
    scores: Sequence[int],
    found: SeasonCell | None,
    places: Mapping[str, tuple[int, int]],
) -> EveningLine:
    """An evening that the season's rule leaves out has no cell: its points are shown as dropped."""
    score = result.score
    rank, players = places.get(result.evening, (None, 0))
    return EveningLine(
        date=result.date,
        url=evening_url(club, result.evening),
        rank=rank,
        players=players,
        mean=whole_mean(scores) if scores else None,
        cell=cell(found) if found else Cell(points=score, dropped=True, absent=score is None),
        best_round=result.best_round,
        pits=result.pits,
    )


def _best(row: SeasonRow | None, lines: Iterable[EveningLine]) -> EveningLine | None:
    """The evening of his best round; None where no rounds are known."""
    if row is None or row.best_round is None:
        return None
    return next((line for line in lines if line.best_round == row.best_round), None)


def _partner_lines(club: Club, partners: Partners) -> list[PartnerLine]:
    best = partners.best[:MOST_PARTNERS]
    people = shown_people(club, (str(found.member_id) for found in best))
    return [PartnerLine(people[str(found.member_id)], found) for found in best]


def _strength_of(member: Member) -> dict[str, object]:
    """What the page has about somebody's playing strength; nothing for who was never rated."""
    past = strength_over_time(member.pk)
    if not past:
        return {}
    return {
        "strength": past[-1].rated,
        "strength_past": past[::-1],
        "strength_chart": strength_chart(past) if len(past) > 1 else None,
    }
