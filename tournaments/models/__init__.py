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
from tournaments.models.prizes import PrizesAndStakes, Stakes
from tournaments.models.rating import Rating
from tournaments.models.release import PUBLISHED_AS, Release, published_as
from tournaments.models.season import Season, SeasonRule
from tournaments.models.summary import EveningSummary
from tournaments.models.table import Placement, Round, Table, TableToken
from tournaments.models.wording import ClubText

__all__ = [
    "PUBLISHED_AS",
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
    "PrizesAndStakes",
    "Rating",
    "Registration",
    "Release",
    "Round",
    "Season",
    "SeasonRule",
    "Stakes",
    "Table",
    "TableDevice",
    "TableToken",
    "published_as",
]
