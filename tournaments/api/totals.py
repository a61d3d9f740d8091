"""Totals that a table hands in instead of deals."""

from typing import Any, ClassVar

from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from clubs.api.etags import seen_version
from clubs.api.problems import FieldError, Problem
from clubs.api.resource import Needs
from clubs.api.schema import key_parameter, version_parameter
from clubs.api.strict import StrictSerializer
from scoring.serializers import SideFiguresSerializer
from scoring.services import HandedIn, reason_checked, side_totals_clear, side_totals_write
from scoring.services.entries import LONGEST_REASON
from tournaments.api.base import LARGEST, Json, TableResource
from tournaments.api.tables_shown import TABLE_EXAMPLE, WholeTableSerializer
from tournaments.permissions import HAND_IN_TOTALS

REASON = "Why: needed where a result of this evening was published."


class TotalsSerializer(StrictSerializer):
    """What each side hands in; where three play, each of them by his seat."""

    version = serializers.IntegerField(
        required=False, min_value=0, max_value=LARGEST, help_text="The sheet's, as you saw it."
    )
    totals = serializers.DictField(child=SideFiguresSerializer())
    reason = serializers.CharField(
        max_length=LONGEST_REASON, allow_blank=True, default="", help_text=REASON
    )


class ReasonSerializer(StrictSerializer):
    """Why something is done."""

    version = serializers.IntegerField(
        required=False, min_value=0, max_value=LARGEST, help_text="The sheet's, as you saw it."
    )
    reason = serializers.CharField(
        max_length=LONGEST_REASON, allow_blank=True, default="", help_text=REASON
    )


WRITE_EXAMPLE = OpenApiExample(
    "totals",
    value={
        "version": 0,
        "totals": {"NS": {"points": 1300, "roem": 140}, "EW": {"points": 1292, "roem": 60}},
    },
    request_only=True,
)


class Totals(TableResource):
    """What a table hands in instead of deals; looked at as `totals` of the table's sheet."""

    tag = "tables"
    needs: ClassVar[Needs] = {"put": HAND_IN_TOTALS, "delete": HAND_IN_TOTALS}

    @extend_schema(
        operation_id="totals_write",
        summary="Hand in totals",
        parameters=[key_parameter(required=False), version_parameter()],
        request=TotalsSerializer,
        responses=WholeTableSerializer,
        examples=[WRITE_EXAMPLE, TABLE_EXAMPLE],
    )
    def put(self, request: Request, **names: Any) -> HttpResponse:
        """In place of the sheet's deals, of which none may be written. What cannot be is refused:
        the card points of both sides add up to so many for each deal."""
        version = seen_version(request)
        given = TotalsSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return self.whole_table(lambda: self._write(version, given.validated_data))

    @extend_schema(
        operation_id="totals_clear",
        summary="Take the totals off",
        parameters=[key_parameter(required=False), version_parameter()],
        request=ReasonSerializer,
        responses=WholeTableSerializer,
        examples=[TABLE_EXAMPLE],
    )
    def delete(self, request: Request, **names: Any) -> HttpResponse:
        """Deals can be written then."""
        version = seen_version(request)
        given = ReasonSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return self.whole_table(lambda: self._clear(version, given.validated_data["reason"]))

    def _write(self, version: str, given: Json) -> None:
        self.hold(version)
        figures = sides_checked("totals", given["totals"], self.table.sheet.signatories)
        side_totals_write(
            sheet_id=self.table.sheet_id,
            totals={side: HandedIn(**of_side) for side, of_side in figures.items()},
            actor=self.actor,
            reason=self._reason(given["reason"]),
        )

    def _clear(self, version: str, reason: str) -> None:
        self.hold(version)
        side_totals_clear(
            sheet_id=self.table.sheet_id, actor=self.actor, reason=self._reason(reason)
        )

    def _reason(self, given: str) -> str:
        return reason_checked(given, needed=self.evening.releases.exists())


def sides_checked(field: str, given: Json, sides: tuple[str, ...], *, all_: bool = True) -> Json:
    """What is given for these sides or seats, and no other.

    Raises Problem 422 naming each that is too many, or with `all_` missing.
    """
    unknown = [
        FieldError(f"{field}.{side}", "unknown_key", _("Nobody at this table hands that in."))
        for side in given
        if side not in sides
    ]
    missing = [
        FieldError(f"{field}.{side}", "required", _("This is missing."))
        for side in sides
        if all_ and side not in given
    ]
    if errors := unknown + missing:
        raise Problem(422, "invalid", errors[0].message, errors=errors)
    return given
