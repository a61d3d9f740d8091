"""A player's season: every evening with place and points, what counts, the best round."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from clubs.models import Club, Member, MemberQuerySet
from clubs.permissions import public_view
from scoring.words import pit_word
from tournaments.models import Evening, PastResult, Placement, Round, Season
from tournaments.ranking import EveningResult, SeasonCell, SeasonRow, SeasonRule, rank_season
from tournaments.season_standings import season_results, season_rule
from tournaments.views.public.common import evening_date, evening_url
from tournaments.views.public.season import Cell, cell


@dataclass(frozen=True, slots=True)
class EveningLine:
    """One evening of the player. `rank` is None where he was absent."""

    date: object
    url: str
    rank: int | None
    players: int
    cell: Cell
    best_round: int | None
    pits: int


@require_safe
@public_view
def player_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Somebody's season, by `?season=` or the newest one he played in.

    Http404 for who has never been on a page that everybody may read.
    """
    member = get_object_or_404(public_people(club), pk=pk)
    seasons = list(_seasons(club, member))
    season = asked_season(request, seasons)
    results = season_results(_evenings(club, season))
    rule = season_rule(season) if season else SeasonRule()
    row = _row_of(member, results, rule)
    context = {
        "club": club,
        "member": member,
        "season": season,
        "seasons": seasons,
        "row": row,
        "by_average": rule.aggregate != "sum",
        "lines": _lines(club, member, results, row.by_evening if row else {}),
        "pit_word": pit_word(club),
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


def _row_of(member: Member, results: Sequence[EveningResult], rule: SeasonRule) -> SeasonRow | None:
    rows = rank_season(results, rule).rows
    return next((row for row in rows if row.player_id == str(member.pk)), None)


def _lines(
    club: Club,
    member: Member,
    results: Sequence[EveningResult],
    counting: Mapping[str, SeasonCell],
) -> list[EveningLine]:
    """His evenings, newest first."""
    scores: dict[str, list[int]] = defaultdict(list)
    for result in results:
        if result.score is not None:
            scores[result.evening].append(result.score)
    own = [result for result in results if result.player_id == str(member.pk)]
    return [
        _line(club, result, scores[result.evening], counting.get(result.evening))
        for result in reversed(own)
    ]


def _line(
    club: Club, result: EveningResult, scores: Sequence[int], found: SeasonCell | None
) -> EveningLine:
    """An evening that the season's rule leaves out has no cell: its points are shown as dropped."""
    score = result.score
    return EveningLine(
        date=evening_date(result.evening),
        url=evening_url(club, result.evening),
        rank=None if score is None else 1 + sum(other > score for other in scores),
        players=len(scores),
        cell=cell(found) if found else Cell(points=score, dropped=True, absent=score is None),
        best_round=result.best_round,
        pits=result.pits,
    )
