"""What the people at one table see and do, behind the table's own link."""

from tournaments.views.table.answers import table_answer, table_dispute
from tournaments.views.table.confirm import table_claim, table_confirm, table_object
from tournaments.views.table.dealer import table_dealer
from tournaments.views.table.deals import table_deal, table_undo
from tournaments.views.table.pages import table_language, table_page, table_round, table_state
from tournaments.views.table.pair import table_pair
from tournaments.views.table.pin import club_pin, pin
from tournaments.views.table.restore import table_restore
from tournaments.views.table.worker import table_worker

__all__ = [
    "club_pin",
    "pin",
    "table_answer",
    "table_claim",
    "table_confirm",
    "table_deal",
    "table_dealer",
    "table_dispute",
    "table_language",
    "table_object",
    "table_page",
    "table_pair",
    "table_restore",
    "table_round",
    "table_state",
    "table_undo",
    "table_worker",
]
