"""Ratings as they are kept, for who wants to read them."""

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from clubs.models import Club
from tournaments.models import Rating

ENOUGH_EVENINGS = 5
SURE = 2


@dataclass(frozen=True, slots=True)
class Rated:
    """Somebody's strength in points a boompje, after so many evenings; nearly always, 19 times of
    20, the true one is from `low` to `high`."""

    member_id: int
    evenings: int
    strength: int
    low: int
    high: int

    @property
    def is_known(self) -> bool:
        """Whether there were enough evenings to compare it with that of others."""
        return self.evenings >= ENOUGH_EVENINGS


@dataclass(frozen=True, slots=True)
class Then:
    """Somebody's strength after the evening of a day."""

    day: dt.date
    evening: str
    rated: Rated


def strengths_now(club: Club) -> list[Rated]:
    """Everybody of the club who was ever rated, strongest first. One query."""
    kept = Rating.objects.filter(evening__club=club)
    rows = kept.order_by("evening__date", "evening__sequence").values_list("member", "mu", "sigma")
    evenings: Counter[int] = Counter()
    last: dict[int, Rated] = {}
    for member_id, mu, sigma in rows:
        evenings[member_id] += 1
        last[member_id] = _rated(member_id, evenings[member_id], mu, sigma)
    return sorted(last.values(), key=lambda found: (-found.strength, found.member_id))


def strength_over_time(member_id: int) -> list[Then]:
    """How strong this person was thought to be after each of his evenings, in order. One query."""
    kept = Rating.objects.filter(member=member_id).select_related("evening")
    return [
        Then(
            rating.evening.date,
            rating.evening.slug,
            _rated(member_id, number, rating.mu, rating.sigma),
        )
        for number, rating in enumerate(
            kept.order_by("evening__date", "evening__sequence"), start=1
        )
    ]


def places(rated: Sequence[Rated]) -> list[tuple[int, Rated]]:
    """Each with its place, strongest first; equals share one: 1, 2, 2, 4."""
    ahead = Counter(found.strength for found in rated)
    return [
        (1 + sum(n for strength, n in ahead.items() if strength > found.strength), found)
        for found in rated
    ]


def _rated(member_id: int, evenings: int, mu: float, sigma: float) -> Rated:
    low, high = round(mu - SURE * sigma), round(mu + SURE * sigma)
    return Rated(member_id, evenings, round(mu), low, high)
