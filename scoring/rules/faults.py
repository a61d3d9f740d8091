"""What is wrong, or merely unlikely, in what somebody wrote."""

import dataclasses
import json
from collections.abc import Container, Iterable, Mapping
from itertools import islice
from typing import Final

MOST_NAMED: Final = 100
"""So many keys or items of one place are judged one by one; what has more was never a deal."""

_LONGEST_SHOWN: Final = 40


@dataclasses.dataclass(frozen=True, slots=True)
class Fault:
    """A machine-readable code, the path of the field (`roem.NS.1`), and what the message names."""

    code: str
    field: str
    params: Mapping[str, object] = dataclasses.field(default_factory=dict, hash=False)

    @property
    def root(self) -> str:
        """The part of the deal it is in: `roem` for `roem.NS.1`."""
        return self.field.partition(".")[0]


class InvalidDeal(ValueError):
    """A deal or a regulation that cannot be.

    `faults` names everything that is wrong with it, each code at most once per field.
    """

    def __init__(self, faults: Iterable[Fault]) -> None:
        by_place = {(fault.code, fault.field): fault for fault in faults}
        self.faults: tuple[Fault, ...] = tuple(by_place.values())
        super().__init__(", ".join(f"{fault.field}: {fault.code}" for fault in self.faults))


def bad_type(value: object, field: str) -> Fault:
    """The fault of a value whose JSON type is not the field's."""
    return Fault("bad_type", field, {"value": shown(value)})


def bad_value(value: object, field: str) -> Fault:
    """The fault of a value that the field cannot have."""
    return Fault("bad_value", field, {"value": shown(value)})


def unknown_keys(
    value: Mapping[str, object], known: Container[str], prefix: str = "", code: str = "unknown_key"
) -> list[Fault]:
    """The fault of each key that is not known; `prefix` is the path before it, with its dot."""
    unknown = islice((key for key in value if key not in known), MOST_NAMED)
    return [Fault(code, f"{prefix}{printable(str(key))}", {"value": shown(key)}) for key in unknown]


def printable(text: str) -> str:
    """The text with lone surrogates, which JSON can carry and UTF-8 cannot, replaced by `?`."""
    return text.encode("utf-8", "replace").decode("utf-8")


def shown(value: object) -> str:
    """A value from outside as a message may show it: short, on one line, printable, and in JSON's
    words where Python has others.
    """
    if isinstance(value, str):
        text = " ".join(printable(value[: _LONGEST_SHOWN + 1]).split())
    elif value is None or isinstance(value, bool):
        text = json.dumps(value)
    elif isinstance(value, float) or (isinstance(value, int) and abs(value) < 10**_LONGEST_SHOWN):
        text = str(value)
    else:
        return "…"
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"
