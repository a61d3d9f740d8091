"""The tables of a round: who sits there, and what is on the sheet."""

from typing import Any, ClassVar

from django.db.models import Prefetch
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.pagination import Pages
from clubs.api.resource import ANYBODY, Needs
from clubs.api.schema import known_parameter
from clubs.scoping import owned
from scoring.models import Seat
from tournaments.api.base import RoundResource, TableResource
from tournaments.api.tables_shown import (
    TABLE_EXAMPLE,
    TableSerializer,
    WholeTableSerializer,
)


class TableList(RoundResource):
    """The tables of a round."""

    tag = "tables"
    needs: ClassVar[Needs] = {"get": ANYBODY}

    @extend_schema(
        operation_id="table_list",
        summary="The tables of a round",
        parameters=[*Pages.parameters()],
        responses=Pages.answer(TableSerializer),
    )
    def get(self, request: Request, **names: Any) -> Response:
        """Who sits where, and how far each sheet is; no points while they are hidden."""
        holders = (
            owned(self.club, Seat)
            .select_related("member", "counts_for")
            .order_by("from_deal", "pk")
        )
        tables = self.round.tables.select_related("sheet").order_by("number")
        seated = tables.prefetch_related(Prefetch("sheet__seats", holders))
        return Pages.of(
            self,
            seated,
            TableSerializer,
            full=self.knows_names,
            points=self.sees_points,
            round=self.round,
        )


class TableDetail(TableResource):
    """A table."""

    tag = "tables"
    needs: ClassVar[Needs] = {"get": ANYBODY}

    @extend_schema(
        operation_id="table_read",
        summary="A table with its sheet",
        parameters=[known_parameter()],
        responses={200: WholeTableSerializer, 304: None},
        examples=[TABLE_EXAMPLE],
    )
    def get(self, request: Request, **names: Any) -> HttpResponse:
        """Who sits there and all that is written; `sheet` is null while points are hidden."""
        told = self.table_json()
        return self.shown(self.table.sheet.version, told)
