"""A whole sheet that is put right: sides swapped, moved to the table it belongs to."""

from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from clubs.api.problems import FieldError, Problem
from clubs.api.resource import Needs
from clubs.api.schema import key_parameter
from clubs.api.strict import StrictSerializer
from scoring.services import sheet_move, sheet_swap_sides
from scoring.services.entries import LONGEST_REASON
from tournaments.api.base import TableResource
from tournaments.api.tables_shown import TABLE_EXAMPLE, WholeTableSerializer
from tournaments.permissions import PUT_RIGHT


class SheetSwapSerializer(StrictSerializer):
    """Why."""

    reason = serializers.CharField(max_length=LONGEST_REASON)


class SheetMoveSerializer(SheetSwapSerializer):
    """To which table, and why."""

    table = serializers.IntegerField(min_value=1, max_value=999)


class SheetSwap(TableResource):
    """*Wij* and *zij* of a sheet change places."""

    tag = "tables"
    needs: ClassVar[Needs] = {"post": PUT_RIGHT}

    @extend_schema(
        operation_id="sheet_swap",
        summary="Swap the two sides of a sheet",
        parameters=[key_parameter(required=False)],
        request=SheetSwapSerializer,
        responses=WholeTableSerializer,
        examples=[
            OpenApiExample("swap", value={"reason": "written upside down"}, request_only=True),
            TABLE_EXAMPLE,
        ],
    )
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """In everything that is written; the players stay where they sit."""
        given = SheetSwapSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        reason = given.validated_data["reason"]
        return self.whole_table(
            lambda: sheet_swap_sides(sheet_id=self.table.sheet_id, actor=self.actor, reason=reason)
        )


class SheetMove(TableResource):
    """Two sheets change contents."""

    tag = "tables"
    needs: ClassVar[Needs] = {"post": PUT_RIGHT}

    @extend_schema(
        operation_id="sheet_move",
        summary="Move what is written to the table it belongs to",
        parameters=[key_parameter(required=False)],
        request=SheetMoveSerializer,
        responses=WholeTableSerializer,
        examples=[
            OpenApiExample("move", value={"table": 3, "reason": "wrong table"}, request_only=True),
            TABLE_EXAMPLE,
        ],
    )
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """The sheets of the two tables change contents; the players stay where they sit."""
        given = SheetMoveSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        other = self.round.tables.filter(number=given.validated_data["table"]).first()
        if other is None or other == self.table:
            told = "Give another table of this round."
            raise Problem(422, "bad_table", told, errors=[FieldError("table", "bad_table", told)])
        return self.whole_table(
            lambda: sheet_move(
                from_id=self.table.sheet_id,
                to_id=other.sheet_id,
                actor=self.actor,
                reason=given.validated_data["reason"],
            )
        )
