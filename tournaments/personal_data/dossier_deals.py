"""The deals that somebody sat at, and the pictures of their sheets, for their dossier."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from clubs.models import Member
from clubs.privacy.dossier import Cell, DossierSection, keeps
from clubs.text.numbers import seat_name
from scoring.display.history import line_words
from scoring.models import Deal, DealEntry, Scoresheet, Seat
from scoring.rules import Seat as SeatName
from scoring.rules import chairs_of
from tournaments.models import SheetPhoto, Table


@keeps
def deals_kept(member: Member) -> Iterator[DossierSection]:
    """Each deal they sat at, by seat and without the names of others."""
    columns = {
        "evening": _("Evening"),
        "round": _("Round"),
        "table": _("Table"),
        "deal": _("Deal"),
        "seat": _("Seat"),
        "written": _("Written"),
        "own": _("Own points"),
        "reason": _("Why"),
    }
    held = list(Seat.objects.filter(member=member, sheet__table__isnull=False).order_by("pk"))
    tables = _tables(held)
    deals = _deals(held)
    ends = _ends(held)
    rows = [
        _row(tables[seat.sheet_id], seat, deal, deal.current)
        for seat in sorted(held, key=lambda seat: _place(tables[seat.sheet_id], seat))
        for deal in deals[seat.sheet_id]
        if deal.current and _held_in(seat, deal, ends[seat.pk])
    ]
    yield DossierSection("deals", _("Deals played"), columns, rows)


@keeps
def sheet_photos_kept(member: Member) -> Iterator[DossierSection]:
    """The pictures of score sheets with their name on it, which the desk sees for some days."""
    columns = {
        "evening": _("Evening"),
        "round": _("Round"),
        "table": _("Table"),
        "at": _("Sent on"),
    }
    photos = SheetPhoto.objects.filter(sheet__seats__member=member).defer("content", "read")
    photos = photos.select_related("evening", "sheet__table__round").distinct()
    rows = [
        (
            photo.evening.slug,
            table.round.number,
            table.number,
            f"{localtime(photo.sent_at):%Y-%m-%d %H:%M}",
        )
        for photo in photos.order_by("pk")
        if photo.sheet is not None
        for table in [photo.sheet.table]
    ]
    yield DossierSection("sheet_photos", _("Pictures of score sheets"), columns, rows)


def _tables(held: Sequence[Seat]) -> dict[int, Table]:
    tables = Table.objects.filter(sheet__in={seat.sheet_id for seat in held})
    loaded = tables.select_related("round__evening", "sheet__regulation", "sheet__club")
    return {table.sheet_id: table for table in loaded}


def _deals(held: Sequence[Seat]) -> dict[int, list[Deal]]:
    by_sheet: dict[int, list[Deal]] = defaultdict(list)
    deals = Deal.objects.filter(sheet__in={seat.sheet_id for seat in held}, version__gt=0)
    for deal in deals.select_related("current").order_by("number"):
        by_sheet[deal.sheet_id].append(deal)
    return by_sheet


def _ends(held: Sequence[Seat]) -> dict[int, int | None]:
    """For each seat held, the first deal in which somebody else holds it."""
    starts: dict[tuple[int, str], list[int]] = defaultdict(list)
    everybody = Seat.objects.filter(sheet__in={seat.sheet_id for seat in held})
    for sheet_id, chair, start in everybody.values_list("sheet_id", "seat", "from_deal"):
        starts[sheet_id, chair].append(start)
    return {
        seat.pk: min(
            (start for start in starts[seat.sheet_id, seat.seat] if start > seat.from_deal),
            default=None,
        )
        for seat in held
    }


def _held_in(seat: Seat, deal: Deal, end: int | None) -> bool:
    return seat.from_deal <= deal.number and (end is None or deal.number < end)


def _place(table: Table, seat: Seat) -> tuple[object, ...]:
    evening = table.round.evening
    return evening.date, evening.sequence, table.round.number, table.number, seat.from_deal


def _row(table: Table, seat: Seat, deal: Deal, entry: DealEntry) -> tuple[Cell, ...]:
    return (
        table.round.evening.slug,
        table.round.number,
        table.number,
        deal.number,
        seat_name(seat.seat),
        line_words(entry.written, table.sheet, seat_name),
        _own_points(table.sheet, seat, entry.written, entry.result),
        entry.reason,
    )


def _own_points(
    sheet: Scoresheet,
    seat: Seat,
    written: Mapping[str, Any] | None,
    result: Mapping[str, Any] | None,
) -> int | None:
    """Their points of the deal; None for an erased line."""
    if written is None or result is None:
        return None
    own = cast("SeatName", seat.seat)
    chair = chairs_of(written["declarer"])[own] if sheet.three_handed else own
    points: int = result["players"][chair]
    return points
