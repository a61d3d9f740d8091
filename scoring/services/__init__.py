from scoring.services.answers import dispute_settle, sheet_answer
from scoring.services.bulk_import import sheets_fill
from scoring.services.claims import claim_decide
from scoring.services.confirmations import deal_confirm
from scoring.services.control import OnPaper, control_accept, control_write
from scoring.services.deals import deal_preview, deal_undo, deal_write
from scoring.services.doubts import first_trump_doubt, sheet_doubts
from scoring.services.entries import reason_checked, sheets_lock
from scoring.services.regulations import (
    regulation_add,
    regulation_from_preset,
    regulation_save,
)
from scoring.services.reneging import (
    deal_replays,
    first_offences_waived,
    is_first_offence_waived,
    says_the_same,
)
from scoring.services.restoring import deal_restore
from scoring.services.rule_notes import (
    NoteText,
    rule_notes_of,
    rule_notes_save,
)
from scoring.services.sheets import (
    seat_take_over,
    sheet_first_dealer,
    sheet_move,
    sheet_swap_sides,
    sheets_close,
    sheets_create,
    sheets_open,
    sheets_prepare,
)
from scoring.services.side_totals import (
    HandedIn,
    TotalsRefused,
    side_totals_clear,
    side_totals_write,
    totals_sum_fault,
)
from scoring.services.submissions import Submission, deal_submit
from scoring.services.totals import sheet_recompute

__all__ = [
    "HandedIn",
    "NoteText",
    "OnPaper",
    "Submission",
    "TotalsRefused",
    "claim_decide",
    "control_accept",
    "control_write",
    "deal_confirm",
    "deal_preview",
    "deal_replays",
    "deal_restore",
    "deal_submit",
    "deal_undo",
    "deal_write",
    "dispute_settle",
    "first_offences_waived",
    "first_trump_doubt",
    "is_first_offence_waived",
    "reason_checked",
    "regulation_add",
    "regulation_from_preset",
    "regulation_save",
    "rule_notes_of",
    "rule_notes_save",
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
    "sheets_prepare",
    "side_totals_clear",
    "side_totals_write",
    "totals_sum_fault",
]
