"""The extra deals that decide who is first."""

from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.idempotency import idempotent
from clubs.api.resource import Needs
from clubs.api.schema import key_parameter
from clubs.api.strict import StrictSerializer
from clubs.permissions import READ_DESK
from tournaments.api.base import LARGEST, EveningResource, Json
from tournaments.api.people import PersonSerializer
from tournaments.permissions import PLAY_OFF
from tournaments.queries import play_off_rows
from tournaments.services import play_off_write


class RivalSerializer(PersonSerializer):
    """Somebody who shares the first place, and what he scored in the extra deals."""

    score = serializers.IntegerField(allow_null=True)


class PlayOffSerializer(serializers.Serializer[Any]):
    """Who share the first place."""

    rivals = RivalSerializer(many=True)


class RivalScoreSerializer(StrictSerializer):
    """What somebody scored in the extra deals."""

    member = serializers.IntegerField(min_value=1, max_value=LARGEST)
    score = serializers.IntegerField(min_value=-LARGEST, max_value=LARGEST)


class PlayOffWriteSerializer(StrictSerializer):
    """What each of them scored."""

    rivals = serializers.ListField(child=RivalScoreSerializer(), max_length=500)


AS_ANSWERED = OpenApiExample(
    "play-off",
    value={
        "rivals": [
            {"member": 1, "name": "Jan Bakker", "score": 384},
            {"member": 2, "name": "Mia van der Meer", "score": 264},
        ]
    },
    response_only=True,
)


class PlayOff(EveningResource):
    """The extra deals of an evening."""

    tag = "evenings"
    needs: ClassVar[Needs] = {"get": READ_DESK, "put": PLAY_OFF}

    @extend_schema(
        operation_id="play_off_read",
        summary="Who share the first place",
        responses=PlayOffSerializer,
        examples=[AS_ANSWERED],
    )
    def get(self, request: Request, **names: Any) -> Response:
        """Of an evening that settles that by extra deals and is played out; else nobody."""
        return self._answer()

    @extend_schema(
        operation_id="play_off_write",
        summary="Write what the extra deals came to",
        parameters=[key_parameter(required=False)],
        request=PlayOffWriteSerializer,
        responses=PlayOffSerializer,
        examples=[AS_ANSWERED],
    )
    def put(self, request: Request, **names: Any) -> Response:
        """Of everybody who shares the first place."""
        given = PlayOffWriteSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        rivals = given.validated_data["rivals"]
        return idempotent(request, about=self.about, act=lambda: self._write(rivals))

    def _write(self, rivals: list[Json]) -> Response:
        scores = {one["member"]: one["score"] for one in rivals}
        play_off_write(evening_id=self.evening.pk, scores=scores, actor=self.actor)
        return self._answer()

    def _answer(self) -> Response:
        scores = dict(self.evening.play_off_scores.values_list("member_id", "score"))
        rivals = [
            {"member": row.member_id, "name": row.name, "score": scores.get(row.member_id)}
            for row in play_off_rows(self.evening)
        ]
        return Response({"rivals": rivals})
