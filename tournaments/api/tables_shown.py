"""A table as the API shows it."""

from collections.abc import Iterable, Mapping
from typing import Any

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from clubs.models import Member
from scoring.models import Seat
from scoring.serializers import SheetSerializer, WholeSheetSerializer
from scoring.sheet_view import SheetView
from tournaments.api.people import PersonSerializer, SeatedSerializer, person
from tournaments.models import Table

FIGURES = ("score", "roem", "pits", "nats", "deals")
Json = dict[str, Any]


class SeatFiguresSerializer(serializers.Serializer[Seat]):
    """What the deals that somebody sat there came to."""

    score = serializers.IntegerField()
    roem = serializers.IntegerField()
    pits = serializers.IntegerField()
    nats = serializers.IntegerField()
    deals = serializers.IntegerField()


class HolderSerializer(SeatedSerializer):
    """Who sits in a seat from a deal on."""

    from_deal = serializers.IntegerField()
    counts_for = PersonSerializer(
        allow_null=True, help_text="Who gets the points, where a substitute plays for him."
    )
    extra = serializers.BooleanField(help_text="Played beside an own seat; counts for nobody.")
    figures = SeatFiguresSerializer(allow_null=True, help_text="Null while points are hidden.")


class TableSerializer(serializers.Serializer[Table]):
    """A table of a round. In the context: `full` (the reader reads full names), `points` (he sees
    points) and `round`."""

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
        """Who sits there, in the order in which they came."""
        return table.sheet.seats.all()

    def sheet_json(self, table: Table) -> Mapping[str, Any]:
        """The sheet as it is shown."""
        context = {"seats": self.holders(table)}
        told: Mapping[str, Any] = SheetSerializer(table.sheet, context=context).data
        return told

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
        told: Mapping[str, Any] = WholeSheetSerializer(table.sheet, context=context).data
        return told


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
        },
    },
    response_only=True,
)
