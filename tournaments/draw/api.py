"""The API of the draw: read, made, typed in, made final, changed, undone."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.requests import etag, idempotent, named_version, with_tag
from clubs.api.resource import Needs
from clubs.api.schema import key_parameter, known_parameter, version_parameter
from clubs.http.problems import FieldError, Problem
from clubs.models import Member
from clubs.text.errors import DomainError
from scoring.rules import SEATS
from tournaments.draw.changes import draw_adapt
from tournaments.draw.rewriting import draw_swap
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
from tournaments.evenings.api_base import EveningResource
from tournaments.evenings.permissions import DRAW, SEE_EVENING


class DrawResource(EveningResource):
    """An address about the draw of an evening."""

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
    def another_draft_refused(self) -> Iterator[None]:
        """Answers 409 with the current draw if the draft is not the one the caller saw."""
        try:
            yield
        except DomainError as error:
            if error.code != "draw_moved_on":
                raise
            current = draw_json(self.evening)
            raise Problem(409, error.code, error.message, current=current) from error


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
        """Who sits where, how fair that is, and who came or left since the draw."""
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
        """Draws the rounds still to be played for the people present, as a draft that replaces an
        earlier one. The search may take seconds; it follows people who come or go meanwhile."""
        given = DrawMakeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        with self.another_draft_refused():
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
        """For the next round, as a draft that replaces an earlier one."""
        given = DrawTypedSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        tables, out = self._people(given.validated_data)
        with self.another_draft_refused():
            try:
                draw_type_in(
                    evening_id=self.evening.pk,
                    tables=tables,
                    sit_out=out,
                    seen=named_version(request),
                    actor=self.actor,
                )
            except DomainError as error:
                raise _each_fault(error) from error
        return self.tagged(self.answer())

    @extend_schema(
        operation_id="draw_undo",
        summary="Throw the draw away",
        parameters=[key_parameter(required=False)],
        request=None,
        responses={204: None},
    )
    def delete(self, request: Request, **names: Any) -> Response:
        """Discards the draw of the rounds that have not started, even if it was final."""
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
        """From then on the hall sees it."""
        given = DrawSeenSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        with self.another_draft_refused():
            return idempotent(request, about=self.about, act=self._publish)

    def _publish(self) -> Response:
        draw_publish(evening_id=self.evening.pk, seen=named_version(self.request), actor=self.actor)
        return self.answer()


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
        """At a table or sitting out; in all rounds in which the tables stay together."""
        given = DrawSwapSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        swap = given.validated_data
        people = self.people({"one": swap["one"], "other": swap["other"]})
        with self.another_draft_refused():
            return idempotent(
                request, about=self.about, act=lambda: self._swap(swap["round"], people)
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
    """The draw is adapted to people who came or left."""

    needs: ClassVar[Needs] = {"post": DRAW}

    @extend_schema(
        operation_id="draw_adapt",
        summary="Adapt the draw to people who came or left",
        parameters=[key_parameter(required=False)],
        request=DrawAdaptSerializer,
        responses=DrawSerializer,
        examples=[DRAW_EXAMPLE],
    )
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """In the rounds that have not started, changing as few tables as possible."""
        given = DrawAdaptSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        people = self.listed_people("members", given.validated_data["members"])
        return idempotent(request, about=self.about, act=lambda: self._adapt(people))

    def _adapt(self, people: list[Member]) -> Response:
        draw_adapt(evening_id=self.evening.pk, members=people, actor=self.actor)
        return self.answer()


def _each_fault(error: DomainError) -> Exception:
    """The faults of a typed draw as separate errors, or the error itself if it names none."""
    faults: Any = error.params.get("faults")
    if error.code != "draw_faults" or not faults:
        return error
    errors = [FieldError("", error.code, str(fault)) for fault in faults]
    return Problem(422, error.code, error.message, errors=errors)
