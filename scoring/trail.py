"""How what happens to a score sheet reads in the trail."""

from django.utils.translation import gettext_lazy as _

from clubs.trail import describe

describe(
    {
        "deal_written": _("Deal %(number)s was written"),
        "deal_written+reason": _("Deal %(number)s was changed"),
        "deal_laid_down": _("Deal %(number)s was laid down card by card and written"),
        "deal_undone": _("Deal %(number)s was taken back"),
        "deal_restored": _("Deal %(number)s was put back as it was before"),
        "deal_confirmed": _("%(side)s confirmed deal %(number)s"),
        "deal_claimed": _("Deal %(number)s came in with other figures, kept beside what stands"),
        "deal_repeated": _("Deal %(number)s came in once more with the same figures"),
        "claim_taken": _("Of the two values of deal %(number)s the other was taken"),
        "claim_left": _("Of the two values of deal %(number)s what stood was left"),
        "sides_swapped": _("We and they of the whole sheet were swapped"),
        "sheet_moved": _("What stood on this sheet was moved to another"),
        "first_dealer_set": _("Drawn: %(seat)s deals the first deal"),
        "sheet_filled": _("The sheet was filled from a file"),
        "seat_taken_over": _("%(member)s took over the seat %(seat)s from deal %(from_deal)s on"),
        "totals_written": _("Only totals were handed in"),
        "totals_cleared": _("The totals handed in were taken off"),
        "control_typed": _("The totals of the paper sheet were typed"),
        "control_accepted": _("The sheet was left though the paper adds up to something else"),
        "sheet_agreed": _("%(side)s agreed with the sheet"),
        "sheet_disputed": _("%(side)s said that the sheet is wrong"),
        "dispute_settled": _("What a side found wrong was settled"),
        "rule_notes_saved": _("The club's own rules were changed"),
        "regulation_saved": _("The regulation %(name)s was saved"),
    }
)
