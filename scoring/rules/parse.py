"""Reads a deal from JSON: the shape of the object, and nothing yet about the game.

A reader gives the value, or notes what is wrong with it and gives None, so that one pass finds
every fault. An optional key whose value is null says as little as a key left out.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

from scoring.rules.deal import Correction, Deal, Nil, Trump
from scoring.rules.faults import Fault, bad_type, bad_value, printable, shown
from scoring.rules.seats import SEATS, SIDES, Seat, Side, side_of

Reader = Callable[[object, str, list[Fault]], Any]

LARGEST_CORRECTION: Final = 10_000
"""No director takes or gives more; above it a value is a slip."""


def parse_deal(raw: Mapping[str, object]) -> tuple[Deal, list[Fault]]:
    """The deal, and every fault of shape; a part with a fault is left at its default.

    Faults come in the order in which the contract names the keys, keys it does not name last.
    """
    faults = [Fault("missing", key) for key in ("declarer", "trump") if key not in raw]
    values: dict[str, Any] = {}
    for key, value in raw.items():
        reader = _READERS.get(key)
        if reader is None:
            faults.append(Fault("unknown_key", printable(str(key)), {"value": shown(key)}))
        elif value is not None or key == "declarer":
            parsed = reader(value, key, faults)
            if parsed is not None:
                values[key] = parsed
    if faults:
        faults.sort(key=lambda fault: _ORDER.get(fault.root, len(_ORDER)))
    return Deal(**values), faults


def _one_of(choices: tuple[str, ...]) -> Reader:
    def read(value: object, field: str, faults: list[Fault]) -> str | None:
        if not isinstance(value, str):
            faults.append(bad_type(value, field))
        elif value not in choices:
            faults.append(bad_value(value, field))
        else:
            return value
        return None

    return read


def _of_type(kind: type) -> Reader:
    def read(value: object, field: str, faults: list[Fault]) -> object:
        if type(value) is kind:
            return value
        faults.append(bad_type(value, field))
        return None

    return read


def _list_of(read_item: Reader) -> Reader:
    def read(value: object, field: str, faults: list[Fault]) -> tuple[Any, ...] | None:
        if isinstance(value, list | tuple):
            return tuple(
                read_item(item, f"{field}.{place}", faults) for place, item in enumerate(value)
            )
        faults.append(bad_type(value, field))
        return None

    return read


def _by_side(read_item: Reader) -> Reader:
    def read(value: object, field: str, faults: list[Fault]) -> dict[Side, Any] | None:
        if not isinstance(value, Mapping):
            faults.append(bad_type(value, field))
            return None
        found: dict[Side, Any] = {}
        for side in SIDES:
            item = value.get(side)
            parsed = None if item is None else read_item(item, f"{field}.{side}", faults)
            if parsed is not None:
                found[side] = parsed
        _refuse_other_keys(value, SIDES, field, faults)
        return found

    return read


def _refuse_other_keys(
    value: Mapping[str, object], known: tuple[str, ...], field: str, faults: list[Fault]
) -> None:
    for key in value:
        if key not in known:
            path = f"{field}.{printable(str(key))}"
            faults.append(Fault("unknown_key", path, {"value": shown(key)}))


def _read_roem(value: object, field: str, faults: list[Fault]) -> int:
    if type(value) is int:
        return value
    faults.append(bad_type(value, field))
    # It is still roem, and what follows keeps its place in the list: the lowest stands in for it.
    return 20


def _read_seats(value: object, field: str, faults: list[Fault]) -> tuple[Seat, ...] | None:
    before = len(faults)
    seats: tuple[Seat, ...] | None = _list_of(_seat)(value, field, faults)
    if seats is None or len(faults) > before:
        return None
    faults += [
        Fault("bad_value", f"{field}.{place}", {"why": "seated_twice", "value": seat})
        for place, seat in enumerate(seats)
        if seat in seats[:place]
    ]
    if len({side_of(seat) for seat in seats}) < 2:
        faults.append(Fault("bad_value", field, {"why": "one_side"}))
    return seats if len(faults) == before else None


def _read_correction(value: object, field: str, faults: list[Fault]) -> Correction:
    if not isinstance(value, Mapping):
        faults.append(bad_type(value, field))
        return Correction(0)
    before = len(faults)
    given = {key: value[key] for key in _CORRECTION if value.get(key) is not None}
    parsed = {key: _CORRECTION[key](item, f"{field}.{key}", faults) for key, item in given.items()}
    if "points" not in given:
        faults.append(Fault("missing", f"{field}.points"))
    if "seat" not in given and "side" not in given:
        faults.append(Fault("missing", f"{field}.seat"))
    if "seat" in given and "side" in given:
        faults.append(bad_value(given["side"], f"{field}.side"))
    _refuse_other_keys(value, tuple(_CORRECTION), field, faults)
    return Correction(**parsed) if len(faults) == before else Correction(0)


def _read_correction_points(value: object, field: str, faults: list[Fault]) -> int | None:
    if type(value) is not int:
        faults.append(bad_type(value, field))
    elif abs(value) > LARGEST_CORRECTION:
        faults.append(bad_value(value, field))
    else:
        return value
    return None


_seat: Final = _one_of(SEATS)
_side: Final = _one_of(SIDES)
_flag: Final = _of_type(bool)

_CORRECTION: Final[Mapping[str, Reader]] = {
    "seat": _seat,
    "side": _side,
    "points": _read_correction_points,
    "reason": _of_type(str),
}

_READERS: Final[Mapping[str, Reader]] = {
    "declarer": _one_of(SEATS + SIDES),
    "trump": _one_of(get_args(Trump)),
    "points": _by_side(_of_type(int)),
    "roem": _by_side(_list_of(_read_roem)),
    "pit": _side,
    "nat": _flag,
    "reneged": _seat,
    "accused_wrongly_by": _seat,
    "nil": _one_of(get_args(Nil)),
    "replayed": _flag,
    "corrections": _list_of(_read_correction),
    "dealer": _seat,
    "seats": _read_seats,
}
_ORDER: Final[Mapping[str, int]] = {key: place for place, key in enumerate(_READERS)}
