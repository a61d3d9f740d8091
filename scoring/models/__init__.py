from scoring.models.deal import (
    OPEN_CLAIM,
    ControlTotal,
    Deal,
    DealClaim,
    DealConfirmation,
    DealEntry,
    Folder,
    deals_of,
)
from scoring.models.sheet import (
    Confirmation,
    Regulation,
    RuleNote,
    Scoresheet,
    Seat,
    SideTotal,
    full_sheets,
    holders_of,
)

__all__ = [
    "OPEN_CLAIM",
    "Confirmation",
    "ControlTotal",
    "Deal",
    "DealClaim",
    "DealConfirmation",
    "DealEntry",
    "Folder",
    "Regulation",
    "RuleNote",
    "Scoresheet",
    "Seat",
    "SideTotal",
    "deals_of",
    "full_sheets",
    "holders_of",
]
