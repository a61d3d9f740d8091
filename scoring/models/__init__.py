from scoring.models.claim import OPEN_CLAIM, DealClaim, DealConfirmation
from scoring.models.deal import ControlTotal, Deal, DealEntry
from scoring.models.regulation import Regulation, RuleNote
from scoring.models.sheet import Confirmation, Scoresheet, Seat, SideTotal, full_sheets

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
