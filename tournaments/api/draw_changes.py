"""A draw that is changed: two change places, somebody comes late or goes home."""

from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.etags import asked_version
from clubs.api.idempotency import idempotent
from clubs.api.resource import Needs
from clubs.api.schema import key_parameter, version_parameter
from clubs.models import Member
from tournaments.api.draw import DrawResource
from tournaments.api.draw_sent import DrawAdaptSerializer, DrawSwapSerializer
from tournaments.api.draw_shown import DRAW_EXAMPLE, DrawSerializer
from tournaments.permissions import DRAW
from tournaments.services import draw_adapt, draw_swap


class DrawSwap(DrawResource):
    """Two people of a draft change places."""

    needs: ClassVar[Needs] = {"post": DRAW}

    @extend_schema(
        operation_id="draw_swap",
        summary="Let two people of a draft change places",
        parameters=[key_parameter(required=False), version_parameter()],
        request=DrawSwapSerializer,
        responses=DrawSerializer,
        examples=[
            OpenApiExample("swap", value={"round": 1, "one": 1, "other": 5}, request_only=True),
            DRAW_EXAMPLE,
        ],
    )
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """At a table or out; where tables stay together, in all those rounds."""
        given = DrawSwapSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        asked = given.validated_data
        people = self.people({"one": asked["one"], "other": asked["other"]})
        with self.another_draft_told():
            return idempotent(
                request, about=self.about, act=lambda: self._swap(asked["round"], people)
            )

    def _swap(self, round_number: int, people: dict[str, Member]) -> Response:
        draw_swap(
            evening_id=self.evening.pk,
            round_number=round_number,
            one=people["one"],
            other=people["other"],
            seen=asked_version(self.request),
            actor=self.actor,
        )
        return self.answer()


class DrawAdapt(DrawResource):
    """The draw follows who came and who left."""

    needs: ClassVar[Needs] = {"post": DRAW}

    @extend_schema(
        operation_id="draw_adapt",
        summary="Put in who came since the draw, take out who left",
        parameters=[key_parameter(required=False)],
        request=DrawAdaptSerializer,
        responses=DrawSerializer,
        examples=[DRAW_EXAMPLE],
    )
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """In the rounds that have not started, with as few tables as can be becoming other."""
        given = DrawAdaptSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        people = self.listed_people("members", given.validated_data["members"])
        return idempotent(request, about=self.about, act=lambda: self._adapt(people))

    def _adapt(self, people: list[Member]) -> Response:
        draw_adapt(evening_id=self.evening.pk, members=people, actor=self.actor)
        return self.answer()
