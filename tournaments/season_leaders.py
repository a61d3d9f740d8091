"""Who leads a season, for pages that need no more of its standing."""

import hashlib
from dataclasses import dataclass

from django.core.cache import caches

from tournaments.models import Evening, Season
from tournaments.season_standings import season_rule, standings_of
from tournaments.standings.core import Points

KEPT_SECONDS = 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class Leader:
    """A place in the season; `value` is what the place goes by."""

    rank: int
    player_id: str
    value: Points


def season_leaders(season: Season, places: int) -> list[Leader]:
    """Who has the first places of the season's first standing, in order.

    Each process keeps them under what they are made of, the revision of every evening and the
    rule, so that they can never be those of before. Two queries, and two more when they are made.
    """
    closed = season.evenings.filter(state=Evening.State.CLOSED).order_by("date", "sequence")
    evenings = list(closed)
    rule = season_rule(season)
    made_of = [places, rule, *((one.uuid, one.slug, one.revision) for one in evenings)]
    key = f"leaders-{hashlib.sha256(repr(made_of).encode()).hexdigest()}"
    found: list[Leader] | None = caches["small"].get(key)
    if found is None:
        rows = standings_of(evenings, rule).rows
        found = [
            Leader(row.rank, row.player_id, row.value)
            for row in rows
            if row.rank and row.rank <= places
        ]
        caches["small"].set(key, found, KEPT_SECONDS)
    return found
