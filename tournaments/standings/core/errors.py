"""What can be wrong with a season rule that was written by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

MESSAGES: Mapping[str, str] = {
    "bad_type": "must be {expected}",
    "unknown_key": "there is no such key; there are {known}",
    "bad_value": "must be one of {known}",
    "too_small": "must be at least {least}",
    "bad_date": "{value!r} is not a date like 2026-09-05",
    "bad_evening": "{value!r} is not an evening like 2026-09-05 or 2026-09-05-2",
    "period_order": "the period ends before it starts",
    "period_overlap": "the period overlaps the one from {start} to {end}",
    "duplicate": "{value!r} is named more than once",
}
CODES: tuple[str, ...] = tuple(MESSAGES)


@dataclass(frozen=True)
class RuleFault:
    """One fault: where (`periods.0.1`; empty for the rule itself), a code, and its details."""

    path: str
    code: str
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """The fault in English, without the place."""
        return MESSAGES[self.code].format_map(self.params)

    def __str__(self) -> str:
        return f"{self.path or 'rule'}: {self.message}"


class InvalidRule(ValueError):
    """A season rule that cannot be used. `faults` are all of them, in order of the keys."""

    def __init__(self, faults: Sequence[RuleFault]) -> None:
        super().__init__("; ".join(str(fault) for fault in faults))
        self.faults = tuple(faults)
