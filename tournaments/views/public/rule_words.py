"""What counts in a season, said in words."""

from collections.abc import Iterator

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.words import number
from tournaments.ranking import SeasonRule
from tournaments.views.public.common import evening_date

TIE_BREAK_WORDS = {
    "pits": lambda: _("most often %(pit)s"),
    "best_round": lambda: _("the best round"),
    "fewest_nats": lambda: _("fewest times nat"),
    "head_to_head": lambda: _("what they scored against each other"),
    "lot": lambda: _("the lot"),
}


def what_counts(rule: SeasonRule, evenings: int) -> str:
    """The rule in one sentence, for a season of so many evenings."""
    if rule.periods:
        return _periods(rule)
    if rule.best_per_period is None:
        return _("Every evening counts.")
    return ngettext(
        "The best of the %(evenings)s evenings counts.",
        "The best %(n)s of the %(evenings)s evenings count.",
        rule.best_per_period,
    ) % {"n": rule.best_per_period, "evenings": max(evenings, rule.best_per_period)}


def what_else_counts(rule: SeasonRule, pit: str) -> Iterator[str]:
    """What else somebody must know to follow the standing, a sentence each; `pit` is the club's
    word for that."""
    if rule.aggregate == "mean_per_evening":
        yield _("Your place goes by your average per evening.")
    if rule.aggregate == "mean_per_round":
        yield _("Your place goes by your average per round.")
    if rule.minimum_evenings:
        yield ngettext(
            "You get a place once you have played %(n)s evening.",
            "You get a place once you have played %(n)s evenings.",
            rule.minimum_evenings,
        ) % {"n": rule.minimum_evenings}
    if rule.excluded:
        days = [date_format(evening_date(evening), "j F") for evening in rule.excluded]
        yield _("Not counted: %(days)s.") % {"days": ", ".join(days)}
    yield from _absences(rule)
    if rule.tie_breaks:
        chain = [TIE_BREAK_WORDS[tie_break]() % {"pit": pit} for tie_break in rule.tie_breaks]
        yield _("Who has equal points is placed by: %(chain)s.") % {"chain": ", ".join(chain)}


def _periods(rule: SeasonRule) -> str:
    periods = len(rule.periods)
    if rule.best_per_period is None:
        return _("The best %(k)s of the %(periods)s periods count.") % {
            "k": rule.best_periods or periods,
            "periods": periods,
        }
    if rule.best_periods is None:
        return _("In each of the %(periods)s periods the best %(n)s evenings count.") % {
            "n": rule.best_per_period,
            "periods": periods,
        }
    return _(
        "In each period the best %(n)s evenings count, and the best %(k)s of the %(periods)s "
        "periods."
    ) % {"n": rule.best_per_period, "k": rule.best_periods, "periods": periods}


def _absences(rule: SeasonRule) -> Iterator[str]:
    absence = rule.absence
    if absence.with_notice == "lowest":
        yield _("Who signed off gets the lowest score of that evening.")
    elif absence.with_notice is not None:
        yield _("Who signed off gets %(points)s points.") % {"points": number(absence.with_notice)}
    if absence.without_notice:
        yield _("Who stayed away without a word gets %(points)s points.") % {
            "points": number(absence.without_notice)
        }
