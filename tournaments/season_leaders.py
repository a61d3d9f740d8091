"""The leaders of a season, for pages that do not need the whole standing."""

import hashlib
from dataclasses import dataclass

from django.core.cache import caches

from tournaments.models import Evening, Season
from tournaments.season_standings import season_rule, standings_of
from tournaments.standings.core import Points

CACHE_SECONDS = 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class SeasonLeader:
    """A place in the season; `value` is what decides it."""

    rank: int
    player_id: str
    value: Points


def season_leaders(season: Season, places: int) -> list[SeasonLeader]:
    """The first places of the season's main standing, in order.

    Cached in each process under a hash of their input, the revision of every evening and the rule,
    so that they are never stale. Two queries, and two more on a cache miss.
    """
    closed = season.evenings.filter(state=Evening.State.CLOSED).order_by("date", "sequence")
    evenings = list(closed)
    rule = season_rule(season)
    revisions = [(evening.uuid, evening.slug, evening.revision) for evening in evenings]
    key = f"leaders-{hashlib.sha256(repr([places, rule, *revisions]).encode()).hexdigest()}"
    leaders: list[SeasonLeader] | None = caches["small"].get(key)
    if leaders is None:
        rows = standings_of(evenings, rule).rows
        leaders = [
            SeasonLeader(row.rank, row.player_id, row.value)
            for row in rows
            if row.rank and row.rank <= places
        ]
        caches["small"].set(key, leaders, CACHE_SECONDS)
    return leaders
