"""The deals of a table: looked at, written, corrected, taken back."""

import uuid
from collections.abc import Callable
from typing import Any, ClassVar, cast

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import may
from clubs.api.etags import etag, seen_version, with_tag
from clubs.api.idempotency import idempotency_key, idempotent
from clubs.api.resource import ANYBODY, Needs
from clubs.api.schema import key_parameter, known_parameter, version_parameter
from clubs.models import User
from scoring.models import Deal
from scoring.rules import sheet_line
from scoring.serializers import DealOnSheetSerializer, DealWriteSerializer
from scoring.services import deal_preview, deal_undo, deal_write
from tournaments.api.base import TableResource
from tournaments.api.tables_shown import DEAL, SHEET
from tournaments.permissions import CORRECT_DEAL, WRITE_DEAL

CARD_KEYS = ("leader", "cards", "announced")
KEPT_OF_CARDS = ("declarer", "trump", *CARD_KEYS)
WRITE_EXAMPLE = OpenApiExample(
    "deal",
    value={
        "version": 0,
        "written": {"declarer": "N", "trump": "H", "points": {"EW": 65}, "roem": {"NS": [20, 50]}},
    },
    request_only=True,
)
AS_ANSWERED = OpenApiExample("deal", value={**DEAL, "sheet": SHEET}, response_only=True)
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
        examples=[AS_ANSWERED],
    )
    def get(self, request: Request, *, number: int, **names: Any) -> HttpResponse:
        """What is written and what that comes to; 404 for the public while points are hidden."""
        deals = self.table.sheet.deals.select_related("current")
        deal = get_object_or_404(deals if self.sees_points else deals.none(), number=number)
        return self.shown(deal.version, self._told(deal))

    @extend_schema(
        operation_id="deal_write",
        summary="Write a deal, or correct it",
        parameters=[key_parameter(required=True), version_parameter()],
        request=DealWriteSerializer,
        responses=DealOnSheetSerializer,
        examples=[WRITE_EXAMPLE, AS_ANSWERED],
    )
    def put(self, request: Request, *, number: int, **names: Any) -> HttpResponse:
        """What cannot be is refused (422) with every fault at once: the codes and fields of
        `POST /api/v1/score/`. What is unlikely is written, with `warnings`. A deal that stands is
        put right only with a reason; of a closed round only by a director."""
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
        examples=[AS_ANSWERED],
    )
    def delete(self, request: Request, *, number: int, **names: Any) -> HttpResponse:
        """What stood before stands again, or a blank line. Only of the deal written last, and once;
        an earlier one is corrected."""
        idempotency_key(request)
        version = _number(seen_version(request))
        return self._once(lambda: self._take_back(number, version))

    def show_current(self, current: Deal) -> Json:
        """What stands now, for who saw an older version."""
        self.table.sheet.refresh_from_db()
        return self._told(current)

    def _once(self, act: Callable[[], Deal]) -> HttpResponse:
        """The deal after `act`, or what this was answered before."""
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
        """What is written for this, and the cards that are kept with it where it has any."""
        if all(written.get(key) is None for key in CARD_KEYS):
            return written, None
        result = deal_preview(sheet=self.table.sheet, number=number, written=written)
        record = {key: written[key] for key in KEPT_OF_CARDS if written.get(key) is not None}
        return sheet_line(result), {"trump": None, **record}

    def _deal(self, number: int) -> Deal:
        return self.table.sheet.deals.select_related("current").get(number=number)

    def _told(self, deal: Deal) -> Json:
        sheet = self.table.sheet
        context = {"full": self.knows_names, "sheet": sheet, "seats": sheet.seats.all()}
        told: Json = DealOnSheetSerializer(deal, context=context).data
        return told

    def _entry_uuid(self) -> uuid.UUID:
        """The entry's: the same for the same key of the same caller on the same sheet, and no
        other caller's, whatever key he makes up."""
        caller = cast("User", self.request.user)
        return uuid.uuid5(self.table.sheet.uuid, f"{caller.uuid} {idempotency_key(self.request)}")


def _number(version: str) -> int:
    """A version as a number: -1, which nothing has, for what is none."""
    return int(version) if version.isascii() and version.isdecimal() and len(version) < 10 else -1
