from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryFees:
    """What a member and a guest pay to take part, in cents; None where they pay nothing."""

    stake_member: int | None = None
    stake_guest: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizesAndFees(EntryFees):
    """What a new evening takes from the last one beside its plan and its rules."""

    prizes: Mapping[str, object] = field(default_factory=dict)
