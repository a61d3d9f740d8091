"""What `POST /api/v1/score/` takes and answers, for the API's description."""

from typing import Any, Final

from drf_spectacular.utils import OpenApiExample

from scoring.deal_line_schema import DEAL_LINE, DEAL_RESULT
from scoring.rules import PRESETS, SEATS

Schema = dict[str, Any]

_REGULATION: Final[Schema] = {
    "oneOf": [
        {"type": "string", "enum": [*PRESETS]},
        {"type": "object", "properties": {"preset": {"type": "string", "enum": [*PRESETS]}}},
    ],
    "description": "The name of a preset, or an object of settings that starts from one.",
}
_DEAL: Final[Schema] = {
    "type": "object",
    "description": "A deal as a score sheet has it, or card by card.",
    "required": ["regulation", "declarer"],
    "properties": {"regulation": _REGULATION, **DEAL_LINE["properties"]},
}
_FAULTS: Final[Schema] = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["code", "field", "message"],
        "properties": {name: {"type": "string"} for name in ("code", "field", "message")},
    },
}
_TRICK: Final[Schema] = {
    "type": "object",
    "properties": {
        "leader": {"type": "string", "enum": [*SEATS]},
        "cards": {"type": "array", "items": {"type": "string"}},
        "winner": {"type": "string", "enum": [*SEATS]},
        "points": {"type": "integer"},
        "roem": {"type": "integer"},
    },
}
_RENEGE: Final[Schema] = {
    "type": "object",
    "properties": {
        "trick": {"type": "integer"},
        "seat": {"type": "string", "enum": [*SEATS]},
        "card": {"type": "string"},
        "legal": {"type": "array", "items": {"type": "string"}},
    },
}
_ANSWER: Final[Schema] = {
    "type": "object",
    "required": ["valid"],
    "properties": {
        "valid": {"type": "boolean", "description": "False: it cannot be, and `errors` say why."},
        **DEAL_RESULT["properties"],
        "errors": _FAULTS,
        "warnings": _FAULTS,
        "tricks": {"type": "array", "items": _TRICK},
        "reneges": {"type": "array", "items": _RENEGE},
    },
}


def one_or_list(schema: Schema, most: int) -> Schema:
    """One of these, or a list of at most so many."""
    return {"oneOf": [schema, {"type": "array", "items": schema, "maxItems": most}]}


def score_request(most: int) -> Schema:
    """What is sent: a deal, or up to so many."""
    return one_or_list(_DEAL, most)


def score_answer(most: int) -> Schema:
    """What is answered: likewise, in the same order."""
    return one_or_list(_ANSWER, most)


SCORE_EXAMPLES: Final = [
    OpenApiExample(
        "A deal",
        value={
            "regulation": "amsterdam",
            "declarer": "N",
            "trump": "H",
            "points": {"EW": 65},
            "roem": {"NS": [20, 50]},
        },
        request_only=True,
    ),
    OpenApiExample(
        "What it comes to",
        value={
            "valid": True,
            "nat": False,
            "pit": None,
            "points": {"NS": 97, "EW": 65},
            "roem": {"NS": 70, "EW": 0},
            "score": {"NS": 167, "EW": 65},
            "players": {"N": 167, "E": 65, "S": 167, "W": 65},
        },
        response_only=True,
    ),
    OpenApiExample(
        "A deal that cannot be",
        value={
            "valid": False,
            "errors": [
                {
                    "code": "points_sum",
                    "field": "points",
                    "message": "Together it must be 162; now it is 161.",
                }
            ],
        },
        response_only=True,
    ),
]
