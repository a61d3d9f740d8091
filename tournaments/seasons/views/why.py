"""Why a player has their place in a season, and what the next evening could do for them."""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from clubs.access.permissions import owned, public_view
from clubs.models import Club
from clubs.text.numbers import number, whole_number
from scoring.display.words import pit_word
from tournaments.evenings.pages import evening_date, evening_page_url
from tournaments.models import Evening, PersonCorrection
from tournaments.seasons.shown import SeasonStanding, average_words, chosen_person
from tournaments.seasons.texts import period_words
from tournaments.seasons.views.public import column_of
from tournaments.standings.core.metrics import BY_POINTS, METRICS
from tournaments.standings.core.results import CountingRule, PeriodScore, Points, SeasonRow
from tournaments.standings.core.why import (
    EveningWhy,
    NextEvening,
    Outcome,
    SeasonWhy,
    TieStep,
    Verdict,
    WhatIf,
    why_season,
)
from tournaments.standings.texts import metric_words

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

COUNTING: tuple[Verdict, ...] = ("counts", "cannot_be_dropped")
VERDICTS: Mapping[Verdict, "StrOrPromise"] = {
    "counts": gettext_lazy("it counts"),
    "cannot_be_dropped": gettext_lazy("counts, and cannot be dropped"),
    "dropped": gettext_lazy("dropped: there are enough better ones"),
    "period_dropped": gettext_lazy("its period is not among the best"),
    "outside_periods": gettext_lazy("outside the periods"),
    "worth_nothing": gettext_lazy("does not count"),
}


@dataclass(frozen=True, slots=True)
class EveningReason:
    """One evening: what it is worth to the season, and why it counts or not."""

    date: dt.date
    url: str
    worth: int | None
    absence: str
    counts: bool
    verdict: str
    figure: str = ""


@dataclass(frozen=True, slots=True)
class CorrectionReason:
    """What the director gave somebody, or took off, for the season or for an evening, and why."""

    about: str
    points: int
    reason: str


@require_safe
@public_view
def season_why(request: HttpRequest, club: Club, season_slug: str, pk: int) -> HttpResponse:
    """Why this player has their place. Http404 if they have no public line in the standing."""
    chosen, row = chosen_person(request, club, season_slug, pk)
    why = why_season(chosen.table, row.player_id)
    context = {
        "club": club,
        "season": chosen.season,
        "chosen": chosen,
        "person": chosen.people[row.player_id],
        "pk": pk,
        "stale_evenings": [column_of(club, evening) for evening in chosen.stale_evenings()],
        "why": why,
        "row": row,
        "value": average_words(row.value),
        "gap": average_words(row.gap) if row.gap else "",
        "evenings": [_line(club, evening) for evening in why.evenings],
        "figure_words": _figure_words(chosen.standing.rule, pit_word(club)),
        "corrections": _corrections(chosen, pk),
        "sum": _sum(why, chosen.standing.rule),
        "periods": list(_periods(why.periods)) if chosen.standing.rule.periods else [],
        "steps": [_step(step, pit_word(club)) for step in why.tie.steps] if why.tie else [],
    }
    return render(request, "tournaments/seasons/season_why.html", context)


def _line(club: Club, why: EveningWhy) -> EveningReason:
    absences = {"notice": _("signed off"), "none": _("stayed away without a word"), None: ""}
    return EveningReason(
        date=evening_date(why.evening),
        url=evening_page_url(club, why.evening),
        worth=why.value,
        absence=absences[why.absence],
        counts=why.verdict in COUNTING,
        verdict=str(VERDICTS[why.verdict]),
        figure=number(why.figure) if why.score is not None else "",
    )


def _figure_words(rule: CountingRule, pit: str) -> str:
    """What the place goes by, where that adds up over the evenings that count; else empty."""
    if rule.rank_by is None or not METRICS[rule.rank_by].of_what_counts:
        return ""
    return metric_words(rule.rank_by, pit)


def _corrections(chosen: SeasonStanding, pk: int) -> list[CorrectionReason]:
    """In order of time; a query if anything was corrected. Those of a pair or a team are of the
    season: what its people got on an evening is in its points of that evening."""
    if chosen.standing.rule.ranks != "player":
        own = chosen.season.competitor_corrections.filter(competitor=pk)
        given = own if chosen.season.corrected else own.none()
        return [CorrectionReason(_("the season"), one.points, one.reason) for one in given]
    evenings = {one.pk: one for one in chosen.evenings if one.corrected}
    if not chosen.season.corrected and not evenings:
        return []
    made = owned(chosen.season.club, PersonCorrection).filter(
        Q(season=chosen.season) | Q(evening__in=evenings), member=pk
    )
    return [
        CorrectionReason(
            date_format(evenings[one.evening_id].date, "j F Y")
            if one.evening_id
            else _("the season"),
            one.points,
            one.reason,
        )
        for one in made
    ]


def _sum(why: SeasonWhy, rule: CountingRule) -> str:
    """The sum of what counts, divided if the mean decides the place; empty where there is nothing
    to add up."""
    counting = [evening for evening in why.evenings if evening.verdict in COUNTING]
    values = [evening.value or 0 for evening in counting]
    if _figure_words(rule, ""):
        return _sum_of_figures(why, counting, rule)
    correction = why.row.correction
    if correction:
        values.append(correction)
    if not values or (len(values) == 1 and rule.aggregate == "sum"):
        return ""
    terms = " + ".join(number(value) for value in values).replace("+ −", "− ")
    added = f"{terms} = {number(why.row.counted)}" if len(values) > 1 else terms
    if rule.aggregate == "sum":
        return added if len(values) > 1 else ""
    return f"{added}; {_divided(why, rule)}"


def _sum_of_figures(why: SeasonWhy, counting: Sequence[EveningWhy], rule: CountingRule) -> str:
    """The same where the place goes by such as pits or roem."""
    figures = [evening.figure for evening in counting if evening.figure is not None]
    if rule.is_plain or not figures:
        return ""
    terms = " + ".join(number(figure) for figure in figures)
    whole = f"{terms} = {number(sum(figures))}" if len(figures) > 1 else terms
    if rule.aggregate == "sum":
        return whole
    words = {"sum": whole, "mean": average_words(why.row.value)}
    return _("%(sum)s; the mean is %(mean)s") % words


def _divided(why: SeasonWhy, rule: CountingRule) -> str:
    row = why.row
    if rule.aggregate == "mean_per_round":
        by = ngettext("%(n)s round", "%(n)s rounds", row.counting) % {"n": row.counting}
    else:
        by = ngettext("%(n)s evening", "%(n)s evenings", row.counting) % {"n": row.counting}
    return _("%(points)s divided by %(by)s = %(average)s") % {
        "points": number(row.counted),
        "by": by,
        "average": average_words(row.average),
    }


def _periods(periods: Sequence[PeriodScore]) -> Iterator[tuple[str, PeriodScore]]:
    for period in periods:
        yield period_words(period.span) if period.span else "", period


def _step(step: TieStep, pit: str) -> str:
    """One step of breaking a tie, with the figure of each player."""
    what = metric_words(step.tie_break, pit)
    if step.tie_break == "lot":
        names = ", ".join(name for name, _figure in step.figures)
        return _("%(what)s put them in this order: %(names)s") % {"what": what, "names": names}
    figures = ", ".join(f"{name} {average_words(figure)}" for name, figure in step.figures)
    return _("%(what)s: %(figures)s") % {"what": what, "figures": figures}


NO_MORE = [Evening.State.CLOSED, Evening.State.CANCELLED]
WEEK = dt.timedelta(weeks=1)


@dataclass(frozen=True, slots=True)
class ScoreToTry:
    """A possible score and its outcome; `better` is how much it adds to the present value."""

    label: str
    outcome: Outcome
    value: str
    better: Points


@dataclass(frozen=True, slots=True)
class Dropping:
    """An evening that would no longer count."""

    date: dt.date
    points: int | None


@require_safe
@public_view
def season_next(request: HttpRequest, club: Club, season_slug: str, pk: int) -> HttpResponse:
    """What one more evening would do for this player, with the others as they stand.

    `?points=` asks for the outcome of a score. Http404 if the player has no public line.
    """
    chosen, row = chosen_person(request, club, season_slug, pk)
    planned = _planned(chosen)
    typed = request.GET.get("points", "").strip().replace(".", "")
    points = whole_number(typed, otherwise=-1)
    what_if = _what_if(chosen, row, planned)
    context = {
        "club": club,
        "season": chosen.season,
        "chosen": chosen,
        "person": chosen.people[row.player_id],
        "pk": pk,
        "row": row,
        "value": average_words(row.value),
        "planned": planned,
        "by_points": chosen.standing.rule.rank_by in BY_POINTS,
        "typed": typed,
        "is_odd": bool(typed) and not 0 <= points < 100_000,
        "what_if": what_if,
        **(_answers(chosen, what_if, points) if what_if else {}),
    }
    return render(request, "tournaments/seasons/season_next.html", context)


def _planned(chosen: SeasonStanding) -> Evening | None:
    """The next planned evening of the season that can count, if any."""
    excluded = chosen.standing.rule.excluded
    to_come = (evening for evening in chosen.evenings if evening.state not in NO_MORE)
    return next((evening for evening in to_come if evening.slug not in excluded), None)


def _what_if(chosen: SeasonStanding, row: SeasonRow, planned: Evening | None) -> WhatIf | None:
    """None if points do not decide the places, or the season is over."""
    if chosen.standing.rule.rank_by not in BY_POINTS or (planned is None and _is_over(chosen)):
        return None
    closed = [evening for evening in chosen.evenings if evening.state == Evening.State.CLOSED]
    return WhatIf(chosen.results, chosen.table, row.player_id, _to_come(closed, planned))


def _is_over(chosen: SeasonStanding) -> bool:
    ends = chosen.season.ends
    return ends is not None and ends < timezone.localdate()


def _to_come(closed: Sequence[Evening], planned: Evening | None) -> NextEvening:
    """The planned evening; without one, an evening a week after the last."""
    if planned is not None:
        return NextEvening(planned.slug, planned.date, planned.rounds_planned)
    last = closed[-1]
    day = max(last.date + WEEK, timezone.localdate())
    return NextEvening(day.isoformat(), day, last.rounds_planned)


def _answers(chosen: SeasonStanding, what_if: WhatIf, points: int) -> dict[str, object]:
    tried = what_if.outcome(points) if 0 <= points < 100_000 else None
    return {
        "drops": [_dropping(what_if.now, evening) for evening in what_if.drops],
        "scores": list(_scores(chosen, what_if)),
        "tried": _score("", tried, what_if) if tried else None,
    }


def _dropping(row: SeasonRow, evening: str) -> Dropping:
    return Dropping(evening_date(evening), row.by_evening[evening].value)


def _scores(chosen: SeasonStanding, what_if: WhatIf) -> Iterator[ScoreToTry]:
    """Scores worth trying, from low to high: what helps, what the player usually scores, and what
    the places above need."""
    row = what_if.now
    # Scores far beyond what anybody reached would only mislead.
    highest = max((line.best_evening or 0 for line in chosen.table.rows), default=0) * 5 // 4
    wanted: dict[int, list[str]] = {}
    if what_if.helps_from is not None and what_if.helps_from <= highest:
        wanted.setdefault(what_if.helps_from, []).append(_("from here on it helps"))
    if row.evenings:
        wanted.setdefault(row.total // row.evenings, []).append(_("an average evening"))
    if row.best_evening is not None:
        wanted.setdefault(row.best_evening, []).append(_("the best evening so far"))
    for rank, label in _places_above(row):
        needed = what_if.needed_for(rank)
        if needed is not None and needed <= highest:
            wanted.setdefault(needed, []).append(label)
    for points in sorted(wanted):
        yield _score(", ".join(wanted[points]), what_if.outcome(points), what_if)


def _places_above(row: SeasonRow) -> Iterator[tuple[int, str]]:
    if row.rank is None or row.rank == 1:
        return
    if row.rank > 2:
        yield row.rank - 1, _("for place %(place)s") % {"place": row.rank - 1}
    yield 1, _("for the first place")


def _score(label: str, outcome: Outcome, what_if: WhatIf) -> ScoreToTry:
    return ScoreToTry(
        label, outcome, average_words(outcome.value), better=outcome.value - what_if.now.value
    )
