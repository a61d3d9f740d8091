"""What follows from folders beyond their evening: the percentages of a season."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from itertools import groupby
from typing import Any

from django.core.cache import caches
from django.db.models import OuterRef, Subquery

from clubs.merges.services import people_today
from clubs.models import Member
from tournaments.models import Evening, Release, Season
from tournaments.standings.core.places import shared_places

CACHE_SECONDS = 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class SeasonPercentage:
    """Somebody's place in the standing of percentages: the mean of their evenings, by evening."""

    place: int
    member: Member
    mean: Decimal
    by_evening: Mapping[str, Decimal]


def season_percentages(season: Season) -> list[SeasonPercentage]:
    """The standing of a season by the mean of everybody's percentages on its closed evenings of
    folders that are compared by matchpoints, as published last. Three queries, one more where an
    evening was not read yet by this process, and one where a guest became a member."""
    newest = Release.objects.filter(evening=OuterRef("evening")).order_by("-number")
    published = Release.objects.filter(
        evening__season=season,
        evening__state=Evening.State.CLOSED,
        number=Subquery(newest.values("number")[:1]),
    )
    dated = published.select_related("evening").only("evening__date", "evening__sequence")
    last = {release.evening.slug: release.pk for release in dated}
    percentages = _percentages(last.values())
    members = people_today({pk for of_evening in percentages.values() for pk in of_evening})
    percents: dict[int, dict[str, Decimal]] = defaultdict(dict)
    for slug, release in last.items():
        for pk, percent in percentages[release].items():
            if pk in members:
                percents[members[pk].pk][slug] = percent
    people = {member.pk: member for member in members.values()}
    means = {
        pk: (sum(own.values(), Decimal(0)) / len(own)).quantize(
            Decimal("0.01"), rounding=ROUND_HALF_UP
        )
        for pk, own in percents.items()
    }
    ordered = sorted(means, key=lambda pk: (-means[pk], people[pk].sort_name, pk))
    equal = [[*same] for _mean, same in groupby(ordered, key=means.__getitem__)]
    return [
        SeasonPercentage(place, people[pk], means[pk], percents[pk])
        for place, group in shared_places(equal)
        for pk in group
    ]


def _percentages(releases: Collection[int]) -> dict[int, dict[int, Decimal]]:
    """By release the percentage of everybody who played there, by the id they had then. Each
    process keeps them: a release never changes."""
    cache = caches["small"]
    keys = {f"folders-published-{pk}": pk for pk in releases}
    known: dict[str, dict[int, Decimal]] = cache.get_many(keys)
    missing = [pk for key, pk in keys.items() if key not in known]
    stored = Release.objects.filter(pk__in=missing).values_list("pk", "folders", "standings")
    for pk, folders, standings in stored if missing else ():
        key = f"folders-published-{pk}"
        known[key] = _percentages_of(folders, standings)
        cache.set(key, known[key], CACHE_SECONDS)
    return {pk: known[key] for key, pk in keys.items()}


def _percentages_of(
    folders: Mapping[str, Any] | None, standings: Sequence[Mapping[str, Any]]
) -> dict[int, Decimal]:
    """None of what was not compared by matchpoints."""
    of_pair = {
        pair: Decimal(row["percentage"])
        for line in (folders or {"lines": ()})["lines"]
        for row in line["places"]
        for pair in row["pairs"]
        if row["percentage"] is not None
    }
    return {
        row["member"]: of_pair[row["pair"]["number"]]
        for row in standings
        if row.get("pair") and row["pair"]["number"] in of_pair
    }
