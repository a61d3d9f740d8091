"""Steering the screen in the hall: which scene, the clock and bell of a round, announcements.

Everything names the version of the screen it was pressed for: of two who press at once, or one who
presses twice, only the first is heard.
"""

import datetime as dt

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.text.errors import DomainError, VersionConflict
from clubs.text.names import tidy_name
from tournaments.evenings.locking import evening_lock, evening_note, require_state
from tournaments.hall.queries import hall_of, turn_now
from tournaments.models import Evening, HallScreen

PLANNED, RUNNING, CLOSED = Evening.State.PLANNED, Evening.State.RUNNING, Evening.State.CLOSED
PRIZES = HallScreen.Scene.PRIZES
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
