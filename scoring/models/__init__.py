from scoring.models.deal import Deal, DealEntry
from scoring.models.regulation import Regulation, RuleNote
from scoring.models.sheet import Confirmation, Scoresheet, Seat, SideTotal, full_sheets

__all__ = [
    "Confirmation",
    "Deal",
    "DealEntry",
    "Regulation",
    "RuleNote",
    "Scoresheet",
    "Seat",
    "SideTotal",
    "full_sheets",
]
