"""The deals of an evening as lines of a file."""

from bisect import bisect_right
from collections import defaultdict

from scoring.models import Deal, Seat
from scoring.rules import Seat as SeatName
from tournaments.evening_file import DealLine
from tournaments.models import Evening

Holders = dict[SeatName, list[tuple[int, int]]]


def evening_lines(evening: Evening) -> list[DealLine]:
    """Every deal written on an evening, in the order of `DealLine.place`, with who sat where then.

    A dummy's seat is left out.
    """
    seats = _holders(evening)
    deals = (
        Deal.objects.filter(sheet__table__round__evening=evening, current__written__isnull=False)
        .select_related("current", "sheet__table__round")
        .order_by("sheet__table__number", "sheet__table__round__number", "number")
    )
    return [
        DealLine(
            round=deal.sheet.table.round.number,
            table=deal.sheet.table.number,
            deal=deal.number,
            players={
                seat: _holder(holders, deal.number)
                for seat, holders in seats[deal.sheet_id].items()
            },
            written=(deal.current and deal.current.written) or {},
        )
        for deal in deals
    ]


def _holders(evening: Evening) -> dict[int, Holders]:
    """Per sheet and seat who held it, as (from deal, member's id)."""
    found: dict[int, Holders] = defaultdict(lambda: defaultdict(list))
    seats = Seat.objects.filter(sheet__table__round__evening=evening, member__isnull=False)
    rows = seats.order_by("from_deal").values_list("sheet_id", "seat", "from_deal", "member_id")
    for sheet_id, seat, from_deal, member_id in rows:
        found[sheet_id][seat].append((from_deal, member_id))  # type: ignore[index]
    return found


def _holder(holders: list[tuple[int, int]], deal: int) -> int:
    """Who held the seat in this deal."""
    return holders[bisect_right(holders, deal, key=lambda holder: holder[0]) - 1][1]
