"""The API of what is done to an evening as a whole: freeze, close, reopen, cancel, play off."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access.permissions import READ_DESK
from clubs.api.idempotency import idempotent
from clubs.api.resource import Needs, StrictSerializer
from clubs.api.schema import key_parameter
from tournaments.closing.services import (
    evening_cancel,
    evening_close,
    evening_reopen,
    evening_restore,
    play_off_write,
)
from tournaments.evenings.api import EVENING, EveningSerializer
from tournaments.evenings.api_base import LARGEST, EveningResource, Json, PersonSerializer
from tournaments.evenings.permissions import CANCEL, CLOSE, FREEZE, PLAY_OFF, REOPEN, RESTORE
from tournaments.evenings.services import evening_freeze
from tournaments.standings.queries import play_off_rows


class RivalSerializer(PersonSerializer):
    """Somebody who shares first place, and their score in the extra deals."""

    score = serializers.IntegerField(allow_null=True)


class PlayOffSerializer(serializers.Serializer[Any]):
    """The people who share first place."""

    rivals = RivalSerializer(many=True)


class RivalScoreSerializer(StrictSerializer):
    """Somebody's score in the extra deals."""

    member = serializers.IntegerField(min_value=1, max_value=LARGEST)
    score = serializers.IntegerField(min_value=-LARGEST, max_value=LARGEST)


class PlayOffWriteSerializer(StrictSerializer):
    """The score of each of them."""

    rivals = serializers.ListField(child=RivalScoreSerializer(), max_length=500)


PLAY_OFF_EXAMPLE = OpenApiExample(
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
        summary="Who shares first place",
        responses=PlayOffSerializer,
        examples=[PLAY_OFF_EXAMPLE],
    )
    def get(self, request: Request, **names: Any) -> Response:
        """Only of an evening that is played out and settles a tie by extra deals; else nobody."""
        return self._answer()

    @extend_schema(
        operation_id="play_off_write",
        summary="Write the scores of the extra deals",
        parameters=[key_parameter(required=False)],
        request=PlayOffWriteSerializer,
        responses=PlayOffSerializer,
        examples=[PLAY_OFF_EXAMPLE],
    )
    def put(self, request: Request, **names: Any) -> Response:
        """For everybody who shares first place."""
        given = PlayOffWriteSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        rivals = given.validated_data["rivals"]
        return idempotent(request, about=self.about, act=lambda: self._write(rivals))

    def _write(self, rivals: list[Json]) -> Response:
        scores = {rival["member"]: rival["score"] for rival in rivals}
        play_off_write(evening_id=self.evening.pk, scores=scores, actor=self.actor)
        return self._answer()

    def _answer(self) -> Response:
        scores = dict(self.evening.play_off_scores.values_list("member_id", "score"))
        rivals = [
            {"member": row.member_id, "name": row.name, "score": scores.get(row.member_id)}
            for row in play_off_rows(self.evening)
        ]
        return Response({"rivals": rivals})


EVENING_EXAMPLE = OpenApiExample("evening", value=EVENING, response_only=True)


def act_schema(operation_id: str, summary: str) -> Callable[..., Any]:
    """The schema of an action on an evening: a POST without a body."""
    return extend_schema(
        operation_id=operation_id,
        summary=summary,
        parameters=[key_parameter(required=False)],
        request=None,
        responses=EveningSerializer,
        examples=[EVENING_EXAMPLE],
    )


class EveningAct(EveningResource):
    """An action on an evening as a whole."""

    tag = "evenings"

    def done(self, act: Callable[[], object]) -> HttpResponse:
        """The evening after `act`, or the earlier response to the same request."""
        return idempotent(self.request, about=self.about, act=lambda: self._after(act))

    def _after(self, act: Callable[[], object]) -> Response:
        act()
        self.find(**self.kwargs)
        return Response(EveningSerializer(self.evening).data)


class EveningFreeze(EveningAct):
    """The standings are hidden."""

    needs: ClassVar[Needs] = {"post": FREEZE}

    @act_schema("evening_freeze", "Hide the standings from the hall")
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """Until the prizes: nobody but the desk sees points."""
        return self.done(
            lambda: evening_freeze(evening_id=self.evening.pk, frozen=True, actor=self.actor)
        )


class EveningUnfreeze(EveningAct):
    """The standings are shown again."""

    needs: ClassVar[Needs] = {"post": FREEZE}

    @act_schema("evening_unfreeze", "Show the standings again")
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """Everybody sees points again."""
        return self.done(
            lambda: evening_freeze(evening_id=self.evening.pk, frozen=False, actor=self.actor)
        )


class EveningClose(EveningAct):
    """The evening ends."""

    needs: ClassVar[Needs] = {"post": CLOSE}

    @act_schema("evening_close", "Close the evening")
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """Ends it and publishes its result; rounds that never started are deleted."""
        return self.done(lambda: evening_close(evening_id=self.evening.pk, actor=self.actor))


class EveningReopen(EveningAct):
    """A closed evening is opened again."""

    needs: ClassVar[Needs] = {"post": REOPEN}

    @act_schema("evening_reopen", "Open a closed evening again")
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """Its releases stay as they were published."""
        return self.done(lambda: evening_reopen(evening_id=self.evening.pk, actor=self.actor))


class EveningCancel(EveningAct):
    """The evening is called off."""

    needs: ClassVar[Needs] = {"post": CANCEL}

    @act_schema("evening_cancel", "Call the evening off")
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """Deletes its draw; once deals are written it can no longer be called off."""
        return self.done(lambda: evening_cancel(evening_id=self.evening.pk, actor=self.actor))


class EveningRestore(EveningAct):
    """A cancelled evening is planned again."""

    needs: ClassVar[Needs] = {"post": RESTORE}

    @act_schema("evening_restore", "Plan a cancelled evening again")
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """As it was planned; people stay checked in."""
        return self.done(lambda: evening_restore(evening_id=self.evening.pk, actor=self.actor))
