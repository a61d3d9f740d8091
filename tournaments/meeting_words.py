"""In words, how evenly people met over a season."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Member
from tournaments.draw.core.explain import TimesTogether

Couple = tuple[Member, Member, TimesTogether]
Meetings = Mapping[int, Mapping[int, TimesTogether]]
"""For each person, by id, whom he met and how often."""


def times_together(together: TimesTogether) -> int:
    """How often two people were at one table."""
    return together.partners + together.opponents


def couples_met(people: Sequence[Member], meetings: Meetings) -> list[Couple]:
    """Every two people who met, once; most often together first, then by surname."""
    turn = {who.pk: place for place, who in enumerate(people)}
    met = [
        (one, people[turn[other]], together)
        for one in people
        for other, together in meetings[one.pk].items()
        if turn[one.pk] < turn[other]
    ]
    return sorted(
        met, key=lambda couple: (-times_together(couple[2]), turn[couple[0].pk], turn[couple[1].pk])
    )


def meetings_in_words(people: Sequence[Member], meetings: Meetings, evenings: int) -> str:
    """One sentence on people in order of name; empty where nobody met anybody."""
    couples = couples_met(people, meetings)
    if not couples:
        return ""
    never = len(people) * (len(people) - 1) // 2 - len(couples)
    times = [times_together(together) for _one, _other, together in couples] + [0] * never
    most = [couple for couple, often in zip(couples, times, strict=False) if often == times[0]]
    return _("%(people)s, %(evenings)s: most couples were together %(usual)s; %(most)s.") % {
        "people": ngettext("%(n)s person", "%(n)s people", len(people)) % {"n": len(people)},
        "evenings": ngettext("%(n)s evening", "%(n)s evenings", evenings) % {"n": evenings},
        "usual": _usual(times),
        "most": _most(most),
    }


def _usual(times: Sequence[int]) -> str:
    """How often the middle half of the couples were together; `times` is from most to fewest."""
    low, high = times[3 * len(times) // 4], times[len(times) // 4]
    if not high:
        return _("never")
    if low == high:
        return ngettext("%(n)s time", "%(n)s times", low) % {"n": low}
    words = {"low": low, "high": high}
    if high == low + 1:
        return _("%(low)s or %(high)s times") % words
    return _("%(low)s to %(high)s times") % words


def _most(couples: Sequence[Couple]) -> str:
    """Who were together most often."""
    one, other, together = couples[0]
    times = times_together(together)
    if len(couples) == 1:
        return ngettext(
            "most often %(one)s and %(other)s: %(n)s time",
            "most often %(one)s and %(other)s: %(n)s times",
            times,
        ) % {"n": times, "one": one.shown_name, "other": other.shown_name}
    return ngettext(
        "the most was %(n)s time, for %(couples)s couples",
        "the most was %(n)s times, for %(couples)s couples",
        times,
    ) % {"n": times, "couples": len(couples)}
