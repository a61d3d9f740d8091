from tournaments.models.evening import (
    Evening,
    EveningQuerySet,
    PastResult,
    PlayOffScore,
    Registration,
)
from tournaments.models.kind import EveningKind
from tournaments.models.results import (
    PUBLISHED_AS,
    Cup,
    CupWin,
    EveningSummary,
    Rating,
    Release,
    published_as,
)
from tournaments.models.season import (
    ClubText,
    EntryFees,
    PrizesAndFees,
    Season,
    SeasonFile,
    SeasonRule,
)
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
    "EveningKind",
    "EveningQuerySet",
    "EveningSummary",
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
    "SeasonFile",
    "SeasonRule",
    "Table",
    "TableDevice",
    "TableToken",
    "published_as",
]
