"""In words, how evenly people met over a season."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Member
from tournaments.draw.core.explain import TimesTogether

Couple = tuple[Member, Member, TimesTogether]
Meetings = Mapping[int, Mapping[int, TimesTogether]]
"""By member id, the people they met and how often."""


def times_together(together: TimesTogether) -> int:
    """How often two people shared a table."""
    return together.partners + together.opponents


def couples_met(people: Sequence[Member], meetings: Meetings) -> list[Couple]:
    """Every couple that met, once; most often together first, then by surname."""
    turn = {member.pk: place for place, member in enumerate(people)}
    met = [
        (member, people[turn[other]], together)
        for member in people
        for other, together in meetings[member.pk].items()
        if turn[member.pk] < turn[other]
    ]
    return sorted(
        met, key=lambda couple: (-times_together(couple[2]), turn[couple[0].pk], turn[couple[1].pk])
    )


def meetings_in_words(people: Sequence[Member], meetings: Meetings, evenings: int) -> str:
    """One sentence about these people, sorted by name; empty if nobody met anybody."""
    couples = couples_met(people, meetings)
    if not couples:
        return ""
    never = len(people) * (len(people) - 1) // 2 - len(couples)
    times = [times_together(together) for _member, _other, together in couples] + [0] * never
    most = [couple for couple, often in zip(couples, times, strict=False) if often == times[0]]
    return _("%(people)s, %(evenings)s: most couples were together %(usual)s; %(most)s.") % {
        "people": ngettext("%(n)s person", "%(n)s people", len(people)) % {"n": len(people)},
        "evenings": ngettext("%(n)s evening", "%(n)s evenings", evenings) % {"n": evenings},
        "usual": _usual(times),
        "most": _most(most),
    }


def _usual(times: Sequence[int]) -> str:
    """How often the middle half of the couples met; `times` is descending."""
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
    """The couples that met most often."""
    member, other, together = couples[0]
    times = times_together(together)
    if len(couples) == 1:
        return ngettext(
            "most often %(one)s and %(other)s: %(n)s time",
            "most often %(one)s and %(other)s: %(n)s times",
            times,
        ) % {"n": times, "one": member.shown_name, "other": other.shown_name}
    return ngettext(
        "the most was %(n)s time, for %(couples)s couples",
        "the most was %(n)s times, for %(couples)s couples",
        times,
    ) % {"n": times, "couples": len(couples)}
