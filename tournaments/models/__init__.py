from tournaments.models.couple_rule import CoupleRule
from tournaments.models.cup import Cup, CupWin
from tournaments.models.device import PinGuard, TableDevice
from tournaments.models.evening import (
    Evening,
    EveningQuerySet,
    PastResult,
    PlayOffScore,
    Registration,
)
from tournaments.models.paper import PaperJob
from tournaments.models.rating import Rating
from tournaments.models.release import Release
from tournaments.models.season import Season, SeasonRule
from tournaments.models.summary import EveningSummary
from tournaments.models.table import Placement, Round, Table, TableToken
from tournaments.models.wording import ClubText

__all__ = [
    "ClubText",
    "CoupleRule",
    "Cup",
    "CupWin",
    "Evening",
    "EveningQuerySet",
    "EveningSummary",
    "PaperJob",
    "PastResult",
    "PinGuard",
    "Placement",
    "PlayOffScore",
    "Rating",
    "Registration",
    "Release",
    "Round",
    "Season",
    "SeasonRule",
    "Table",
    "TableDevice",
    "TableToken",
]
