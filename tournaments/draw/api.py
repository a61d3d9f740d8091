"""The API of the draw: as taken and shown; read, made, typed in, made final, changed, undone."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.requests import etag, idempotent, named_version, with_tag
from clubs.api.resource import (
    Needs,
    StrictSerializer,
    key_parameter,
    known_parameter,
    version_parameter,
)
from clubs.http.problems import FieldError, Problem
from clubs.models import Member
from clubs.text.errors import DomainError
from scoring.rules import SEATS
from tournaments.draw.changes import draw_adapt
from tournaments.draw.core.models import TableDraw
from tournaments.draw.report import draw_report
from tournaments.draw.rewriting import draw_swap
from tournaments.draw.services import (
    draft_version,
    draw_make,
    draw_publish,
    draw_type_in,
    draw_undo,
    drawing_of,
)
from tournaments.evenings.api_base import (
    LARGEST,
    EveningResource,
    PersonSerializer,
    SeatedSerializer,
    person,
)
from tournaments.evenings.permissions import DRAW, SEE_EVENING
from tournaments.models import Evening, Round
from tournaments.registration.check_in import drawn_without
from tournaments.seating.store import UpcomingRound, upcoming_rounds

MOST_PEOPLE = 2_000
STATES = ("none", "draft", "final")
VERSION = serializers.CharField(
    required=False, max_length=32, help_text="The version of the draft that you saw."
)
Json = dict[str, Any]


class DrawMakeSerializer(StrictSerializer):
    """The seed of a draw."""

    seed = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=LARGEST,
        help_text="The same seed and people give the same draw. By default it is new each time.",
    )
    version = VERSION


class SeatingSerializer(StrictSerializer):
    """Who sits at a table, by id."""

    N = serializers.IntegerField(min_value=1, max_value=LARGEST)
    E = serializers.IntegerField(min_value=1, max_value=LARGEST)
    S = serializers.IntegerField(min_value=1, max_value=LARGEST, required=False)
    W = serializers.IntegerField(min_value=1, max_value=LARGEST, required=False)


class DrawTypedSerializer(StrictSerializer):
    """A draw that was done by hand, table 1 first."""

    tables = serializers.ListField(child=SeatingSerializer(), max_length=500)
    sit_out = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST),
        max_length=MOST_PEOPLE,
        default=list,
    )
    version = VERSION


class DrawSeenSerializer(StrictSerializer):
    """The draft that the caller saw."""

    version = VERSION


class DrawSwapSerializer(StrictSerializer):
    """Two people who change places in a round, by id."""

    round = serializers.IntegerField(min_value=1, max_value=99)
    one = serializers.IntegerField(min_value=1, max_value=LARGEST)
    other = serializers.IntegerField(min_value=1, max_value=LARGEST)
    version = VERSION


class DrawAdaptSerializer(StrictSerializer):
    """The people to add or remove; none means everybody who came or left."""

    members = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST),
        max_length=MOST_PEOPLE,
        default=list,
    )


class DrawnTableSerializer(serializers.Serializer[Any]):
    """A table and its people; three sit at N, E and S, two at N and E."""

    table = serializers.IntegerField()
    seats = SeatedSerializer(many=True)


class SitOutSerializer(PersonSerializer):
    """Somebody who sits out, and why it is their turn."""

    why = serializers.CharField(allow_blank=True)


class DrawnRoundSerializer(serializers.Serializer[Any]):
    """A round that has not started."""

    round = serializers.IntegerField()
    tables = DrawnTableSerializer(many=True)
    sit_out = SitOutSerializer(many=True)


class DrawSerializer(serializers.Serializer[Any]):
    """The rounds that are drawn and have not started."""

    state = serializers.ChoiceField(
        STATES, help_text="Only the desk sees a draft; everybody sees a final draw."
    )
    version = serializers.CharField(
        allow_blank=True, help_text="Sent along with a change, so that it only changes this draft."
    )
    by_hand = serializers.BooleanField(help_text="Typed in rather than drawn by the program.")
    seed = serializers.IntegerField(help_text="The same seed and people give the same draw.")
    drawing = serializers.IntegerField(
        allow_null=True, help_text="The number that the desk shows for this seed."
    )
    rounds = DrawnRoundSerializer(many=True)
    sentences = serializers.ListField(
        child=serializers.CharField(), help_text="How fair it is: who meets whom again."
    )
    warnings = serializers.ListField(child=serializers.CharField())
    newcomers = PersonSerializer(many=True, help_text="Here, but not in this draw.")
    leavers = PersonSerializer(many=True, help_text="In this draw, but not here.")


_JAN, _MIA = ({"member": 1, "name": "Jan Bakker"}, {"member": 2, "name": "Mia van der Meer"})
DRAW_EXAMPLE = OpenApiExample(
    "draw",
    value={
        "state": "draft",
        "version": "3d1f5a0c9e8b7a61",
        "by_hand": False,
        "seed": 202609051,
        "drawing": 1,
        "rounds": [
            {
                "round": 1,
                "tables": [
                    {"table": 1, "seats": [{"seat": "N", **_JAN}, {"seat": "E", **_MIA}]},
                ],
                "sit_out": [],
            }
        ],
        "sentences": ["Nobody plays with the same partner twice."],
        "warnings": [],
        "newcomers": [],
        "leavers": [],
    },
    response_only=True,
)


def draw_json(evening: Evening) -> Json:
    """The draw of the rounds that have not started."""
    waiting, version = upcoming_rounds(evening), draft_version(evening)
    report = draw_report(evening)
    members = _members(evening, waiting)
    why = {
        (number, int(out.person.id)): out.why
        for block in report.blocks
        for number in block.numbers
        for out in block.out
    }
    newcomers, leavers = drawn_without(evening)
    by_program = bool(waiting) and not report.by_hand
    return {
        "state": _state(evening, waiting),
        "version": version,
        "by_hand": bool(waiting) and report.by_hand,
        "seed": evening.seed,
        "drawing": drawing_of(evening) if by_program else None,
        "rounds": [_round(number, round_, members, why) for number, round_ in waiting.items()],
        "sentences": list(report.sentences),
        "warnings": list(report.warnings),
        "newcomers": [person(member, full=True) for member in newcomers],
        "leavers": [person(member, full=True) for member in leavers],
    }


def _state(evening: Evening, waiting: Mapping[int, UpcomingRound]) -> str:
    if not waiting:
        return "none"
    drafts = evening.rounds.filter(number__in=waiting, state=Round.State.DRAFT)
    return "draft" if drafts.exists() else "final"


def _members(evening: Evening, waiting: Mapping[int, UpcomingRound]) -> dict[int, Member]:
    ids = {
        int(player)
        for round_ in waiting.values()
        for player in (*round_.people, *round_.extra.values())
    }
    return Member.objects.of(evening.club).in_bulk(ids)


def _round(
    number: int,
    round_: UpcomingRound,
    members: Mapping[int, Member],
    why: Mapping[tuple[int, int], str],
) -> Json:
    drawn = round_.with_extra_players()
    out = [members[int(player)] for player in drawn.sit_out]
    return {
        "round": number,
        "tables": [_table(table, members) for table in drawn.tables],
        "sit_out": [
            {**person(member, full=True), "why": why.get((number, member.pk), "")} for member in out
        ],
    }


def _table(table: TableDraw, members: Mapping[int, Member]) -> Json:
    return {
        "table": table.number,
        "seats": [
            {"seat": seat, **person(members[int(table.seats[seat])], full=True)}
            for seat in SEATS
            if seat in table.seats
        ],
    }


# The addresses.


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
