"""What the form of an evening makes besides the evening: its rules and its season."""

import datetime as dt

from clubs.audit.services import Actor
from clubs.models import Club
from scoring.models import Regulation
from scoring.regulations.services import regulation_from_preset
from tournaments.models import Season
from tournaments.seasons.services import (
    season_before,
    season_create,
    season_follow,
    season_named,
)

PRESET = "preset:"


def regulation_chosen(*, club: Club, chosen: str, actor: Actor) -> Regulation:
    """The regulation with this id, or the preset of this name as one of the club's own."""
    if chosen.startswith(PRESET):
        preset = chosen.removeprefix(PRESET)
        return regulation_from_preset(club=club, preset=preset, actor=actor)
    return Regulation.objects.get(club=club, pk=chosen)


def season_by_name(
    *,
    club: Club,
    name: str,
    actor: Actor,
    starts: dt.date | None = None,
    ends: dt.date | None = None,
) -> Season:
    """The season of this name; a new one has these days and copies the season before."""
    if known := season_named(club, name):
        return known
    if before := season_before(club):
        return season_follow(
            club=club,
            name=name,
            before=before,
            starts=starts,
            ends=ends,
            fee=before.fee,
            actor=actor,
        )
    return season_create(club=club, name=name, starts=starts, ends=ends, actor=actor)
