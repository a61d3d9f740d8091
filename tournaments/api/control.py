"""What a paper sheet adds up to, held against what was written of it."""

from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.etags import seen_version
from clubs.api.idempotency import idempotent
from clubs.api.resource import Needs
from clubs.api.schema import key_parameter, version_parameter
from clubs.api.strict import StrictSerializer
from clubs.permissions import READ_DESK
from scoring.control import Control
from scoring.serializers import PaperFiguresSerializer
from scoring.services import OnPaper, control_accept, control_write
from scoring.sheet_view import SheetView
from tournaments.api.base import Json, TableResource
from tournaments.api.totals import ReasonSerializer, sides_checked
from tournaments.permissions import WRITE_DEAL


class DifferenceSerializer(serializers.Serializer[Any]):
    """A figure that is another on the paper than here, and where to look."""

    message = serializers.CharField()
    hints = serializers.ListField(child=serializers.CharField())


class ControlSerializer(serializers.Serializer[Any]):
    """The control of a sheet as it stands."""

    version = serializers.IntegerField(help_text="The sheet's.")
    paper = serializers.DictField(child=PaperFiguresSerializer())
    differences = DifferenceSerializer(many=True)
    agrees = serializers.BooleanField(help_text="All is the same, of a sheet that is full.")
    accepted = serializers.BooleanField(
        help_text="Somebody said that the sheet is right all the same, as it stands."
    )


class PaperSerializer(StrictSerializer):
    """What the paper has for each side; where three play, for each of them by his seat."""

    paper = serializers.DictField(child=PaperFiguresSerializer())


AS_ANSWERED = OpenApiExample(
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
    """Something about the control of a sheet."""

    tag = "tables"

    def answer(self) -> Response:
        """The control as it is now."""
        self.table.sheet.refresh_from_db()
        control = Control(SheetView(self.table.sheet))
        told = [{"message": one.words, "hints": one.hints} for one in control.differences]
        shown = {
            "version": self.table.sheet.version,
            "paper": control.rows,
            "differences": told,
            "agrees": control.agrees,
            "accepted": control.is_accepted,
        }
        return Response(ControlSerializer(shown).data)


class ControlDetail(ControlResource):
    """What a paper sheet adds up to."""

    needs: ClassVar[Needs] = {"get": READ_DESK, "put": WRITE_DEAL}

    @extend_schema(
        operation_id="control_read",
        summary="What the paper adds up to",
        responses=ControlSerializer,
        examples=[AS_ANSWERED],
    )
    def get(self, request: Request, **names: Any) -> Response:
        """Beside what was written, with where to look for what differs."""
        return self.answer()

    @extend_schema(
        operation_id="control_write",
        summary="Type what the paper adds up to",
        parameters=[key_parameter(required=False)],
        request=PaperSerializer,
        responses=ControlSerializer,
        examples=[PAPER_EXAMPLE, AS_ANSWERED],
    )
    def put(self, request: Request, **names: Any) -> Response:
        """In place of what was typed before. The sheet itself does not change."""
        given = PaperSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        signatories = self.table.sheet.signatories
        paper = sides_checked("paper", given.validated_data["paper"], signatories, all_=False)
        return idempotent(request, about=self.about, act=lambda: self._write(paper))

    def _write(self, paper: Json) -> Response:
        on_paper = {side: OnPaper(**figures) for side, figures in paper.items()}
        control_write(sheet_id=self.table.sheet_id, on_paper=on_paper, actor=self.actor)
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
        examples=[AS_ANSWERED],
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
        control_accept(
            sheet_id=self.table.sheet_id,
            seen_version=self.table.sheet.version,
            actor=self.actor,
            reason=reason,
        )
        return self.answer()
