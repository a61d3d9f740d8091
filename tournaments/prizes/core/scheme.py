"""Which prizes there are, as a club chooses them and as that is kept in JSON."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from tournaments.prizes.core.errors import InvalidPrizes

Kind = Literal["none", "first", "formula_of_four", "given", "one_per_four", "everybody"]
Side = Literal["pits", "roem", "nats", "last_round", "best_round", "best_evening", "evenings"]

KINDS: tuple[Kind, ...] = get_args(Kind)
SIDES: tuple[Side, ...] = get_args(Side)
EVENING_SIDES: tuple[Side, ...] = ("pits", "roem", "last_round", "best_round", "nats")
MOST = 999


@dataclass(frozen=True, slots=True)
class PrizeScheme:
    """By default the first three and the poedel.

    `first` counts for the kind "first" and `given` for "given". `sides` are the side prizes in the
    order in which they are handed out, by the metric of the ranking that they go by; `periods` is
    one for the best of each period of a season.
    """

    kind: Kind = "first"
    first: int = 3
    given: tuple[int, ...] = ()
    poedel: bool = True
    sides: tuple[Side, ...] = ()
    periods: bool = False

    def as_json(self) -> dict[str, object]:
        """The scheme as `parse_prizes` reads it, every key written out."""
        return {
            "kind": self.kind,
            "first": self.first,
            "given": list(self.given),
            "poedel": self.poedel,
            "sides": list(self.sides),
            "periods": self.periods,
        }


def parse_prizes(settings: object) -> PrizeScheme:
    """The scheme that these settings ask for; what they leave out is as usual.

    Raises `InvalidPrizes` with every fault.
    """
    if not isinstance(settings, Mapping):
        raise InvalidPrizes([("prizes", "not_an_object")])
    faults = [(str(key), "unknown") for key in settings if key not in READERS]
    read = {key: READERS[key](value) for key, value in settings.items() if key in READERS}
    faults += [(key, told) for key, told in read.items() if isinstance(told, _Fault)]
    if not faults and read.get("kind") == "given" and not read.get("given"):
        faults.append(("given", "no_places"))
    if faults:
        raise InvalidPrizes(faults)
    return PrizeScheme(**read)


class _Fault(str):
    """A code in place of a value."""

    __slots__ = ()


def _kind(value: object) -> Any:
    return value if value in KINDS else _Fault("not_a_choice")


def _place(value: object) -> Any:
    sound = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST
    return value if sound else _Fault("not_a_number")


def _places(value: object) -> Any:
    if not isinstance(value, list):
        return _Fault("not_a_list")
    places = [_place(place) for place in value]
    wrong = any(isinstance(place, _Fault) for place in places)
    return _Fault("not_a_number") if wrong else tuple(sorted(set(places)))


def _yes_no(value: object) -> Any:
    return value if isinstance(value, bool) else _Fault("not_a_choice")


def _sides(value: object) -> Any:
    if not isinstance(value, list):
        return _Fault("not_a_list")
    known = all(side in SIDES for side in value)
    return tuple(dict.fromkeys(value)) if known else _Fault("not_a_choice")


READERS: Mapping[str, Callable[[object], Any]] = {
    "kind": _kind,
    "first": _place,
    "given": _places,
    "poedel": _yes_no,
    "sides": _sides,
    "periods": _yes_no,
}
