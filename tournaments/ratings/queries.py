"""Reading stored ratings: a club's list now, and a player's history."""

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from clubs.models import Club
from tournaments.models import Rating

ENOUGH_EVENINGS = 5
SURE = 2


@dataclass(frozen=True, slots=True)
class PlayerStrength:
    """Somebody's strength in points per boompje after so many evenings; `low` to `high` is the 95 %
    interval."""

    member_id: int
    evenings: int
    strength: int
    low: int
    high: int

    @property
    def is_known(self) -> bool:
        """Whether there were enough evenings to compare it with others'."""
        return self.evenings >= ENOUGH_EVENINGS


@dataclass(frozen=True, slots=True)
class StrengthAfter:
    """Somebody's strength after an evening."""

    day: dt.date
    evening: str
    rated: PlayerStrength


def strengths_now(club: Club) -> list[PlayerStrength]:
    """Everybody of the club who was ever rated, strongest first. One query."""
    ratings = Rating.objects.filter(evening__club=club)
    rows = ratings.order_by("evening__date", "evening__sequence").values_list(
        "member", "mu", "sigma"
    )
    evenings: Counter[int] = Counter()
    last: dict[int, PlayerStrength] = {}
    for member_id, mu, sigma in rows:
        evenings[member_id] += 1
        last[member_id] = _rated(member_id, evenings[member_id], mu, sigma)
    return sorted(last.values(), key=lambda player: (-player.strength, player.member_id))


def strength_over_time(member_id: int) -> list[StrengthAfter]:
    """This person's strength after each of their evenings, in order. One query."""
    ratings = Rating.objects.filter(member=member_id).select_related("evening")
    return [
        StrengthAfter(
            rating.evening.date,
            rating.evening.slug,
            _rated(member_id, number, rating.mu, rating.sigma),
        )
        for number, rating in enumerate(
            ratings.order_by("evening__date", "evening__sequence"), start=1
        )
    ]


def places(players: Sequence[PlayerStrength]) -> list[tuple[int, PlayerStrength]]:
    """The players with their places, strongest first; equals share a place: 1, 2, 2, 4."""
    counts = Counter(player.strength for player in players)
    return [
        (1 + sum(n for strength, n in counts.items() if strength > player.strength), player)
        for player in players
    ]


def _rated(member_id: int, evenings: int, mu: float, sigma: float) -> PlayerStrength:
    low, high = round(mu - SURE * sigma), round(mu + SURE * sigma)
    return PlayerStrength(member_id, evenings, round(mu), low, high)
