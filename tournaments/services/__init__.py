from tournaments.services._changing import DrawChanges, PersonChange, adapt_preview
from tournaments.services._drafts import draft_version, draft_was_swapped
from tournaments.services._drawings import drawing_of, seed_of
from tournaments.services._question import method_of, rounds_to_draw
from tournaments.services._results_plan import ResultsPlan, results_plan
from tournaments.services._waiting import DrawWaiting, draw_waiting
from tournaments.services.closing import (
    evening_cancel,
    evening_close,
    evening_reopen,
    evening_restore,
)
from tournaments.services.devices import (
    device_cut_off,
    device_find,
    device_go_on,
    device_let_in,
    device_pair,
)
from tournaments.services.draw_changes import draw_adapt
from tournaments.services.draw_swaps import draw_swap, draw_swap_costs, require_swappable
from tournaments.services.draw_typed import draw_type_in
from tournaments.services.draws import draw_make, draw_publish, draw_undo
from tournaments.services.evening_import import EveningImported, evening_import
from tournaments.services.evening_rules import EveningRules, evening_rules_change, rules_of
from tournaments.services.evenings import (
    EveningDetails,
    EveningPlan,
    evening_change,
    evening_create,
    evening_details_change,
    evening_freeze,
    evening_sit_out,
)
from tournaments.services.extra_tables import extra_table_make, extra_table_undo
from tournaments.services.pins import pin_evenings, pin_try
from tournaments.services.play_off import play_off_write
from tournaments.services.ratings import ratings_follow, ratings_make
from tournaments.services.registrations import (
    guest_add,
    presence_replace,
    presence_set,
    presence_update,
)
from tournaments.services.releases import (
    correction_preview,
    correction_publish,
    release_changes,
    release_is_current,
    release_outdated,
    release_publish,
)
from tournaments.services.results_import import ResultsImported, results_import
from tournaments.services.rounds import round_close, round_reopen, round_start
from tournaments.services.seasons import season_ensure, season_named
from tournaments.services.tables import table_substitute
from tournaments.services.tokens import (
    token_find,
    token_pin,
    token_renew,
    token_secret,
    tokens_ensure,
)

__all__ = [
    "DrawChanges",
    "DrawWaiting",
    "EveningDetails",
    "EveningImported",
    "EveningPlan",
    "EveningRules",
    "PersonChange",
    "ResultsImported",
    "ResultsPlan",
    "adapt_preview",
    "correction_preview",
    "correction_publish",
    "device_cut_off",
    "device_find",
    "device_go_on",
    "device_let_in",
    "device_pair",
    "draft_version",
    "draft_was_swapped",
    "draw_adapt",
    "draw_make",
    "draw_publish",
    "draw_swap",
    "draw_swap_costs",
    "draw_type_in",
    "draw_undo",
    "draw_waiting",
    "drawing_of",
    "evening_cancel",
    "evening_change",
    "evening_close",
    "evening_create",
    "evening_details_change",
    "evening_freeze",
    "evening_import",
    "evening_reopen",
    "evening_restore",
    "evening_rules_change",
    "evening_sit_out",
    "extra_table_make",
    "extra_table_undo",
    "guest_add",
    "method_of",
    "pin_evenings",
    "pin_try",
    "play_off_write",
    "presence_replace",
    "presence_set",
    "presence_update",
    "ratings_follow",
    "ratings_make",
    "release_changes",
    "release_is_current",
    "release_outdated",
    "release_publish",
    "require_swappable",
    "results_import",
    "results_plan",
    "round_close",
    "round_reopen",
    "round_start",
    "rounds_to_draw",
    "rules_of",
    "season_ensure",
    "season_named",
    "seed_of",
    "table_substitute",
    "token_find",
    "token_pin",
    "token_renew",
    "token_secret",
    "tokens_ensure",
]
