"""The API of an evening's rounds: read, started, closed, reopened."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db.models import Count
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.requests import idempotent
from clubs.api.resource import ANYBODY, Needs, StrictSerializer, key_parameter, known_parameter
from scoring.deals.entries import LONGEST_REASON
from tournaments.evenings.api_base import EveningResource, PersonSerializer, RoundResource, person
from tournaments.evenings.permissions import CLOSE_ROUND, START_ROUND
from tournaments.models import Round
from tournaments.rounds.services import round_close, round_reopen, round_start

ROUND: Mapping[str, object] = {"round": 1, "state": "running", "tables": 3, "seal": ""}
ROUND_EXAMPLE = OpenApiExample("round", value=ROUND, response_only=True)


class RoundSerializer(serializers.Serializer[Any]):
    """A round of which the draw is final."""

    round = serializers.IntegerField(source="number")
    state = serializers.ChoiceField(
        [choice for choice in Round.State.choices if choice[0] != Round.State.DRAFT]
    )
    tables = serializers.IntegerField(help_text="How many tables play it.")
    seal = serializers.CharField(
        allow_blank=True, help_text="Seals the trail of its sheets once it is closed."
    )

    def to_representation(self, round_: Round) -> dict[str, Any]:
        return {
            "round": round_.number,
            "state": round_.state,
            "tables": round_.table_count,  # type: ignore[attr-defined]
            "seal": round_.seal,
        }


class RoundWithOutSerializer(RoundSerializer):
    """A round with the people who do not play in it."""

    sit_out = PersonSerializer(many=True)

    def to_representation(self, round_: Round) -> dict[str, Any]:
        placed = round_.placements.select_related("member").order_by("member__sort_name", "pk")
        playing = {placement.member_id for placement in placed if placement.table_id}
        sit_out = [
            person(placement.member, full=self.context["full"])
            for placement in placed
            if placement.member_id not in playing
        ]
        return {**super().to_representation(round_), "sit_out": sit_out}


class RoundCloseSerializer(StrictSerializer):
    """Why a round is closed before all tables are finished."""

    reason = serializers.CharField(
        max_length=LONGEST_REASON,
        allow_blank=True,
        default="",
        help_text="Needed if tables are not finished; their deals so far count.",
    )


class RoundList(EveningResource):
    """The rounds of an evening."""

    tag = "rounds"
    needs: ClassVar[Needs] = {"get": ANYBODY}

    @extend_schema(
        operation_id="round_list",
        summary="The rounds that are drawn, played and closed",
        responses=RoundSerializer(many=True),
    )
    def get(self, request: Request, **names: Any) -> Response:
        """The rounds whose draw is final, in order."""
        rounds = self.evening.rounds.exclude(state=Round.State.DRAFT)
        counted = rounds.annotate(table_count=Count("tables")).order_by("number")
        return Response(RoundSerializer(counted, many=True).data)


class RoundDetail(RoundResource):
    """A round."""

    tag = "rounds"
    needs: ClassVar[Needs] = {"get": ANYBODY}

    @extend_schema(
        operation_id="round_read",
        summary="A round, with who sits out",
        parameters=[known_parameter()],
        responses={200: RoundWithOutSerializer, 304: None},
    )
    def get(self, request: Request, **names: Any) -> HttpResponse:
        """The state of a round; its tables have who sits where."""
        self.round.table_count = self.round.tables.count()  # type: ignore[attr-defined]
        payload = RoundWithOutSerializer(self.round, context={"full": self.knows_names}).data
        return self.shown(self.round.state, payload)


class RoundAct(RoundResource):
    """An action on a round."""

    tag = "rounds"

    def answer(self, round_: Round) -> Response:
        """The round after the action."""
        round_.table_count = round_.tables.count()  # type: ignore[attr-defined]
        return Response(RoundSerializer(round_).data)


class RoundStart(RoundAct):
    """A drawn round starts."""

    needs: ClassVar[Needs] = {"post": START_ROUND}

    @extend_schema(
        operation_id="round_start",
        summary="Start a round",
        parameters=[key_parameter(required=False)],
        request=None,
        responses=RoundSerializer,
        examples=[ROUND_EXAMPLE],
    )
    def post(self, request: Request, **names: Any) -> Response:
        """From then on its tables can write deals."""
        return idempotent(request, about=self.about, act=self._start)

    def _start(self) -> Response:
        return self.answer(round_start(round_id=self.round.pk, actor=self.actor))


class RoundClose(RoundAct):
    """A round ends."""

    needs: ClassVar[Needs] = {"post": CLOSE_ROUND}

    @extend_schema(
        operation_id="round_close",
        summary="Close a round",
        parameters=[key_parameter(required=False)],
        request=RoundCloseSerializer,
        responses=RoundSerializer,
        examples=[ROUND_EXAMPLE],
    )
    def post(self, request: Request, **names: Any) -> Response:
        """Seals its sheets; from then on only a director can correct a deal."""
        given = RoundCloseSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        reason = given.validated_data["reason"]
        return idempotent(request, about=self.about, act=lambda: self._close(reason))

    def _close(self, reason: str) -> Response:
        return self.answer(
            round_close(round_id=self.round.pk, unfinished_reason=reason, actor=self.actor)
        )


class RoundReopen(RoundAct):
    """A closed round is opened again."""

    needs: ClassVar[Needs] = {"post": CLOSE_ROUND}

    @extend_schema(
        operation_id="round_reopen",
        summary="Open a closed round again",
        parameters=[key_parameter(required=False)],
        request=None,
        responses=RoundSerializer,
        examples=[ROUND_EXAMPLE],
    )
    def post(self, request: Request, **names: Any) -> Response:
        """Its tables can write again."""
        return idempotent(request, about=self.about, act=self._reopen)

    def _reopen(self) -> Response:
        return self.answer(round_reopen(round_id=self.round.pk, actor=self.actor))
