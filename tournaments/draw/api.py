"""The draw: looked at, made, typed in, made final, undone."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.etags import etag, named_version, with_tag
from clubs.api.idempotency import idempotent
from clubs.api.resource import Needs
from clubs.api.schema import key_parameter, known_parameter, version_parameter
from clubs.http.problems import FieldError, Problem
from clubs.models import Member
from clubs.text.errors import DomainError
from scoring.rules import SEATS
from tournaments.draw.changes import draw_adapt
from tournaments.draw.serializers import (
    DRAW_EXAMPLE,
    DrawAdaptSerializer,
    DrawMakeSerializer,
    DrawSeenSerializer,
    DrawSerializer,
    DrawSwapSerializer,
    DrawTypedSerializer,
    draw_json,
)
from tournaments.draw.services import draw_make, draw_publish, draw_type_in, draw_undo
from tournaments.draw.swaps import draw_swap
from tournaments.evenings.api_base import EveningResource
from tournaments.evenings.permissions import DRAW, SEE_EVENING


class DrawResource(EveningResource):
    """Something about the draw."""

    tag = "draw"

    def answer(self, status: int = 200) -> Response:
        """The draw as it is now."""
        self.evening.refresh_from_db(fields=["seed", "state", "revision"])
        return Response(draw_json(self.evening), status)

    def tagged(self, answer: Response) -> HttpResponse:
        """The answer, under the version of the draft that it shows."""
        data: Any = answer.data
        return with_tag(answer, etag(data["version"])) if data["version"] else answer

    @contextmanager
    def another_draft_told(self) -> Iterator[None]:
        """Answers 409 with the draw as it is, where another draft than the one seen is there."""
        try:
            yield
        except DomainError as error:
            if error.code != "draw_moved_on":
                raise
            stands = draw_json(self.evening)
            raise Problem(409, error.code, error.message, current=stands) from error


class DrawDetail(DrawResource):
    """The draw of the rounds that have not started."""

    needs: ClassVar[Needs] = {"get": SEE_EVENING, "post": DRAW, "put": DRAW, "delete": DRAW}

    @extend_schema(
        operation_id="draw_read",
        summary="The draw of the rounds that have not started",
        parameters=[known_parameter()],
        responses={200: DrawSerializer, 304: None},
        examples=[DRAW_EXAMPLE],
    )
    def get(self, request: Request, **names: Any) -> HttpResponse:
        """Who sits where, how fair that is, and who came or left since."""
        data = draw_json(self.evening)
        return self.shown(data["version"], data)

    @extend_schema(
        operation_id="draw_make",
        summary="Draw",
        parameters=[version_parameter()],
        request=DrawMakeSerializer,
        responses={201: DrawSerializer},
        examples=[DRAW_EXAMPLE],
    )
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """Draws what is still to be played among those who are here, as a draft in place of an
        earlier one. It may search for seconds; whoever comes or goes meanwhile is drawn as well."""
        given = DrawMakeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        with self.another_draft_told():
            draw_make(
                evening_id=self.evening.pk,
                seed=given.validated_data.get("seed"),
                seen=named_version(request),
                actor=self.actor,
            )
        return self.tagged(self.answer(201))

    @extend_schema(
        operation_id="draw_type_in",
        summary="Type in a draw that was done by hand",
        parameters=[version_parameter()],
        request=DrawTypedSerializer,
        responses=DrawSerializer,
        examples=[DRAW_EXAMPLE],
    )
    def put(self, request: Request, **names: Any) -> HttpResponse:
        """For the next round, as a draft in place of an earlier one."""
        given = DrawTypedSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        tables, out = self._people(given.validated_data)
        with self.another_draft_told():
            try:
                draw_type_in(
                    evening_id=self.evening.pk,
                    tables=tables,
                    sit_out=out,
                    seen=named_version(request),
                    actor=self.actor,
                )
            except DomainError as error:
                raise _told_each(error) from error
        return self.tagged(self.answer())

    @extend_schema(
        operation_id="draw_undo",
        summary="Throw the draw away",
        parameters=[key_parameter(required=False)],
        request=None,
        responses={204: None},
    )
    def delete(self, request: Request, **names: Any) -> Response:
        """Throws away the draw of the rounds that have not started, also where it was final."""
        return idempotent(request, about=self.about, act=self._undo)

    def _undo(self) -> Response:
        draw_undo(evening_id=self.evening.pk, actor=self.actor)
        return Response(status=204)

    def _people(self, given: Any) -> tuple[list[dict[str, Member]], list[Member]]:
        seated = {
            f"tables.{place}.{seat}": pk
            for place, seating in enumerate(given["tables"])
            for seat, pk in seating.items()
        }
        people = self.people(seated)
        tables: list[dict[str, Member]] = [
            {seat: people[f"tables.{place}.{seat}"] for seat in SEATS if seat in seating}
            for place, seating in enumerate(given["tables"])
        ]
        return tables, self.listed_people("sit_out", given["sit_out"])


class DrawPublish(DrawResource):
    """The draft becomes final."""

    needs: ClassVar[Needs] = {"post": DRAW}

    @extend_schema(
        operation_id="draw_publish",
        summary="Make the draw final",
        parameters=[key_parameter(required=False), version_parameter()],
        request=DrawSeenSerializer,
        responses=DrawSerializer,
        examples=[DRAW_EXAMPLE],
    )
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """From now on the hall sees it."""
        given = DrawSeenSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        with self.another_draft_told():
            return idempotent(request, about=self.about, act=self._publish)

    def _publish(self) -> Response:
        draw_publish(evening_id=self.evening.pk, seen=named_version(self.request), actor=self.actor)
        return self.answer()


def _told_each(error: DomainError) -> Exception:
    """Each fault of a typed draw by itself, where the service names them."""
    faults: Any = error.params.get("faults")
    if error.code != "draw_faults" or not faults:
        return error
    told = [FieldError("", error.code, str(fault)) for fault in faults]
    return Problem(422, error.code, error.message, errors=told)


# A draw that is changed: two change places, somebody comes late or goes home.


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
            seen=named_version(self.request),
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
