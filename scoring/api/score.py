"""A club's regulations in the API, and `POST /api/v1/score/` with the deals of the contract as JSON
schemas.

Scoring speaks English, as `manage.py score` does."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.requests import WorkThrottle
from clubs.api.resource import ANYBODY, ClubResource, Needs, Pages, Resource
from clubs.http.problems import Problem
from clubs.limits.work import AFTER_EACH_OTHER, turn_begins, turn_ends
from scoring.models import Regulation
from scoring.rules import PRESETS, SEATS, SIDES, read_json, score_line
from scoring.rules.checks import HIGHEST_BID
from scoring.rules.parse import MOST_REPLAYS


class RegulationSerializer(serializers.ModelSerializer[Regulation]):
    """One version of a regulation; `settings` are those of `POST /api/v1/score/`."""

    class Meta:
        model = Regulation
        fields = ["id", "name", "version", "settings"]


class RegulationList(ClubResource):
    """The regulations of a club."""

    tag = "clubs"
    needs: ClassVar[Needs] = {"get": ANYBODY}

    @extend_schema(
        operation_id="regulation_list",
        summary="The regulations of a club",
        parameters=[
            OpenApiParameter(
                "old", bool, description="Older versions too; evenings may still go by them."
            ),
            *Pages.parameters(),
        ],
        responses=Pages.answer(RegulationSerializer),
    )
    def get(self, request: Request, slug: str) -> Response:
        """The newest version of each, in order of name."""
        own = Regulation.objects.filter(club=self.club)
        wanted = own if request.query_params.get("old") == "true" else own.current()
        return Pages.of(self, wanted.order_by("name", "-version"), RegulationSerializer)


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
        "bid": {"type": "integer", "minimum": 1, "maximum": HIGHEST_BID},
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


# The request and the answer of `POST /api/v1/score/`.

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
    """One of these, or a list of at most `most`."""
    return {"oneOf": [schema, {"type": "array", "items": schema, "maxItems": most}]}


def score_request(most: int) -> Schema:
    """The request: a deal, or a list of them."""
    return one_or_list(_DEAL, most)


def score_answer(most: int) -> Schema:
    """The response: an answer, or a list of them in the same order."""
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


MOST_DEALS = 1_000


class ScoreThrottle(WorkThrottle):
    """So many deals from one address. A request takes as long as `cheapest` deals, and a deal card
    by card as long as `CARD_BY_CARD` others."""

    about = "score"
    cheapest = 50


CARD_BY_CARD: Final = 6


class Score(Resource):
    """What deals come to."""

    tag = "score"
    needs: ClassVar[Needs] = {"post": ANYBODY}
    authentication_classes = []
    throttle_classes = [ScoreThrottle]

    @extend_schema(
        operation_id="score",
        summary="Score deals",
        request={"application/json": score_request(MOST_DEALS)},
        responses={200: score_answer(MOST_DEALS)},
        examples=SCORE_EXAMPLES,
    )
    def post(self, request: Request) -> Response:
        """What a deal, or each deal of a list of up to 1,000, comes to: as `manage.py score`
        answers.

        Always 200, also for a deal that cannot be and for what is no JSON. 400 for a longer list,
        413 for a body larger than `DATA_UPLOAD_MAX_MEMORY_SIZE`, 429 beyond the deals a minute
        of one address, and while another list from there is scored.
        """
        value = read_json(request.body)
        if not isinstance(value, list):
            return Response(score_line(value))
        if len(value) > MOST_DEALS:
            message = f"At most {MOST_DEALS:,} deals at a time; these are {len(value):,}."
            raise Problem(400, "too_many", message)
        throttle = ScoreThrottle()
        more = sum(map(_units, value)) - throttle.cheapest
        if more > 0 and not throttle.charge(request, more):
            raise Throttled(throttle.wait())
        client = f"score {throttle.network(request)}"
        if not turn_begins(client):
            raise Throttled(AFTER_EACH_OTHER)
        try:
            return Response([score_line(deal) for deal in value])
        finally:
            turn_ends(client)


def _units(deal: object) -> int:
    """What scoring this costs, in deals as a sheet has them."""
    return CARD_BY_CARD if isinstance(deal, Mapping) and "cards" in deal else 1
