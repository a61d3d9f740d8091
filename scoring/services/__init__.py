from scoring.services.deals import deal_preview, deal_undo, deal_write
from scoring.services.regulations import regulation_from_preset, regulation_save
from scoring.services.sheets import (
    dispute_settle,
    seat_take_over,
    sheet_answer,
    sheet_move,
    sheet_swap_sides,
    sheets_close,
    sheets_create,
    sheets_reopen,
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
    "regulation_from_preset",
    "regulation_save",
    "seat_take_over",
    "sheet_answer",
    "sheet_move",
    "sheet_recompute",
    "sheet_swap_sides",
    "sheets_close",
    "sheets_create",
    "sheets_reopen",
    "side_totals_clear",
    "side_totals_write",
]
