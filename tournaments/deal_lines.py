"""The deals of an evening as lines of a file."""

from bisect import bisect_right
from collections import defaultdict

from scoring.models import Deal, Seat
from scoring.rules import SEATS
from tournaments.evening_file import DealLine
from tournaments.models import Evening

Holders = dict[str, list[tuple[int, str]]]


def evening_lines(evening: Evening) -> list[DealLine]:
    """Every deal written on an evening, by round, table and number, with who sat where then.

    Somebody whose name others of the club have too is called by his number, where he has one.
    """
    seats = _holders(evening)
    deals = (
        Deal.objects.filter(sheet__table__round__evening=evening, current__written__isnull=False)
        .select_related("current", "sheet__table__round")
        .order_by("sheet__table__round__number", "sheet__table__number", "number")
    )
    return [
        DealLine(
            round=deal.sheet.table.round.number,
            table=deal.sheet.table.number,
            deal=deal.number,
            players={
                seat: _holder(seats[deal.sheet_id][seat], deal.number)
                for seat in SEATS
                if seat in seats[deal.sheet_id]
            },
            written=(deal.current and deal.current.written) or {},
        )
        for deal in deals
    ]


def _holders(evening: Evening) -> dict[int, Holders]:
    """Per sheet and seat who held it, as (from deal, name)."""
    shared = _shared_names(evening)
    holders: dict[int, Holders] = defaultdict(lambda: defaultdict(list))
    seats = Seat.objects.filter(sheet__table__round__evening=evening, member__isnull=False)
    for seat in seats.select_related("member").order_by("from_deal"):
        if seat.member is not None:
            ambiguous = seat.member.name_key in shared and seat.member.number
            name = str(seat.member.number) if ambiguous else seat.member.name
            holders[seat.sheet_id][seat.seat].append((seat.from_deal, name))
    return holders


def _shared_names(evening: Evening) -> set[str]:
    seen: set[str] = set()
    shared: set[str] = set()
    for key in evening.club.members.values_list("name_key", flat=True):
        (shared if key in seen else seen).add(key)
    return shared


def _holder(holders: list[tuple[int, str]], deal: int) -> str:
    return holders[bisect_right(holders, deal, key=lambda holder: holder[0]) - 1][1]
