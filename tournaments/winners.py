"""The winners of each of a club's evenings, without reading whole standings."""

from collections.abc import Mapping, Sequence

from django.db.models.fields.json import KT
from django.utils.translation import gettext as _

from clubs.merges.queries import people_today
from clubs.models import Club, Member
from tournaments.models import Evening, Release

FIRST_LINES = range(3)


def winners_of(club: Club) -> dict[int, str]:
    """The names of those in first place by evening id, as the public sees them today, from the
    latest release. Two queries for any number of evenings, three if a guest became a member."""
    firsts: dict[int, list[int]] = {}
    ranks = {f"rank_{line}": KT(f"standings__{line}__rank") for line in FIRST_LINES}
    members = {f"member_{line}": KT(f"standings__{line}__member") for line in FIRST_LINES}
    published = Release.objects.filter(evening__club=club, evening__state=Evening.State.CLOSED)
    for row in (
        published.order_by("number")
        .annotate(**ranks, **members)
        .values("evening_id", *ranks, *members)
    ):
        firsts[row["evening_id"]] = [
            int(row[f"member_{line}"]) for line in FIRST_LINES if str(row[f"rank_{line}"]) == "1"
        ]
    people = people_today(pk for first in firsts.values() for pk in first)
    return {evening: _in_words(first, people) for evening, first in firsts.items()}


def _in_words(first: Sequence[int], people: Mapping[int, Member]) -> str:
    names = [people[pk].shown_name for pk in first if pk in people]
    if len(names) > len(FIRST_LINES) - 1:
        return _("%(names)s and others") % {"names": ", ".join(names[:-1])}
    return _(" and ").join(names)
