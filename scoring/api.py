"""The REST API of scoring. It speaks English, as `manage.py score` does."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.problems import Problem
from clubs.api.resource import ANYBODY, Needs, Resource
from clubs.api.throttles import AddressThrottle
from scoring.rules import read_json, score_line
from scoring.score_schema import SCORE_EXAMPLES, score_answer, score_request

MOST_DEALS = 1_000


class ScoreThrottle(AddressThrottle):
    """So many requests from one address; a request may carry a thousand deals."""

    about = "score"


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
        413 for a body larger than `DATA_UPLOAD_MAX_MEMORY_SIZE`, 429 beyond the rate of one
        address.
        """
        value = read_json(request.body)
        if not isinstance(value, list):
            return Response(score_line(value))
        if len(value) > MOST_DEALS:
            message = f"At most {MOST_DEALS:,} deals at a time; these are {len(value):,}."
            raise Problem(400, "too_many", message)
        return Response([score_line(deal) for deal in value])
