"""Reading decoded JSON of a known shape, noting every fault instead of stopping at the first."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from tournaments.standings.core.errors import RuleFault

Choice = TypeVar("Choice", bound=str)


class Reader:
    """Each method gives a value of the right type, and adds to `faults` when it was not there."""

    def __init__(self) -> None:
        self.faults: list[RuleFault] = []

    def fault(self, path: str, code: str, **params: object) -> None:
        """Note a fault."""
        self.faults.append(RuleFault(path, code, params))

    def keys(self, path: str, value: object, known: Sequence[str]) -> Mapping[str, object]:
        """The object without the keys that are not `known`; empty when it is no object."""
        if not isinstance(value, dict):
            self.fault(path, "bad_type", expected="an object")
            return {}
        for key in value:
            if key not in known:
                where = f"{path}.{key}" if path else str(key)
                self.fault(where, "unknown_key", known=", ".join(known))
        return {key: value[key] for key in known if key in value}

    def items(self, path: str, value: object) -> Sequence[object]:
        """The list; empty when it is none."""
        if isinstance(value, list):
            return value
        self.fault(path, "bad_type", expected="a list")
        return []

    def whole(self, path: str, value: object, least: int | None = None) -> int:
        """The whole number, neither `true` nor 4.0; 0 when it is none."""
        if not isinstance(value, int) or isinstance(value, bool):
            self.fault(path, "bad_type", expected="a whole number")
            return 0
        if least is not None and value < least:
            self.fault(path, "too_small", least=least)
        return value

    def choice(self, path: str, value: object, known: Sequence[Choice]) -> Choice:
        """The one of `known` that equals the value; the first of them when none does."""
        for one in known:
            if value == one:
                return one
        self.fault(path, "bad_value", known=", ".join(known))
        return known[0]
