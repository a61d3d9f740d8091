"""The figures stored on a sheet and its seats: a cache that can always be recomputed."""

from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any

from django.db import connection

from clubs.models.rows import Given, Prepared
from scoring.models import Deal, DealEntry, Scoresheet, Seat, SideTotal, deals_of
from scoring.rules import (
    NO_TRUMP_DEAL_POINTS,
    THREE,
    TRUMP_DEAL_POINTS,
    RuleSet,
    chairs_of,
    side_of,
    sum_fits,
)
from scoring.rules import Seat as SeatName

SHEET_FIGURES = ("deals_entered", "warnings", "score_ns", "score_ew")
SEAT_FIGURES = ("score", "roem", "pits", "nats", "deals")


def sheet_recompute(sheet: Scoresheet, deals: Iterable[Deal] | None = None) -> None:
    """Set the cached figures of `sheet` and its seats from its deals, or from the totals that
    were handed in instead. Saves the seats and leaves the sheet to the caller. A caller that has
    read all `deals` of a sheet without totals can pass them."""
    _seats_save(figures_fill(sheet, deals))


_seats = Prepared(
    lambda: Seat.objects.filter(sheet=Given(Seat, "sheet")).order_by("seat", "from_deal")
)


def figures_fill(sheet: Scoresheet, deals: Iterable[Deal] | None = None) -> list[Seat]:
    """Like `sheet_recompute` without saving. Returns the seats, by compass point and deal."""
    seats = _seats.rows(sheet=sheet.pk)
    if deals is None and (totals := {total.side: total for total in sheet.side_totals.all()}):
        _fill_from_totals(sheet, seats, totals)
    else:
        _fill_from_deals(sheet, seats, sheet_deals(sheet) if deals is None else deals)
    return seats


def sheet_deals(sheet: Scoresheet) -> list[Deal]:
    """Every deal of the sheet with its current entry, in order."""
    return deals_of(sheet)


def is_played(entry: DealEntry) -> bool:
    """Whether the entry is a deal that counts: not erased, not to be dealt again."""
    return entry.written is not None and not entry.replayed


def possible_sums(deals: int, regulation: RuleSet) -> set[int]:
    """What the card points of both sides can add up to: 162 a deal, 130 in no-trump, 0 for a nil
    that was made."""
    nils = range(deals + 1 if regulation.nil_bonus is not None else 1)
    return {
        (deals - nil) * TRUMP_DEAL_POINTS - no_trump * (TRUMP_DEAL_POINTS - NO_TRUMP_DEAL_POINTS)
        for nil in nils
        for no_trump in range(deals - nil + 1 if regulation.no_trump else 1)
    }


def sums_of_three(deals: int, regulation: RuleSet) -> range:
    """The limits of what the card points of three people can add up to: the declarer has part of a
    deal's 162 (130 in no-trump, nothing for a nil), and each of the other two has the rest."""
    least = NO_TRUMP_DEAL_POINTS if regulation.no_trump else TRUMP_DEAL_POINTS
    least = least if regulation.nil_bonus is None else 0
    return range(deals * least, deals * 2 * TRUMP_DEAL_POINTS + 1)


def deals_handed_in(sheet: Scoresheet, totals: Mapping[str, SideTotal]) -> int:
    """How many deals these totals cover: the most of the sheet's that can give them, or the fewest
    where a target ends it and the card points are known. All its lines where no number can."""
    every = sheet.deals_planned
    points = points_together(totals)
    numbers = range(every, 0, -1)
    if sheet.target is not None and points is not None:
        numbers = range(1, every + 1)
    return next((deals for deals in numbers if totals_fit(sheet, totals, deals)), every)


def totals_fit(sheet: Scoresheet, totals: Mapping[str, SideTotal], deals: int) -> bool:
    """Whether so many deals can give these totals: the sum of the card points where they are known,
    and of the totals where there are any."""
    regulation = sheet.regulation.rules
    if regulation.game != "klaverjas":
        return True
    points = points_together(totals)
    sums = sums_of_three if sheet.three_handed else possible_sums
    if points is not None and points not in sums(deals, regulation):
        return False
    if all(total.total is None for total in totals.values()):
        return True
    together = sum_together(totals, regulation)
    return sum_fits(together, deals, regulation, of_three=sheet.three_handed)


def points_together(totals: Mapping[str, SideTotal]) -> int | None:
    """Everybody's card points together; None where they are not all known."""
    points = [total.points for total in totals.values() if total.points is not None]
    return sum(points) if len(points) == len(totals) else None


def sum_together(totals: Mapping[str, SideTotal], regulation: RuleSet) -> int:
    """What everybody has together, before corrections."""
    return sum(
        side_score(total, regulation.pit_bonus) - total.correction for total in totals.values()
    )


def side_score(total: SideTotal, pit_bonus: int) -> int:
    """The score of a side's handed-in totals."""
    if total.total is not None:
        return total.total + total.correction
    parts = (total.points or 0) + (total.roem or 0) + (total.pits or 0) * pit_bonus
    return parts + total.correction


def _seats_save(seats: Iterable[Seat]) -> None:
    """Save the figures of seats; `bulk_update` takes longer to build its SQL than all else here."""
    quote = connection.ops.quote_name
    figures = ", ".join(f"{quote(name)} = %s" for name in SEAT_FIGURES)
    save = f"UPDATE {quote(Seat._meta.db_table)} SET {figures} WHERE id = %s"  # noqa: S608
    values = attrgetter(*SEAT_FIGURES, "pk")
    with connection.cursor() as cursor:
        cursor.executemany(save, [values(seat) for seat in seats])


def _fill_from_deals(sheet: Scoresheet, seats: list[Seat], deals: Iterable[Deal]) -> None:
    entries = {
        deal.number: deal.current
        for deal in deals
        if deal.current is not None and is_played(deal.current)
    }
    fill = _seat_fill_alone if sheet.three_handed else _seat_fill
    for seat in seats:
        span = range(seat.from_deal, _next_holder(seat, seats, sheet))
        fill(seat, [entries[number] for number in span if number in entries])
    results = [_result(entry) for entry in entries.values()]
    sheet.deals_entered = len(entries)
    sheet.warnings = sum(bool(entry.warnings) for entry in entries.values())
    if sheet.three_handed:
        _fill_most_and_least(sheet, seats)
    else:
        sheet.score_ns = sum(result["score"]["NS"] for result in results)
        sheet.score_ew = sum(result["score"]["EW"] for result in results)


def _result(entry: DealEntry) -> Mapping[str, Any]:
    return entry.result or {}


def _next_holder(seat: Seat, seats: Iterable[Seat], sheet: Scoresheet) -> int:
    later = (o.from_deal for o in seats if o.seat == seat.seat and o.from_deal > seat.from_deal)
    return min(later, default=sheet.deals_planned + 1)


def _seat_fill(seat: Seat, entries: list[DealEntry]) -> None:
    side = side_of(seat.seat)  # type: ignore[arg-type]
    results = [_result(entry) for entry in entries]
    seat.score = sum(result["players"].get(seat.seat, 0) for result in results)
    seat.roem = sum(result["roem"][side] for result in results)
    seat.pits = sum(result["pit"] == side for result in results)
    seat.nats = sum(
        _result(entry)["nat"] and side_of(_declarer(entry)) == side for entry in entries
    )
    seat.deals = len(entries)


def _seat_fill_alone(seat: Seat, entries: list[DealEntry]) -> None:
    """Like `_seat_fill` for one of three people: the figures of their chair in each deal, and nat
    only where they were the declarer."""
    if seat.seat not in THREE:
        return
    taken = [(chairs_of(_declarer(entry))[seat.seat], _result(entry)) for entry in entries]
    seat.score = sum(result["players"][chair] for chair, result in taken)
    seat.roem = sum(result["roem"][side_of(chair)] for chair, result in taken)
    seat.pits = sum(result["pit"] == side_of(chair) for chair, result in taken)
    seat.nats = sum(_result(entry)["nat"] and _declarer(entry) == seat.seat for entry in entries)
    seat.deals = len(entries)


def _declarer(entry: DealEntry) -> SeatName:
    """The declarer; on a sheet of four it may be a side."""
    declarer: SeatName = (entry.written or {})["declarer"]
    return declarer


def _fill_most_and_least(sheet: Scoresheet, seats: Iterable[Seat]) -> None:
    scores = dict.fromkeys(THREE, 0)
    for seat in seats:
        if seat.seat in THREE:
            scores[seat.seat] += seat.score
    sheet.score_ns, sheet.score_ew = max(scores.values()), min(scores.values())


def _fill_from_totals(
    sheet: Scoresheet, seats: list[Seat], totals: Mapping[str, SideTotal]
) -> None:
    bonus = sheet.regulation.rules.pit_bonus
    scores = {holder: side_score(total, bonus) for holder, total in totals.items()}
    deals = deals_handed_in(sheet, totals)
    sheet.deals_entered, sheet.warnings = deals, 0
    last = {seat.seat: seat.pk for seat in seats}
    for seat in seats:
        holder = seat.seat if sheet.three_handed else side_of(seat.seat)  # type: ignore[arg-type]
        _seat_fill(seat, [])
        if seat.pk == last[seat.seat] and holder in totals:
            seat.score, seat.deals = scores[holder], deals
            seat.roem, seat.pits = totals[holder].roem, totals[holder].pits
    if sheet.three_handed:
        _fill_most_and_least(sheet, seats)
    else:
        sheet.score_ns, sheet.score_ew = scores.get("NS", 0), scores.get("EW", 0)
