"""The state of the screen in the hall, and what decides whether it shows something else."""

import datetime as dt
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from django.core.cache import caches
from django.db import connection
from django.utils import timezone

from scoring.models import Deal, Seat
from scoring.rules import SIDES, chairs_of, side_of
from scoring.rules import Seat as SeatName
from tournaments.models import Evening, HallScreen
from tournaments.results.views.live import SEEN_SECONDS

SECONDS = 10
"""For how long each picture is shown."""
PRIZES = HallScreen.Scene.PRIZES
BEFORE = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
"""Pictures of a screen that nobody steered are counted from here."""


def hall_of(evening: Evening) -> HallScreen:
    """The screen of an evening; one that nobody steered is not stored, at version 0, with the
    minutes of a round as they were last. One query, or two."""
    hall = HallScreen.objects.filter(evening=evening).first()
    if hall is not None:
        hall.evening = evening
        return hall
    before = HallScreen.objects.filter(evening__club=evening.club_id).order_by("-evening__date")
    minutes = before.values_list("clock_minutes", flat=True).first()
    new = HallScreen(evening=evening, version=0, turned_at=BEFORE)
    new.clock_minutes = minutes or new.clock_minutes
    return new


def turn_now(hall: HallScreen, now: dt.datetime | None = None) -> int:
    """The number of the picture that is shown now, counted on and on."""
    if hall.held or hall.scene == PRIZES:
        return hall.turn
    passed = (now or timezone.now()) - hall.turned_at
    return hall.turn + max(0, int(passed.total_seconds()) // SECONDS)


def message_now(hall: HallScreen) -> str:
    """The announcement that is shown now; empty if there is none."""
    until = hall.message_until
    return hall.message if until is None or until > timezone.now() else ""


def clock_now(hall: HallScreen) -> str:
    """The minutes and seconds that are left of the round, as `23:41`; empty when the clock is off
    or the time is up."""
    left = hall.clock_left
    if hall.clock_ends_at is not None:
        left = math.ceil((hall.clock_ends_at - timezone.now()).total_seconds())
    if left is None or left < 0 or (left == 0 and hall.clock_ends_at):
        return ""
    return f"{left // 60}:{left % 60:02}"


def hall_tag(evening_id: int) -> str:
    """Changes whenever the screen of this evening shows another picture, or is steered.

    One small query, of which a process remembers the answer for a moment.
    """
    key = f"hall-{evening_id}"
    # What is read inside a transaction may be rolled back, so it is not cached.
    remembers = not connection.in_atomic_block
    hall: HallScreen | None = caches["small"].get(key) if remembers else None
    if hall is None:
        stored = HallScreen.objects.filter(evening=evening_id).first()
        hall = stored or HallScreen(version=0, turned_at=BEFORE)
        if remembers:
            caches["small"].set(key, hall, SEEN_SECONDS)
    return f"{hall.version}-{turn_now(hall)}-{bool(message_now(hall)):d}"


@dataclass(frozen=True, slots=True)
class Pit:
    """Who took all eight tricks in a deal, and where."""

    id: int
    names: Sequence[str]
    table: int


def last_pits(evening: Evening, most: int) -> list[Pit]:
    """The pits written last, the newest first. Two queries."""
    made = Deal.objects.filter(
        sheet__table__round__evening=evening,
        current__result__pit__in=SIDES,
        current__replayed=False,
    )
    newest = made.select_related("current", "sheet__table").order_by("-current__received_at", "-pk")
    deals = list(newest[:most])
    seats = Seat.objects.filter(sheet__in=[deal.sheet_id for deal in deals])
    held = list(seats.select_related("member").order_by("from_deal"))
    return [Pit(deal.pk, _makers(deal, held), deal.sheet.table.number) for deal in deals]


def _makers(deal: Deal, seats: Sequence[Seat]) -> list[str]:
    """The public names of the side that made a pit."""
    entry = deal.current
    if entry is None or not entry.result or not entry.written:
        return []
    of_sheet = [seat for seat in seats if seat.sheet_id == deal.sheet_id]
    # Later holders of a seat overwrite earlier ones.
    held = {seat.seat: seat.member for seat in of_sheet if seat.from_deal <= deal.number}
    chairs: Mapping[str, str] = {}
    if deal.sheet.three_handed:
        chairs = cast("Mapping[str, str]", chairs_of(entry.written["declarer"]))
    return [
        member.shown_name
        for seat, member in sorted(held.items())
        if member and side_of(cast("SeatName", chairs.get(seat, seat))) == entry.result["pit"]
    ]
