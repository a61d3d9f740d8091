"""The state of the screen in the hall, what decides whether it shows something else, names as they
fit on it, who sits where (as people look themselves up, surname first, in lettered columns); and
steering it: which scene, the clock and bell of a round, announcements.

Everything names the version of the screen it was pressed for: of two who press at once, or one who
presses twice, only the first is heard.
"""

import datetime as dt
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from textwrap import wrap
from typing import TypeVar, cast

from django.core.cache import caches
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.databases.replica import is_shared
from clubs.text.errors import DomainError, VersionConflict
from clubs.text.names import initials, sort_key, surname_first, tidy_name, without_brackets
from scoring.models import Deal, Seat
from scoring.rules import SIDES, chairs_of, side_of
from scoring.rules import Seat as SeatName
from tournaments.evenings.services import evening_lock, evening_note, require_state
from tournaments.models import Evening, HallScreen, Round
from tournaments.results.views.live import SEEN_SECONDS
from tournaments.results.views.seating import Seated

T = TypeVar("T")

SECONDS = 10
"""For how long each picture is shown."""
PRIZES = HallScreen.Scene.PRIZES
BEFORE = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
"""Pictures of a screen that nobody steered are counted from here."""
LONGEST_LETTERS = {2: 22, 3: 12}
"""By how many columns there are, so many letters fit above each."""
LONGEST_NAME = 15
"""So many letters fit beside a place and a total, whichever they are."""
LONGEST_OF_PAIR = 13
"""So many of each fit where a pair stands in one line."""
ROOM_FOR_MARK = 2
"""So much of what tells somebody apart fits behind the longest name."""


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
    remembers = is_shared()
    hall: HallScreen | None = caches["small"].get(key) if remembers else None
    if hall is None:
        stored = HallScreen.objects.filter(evening=evening_id).first()
        hall = stored or HallScreen(version=0, turned_at=BEFORE)
        if remembers:
            caches["small"].set(key, hall, SEEN_SECONDS)
    return f"{hall.version}-{turn_now(hall)}-{bool(message_now(hall)):d}"


# Names.


@dataclass(frozen=True, slots=True)
class HallName:
    """A name as it fits on the screen, and what tells it apart from others of that name: where
    there is too little room the name is cut, never its mark."""

    name: str
    mark: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.mark}".strip()


def hall_name(name: str, room: int = LONGEST_NAME) -> HallName:
    """A name that fits beside a total, or in so much room: a long one has initials for first names,
    then only the first half of a double surname, then one initial, and then a prefix in short.

    >>> str(hall_name("Jan Bakker")), str(hall_name("Johanna Petronella van der Meer-de Vries"))
    ('Jan Bakker', 'J. van der Meer')
    >>> hall_name("Wilhelmina van den Oudenalder (24)")
    HallName(name='W. v.d. Oudenalder', mark='(24)')
    """
    bare, mark = _told_by(name)
    room -= max(0, len(mark) - ROOM_FOR_MARK)
    if len(bare) <= room:
        return HallName(bare, mark)
    surname, _comma, first = surname_first(bare).partition(", ")
    words = first.split()
    given = initials(" ".join(word for word in words if word[:1].isupper())).split()
    prefix = [word for word in words if not word[:1].isupper()]
    half, short = surname.partition("-")[0], prefix
    if len(prefix) > 1:
        short = ["".join(initials(" ".join(prefix)).split())]
    tries = [
        " ".join(parts)
        for parts in (
            [*given, *prefix, surname],
            [*given, *prefix, half],
            [*given[:1], *prefix, half],
            [*given[:1], *short, half],
        )
    ]
    return HallName(next((shorter for shorter in tries if len(shorter) <= room), tries[-1]), mark)


def cut_name(name: str) -> str:
    """The name of a team, which has no initials, as it fits beside a total.

    >>> cut_name("De Boeren"), cut_name("Klaverjasvereniging Shell Pernis")
    ('De Boeren', 'Klaverjasveren…')
    """
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1].rstrip()}…"


def team_lines(name: str) -> list[HallName]:
    """The name of a team on one line, or where it is long on two.

    >>> [str(line) for line in team_lines("Gemeente Zwijndrecht")]
    ['Gemeente', 'Zwijndrecht']
    """
    first, *rest = wrap(name, LONGEST_NAME) or [name]
    return [HallName(cut_name(part)) for part in (first, " ".join(rest)) if part]


def looked_up(name: str) -> HallName:
    """A name in a list that is sorted by surname.

    >>> str(looked_up("Jan van der Meer (24)"))
    'Meer, Jan van der (24)'
    """
    bare, mark = _told_by(name)
    return HallName(surname_first(bare), mark)


def _told_by(name: str) -> tuple[str, str]:
    """A name, and what stands in brackets behind it."""
    bare = without_brackets(name)
    return bare, name[len(bare) :].strip()


def in_one_line(names: Sequence[str]) -> HallName:
    """Somebody, or both of a pair; what tells one apart stands behind their own name."""
    if len(names) == 1:
        return hall_name(names[0])
    return HallName(" – ".join(str(hall_name(name, LONGEST_OF_PAIR)) for name in names))


@dataclass(frozen=True, slots=True)
class Pit:
    """Who took all eight tricks in a deal, and where."""

    id: int
    name: HallName
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
    return [
        Pit(
            deal.pk,
            in_one_line(_makers(deal, held)),
            deal.sheet.table.number,
        )
        for deal in deals
    ]


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


@dataclass(frozen=True, slots=True)
class SeatLine:
    """Somebody in the list of who sits where, sorted by `key`; without a table they sit out."""

    id: int
    name: HallName
    key: str
    table: int | None


@dataclass(frozen=True, slots=True)
class SeatColumn:
    """A column of that list, with the letters it begins and ends with; the last are empty where
    there is no room for both."""

    first: str
    last: str
    lines: Sequence[SeatLine]


def seat_lines(round_: Round) -> list[SeatLine]:
    """Everybody of a round and their table, surname first, as they look themselves up. Who was
    replaced is left out. One query."""
    placements = list(
        round_.placements.select_related("member", "table").order_by("table__number", "pk")
    )
    seated = Seated(placements)
    lines = [
        SeatLine(
            placement.pk,
            looked_up(placement.member.shown_name),
            sort_key(placement.member.shown_name),
            placement.table.number if placement.table else None,
        )
        for placement in placements
        if seated.holder(placement) == placement
    ]
    return sorted(lines, key=lambda line: (line.key, line.table or 0))


def seat_columns(lines: Sequence[SeatLine], most: int, *, beside: int) -> list[SeatColumn]:
    """The list in columns of at most so many lines, evenly over as few pages as there can be with
    so many columns `beside` each other. The letters of one column never overlap those of the next:
    as many as it takes to tell the last name of one from the first of the next."""
    pages = math.ceil(len(lines) / (most * beside))
    parts = in_parts(lines, math.ceil(len(lines) / (pages * beside)) if lines else most)
    ends = [_told_apart(one[-1], two[0]) for one, two in pairwise(parts)]
    firsts = [str(lines[0].name)[:1] if lines else "", *(first for _last, first in ends)]
    lasts = [*(last for last, _first in ends), str(lines[-1].name)[:1] if lines else ""]
    return [
        SeatColumn(first, last if len(first + last) <= LONGEST_LETTERS[beside] else "", part)
        for first, last, part in zip(firsts, lasts, parts, strict=False)
    ]


def _told_apart(last: SeatLine, first: SeatLine) -> tuple[str, str]:
    """The first letters of two neighbours, as many as make them differ, to a letter."""
    longest = max(len(last.key), len(first.key))
    length = next((n for n in range(1, longest) if last.key[:n] != first.key[:n]), longest)
    while length < longest and not first.key[length - 1 : length].isalnum():
        length += 1
    return str(last.name)[:length].strip(" ,-"), str(first.name)[:length].strip(" ,-")


def in_parts(items: Sequence[T], most: int) -> list[Sequence[T]]:
    """The items in parts of at most so many."""
    return [items[at : at + most] for at in range(0, len(items), most)]


# Steering.


PLANNED, RUNNING, CLOSED = Evening.State.PLANNED, Evening.State.RUNNING, Evening.State.CLOSED
LONGEST_CLOCK = dt.timedelta(minutes=HallScreen.LONGEST_ROUND)


def scene_show(*, evening_id: int, seen_version: int, scene: str) -> HallScreen:
    """Show this scene only, from its first picture; without one all take turns again."""
    hall = _hall(evening_id)
    _write(hall, seen_version, scene=scene, turn=0, turned_at=timezone.now(), held=False)
    return hall


def scene_step(*, evening_id: int, seen_version: int, by: int, pictures: int) -> HallScreen:
    """Go on, or back, to another of so many pictures; in the prize-giving reveal the next prize,
    or hide the last one."""
    hall = _hall(evening_id)
    turn = turn_now(hall) + by
    turn = min(max(turn, 0), pictures) if hall.scene == PRIZES else turn % max(pictures, 1)
    _write(hall, seen_version, turn=turn, turned_at=timezone.now())
    return hall


def scene_hold(*, evening_id: int, seen_version: int, held: bool) -> HallScreen:
    """Stay at the present picture, or let the next ones follow again."""
    hall = _hall(evening_id)
    _write(hall, seen_version, turn=turn_now(hall), turned_at=timezone.now(), held=held)
    return hall


def look_choose(*, evening_id: int, seen_version: int, light: bool) -> HallScreen:
    """Dark letters on a light ground, for a hall with daylight, or light ones on a dark one."""
    hall = _hall(evening_id)
    _write(hall, seen_version, light=light)
    return hall


# The clock of a round, and the bell.


def clock_start(*, evening_id: int, seen_version: int, minutes: int | None = None) -> HallScreen:
    """Let the clock run for so many minutes; without a number it goes on where it stood still."""
    hall = _hall(evening_id)
    left = hall.clock_left
    if minutes is not None or left is None:
        hall.clock_minutes = _minutes_checked(hall.clock_minutes if minutes is None else minutes)
        left = hall.clock_minutes * 60
    _write(
        hall,
        seen_version,
        clock_minutes=hall.clock_minutes,
        clock_ends_at=timezone.now() + dt.timedelta(seconds=left),
        clock_left=None,
    )
    return hall


def clock_pause(*, evening_id: int, seen_version: int) -> HallScreen:
    """Let the clock stand still; one that does not run is left alone."""
    hall = _hall(evening_id)
    if hall.clock_ends_at is not None:
        left = max(hall.clock_ends_at - timezone.now(), dt.timedelta())
        _write(hall, seen_version, clock_ends_at=None, clock_left=round(left.total_seconds()))
    return hall


def clock_add(*, evening_id: int, seen_version: int, minutes: int) -> HallScreen:
    """Give the round so many minutes more, counted from now if the time was up. A clock that is
    off is left alone."""
    hall = _hall(evening_id)
    more = dt.timedelta(minutes=_minutes_checked(minutes))
    if hall.clock_ends_at is not None:
        ends_at = min(
            max(hall.clock_ends_at, timezone.now()) + more, timezone.now() + LONGEST_CLOCK
        )
        _write(hall, seen_version, clock_ends_at=ends_at)
    elif hall.clock_left is not None:
        left = min(dt.timedelta(seconds=hall.clock_left) + more, LONGEST_CLOCK)
        _write(hall, seen_version, clock_left=round(left.total_seconds()))
    return hall


def clock_stop(*, evening_id: int, seen_version: int) -> HallScreen:
    """Take the clock off the screen."""
    hall = _hall(evening_id)
    _write(hall, seen_version, clock_ends_at=None, clock_left=None)
    return hall


def bell_ring(*, evening_id: int, seen_version: int) -> HallScreen:
    """Have every screen ring once."""
    hall = _hall(evening_id)
    _write(hall, seen_version, rung=hall.rung + 1)
    return hall


# Announcements.


@transaction.atomic
def message_put(
    *, evening_id: int, seen_version: int, message: str, minutes: int | None, actor: Actor
) -> HallScreen:
    """Show an announcement on every screen, for so many minutes or until it is taken away.

    Raises DomainError `message_missing` or `message_too_long`.
    """
    message = tidy_name(message)
    if not message:
        raise DomainError("message_missing", _("Type what the hall should read."))
    if len(message) > HallScreen.LONGEST_MESSAGE:
        raise DomainError(
            "message_too_long",
            _("At most %(n)s letters fit on the screen.") % {"n": HallScreen.LONGEST_MESSAGE},
        )
    until = None
    if minutes is not None:
        until = timezone.now() + dt.timedelta(minutes=_minutes_checked(minutes))
    evening = evening_lock(evening_id)
    hall = _hall(evening_id)
    _write(hall, seen_version, message=message, message_until=until)
    evening_note(evening, actor=actor, action="hall_message", texts={"message": message})
    return hall


@transaction.atomic
def message_take_away(*, evening_id: int, seen_version: int, actor: Actor) -> HallScreen:
    """Take the announcement away; without one nothing changes."""
    evening = evening_lock(evening_id)
    hall = _hall(evening_id)
    if hall.message:
        _write(hall, seen_version, message="", message_until=None)
        evening_note(evening, actor=actor, action="hall_message_gone")
    return hall


def _hall(evening_id: int) -> HallScreen:
    """The screen of an evening, as it is or as it is before anybody steers it.

    Raises DomainError `evening_state` when the evening is called off.
    """
    evening = Evening.objects.get(pk=evening_id)
    require_state(evening, PLANNED, RUNNING, CLOSED)
    return hall_of(evening)


def _write(hall: HallScreen, seen_version: int, **columns: object) -> None:
    """Write these columns if the screen is still at this version.

    Raises VersionConflict `hall_changed`.
    """
    is_stored = hall.version > 0
    if not is_stored and seen_version == 0:
        start = {"clock_minutes": hall.clock_minutes}
        stored, is_stored = HallScreen.objects.get_or_create(evening=hall.evening, defaults=start)
        hall.pk, seen_version = stored.pk, stored.version
    if not is_stored or not hall.update_if(seen_version, **columns):
        raise VersionConflict(
            "hall_changed",
            _("Somebody else was just ahead of you. This is what the screen shows now."),
        )


def _minutes_checked(minutes: int) -> int:
    """Raises DomainError `bad_minutes`."""
    if not 1 <= minutes <= HallScreen.LONGEST_ROUND:
        raise DomainError(
            "bad_minutes",
            _("Choose from 1 to %(n)s minutes.") % {"n": HallScreen.LONGEST_ROUND},
        )
    return minutes
