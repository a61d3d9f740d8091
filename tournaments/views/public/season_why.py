"""Why a player has their place in a season: what counts, what is dropped, how a tie was broken."""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from clubs.models import Club
from clubs.permissions import public_view
from clubs.words import number
from scoring.words import pit_word
from tournaments.metric_words import metric_words
from tournaments.rule_words import period_words
from tournaments.standings.core import (
    CountingRule,
    EveningWhy,
    PeriodScore,
    SeasonWhy,
    TieStep,
    Verdict,
    why_season,
)
from tournaments.views.public.common import evening_date, evening_url
from tournaments.views.public.season import column_of
from tournaments.views.public.season_figures import figure_words
from tournaments.views.public.season_parts import asked_person

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


@require_safe
@public_view
def season_why(request: HttpRequest, club: Club, season_slug: str, pk: int) -> HttpResponse:
    """Why this player has their place. Http404 if they have no public line in the standing."""
    asked, row = asked_person(request, club, season_slug, pk)
    why = why_season(asked.table, row.player_id)
    context = {
        "club": club,
        "season": asked.season,
        "asked": asked,
        "person": asked.people[row.player_id],
        "pk": pk,
        "outdated": [column_of(club, evening) for evening in asked.outdated()],
        "why": why,
        "row": row,
        "value": figure_words(row.value),
        "gap": figure_words(row.gap) if row.gap else "",
        "evenings": [_line(club, evening) for evening in why.evenings],
        "sum": _sum(why, asked.standing.rule),
        "periods": list(_periods(why.periods)) if asked.standing.rule.periods else [],
        "steps": [_step(step, pit_word(club)) for step in why.tie.steps] if why.tie else [],
    }
    return render(request, "tournaments/public/season_why.html", context)


def _line(club: Club, why: EveningWhy) -> EveningReason:
    absences = {"notice": _("signed off"), "none": _("stayed away without a word"), None: ""}
    return EveningReason(
        date=evening_date(why.evening),
        url=evening_url(club, why.evening),
        worth=why.value,
        absence=absences[why.absence],
        counts=why.verdict in COUNTING,
        verdict=str(VERDICTS[why.verdict]),
    )


def _sum(why: SeasonWhy, rule: CountingRule) -> str:
    """The sum of what counts, divided if the mean decides the place."""
    counting = [evening for evening in why.evenings if evening.verdict in COUNTING]
    values = [evening.value or 0 for evening in counting]
    if not values:
        return ""
    added = f"{' + '.join(number(value) for value in values)} = {number(why.row.counted)}"
    if rule.aggregate == "sum":
        return added
    return f"{added}; {_divided(why, rule)}"


def _divided(why: SeasonWhy, rule: CountingRule) -> str:
    row = why.row
    if rule.aggregate == "mean_per_round":
        by = ngettext("%(n)s round", "%(n)s rounds", row.counting) % {"n": row.counting}
    else:
        by = ngettext("%(n)s evening", "%(n)s evenings", row.counting) % {"n": row.counting}
    return _("%(points)s divided by %(by)s = %(average)s") % {
        "points": number(row.counted),
        "by": by,
        "average": number(row.average, 2),
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
    figures = ", ".join(f"{name} {figure_words(figure)}" for name, figure in step.figures)
    return _("%(what)s: %(figures)s") % {"what": what, "figures": figures}
