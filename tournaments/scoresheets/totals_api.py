"""The API of what a table hands in beside deals: totals, four more deals after an equal match, and
the control of its paper."""

from typing import Any, ClassVar

from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access.permissions import READ_DESK
from clubs.api.requests import idempotent, seen_version
from clubs.api.resource import Needs, StrictSerializer, key_parameter, version_parameter
from clubs.http.problems import FieldError, Problem
from clubs.text.errors import DomainError
from scoring.api.serializers import PaperFiguresSerializer, SideFiguresSerializer
from scoring.deals.entries import LONGEST_REASON, reason_checked
from scoring.display.sheet_view import SheetView
from scoring.paper_check.services import (
    PaperCheck,
    PaperTotals,
    paper_check_accept,
    paper_totals_write,
)
from scoring.rules import SIDES
from scoring.sheets.side_totals import (
    HandedIn,
    match_play_off_clear,
    match_play_off_write,
    side_totals_clear,
    side_totals_write,
)
from tournaments.evenings.api_base import LARGEST
from tournaments.evenings.permissions import HAND_IN_TOTALS, WRITE_DEAL
from tournaments.scoresheets.page import plays_off
from tournaments.scoresheets.tables_api import TABLE_EXAMPLE, TableResource, WholeTableSerializer

Json = dict[str, Any]
REASON = "Why: needed where a result of this evening was published."


class TotalsSerializer(StrictSerializer):
    """What each side hands in; at a table of three, what each person does, by their seat."""

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


TOTALS_WRITE_EXAMPLE = OpenApiExample(
    "totals",
    value={
        "version": 0,
        "totals": {"NS": {"points": 1300, "roem": 140}, "EW": {"points": 1292, "roem": 60}},
    },
    request_only=True,
)


class Totals(TableResource):
    """What a table hands in instead of deals; read as `totals` of the table's sheet."""

    tag = "tables"
    needs: ClassVar[Needs] = {"put": HAND_IN_TOTALS, "delete": HAND_IN_TOTALS}

    @extend_schema(
        operation_id="totals_write",
        summary="Hand in totals",
        parameters=[key_parameter(required=False), version_parameter()],
        request=TotalsSerializer,
        responses=WholeTableSerializer,
        examples=[TOTALS_WRITE_EXAMPLE, TABLE_EXAMPLE],
    )
    def put(self, request: Request, **names: Any) -> HttpResponse:
        """Instead of deals: the sheet must be blank. Totals that cannot be are refused: the card
        points of both sides have a fixed sum for each deal."""
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
        """After this deals can be written."""
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
    """`given`, if it has only these sides or seats, and with `all_` each of them.

    Raises Problem 422 with every side that is unknown or missing.
    """
    unknown = [
        FieldError(f"{field}.{side}", "unknown_key", _("This is not a side or seat of this table."))
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


# The four deals more after a match that ended equal.


class MatchPlayOffSerializer(StrictSerializer):
    """What each side made in four more deals."""

    version = serializers.IntegerField(
        required=False, min_value=0, max_value=LARGEST, help_text="The sheet's, as you saw it."
    )
    totals = serializers.DictField(child=serializers.IntegerField(min_value=0, max_value=LARGEST))
    reason = serializers.CharField(
        max_length=LONGEST_REASON, allow_blank=True, default="", help_text=REASON
    )


PLAY_OFF_EXAMPLE = OpenApiExample(
    "play-off", value={"version": 16, "totals": {"NS": 340, "EW": 308}}, request_only=True
)


class MatchPlayOff(Totals):
    """Four more deals after a match that ended equal; read as `play_off` of the table's sheet."""

    needs: ClassVar[Needs] = {"put": WRITE_DEAL, "delete": HAND_IN_TOTALS}

    @extend_schema(
        operation_id="match_play_off_write",
        summary="Write the four deals after an equal match",
        parameters=[key_parameter(required=False), version_parameter()],
        request=MatchPlayOffSerializer,
        responses=WholeTableSerializer,
        examples=[PLAY_OFF_EXAMPLE, TABLE_EXAMPLE],
    )
    def put(self, request: Request, **names: Any) -> HttpResponse:
        """Where the evening has `match_play_off` and the sheet is full and equal. They decide that
        match and count for no total; the version of the sheet stays as it is."""
        version = seen_version(request)
        given = MatchPlayOffSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return self.whole_table(lambda: self._write(version, given.validated_data))

    @extend_schema(
        operation_id="match_play_off_clear",
        summary="Take the four deals off",
        parameters=[key_parameter(required=False), version_parameter()],
        request=ReasonSerializer,
        responses=WholeTableSerializer,
        examples=[TABLE_EXAMPLE],
    )
    def delete(self, request: Request, **names: Any) -> HttpResponse:
        """After this the match is equal again."""
        return super().delete(request, **names)

    def _write(self, version: str, given: Json) -> None:
        self.hold(version)
        sheet = self.table.sheet
        if sheet.ends_equal and not plays_off(self.evening, sheet):
            raise DomainError("no_play_off", _("On this evening an equal match stays equal."))
        match_play_off_write(
            sheet_id=sheet.pk,
            totals=sides_checked("totals", given["totals"], SIDES),
            actor=self.actor,
            reason=self._reason(given["reason"]),
        )

    def _clear(self, version: str, reason: str) -> None:
        self.hold(version)
        match_play_off_clear(
            sheet_id=self.table.sheet_id, actor=self.actor, reason=self._reason(reason)
        )


# The control: what the paper adds up to, compared with the deals.


class DifferenceSerializer(serializers.Serializer[Any]):
    """A figure that differs between the paper and the sheet, and where to look."""

    message = serializers.CharField()
    hints = serializers.ListField(child=serializers.CharField())


class ControlSerializer(serializers.Serializer[Any]):
    """The paper of a sheet compared with its deals, as it stands."""

    version = serializers.IntegerField(help_text="The sheet's.")
    paper = serializers.DictField(child=PaperFiguresSerializer())
    differences = DifferenceSerializer(many=True)
    agrees = serializers.BooleanField(help_text="The sheet is full and no figure differs.")
    accepted = serializers.BooleanField(
        help_text="Somebody accepted the sheet as it stands in spite of the differences."
    )


class PaperSerializer(StrictSerializer):
    """What the paper says for each side; at a table of three, for each person by their seat."""

    paper = serializers.DictField(child=PaperFiguresSerializer())


CONTROL_EXAMPLE = OpenApiExample(
    "control",
    value={
        "version": 16,
        "paper": {
            "NS": {"points": 1300, "roem": 140, "pits": None, "total": None},
            "EW": {"points": 1292, "roem": 80, "pits": None, "total": None},
        },
        "differences": [
            {"message": "Roem, they: 80 on the paper and 60 here, 20 fewer.", "hints": []}
        ],
        "agrees": False,
        "accepted": False,
    },
    response_only=True,
)
PAPER_EXAMPLE = OpenApiExample(
    "paper",
    value={"paper": {"NS": {"points": 1300, "roem": 140}, "EW": {"points": 1292, "roem": 80}}},
    request_only=True,
)


class ControlResource(TableResource):
    """An address about the control of a sheet."""

    tag = "tables"

    def answer(self) -> Response:
        """The control as it is now."""
        self.table.sheet.refresh_from_db()
        control = PaperCheck(SheetView(self.table.sheet))
        payload = {
            "version": self.table.sheet.version,
            "paper": control.rows,
            "differences": [
                {"message": difference.words, "hints": difference.hints}
                for difference in control.differences
            ],
            "agrees": control.agrees,
            "accepted": control.is_accepted,
        }
        return Response(ControlSerializer(payload).data)


class ControlDetail(ControlResource):
    """What a paper sheet adds up to."""

    needs: ClassVar[Needs] = {"get": READ_DESK, "put": WRITE_DEAL}

    @extend_schema(
        operation_id="control_read",
        summary="What the paper adds up to",
        responses=ControlSerializer,
        examples=[CONTROL_EXAMPLE],
    )
    def get(self, request: Request, **names: Any) -> Response:
        """Compared with the deals on the sheet, with hints where to look for a difference."""
        return self.answer()

    @extend_schema(
        operation_id="control_write",
        summary="Type what the paper adds up to",
        parameters=[key_parameter(required=False)],
        request=PaperSerializer,
        responses=ControlSerializer,
        examples=[PAPER_EXAMPLE, CONTROL_EXAMPLE],
    )
    def put(self, request: Request, **names: Any) -> Response:
        """Replaces what was typed before. The sheet itself does not change."""
        given = PaperSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        signatories = self.table.sheet.signatories
        paper = sides_checked("paper", given.validated_data["paper"], signatories, all_=False)
        return idempotent(request, about=self.about, act=lambda: self._write(paper))

    def _write(self, paper: Json) -> Response:
        on_paper = {side: PaperTotals(**figures) for side, figures in paper.items()}
        paper_totals_write(sheet_id=self.table.sheet_id, on_paper=on_paper, actor=self.actor)
        return self.answer()


class ControlAccept(ControlResource):
    """The sheet is right, though the paper adds up to something else."""

    needs: ClassVar[Needs] = {"post": WRITE_DEAL}

    @extend_schema(
        operation_id="control_accept",
        summary="Accept what differs",
        parameters=[key_parameter(required=False), version_parameter()],
        request=ReasonSerializer,
        responses=ControlSerializer,
        examples=[CONTROL_EXAMPLE],
    )
    def post(self, request: Request, **names: Any) -> Response:
        """Says that the sheet is right as it stands."""
        version = seen_version(request)
        given = ReasonSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        reason = given.validated_data["reason"]
        return idempotent(request, about=self.about, act=lambda: self._accept(version, reason))

    def _accept(self, version: str, reason: str) -> Response:
        self.hold(version)
        paper_check_accept(
            sheet_id=self.table.sheet_id,
            seen_version=self.table.sheet.version,
            actor=self.actor,
            reason=reason,
        )
        return self.answer()
