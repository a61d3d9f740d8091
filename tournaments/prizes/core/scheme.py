"""Which prizes there are, as a club chooses them and as JSON keeps the choice."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from tournaments.standings.core import EVENING_PRIZES, SEASON_PRIZES

Kind = Literal["none", "first", "formula_of_four", "given", "one_per_four", "everybody"]

KINDS: tuple[Kind, ...] = get_args(Kind)
HIGHEST_PLACE = 999
FOUR = 4


class InvalidPrizes(ValueError):
    """The settings are not a prize scheme. `faults` has a (field, code) for each thing wrong:
    `not_an_object`, `unknown`, `not_a_choice`, `not_a_number`, `not_a_list`, `no_places`."""

    def __init__(self, faults: Sequence[tuple[str, str]]) -> None:
        super().__init__(", ".join(f"{field}: {code}" for field, code in faults))
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class PrizeScheme:
    """By default the first three places and the poedel, the booby prize.

    `first` counts for the kind "first" and `given` for "given". `sides` are the side prizes in the
    order in which they are handed out, each by the key of its metric; `periods` is a prize for the
    best of each period of a season.
    """

    kind: Kind = "first"
    first: int = 3
    given: tuple[int, ...] = ()
    poedel: bool = True
    sides: tuple[str, ...] = ()
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

    def places(self, people: int) -> tuple[int, ...]:
        """The places that win a prize among this many people, in order.

        The formula of four is 1 to 4 and then every fourth place: 8, 12, 16. One per four people
        is for the highest places, at least one; a last group of fewer than four adds no prize.
        """
        places = range(1, people + 1)
        match self.kind:
            case "first":
                return tuple(places[: self.first])
            case "formula_of_four":
                return tuple(place for place in places if place <= FOUR or place % FOUR == 0)
            case "given":
                return tuple(place for place in places if place in self.given)
            case "one_per_four":
                return tuple(places[: max(people // FOUR, 1)])
            case "everybody":
                return tuple(places)
            case "none":
                return ()


def parse_prizes(settings: object) -> PrizeScheme:
    """The scheme that these settings describe; a key left out has its default.

    Raises `InvalidPrizes` with every fault.
    """
    if not isinstance(settings, Mapping):
        raise InvalidPrizes([("prizes", "not_an_object")])
    faults = [(str(key), "unknown") for key in settings if key not in _READERS]
    read = {key: _READERS[key](value) for key, value in settings.items() if key in _READERS}
    faults += [(key, value.code) for key, value in read.items() if isinstance(value, _Fault)]
    if not faults and read.get("kind") == "given" and not read.get("given"):
        faults.append(("given", "no_places"))
    if faults:
        raise InvalidPrizes(faults)
    return PrizeScheme(**read)


@dataclass(frozen=True, slots=True)
class _Fault:
    """Stands in place of a value that cannot be read."""

    code: str


def _kind(value: object) -> Any:
    return value if value in KINDS else _Fault("not_a_choice")


def _place(value: object) -> Any:
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= HIGHEST_PLACE:
        return value
    return _Fault("not_a_number")


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
    is_known = all(side in EVENING_PRIZES or side in SEASON_PRIZES for side in value)
    return tuple(dict.fromkeys(value)) if is_known else _Fault("not_a_choice")


_READERS: Mapping[str, Callable[[object], Any]] = {
    "kind": _kind,
    "first": _place,
    "given": _places,
    "poedel": _yes_no,
    "sides": _sides,
    "periods": _yes_no,
}
