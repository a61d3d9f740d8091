from scoring.models.deal import Deal, DealEntry
from scoring.models.regulation import Regulation
from scoring.models.sheet import Confirmation, Scoresheet, Seat, SideTotal

__all__ = ["Confirmation", "Deal", "DealEntry", "Regulation", "Scoresheet", "Seat", "SideTotal"]
