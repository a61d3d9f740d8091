"""The deals of an evening as lines of a file."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from scoring.models import Deal, Seat
from scoring.rules import Seat as SeatName
from scoring.rules import chairs_of
from tournaments.evening_file import DealLine
from tournaments.models import Evening

Holders = dict[SeatName, list[tuple[int, int]]]


def evening_lines(evening: Evening) -> list[DealLine]:
    """Every deal written on an evening, in the order of `DealLine.place`, with who sat where then;
    of three people on which chairs they sat in that deal, with nobody where the dummy was."""
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
            players=_players(deal, seats[deal.sheet_id]),
            written=_written(deal),
        )
        for deal in deals
    ]


def _players(deal: Deal, seats: Holders) -> dict[SeatName, int]:
    sat = {seat: _holder(holders, deal.number) for seat, holders in seats.items()}
    if not deal.sheet.three_handed:
        return sat
    chairs = chairs_of(_written(deal)["declarer"])
    return {chair: sat[seat] for seat, chair in chairs.items()}


def _written(deal: Deal) -> Mapping[str, Any]:
    return (deal.current and deal.current.written) or {}


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
