"""What counts in a season, in sentences."""

import datetime as dt
from collections.abc import Iterator

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.text.numbers import number
from tournaments.models import SeasonRule
from tournaments.standings.core.metrics import METRICS
from tournaments.standings.core.results import CountingRule, Period
from tournaments.standings.texts import metric_words


def what_counts(rule: CountingRule, evenings: int) -> str:
    """The rule in one sentence, for a season of so many evenings."""
    if rule.periods:
        return _periods(rule)
    if rule.best_per_period is None:
        return _("Every evening counts.")
    return _best(rule.best_per_period, evenings)


def _best(best: int, evenings: int) -> str:
    """The best of so many evenings; where there are not that many yet, how many there are."""
    if evenings > best:
        return ngettext(
            "The best of the %(evenings)s evenings counts.",
            "The best %(n)s of the %(evenings)s evenings count.",
            best,
        ) % {"n": best, "evenings": evenings}
    sentence = ngettext("The best evening counts.", "The best %(n)s evenings count.", best)
    so_far = ngettext(
        "This season has %(n)s evening so far.", "This season has %(n)s evenings so far.", evenings
    )
    words = sentence % {"n": best}
    return f"{words} {so_far % {'n': evenings}}" if evenings else words


def what_else_counts(rule: CountingRule, pit: str) -> Iterator[str]:
    """The rest of the rule, a sentence each; `pit` is the club's word for a pit."""
    yield from _who(rule)
    if rule.periods:
        spans = ", ".join(period_words(period) for period in rule.periods)
        yield _("The periods: %(spans)s.") % {"spans": spans}
    yield from _places(rule, pit)
    if rule.minimum_evenings:
        yield minimum_line(rule)
    if rule.excluded:
        days = [date_format(_day(evening), "j F") for evening in rule.excluded]
        yield _("Not counted: %(days)s.") % {"days": ", ".join(days)}
    yield from _absences(rule)
    if rule.tie_breaks:
        chain = [metric_words(tie_break, pit) for tie_break in rule.tie_breaks]
        yield _("Ties are broken by: %(chain)s.") % {"chain": ", ".join(chain)}


def changed_line(standing: SeasonRule) -> str:
    """When and why what counts was changed after the first result; empty if it was not."""
    if standing.changed_on is None:
        return ""
    words = {"date": date_format(standing.changed_on, "j F Y"), "reason": standing.reason}
    return _("What counts was changed on %(date)s, during the season: %(reason)s") % words


def _who(rule: CountingRule) -> Iterator[str]:
    """Who is in the standing, where that is not everybody by themselves."""
    if rule.ranks == "pair":
        yield _(
            "This standing is of fixed pairs. Whoever plays for a pair, the points are the pair's."
        )
    elif rule.ranks == "team" and rule.team_best is None:
        yield _("This standing is of teams. A team has the points of all its pairs together.")
    elif rule.ranks == "team":
        yield ngettext(
            "This standing is of teams. Of a team the best %(n)s player of the evening counts.",
            "This standing is of teams. Of a team the best %(n)s players of the evening count.",
            rule.team_best or 0,
        ) % {"n": rule.team_best}


def minimum_line(rule: CountingRule) -> str:
    """How often somebody must play to have a place; empty if once is enough."""
    if not rule.minimum_evenings:
        return ""
    return ngettext(
        "You get a place once you have played %(n)s evening.",
        "You get a place once you have played %(n)s evenings.",
        rule.minimum_evenings,
    ) % {"n": rule.minimum_evenings}


def period_words(period: Period) -> str:
    """The days of a period, such as 1 September – 12 October."""
    first, last = (date_format(day, "j F") for day in period)
    return f"{first} – {last}"


def _places(rule: CountingRule, pit: str) -> Iterator[str]:
    if rule.rank_by is not None:
        yield _("Your place is decided by: %(what)s.") % {"what": metric_words(rule.rank_by, pit)}
        if METRICS[rule.rank_by].of_what_counts and not rule.is_plain:
            yield _of_what_counts(rule)
    elif rule.aggregate == "mean_per_evening":
        yield _("Your place is decided by your average per evening.")
    elif rule.aggregate == "mean_per_round":
        yield _("Your place is decided by your average per round.")


def _of_what_counts(rule: CountingRule) -> str:
    match rule.aggregate:
        case "mean_per_evening":
            return _("For that we take the mean per evening, of the evenings that count.")
        case "mean_per_round":
            return _("For that we take the mean per round, of the evenings that count.")
    return _("For that only the evenings that count are added up, those with the most points.")


def _periods(rule: CountingRule) -> str:
    periods = len(rule.periods)
    if rule.best_per_period is None:
        if rule.best_periods is None:
            return _("Every evening in the periods counts.")
        return ngettext(
            "The best of the %(periods)s periods counts.",
            "The best %(k)s of the %(periods)s periods count.",
            rule.best_periods,
        ) % {"k": rule.best_periods, "periods": periods}
    best = rule.best_per_period
    each = ngettext(
        "In each period the best evening counts.",
        "In each period the best %(n)s evenings count.",
        best,
    ) % {"n": best}
    if rule.best_periods is None:
        return each
    best_periods = ngettext(
        "Of the %(periods)s periods the best counts.",
        "Of the %(periods)s periods the best %(k)s count.",
        rule.best_periods,
    ) % {"k": rule.best_periods, "periods": periods}
    return f"{each} {best_periods}"


def _absences(rule: CountingRule) -> Iterator[str]:
    absence = rule.absence
    if absence.with_notice == "lowest":
        yield _("Players who signed off get the lowest score of that evening.")
    elif absence.with_notice is not None:
        yield _("Players who signed off get %(points)s points.") % {
            "points": number(absence.with_notice)
        }
    if absence.without_notice:
        yield _("Players who stayed away without notice get %(points)s points.") % {
            "points": number(absence.without_notice)
        }
    if absence.may_be_dropped:
        yield _("An evening that they stayed away without notice may be dropped like any other.")


def _day(evening: str) -> dt.date:
    return dt.date.fromisoformat(evening[:10])
