from tournaments.models.couple_rule import CoupleRule
from tournaments.models.device import PinGuard, TableDevice
from tournaments.models.evening import (
    Evening,
    EveningQuerySet,
    PastResult,
    PlayOffScore,
    Registration,
)
from tournaments.models.release import Release
from tournaments.models.season import Season, SeasonRule
from tournaments.models.table import Placement, Round, Table, TableToken

__all__ = [
    "CoupleRule",
    "Evening",
    "EveningQuerySet",
    "PastResult",
    "PinGuard",
    "Placement",
    "PlayOffScore",
    "Registration",
    "Release",
    "Round",
    "Season",
    "SeasonRule",
    "Table",
    "TableDevice",
    "TableToken",
]
