"""Many score sheets read at once."""

from collections.abc import Sequence

from django.db.models import Prefetch, prefetch_related_objects

from scoring.display.sheet_view import SheetView
from scoring.models import Deal, Scoresheet, Seat


def sheet_views(sheets: Sequence[Scoresheet]) -> list[SheetView]:
    """A view of each sheet, in the same order: four queries, however many there are.

    Give them with their `regulation` and `club` selected, as for SheetView.
    """
    holders = Seat.objects.select_related("member", "counts_for").order_by("from_deal")
    deals = Deal.objects.select_related("current").order_by("number")
    prefetch_related_objects(
        sheets,
        Prefetch("seats", queryset=holders),
        Prefetch("deals", queryset=deals),
        "side_totals",
        "confirmations",
    )
    return [_view(sheet) for sheet in sheets]


def _view(sheet: Scoresheet) -> SheetView:
    view = SheetView(sheet)
    view.holders = list(sheet.seats.all())
    view.deals = list(sheet.deals.all())
    return view
