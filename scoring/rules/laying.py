"""Reads the cards of a deal from JSON: who led, the 32 cards, what was announced of each trick."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from scoring.rules.cards import find_deck_faults
from scoring.rules.faults import MOST_NAMED, Fault, bad_type, bad_value
from scoring.rules.seats import SEATS, Seat

CARD_KEYS: Final = ("leader", "cards", "announced")
COUNTED_KEYS: Final = ("points", "roem", "pit")
"""What a sheet says of the cards, and the cards say themselves."""

TRICKS: Final = 8

Announced = bool | int
"""All of a trick's roem, nothing, or so many points of it."""


class Laying(NamedTuple):
    """The cards as they were laid; a part that could not be read is None."""

    leader: Seat | None
    cards: tuple[str, ...] | None
    announced: tuple[Announced, ...] | None


def read_laying(raw: Mapping[str, object]) -> tuple[Laying, list[Fault]]:
    """The part of a deal that only a deal card by card has, and every fault of shape in it."""
    faults = [
        Fault("bad_value", key, {"why": "counted_from_cards"})
        for key in COUNTED_KEYS
        if raw.get(key) is not None
    ]
    laying = Laying(
        leader=_read_leader(raw.get("leader"), faults),
        cards=_read_cards(raw.get("cards"), faults),
        announced=_read_announced(raw.get("announced"), faults),
    )
    return laying, faults


def _read_leader(value: object, faults: list[Fault]) -> Seat | None:
    if value is None:
        faults.append(Fault("missing", "leader"))
    elif not isinstance(value, str):
        faults.append(bad_type(value, "leader"))
    elif value not in SEATS:
        faults.append(bad_value(value, "leader"))
    return next((seat for seat in SEATS if seat == value), None)


def _read_cards(value: object, faults: list[Fault]) -> tuple[str, ...] | None:
    if value is None:
        faults.append(Fault("missing", "cards"))
    elif not isinstance(value, list | tuple):
        faults.append(bad_type(value, "cards"))
    else:
        found = find_deck_faults(value)
        faults += found
        return None if found else tuple(value)
    return None


def _read_announced(value: object, faults: list[Fault]) -> tuple[Announced, ...] | None:
    if value is None:
        return (True,) * TRICKS
    if not isinstance(value, list | tuple):
        faults.append(bad_type(value, "announced"))
        return None
    found = [
        bad_type(item, f"announced.{place}")
        for place, item in enumerate(value[:MOST_NAMED])
        if type(item) not in (bool, int)
    ]
    if len(value) != TRICKS:
        params = {"why": "announced_count", "count": len(value)}
        found.append(Fault("bad_value", "announced", params))
    faults += found
    return None if found else tuple(value)
