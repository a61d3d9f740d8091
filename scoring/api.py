"""The REST API of scoring. It speaks English, as `manage.py score` does."""

from django.core.exceptions import RequestDataTooBig
from rest_framework.decorators import (
    api_view,
    authentication_classes,
    permission_classes,
    throttle_classes,
)
from rest_framework.exceptions import APIException, ParseError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import AnonRateThrottle

from scoring.rules import read_json, score_line

MOST_DEALS = 1_000


class TooLarge(APIException):
    """What was sent is larger than a thousand deals can be."""

    status_code = 413
    default_detail = "This is too large."


class ScoreThrottle(AnonRateThrottle):
    """So many requests from one address; a request may carry a thousand deals."""

    scope = "score"


@api_view(["POST"])
@authentication_classes([])
@permission_classes([AllowAny])
@throttle_classes([ScoreThrottle])
def score(request: Request) -> Response:
    """What a deal, or each deal of a list of up to 1,000, comes to: as `manage.py score` answers.

    Always 200, also for a deal that cannot be and for what is no JSON. 400 for a longer list, 413
    for a body larger than `DATA_UPLOAD_MAX_MEMORY_SIZE`, 429 beyond the rate of one address.
    """
    try:
        value = read_json(request.body)
    except RequestDataTooBig:
        raise TooLarge from None
    if not isinstance(value, list):
        return _answer(score_line(value))
    if len(value) > MOST_DEALS:
        raise ParseError(f"At most {MOST_DEALS:,} deals at a time; these are {len(value):,}.")
    return _answer([score_line(deal) for deal in value])


def _answer(data: object) -> Response:
    return Response(data, headers={"Content-Language": "en"})
