"""The API of the deals on a sheet."""

import uuid
from collections.abc import Callable
from typing import Any, ClassVar, cast

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access.permissions import may
from clubs.api.requests import etag, idempotency_key, idempotent, seen_version, with_tag
from clubs.api.resource import ANYBODY, Needs, key_parameter, known_parameter, version_parameter
from clubs.models import User
from scoring.api.serializers import (
    DealOnSheetSerializer,
    DealWriteSerializer,
)
from scoring.deals.services import deal_preview, deal_undo, deal_write
from scoring.models import Deal
from scoring.rules import sheet_line
from tournaments.evenings.permissions import CORRECT_DEAL, WRITE_DEAL
from tournaments.scoresheets.tables_api import (
    DEAL,
    SHEET,
    TableResource,
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
        deal = get_object_or_404(deals if self.sees_deals else deals.none(), number=number)
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
