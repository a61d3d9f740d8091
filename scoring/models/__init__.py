from scoring.models.deal import (
    OPEN_CLAIM,
    ControlTotal,
    Deal,
    DealClaim,
    DealConfirmation,
    DealEntry,
)
from scoring.models.sheet import (
    Confirmation,
    Regulation,
    RuleNote,
    Scoresheet,
    Seat,
    SideTotal,
    full_sheets,
)

__all__ = [
    "OPEN_CLAIM",
    "Confirmation",
    "ControlTotal",
    "Deal",
    "DealClaim",
    "DealConfirmation",
    "DealEntry",
    "Regulation",
    "RuleNote",
    "Scoresheet",
    "Seat",
    "SideTotal",
    "full_sheets",
]
