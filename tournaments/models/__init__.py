from tournaments.models.copies import Copy, CopyFolder, CopyPiece
from tournaments.models.evening import (
    Evening,
    EveningQuerySet,
    PastResult,
    PlayOffScore,
    Registration,
)
from tournaments.models.hall import HallScreen
from tournaments.models.kind import EveningKind
from tournaments.models.results import (
    PUBLISHED_AS,
    Cup,
    CupWin,
    EveningPhoto,
    EveningSummary,
    PhotoPerson,
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
    "Copy",
    "CopyFolder",
    "CopyPiece",
    "CoupleRule",
    "Cup",
    "CupWin",
    "EntryFees",
    "Evening",
    "EveningKind",
    "EveningPhoto",
    "EveningQuerySet",
    "EveningSummary",
    "HallScreen",
    "PastResult",
    "PhotoPerson",
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
