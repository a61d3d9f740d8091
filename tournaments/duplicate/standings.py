"""What follows from folders beyond their evening: a season's percentages, and who wins prizes."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from itertools import groupby

from django.core.cache import caches
from django.dispatch import receiver

from clubs.models import Member
from tournaments.duplicate.core.scoring import PairWorth, decimal_text
from tournaments.duplicate.queries import duplicate_of, duplicate_results, results_of, value_of
from tournaments.models import DuplicateEvening, Evening, Season
from tournaments.prizes.core import RankedEntry
from tournaments.prizes.giving import folder_places_wanted
from tournaments.standings.core.places import shared_places
from tournaments.standings.core.results import Percentage

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
    folders that are compared by matchpoints. Two queries, and those of `results_of` where an
    evening was not worked out yet by this process."""
    evenings = list(
        season.evenings.filter(
            state=Evening.State.CLOSED, duplicate__compare=DuplicateEvening.Comparison.MATCHPOINTS
        )
        .select_related("duplicate")
        .order_by("date", "sequence")
    )
    percentages = _percentages(evenings)
    percents: dict[int, dict[str, Decimal]] = defaultdict(dict)
    for evening in evenings:
        for pk, percent in percentages[evening.pk].items():
            percents[pk][evening.slug] = percent
    members = Member.objects.in_bulk(percents)
    means = {
        pk: (sum(own.values(), Decimal(0)) / len(own)).quantize(
            Decimal("0.01"), rounding=ROUND_HALF_UP
        )
        for pk, own in percents.items()
    }
    ordered = sorted(means, key=lambda pk: (-means[pk], members[pk].sort_name, pk))
    equal = [[*same] for _mean, same in groupby(ordered, key=means.__getitem__)]
    return [
        SeasonPercentage(place, members[pk], means[pk], percents[pk])
        for place, group in shared_places(equal)
        for pk in group
    ]


def _percentages(evenings: Collection[Evening]) -> dict[int, dict[int, Decimal]]:
    """By evening the percentage of everybody who played there, by member id. Kept by each process
    for the revision of the evening, so that it is never stale."""
    cache = caches["small"]
    keys = {f"folders-{evening.uuid}-{evening.revision}": evening for evening in evenings}
    known: dict[str, dict[int, Decimal]] = cache.get_many(keys)
    missing = [evening for key, evening in keys.items() if key not in known]
    duplicates = {evening.pk: evening.duplicate for evening in missing}
    worked_out = {
        pk: {
            member.pk: row.worth.percentage or Decimal(0)
            for ranking in results.ranking
            for row in ranking.rows
            for pair in row.pairs
            for member in pair.people
        }
        for pk, results in (results_of(missing, duplicates) if missing else {}).items()
    }
    for key, evening in keys.items():
        if key not in known:
            known[key] = worked_out[evening.pk]
            cache.set(key, known[key], CACHE_SECONDS)
    return {evening.pk: known[key] for key, evening in keys.items()}


@receiver(folder_places_wanted)
def places_for_prizes(evening: Evening, **_kwargs: object) -> list[RankedEntry]:
    """Whoever was compared, those of both lines together, with the best first. Four queries, and
    two more where pairs play for teams."""
    results = duplicate_results(evening, duplicate_of(evening))
    rows = [row for ranking in results.ranking for row in ranking.rows]
    rows.sort(key=lambda row: (-value_of(row.worth), row.key))
    equal = [[*same] for _value, same in groupby(rows, key=lambda row: value_of(row.worth))]
    return [
        RankedEntry(
            tuple(str(member.pk) for pair in row.pairs for member in pair.people),
            row.pairs[0].team if len(row.pairs) > 1 else row.pairs[0].names(_desk_name),
            place,
            _figure(row.worth),
        )
        for place, group in shared_places(equal)
        for row in group
    ]


def _desk_name(member: Member) -> str:
    return member.desk_name


def _figure(worth: PairWorth) -> Decimal:
    if worth.percentage is not None:
        return Percentage(worth.percentage)
    return Decimal(decimal_text(worth.points))
