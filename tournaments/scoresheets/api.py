"""The API of a sheet: its deals, the totals handed in instead, and the control of its paper."""

import uuid
from collections.abc import Callable
from typing import Any, ClassVar, cast

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access.permissions import READ_DESK, may
from clubs.api.etags import etag, seen_version, with_tag
from clubs.api.idempotency import idempotency_key, idempotent
from clubs.api.resource import ANYBODY, Needs, StrictSerializer
from clubs.api.schema import key_parameter, known_parameter, version_parameter
from clubs.http.problems import FieldError, Problem
from clubs.models import User
from scoring.api.serializers import (
    DealOnSheetSerializer,
    DealWriteSerializer,
    PaperFiguresSerializer,
    SideFiguresSerializer,
)
from scoring.deals.entries import LONGEST_REASON, reason_checked
from scoring.deals.services import deal_preview, deal_undo, deal_write
from scoring.display.sheet_view import SheetView
from scoring.models import Deal
from scoring.paper_check.queries import PaperCheck
from scoring.paper_check.services import PaperTotals, paper_check_accept, paper_totals_write
from scoring.rules import sheet_line
from scoring.sheets.side_totals import HandedIn, side_totals_clear, side_totals_write
from tournaments.evenings.api_base import LARGEST
from tournaments.evenings.permissions import CORRECT_DEAL, HAND_IN_TOTALS, WRITE_DEAL
from tournaments.scoresheets.tables_api import (
    DEAL,
    SHEET,
    TABLE_EXAMPLE,
    TableResource,
    WholeTableSerializer,
)

CARD_KEYS = ("leader", "cards", "announced")
RECORD_KEYS = ("declarer", "trump", *CARD_KEYS)
DEAL_WRITE_EXAMPLE = OpenApiExample(
    "deal",
    value={
        "version": 0,
        "written": {"declarer": "N", "trump": "H", "points": {"EW": 65}, "roem": {"NS": [20, 50]}},
    },
    request_only=True,
)
DEAL_EXAMPLE = OpenApiExample("deal", value={**DEAL, "sheet": SHEET}, response_only=True)
Json = dict[str, Any]


class DealDetail(TableResource):
    """A deal of a table's sheet."""

    tag = "deals"
    needs: ClassVar[Needs] = {"get": ANYBODY, "put": WRITE_DEAL, "delete": WRITE_DEAL}

    def find(self, **names: Any) -> None:
        super().find(**names)
        if not 1 <= names["number"] <= self.table.sheet.deals_planned:
            raise Http404

    @extend_schema(
        operation_id="deal_read",
        summary="A deal",
        parameters=[known_parameter()],
        responses={200: DealOnSheetSerializer, 304: None},
        examples=[DEAL_EXAMPLE],
    )
    def get(self, request: Request, *, number: int, **names: Any) -> HttpResponse:
        """Its line and the result; 404 for the public while points are hidden."""
        deals = self.table.sheet.deals.select_related("current")
        deal = get_object_or_404(deals if self.sees_points else deals.none(), number=number)
        return self.shown(deal.version, self._deal_json(deal))

    @extend_schema(
        operation_id="deal_write",
        summary="Write a deal, or correct it",
        parameters=[key_parameter(required=True), version_parameter()],
        request=DealWriteSerializer,
        responses=DealOnSheetSerializer,
        examples=[DEAL_WRITE_EXAMPLE, DEAL_EXAMPLE],
    )
    def put(self, request: Request, *, number: int, **names: Any) -> HttpResponse:
        """An impossible deal is refused (422) with all its faults at once, with the codes and
        fields of `POST /api/v1/score/`. An unlikely one is written, with `warnings`. Correcting a
        deal needs a reason, and in a closed round a director."""
        # The key is required, so refuse a request without one before looking at the rest.
        idempotency_key(request)
        version = _number(seen_version(request))
        given = DealWriteSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return self._once(lambda: self._write(number, version, given.validated_data))

    @extend_schema(
        operation_id="deal_take_back",
        summary="Take back the last save of a deal",
        parameters=[key_parameter(required=True), version_parameter()],
        request=None,
        responses=DealOnSheetSerializer,
        examples=[DEAL_EXAMPLE],
    )
    def delete(self, request: Request, *, number: int, **names: Any) -> HttpResponse:
        """Restores the line before it, or a blank one. Only for the deal written last, and once;
        correct an earlier deal instead."""
        idempotency_key(request)
        version = _number(seen_version(request))
        return self._once(lambda: self._take_back(number, version))

    def show_current(self, current: Deal) -> Json:
        """The deal as it stands, for a caller who saw an older version."""
        self.table.sheet.refresh_from_db()
        return self._deal_json(current)

    def _once(self, act: Callable[[], Deal]) -> HttpResponse:
        """The deal after `act`, or the earlier answer to the same key."""
        answer = idempotent(
            self.request,
            about=self.about,
            required=True,
            act=lambda: Response(self.show_current(act())),
        )
        data: Any = answer.data
        return with_tag(answer, etag(data["version"]))

    def _write(self, number: int, version: int, given: Json) -> Deal:
        written, record = self._line(number, given["written"])
        deal_write(
            sheet_id=self.table.sheet_id,
            number=number,
            seen_version=version,
            uuid=self._entry_uuid(),
            written=written,
            record=record,
            actor=self.actor,
            reason=given["reason"],
            closed_too=may(self.request, CORRECT_DEAL, self.table),
        )
        return self._deal(number)

    def _take_back(self, number: int, version: int) -> Deal:
        deal_undo(
            sheet_id=self.table.sheet_id,
            number=number,
            seen_version=version,
            uuid=self._entry_uuid(),
            actor=self.actor,
        )
        return self._deal(number)

    def _line(self, number: int, written: Json) -> tuple[Json, Json | None]:
        """The line to write, and the record of the cards that came with it, if any."""
        if all(written.get(key) is None for key in CARD_KEYS):
            return written, None
        result = deal_preview(sheet=self.table.sheet, number=number, written=written)
        record = {key: written[key] for key in RECORD_KEYS if written.get(key) is not None}
        return sheet_line(result), {"trump": None, **record}

    def _deal(self, number: int) -> Deal:
        return self.table.sheet.deals.select_related("current").get(number=number)

    def _deal_json(self, deal: Deal) -> Json:
        sheet = self.table.sheet
        context = {"full": self.knows_names, "sheet": sheet, "seats": sheet.seats.all()}
        payload: Json = DealOnSheetSerializer(deal, context=context).data
        return payload

    def _entry_uuid(self) -> uuid.UUID:
        """The UUID of the entry, made of sheet, caller and key: a repeated request finds its own
        entry, and nobody can guess that of another caller."""
        caller = cast("User", self.request.user)
        return uuid.uuid5(self.table.sheet.uuid, f"{caller.uuid} {idempotency_key(self.request)}")


def _number(version: str) -> int:
    """A version as a number; -1, which nothing has, where it is not one."""
    return int(version) if version.isascii() and version.isdecimal() and len(version) < 10 else -1


# Totals that a table hands in instead of deals.

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
