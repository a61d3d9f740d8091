"""The game itself: seats, regulations, and what a deal on a score sheet comes to.

Standard library only: no Django, no database, no clock. The rules and the settings are described
in docs/regulations.md. `evaluate` works a deal out, `explain` says why, `score_line` and
`score_stream` do it for JSON; what cannot be is an `InvalidDeal` that names every fault at once.
"""

from scoring.rules.cards import WordFault, card_typed, legal_cards, parse_card, read_cards
from scoring.rules.deal import (
    SEATS,
    SIDES,
    Correction,
    Seat,
    Side,
    Trump,
    WrittenDeal,
    dealer_of,
    forehand_of,
    other_side,
    partner,
    side_of,
)
from scoring.rules.explain import explain
from scoring.rules.faults import Fault, InvalidDeal, fault_json, fault_message
from scoring.rules.lines import announced_line, evaluate, read_json, score_line, score_stream
from scoring.rules.parse import PRESETS, parse_regulation, preset_description, preset_name
from scoring.rules.regulation import NO_TRUMP_DEAL_POINTS, SETTINGS, TRUMP_DEAL_POINTS, RuleSet
from scoring.rules.score import DealResult, Term
from scoring.rules.sheet import (
    THREE,
    TWO,
    bonuses_fit,
    chairs_of,
    chairs_taken,
    deals_in_sum,
    entry_of_three,
    extra_fits,
    line_of_three,
    most_bonus,
    most_roem,
    roem_readings,
    shares_of_three,
    sheet_line,
    sides_of,
    sum_fits,
)
from scoring.rules.spoken import CardRow, Section, card_values, regulation_in_words
from scoring.rules.texts import Language, card_name, seat_names
from scoring.rules.tricks import (
    Played,
    PlayedTrick,
    Renege,
    Trace,
    announceable,
    renege_message,
    roem_announced,
    trace,
)

__all__ = [
    "NO_TRUMP_DEAL_POINTS",
    "PRESETS",
    "SEATS",
    "SETTINGS",
    "SIDES",
    "THREE",
    "TRUMP_DEAL_POINTS",
    "TWO",
    "CardRow",
    "Correction",
    "DealResult",
    "Fault",
    "InvalidDeal",
    "Language",
    "Played",
    "PlayedTrick",
    "Renege",
    "RuleSet",
    "Seat",
    "Section",
    "Side",
    "Term",
    "Trace",
    "Trump",
    "WordFault",
    "WrittenDeal",
    "announceable",
    "announced_line",
    "bonuses_fit",
    "card_name",
    "card_typed",
    "card_values",
    "chairs_of",
    "chairs_taken",
    "dealer_of",
    "deals_in_sum",
    "entry_of_three",
    "evaluate",
    "explain",
    "extra_fits",
    "fault_json",
    "fault_message",
    "forehand_of",
    "legal_cards",
    "line_of_three",
    "most_bonus",
    "most_roem",
    "other_side",
    "parse_card",
    "parse_regulation",
    "partner",
    "preset_description",
    "preset_name",
    "read_cards",
    "read_json",
    "regulation_in_words",
    "renege_message",
    "roem_announced",
    "roem_readings",
    "score_line",
    "score_stream",
    "seat_names",
    "shares_of_three",
    "sheet_line",
    "side_of",
    "sides_of",
    "sum_fits",
    "trace",
]
