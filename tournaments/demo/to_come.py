"""What stands in the demo's calendar after next week."""

import datetime as dt
from collections.abc import Iterable
from typing import Any

from tournaments.demo.evenings import STARTS_AT, Evenings
from tournaments.services import EveningPlan, evening_cancel, evening_create


def evenings_announce(evenings: Evenings, told: Iterable[dict[str, Any]]) -> None:
    """An evening for each: so many weeks from now, perhaps under a name, perhaps called off."""
    for one in told:
        plan = EveningPlan(
            date=evenings.today + dt.timedelta(weeks=one["weeks"]),
            starts_at=STARTS_AT,
            name=one.get("name", ""),
            season=evenings.season,
            regulation=evenings.regulation,
        )
        evening = evening_create(club=evenings.club, plan=plan, actor=evenings.actor)
        if one.get("called_off"):
            evening_cancel(evening_id=evening.pk, actor=evenings.actor)
