"""What a line of a score sheet looks like in the API's description: the contract's deal without its
regulation."""

from typing import Any, Final

from scoring.rules import SEATS, SIDES
from scoring.rules.parse import MOST_REPLAYS

Schema = dict[str, Any]

_SUITS: Final = ["C", "D", "H", "S", "NT"]


def _by_side(each: Schema) -> Schema:
    return {"type": "object", "properties": {side: {**each, "nullable": True} for side in SIDES}}


_POINTS: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": 162}
_ROEM: Final[Schema] = {"type": "array", "items": {"type": "integer"}, "maxItems": 8}
_CORRECTION: Final[Schema] = {
    "type": "object",
    "required": ["points", "reason"],
    "properties": {
        "seat": {"type": "string", "enum": [*SEATS]},
        "side": {"type": "string", "enum": [*SIDES]},
        "points": {"type": "integer"},
        "reason": {"type": "string"},
    },
}

DEAL_LINE: Final[Schema] = {
    "type": "object",
    "description": "A deal as a score sheet has it, or card by card: the deal of "
    "`POST /api/v1/score/` without its regulation, which is the evening's.",
    "required": ["declarer"],
    "properties": {
        "declarer": {"type": "string", "enum": [*SEATS, *SIDES]},
        "trump": {"type": "string", "enum": [*_SUITS, None], "nullable": True},
        "points": _by_side(_POINTS),
        "roem": _by_side(_ROEM),
        "pit": {"type": "string", "enum": [*SIDES]},
        "nat": {"type": "boolean"},
        "reneged": {"type": "string", "enum": [*SEATS]},
        "accused_wrongly_by": {"type": "string", "enum": [*SEATS]},
        "nil": {"type": "string", "enum": ["made", "failed"]},
        "replayed": {"type": "boolean"},
        "replays": {"type": "integer", "minimum": 0, "maximum": MOST_REPLAYS},
        "corrections": {"type": "array", "items": _CORRECTION},
        "dealer": {"type": "string", "enum": [*SEATS]},
        "seats": {"type": "array", "items": {"type": "string", "enum": [*SEATS]}},
        "leader": {"type": "string", "enum": [*SEATS]},
        "cards": {"type": "array", "items": {"type": "string"}},
        "announced": {"type": "array", "items": {}},
    },
}

DEAL_RESULT: Final[Schema] = {
    "type": "object",
    "description": "What the deal comes to, as `POST /api/v1/score/` answers it.",
    "properties": {
        "nat": {"type": "boolean"},
        "pit": {"type": "string", "enum": [*SIDES, None], "nullable": True},
        "points": _by_side({"type": "integer"}),
        "roem": _by_side({"type": "integer"}),
        "score": _by_side({"type": "integer"}),
        "players": {"type": "object", "additionalProperties": {"type": "integer"}},
    },
}
