from tournaments.services.draws import draw_make, draw_publish, draw_type_in, draw_undo
from tournaments.services.evenings import (
    EveningPlan,
    evening_cancel,
    evening_change,
    evening_close,
    evening_create,
    evening_freeze,
    evening_reopen,
    evening_restore,
)
from tournaments.services.registrations import guest_add, presence_replace, presence_set
from tournaments.services.releases import release_publish
from tournaments.services.rounds import round_close, round_reopen, round_start
from tournaments.services.tables import table_substitute
from tournaments.services.tokens import token_find, token_renew, token_secret, tokens_ensure

__all__ = [
    "EveningPlan",
    "draw_make",
    "draw_publish",
    "draw_type_in",
    "draw_undo",
    "evening_cancel",
    "evening_change",
    "evening_close",
    "evening_create",
    "evening_freeze",
    "evening_reopen",
    "evening_restore",
    "guest_add",
    "presence_replace",
    "presence_set",
    "release_publish",
    "round_close",
    "round_reopen",
    "round_start",
    "table_substitute",
    "token_find",
    "token_renew",
    "token_secret",
    "tokens_ensure",
]
