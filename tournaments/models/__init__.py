from tournaments.models.evening import (
    Evening,
    EveningQuerySet,
    PastResult,
    PlayOffScore,
    Registration,
)
from tournaments.models.prizes import EntryFees, PrizesAndFees
from tournaments.models.results import (
    PUBLISHED_AS,
    Cup,
    CupWin,
    EveningSummary,
    Rating,
    Release,
    published_as,
)
from tournaments.models.season import ClubText, PaperJob, Season, SeasonRule
from tournaments.models.table import (
    CoupleRule,
    PinGuard,
    Placement,
    Round,
    Table,
    TableDevice,
    TableToken,
)

__all__ = [
    "PUBLISHED_AS",
    "ClubText",
    "CoupleRule",
    "Cup",
    "CupWin",
    "EntryFees",
    "Evening",
    "EveningQuerySet",
    "EveningSummary",
    "PaperJob",
    "PastResult",
    "PinGuard",
    "Placement",
    "PlayOffScore",
    "PrizesAndFees",
    "Rating",
    "Registration",
    "Release",
    "Round",
    "Season",
    "SeasonRule",
    "Table",
    "TableDevice",
    "TableToken",
    "published_as",
]
