"""The standings of the demo's seasons: what counts in them, several over the same evenings."""

import datetime as dt
from typing import Any

from clubs.audit import Actor
from tournaments.models import Season
from tournaments.services.season_rules import season_rule_add


def standings_make(
    season: Season, told: list[dict[str, Any]], first: dt.date, actor: Actor
) -> None:
    """Give the season these standings; `periods` in them count weeks from its `first` evening."""
    for standing in told:
        settings = dict(standing["settings"])
        if weeks := settings.get("periods"):
            settings["periods"] = [
                [(first + dt.timedelta(weeks=week)).isoformat() for week in span] for span in weeks
            ]
        season_rule_add(season=season, name=standing["name"], settings=settings, actor=actor)
