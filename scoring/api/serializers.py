"""Score sheets and deals in the API."""

from collections.abc import Iterable, Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.api.resource import StrictSerializer
from scoring.api.score import DEAL_LINE, DEAL_RESULT
from scoring.deals.entries import LONGEST_REASON, without_remarks
from scoring.deals.evaluation import first_trump_doubt
from scoring.display.sheet_view import SheetView, is_written
from scoring.models import Deal, DealEntry, Scoresheet
from scoring.models import Seat as Holder
from scoring.rules import SEATS, SIDES
from scoring.sheets.side_totals import totals_doubts

LARGEST = 2**31 - 1
"""The largest value of an integer column."""

_PLACES = {
    key: place for place, key in enumerate((*DEAL_LINE["properties"], *SIDES, *SEATS, "seat"))
}

Json = dict[str, Any]


@extend_schema_field(DEAL_LINE)
class DealLineField(serializers.JSONField):
    """A deal as a line of the sheet has it; what is wrong with it is for the rules to say."""

    default_error_messages = {"no_object": "A deal is a JSON object."}

    def to_internal_value(self, data: Any) -> Json:
        value = super().to_internal_value(data)
        if not isinstance(value, dict):
            self.fail("no_object")
        return value


@extend_schema_field(DEAL_RESULT)
class DealResultField(serializers.JSONField):
    """What a deal comes to."""


class WarningSerializer(serializers.Serializer[Mapping[str, str]]):
    """What is legal and unlikely, or wrong."""

    code = serializers.CharField()
    field = serializers.CharField(allow_blank=True)
    message = serializers.CharField()


class DealSerializer(serializers.Serializer[Any]):
    """A deal of a sheet as it stands.

    In the context `full` says whether the reader may know everything: the public reads no remarks.
    `sheet` is the sheet.
    """

    number = serializers.IntegerField()
    version = serializers.IntegerField(help_text="Counts what was written; 0 is a blank line.")
    dealer = serializers.ChoiceField(SEATS, allow_null=True)
    written = DealLineField(allow_null=True)
    result = DealResultField(allow_null=True)
    warnings = WarningSerializer(many=True)
    counts = serializers.BooleanField(help_text="False while blank, or to be dealt again.")
    reason = serializers.CharField(allow_blank=True, help_text="Why it was changed.")

    def to_representation(self, deal: Deal) -> Json:
        entry, sheet, full = deal.current, self.context["sheet"], self.context["full"]
        written = entry.written if entry else None
        return {
            "number": deal.number,
            "version": deal.version,
            "dealer": sheet.dealer(deal.number),
            "written": _in_order(written if full else without_remarks(written)),
            "result": entry and _result(entry),
            "warnings": _warnings(entry, sheet, deal.number) if entry else [],
            "counts": is_written(deal),
            "reason": entry.reason if entry and full else "",
        }


class DealWriteSerializer(StrictSerializer):
    """A deal to be written, or put in the place of what stands."""

    version = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=LARGEST,
        help_text="The version that you saw; 0 for a blank line.",
    )
    written = DealLineField()
    reason = serializers.CharField(
        max_length=LONGEST_REASON,
        allow_blank=True,
        default="",
        help_text="Why: needed where a deal stands already.",
    )


class SideFiguresSerializer(StrictSerializer):
    """What one side, or one of three people, hands in of a whole sheet: the `total` of the paper,
    or what it is made of, or both; then they are held against each other."""

    points = serializers.IntegerField(
        min_value=0,
        max_value=LARGEST,
        allow_null=True,
        default=None,
        help_text="Card points as on the sheet, after nat. Null beside a `total`: not said.",
    )
    roem = serializers.IntegerField(
        min_value=0,
        max_value=LARGEST,
        allow_null=True,
        default=None,
        help_text="0 where only `points` are given; beside a `total` null means not known.",
    )
    pits = serializers.IntegerField(
        min_value=0, max_value=99, allow_null=True, default=None, help_text="Like `roem`."
    )
    correction = serializers.IntegerField(
        min_value=-LARGEST,
        max_value=LARGEST,
        default=0,
        help_text="The director's, on top of the total.",
    )
    total = serializers.IntegerField(
        min_value=0,
        max_value=LARGEST,
        allow_null=True,
        default=None,
        help_text="All that stands under the paper, with roem and bonuses.",
    )

    def validate(self, attrs: Json) -> Json:
        if attrs["total"] is None and attrs["points"] is None:
            missing = {"total": self.fields["total"].error_messages["required"]}
            raise serializers.ValidationError(missing, code="required")
        return attrs


class PaperFiguresSerializer(StrictSerializer):
    """What a paper sheet adds up to for one side; of one of three people only `total` is asked.
    What is left out is not compared."""

    points = serializers.IntegerField(min_value=0, max_value=LARGEST, allow_null=True, default=None)
    roem = serializers.IntegerField(min_value=0, max_value=LARGEST, allow_null=True, default=None)
    pits = serializers.IntegerField(min_value=0, max_value=99, allow_null=True, default=None)
    total = serializers.IntegerField(
        min_value=-LARGEST, max_value=LARGEST, allow_null=True, default=None
    )


class SheetSerializer(serializers.Serializer[Scoresheet]):
    """How far a sheet is."""

    state = serializers.ChoiceField(Scoresheet.State.choices)
    version = serializers.IntegerField(help_text="Rises with every change on the sheet.")
    people = serializers.ListField(
        child=serializers.ChoiceField(SEATS), help_text="The seats in which people sit."
    )
    first_dealer = serializers.ChoiceField(
        SEATS, allow_null=True, help_text="Null while it is still to be drawn."
    )
    deals_planned = serializers.IntegerField()
    deals_entered = serializers.IntegerField()
    target = serializers.IntegerField(allow_null=True)
    full = serializers.BooleanField()
    score = serializers.DictField(
        child=serializers.IntegerField(), help_text="By side; where three play, by seat."
    )

    def to_representation(self, sheet: Scoresheet) -> Json:
        return {
            "state": sheet.state,
            "version": sheet.version,
            "people": list(sheet.people),
            "first_dealer": sheet.first_dealer or None,
            "deals_planned": sheet.deals_planned,
            "deals_entered": sheet.deals_entered,
            "target": sheet.target,
            "full": sheet.is_full,
            "score": _score(sheet, self.context["seats"]),
        }


class DealOnSheetSerializer(DealSerializer):
    """A deal with how far that brings its sheet; in the context `seats` as well."""

    sheet = SheetSerializer()

    def to_representation(self, deal: Deal) -> Json:
        sheet = SheetSerializer(self.context["sheet"], context=self.context).data
        return {**super().to_representation(deal), "sheet": sheet}


class WholeSheetSerializer(SheetSerializer):
    """A sheet with everything on it."""

    regulation = serializers.JSONField(help_text="The settings it is counted by.")
    deals = DealSerializer(many=True)
    totals = serializers.DictField(
        child=SideFiguresSerializer(),
        allow_null=True,
        help_text="What was handed in instead of deals.",
    )
    totals_warnings = serializers.ListField(
        child=serializers.CharField(),
        help_text="What is unlikely about `totals`: fewer deals than planned, very much roem.",
    )
    play_off = serializers.DictField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="What four more deals came to, by side, where the sheet ended equal.",
    )

    def to_representation(self, sheet: Scoresheet) -> Json:
        view: SheetView = self.context["view"]
        context = {**self.context, "sheet": sheet}
        handed_in = SideFiguresSerializer(view.handed_in.values(), many=True).data
        return {
            **super().to_representation(sheet),
            "regulation": sheet.regulation.rules.as_settings(),
            "deals": DealSerializer(view.deals, many=True, context=context).data,
            "totals": dict(zip(view.handed_in, handed_in, strict=True)) or None,
            "totals_warnings": totals_doubts(sheet, view.handed_in),
            "play_off": sheet.play_off,
        }


def _result(entry: DealEntry) -> Json | None:
    """The result of the entry, without the warnings, which have a field of their own."""
    if entry.result is None:
        return None
    return {key: _in_order(entry.result[key]) for key in DEAL_RESULT["properties"]}


def _in_order(stored: Any) -> Any:
    """Stored JSON with its keys in the order of the contract."""
    # PostgreSQL returns the keys of a JSON object in an order of its own.
    if isinstance(stored, list):
        return [_in_order(item) for item in stored]
    if not isinstance(stored, dict):
        return stored
    places = sorted(stored, key=lambda key: _PLACES.get(key, len(_PLACES)))
    return {key: _in_order(stored[key]) for key in places}


def _warnings(entry: DealEntry, sheet: Scoresheet, number: int) -> list[Mapping[str, str]]:
    """What is unlikely about the deal, by the rules and on this sheet."""
    warnings: list[Mapping[str, str]] = list((entry.result or {}).get("warnings", ()))
    doubt = first_trump_doubt(sheet, number)
    if doubt and doubt.code in entry.warnings:
        warnings.append({"code": doubt.code, "field": "trump", "message": doubt.words})
    return warnings


def _score(sheet: Scoresheet, holders: Iterable[Holder]) -> dict[str, int]:
    if not sheet.three_handed:
        return dict(zip(SIDES, (sheet.score_ns, sheet.score_ew), strict=True))
    score: dict[str, int] = dict.fromkeys(sheet.people, 0)
    for holder in holders:
        if holder.seat in score:
            score[holder.seat] += holder.score
    return score
