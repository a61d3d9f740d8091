"""Who sits at a table: a substitute takes over, somebody draws the first dealer."""

from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from clubs.api.etags import seen_version
from clubs.api.problems import FieldError, Problem
from clubs.api.resource import Needs
from clubs.api.schema import key_parameter, version_parameter
from clubs.api.strict import StrictSerializer
from scoring.rules import SEATS
from scoring.services import sheet_first_dealer
from tournaments.api.base import LARGEST, Json, TableResource
from tournaments.api.tables_shown import TABLE_EXAMPLE, WholeTableSerializer
from tournaments.permissions import CHANGE_SHEET, WRITE_DEAL
from tournaments.services import table_substitute
from tournaments.table_page import draws_dealer


class SubstituteSerializer(StrictSerializer):
    """Who takes over which seat, and for whom."""

    seat = serializers.ChoiceField(SEATS)
    member = serializers.IntegerField(min_value=1, max_value=LARGEST)
    from_deal = serializers.IntegerField(min_value=1, max_value=99)
    for_himself = serializers.BooleanField(
        help_text="Whether the points of those deals are his, or stay with who stops."
    )


class FirstDealerSerializer(StrictSerializer):
    """Who drew the highest card."""

    version = serializers.IntegerField(
        required=False, min_value=0, max_value=LARGEST, help_text="The sheet's, as you saw it."
    )
    seat = serializers.ChoiceField(SEATS)


class Substitutes(TableResource):
    """Substitutes at a table."""

    tag = "tables"
    needs: ClassVar[Needs] = {"post": CHANGE_SHEET}

    @extend_schema(
        operation_id="substitute_seat",
        summary="Somebody takes over a seat",
        parameters=[key_parameter(required=False)],
        request=SubstituteSerializer,
        responses=WholeTableSerializer,
        examples=[
            OpenApiExample(
                "substitute",
                value={"seat": "E", "member": 31, "from_deal": 9, "for_himself": False},
                request_only=True,
            ),
            TABLE_EXAMPLE,
        ],
    )
    def post(self, request: Request, **names: Any) -> HttpResponse:
        """From that deal on, and in the rounds to come. A guest is added to the list first."""
        given = SubstituteSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return self.whole_table(lambda: self._take_over(given.validated_data))

    def _take_over(self, given: Json) -> None:
        member = self.people({"member": given["member"]})["member"]
        table_substitute(
            table_id=self.table.pk,
            seat=given["seat"],
            member=member,
            from_deal=given["from_deal"],
            for_himself=given["for_himself"],
            actor=self.actor,
        )


class FirstDealer(TableResource):
    """Who deals first, where that is drawn at the table."""

    tag = "tables"
    needs: ClassVar[Needs] = {"put": WRITE_DEAL}

    @extend_schema(
        operation_id="first_dealer_set",
        summary="Say who deals first",
        parameters=[key_parameter(required=False), version_parameter()],
        request=FirstDealerSerializer,
        responses=WholeTableSerializer,
        examples=[TABLE_EXAMPLE],
    )
    def put(self, request: Request, **names: Any) -> HttpResponse:
        """Where the evening lets the highest card decide that; until a deal is written."""
        version = seen_version(request)
        given = FirstDealerSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return self.whole_table(lambda: self._set(version, given.validated_data["seat"]))

    def _set(self, version: str, seat: Any) -> None:
        if not draws_dealer(self.evening, self.table) or seat not in self.table.sheet.people:
            told = "At this table that seat is not drawn."
            raise Problem(422, "bad_seat", told, errors=[FieldError("seat", "bad_seat", told)])
        self.hold(version)
        sheet_first_dealer(
            sheet_id=self.table.sheet_id,
            seat=seat,
            seen_version=self.table.sheet.version,
            actor=self.actor,
        )
