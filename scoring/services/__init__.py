from scoring.services.answers import dispute_settle, sheet_answer
from scoring.services.deals import deal_preview, deal_undo, deal_write
from scoring.services.doubts import sheet_doubts
from scoring.services.entries import reason_checked, sheets_lock
from scoring.services.filling import sheets_fill
from scoring.services.regulations import regulation_from_preset, regulation_save
from scoring.services.reneging import is_let_off, says_the_same
from scoring.services.sheets import (
    seat_take_over,
    sheet_first_dealer,
    sheet_move,
    sheet_swap_sides,
    sheets_close,
    sheets_create,
    sheets_open,
)
from scoring.services.side_totals import (
    HandedIn,
    TotalsRefused,
    side_totals_clear,
    side_totals_write,
)
from scoring.services.totals import sheet_recompute

__all__ = [
    "HandedIn",
    "TotalsRefused",
    "deal_preview",
    "deal_undo",
    "deal_write",
    "dispute_settle",
    "is_let_off",
    "reason_checked",
    "regulation_from_preset",
    "regulation_save",
    "says_the_same",
    "seat_take_over",
    "sheet_answer",
    "sheet_doubts",
    "sheet_first_dealer",
    "sheet_move",
    "sheet_recompute",
    "sheet_swap_sides",
    "sheets_close",
    "sheets_create",
    "sheets_fill",
    "sheets_lock",
    "sheets_open",
    "side_totals_clear",
    "side_totals_write",
]
