"""A player's public page: a season's evenings, places, partners and charts."""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import cast

from django.db.models import Exists, F, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from clubs.access.permissions import public_view
from clubs.models import Club, Member, MemberQuerySet
from clubs.text.numbers import number, signed
from scoring.display.words import pit_word
from scoring.models import Seat, full_sheets
from scoring.rules import Seat as SeatName
from scoring.rules import partner
from tournaments.evenings.pages import PublicPerson, evening_page_url, shown_people
from tournaments.models import Evening, PastResult, Placement, Round, Season
from tournaments.players.charts import Chart, Mark
from tournaments.ratings.services import StrengthAfter, strength_over_time
from tournaments.releases.lines import OwnLine, own_lines_published
from tournaments.releases.queries import stale_evenings
from tournaments.seasons.shown import average_words, places_with_others
from tournaments.seasons.standings import Standing, season_choices, season_results, standings_of
from tournaments.seasons.views.public import EveningCell, cell, column_of
from tournaments.standings.core.results import (
    CountingRule,
    EveningResult,
    SeasonCell,
    SeasonRow,
    SeasonTable,
    whole_mean,
)

TOGETHER_FROM = 2
MOST_PARTNERS = 5


@dataclass(frozen=True, slots=True)
class WithPartner:
    """A player's mean score per round with this partner, and the number of rounds."""

    member_id: int
    rounds: int
    mean: int


@dataclass(frozen=True, slots=True)
class PartnerScores:
    """The partners of at least two rounds, best first, and the mean per round with any partner,
    None if no round was played to the end."""

    best: list[WithPartner]
    rounds: int
    mean: int | None


def partner_scores(member_id: int, evenings: Collection[Evening]) -> PartnerScores:
    """A player's scores with each partner, in the rounds of these evenings that both played from
    beginning to end. One query."""
    scores: dict[int, list[int]] = defaultdict(list)
    for partner_id, score in _rounds(member_id, evenings):
        scores[partner_id].append(score)
    every = [score for together in scores.values() for score in together]
    best = [
        WithPartner(partner_id, len(together), whole_mean(together))
        for partner_id, together in scores.items()
        if len(together) >= TOGETHER_FROM
    ]
    best.sort(key=lambda line: (-line.mean, -line.rounds, line.member_id))
    return PartnerScores(best, len(every), whole_mean(every) if every else None)


def _rounds(member_id: int, evenings: Collection[Evening]) -> Iterator[tuple[int, int]]:
    """The partner's id and the score of each round."""
    own = Seat.objects.filter(member=member_id).values("sheet")
    seats = _whole_rounds(evenings).filter(sheet__in=own).order_by("sheet", "seat")
    for _sheet, held in groupby(seats, key=attrgetter("sheet_id")):
        people = {cast("SeatName", seat.seat): seat for seat in held}
        for name, seat in people.items():
            beside = people.get(partner(name))
            if seat.member_id == member_id and beside and beside.member_id is not None:
                yield beside.member_id, seat.score


def _whole_rounds(evenings: Collection[Evening]) -> QuerySet[Seat]:
    """The seats of full sheets that one person had from the first deal to the last."""
    return Seat.objects.filter(
        full_sheets("sheet__"),
        sheet__table__round__evening__in=evenings,
        sheet__three_handed=False,
        deals=F("sheet__deals_entered"),
        deals__gt=0,
    )


@dataclass(frozen=True, slots=True)
class EveningLine:
    """One evening of the player. `rank` is their place in the last release, None if they were
    absent, and `players` the number of lines there; it is that of `whose`, a pair or team, where
    those ranked. `mean` is everybody's average score, None if nobody scored."""

    date: dt.date
    url: str
    rank: int | None
    players: int
    mean: int | None
    cell: EveningCell
    best_round: int | None
    pits: int
    whose: str = ""


def season_chart(lines: Sequence[EveningLine]) -> Chart | None:
    """The points of each evening, in order; None if there are fewer than two to see."""
    played = [line for line in lines if _points(line) is not None]
    if len(played) < 2:
        return None
    return Chart(
        key="season",
        title=_("Points per evening"),
        description=_season_in_words(played),
        marks=[_season_mark(line) for line in lines],
        figure=number,
    )


def strength_chart(past: Sequence[StrengthAfter]) -> Chart:
    """The strength after each evening, in order, with its margin."""
    first, last = past[0], past[-1]
    words = {
        "first": date_format(first.day, "j F Y"),
        "last": date_format(last.day, "j F Y"),
        "from": signed(first.rated.strength),
        "to": signed(last.rated.strength),
        "low": signed(last.rated.low),
        "high": signed(last.rated.high),
    }
    return Chart(
        key="strength",
        title=_("Playing strength over time"),
        description=_(
            "From %(from)s on %(first)s to %(to)s on %(last)s, now almost certainly between"
            " %(low)s and %(high)s."
        )
        % words,
        marks=[_strength_mark(then) for then in past],
        figure=signed,
    )


def _points(line: EveningLine) -> int | None:
    """The score of that evening; None if they were absent, whatever points that gave."""
    return None if line.cell.absent else line.cell.points


def _season_mark(line: EveningLine) -> Mark:
    points, day = _points(line), date_format(line.date, "j F Y")
    if points is None:
        return Mark(line.date, None, _("%(day)s: absent") % {"day": day}, among=line.mean)
    words = _("%(day)s: %(points)s, does not count") if line.cell.dropped else "%(day)s: %(points)s"
    return Mark(
        line.date,
        points,
        words % {"day": day, "points": number(points)},
        hollow=line.cell.dropped,
        among=line.mean,
    )


def _season_in_words(played: Sequence[EveningLine]) -> str:
    """The best and the worst evening, and how many do not count."""
    best = max(played, key=lambda line: _points(line) or 0)
    worst = min(played, key=lambda line: _points(line) or 0)
    dropped = sum(line.cell.dropped for line in played)
    words = _(
        "%(evenings)s evenings: most points on %(best)s, %(most)s; fewest on %(worst)s, %(least)s."
    ) % {
        "evenings": len(played),
        "best": date_format(best.date, "j F Y"),
        "most": number(_points(best)),
        "worst": date_format(worst.date, "j F Y"),
        "least": number(_points(worst)),
    }
    if not dropped:
        return words
    more = ngettext("%(n)s does not count.", "%(n)s do not count.", dropped) % {"n": dropped}
    return f"{words} {more}"


def _strength_mark(then: StrengthAfter) -> Mark:
    rated = then.rated
    words = _("%(day)s: %(strength)s, between %(low)s and %(high)s") % {
        "day": date_format(then.day, "j F Y"),
        "strength": signed(rated.strength),
        "low": signed(rated.low),
        "high": signed(rated.high),
    }
    return Mark(then.day, rated.strength, words, low=rated.low, high=rated.high)


@dataclass(frozen=True, slots=True)
class PartnerLine:
    """A partner, with the mean score and the number of rounds together."""

    person: PublicPerson
    score: WithPartner


@require_safe
@public_view
def player_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Somebody's `?season=`, by default the newest they played in.

    Http404 for people without a public page.
    """
    member = get_object_or_404(public_people(club), pk=pk)
    seasons = list(_seasons(club, member))
    season = requested_season(request, seasons)
    evenings = _evenings(club, season)
    results = season_results(evenings, season)
    choices = season_choices(season) if season else []
    standings = [choice for choice in choices if choice.rule.ranks == "player"]
    with_others = places_with_others(season, evenings, choices, member) if season else []
    ranks_people = bool(standings)
    standings = standings or [Standing(1, "", CountingRule())]
    rows = [
        _row_of(member, standings_of(evenings, standing.rule, results)) for standing in standings
    ]
    row, rule = rows[0], standings[0].rule
    own = [result for result in results if result.player_id == str(member.pk)]
    there = _played(evenings, own)
    slugs = {evening.pk: evening.slug for evening in there}
    published = own_lines_published(there, member)
    places = {slugs[pk]: line for pk, line in published.items()}
    lines = _lines(club, own, results, row.by_evening if row else {}, places)
    partners = partner_scores(member.pk, evenings)
    context = {
        "club": club,
        "member": member,
        "season": season,
        "seasons": seasons,
        "stale_evenings": [column_of(club, evening) for evening in stale_evenings(there, results)],
        "row": row,
        "others": _others(standings, rows),
        "ranks_people": ranks_people,
        "with_others": with_others,
        "first_with_others": with_others[0] if with_others and not ranks_people else None,
        "average": average_words(row.average) if row else "",
        "by_average": rule.aggregate != "sum",
        "lines": lines[::-1],
        "best": _best(row, lines),
        "season_chart": season_chart(lines),
        "standing_query": f"?standing={standings[0].number}" if standings[0].number > 1 else "",
        # Results from before Klaverclub know no nats and often no pits or roem: 0 would be a claim.
        "was_drawn": not there or not all(evening.is_history for evening in there),
        "partners": partners,
        "partner_lines": _partner_lines(club, partners),
        "cup_wins": list(member.cup_wins.select_related("cup")),
        "pit_word": pit_word(club),
        **_strength_of(member),
    }
    return render(request, "tournaments/players/player.html", context)


@require_safe
@public_view
def player_list(request: HttpRequest, club: Club) -> HttpResponse:
    """Everybody who has a page, by surname; those who no longer come stand below the others."""
    people = public_people(club).by_surname()
    context = {
        "club": club,
        "people": [member for member in people if member.is_active],
        "left": [member for member in people if not member.is_active],
    }
    return render(request, "tournaments/players/players.html", context)


def public_people(club: Club) -> MemberQuerySet:
    """The people who may be read about and have been in a final draw or a result."""
    return seen_people(club).with_page()


def seen_people(club: Club) -> MemberQuerySet:
    """The people who have been in a final draw or a result, under whatever name."""
    drawn = Placement.objects.filter(member=OuterRef("pk")).exclude(round__state=Round.State.DRAFT)
    past = PastResult.objects.filter(member=OuterRef("pk"))
    return Member.objects.of(club).filter(Exists(drawn) | Exists(past))


def _seasons(club: Club, member: Member) -> QuerySet[Season]:
    """The seasons in which this player is in a closed evening, newest first."""
    closed = Evening.objects.filter(season=OuterRef("pk"), state=Evening.State.CLOSED)
    played = closed.filter(rounds__placements__member=member)
    past = closed.filter(past_results__member=member)
    return club.seasons.filter(Exists(played) | Exists(past))


def requested_season(request: HttpRequest, seasons: Sequence[Season]) -> Season | None:
    """The season that `?season=` names, by default the first; None if there are none.

    Http404 for a season that is not among these.
    """
    slug = request.GET.get("season", "")
    if not slug:
        return seasons[0] if seasons else None
    for season in seasons:
        if season.slug == slug:
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
    """The season's other standings, with the player's place in each, if any."""
    own_rows = list(zip(standings, rows, strict=True))
    return [(standing, row.rank if row else None) for standing, row in own_rows[1:]]


def _lines(
    club: Club,
    own: Sequence[EveningResult],
    results: Sequence[EveningResult],
    counting: Mapping[str, SeasonCell],
    places: Mapping[str, OwnLine],
) -> list[EveningLine]:
    """The player's evenings, in order."""
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
    counting: SeasonCell | None,
    places: Mapping[str, OwnLine],
) -> EveningLine:
    """An evening that the season's rule leaves out has no cell: its points are shown as dropped."""
    score = result.score
    own = places.get(result.evening)
    return EveningLine(
        date=result.date,
        url=evening_page_url(club, result.evening),
        rank=own.line.rank if own else None,
        players=own.lines if own else 0,
        whose=own.whose if own else "",
        mean=whole_mean(scores) if scores else None,
        cell=cell(counting)
        if counting
        else EveningCell(points=score, dropped=True, absent=score is None),
        best_round=result.best_round,
        pits=result.pits,
    )


def _best(row: SeasonRow | None, lines: Iterable[EveningLine]) -> EveningLine | None:
    """The evening of the player's best round; None if no rounds are known."""
    if row is None or row.best_round is None:
        return None
    return next((line for line in lines if line.best_round == row.best_round), None)


def _partner_lines(club: Club, partners: PartnerScores) -> list[PartnerLine]:
    best = partners.best[:MOST_PARTNERS]
    people = shown_people(club, (str(score.member_id) for score in best))
    return [PartnerLine(people[str(score.member_id)], score) for score in best]


def _strength_of(member: Member) -> dict[str, object]:
    """The page's context about somebody's playing strength; empty if they were never rated."""
    past = strength_over_time(member.pk)
    if not past:
        return {}
    return {
        "strength": past[-1].rated,
        "strength_past": past[::-1],
        "strength_chart": strength_chart(past) if len(past) > 1 else None,
    }
