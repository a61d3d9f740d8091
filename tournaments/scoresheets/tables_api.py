"""The API of the tables of a round: their seats and sheets, and what a director does to them."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from django.db.models import Prefetch
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access.permissions import Target, owned
from clubs.api.requests import etag, idempotent, seen_version, with_tag
from clubs.api.resource import (
    ANYBODY,
    Needs,
    Pages,
    StrictSerializer,
    key_parameter,
    known_parameter,
    version_parameter,
)
from clubs.http.problems import FieldError, Problem
from clubs.models import Member
from clubs.text.errors import VersionConflict
from scoring.api.serializers import SheetSerializer, WholeSheetSerializer
from scoring.deals.entries import LONGEST_REASON, sheets_lock
from scoring.display.sheet_view import SheetView
from scoring.models import Seat
from scoring.rules import SEATS
from scoring.sheets.services import sheet_first_dealer, sheet_move, sheet_swap_sides
from tournaments.evenings.api_base import (
    LARGEST,
    PersonSerializer,
    RoundResource,
    SeatedSerializer,
    person,
)
from tournaments.evenings.permissions import CHANGE_SHEET, PUT_RIGHT, WRITE_DEAL
from tournaments.models import Table
from tournaments.rounds.services import table_substitute
from tournaments.scoresheets.page import draws_dealer

FIGURES = ("score", "roem", "pits", "nats", "deals")
Json = dict[str, Any]


class SeatFiguresSerializer(serializers.Serializer[Seat]):
    """The figures of the deals somebody played in a seat."""

    score = serializers.IntegerField()
    roem = serializers.IntegerField(
        allow_null=True, help_text="Null where a table handed in totals without it."
    )
    pits = serializers.IntegerField(allow_null=True, help_text="Like `roem`.")
    nats = serializers.IntegerField()
    deals = serializers.IntegerField()


class HolderSerializer(SeatedSerializer):
    """Who sits in a seat from a deal on."""

    from_deal = serializers.IntegerField()
    counts_for = PersonSerializer(
        allow_null=True, help_text="Who gets the points where a substitute plays for somebody."
    )
    extra = serializers.BooleanField(help_text="Played beside an own seat; counts for nobody.")
    figures = SeatFiguresSerializer(allow_null=True, help_text="Null while points are hidden.")


class TableSerializer(serializers.Serializer[Table]):
    """A table of a round. The context has `full` (show full names), `points` (show points) and
    `round`."""

    round = serializers.IntegerField()
    table = serializers.IntegerField()
    seats = HolderSerializer(many=True)
    sheet = SheetSerializer(allow_null=True, help_text="Null while points are hidden.")

    def to_representation(self, table: Table) -> Json:
        return {
            "round": self.context["round"].number,
            "table": table.number,
            "seats": [
                self._holder(holder, holder.member)
                for holder in self.holders(table)
                if holder.member
            ],
            "sheet": self.sheet_json(table) if self.context["points"] else None,
        }

    def holders(self, table: Table) -> Iterable[Seat]:
        """The people at the table, in the order in which they came."""
        return table.sheet.seats.all()

    def sheet_json(self, table: Table) -> Mapping[str, Any]:
        """The sheet as it is shown."""
        context = {"seats": self.holders(table)}
        payload: Mapping[str, Any] = SheetSerializer(table.sheet, context=context).data
        return payload

    def _holder(self, holder: Seat, member: Member) -> Json:
        full, counts_for = self.context["full"], holder.counts_for
        return {
            "seat": holder.seat,
            **person(member, full=full),
            "from_deal": holder.from_deal,
            "counts_for": counts_for and person(counts_for, full=full),
            "extra": holder.extra,
            "figures": SeatFiguresSerializer(holder).data if self.context["points"] else None,
        }


class WholeTableSerializer(TableSerializer):
    """A table with everything on its sheet; in the context the sheet's `view` as well."""

    sheet = WholeSheetSerializer(allow_null=True, help_text="Null while points are hidden.")

    def holders(self, table: Table) -> Iterable[Seat]:
        view: SheetView = self.context["view"]
        return view.holders

    def sheet_json(self, table: Table) -> Mapping[str, Any]:
        context = {**self.context, "seats": self.holders(table)}
        payload: Mapping[str, Any] = WholeSheetSerializer(table.sheet, context=context).data
        return payload


DEAL: Mapping[str, object] = {
    "number": 1,
    "version": 1,
    "dealer": "E",
    "written": {
        "declarer": "N",
        "trump": "H",
        "points": {"NS": 97, "EW": 65},
        "roem": {"NS": [20, 50], "EW": []},
    },
    "result": {
        "nat": False,
        "pit": None,
        "points": {"NS": 97, "EW": 65},
        "roem": {"NS": 70, "EW": 0},
        "score": {"NS": 167, "EW": 65},
        "players": {"N": 167, "E": 65, "S": 167, "W": 65},
    },
    "warnings": [],
    "counts": True,
    "reason": "",
}
SHEET: Mapping[str, object] = {
    "state": "open",
    "version": 1,
    "people": ["N", "E", "S", "W"],
    "first_dealer": "E",
    "deals_planned": 16,
    "deals_entered": 1,
    "target": None,
    "full": False,
    "score": {"NS": 167, "EW": 65},
}
TABLE_EXAMPLE = OpenApiExample(
    "table",
    value={
        "round": 1,
        "table": 1,
        "seats": [
            {
                "seat": "N",
                "member": 7,
                "name": "Mia van der Meer",
                "from_deal": 1,
                "counts_for": None,
                "extra": False,
                "figures": {"score": 167, "roem": 70, "pits": 0, "nats": 0, "deals": 1},
            }
        ],
        "sheet": {
            **SHEET,
            "regulation": {"must_trump": "rotterdam", "pit_bonus": 100},
            "deals": [DEAL],
            "totals": None,
            "totals_warnings": [],
            "play_off": None,
        },
    },
    response_only=True,
)


class TableResource(RoundResource):
    """An address below `tables/T/`: has the `table` with its sheet."""

    table: Table

    def find(self, **names: Any) -> None:
        super().find(**names)
        tables = self.round.tables.select_related("sheet__regulation")
        self.table = get_object_or_404(tables, number=names["table_number"])
        self.table.round, self.table.sheet.club = self.round, self.club

    def target(self) -> Target:
        return self.table

    @property
    def about(self) -> str:
        return f"sheet {self.table.sheet.uuid}"

    def hold(self, seen: str) -> None:
        """Lock the sheet until the end of the transaction. Raises VersionConflict if it is no
        longer at the version that was `seen`."""
        (sheet,) = sheets_lock(self.table.sheet_id)
        self.table.sheet.version = sheet.version
        if str(sheet.version) != seen:
            message = _("The sheet has changed. Look at it again.")
            raise VersionConflict("sheet_moved_on", message, current=self.table)

    def table_json(self) -> Json:
        """The table with everything on its sheet."""
        context = {
            "full": self.knows_names,
            "points": self.sees_deals,
            "round": self.round,
            "view": SheetView(self.table.sheet),
        }
        payload: Json = WholeTableSerializer(self.table, context=context).data
        return payload

    def show_current(self, current: Any) -> object:
        """The table as it stands, for a caller who saw an older version."""
        self.find(**self.kwargs)
        return self.table_json()

    def whole_table(self, act: Callable[[], object]) -> HttpResponse:
        """The table after `act`, tagged with the version of its sheet; a repeated request gets the
        earlier answer and `act` is not done again."""
        answer = idempotent(self.request, about=self.about, act=lambda: self._after(act))
        sheet: Any = (answer.data or {}).get("sheet")
        return with_tag(answer, etag(sheet["version"])) if sheet else answer

    def _after(self, act: Callable[[], object]) -> Response:
        act()
        return Response(self.show_current(self.table))


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
        return self.shown(self.table.sheet.version, self.table_json())


class SheetSwapSerializer(StrictSerializer):
    """The reason for a swap."""

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
            message = "Give another table of this round."
            raise Problem(
                422, "bad_table", message, errors=[FieldError("table", "bad_table", message)]
            )
        return self.whole_table(
            lambda: sheet_move(
                from_id=self.table.sheet_id,
                to_id=other.sheet_id,
                actor=self.actor,
                reason=given.validated_data["reason"],
            )
        )


class SubstituteSerializer(StrictSerializer):
    """Who takes over which seat, and who gets the points."""

    seat = serializers.ChoiceField(SEATS)
    member = serializers.IntegerField(min_value=1, max_value=LARGEST)
    from_deal = serializers.IntegerField(min_value=1, max_value=99)
    for_himself = serializers.BooleanField(
        help_text="Whether the substitute gets the points of those deals, or who stops does."
    )
    stays = serializers.BooleanField(
        default=False,
        help_text="Whether the substitute also plays the rounds to come. Where tables or pairs stay"
        " together they play those anyway.",
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
        """From that deal on, until the end of the round. A guest is added to the list first."""
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
            stays=given["stays"],
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
            message = "At this table that seat is not drawn."
            raise Problem(
                422, "bad_seat", message, errors=[FieldError("seat", "bad_seat", message)]
            )
        self.hold(version)
        sheet_first_dealer(
            sheet_id=self.table.sheet_id,
            seat=seat,
            seen_version=self.table.sheet.version,
            actor=self.actor,
        )
